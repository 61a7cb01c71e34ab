"""Confidence intervals: methods declared once, on plain numbers or on what an estimate rests on."""

from assay.intervals.auc import delong
from assay.intervals.bootstrap import bootstrap
from assay.intervals.cross_validated import cross_validated_mean
from assay.intervals.declare import Basis, methods, registry
from assay.intervals.difference import newcombe, newcombe_paired, tango
from assay.intervals.mean import cautious_t, corrected_t, mean_t, mean_z
from assay.intervals.proportion import (
    agresti_coull,
    clopper_pearson,
    jeffreys,
    mid_p,
    modified_wilson,
    wald,
    wald_n_1,
    wilson,
)
from assay.intervals.signed_rank import hodges_lehmann, hodges_lehmann_estimate
from assay.intervals.widths import IntervalWidths, widths
from assay.registry import import_modules

__all__ = [
    "Basis",
    "IntervalWidths",
    "agresti_coull",
    "bootstrap",
    "cautious_t",
    "clopper_pearson",
    "corrected_t",
    "cross_validated_mean",
    "delong",
    "hodges_lehmann",
    "hodges_lehmann_estimate",
    "jeffreys",
    "mean_t",
    "mean_z",
    "methods",
    "mid_p",
    "modified_wilson",
    "newcombe",
    "newcombe_paired",
    "registry",
    "tango",
    "wald",
    "wald_n_1",
    "widths",
    "wilson",
]

import_modules(__name__)
