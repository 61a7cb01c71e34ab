"""Predictions: truth and prediction of every case, checked once, here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from assay.arrays import IntArray
from assay.data.encode import MISSING, Encoded, Label, encode
from assay.data.labels import Classes
from assay.data.scores import Scores, decide, default_threshold
from assay.errors import AssayError, listing

MOST_CASES = 2.0**53  # whole numbers beyond this are not exact


@dataclass(frozen=True, slots=True)
class Key:
    """What cases are told apart by: a group, or a fold of a resampling."""

    codes: IntArray
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Predictions:
    """Truth and predicted labels as positions in ``classes.labels``.

    Whole-number weights repeat a case: everything is as if the row stood there that many times.
    Real-valued weights count a case for more or less; ``square`` keeps their squares, without which
    nothing could be said about uncertainty.
    """

    truth: IntArray
    predicted: IntArray | None
    classes: Classes
    weight: NDArray[Any] | None = None
    square: NDArray[np.float64] | None = None
    group: Key | None = None
    fold: Key | None = None
    scores: NDArray[Any] | None = None
    threshold: float | None = None

    def decided(self) -> IntArray:
        """The predicted classes: as given, or as the scores tell."""
        if self.predicted is not None:
            return self.predicted
        return decide(cast("NDArray[Any]", self.scores), self.classes, self.threshold)  # one of the two is given

    @property
    def rows(self) -> int:
        return len(self.truth)

    def about(self, positive: Label) -> Predictions:
        """Give the same decisions, with another class as the positive one."""
        classes, scores = Classes.of_labels(self.classes.labels, positive), self.scores
        if scores is not None and scores.ndim == 1 and classes.positive != self.classes.positive:
            scores = 1 - scores if scores.min() >= 0 and scores.max() <= 1 else -scores
        return replace(self, classes=classes, scores=scores, predicted=self.decided(), threshold=None)

    def __repr__(self) -> str:
        told = "labels" if self.scores is None else "scores"
        return f"Predictions({self.rows} rows, {len(self.classes.labels)} classes, {told})"

    @classmethod
    def of(
        cls,
        truth: Any,
        predicted: Any = None,
        *,
        scores: Any = None,
        threshold: float | None = None,
        weight: Any = None,
        square: Any = None,
        group: Any = None,
        fold: Any = None,
        labels: Sequence[Label] | None = None,
        positive: Label | None = None,
        names: dict[str, str] | None = None,
    ) -> Predictions:
        """Check and encode columns. ``names`` are what error sentences call them, where not as here.

        Without ``predicted``, the class is told by ``scores``: for one column the positive class from ``threshold``
        on, for a column per class the class with the highest score.
        """
        called = {key: key for key in ("truth", "predicted", "weight", "group", "fold", "scores")} | (names or {})
        given = {"truth": truth, "predicted": predicted, "group": group, "fold": fold}
        columns = {key: encode(value, called[key]) for key, value in given.items() if value is not None}
        weights = None if weight is None else check_weight(weight, called["weight"])
        told = None if scores is None else Scores.of(scores, called["scores"])
        _check_lengths(columns, weights, told, called)
        if weights is not None and not weights.all():
            kept = np.flatnonzero(weights)
            weights, square = weights[kept], square if square is None else np.asarray(square)[kept]
            columns = {key: _take(encoded, kept) for key, encoded in columns.items()}
            told = None if told is None else told.take(kept)
        for key, encoded in columns.items():
            _check_present(encoded, called[key])
        labelled = {called[key]: columns[key] for key in ("truth", "predicted") if key in columns}
        classes = Classes.of(labelled, labels, positive)
        truth_codes = classes.index(columns["truth"])
        if told is not None and told.values.ndim == 1 and len(classes.labels) > 2 and classes.chosen:
            # One column of scores is of one class against the rest, so that is what is assessed.
            place = classes.labels.index(classes.positive)
            if "predicted" in columns:
                columns["predicted"] = Encoded((classes.index(columns["predicted"]) == place).view(np.int8), [0, 1])
            truth_codes = (truth_codes == place).view(np.int8)
            rest = f"not {classes.positive}"
            classes = Classes.of_labels([rest, classes.labels[place]], classes.positive)
            if "predicted" in columns:
                columns["predicted"] = Encoded(columns["predicted"].codes, list(classes.labels))
        if told is not None:
            classes, told = told.fit(classes, called["scores"])
        if weights is not None and weights.dtype.kind == "f" and square is None:
            square = weights**2
        if "predicted" not in columns and told is None:
            raise AssayError("`predicted` or `scores` must be given.")
        if told is not None and told.values.ndim == 1 and threshold is None and "predicted" not in columns:
            threshold = default_threshold(told.values)
        return cls(
            truth_codes,
            classes.index(columns["predicted"]) if "predicted" in columns else None,
            classes,
            weights,
            square,
            _key(columns.get("group")),
            _key(columns.get("fold")),
            None if told is None else told.values,
            threshold,
        )


def check_weight(weight: Any, name: str) -> NDArray[Any]:
    values = np.ma.filled(weight.astype(float), np.nan) if isinstance(weight, np.ma.MaskedArray) else np.asarray(weight)
    if values.ndim != 1 or values.dtype.kind not in "biuf":
        raise AssayError(f"`{name}` must be a column of numbers, not {type(weight).__name__} of {values.dtype}.")
    values = values.astype(np.float64 if values.dtype.kind == "f" else np.int64, copy=False)
    bad = np.flatnonzero(~np.isfinite(values) | (values < 0))
    if len(bad):
        raise AssayError(f"`{name}` must be finite and not negative, not {values[bad[0]]} at index {bad[0]}.")
    if len(values) and not values.any():
        raise AssayError(f"`{name}` must have a value above 0; all are 0.")
    if values.dtype.kind == "i" and float(values.sum(dtype=float)) >= MOST_CASES:
        raise AssayError(f"`{name}` must add up to less than 2**53 cases; give it as real numbers instead.")
    if values.dtype.kind == "f" and len(values):
        # Weights of 1e200 or 1e-200 have squares that no number can hold; their scale means nothing.
        exponent = np.frexp(values.max())[1]
        values = np.ldexp(values, -exponent) if abs(exponent) > 300 else values
    return values


def _check_lengths(
    columns: dict[str, Encoded], weights: NDArray[Any] | None, scores: Scores | None, called: dict[str, str]
) -> None:
    lengths = {called[key]: len(encoded.codes) for key, encoded in columns.items()}
    if scores is not None:
        lengths[called["scores"]] = len(scores.values)
    if weights is not None:
        lengths[called["weight"]] = len(weights)
    (first, n), *others = lengths.items()
    for other, m in others:
        if m != n:
            raise AssayError(f"`{first}` has {n} rows and `{other}` has {m}; they must be of equal length.")
    if n == 0:
        raise AssayError(f"`{first}` must hold at least one case, and it is empty.")


def _check_present(encoded: Encoded, name: str) -> None:
    if encoded.complete or encoded.codes.min() != MISSING:
        return
    rows = np.flatnonzero(encoded.codes == MISSING)
    raise AssayError(f"`{name}` has no label at index {listing(rows.tolist())}; drop these rows or give them a label.")


def _take(encoded: Encoded, rows: IntArray) -> Encoded:
    """Keep some rows, and only the values that are still there (an order of their own stays whole)."""
    codes = encoded.codes[rows]
    if encoded.ordered:
        return Encoded(codes, encoded.values, ordered=True)
    present = np.unique(codes[codes != MISSING])
    lookup = np.full(len(encoded.values) + 1, MISSING, np.int32)
    lookup[present] = np.arange(len(present))
    return Encoded(lookup[codes], [encoded.values[code] for code in present])


def _key(encoded: Encoded | None) -> Key | None:
    """Order the groups by value, so that the order of the rows does not show."""
    if encoded is None:
        return None
    if encoded.ordered or len({type(value) for value in encoded.values}) > 1:
        return Key(encoded.codes, tuple(encoded.values))
    order = sorted(range(len(encoded.values)), key=encoded.values.__getitem__)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order))
    return Key(rank[encoded.codes], tuple(encoded.values[place] for place in order))
