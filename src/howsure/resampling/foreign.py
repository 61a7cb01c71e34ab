"""Schemes that wrap splitters from scikit-learn or the user."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np

from howsure.arrays import IntArray
from howsure.errors import HowsureError, counted, must
from howsure.resampling.declare import Scheme
from howsure.resampling.index_sets import Entry, Splits
from howsure.resampling.schemes import KFold


@dataclass(frozen=True)
class Foreign(Scheme, listed=False):
    """A scheme that wraps a splitter in the style of scikit-learn."""

    splitter_object: Any

    def splits(self, truth: Any, *, groups: Any = None, seed: int = 0) -> Splits:
        n, labels = (int(truth), None) if isinstance(truth, Integral) else (len(truth), np.asarray(truth))
        try:
            pairs = list(self.splitter_object.split(np.zeros((n, 1)), labels, groups))
        except Exception as error:
            reason = " ".join(str(error).split()).rstrip(".")
            raise HowsureError(f"{self} cannot split {counted(n, 'row')}: {reason}.") from None
        entries = [Entry(0, fold, _row_numbers(test), _row_numbers(train)) for fold, (train, test) in enumerate(pairs)]
        if not entries:
            raise HowsureError(f"{self} returns no split of {counted(n, 'row')}.")
        used = np.concatenate([rows for entry in entries for rows in (entry.test, entry.train)])
        if (outside := used[(used < 0) | (used >= n)]).size:
            raise HowsureError(f"{self} returns row {outside[0]}, but the rows are 0 to {n - 1}.")
        return Splits(n, tuple(_compact(entries, n)), self)

    def to_dict(self) -> dict[str, Any]:
        return {"scheme": "Foreign", "splitter": str(self)}

    def __str__(self) -> str:
        return re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(repr(self.splitter_object).split()))


def as_scheme(resampling: Any) -> Scheme:
    """Return a scheme for a number of folds or a scikit-learn splitter.

    Parameters
    ----------
    resampling
        A `Scheme`, a number of folds, or an object with a ``split`` method like scikit-learn's splitters.

    Returns
    -------
    Scheme
        The scheme.

    Examples
    --------
    >>> from howsure.resampling import as_scheme
    >>> from sklearn.model_selection import ShuffleSplit
    >>> len(as_scheme(ShuffleSplit(3, random_state=0)).splits([0, 1] * 10))
    3
    """
    if isinstance(resampling, Scheme):
        return resampling
    if isinstance(resampling, Integral) and not isinstance(resampling, bool):
        return KFold(int(resampling))
    if not hasattr(resampling, "split") or isinstance(resampling, str | type):
        must("resampling", "a scheme such as KFold(10), or an object with a `split` method", given=resampling)
    return Foreign(resampling)


def _row_numbers(rows: Any) -> IntArray:
    """Return row numbers, given row numbers or a mask."""
    array = np.asarray(rows)
    return np.flatnonzero(array) if array.dtype.kind == "b" else array


def _compact(entries: list[Entry], n: int) -> list[Entry]:
    """Drop training rows that are the default, and number the repeats."""
    compact, repeat, fold = [], 0, 0
    tested = np.zeros(n, bool)
    for entry in entries:
        if tested[entry.test].any():  # a row is tested again, so a new repeat begins
            repeat, fold, tested = repeat + 1, 0, np.zeros(n, bool)
        tested[entry.test] = True
        compact.append(replace(entry.compact(n), repeat=repeat, fold=fold))
        fold += 1
    return compact
