"""Experiment files: read learners, data sets and a resampling scheme from TOML."""
