"""Findings on how cases were divided into training and test sets."""

from __future__ import annotations

import numpy as np

from assay.advice.declare import advice
from assay.resampling.splits import Splits
from assay.tables import Confusion


@advice("A010", "Leave-one-out against the class sizes")
def leave_one_out(table: Confusion, splits: Splits) -> str | None:
    """Leave-one-out, where the class of the case left out is one short in training."""
    if not splits.is_leave_one_out:
        return None
    sizes = np.sort(table.sums.truth)
    tied = len(sizes) > 1 and sizes[-1] - sizes[-2] <= 1
    below = float(table.sums.hits.sum()) < float(sizes[-1])
    if not tied and not below:
        return None
    return (
        "leave-one-out cannot be stratified: in training, the class of the case left out is one short, so a learner "
        "that follows class sizes looks worse than it is (a majority vote of two equal classes errs on every case); "
        "stratified folds do not have this"
    )
