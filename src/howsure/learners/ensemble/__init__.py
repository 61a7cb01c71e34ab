"""Ensembles that vote: bagging, random forests and AdaBoost."""
