"""Judges of model output: few human labels beside many that a model or a cheaper rater gave.

`howsure.assess(truth, predicted, judge=...)` powers every measure of human labels by those of a judge; here are the
same ideas on plain numbers.
"""

from howsure.judges.mean import prediction_powered_mean
from howsure.judges.rogan_gladen import rogan_gladen

__all__ = ["prediction_powered_mean", "rogan_gladen"]
