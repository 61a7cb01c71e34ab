"""Tally: counts that are updated batch by batch in constant memory."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.checks import check_index, check_number
from howsure.data.encode import Encoded, Label, encode
from howsure.data.labels import Classes, label_list
from howsure.data.predictions import MAX_CASES, check_present, check_weight, equal_length
from howsure.data.scores import Scores, default_threshold
from howsure.errors import HowsureError, must
from howsure.kernels.count import count_cells
from howsure.kernels.score_bins import TOLERANCE, BinnedCounts, ScoreMap
from howsure.tables.confusion import Confusion, check_classes
from howsure.tables.scores import ScoreTable, table_of_bins


@dataclass(frozen=True)
class Tallied:
    """The counts of a tally as tables; ``rows`` is the number of cases."""

    classes: Classes
    confusion: Confusion | None
    scores: ScoreTable | None
    threshold: float | None
    rows: int


class Tally:
    """Counts of labels, and of scores in bins, updated batch by batch.

    ``update`` adds a batch, ``merge`` adds the counts of another tally, and ``howsure.assess(tally)`` assesses the
    classifier. A tally takes constant memory, and its counts do not depend on the order of batches and merges.

    Parameters
    ----------
    labels
        All classes, in the order to show them. Default: the classes that occur, sorted.
    positive
        The positive class, to which scores belong. Default: the second of two classes.
    threshold
        Cases with this score or a higher one are predicted positive, if there are no predicted labels. Counts are
        exact at the threshold. Default: one half for probabilities, 0 for other scores.
    scale
        The typical size of scores that are not probabilities.

    Examples
    --------
    >>> import howsure
    >>> tally = howsure.Tally(positive="spam")
    >>> tally.update(["spam", "ham", "ham"], scores=[0.8, 0.3, 0.6])
    >>> tally.update(["spam", "spam", "ham"], scores=[0.9, 0.4, 0.1])
    >>> tally
    Tally(n=6, classes=2, scores)
    >>> round(howsure.assess(tally)["auc"], 3)
    0.889
    """

    def __init__(
        self,
        labels: Sequence[Label] | None = None,
        *,
        positive: Label | None = None,
        threshold: float | None = None,
        scale: float | None = None,
    ) -> None:
        self._given = None if labels is None else tuple(label_list(labels))
        if self._given is not None:
            Classes.of_labels(self._given, positive)  # rejects a positive class that is not among the labels
        if scale is not None and not (check_number(scale, "scale") > 0 and np.isfinite(scale)):
            must("scale", "positive and finite", given=scale)
        self.positive = positive
        self._scale = None if scale is None else 2.0 ** float(np.round(np.log2(scale)))
        default = default_threshold(*((0.0, 1.0) if scale is None else (-1.0, 1.0)))
        self._threshold = default if threshold is None else float(check_number(threshold, "threshold"))
        self._labels: dict[Label, int] = {label: index for index, label in enumerate(self._given or ())}
        self._kinds: tuple[bool, bool] | None = None  # whether predicted labels are counted, and whether scores are
        self._cells = np.zeros((len(self._labels), len(self._labels)))
        self._squares: Array | None = None
        self._binned: BinnedCounts | None = None
        self._total, self.rows = 0.0, 0

    @property
    def n(self) -> int:
        """Number of cases; whole-number weights repeat a case."""
        return self.rows if self._squares is not None else round(self._total)

    def update(self, truth: Any, predicted: Any = None, scores: Any = None, weight: Any = None) -> None:
        """Add a batch: true labels with predicted labels, scores or both.

        The batch is validated first. An invalid batch raises an error and leaves the tally unchanged.

        Parameters
        ----------
        truth
            The true labels.
        predicted
            The predicted labels.
        scores
            Scores of the positive class.
        weight
            Case weights. Whole numbers repeat a case; real numbers weight it.
        """
        columns = {"truth": encode(truth, "truth")}
        if predicted is not None:
            columns["predicted"] = encode(predicted, "predicted")
        kinds = predicted is not None, scores is not None
        if not any(kinds):
            raise HowsureError("`predicted` or `scores` must be given.")
        if self._kinds not in (None, kinds):
            raise HowsureError("every batch of a tally must have the same columns: `predicted`, `scores`, or both.")
        ranking = None if scores is None else self._checked_scores(scores)
        weights = None if weight is None else check_weight(weight, "weight", of_batch=True)
        check_index({"truth": truth, "predicted": predicted, "scores": scores, "weight": weight})
        lengths = {role: len(encoded.codes) for role, encoded in columns.items()}
        lengths |= {} if ranking is None else {"scores": len(ranking)}
        lengths |= {} if weights is None else {"weight": len(weights)}
        if not equal_length(lengths, {role: role for role in lengths}):
            return  # for example, the last batch of a data loader, or an empty shard
        if weights is not None and not weights.all():
            rows = np.flatnonzero(weights)
            weights = weights[rows]
            columns = {role: encoded.take(rows) for role, encoded in columns.items()}
            ranking = None if ranking is None else ranking[rows]
            if not len(rows):
                return
        for role, encoded in columns.items():
            check_present(encoded, role)
        labels = self._with_labels(columns)
        codes = {role: encoded.positions(labels) for role, encoded in columns.items()}
        if ranking is not None:
            _check_two(labels)
        total = float(len(codes["truth"]) if weights is None else weights.sum())
        if self._total + total >= MAX_CASES:
            raise HowsureError("a tally must have fewer than 2**53 cases, beyond which whole numbers are not exact.")
        # Nothing is rejected below, so that a rejected batch changes nothing.
        self._kinds = kinds
        self._grow(labels)
        if weights is not None and weights.dtype.kind == "f" and self._squares is None:
            self._squares = self._cells.copy()
        self._count(codes["truth"], codes.get("predicted", codes["truth"]), weights)
        if ranking is not None:
            self._bins().add(codes["truth"], ranking, weights)
        self._total += total
        self.rows += len(codes["truth"])

    def _checked_scores(self, scores: Any) -> Array:
        values = Scores.of(scores, "scores").values
        if values.ndim != 1:
            remedy = "give that column only" if values.shape[1] == 2 else "count labels of more classes"
            raise HowsureError(f"`scores` of a tally must be one column, for the positive class; {remedy}.")
        outside = (values < -TOLERANCE) | (values > 1 + TOLERANCE)
        if self._scale is None and outside.any():
            row = int(np.flatnonzero(outside)[0])
            raise HowsureError(
                f"`scores` must be between 0 and 1, but index {row} has {values[row]:g}; for other scores, create the "
                "tally with `scale=`, their typical size."
            )
        return values

    def _with_labels(self, columns: dict[str, Encoded]) -> dict[Label, int]:
        """Return the positions of the labels, including new ones of this batch."""
        if self._given is not None:
            Classes.of(columns, self._given, self.positive)
            return self._labels
        labels = dict(self._labels)
        for label in (label for encoded in columns.values() for label in encoded.present()):
            labels.setdefault(label, len(labels))
        Classes.of({"truth": Encoded(np.arange(len(labels)), list(labels))}, None, None)
        check_classes(len(labels))
        return labels

    def _grow(self, labels: dict[Label, int]) -> None:
        more = len(labels) - len(self._labels)
        if more:
            self._cells = np.pad(self._cells, (0, more))
            self._squares = None if self._squares is None else np.pad(self._squares, (0, more))
        self._labels = labels

    def _count(self, truth: IntArray, predicted: IntArray, weight: Array | None) -> None:
        columns, sizes = (truth, predicted), self._cells.shape
        self._cells += count_cells(columns, sizes, weight)
        if self._squares is not None:
            square = weight if weight is None or weight.dtype.kind != "f" else weight**2
            self._squares += count_cells(columns, sizes, square)

    def _bins(self) -> BinnedCounts:
        if self._binned is None:
            self._binned = BinnedCounts(ScoreMap(self._threshold, self._scale))
        return self._binned

    def merge(self, other: Tally) -> None:
        """Add the counts of another tally with the same options.

        Parameters
        ----------
        other
            A tally with the same labels, positive class, threshold and scale.

        Examples
        --------
        >>> import howsure
        >>> tally, other = howsure.Tally(), howsure.Tally()
        >>> tally.update(["y", "n"], ["y", "n"])
        >>> other.update(["y"], ["n"])
        >>> tally.merge(other)
        >>> tally.n
        3
        """
        if not isinstance(other, Tally):
            must("other", "a Tally", given=other)
        for name in ("_given", "positive", "_threshold", "_scale"):
            if getattr(self, name) != getattr(other, name):
                word = "labels" if name == "_given" else name.lstrip("_")
                raise HowsureError(f"tallies must have the same `{word}` to be merged.")
        if None not in (self._kinds, other._kinds) and self._kinds != other._kinds:
            raise HowsureError("tallies must count the same columns to be merged: `predicted`, `scores`, or both.")
        if other is self:
            other = deepcopy(self)
        labels = self._with_labels({"truth": Encoded(np.arange(len(other._labels)), list(other._labels))})
        if other._binned is not None:
            _check_two(labels)
        self._grow(labels)
        self._kinds = self._kinds or other._kinds
        index = np.array([labels[label] for label in other._labels], np.intp)
        if other._squares is not None and self._squares is None:
            self._squares = self._cells.copy()
        if self._squares is not None:
            self._squares[np.ix_(index, index)] += other._cells if other._squares is None else other._squares
        self._cells[np.ix_(index, index)] += other._cells
        if other._binned is not None:
            self._bins().merge(other._binned.reversed_classes() if index[0] == 1 else other._binned)
        self._total += other._total
        self.rows += other.rows

    def __add__(self, other: Tally) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        merged = deepcopy(self)
        merged.merge(other)
        return merged

    def counted(self, labels: Sequence[Label] | None = None, positive: Label | None = None) -> Tallied:
        """Return the counts as tables.

        Parameters
        ----------
        labels, positive
            As in `Tally`, for options that were not set there.

        Examples
        --------
        >>> import howsure
        >>> tally = howsure.Tally()
        >>> tally.update(["y", "n", "y"], ["y", "n", "n"])
        >>> tally.counted(positive="y").confusion.counts.tolist()
        [[1, 0], [1, 1]]
        """
        if not self.rows:
            raise HowsureError("the tally is empty; add a batch with `update` first.")
        names = list(self._labels)
        columns = {"truth": Encoded(np.arange(len(names)), names)}
        positive = self.positive if positive is None else positive
        classes = Classes.of(columns, self._given if labels is None else labels, positive)
        scores, threshold = None, None
        if self._binned is not None:
            if len(classes.labels) != 2:
                raise HowsureError("with one class in the data, `labels` must name both, or `positive` another one.")
            scores = table_of_bins(self._binned, self._labels.get(classes.positive, len(names)))  # type: ignore[arg-type]
            threshold = self._threshold if self._kinds == (False, True) else None
        confusion = None
        if self._kinds is not None and self._kinds[0]:
            counts = self._cells.astype(np.int64) if self._squares is None else self._cells
            confusion = Confusion(counts, names, self._squares).reindex(classes.labels)
        return Tallied(classes, confusion, scores, threshold, self.n)

    def __repr__(self) -> str:
        scores = "" if self._binned is None else ", scores"
        return f"Tally(n={self.n}, classes={len(self._labels)}{scores})"


def _check_two(labels: dict[Label, int]) -> None:
    if len(labels) > 2:
        raise HowsureError(
            f"`scores` of a tally need two classes, but there are {len(labels)}; count predicted labels instead."
        )
