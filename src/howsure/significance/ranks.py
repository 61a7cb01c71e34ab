"""Ranks within the rows of a table."""

from __future__ import annotations

import numpy as np

from howsure.arrays import Array
from howsure.kernels.ranking import mean_ranks
from howsure.significance.inputs import check_better, rounded


def row_ranks(values: Array, better: str = "higher") -> Array:
    """Rank each row, the best first; equals share the mean of their ranks."""
    sign = -1 if check_better(better) == "higher" else 1
    # each row is rounded on its own: data sets may have scores of different size
    return np.array([mean_ranks(sign * rounded(row, row)) for row in values])
