"""Folds in which each case is left out once, so that every case has a prediction by learners that have not seen it."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from assay.data.encode import IntArray
from assay.errors import AssayError, must
from assay.learners.drawing import number_cases
from assay.resampling.scheme import Scheme

Fold = tuple[IntArray, IntArray]


def left_out(cv: Any, X: Any, codes: IntArray, seed: np.random.SeedSequence, counted: IntArray, n: int) -> list[Fold]:
    """Give training and test rows of each fold, for ``cv`` as `Stacking` takes it.

    ``counted`` are the rows of X among the ``n`` that were given: pairs of rows in ``cv`` speak of the latter.
    """
    if isinstance(cv, Integral) and not isinstance(cv, bool):
        if cv < 2:
            must("cv", "at least 2", given=cv)
        return _dealt(int(cv), X, codes, seed)
    if isinstance(cv, Scheme):
        made = cv.splits(codes, seed=int(seed.generate_state(1)[0]))
        folds = [(np.asarray(one.train), np.asarray(one.test)) for one in made]
    elif hasattr(cv, "split") and not isinstance(cv, str | type):
        folds = [(_numbers(train), _numbers(test)) for train, test in cv.split(X, codes)]
    else:
        folds = _given(cv, counted, n)
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


def _given(cv: Any, counted: IntArray, n: int) -> list[Fold]:
    """Take pairs of rows as they are, less the rows that do not count."""
    try:
        pairs = [(_numbers(train), _numbers(test)) for train, test in cv]
    except (TypeError, ValueError):
        must("cv", "a whole number, a scheme, a splitter or pairs of training and test rows", given=cv)
    place = np.full(n, -1)
    place[counted] = np.arange(len(counted))
    folds = []
    for pair in pairs:
        given = np.concatenate(pair)
        if given.size and (given.min() < 0 or given.max() >= n):
            outside = given[(given < 0) | (given >= n)][0]
            raise AssayError(f"`cv` must give rows 0 to {n - 1}, not {outside}.")
        train, test = (place[rows] for rows in pair)
        folds.append((train[train >= 0], test[test >= 0]))
    return folds


def _numbers(rows: Any) -> IntArray:
    """Give row numbers, also for a mask."""
    given = np.asarray(rows)
    return np.flatnonzero(given) if given.dtype.kind == "b" else given.astype(np.int64)
