"""Pessimistic pruning: the tree, the bounds of its error rates, the pruning itself, smoothing, text and trace."""
