"""Cohen's kappa of two raters, and its mean over pairs (Light 1971)."""

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
from howsure.raters.estimate import MIN_MIXED, AgreementBasis
from howsure.results import Interval
from howsure.tables import Clusters, Confusion
from howsure.tables.ratings import Ratings

COHEN = "cohen_kappa"
SPOKEN[COHEN] = "Cohen's kappa"
MAX_PROFILES = 200_000_000  # maximum number of profiles, summed over all pairs of raters


@dataclass(frozen=True)
class CohenBasis(LabelBasis):
    """Kappa of two raters on the items that both rated."""

    @property
    def reason(self) -> str | None:
        if not self.table.n:
            return "no item was rated by both"
        return ONE_CATEGORY if math.isnan(self.value) else None

    @property
    def lacking(self) -> str:
        counts = self.table.counts
        first = int((counts.sum(0) + counts.sum(1)).argmax())
        few = counts.sum() - counts[first, first] < MIN_MIXED
        return "all ratings but those of a single item are of one category" if few else ""


def cohen_basis(ratings: Ratings, first: int, second: int, disagreement: Array | None) -> CohenBasis:
    """Return the basis of the kappa of two raters, weighted or not."""
    measure = kappa if disagreement is None else weighted_kappa
    parameters: dict[str, Any] = {} if disagreement is None else {"weights": disagreement}
    return CohenBasis(measure, pair_table(ratings, first, second), None, parameters)


def pair_cells(ratings: Ratings, first: int, second: int) -> IntArray:
    """Return the cell of each profile in the table of two raters, or -1."""
    row, column = ratings.grid[:, first], ratings.grid[:, second]
    return np.where((row >= 0) & (column >= 0), row.astype(np.int64) * ratings.k + column, -1)


def pair_table(ratings: Ratings, first: int, second: int) -> Confusion:
    """Return the confusion matrix of two raters on the items that both rated."""
    cells, k = pair_cells(ratings, first, second), ratings.k
    is_rated = cells >= 0
    counts = np.bincount(cells[is_rated], ratings.multiplicity[is_rated], minlength=k * k).reshape(k, k)
    clusters = None
    if ratings.cluster is not None:
        rows = np.flatnonzero(is_rated[ratings.of_item])
        key = ratings.cluster.take(rows)
        clusters = Clusters.of_rows(key.codes, key.values, cells[ratings.of_item[rows]], k * k)
        clusters = None if clusters.are_independent else clusters
    return Confusion(counts.astype(np.int64), range(k), clusters=clusters)


@dataclass(frozen=True)
class MeanOfPairs(AgreementBasis):
    """Mean of Cohen's kappa over pairs of raters.

    Only pairs with common items and a defined kappa are included.

    Kappa is biased downwards for few items, and so is the mean over pairs. The interval is therefore that of Fleiss'
    kappa, which pools the shares of the categories, extended by the difference between Fleiss' kappa and the kappa of
    all pairs together, which uses the shares of each rater (Conger 1980).
    """

    ratings: Ratings | None = None

    @cached_property
    def by_pair(self) -> list[tuple[IntArray, Array, float]]:
        """Cells of the profiles, influences and kappa of each pair."""
        pairs = []
        for cells, counts in zip(self._cells, self._tables, strict=True):
            value, slopes = _kappa(counts, 1 - self.agreement)
            if math.isfinite(value):
                pairs.append((cells, slopes.ravel(), value))
        return pairs

    @cached_property
    def _cells(self) -> list[IntArray]:
        """Cells of the profiles in the table of each pair with common items."""
        assert self.ratings is not None
        pairs = combinations(range(len(self.ratings.raters)), 2)
        return [cells for a, b in pairs if ((cells := pair_cells(self.ratings, a, b)) >= 0).any()]

    @cached_property
    def _tables(self) -> list[Array]:
        assert self.ratings is not None
        multiplicity, k = self.items.multiplicity, self.ratings.k
        return [
            np.bincount(cells[cells >= 0], multiplicity[cells >= 0], minlength=k * k).reshape(k, k)
            for cells in self._cells
        ]

    @property
    def possible(self) -> bool:
        """Whether there are few enough pairs of raters."""
        assert self.ratings is not None
        raters = len(self.ratings.raters)
        return raters * (raters - 1) / 2 * self.ratings.profiles <= MAX_PROFILES

    @cached_property
    def value(self) -> float:
        return float(np.mean([value for _, _, value in self.by_pair])) if self.by_pair else math.nan

    @property
    def reason(self) -> str | None:
        if not self.items.n_paired:
            return "no item has two ratings"
        return ONE_CATEGORY if math.isnan(self.value) else None

    @cached_property
    def _fleiss(self) -> AgreementBasis:
        return AgreementBasis(self.coefficient, self.items, self.agreement, self.grouping, self.effect)

    @cached_property
    def _conger(self) -> float:
        """Conger's kappa, from the mean disagreements of all pairs."""
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
        shift = self._conger - self._fleiss.value
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
            rows = np.flatnonzero(cells >= 0)
            cell_of = csr_array((np.ones(len(rows)), (rows, cells[rows])), (len(cells), k * k))
            values = _kappas((multiplicity @ cell_of).reshape(*multiplicity.shape[:-1], k, k), 1 - self.agreement)
            is_defined = np.isfinite(values)
            total += np.where(is_defined, values, 0.0)
            defined += is_defined
        with np.errstate(invalid="ignore"):
            return np.asarray(total / defined)


def _disagreements(counts: Array, disagreement: Array) -> tuple[Array, Array]:
    """Return the observed and expected disagreement of tables."""
    n = counts.sum((-1, -2))
    with np.errstate(all="ignore"):
        observed = (counts * disagreement).sum((-1, -2)) / n
        expected = np.einsum("...i,ij,...j->...", counts.sum(-1), disagreement, counts.sum(-2)) / n**2
    return observed, expected


def _kappas(counts: Array, disagreement: Array) -> Array:
    """Return the kappas of tables, NaN if the expected disagreement is 0."""
    observed, expected = _disagreements(counts, disagreement)
    with np.errstate(all="ignore"):
        return np.asarray(np.where(expected > 0, 1 - observed / expected, np.nan))


def _kappa(counts: Array, disagreement: Array) -> tuple[float, Array]:
    """Return kappa = 1 - D_o / D_e and its derivatives with respect to the counts."""
    value, n = float(_kappas(counts, disagreement)), counts.sum()
    if math.isnan(value):
        return value, np.zeros(counts.shape)
    observed, expected = map(float, _disagreements(counts, disagreement))
    rows, columns = counts.sum(1) / n, counts.sum(0) / n
    by_margin = (disagreement @ columns)[:, None] + rows @ disagreement - 2 * expected
    return value, -((disagreement - observed) / expected - observed * by_margin / expected**2) / n
