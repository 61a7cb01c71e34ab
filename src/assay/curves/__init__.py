"""Curves: a table in, a `Curve` out. A picture is a frame first."""

from assay.curves.average import average_roc
from assay.curves.band import with_band
from assay.curves.calibration import BrierParts, brier_parts, calibration, densities
from assay.curves.curve import Curve, Line
from assay.curves.decision import cost_curve, decision_curve, roc_hull
from assay.curves.ranking import det, gain, ks, lift, lift_ratio, precision_recall, roc
from assay.curves.threshold import by_threshold

__all__ = [
    "BrierParts",
    "Curve",
    "Line",
    "average_roc",
    "brier_parts",
    "by_threshold",
    "calibration",
    "cost_curve",
    "decision_curve",
    "densities",
    "det",
    "gain",
    "ks",
    "lift",
    "lift_ratio",
    "precision_recall",
    "roc",
    "roc_hull",
    "with_band",
]
