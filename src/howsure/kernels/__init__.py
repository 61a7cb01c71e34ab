"""The hot loops: numbers in, numbers out, nothing checked."""
