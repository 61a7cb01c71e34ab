"""Estimates from a few human labels and many labels from a judge.

A judge is, for example, a language model.

`howsure.assess(truth, predicted, judge=...)` combines both for any measure. The functions here do so for plain numbers.
"""

from howsure.judges.mean import prediction_powered_mean
from howsure.judges.rogan_gladen import rogan_gladen

__all__ = ["prediction_powered_mean", "rogan_gladen"]
