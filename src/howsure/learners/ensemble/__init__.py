"""Ensembles that vote: bagging, random forests and AdaBoost, with their samples, weights and out-of-bag error."""
