"""Bias and variance, information criteria, the VC bound, and high-dimensional geometry."""
