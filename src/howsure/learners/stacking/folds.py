"""Folds that test each case exactly once."""

from __future__ import annotations

from typing import Any

import numpy as np

from howsure.arrays import IntArray
from howsure.errors import HowsureError
from howsure.learners.common.folds import Fold, are_pairs, deal_folds, number_of_folds, read_folds


def exhaustive_folds(
    cv: Any, X: Any, codes: IntArray, seed: np.random.SeedSequence, counted: IntArray, n: int
) -> list[Fold]:
    """Return the training and test rows of each fold.

    ``counted`` are the rows with positive weight among the user's ``n`` rows; pairs in ``cv`` refer to the latter.
    """

    def shuffle(classes: IntArray) -> IntArray:
        if len(classes) < 2:
            cases = f"n_samples = {len(codes)}, all the same" if len(codes) > 1 else "1 sample"
            raise HowsureError(f"`out_of_fold` must be False unless there are two different cases ({cases}).")
        order = np.random.default_rng(seed).permutation(len(classes))
        return order[np.argsort(classes[order], kind="stable")]

    if (number := number_of_folds(cv)) is not None:
        return deal_folds(number, X, codes, shuffle)
    folds = read_folds(cv, X, codes, int(seed.generate_state(1)[0]), n if are_pairs(cv) else None)
    if are_pairs(cv):
        folds = _counted_only(folds, counted, n)
    left_out = np.concatenate([np.zeros(0, np.int64), *(test for _, test in folds)])  # there may be no folds
    times = np.bincount(left_out, minlength=len(codes))
    if (times != 1).any():
        row = int((times != 1).argmax())
        raise HowsureError(
            f"`cv` must test each case exactly once, but row {counted[row]} is tested {times[row]} times."
        )
    folds = [(train, test) for train, test in folds if len(test)]
    if not all(len(train) for train, _ in folds):
        raise HowsureError("`cv` must have at least one training case in each fold.")
    return folds


def _counted_only(folds: list[Fold], counted: IntArray, n: int) -> list[Fold]:
    """Renumber the rows with positive weight, and remove the others."""
    index = np.full(n, -1)
    index[counted] = np.arange(len(counted))
    renumbered = [(index[train], index[test]) for train, test in folds]
    return [(train[train >= 0], test[test >= 0]) for train, test in renumbered]
