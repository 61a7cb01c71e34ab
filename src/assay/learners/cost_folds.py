"""Out-of-fold scores: what a learner says of cases that it was not trained on."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.encode import IntArray
from assay.data.rows import take
from assay.errors import AssayError, must
from assay.learners.drawing import canonical_order

Array = NDArray[np.float64]
Split = tuple[IntArray, IntArray]


def splits_of(cv: Any, X: Any, codes: IntArray, weight: Array, rng: np.random.Generator) -> list[Split]:
    """Give pairs of training and test rows: of ``cv`` folds, of a splitter, or the pairs that were given."""
    if isinstance(cv, Integral) and not isinstance(cv, bool):
        if int(cv) < 2:
            must("cv", "at least 2 folds", given=cv)
        fold = _folds(int(cv), X, codes, weight, rng)
        return [(np.flatnonzero(fold != one), np.flatnonzero(fold == one)) for one in range(int(cv)) if one in fold]
    if isinstance(cv, str | bytes | bool) or not (hasattr(cv, "split") or hasattr(cv, "__iter__")):
        must("cv", "a number of folds, a splitter, or pairs of training and test rows", given=cv)
    splits = list(cv.split(X, codes) if hasattr(cv, "split") else cv)
    if not splits:
        raise AssayError("`cv` must give at least one pair of training and test rows, and it is empty.")
    return splits


def _folds(folds: int, X: Any, codes: IntArray, weight: Array, rng: np.random.Generator) -> IntArray:
    """Deal the cases of each class to the folds; -1 for those that are never tested.

    Copies of a case go to the same fold, and the order of rows does not matter, so that a weight of 3 is the same as
    three copies. A class of one single case stays in training: without it nothing could be learned of the class.
    """
    order = canonical_order(X, codes)
    order = order[weight[order] > 0]
    first = ~_as_before(take(X, order), codes[order])
    of_case = np.full(np.count_nonzero(first), -1)
    dealt = 0
    for one in np.unique(codes):
        cases = rng.permutation(np.flatnonzero(codes[order[first]] == one))
        if len(cases) > 1:
            of_case[cases] = (dealt + np.arange(len(cases))) % folds
            dealt += len(cases)
    fold = np.full(len(codes), -1)
    fold[order] = of_case[np.cumsum(first) - 1]
    return fold


def _as_before(X: Any, codes: IntArray) -> NDArray[np.bool_]:
    """Which rows are copies of the row before."""
    if hasattr(X, "tocsr"):
        rows = X.tocsr()
        same = np.asarray((rows[1:] != rows[:-1]).sum(axis=1)).ravel() == 0
    else:
        rows = np.asarray(X)
        one, other = rows[1:], rows[:-1]
        same = ((one == other) | ((one != one) & (other != other))).all(axis=1)  # NaN is NaN here
    return np.append(False, same & (codes[1:] == codes[:-1]))


def out_of_fold(
    splits: list[Split], rows: int, fit: Callable[[IntArray], Any], read: Callable[[Any, IntArray], Array]
) -> tuple[Array, NDArray[np.bool_]]:
    """Give what models that were not trained on a case say of it, on average, and which cases have any such."""
    sums: Array | None = None
    times = np.zeros(rows)
    for train, test in splits:
        told = read(fit(np.asarray(train)), np.asarray(test))
        sums = np.zeros((rows, *told.shape[1:])) if sums is None else sums
        sums[test] += told
        times[test] += 1
    if sums is None:  # no case could be left out
        return np.zeros(rows), times > 0
    often = times.clip(min=1)
    return sums / (often if sums.ndim == 1 else often[:, None]), times > 0
