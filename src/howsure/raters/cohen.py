"""Cohen's kappa of two raters, and its mean over all pairs of more (Light 1971)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.intervals.declare import Method, Request
from howsure.intervals.mover import Moved, Reach
from howsure.measures.agreement import kappa, weighted_kappa
from howsure.measures.estimate.labels import LabelBasis
from howsure.present.value_text import SPOKEN
from howsure.raters.coefficients import ONE_CATEGORY
from howsure.raters.estimate import LEAST_MIXED, AgreementBasis
from howsure.results import Interval
from howsure.tables import Clusters, Confusion
from howsure.tables.ratings import Ratings

COHEN = "cohen_kappa"
SPOKEN[COHEN] = "Cohen's kappa"
MOST_LOOKS = 200_000_000  # at profiles, over all pairs


@dataclass(frozen=True)
class CohenBasis(LabelBasis):
    """Kappa of the table of two raters: the items that both rated, by the category of each."""

    @property
    def reason(self) -> str | None:
        if not self.table.n:
            return "no item was rated by both"
        return ONE_CATEGORY if math.isnan(self.value) else None

    @property
    def lacking(self) -> str:
        counts = self.table.counts
        first = int((counts.sum(0) + counts.sum(1)).argmax())
        few = counts.sum() - counts[first, first] < LEAST_MIXED
        return "all ratings but those of a single item are of one category" if few else ""


def cohen_basis(ratings: Ratings, first: int, second: int, disagreement: Array | None) -> CohenBasis:
    """Give what the kappa of two raters rests on; ``disagreement`` weighs how far apart categories are."""
    measure = kappa if disagreement is None else weighted_kappa
    parameters: dict[str, Any] = {} if disagreement is None else {"weights": disagreement}
    return CohenBasis(measure, pair_table(ratings, first, second), None, parameters)


def pair_cells(ratings: Ratings, first: int, second: int) -> IntArray:
    """The cell of each profile in the table of two raters, by rows the first; -1 where one of them is missing."""
    one, other = ratings.grid[:, first], ratings.grid[:, second]
    return np.where((one >= 0) & (other >= 0), one.astype(np.int64) * ratings.k + other, -1)


def pair_table(ratings: Ratings, first: int, second: int) -> Confusion:
    """Count the items that both rated, by the category of each."""
    cells, k = pair_cells(ratings, first, second), ratings.k
    both = cells >= 0
    counts = np.bincount(cells[both], ratings.multiplicity[both], minlength=k * k).reshape(k, k)
    clusters = None
    if ratings.cluster is not None:
        rows = np.flatnonzero(both[ratings.of_item])
        key = ratings.cluster.take(rows)
        clusters = Clusters.of_rows(key.codes, key.values, cells[ratings.of_item[rows]], k * k)
        clusters = None if clusters.are_single else clusters
    return Confusion(counts.astype(np.int64), range(k), clusters=clusters)


@dataclass(frozen=True)
class MeanOfPairs(AgreementBasis):
    """The mean of Cohen's kappa over all pairs of raters that share items and have one.

    Few items of a pair make its kappa too small, and the mean with it. So the interval is that of Fleiss' kappa, which
    takes the raters' use of the categories together, widened to where that of all pairs together would lie, which takes
    each rater's own (Conger 1980).
    """

    ratings: Ratings | None = None

    @cached_property
    def by_pair(self) -> list[tuple[IntArray, Array, float]]:
        """Of each pair with a kappa: the cells of the profiles, what an item in each cell changes it by, and it."""
        pairs = []
        for cells, counts in zip(self._cells, self._tables, strict=True):
            value, slopes = _kappa(counts, 1 - self.agreement)
            if math.isfinite(value):
                pairs.append((cells, slopes.ravel(), value))
        return pairs

    @cached_property
    def _cells(self) -> list[IntArray]:
        """The cells of the profiles in the table of each pair that shares items."""
        assert self.ratings is not None
        pairs = combinations(range(len(self.ratings.raters)), 2)
        return [cells for one, other in pairs if ((cells := pair_cells(self.ratings, one, other)) >= 0).any()]

    @cached_property
    def _tables(self) -> list[Array]:
        assert self.ratings is not None
        many, k = self.items.multiplicity, self.ratings.k
        both = [cells >= 0 for cells in self._cells]
        return [
            np.bincount(cells[there], many[there], minlength=k * k).reshape(k, k)
            for cells, there in zip(self._cells, both, strict=True)
        ]

    @property
    def possible(self) -> bool:
        """There are few enough pairs to look at."""
        assert self.ratings is not None
        raters = len(self.ratings.raters)
        return raters * (raters - 1) / 2 * self.ratings.profiles <= MOST_LOOKS

    @cached_property
    def value(self) -> float:
        return float(np.mean([value for _, _, value in self.by_pair])) if self.by_pair else math.nan

    @property
    def reason(self) -> str | None:
        if not self.items.n_paired:
            return "no item was rated twice"
        return ONE_CATEGORY if math.isnan(self.value) else None

    @cached_property
    def _fleiss(self) -> AgreementBasis:
        return AgreementBasis(self.coefficient, self.items, self.agreement, self.grouping, self.effect)

    @cached_property
    def _of_all_pairs(self) -> float:
        """One kappa of all pairs: their mean disagreement over what chance gives on average."""
        parts = [_disagreements(counts, 1 - self.agreement) for counts in self._tables]
        observed, expected = np.mean(parts, axis=0)
        return float(1 - observed / expected)

    @property
    def cases(self) -> float:
        return self._fleiss.cases

    def moved(self, reach: Reach) -> Moved:
        return self._fleiss.moved(reach)

    def make(self, declared: Method, request: Request) -> Interval:
        interval = super().make(declared, request)
        return self._widened(interval, request) if declared.name == "mover" else interval

    def make_default(self, request: Request) -> Interval:
        return self._widened(super().make_default(request), request)

    def _widened(self, interval: Interval, request: Request) -> Interval:
        shift = self._of_all_pairs - self._fleiss.value
        if math.isnan(interval.low) or math.isnan(shift):
            return interval
        return request.close(interval.low + min(shift, 0), interval.high + max(shift, 0), interval.method, self.span)

    @cached_property
    def influence(self) -> Array:
        total = np.zeros(len(self.items.multiplicity))
        for cells, slopes, _ in self.by_pair:
            total += np.where(cells >= 0, slopes[cells], 0.0)
        return total / len(self.by_pair)

    def evaluate(self, multiplicity: Array) -> Array:
        from scipy.sparse import csr_array

        assert self.ratings is not None
        k, total = self.ratings.k, np.zeros(multiplicity.shape[:-1])
        defined = np.zeros(multiplicity.shape[:-1])
        for cells, _, _ in self.by_pair:
            both = np.flatnonzero(cells >= 0)
            chosen = csr_array((np.ones(len(both)), (both, cells[both])), (len(cells), k * k))
            values = _kappas((multiplicity @ chosen).reshape(*multiplicity.shape[:-1], k, k), 1 - self.agreement)
            there = np.isfinite(values)
            total += np.where(there, values, 0.0)
            defined += there
        with np.errstate(invalid="ignore"):
            return np.asarray(total / defined)


def _disagreements(counts: Array, disagreement: Array) -> tuple[Array, Array]:
    """The mean disagreement of two raters, observed and by chance, of any batch of tables."""
    n = counts.sum((-1, -2))
    with np.errstate(all="ignore"):
        observed = (counts * disagreement).sum((-1, -2)) / n
        expected = np.einsum("...i,ij,...j->...", counts.sum(-1), disagreement, counts.sum(-2)) / n**2
    return observed, expected


def _kappas(counts: Array, disagreement: Array) -> Array:
    """Kappa of any batch of tables; NaN where chance makes no disagreement."""
    observed, expected = _disagreements(counts, disagreement)
    with np.errstate(all="ignore"):
        return np.asarray(np.where(expected > 0, 1 - observed / expected, np.nan))


def _kappa(counts: Array, disagreement: Array) -> tuple[float, Array]:
    """Kappa of one table, and what an item in each cell changes it by."""
    value, n = float(_kappas(counts, disagreement)), counts.sum()
    if math.isnan(value):
        return value, np.zeros(counts.shape)
    observed, expected = map(float, _disagreements(counts, disagreement))
    rows, columns = counts.sum(1) / n, counts.sum(0) / n
    by_margin = (disagreement @ columns)[:, None] + rows @ disagreement - 2 * expected
    return value, -((disagreement - observed) / expected - observed * by_margin / expected**2) / n
