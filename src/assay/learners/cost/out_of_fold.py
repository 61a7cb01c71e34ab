"""Out-of-fold scores: what a learner says of cases that it was not trained on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, IntArray
from assay.data.rows import take
from assay.errors import AssayError
from assay.learners.common.cv import Fold, number_of_folds, read_folds
from assay.learners.ensemble.bootstrap_draws import number_cases


def splits_of(cv: Any, X: Any, codes: IntArray, weight: Array, rng: np.random.Generator) -> list[Fold]:
    """Give pairs of training and test rows: of ``cv`` folds, a scheme, a splitter, or the pairs that were given."""
    folds = number_of_folds(cv)
    if folds is not None:
        fold = _folds(folds, X, codes, weight, rng)
        return [(np.flatnonzero(fold != one), np.flatnonzero(fold == one)) for one in range(folds) if one in fold]
    pairs = read_folds(cv, X, codes, int(rng.integers(2**31)))
    if not pairs:
        raise AssayError("`cv` must give at least one pair of training and test rows, and it is empty.")
    return [(train, test) for train, test in pairs if len(test)]


def _folds(folds: int, X: Any, codes: IntArray, weight: Array, rng: np.random.Generator) -> IntArray:
    """Deal the cases of each class to the folds; -1 for those that are never tested.

    Copies of a case go to the same fold, and the order of rows does not matter, so that a weight of 3 is the same as
    three copies. A class of one single case stays in training: without it nothing could be learned of the class.
    """
    counted = np.flatnonzero(weight > 0)
    case = number_cases(take(X, counted), codes[counted])
    class_of = np.empty(case.max() + 1, np.int64)
    class_of[case] = codes[counted]
    of_case = np.full(len(class_of), -1)
    dealt = 0
    for one in np.unique(class_of):
        cases = rng.permutation(np.flatnonzero(class_of == one))
        if len(cases) > 1:
            of_case[cases] = (dealt + np.arange(len(cases))) % folds
            dealt += len(cases)
    fold = np.full(len(codes), -1)
    fold[counted] = of_case[case]
    return fold


def out_of_fold(
    splits: list[Fold], rows: int, fit: Callable[[IntArray], Any], read: Callable[[Any, IntArray], Array]
) -> tuple[Array, NDArray[np.bool_]]:
    """Give what models that were not trained on a case say of it, on average, and which cases have any such."""
    sums: Array | None = None
    times = np.zeros(rows)
    for train, test in splits:
        told = read(fit(train), test)
        sums = np.zeros((rows, *told.shape[1:])) if sums is None else sums
        sums[test] += told
        times[test] += 1
    if sums is None:  # no case could be left out
        return np.zeros(rows), times > 0
    often = times.clip(min=1)
    return sums / (often if sums.ndim == 1 else often[:, None]), times > 0
