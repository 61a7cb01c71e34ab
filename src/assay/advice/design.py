"""Findings on how models were trained, tested and chosen."""

from __future__ import annotations

import numpy as np

from assay.advice.declare import advice
from assay.errors import listing
from assay.kernels.shell import shell_share
from assay.resampling.splits import Splits
from assay.tables import Confusion

IN_SAMPLE = "in-sample"
ENOUGH = 10  # cases for each attribute: the lenient reading of an old rule (Jain, Duin and Mao, 2000)
EPSILON = 0.05


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


@advice("A011", "Test cases used more than once")
def touched_again(touches: tuple[str, ...]) -> str | None:
    """Test cases that were looked at before."""
    if len(touches) < 2:
        return None
    models = list(dict.fromkeys(touches))
    times = f"the test cases were looked at {len(touches)} times"
    if len(models) == 1:
        return f"{times}, always with {models[0]}: no harm is done as long as nothing is changed after it"
    return (
        f"{times}, with {len(models)} models ({listing(models)}); to report the best of them is to choose on the "
        "test cases, and its value is too good: take new cases for the last word"
    )


@advice("A012", "Combiner trained on what its parts were trained on")
def combined_in_sample(stacking: str) -> str | None:
    """Stacking whose combiner saw predictions of the base learners on their own training cases."""
    if stacking != IN_SAMPLE:
        return None
    return (
        "the combiner was trained on what its base learners predict for their own training cases; that looks better "
        "than it is, so the combiner trusts most whichever of them overfits most; train it on out-of-fold "
        "predictions, as is the default"
    )


@advice("A013", "Many attributes for few cases")
def many_attributes(shape: tuple[int, int]) -> str | None:
    """Fewer than ten cases for each attribute."""
    cases, attributes = shape
    if attributes < 1 or cases >= ENOUGH * attributes:
        return None
    return (
        f"{cases} cases with {attributes} attributes are fewer than {ENOUGH} for each: space is nearly empty "
        f"({float(shell_share(attributes, EPSILON)):.1%} of a ball of {attributes} dimensions lies within "
        f"{EPSILON:.0%} of its surface), and what fits by chance is easily found; select or combine attributes inside "
        "each training set, take a simpler or more strongly regularised learner, or get more cases"
    )
