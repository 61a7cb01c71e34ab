"""Bayesian comparisons of two classifiers, with a region of practical equivalence."""
