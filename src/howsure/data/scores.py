"""Scores for the positive class, or for each class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.data.encode import LARGEST
from howsure.data.labels import Classes
from howsure.errors import HowsureError, counted, inflect, listing

EXACT_ROWS = 2_000_000  # in files and lazy frames with up to this many rows, every score is kept by default


@dataclass(frozen=True, slots=True)
class Scores:
    """Numbers of shape (n,) or (n, k), and column names, if any."""

    values: Array
    names: tuple[Any, ...] | None = None

    @classmethod
    def of(cls, scores: Any, name: str) -> Scores:
        """Check that scores are numbers and that none are missing."""
        names = None
        if isinstance(scores, Scores):
            scores, names = scores.values, scores.names
        elif hasattr(scores, "columns") and not callable(scores.columns):
            if hasattr(scores, "column_names"):  # in PyArrow tables, `columns` are not names
                names = tuple(scores.column_names)
                scores = np.column_stack([np.asarray(column) for column in scores.columns])
            else:
                names = tuple(scores.columns)
                scores = scores.to_numpy()
        if isinstance(scores, np.ma.MaskedArray):
            scores = np.ma.filled(scores.astype(float), np.nan)
        try:
            values = np.asarray(scores)
            if values.dtype.kind not in "biuf":
                if values.dtype.kind in "cmM":  # a cast would drop imaginary parts, or turn dates into day counts
                    raise TypeError
                values = values.astype(float)
        except Exception:  # objects that are not numbers may raise any error
            raise HowsureError(
                f"`{name}` must hold numbers, but this {type(scores).__name__} holds something else."
            ) from None
        if values.dtype.kind in "iu" and values.size and max(int(values.max()), -int(values.min())) > LARGEST:
            raise HowsureError(f"`{name}` must be below 2**53, beyond which different whole numbers would be equal.")
        if values.dtype not in (np.float32, np.float64):
            values = values.astype(np.float64)
        if values.ndim == 2 and values.shape[1] == 1:
            values = values[:, 0]
        if values.ndim not in (1, 2):
            raise HowsureError(
                f"`{name}` must be a column, or a column for each class, not an array of shape {values.shape}."
            )
        missing = np.isnan(values) if values.ndim == 1 else np.isnan(values).any(axis=1)
        if missing.any():
            rows = np.flatnonzero(missing).tolist()
            raise HowsureError(
                f"`{name}` has no number at index {listing(rows)}; drop these rows or give them a score."
            )
        return cls(values, names)

    def take(self, rows: IntArray) -> Scores:
        return replace(self, values=self.values[rows])

    def fit(self, classes: Classes, name: str) -> Scores:
        """Order columns by class; with two classes, keep the positive column."""
        k = len(classes.labels)
        if self.values.ndim == 1:
            if k > 2:
                raise HowsureError(
                    f"`{name}` is one column of scores, but there are {k} classes; give a column for each class, or "
                    "name the class of this column with `positive=`."
                )
            if k == 1:
                raise HowsureError("with one class in the data, `labels` must name both, or `positive` another one.")
            return self
        columns = self.values.shape[1]
        if columns != k:
            raise HowsureError(
                f"`{name}` has {columns} columns, but there {inflect('is', k)} {counted(k, 'class')}; "
                "name all classes in the order of the columns with `labels`."
            )
        values = self.values
        names = [str(column) for column in self.names or ()]
        labels = [str(label) for label in classes.labels]
        if set(names) == set(labels):
            values = values[:, [names.index(label) for label in labels]]
        elif set(names) & set(labels):
            stray = next(column for column in names if column not in labels)
            raise HowsureError(
                f"`{name}` has a column {stray!r}, which is not a class, besides the columns of classes."
            )
        return replace(self, values=values[:, classes.labels.index(_positive(classes))] if k == 2 else values)


def decide(values: Array, classes: Classes, threshold: float | None) -> IntArray:
    """Return the classes predicted by a threshold or the highest score."""
    if values.ndim == 2:
        return np.asarray(values.argmax(1))
    is_positive = values >= threshold
    return (is_positive if classes.labels.index(_positive(classes)) else ~is_positive).view(np.int8)  # 0 and 1


def _positive(classes: Classes) -> Any:
    return classes.positive if classes.positive is not None else classes.labels[-1]


def default_threshold(low: float, high: float) -> float:
    """Return 0.5 for probabilities, and 0 for scores in any other range."""
    return 0.5 if low >= 0 and high <= 1 else 0.0
