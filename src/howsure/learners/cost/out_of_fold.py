"""Out-of-fold predictions: of each case, by models that were not trained on it."""

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
    """Give training and test rows of each fold, for ``cv`` as `CostSensitive` takes it.

    A class of one single case stays in training: without it nothing could be learned of the class.
    """

    def shuffle(classes: IntArray) -> IntArray:
        by_class = [rng.permutation(np.flatnonzero(classes == code)) for code in np.unique(classes)]
        return np.concatenate([np.zeros(0, np.int64), *(cases for cases in by_class if len(cases) > 1)])

    if (number := number_of_folds(cv)) is not None:
        counted = np.flatnonzero(weight > 0)
        folds = deal_folds(number, take(X, counted), codes[counted], shuffle)
        return [(counted[train], counted[test]) for train, test in folds]
    folds = read_folds(cv, X, codes, int(rng.integers(2**31)))
    if not folds:
        raise HowsureError("`cv` must give at least one pair of training and test rows, and it is empty.")
    return [(train, test) for train, test in folds if len(test)]


def mean_out_of_fold(
    folds: list[Fold], n: int, predict: Callable[[IntArray, IntArray], Array]
) -> tuple[Array, NDArray[np.bool_]]:
    """Average, for each of ``n`` cases, what ``predict`` gives for training and test rows; say which have any."""
    sums: Array | None = None
    times = np.zeros(n)
    for train, test in folds:
        values = predict(train, test)
        sums = np.zeros((n, *values.shape[1:])) if sums is None else sums
        sums[test] += values
        times[test] += 1
    if sums is None:  # no case could be left out
        return np.zeros(n), times > 0
    divisor = times.clip(min=1)
    return sums / (divisor if sums.ndim == 1 else divisor[:, None]), times > 0
