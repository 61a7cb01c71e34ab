"""Pairwise comparisons and contrasts, after an omnibus test of many classifiers."""
