"""Cohen's kappa of two raters, and its mean over all pairs of more (Light 1971)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from assay.arrays import Array, IntArray
from assay.measures import registry as measures
from assay.measures.estimate.labels import LabelBasis
from assay.raters.coefficients import ONE_CATEGORY
from assay.raters.estimate import LEAST_MIXED, AgreementBasis
from assay.tables import Clusters, Confusion
from assay.tables.ratings import Ratings

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
    measure = measures["kappa" if disagreement is None else "weighted_kappa"]
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

    Its interval reaches as far as that of Fleiss' kappa does with items that are worth as much as its own error tells:
    both differ in whose use of the categories makes chance, and hardly in anything else.
    """

    ratings: Ratings | None = None

    @cached_property
    def by_pair(self) -> list[tuple[IntArray, Array, float]]:
        """Of each pair with a kappa: the cells of the profiles, what an item in each cell changes it by, and it."""
        assert self.ratings is not None
        many, k = self.items.multiplicity, self.ratings.k
        pairs = []
        for one, other in combinations(range(len(self.ratings.raters)), 2):
            cells = pair_cells(self.ratings, one, other)
            both = cells >= 0
            counts = np.bincount(cells[both], many[both], minlength=k * k).reshape(k, k)
            value, slopes = _kappa(counts, 1 - self.agreement)
            if math.isfinite(value):
                pairs.append((cells, slopes.ravel(), value))
        return pairs

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


def _kappas(counts: Array, disagreement: Array) -> Array:
    """Kappa of any batch of tables; NaN where chance makes no disagreement."""
    n = counts.sum((-1, -2))
    expected = np.einsum("...i,ij,...j->...", counts.sum(-1), disagreement, counts.sum(-2))
    with np.errstate(all="ignore"):
        return np.asarray(np.where(expected > 0, 1 - n * (counts * disagreement).sum((-1, -2)) / expected, np.nan))


def _kappa(counts: Array, disagreement: Array) -> tuple[float, Array]:
    """Kappa of one table, and what an item in each cell changes it by."""
    value, n = float(_kappas(counts, disagreement)), counts.sum()
    if math.isnan(value):
        return value, np.zeros(counts.shape)
    observed = (counts * disagreement).sum() / n
    rows, columns = counts.sum(1) / n, counts.sum(0) / n
    expected = float(rows @ disagreement @ columns)
    by_margin = (disagreement @ columns)[:, None] + rows @ disagreement - 2 * expected
    return value, -((disagreement - observed) / expected - observed * by_margin / expected**2) / n
