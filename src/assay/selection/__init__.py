"""Selection: how error depends on cases, settings and noise; and choosing a setting without fooling oneself."""

from assay.theory.bias_variance import (
    BiasVariance,
    BiasVarianceCurve,
    bias_variance,
    bias_variance_curve,
    decompose,
)
from assay.theory.information import Criteria, criteria, vc_bound
from assay.theory.shell import ShellVolumes, plot_shell_volume, shell_volume, shell_volumes
from assay.tuning.complexity_curve import ComplexityCurve, complexity_curve
from assay.tuning.cost_comparison import CostMethods, compare_cost_methods
from assay.tuning.factor_curve import FactorCurve
from assay.tuning.learning_curve import LearningCurve, learning_curve
from assay.tuning.nested import NestedResult, nested
from assay.tuning.noise_curve import NoiseCurve, noise_curve
from assay.tuning.noisy_labels import NoisyLabels
from assay.tuning.slope import Slope
from assay.tuning.tune import TuneResult, tune

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
    "ShellVolumes",
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
    "shell_volumes",
    "tune",
    "vc_bound",
]
