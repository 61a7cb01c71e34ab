"""Stacking: the learner, the features that its combiner sees, and the folds behind them."""
