"""Learning curves, tuning, bias and variance, and information criteria."""

from howsure.theory.bias_variance import BiasVariance, BiasVarianceCurve, bias_variance, bias_variance_curve, decompose
from howsure.theory.information import Criteria, criteria, vc_bound
from howsure.theory.shell import ShellVolumes, plot_shell_volume, shell_volume, shell_volumes
from howsure.tuning.complexity_curve import ComplexityCurve, complexity_curve
from howsure.tuning.cost_comparison import CostMethods, compare_cost_methods
from howsure.tuning.factor_curve import FactorCurve
from howsure.tuning.learning_curve import LearningCurve, learning_curve
from howsure.tuning.nested import NestedResult, nested
from howsure.tuning.noise_curve import NoiseCurve, noise_curve
from howsure.tuning.noisy_labels import NoisyLabels
from howsure.tuning.slope import Slope
from howsure.tuning.tune import TuneResult, tune

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
