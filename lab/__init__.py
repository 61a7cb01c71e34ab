"""The grids of the lab: what is measured, and stored in src/assay/measured. Not part of the package."""
