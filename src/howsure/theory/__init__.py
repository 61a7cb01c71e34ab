"""Bias and variance, information criteria, the VC bound, and the geometry of many dimensions."""
