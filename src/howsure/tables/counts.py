"""What a measure sees of a table: arrays of counts, with any leading shape, and nothing of the user."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from howsure.arrays import Array
from howsure.kernels.ranking import Block, blocks, concordant


@dataclass(frozen=True, slots=True)
class BinaryCounts:
    """One class against the rest."""

    tp: Array
    fp: Array
    fn: Array
    tn: Array

    @classmethod
    def of(cls, counts: Array) -> BinaryCounts:
        """Read every class of tables of shape (..., k, k) against the rest; the last axis runs over the classes."""
        table = counts.astype(np.float64, copy=False)  # products of large counts overflow whole numbers
        hits = table.diagonal(axis1=-2, axis2=-1)
        missed, alarms = table.sum(-1) - hits, table.sum(-2) - hits
        n = table.sum((-1, -2))[..., None]
        if table.shape[-1] == 2:
            return cls(hits, alarms, missed, hits[..., ::-1])
        rest = n - hits - missed - alarms
        if counts.dtype.kind == "f":  # real-valued weights do not cancel to the last bit: what is left of 0 is 0
            rest = np.where(rest < 1e-13 * n, 0, rest)
        return cls(hits, alarms, missed, rest)

    @property
    def n(self) -> Array:
        total: Array = self.tp + self.fp + self.fn + self.tn
        return total


@dataclass(frozen=True)
class ScoreCounts:
    """Positives and negatives at each distinct score, from high to low; the last axis runs over the scores."""

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
        """Go through the scores in blocks that fit in the cache, so that nothing as long as the table is written."""
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
        """Pairs in which the positive scores higher, and half of those with equal scores."""
        pairs = concordant(self.positives, self.negatives)
        if pairs is not None:
            return np.asarray(pairs)
        return _dot(self.negatives, self.tp) - _dot(self.negatives, self.positives) / 2

    @cached_property
    def recall(self) -> Array:
        """Share of the positives at or above each score; NaN where there is none."""
        return _share(self.tp, self.positives)

    @cached_property
    def fall_out(self) -> Array:
        """Share of the negatives at or above each score; NaN where there is none."""
        return _share(self.fp, self.negatives)


def _dot(a: Array, b: Array) -> Array:
    """Sum of products over the scores, without writing the products to memory."""
    return np.asarray(np.einsum("...i,...i->...", a, b, dtype=float, casting="unsafe"))


def _share(cumulative: Array, counts: Array) -> Array:
    total = counts.sum(-1, keepdims=True)
    return np.asarray(cumulative / np.where(total == 0, np.nan, total))


@dataclass(frozen=True, slots=True)
class ScoreRows:
    """Scores of every class for every case: what cannot be counted, because classes are compared case by case."""

    truth: Array
    scores: Array
    weight: Array
    _orders: dict[int, Array] = field(default_factory=dict, repr=False, compare=False)

    def order(self, column: int) -> Array:
        """Return the rows from the lowest score of a class to the highest; each column is sorted once."""
        if column not in self._orders:
            self._orders[column] = np.argsort(self.scores[:, column])
        return self._orders[column]

    def weighed(self, weight: Array) -> ScoreRows:
        """Give the same rows with other weights, as replicates have them."""
        return ScoreRows(self.truth, self.scores, weight, self._orders)


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """All classes at once; the last axis runs over the classes.

    Nearly every label measure needs only these sums. Those that weigh each cell for itself ask for
    ``weigh``; ``nudge`` is how the derivative with respect to that sum is taken.
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
        """Sum the cells, each times its entry of ``matrix`` (rows truth, columns predicted)."""
        total: Array = np.einsum("...ij,ij->...", self.cells, matrix) + self.nudge
        return total
