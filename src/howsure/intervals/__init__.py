"""Confidence intervals, for plain numbers and for estimates."""

from howsure.intervals.auc import delong
from howsure.intervals.bootstrap import bootstrap
from howsure.intervals.cross_validated import cross_validated_mean
from howsure.intervals.declare import Basis, methods, registry
from howsure.intervals.difference import newcombe, newcombe_paired, tango
from howsure.intervals.mean import cautious_t, corrected_t, mean_t, mean_z
from howsure.intervals.proportion import (
    agresti_coull,
    clopper_pearson,
    jeffreys,
    mid_p,
    modified_wilson,
    wald,
    wald_n_1,
    wilson,
)
from howsure.intervals.signed_rank import hodges_lehmann, hodges_lehmann_estimate
from howsure.intervals.widths import IntervalWidths, widths
from howsure.registry import import_modules

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
