"""Out-of-fold predictions, made by models that were not trained on the case."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import Array, IntArray
from howsure.data.rows import take
from howsure.errors import HowsureError
from howsure.learners.common.folds import Fold, deal_folds, number_of_folds, read_folds


def cost_folds(cv: Any, X: Any, codes: IntArray, weight: Array, rng: np.random.Generator) -> list[Fold]:
    """Return the training and test rows of each fold; a class's only case is always in the training set."""

    def shuffle(classes: IntArray) -> IntArray:
        by_class = [rng.permutation(np.flatnonzero(classes == code)) for code in np.unique(classes)]
        return np.concatenate([np.zeros(0, np.int64), *(cases for cases in by_class if len(cases) > 1)])

    if (number := number_of_folds(cv)) is not None:
        counted = np.flatnonzero(weight > 0)
        folds = deal_folds(number, take(X, counted), codes[counted], shuffle)
        return [(counted[train], counted[test]) for train, test in folds]
    folds = read_folds(cv, X, codes, int(rng.integers(2**31)))
    if not folds:
        raise HowsureError("`cv` must have at least one pair of training and test rows; it is empty.")
    return [(train, test) for train, test in folds if len(test)]


def mean_out_of_fold(
    folds: list[Fold], n: int, predict: Callable[[IntArray, IntArray], Array]
) -> tuple[Array, NDArray[np.bool_]]:
    """Return the mean of ``predict(train, test)`` for each of ``n`` cases, and flags for the cases that have one."""
    sums: Array | None = None
    times = np.zeros(n)
    for train, test in folds:
        values = predict(train, test)
        sums = np.zeros((n, *values.shape[1:])) if sums is None else sums
        sums[test] += values
        times[test] += 1
    if sums is None:  # every class has only one case
        return np.zeros(n), times > 0
    divisor = times.clip(min=1)
    return sums / (divisor if sums.ndim == 1 else divisor[:, None]), times > 0
