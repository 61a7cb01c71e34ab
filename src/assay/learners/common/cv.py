"""Read ``cv``: how cases are to be left out, in the forms that users know."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from assay.arrays import IntArray
from assay.errors import AssayError, must
from assay.resampling.scheme import Scheme

Fold = tuple[IntArray, IntArray]
FORMS = "a whole number, a scheme, a splitter or pairs of training and test rows"


def number_of_folds(cv: Any) -> int | None:
    """Give the number of folds asked for; None where ``cv`` is something else."""
    if isinstance(cv, bool) or not isinstance(cv, Integral):
        return None
    if cv < 2:
        must("cv", "at least 2", given=cv)
    return int(cv)


def are_pairs(cv: Any) -> bool:
    """Whether the rows themselves were given, and nothing that divides them."""
    return not isinstance(cv, Scheme) and not (hasattr(cv, "split") and not isinstance(cv, str | type))


def read_folds(cv: Any, X: Any, codes: IntArray, seed: int, n: int | None = None) -> list[Fold]:
    """Give training and test rows of a scheme, a splitter, or pairs that were given, which are of ``n`` rows."""
    if isinstance(cv, Scheme):
        return [(np.asarray(one.train), np.asarray(one.test)) for one in cv.splits(codes, seed=seed)]
    rows = len(codes) if n is None else n
    try:
        pairs = [
            (_numbers(train, rows), _numbers(test, rows))
            for train, test in (cv if are_pairs(cv) else cv.split(X, codes))
        ]
    except (TypeError, ValueError):
        must("cv", FORMS, given=cv)
    for pair in pairs:
        given = np.concatenate(pair)
        outside = given[(given < 0) | (given >= rows)]
        if len(outside):
            raise AssayError(f"`cv` must give rows 0 to {rows - 1}, not {outside[0]}.")
    return pairs


def _numbers(given: Any, n: int) -> IntArray:
    """Give row numbers, also for a truth value for each of ``n`` rows."""
    rows = np.atleast_1d(given)
    if (rows.size and rows.dtype.kind not in "biu") or (rows.dtype.kind == "b" and rows.shape != (n,)):
        raise ValueError("not rows")
    return np.flatnonzero(rows) if rows.dtype.kind == "b" else rows.astype(np.int64)
