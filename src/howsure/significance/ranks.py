"""Ranks within the rows of a table."""

from __future__ import annotations

import numpy as np

from howsure.arrays import Array
from howsure.kernels.ranking import mean_ranks
from howsure.significance.inputs import check_better, rounded


def row_ranks(values: Array, better: str = "higher") -> Array:
    """Rank the values of each row, 1 for the best; ties share their mean rank."""
    sign = -1 if check_better(better) == "higher" else 1
    # Each row is rounded relative to its own largest value, because data sets may have scores on different scales.
    return np.array([mean_ranks(sign * rounded(row, row)) for row in values])
