"""The grids of the lab: what is measured, in parts that are kept as they come. Not part of the package."""
