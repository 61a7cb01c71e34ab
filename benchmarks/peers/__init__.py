"""Scripts that run other programs on the same samples, each in its own interpreter."""
