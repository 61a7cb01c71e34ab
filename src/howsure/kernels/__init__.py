"""Performance-critical functions of arrays, which do not validate their arguments."""
