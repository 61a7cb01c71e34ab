"""Grids of simulations, measured in parts that are stored as they finish. Not part of the package."""
