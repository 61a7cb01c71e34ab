"""Splitters of scikit-learn, or of the user, taken as schemes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from assay.arrays import IntArray
from assay.errors import AssayError, must
from assay.resampling.scheme import Scheme
from assay.resampling.schemes import KFold
from assay.resampling.splits import Entry, Splits


@dataclass(frozen=True)
class Foreign(Scheme, listed=False):
    """Any object with scikit-learn's ``split(X, y, groups)``. Its chance is its own: give it a ``random_state``."""

    splitter_object: Any

    def splits(self, truth: Any, *, groups: Any = None, seed: int = 0) -> Splits:
        n, labels = (int(truth), None) if isinstance(truth, Integral) else (len(truth), np.asarray(truth))
        try:
            made = list(self.splitter_object.split(np.zeros((n, 1)), labels, groups))
        except Exception as error:
            told = " ".join(str(error).split()).rstrip(".")
            raise AssayError(f"{self} cannot split {n} rows: {told}.") from None
        entries = [Entry(0, fold, _numbers(test), _numbers(train)) for fold, (train, test) in enumerate(made)]
        if not entries:
            raise AssayError(f"{self} gives no split of {n} rows.")
        given = np.concatenate([rows for entry in entries for rows in (entry.test, entry.train)])
        if (outside := given[(given < 0) | (given >= n)]).size:
            raise AssayError(f"{self} gives row {outside[0]}, and there are rows 0 to {n - 1} only.")
        return Splits(n, tuple(_shortened(entries, n)), str(self))

    def to_dict(self) -> dict[str, Any]:
        return {"scheme": "Foreign", "splitter": str(self)}

    def __str__(self) -> str:
        return re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(repr(self.splitter_object).split()))


def as_scheme(given: Any) -> Scheme:
    """Take a scheme, or anything that scikit-learn would take as a splitter."""
    if isinstance(given, Scheme):
        return given
    if isinstance(given, Integral) and not isinstance(given, bool):
        return KFold(int(given))
    if not hasattr(given, "split") or isinstance(given, str | type):
        must("resampling", "a scheme such as KFold(10), or an object with a `split` method", given=given)
    return Foreign(given)


def _numbers(rows: Any) -> IntArray:
    """Give row numbers, also for a mask."""
    given = np.asarray(rows)
    return np.flatnonzero(given) if given.dtype.kind == "b" else given


def _shortened(entries: list[Entry], n: int) -> list[Entry]:
    """Keep only what is needed: a partition's training rows are the rest, and its repeats can be told."""
    kept, repeat, fold = [], 0, 0
    seen = np.zeros(n, bool)
    for entry in entries:
        if seen[entry.test].any():  # a row is tested again: another repeat has begun
            repeat, fold, seen = repeat + 1, 0, np.zeros(n, bool)
        seen[entry.test] = True
        rest = np.ones(n, bool)
        rest[entry.test] = False
        trained: Any = entry.train
        train = None if np.array_equal(np.sort(trained), np.flatnonzero(rest)) else trained
        kept.append(Entry(repeat, fold, entry.test, train))
        fold += 1
    return kept
