"""The hot loops: arrays in, arrays out, no validation."""
