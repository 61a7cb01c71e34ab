"""Selection: how error depends on cases, settings and noise; and choosing a setting without fooling oneself."""

from assay.selection.curves import complexity_curve, learning_curve, noise_curve
from assay.selection.factor import ComplexityCurve, FactorCurve, LearningCurve, NoiseCurve
from assay.selection.nested import NestedResult, nested
from assay.selection.noise import NoisyLabels
from assay.selection.slope import Slope
from assay.selection.tune import TuneResult, tune

__all__ = [
    "ComplexityCurve",
    "FactorCurve",
    "LearningCurve",
    "NestedResult",
    "NoiseCurve",
    "NoisyLabels",
    "Slope",
    "TuneResult",
    "complexity_curve",
    "learning_curve",
    "nested",
    "noise_curve",
    "tune",
]
