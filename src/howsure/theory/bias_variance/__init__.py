"""Bias-variance decomposition of a loss over many training sets."""

from howsure.theory.bias_variance.curve import BiasVarianceCurve
from howsure.theory.bias_variance.decomposition import decompose
from howsure.theory.bias_variance.refits import bias_variance, bias_variance_curve
from howsure.theory.bias_variance.result import BiasVariance

__all__ = ["BiasVariance", "BiasVarianceCurve", "bias_variance", "bias_variance_curve", "decompose"]
