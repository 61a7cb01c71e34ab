"""Bayesian comparisons with a region of practical equivalence."""
