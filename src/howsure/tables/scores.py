"""ScoreTable: the positives and negatives at each distinct score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array, IntArray
from howsure.checks import check_amount, check_number, check_scores, check_whole
from howsure.data.predictions import Key, check_weight
from howsure.errors import HowsureError, counted
from howsure.intervals.auc import auc_error
from howsure.intervals.declare import Ranks
from howsure.kernels.ranking import BLOCK, cumulate, rank, rank_weighted
from howsure.kernels.score_bins import TOLERANCE, BinnedCounts
from howsure.kernels.table_bootstrap import draw_counts
from howsure.present import Sheet
from howsure.present.columnar import Columnar
from howsure.tables.clusters import Clusters, add_clusters
from howsure.tables.counts import ScoreCounts

MAX_GROUPS = 1 << 16  # number of groups of neighbouring scores; at least four digits of a variance remain correct
MAX_ROWS = 1_000_000_000  # maximum number of rows of a sheet


@dataclass(frozen=True, eq=False)
class ScoreTable(Columnar):
    """Number of positives and negatives at each distinct score.

    Tables are added with ``+``.

    Attributes
    ----------
    scores
        The distinct scores, from high to low.
    positives, negatives
        The number of positives and of negatives with each score.
    squares
        Sums of the squared weights of both, for cases with real-valued weights.
    clusters
        The cases of each cluster, for cases that are not independent. Cells are the positives by score, then the
        negatives.
    tops
        For scores counted in bins, the highest score of each bin; ``scores`` are then the lowest.
    n_positive, n_negative, n
        The number of positives, of negatives, and of all cases.

    Examples
    --------
    >>> from howsure import ScoreTable
    >>> table = ScoreTable.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.8, 0.4, 0.1])
    >>> print(table)
    score  positives  negatives
    -----  ---------  ---------
    0.900          1          0
    0.800          1          1
    0.400          1          0
    0.100          0          1
    >>> table.at(0.5)[0].tolist()
    [[1, 1], [1, 2]]
    >>> table.columns()["positives"].tolist()
    [1, 1, 1, 0]
    """

    scores: Array
    positives: Array
    negatives: Array
    squares: tuple[Array, Array] | None = field(default=None, repr=False)
    clusters: Clusters | None = field(default=None, repr=False)
    tops: Array | None = field(default=None, repr=False)

    @classmethod
    def from_scores(cls, positive: ArrayLike, scores: ArrayLike, weight: Any = None) -> ScoreTable:
        """Count scores.

        Parameters
        ----------
        positive
            Whether each case is positive.
        scores
            The score of each case.
        weight
            Case weights; whole numbers repeat a case.
        """
        flags, values = check_scores(positive, scores)
        w = None if weight is None else check_weight(weight, "weight")
        if w is not None and len(w) != len(flags):
            raise HowsureError(f"`weight` has {counted(len(w), 'row')} and `scores` has {len(flags)}.")
        return cls.of_columns(flags, values, w)

    @classmethod
    def of_columns(
        cls, flags: Array, values: Array, w: Array | None, square: Array | None = None, tops: Array | None = None
    ) -> ScoreTable:
        """Count valid columns.

        For rows that combine several cases, ``square`` is the sum of their squared weights.

        If scores are in bins, ``values`` are the lowest scores of the bins and ``tops`` the highest.
        """
        if tops is not None:
            table = cls.of_columns(flags, values, w, square)
            return replace(table, tops=table._highest(values, tops))
        if w is None:
            return cls(*rank(values, flags))
        zero = w.dtype.type(0)
        columns = [np.where(flags, w, zero), np.where(flags, zero, w)]
        if w.dtype.kind == "f":
            squares = w**2 if square is None else np.asarray(square, float)
            columns += [np.where(flags, squares, 0), np.where(flags, 0, squares)]
        distinct, sums = rank_weighted(values, columns)
        return cls(distinct, sums[0], sums[1], (sums[2], sums[3]) if len(sums) == 4 else None)

    def _highest(self, values: Array, tops: Array) -> Array | None:
        """Return the highest score of each bin; None if bins are single scores."""
        highest = self.scores.astype(float)
        np.maximum.at(highest, self._rows_of(values), tops)
        return None if np.array_equal(highest, self.scores) else highest

    @property
    def step(self) -> float:
        """The largest proportion of a class that lies within one bin.

        Rates are exact at each score of the table, and off by at most this proportion between two scores.
        """
        if self.tops is None:
            return 0.0
        wide = self.tops > self.scores
        return max(
            float(column[wide].max(initial=0) / max(column.sum(), 1)) for column in (self.positives, self.negatives)
        )

    def extremes(self) -> tuple[ScoreTable, ScoreTable]:
        """Return the best and the worst ranking that the bins allow.

        In the best ranking all positives of a bin have its highest score and all negatives its lowest score; in the
        worst ranking it is the other way round. A bin with a single score allows only one ranking.

        Examples
        --------
        >>> import howsure
        >>> table = howsure.assess([1, 0, 1, 0], scores=[0.7, 0.4, 0.4, 0.1], exact=False).scores
        >>> best, worst = table.extremes()
        >>> best.n == worst.n == table.n
        True
        """
        tops = self.scores if self.tops is None else self.tops
        ends, single = np.stack([tops, self.scores], -1).ravel(), tops == self.scores

        def high(column: Array) -> Array:
            return np.stack([column, np.zeros_like(column)], -1).ravel()

        def low(column: Array) -> Array:
            return np.stack([np.where(single, column, 0), np.where(single, 0, column)], -1).ravel()

        best = ScoreTable(ends, high(self.positives), low(self.negatives))
        return best, ScoreTable(ends, low(self.positives), high(self.negatives))

    def clustered(self, key: Key, flags: Array, values: Array, weight: Array | None = None) -> ScoreTable:
        """Return the table with clusters; ``key`` holds the cluster of each row."""
        cell = self.cells(flags, values)
        clusters = Clusters.of_rows(key.codes, key.values, cell, 2 * len(self), weight).of_key(key)
        return replace(self, clusters=clusters)

    def cells(self, flags: Array, values: Array) -> IntArray:
        """Return the cell of each row: positives by score, then negatives.

        Parameters
        ----------
        flags
            Whether each row is positive.
        values
            The score of each row.

        Examples
        --------
        >>> import numpy as np
        >>> from howsure import ScoreTable
        >>> table = ScoreTable.from_scores([1, 0], [0.9, 0.2])
        >>> table.cells(np.array([True, False]), np.array([0.9, 0.9])).tolist()
        [0, 2]
        """
        return np.asarray(np.where(flags, 0, len(self)) + self._rows_of(values))

    def _rows_of(self, values: Array) -> IntArray:
        """Return the row of each score."""
        order = np.argsort(values)  # looking up scores in sorted order passes through memory only once
        rows = np.empty(len(values), np.int64)
        rows[order] = len(self) - 1 - np.searchsorted(self.scores[::-1], values[order])
        return rows

    def _moved(self, to: IntArray, m: int) -> Clusters | None:
        """Move row i of the clusters to row ``to[i]`` of ``m`` scores."""
        return None if self.clusters is None else self.clusters.moved(np.concatenate([to, to + m]), 2 * m)

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def n_positive(self) -> float:
        return float(self.positives.sum())

    @cached_property
    def n_negative(self) -> float:
        return float(self.negatives.sum())

    @property
    def n(self) -> float:
        return self.n_positive + self.n_negative

    def __add__(self, other: ScoreTable) -> ScoreTable:
        return add_score_tables([self, other]) if isinstance(other, ScoreTable) else NotImplemented

    def _without_overlaps(self) -> ScoreTable:
        """Join overlapping bins, whose cases have no known order."""
        if self.tops is None or not (self.scores[:-1] <= self.tops[1:]).any():
            return self
        lows, tops = self.scores[::-1], np.maximum.accumulate(self.tops[::-1])  # from low to high
        first = np.append(True, lows[1:] > tops[:-1])
        group = (np.cumsum(first) - 1)[::-1]
        groups = int(group[0]) + 1
        to = groups - 1 - group
        starts = np.flatnonzero(np.append(True, to[1:] != to[:-1]))

        def joined(column: Array) -> Array:
            return np.add.reduceat(column, starts)

        squares = None if self.squares is None else (joined(self.squares[0]), joined(self.squares[1]))
        lowest = np.minimum.reduceat(self.scores, starts)
        highest = np.maximum.reduceat(self.tops, starts)
        counts = joined(self.positives), joined(self.negatives)
        return ScoreTable(lowest, *counts, squares, self._moved(to, groups), highest)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreTable):
            return NotImplemented
        mine, theirs = (self.scores, self.positives, self.negatives), (other.scores, other.positives, other.negatives)
        return all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))

    @property
    def cumulated(self) -> tuple[Array, Array]:
        """True and false positives at each threshold, the first above all scores."""
        return cumulate(self.positives, self.negatives)

    @property
    def tp(self) -> Array:
        """True positives at each score as threshold."""
        return self.cumulated[0][1:]

    @property
    def fp(self) -> Array:
        """False positives at each score as threshold."""
        return self.cumulated[1][1:]

    @property
    def is_probability(self) -> bool:
        """Whether all scores lie between 0 and 1, up to rounding."""
        highest = self.scores if self.tops is None else self.tops
        return bool(highest[0] <= 1 + TOLERANCE and self.scores[-1] >= -TOLERANCE)

    @property
    def clipped(self) -> ScoreTable:
        """The table with scores clipped to [0, 1]."""
        if self.scores[0] <= 1 and self.scores[-1] >= 0:
            return self
        tops = None if self.tops is None else np.clip(self.tops, 0, 1)
        return replace(self, scores=np.clip(self.scores, 0, 1), tops=tops)

    @property
    def counts(self) -> ScoreCounts:
        """Counts for measures; not cached, as cumulative sums may be large."""
        return ScoreCounts(self.positives, self.negatives, self.scores)

    @cached_property
    def ranks(self) -> Ranks:
        """AUC and its standard error (DeLong, DeLong and Clarke-Pearson 1988)."""
        return auc_error(self.positives, self.negatives, self.squares)

    @property
    def rates(self) -> tuple[Array, Array]:
        """False positive rate and recall at each threshold.

        Both run from 0 to 1, and are NaN for a class without cases.
        """
        tp, fp = self.cumulated
        with np.errstate(invalid="ignore", divide="ignore"):
            fp /= fp[-1]  # divide by the last cumulative sum, so that the last rate is exactly 1
            tp /= tp[-1]
        return fp, tp

    @cached_property
    def thresholds(self) -> Array:
        """The scores as thresholds, after infinity, which predicts no positives."""
        return np.concatenate([[np.inf], self.scores], dtype=float)

    def at(self, threshold: float) -> tuple[Array, Array | None]:
        """Return [[tn, fp], [fn, tp]] at a threshold, for counts and for squares.

        Parameters
        ----------
        threshold
            Cases with this score or a higher one are predicted positive.
        """
        check_number(threshold, "threshold")
        limit = self.scores.dtype.type(threshold)  # rounded to single precision if the scores are in single precision
        index = len(self) - int(np.searchsorted(self.scores[::-1], limit, side="left"))

        def split(positives: Array, negatives: Array) -> Array:
            parts = [[column[index:].sum(), column[:index].sum()] for column in (negatives, positives)]
            return np.array(parts)

        squares = None if self.squares is None else split(*self.squares)
        return split(self.positives, self.negatives), squares

    def exact_threshold(self, threshold: float) -> float:
        """Return the threshold that `at` uses.

        For a threshold within a bin this is the lowest score of the next bin.

        Parameters
        ----------
        threshold
            Cases with this score or a higher one are predicted positive.

        Examples
        --------
        >>> from howsure import ScoreTable
        >>> ScoreTable.from_scores([1, 0], [0.9, 0.2]).exact_threshold(0.5)
        0.5
        """
        check_number(threshold, "threshold")
        if self.tops is None:
            return threshold
        n_above = len(self) - int(np.searchsorted(self.scores[::-1], threshold, side="left"))  # bins above it
        if n_above == len(self) or self.tops[n_above] < threshold:
            return threshold
        return float(self.scores[n_above - 1]) if n_above else float(np.nextafter(self.tops[0], np.inf))

    def clusters_at(self, threshold: float) -> Clusters | None:
        """Return the clusters of the table [[tn, fp], [fn, tp]] at a threshold."""
        if self.clusters is None:
            return None
        called = self.scores >= self.scores.dtype.type(threshold)
        return self.clusters.moved(np.concatenate([2 + called, called]), 4)

    def thinned(self, most: int) -> ScoreTable:
        """Join neighbouring scores into groups of about equal weight.

        Each group keeps its lowest score, which is a threshold of the full table. Every point of a curve of the thinned
        table is therefore a point of the exact curve.

        Parameters
        ----------
        most
            The largest number of groups.

        Examples
        --------
        >>> from howsure import ScoreTable
        >>> table = ScoreTable.from_scores([1, 0] * 50, [number / 100 for number in range(100)])
        >>> len(table), len(table.thinned(10))
        (100, 10)
        """
        if len(self) <= check_whole("most", most, 1, MAX_ROWS):
            return self
        if most not in self._thinned:
            self._thinned[most] = self._joined(most)
        return self._thinned[most]

    @cached_property
    def _thinned(self) -> dict[int, ScoreTable]:
        return {}

    def _joined(self, most: int) -> ScoreTable:
        total = self.positives + self.negatives
        reached = np.cumsum(total)
        scale = most / total.sum()

        def group(row: IntArray) -> Array:  # the group of the middle of a row, computed for a few rows only
            return np.asarray((reached[row] - total[row] / 2) * scale)

        starts = np.append(0, first_rows(group, len(self), np.arange(1, most)))
        starts = np.unique(starts[starts < len(self)])
        ends = np.append(starts[1:], len(self)) - 1

        def joined(column: Array) -> Array:
            return np.add.reduceat(column, starts)

        squares = None if self.squares is None else (joined(self.squares[0]), joined(self.squares[1]))
        clusters = self._moved(np.repeat(np.arange(len(starts)), np.diff(starts, append=len(self))), len(starts))
        return ScoreTable(self.scores[ends], joined(self.positives), joined(self.negatives), squares, clusters)

    @cached_property
    def grouped(self) -> ScoreTable:
        """The table for variances, with very many scores joined into groups."""
        return self.thinned(MAX_GROUPS)

    def mirrored(self) -> ScoreTable:
        """Exchange the classes.

        Probabilities become their complements, and other scores change sign.

        Probabilities whose complements would be equal after rounding also change sign, to preserve the ranking.

        Examples
        --------
        >>> from howsure import ScoreTable
        >>> ScoreTable.from_scores([1, 0], [0.75, 0.5]).mirrored().scores.tolist()
        [0.5, 0.25]
        """
        inside = self.is_probability
        lowest = (self.scores if self.tops is None else self.tops)[::-1]  # after the exchange
        scores = 1 - lowest if inside else -lowest
        if inside and not (np.diff(scores) < 0).all():
            inside, scores = False, -lowest
        tops = None if self.tops is None else (1 - self.scores if inside else -self.scores)[::-1]
        squares = None if self.squares is None else (self.squares[1][::-1], self.squares[0][::-1])
        m = len(self)
        clusters = None if self.clusters is None else self.clusters.moved(np.arange(2 * m)[::-1], 2 * m)
        return ScoreTable(scores, self.negatives[::-1], self.positives[::-1], squares, clusters, tops)

    def effective(self) -> ScoreTable:
        """Rescale real-valued weights to sum to the effective sample size.

        The effective sample size is (sum of weights)^2 / sum of squared weights (Kish 1965).

        Examples
        --------
        >>> from howsure import ScoreTable
        >>> ScoreTable.from_scores([1, 0, 1], [0.9, 0.2, 0.7], weight=[0.5, 0.5, 0.5]).effective().n
        3.0
        """
        return self if self.squares is None else self._scaled

    @cached_property
    def _scaled(self) -> ScoreTable:
        assert self.squares is not None
        factor = float((self.positives.sum() + self.negatives.sum()) / (self.squares[0].sum() + self.squares[1].sum()))
        squares = (self.squares[0] * factor**2, self.squares[1] * factor**2)
        clusters = None if self.clusters is None else self.clusters.scaled(np.full(2 * len(self), factor))
        return ScoreTable(self.scores, self.positives * factor, self.negatives * factor, squares, clusters)

    def deflate(self, design_effect: float) -> ScoreTable:
        """Multiply the variances of all counts by the design effect."""
        positives, negatives = self.squares or (self.positives, self.negatives)
        return replace(self, squares=(positives * design_effect, negatives * design_effect), clusters=None)

    def smoothed(self, added: float) -> ScoreTable:
        """Add pseudo-counts, half to each class.

        They are spread equally over all scores, a row above all scores and a row below them.

        Parameters
        ----------
        added
            The sum of the pseudo-counts.

        Examples
        --------
        >>> from howsure import ScoreTable
        >>> ScoreTable.from_scores([1, 0], [0.9, 0.2]).smoothed(1.0).n
        3.0
        """
        table = self.padded()
        each = check_amount(added, "added") / (2 * len(table))
        positives, negatives = table.positives + each, table.negatives + each
        squares = table.squares or (table.positives, table.negatives)
        return ScoreTable(table.scores, positives, negatives, (squares[0] + each, squares[1] + each))

    def with_pseudo_cases(self, added: float, doubt: float) -> ScoreTable:
        """Add pseudo-counts according to the probabilities of the cases.

        Their total weight is ``added``, divided equally among the cases.

        A case with the probability p gets the share (1 - doubt) * p + doubt / 2 as a positive, and the rest as a
        negative.
        """
        columns = [self.positives, self.negatives, *(self.squares or ())]
        summed = [np.empty(len(self)) for _ in columns]
        for start in range(0, len(self), BLOCK):  # intermediate columns stay in the cache
            part = slice(start, start + BLOCK)
            each = (self.positives[part] + self.negatives[part]) * (added / self.n)
            share = (1 - doubt) * self.scores[part].astype(float) + doubt / 2
            extra = each * share, each * (1 - share)
            for index, column in enumerate(columns):
                np.add(column[part], extra[index % 2], out=summed[index][part])
        return ScoreTable(self.scores, summed[0], summed[1], (summed[-2], summed[-1]))

    def resample(self, rng: np.random.Generator, size: int, *, stratified: bool = False) -> tuple[Array, Array]:
        """Draw bootstrap replicates of the positives and negatives by score.

        Parameters
        ----------
        rng
            A random number generator.
        size
            The number of replicates.
        stratified
            Whether each replicate keeps the table's numbers of positives and negatives.

        Examples
        --------
        >>> import numpy as np
        >>> from howsure import ScoreTable
        >>> table = ScoreTable.from_scores([1, 0, 1, 0], [0.9, 0.2, 0.7, 0.4])
        >>> positives, negatives = table.resample(np.random.default_rng(0), 3)
        >>> positives.shape, (positives + negatives).sum(axis=1).tolist()
        ((3, 4), [4.0, 4.0, 4.0])
        """
        m = len(self)
        counts = np.concatenate([self.positives, self.negatives])
        squares = None if self.squares is None else np.concatenate(self.squares)
        parts = [slice(0, m), slice(m, 2 * m)] if stratified else None
        drawn = draw_counts(counts, squares, rng, size, parts)
        return drawn[:, :m], drawn[:, m:]

    def redrawn(self, rng: np.random.Generator, size: int) -> Iterator[tuple[Array, Array]]:
        """Draw bootstrap replicates of cases, or of whole clusters, one at a time.

        Parameters
        ----------
        rng
            A random number generator.
        size
            The number of replicates.

        Examples
        --------
        >>> import numpy as np
        >>> from howsure import ScoreTable
        >>> table = ScoreTable.from_scores([1, 0, 1, 0], [0.9, 0.2, 0.7, 0.4])
        >>> len(list(table.redrawn(np.random.default_rng(0), 3)))
        3
        """
        m = len(self)
        if self.clusters is None or self.clusters.are_independent:
            drawn = (self.resample(rng, 1) for _ in range(size))
            yield from ((positives[0], negatives[0]) for positives, negatives in drawn)
        else:
            blocks = self.clusters.resampled(rng, size)
            yield from ((row[:m], row[m:]) for block in blocks for row in block)

    def padded(self) -> ScoreTable:
        """Add an empty row above all scores and one below them.

        Examples
        --------
        >>> from howsure import ScoreTable
        >>> table = ScoreTable.from_scores([1, 0], [0.9, 0.2])
        >>> len(table), len(table.padded())
        (2, 4)
        """

        def pad(column: Array) -> Array:
            return np.concatenate([[0], column, [0]])

        squares = None if self.squares is None else (pad(self.squares[0]), pad(self.squares[1]))
        scores = np.concatenate([self.scores[:1], self.scores, self.scores[-1:]])
        return ScoreTable(scores, pad(self.positives), pad(self.negatives), squares)

    def columns(self) -> dict[str, Array]:
        """Return the distinct scores with their positives and negatives."""
        return {"score": self.scores, "positives": self.positives, "negatives": self.negatives}

    def sheet(self, most: int = 20) -> Sheet:
        """Return the rows to be shown: those with the ``most`` highest scores.

        Parameters
        ----------
        most
            The number of scores to show.
        """
        check_whole("most", most, 0, MAX_ROWS)
        top = replace(self, scores=self.scores[:most], positives=self.positives[:most], negatives=self.negatives[:most])
        notes = (f"and {len(self) - most} more scores",) if len(self) > most else ()
        return Sheet.of(top.records(), notes=notes)

    def __repr__(self) -> str:
        return f"ScoreTable(scores={len(self)}, positives={self.n_positive:g}, negatives={self.n_negative:g})"


def table_of_bins(binned: BinnedCounts, positive: int) -> ScoreTable:
    """Build a table from binned counts; ``positive`` is a class position."""
    used = np.flatnonzero(binned.counts.any(1))[::-1]
    squares = None if binned.squares is None else binned.squares[used]
    counts = binned.counts[used] if squares is not None else binned.counts[used].astype(np.int64)
    of_classes = None if squares is None else (squares[:, positive].copy(), squares[:, 1 - positive].copy())
    low, high = binned.low[used] + 0.0, binned.high[used] + 0.0  # turns -0.0 into 0.0
    tops = None if np.array_equal(low, high) else high
    return ScoreTable(low, counts[:, positive].copy(), counts[:, 1 - positive].copy(), of_classes, tops=tops)


def first_rows(height: Callable[[IntArray], Array], rows: int, wanted: Array) -> IntArray:
    """Find by bisection the row where an increasing column reaches each value.

    For a value in ``wanted`` that it does not reach, the result is ``rows``.
    """
    low, high = np.zeros(len(wanted), np.int64), np.full(len(wanted), rows)
    while (is_open := low < high).any():
        middle = (low + high) // 2
        is_reached = height(np.minimum(middle, rows - 1)) >= wanted
        high = np.where(is_open & is_reached, middle, high)
        low = np.where(is_open & ~is_reached, middle + 1, low)
    return low


def add_score_tables(tables: Sequence[ScoreTable]) -> ScoreTable:
    """Sum the counts of several tables at each distinct score."""
    scores = np.concatenate([table.scores for table in tables]) + 0.0  # -0.0 becomes 0.0
    falling, row = np.unique(-scores, return_inverse=True)

    def total(columns: list[Array]) -> Array:
        column = np.concatenate(columns)
        is_real = column.dtype.kind == "f"
        return np.bincount(row, column, len(falling)).astype(np.float64 if is_real else np.int64)

    squares = None
    if any(table.squares is not None for table in tables):
        pairs = [table.squares or (table.positives * 1.0, table.negatives * 1.0) for table in tables]
        squares = total([positives for positives, _ in pairs]), total([negatives for _, negatives in pairs])
    counts = total([table.positives for table in tables]), total([table.negatives for table in tables])
    joined = ScoreTable(0.0 - falling, *counts, squares)
    clusters = add_clusters([table._moved(joined._rows_of(table.scores), len(joined)) for table in tables])
    joined = replace(joined, clusters=clusters)
    if all(table.tops is None for table in tables):
        return joined
    tops = np.concatenate([table.scores if table.tops is None else table.tops for table in tables])
    return replace(joined, tops=joined._highest(scores, tops))._without_overlaps()
