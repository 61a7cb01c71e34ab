"""Bayesian comparisons of two classifiers, each with a region of practical equivalence."""
