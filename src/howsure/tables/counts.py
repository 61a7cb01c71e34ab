"""Arrays of counts for measures; leading axes hold a batch of tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from howsure.arrays import Array
from howsure.kernels.ranking import Block, blocks, concordant


@dataclass(frozen=True, slots=True)
class BinaryCounts:
    """Counts of one class against the rest."""

    tp: Array
    fp: Array
    fn: Array
    tn: Array

    @classmethod
    def of(cls, counts: Array) -> BinaryCounts:
        """Count each class of confusion matrices against the rest."""
        table = counts.astype(np.float64, copy=False)  # products of large integers would overflow
        tp = table.diagonal(axis1=-2, axis2=-1)
        fn, fp = table.sum(-1) - tp, table.sum(-2) - tp
        n = table.sum((-1, -2))[..., None]
        if table.shape[-1] == 2:
            return cls(tp, fp, fn, tp[..., ::-1])
        tn = n - tp - fn - fp
        if counts.dtype.kind == "f":  # differences of real-valued weights may leave a rounding error instead of 0
            tn = np.where(tn < 1e-13 * n, 0, tn)
        return cls(tp, fp, fn, tn)

    @property
    def n(self) -> Array:
        total: Array = self.tp + self.fp + self.fn + self.tn
        return total


@dataclass(frozen=True)
class ScoreCounts:
    """Positives and negatives at each distinct score, from high to low.

    The last axis runs over the scores.
    """

    positives: Array
    negatives: Array
    scores: Array

    @cached_property
    def tp(self) -> Array:
        """Positives at or above each score."""
        return np.cumsum(self.positives, axis=-1, dtype=float)

    @cached_property
    def fp(self) -> Array:
        """Negatives at or above each score."""
        return np.cumsum(self.negatives, axis=-1, dtype=float)

    def blocks(self) -> Iterator[Block]:
        """Yield the counts in blocks of scores that fit in the cache."""
        return blocks(self.positives, self.negatives)

    @cached_property
    def n_positive(self) -> Array:
        return np.asarray(self.positives.sum(-1) if self.positives.dtype.kind == "i" else self.tp[..., -1], float)

    @cached_property
    def n_negative(self) -> Array:
        return np.asarray(self.negatives.sum(-1) if self.negatives.dtype.kind == "i" else self.fp[..., -1], float)

    @property
    def n(self) -> Array:
        return self.n_positive + self.n_negative

    @cached_property
    def concordant(self) -> Array:
        """Concordant pairs, ties counting half: the Mann-Whitney statistic U."""
        pairs = concordant(self.positives, self.negatives)
        if pairs is not None:
            return np.asarray(pairs)
        return _dot(self.negatives, self.tp) - _dot(self.negatives, self.positives) / 2

    @cached_property
    def recall(self) -> Array:
        """Share of the positives at or above each score; NaN without positives."""
        return _share(self.tp, self.positives)

    @cached_property
    def fall_out(self) -> Array:
        """Share of the negatives at or above each score; NaN without negatives."""
        return _share(self.fp, self.negatives)


def _dot(a: Array, b: Array) -> Array:
    """Sum products along the last axis without storing the products."""
    return np.asarray(np.einsum("...i,...i->...", a, b, dtype=float, casting="unsafe"))


def _share(cumulative: Array, counts: Array) -> Array:
    total = counts.sum(-1, keepdims=True)
    return np.asarray(cumulative / np.where(total == 0, np.nan, total))


@dataclass(frozen=True, slots=True)
class ScoreRows:
    """Scores of all classes for each case."""

    truth: Array
    scores: Array
    weight: Array
    _orders: dict[int, Array] = field(default_factory=dict, repr=False, compare=False)

    def order(self, column: int) -> Array:
        """Return the row order by the score for a class; computed once per class."""
        if column not in self._orders:
            self._orders[column] = np.argsort(self.scores[:, column])
        return self._orders[column]

    def with_weight(self, weight: Array) -> ScoreRows:
        """Return the rows with other weights, such as those of a replicate."""
        return ScoreRows(self.truth, self.scores, weight, self._orders)


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """Diagonal, row sums and column sums of confusion matrices.

    The last axis runs over the classes.

    Nearly all measures of labels need only these sums. Measures that weight each cell call ``weigh``; ``nudge`` is
    added to the weighted sum in order to take the derivative with respect to this sum.
    """

    hits: Array
    truth: Array
    predicted: Array
    cells: Array
    nudge: complex | Array = 0

    @classmethod
    def of(cls, counts: Array) -> LabelCounts:
        table = counts if np.iscomplexobj(counts) else counts.astype(np.float64, copy=False)
        return cls(table.diagonal(axis1=-2, axis2=-1), table.sum(-1), table.sum(-2), table)

    @property
    def n(self) -> Array:
        total: Array = self.truth.sum(-1)
        return total

    def weigh(self, matrix: Array) -> Array:
        """Sum the cells times ``matrix``, whose rows are the true classes."""
        total: Array = np.einsum("...ij,ij->...", self.cells, matrix) + self.nudge
        return total
