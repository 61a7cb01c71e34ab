"""Folds in which each case is left out once, so that every case has a prediction by learners that have not seen it."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.arrays import IntArray
from assay.errors import AssayError
from assay.learners.common.cv import Fold, are_pairs, number_of_folds, read_folds
from assay.learners.ensemble.bootstrap_draws import number_cases


def left_out(cv: Any, X: Any, codes: IntArray, seed: np.random.SeedSequence, counted: IntArray, n: int) -> list[Fold]:
    """Give training and test rows of each fold, for ``cv`` as `Stacking` takes it.

    ``counted`` are the rows of X among the ``n`` that were given: pairs of rows in ``cv`` speak of the latter.
    """
    folds_wanted = number_of_folds(cv)
    if folds_wanted is not None:
        return _dealt(folds_wanted, X, codes, seed)
    folds = read_folds(cv, X, codes, int(seed.generate_state(1)[0]), n if are_pairs(cv) else None)
    if are_pairs(cv):
        folds = _counted_only(folds, counted, n)
    left = np.concatenate([np.zeros(0, np.int64), *(test for _, test in folds)])  # also where there is no fold
    times = np.bincount(left, minlength=len(codes))
    if (times != 1).any():
        place = int((times != 1).argmax())
        told = f"row {counted[place]} is left out {times[place]} times"
        raise AssayError(f"`cv` must leave out each case exactly once, and {told}.")
    folds = [(train, test) for train, test in folds if len(test)]
    if not all(len(train) for train, _ in folds):
        raise AssayError("`cv` must leave cases to train on in each fold, and one has none.")
    return folds


def _dealt(folds: int, X: Any, codes: IntArray, seed: np.random.SeedSequence) -> list[Fold]:
    """Shuffle the different cases within each class, then deal them out, one class after the other."""
    case = number_cases(X, codes)
    of_case = np.empty(case.max() + 1, np.int64)
    of_case[case] = codes
    if len(of_case) < 2:
        told = f"n_samples = {len(codes)}, all the same" if len(codes) > 1 else "1 sample"
        raise AssayError(f"`out_of_fold` must be False where no two cases differ ({told}): none can be left out.")
    shuffled = np.random.default_rng(seed).permutation(len(of_case))
    dealt = shuffled[np.argsort(of_case[shuffled], kind="stable")]
    fold_of = np.empty(len(of_case), np.int64)
    fold_of[dealt] = np.arange(len(of_case)) % folds
    fold = fold_of[case]
    return [(np.flatnonzero(fold != one), np.flatnonzero(fold == one)) for one in np.unique(fold)]


def _counted_only(folds: list[Fold], counted: IntArray, n: int) -> list[Fold]:
    """Number the rows that count among themselves, and leave the others out."""
    place = np.full(n, -1)
    place[counted] = np.arange(len(counted))
    renumbered = [(place[train], place[test]) for train, test in folds]
    return [(train[train >= 0], test[test >= 0]) for train, test in renumbered]
