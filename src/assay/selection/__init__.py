"""Selection: how error depends on cases, settings and noise; and choosing a setting without fooling oneself."""

from assay.selection.cost_methods import CostMethods, compare_cost_methods
from assay.selection.curves import complexity_curve, learning_curve, noise_curve
from assay.selection.decomposition import (
    BiasVariance,
    BiasVarianceCurve,
    bias_variance,
    bias_variance_curve,
    decompose,
)
from assay.selection.factor import ComplexityCurve, FactorCurve, LearningCurve, NoiseCurve
from assay.selection.information import Criteria, criteria, vc_bound
from assay.selection.nested import NestedResult, nested
from assay.selection.noise import NoisyLabels
from assay.selection.shell import plot_shell_volume, shell_volume
from assay.selection.slope import Slope
from assay.selection.tune import TuneResult, tune

__all__ = [
    "BiasVariance",
    "BiasVarianceCurve",
    "ComplexityCurve",
    "CostMethods",
    "Criteria",
    "FactorCurve",
    "LearningCurve",
    "NestedResult",
    "NoiseCurve",
    "NoisyLabels",
    "Slope",
    "TuneResult",
    "bias_variance",
    "bias_variance_curve",
    "compare_cost_methods",
    "complexity_curve",
    "criteria",
    "decompose",
    "learning_curve",
    "nested",
    "noise_curve",
    "plot_shell_volume",
    "shell_volume",
    "tune",
    "vc_bound",
]
