"""Experiment files: TOML that describes learners, data sets and a scheme, read into an experiment."""
