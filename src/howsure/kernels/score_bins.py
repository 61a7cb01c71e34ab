"""Count scores in bins, for data whose scores do not fit in memory.

A map from scores to bins uses only additions, divisions and square roots. Every engine rounds these in the same way
(IEEE 754), and none of them reverses the order of two numbers. So NumPy, DuckDB and a cluster put a case in the same
bin, and a higher bin means a higher score.

Probabilities p are mapped to sqrt(p) - sqrt(1 - p), which makes bins narrower towards 0 and 1, where most probabilities
of rare classes lie. A probability of exactly 0 or 1 has a bin of its own. Other scores s are mapped to
s / (|s| + scale).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.kernels.ranking import compiled

HALF = (1 << 19) - 1  # number of bins for mapped scores from -1 to 0, and also from 0 to 1
BINS = 2 * HALF + 2
N_BINS = BINS + 1  # one more, since the bin of the threshold is split in two
TOLERANCE = 1e-6  # maximum distance below 0 or above 1 that counts as rounding error
LARGEST_FINITE = sys.float_info.max
CHUNK = 1 << 16  # number of scores per chunk, so that intermediate columns stay in the cache


@dataclass(frozen=True)
class ScoreMap:
    """Map from scores to bins; the bin of the threshold is split in two.

    ``scale`` is the order of magnitude of the scores, a power of two; None for probabilities.
    """

    threshold: float
    scale: float | None = None

    @classmethod
    def of_range(cls, low: float, high: float, threshold: float, largest_finite: Callable[[], float]) -> ScoreMap:
        """Choose the map for scores from ``low`` to ``high``.

        An infinite bound does not reveal the scale. Only then is ``largest_finite()`` called, which returns the largest
        finite magnitude.
        """
        if low >= -TOLERANCE and high <= 1 + TOLERANCE:
            return cls(threshold)
        largest = max(abs(low), abs(high))
        if math.isinf(largest):
            largest = largest_finite()
        return cls(threshold, 2.0 ** (math.frexp(max(largest, 1e-300))[1] - 2))

    def places(self, scores: Array) -> IntArray:
        """Return the bin of each score; bins increase with scores."""
        bins = np.empty(len(scores), np.int64)
        for start in range(0, len(scores), CHUNK):
            part = scores[start : start + CHUNK].astype(float)
            with np.errstate(over="ignore"):  # overflowing scores end up in the last bin
                spread = self._spread(part, np.sqrt, np.abs, np.where, lambda column: np.clip(column, 0, 1))
            index = ((spread + 1) * HALF).astype(np.int64)
            if self.scale is None:
                index += part > 0
            bins[start : start + CHUNK] = index + (part >= self.threshold)
        return bins

    def expression(self, column: Any) -> Any:
        """Return the bin as a Narwhals expression, for any data frame or engine."""
        import narwhals as nw

        def where(condition: Any, yes: Any, no: Any) -> Any:
            return nw.when(condition).then(yes).otherwise(no)

        spread = self._spread(
            column, lambda expr: expr.sqrt(), lambda expr: expr.abs(), where, lambda expr: expr.clip(0.0, 1.0)
        )
        index = ((spread + 1.0) * float(HALF)).floor().cast(nw.Int64)
        if self.scale is None:
            index = index + (column > 0.0).cast(nw.Int64)
        return index + (column >= self.threshold).cast(nw.Int64)

    def in_sql(self, column: str) -> str:
        """Return the bin as an SQL expression; ``column`` is of type DOUBLE."""
        if self.scale is None:
            share = f"least(greatest({column}, 0.0::DOUBLE), 1.0::DOUBLE)"
            spread, above = f"sqrt({share}) - sqrt(1.0::DOUBLE - {share})", f" + CAST({column} > 0.0 AS BIGINT)"
        else:
            size = f"(1.0::DOUBLE - 1.0::DOUBLE / (1.0::DOUBLE + abs({column}) / {self.scale!r}::DOUBLE))"
            spread, above = f"CASE WHEN {column} >= 0.0 THEN {size} ELSE -{size} END", ""
        index = f"CAST(floor(({spread} + 1.0::DOUBLE) * {HALF}.0::DOUBLE) AS BIGINT){above}"
        return f"({index} + CAST({column} >= {self.threshold!r}::DOUBLE AS BIGINT))"

    def _spread(
        self, column: Any, root: Callable[[Any], Any], size: Callable[[Any], Any], where: Any, inside: Any
    ) -> Any:
        """Map scores to [-1, 1]; each rounded step preserves their order."""
        if self.scale is None:
            share = inside(column)
            return root(share) - root(1.0 - share)
        distance = 1.0 - 1.0 / (1.0 + size(column) / self.scale)
        return where(column >= 0.0, distance, 0.0 - distance)  # older versions of Narwhals cannot negate a column


def join_bins(bins: IntArray, low: Array, high: Array) -> tuple[Array, Array]:
    """Return the lowest and the highest score of the bin of each row."""
    order = np.argsort(bins, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(bins[order]) != 0))
    lowest, highest = np.empty(len(low)), np.empty(len(high))
    sizes = np.diff(np.append(starts, len(bins)))
    lowest[order] = np.repeat(np.minimum.reduceat(low[order], starts), sizes)
    highest[order] = np.repeat(np.maximum.reduceat(high[order], starts), sizes)
    return lowest, highest


class BinnedCounts:
    """Cases of each class by bin, and the score range of each bin.

    A row of ``cells`` has the cases of each class and the two scores side by side, so that a case touches one cache
    line. With real-valued weights, ``squares`` has the sums of the squared weights.
    """

    def __init__(self, score_map: ScoreMap, classes: int = 2) -> None:
        self.map = score_map
        self.classes = classes
        self.cells: Array = np.tile([*[0.0] * classes, np.inf, -np.inf], (N_BINS, 1))
        self.squares: Array | None = None

    @property
    def counts(self) -> Array:
        return self.cells[:, :-2]

    @property
    def low(self) -> Array:
        return self.cells[:, -2]

    @property
    def high(self) -> Array:
        return self.cells[:, -1]

    def add(self, codes: Array, scores: Array, weight: Array | None = None, square: Array | None = None) -> None:
        """Count a batch of cases; ``codes`` are the positions of their classes."""
        scores = np.ascontiguousarray(scores, np.float64)
        loops = compiled() if weight is None and self.squares is None else None
        if loops is not None:
            codes = np.ascontiguousarray(codes, np.uint8)
            loops.count_bins(scores, codes, self.map.threshold, self.map.scale or 0.0, HALF, self.cells)
            return
        for start in range(0, len(scores), CHUNK):
            rows = slice(start, start + CHUNK)
            each, squared = (None if column is None else column[rows] for column in (weight, square))
            self._add_rows(codes[rows], scores[rows], each, squared)

    def _add_rows(self, codes: Array, scores: Array, weight: Array | None, square: Array | None) -> None:
        """Sort a chunk of cases by score, and sum the cases of each bin."""
        order = np.argsort(scores, kind="stable")
        ranked = scores[order]
        bins = self.map.places(ranked)
        starts = np.flatnonzero(np.append(True, bins[1:] != bins[:-1]))
        ends = np.append(starts[1:], len(bins)) - 1
        used = bins[starts]

        def sums(column: Array) -> Array:
            of_class = codes[order, None] == np.arange(self.classes)
            return np.add.reduceat(of_class * column[order, None], starts, axis=0)

        each = np.ones(len(scores)) if weight is None else weight
        if each.dtype.kind == "f" and weight is not None:
            self._start_squares()
            square = each**2 if square is None else square
        if self.squares is not None:  # a whole-number weight repeats a case whose own weight is 1
            self.squares[used] += sums(each if square is None else square)
        self.counts[used] += sums(each)
        self.low[used] = np.minimum(self.low[used], ranked[starts])
        self.high[used] = np.maximum(self.high[used], ranked[ends])

    def _start_squares(self) -> None:
        if self.squares is None:
            self.squares = self.counts.copy()

    def reversed_classes(self) -> BinnedCounts:
        """Return the same counts with the classes in reverse order."""
        flipped = BinnedCounts(self.map, self.classes)
        flipped.cells[:, :-2] = self.counts[:, ::-1]
        flipped.cells[:, -2:] = self.cells[:, -2:]
        flipped.squares = None if self.squares is None else self.squares[:, ::-1].copy()
        return flipped

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the empty bins."""
        used = np.flatnonzero(self.counts.any(1))
        squares = None if self.squares is None else self.squares[used]
        return {"map": self.map, "classes": self.classes, "used": used, "cells": self.cells[used], "squares": squares}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["map"], state["classes"])  # type: ignore[misc]
        self.cells[state["used"]] = state["cells"]
        if state["squares"] is not None:
            self.squares = np.zeros((N_BINS, self.classes))
            self.squares[state["used"]] = state["squares"]

    def merge(self, other: BinnedCounts) -> None:
        """Add the counts of another object with the same map."""
        if other.squares is not None:
            self._start_squares()
        if self.squares is not None:
            self.squares += other.counts if other.squares is None else other.squares
        self.cells[:, :-2] += other.counts
        np.minimum(self.low, other.low, out=self.low)
        np.maximum(self.high, other.high, out=self.high)
