"""Folds in which each case is left out once, so that every case has a prediction by learners that have not seen it."""

from __future__ import annotations

from typing import Any

import numpy as np

from howsure.arrays import IntArray
from howsure.errors import HowsureError
from howsure.learners.common.folds import Fold, are_pairs, deal_folds, number_of_folds, read_folds


def exhaustive_folds(
    cv: Any, X: Any, codes: IntArray, seed: np.random.SeedSequence, counted: IntArray, n: int
) -> list[Fold]:
    """Give training and test rows of each fold, for ``cv`` as `Stacking` takes it.

    ``counted`` are the rows of X among the ``n`` of the user: pairs of rows in ``cv`` are numbered by the latter.
    """

    def shuffle(classes: IntArray) -> IntArray:
        if len(classes) < 2:
            cases = f"n_samples = {len(codes)}, all the same" if len(codes) > 1 else "1 sample"
            raise HowsureError(
                f"`out_of_fold` must be False where no two cases differ ({cases}): none can be left out."
            )
        order = np.random.default_rng(seed).permutation(len(classes))
        return order[np.argsort(classes[order], kind="stable")]

    if (number := number_of_folds(cv)) is not None:
        return deal_folds(number, X, codes, shuffle)
    folds = read_folds(cv, X, codes, int(seed.generate_state(1)[0]), n if are_pairs(cv) else None)
    if are_pairs(cv):
        folds = _counted_only(folds, counted, n)
    left_out = np.concatenate([np.zeros(0, np.int64), *(test for _, test in folds)])  # also where there is no fold
    times = np.bincount(left_out, minlength=len(codes))
    if (times != 1).any():
        row = int((times != 1).argmax())
        fault = f"row {counted[row]} is left out {times[row]} times"
        raise HowsureError(f"`cv` must leave out each case exactly once, and {fault}.")
    folds = [(train, test) for train, test in folds if len(test)]
    if not all(len(train) for train, _ in folds):
        raise HowsureError("`cv` must leave cases to train on in each fold, and one has none.")
    return folds


def _counted_only(folds: list[Fold], counted: IntArray, n: int) -> list[Fold]:
    """Number the rows that count among themselves, and leave the others out."""
    index = np.full(n, -1)
    index[counted] = np.arange(len(counted))
    renumbered = [(index[train], index[test]) for train, test in folds]
    return [(train[train >= 0], test[test >= 0]) for train, test in renumbered]
