"""Pairwise comparisons and contrasts of many classifiers."""
