"""Confidence intervals on plain numbers. Nothing here knows of measures."""

from assay.intervals.auc import delong
from assay.intervals.difference import newcombe, newcombe_paired, tango
from assay.intervals.mean import corrected_t, mean_t, mean_z
from assay.intervals.proportion import (
    agresti_coull,
    clopper_pearson,
    jeffreys,
    mid_p,
    wald,
    wald_n_1,
    wilson,
)
from assay.intervals.resampling import bootstrap

__all__ = [
    "agresti_coull",
    "bootstrap",
    "clopper_pearson",
    "corrected_t",
    "delong",
    "jeffreys",
    "mean_t",
    "mean_z",
    "mid_p",
    "newcombe",
    "newcombe_paired",
    "tango",
    "wald",
    "wald_n_1",
    "wilson",
]
