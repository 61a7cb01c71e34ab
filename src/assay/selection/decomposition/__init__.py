"""Bias and variance: a loss over many training sets, divided into what they have in common and in what they differ."""

from assay.selection.decomposition.curve import BiasVarianceCurve
from assay.selection.decomposition.entry import bias_variance, bias_variance_curve
from assay.selection.decomposition.result import BiasVariance
from assay.selection.decomposition.rounds import decompose

__all__ = ["BiasVariance", "BiasVarianceCurve", "bias_variance", "bias_variance_curve", "decompose"]
