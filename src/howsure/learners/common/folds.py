"""Folds of the training cases, made from the parameter ``cv``."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np

from howsure.arrays import IntArray
from howsure.errors import HowsureError, must
from howsure.learners.common.case_order import number_cases
from howsure.resampling.declare import Scheme

Fold = tuple[IntArray, IntArray]  # training rows, test rows
FORMS = "a whole number, a scheme, a splitter or pairs of training and test rows"


def number_of_folds(cv: Any) -> int | None:
    """Return ``cv`` if it is a number of folds, otherwise None."""
    if isinstance(cv, bool) or not isinstance(cv, Integral):
        return None
    if cv < 2:
        must("cv", "at least 2", given=cv)
    return int(cv)


def deal_folds(folds: int, X: Any, codes: IntArray, shuffle: Callable[[IntArray], IntArray]) -> list[Fold]:
    """Assign the distinct cases to the folds in turn; copies of a case are in the same fold.

    ``shuffle`` receives the class of each case and returns the cases in the order of assignment. If they are sorted by
    class, the folds are stratified. Cases that it leaves out are in all training sets.
    """
    case = number_cases(X, codes)
    class_of = np.empty(case.max() + 1, np.int64)
    class_of[case] = codes
    order = shuffle(class_of)
    fold_of = np.full(len(class_of), -1)
    fold_of[order] = np.arange(len(order)) % folds
    fold = fold_of[case]
    return [(np.flatnonzero(fold != index), np.flatnonzero(fold == index)) for index in np.unique(fold[fold >= 0])]


def are_pairs(cv: Any) -> bool:
    """Return whether ``cv`` is an iterable of training and test rows, not a scheme or a splitter."""
    return not isinstance(cv, Scheme) and not (hasattr(cv, "split") and not isinstance(cv, str | type))


def read_folds(cv: Any, X: Any, codes: IntArray, seed: int, n: int | None = None) -> list[Fold]:
    """Return the training and test rows of a scheme, a splitter, or pairs of rows below ``n``."""
    if isinstance(cv, Scheme):
        return [(np.asarray(split.train), np.asarray(split.test)) for split in cv.splits(codes, seed=seed)]
    limit = len(codes) if n is None else n
    try:
        pairs = [
            (_row_numbers(train, limit), _row_numbers(test, limit))
            for train, test in (cv if are_pairs(cv) else cv.split(X, codes))
        ]
    except (TypeError, ValueError):
        must("cv", FORMS, given=cv)
    for pair in pairs:
        rows = np.concatenate(pair)
        outside = rows[(rows < 0) | (rows >= limit)]
        if len(outside):
            raise HowsureError(f"`cv` must have rows from 0 to {limit - 1}, not {outside[0]}.")
    return pairs


def _row_numbers(values: Any, n: int) -> IntArray:
    """Convert row numbers, or a mask of ``n`` rows, to row numbers."""
    rows = np.atleast_1d(values)
    if (rows.size and rows.dtype.kind not in "biu") or (rows.dtype.kind == "b" and rows.shape != (n,)):
        raise ValueError("not rows")
    return np.flatnonzero(rows) if rows.dtype.kind == "b" else rows.astype(np.int64)
