"""Monotone maps of scores to at most 2**20 bins, the same to the last bit wherever they are computed.

Where the scores of all cases do not fit, cases are counted by bin. A map is made of additions, divisions and roots
alone, which every engine rounds alike and none of which changes the order of two numbers. So a case falls into the same
bin in NumPy, in DuckDB and on a cluster, and a higher bin means a higher score.

Probabilities are spread by √p − √(1 − p), finer towards 0 and 1, where rare classes have most of theirs; a probability
of exactly 0 or 1 has a bin of its own. Other scores s are spread by s / (|s| + scale).
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

HALF = (1 << 19) - 1  # bins for values from -1 to 0, and as many for those from 0 to 1
BINS = 2 * HALF + 2
PLACES = BINS + 1  # the bin with the threshold in it is parted there
TOLERANCE = 1e-6  # by which rounding, of single precision too, may put a probability below 0 or above 1
LARGEST_FINITE = sys.float_info.max
CHUNK = 1 << 16  # scores at a time, so that what is computed from them stays in the cache


@dataclass(frozen=True)
class ScoreMap:
    """Where scores are counted: in a bin, and in its upper or lower part if the ``threshold`` lies within it.

    ``scale`` is about the size of usual scores, a power of two; None for probabilities.
    """

    threshold: float
    scale: float | None = None

    @classmethod
    def of_range(cls, low: float, high: float, threshold: float, largest_finite: Callable[[], float]) -> ScoreMap:
        """Choose the map for scores from ``low`` to ``high``: that of probabilities, up to rounding, or the other.

        The size of the largest finite score is asked for where an end is infinite, which says nothing of the others.
        """
        if low >= -TOLERANCE and high <= 1 + TOLERANCE:
            return cls(threshold)
        largest = max(abs(low), abs(high))
        if math.isinf(largest):
            largest = largest_finite()
        return cls(threshold, 2.0 ** (math.frexp(max(largest, 1e-300))[1] - 2))

    def places(self, scores: Array) -> IntArray:
        """Give the place of each score; higher scores have places as high or higher."""
        out = np.empty(len(scores), np.int64)
        for start in range(0, len(scores), CHUNK):
            part = scores[start : start + CHUNK].astype(float)
            with np.errstate(over="ignore"):  # beyond all numbers is at the end
                spread = self._spread(part, np.sqrt, np.abs, np.where, lambda column: np.clip(column, 0, 1))
            places = ((spread + 1) * HALF).astype(np.int64)
            if self.scale is None:
                places += part > 0
            out[start : start + CHUNK] = places + (part >= self.threshold)
        return out

    def expression(self, column: Any) -> Any:
        """Give the place as an expression of Narwhals, for any data frame or engine."""
        import narwhals as nw

        def where(condition: Any, yes: Any, no: Any) -> Any:
            return nw.when(condition).then(yes).otherwise(no)

        spread = self._spread(
            column, lambda one: one.sqrt(), lambda one: one.abs(), where, lambda one: one.clip(0.0, 1.0)
        )
        places = ((spread + 1.0) * float(HALF)).floor().cast(nw.Int64)
        if self.scale is None:
            places = places + (column > 0.0).cast(nw.Int64)
        return places + (column >= self.threshold).cast(nw.Int64)

    def in_sql(self, column: str) -> str:
        """Give the place as an expression of SQL; ``column`` is one of a real number."""
        if self.scale is None:
            inside = f"least(greatest({column}, 0.0::DOUBLE), 1.0::DOUBLE)"
            spread, above = f"sqrt({inside}) - sqrt(1.0::DOUBLE - {inside})", f" + CAST({column} > 0.0 AS BIGINT)"
        else:
            away = f"(1.0::DOUBLE - 1.0::DOUBLE / (1.0::DOUBLE + abs({column}) / {self.scale!r}::DOUBLE))"
            spread, above = f"CASE WHEN {column} >= 0.0 THEN {away} ELSE -{away} END", ""
        places = f"CAST(floor(({spread} + 1.0::DOUBLE) * {HALF}.0::DOUBLE) AS BIGINT){above}"
        return f"({places} + CAST({column} >= {self.threshold!r}::DOUBLE AS BIGINT))"

    def _spread(
        self, column: Any, root: Callable[[Any], Any], size: Callable[[Any], Any], where: Any, inside: Any
    ) -> Any:
        """Spread scores over -1 to 1; each step keeps the order of two scores, rounded as it is."""
        if self.scale is None:
            share = inside(column)
            return root(share) - root(1.0 - share)
        away = 1.0 - 1.0 / (1.0 + size(column) / self.scale)
        return where(column >= 0.0, away, 0.0 - away)  # older Narwhals cannot negate


def join_bins(places: IntArray, low: Array, high: Array) -> tuple[Array, Array]:
    """Give the lowest and the highest score of the place of each row, over all rows."""
    order = np.argsort(places, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(places[order]) != 0))
    lowest, highest = np.empty(len(low)), np.empty(len(high))
    sizes = np.diff(np.append(starts, len(places)))
    lowest[order] = np.repeat(np.minimum.reduceat(low[order], starts), sizes)
    highest[order] = np.repeat(np.maximum.reduceat(high[order], starts), sizes)
    return lowest, highest


class BinnedCounts:
    """Cases of some classes by place, with the lowest and the highest score at each place: what grows with no case.

    A row of ``cells`` has the cases of each class and the two scores, beside each other so that a case touches one line
    of the cache. Real-valued weights have their squares apart.
    """

    def __init__(self, score_map: ScoreMap, classes: int = 2) -> None:
        self.map = score_map
        self.classes = classes
        self.cells: Array = np.tile([*[0.0] * classes, np.inf, -np.inf], (PLACES, 1))
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
        """Count a batch of cases, by the positions of their classes."""
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
        """Sort a few cases, so that those of a place stand together."""
        order = np.argsort(scores, kind="stable")
        ranked = scores[order]
        places = self.map.places(ranked)
        starts = np.flatnonzero(np.append(True, places[1:] != places[:-1]))
        ends = np.append(starts[1:], len(places)) - 1
        at = places[starts]

        def added(column: Array) -> Array:
            of_class = codes[order, None] == np.arange(self.classes)
            return np.add.reduceat(of_class * column[order, None], starts, axis=0)

        each = np.ones(len(scores)) if weight is None else weight
        if each.dtype.kind == "f" and weight is not None:
            self._take_squares()
            square = each**2 if square is None else square
        if self.squares is not None:  # a whole-number weight repeats a case, whose own weight is 1
            self.squares[at] += added(each if square is None else square)
        self.counts[at] += added(each)
        self.low[at] = np.minimum(self.low[at], ranked[starts])
        self.high[at] = np.maximum(self.high[at], ranked[ends])

    def _take_squares(self) -> None:
        if self.squares is None:
            self.squares = self.counts.copy()

    def turned(self) -> BinnedCounts:
        """Give the same with the classes in the other order."""
        other = BinnedCounts(self.map, self.classes)
        other.cells[:, :-2] = self.counts[:, ::-1]
        other.cells[:, -2:] = self.cells[:, -2:]
        other.squares = None if self.squares is None else self.squares[:, ::-1].copy()
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Keep what was counted, and not the empty places."""
        used = np.flatnonzero(self.counts.any(1))
        squares = None if self.squares is None else self.squares[used]
        return {"map": self.map, "classes": self.classes, "used": used, "cells": self.cells[used], "squares": squares}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["map"], state["classes"])  # type: ignore[misc]
        self.cells[state["used"]] = state["cells"]
        if state["squares"] is not None:
            self.squares = np.zeros((PLACES, self.classes))
            self.squares[state["used"]] = state["squares"]

    def merge(self, other: BinnedCounts) -> None:
        """Add what another one has counted by the same map."""
        if other.squares is not None:
            self._take_squares()
        if self.squares is not None:
            self.squares += other.counts if other.squares is None else other.squares
        self.cells[:, :-2] += other.counts
        np.minimum(self.low, other.low, out=self.low)
        np.maximum(self.high, other.high, out=self.high)
