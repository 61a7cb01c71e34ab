"""Ranks of values, equals sharing the mean of theirs."""

from __future__ import annotations

import numpy as np

from assay.arrays import Array
from assay.significance.inputs import check_better, rounded


def mean_ranks(values: Array) -> Array:
    """Rank a row, the lowest first."""
    _, index, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[index])


def row_ranks(values: Array, better: str = "higher") -> Array:
    """Rank each row of a table, the best first."""
    sign = -1 if check_better(better) == "higher" else 1
    # each row is rounded on its own: data sets may have scores of different size
    return np.array([mean_ranks(sign * rounded(row, row)) for row in values])
