"""Estimates of agreement, with standard errors and intervals.

The items are the sample. The standard error comes from the influence of each item on the coefficient, a linearisation
that treats the chance agreement as estimated too (Gwet 2008; Gwet 2014).

For the default interval (`mover`), the observations are summarised in a symmetric table of rating pairs: one rating of
an item in the rows, another in the columns. An item with two ratings counts as one pair. With more ratings, its pairs
are correlated, and it counts as the number of independent pairs that have the same variance over items, shrunk towards
one if few items are used to estimate it. The interval then varies the counts of this table between their confidence
limits, as for other measures of a table. `docs/decisions/2026-11-18-raters.md` reports the coverage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from howsure.arrays import Array
from howsure.intervals.bootstrap import MAX_NUMBERS, acceleration
from howsure.intervals.clustered import ClusterAware, ClusterSpread
from howsure.intervals.declare import NoBasis, Request, Span
from howsure.intervals.mover import Moved, Reach
from howsure.intervals.proportion import wilson_interval
from howsure.measures.estimate.by_cluster import by_cluster
from howsure.measures.estimate.labels import MAX_CLASSES, SHARE
from howsure.measures.estimate.moved import moved_tables, smoothed_errors
from howsure.raters.coefficients import Coefficient
from howsure.results import Estimate, Interval
from howsure.tables import Clusters, Confusion

MIN_PAIRED = 2  # minimum number of items with two ratings for an interval
MIN_MIXED = 2  # minimum number of items with a rating outside the most frequent category for an interval
PRIOR_ITEMS = 2.0  # weight, in items, of the prior that an item is one independent pair
TINY = 1e-12


@dataclass(frozen=True, eq=False)
class RatedItems:
    """Counts of the categories by profile, and numbers of items."""

    counts: Array
    multiplicity: Array

    @cached_property
    def size(self) -> Array:
        """Number of ratings of an item."""
        return np.asarray(self.counts.sum(1))

    @cached_property
    def paired(self) -> Array:
        """Whether an item has two or more ratings."""
        return self.size >= 2

    @property
    def n(self) -> int:
        return int(self.multiplicity[self.size > 0].sum())

    @property
    def n_paired(self) -> int:
        return int(self.multiplicity[self.paired].sum())

    @cached_property
    def used(self) -> Array:
        """Number of items for which each category was used."""
        return np.asarray(self.multiplicity @ (self.counts > 0))

    @property
    def mixed(self) -> int:
        """Number of items with a rating outside the most frequent category."""
        first = int((self.multiplicity @ self.counts).argmax())
        return int(self.multiplicity[self.counts[:, first] < self.size].sum())

    def observed(self, agreement: Array) -> Array:
        """Mean agreement of the pairs of ratings of each item.

        With r_k the counts of the categories and r their sum, Σ r_k (Σ_l w_kl r_l - w_kk) / (r (r - 1)).
        """
        within = ((self.counts @ agreement) * self.counts).sum(1) - self.counts @ agreement.diagonal()
        pairs = self.size * (self.size - 1)
        return np.asarray(np.divide(within, pairs, out=np.zeros(len(pairs)), where=self.paired))

    def against(self, category: int) -> RatedItems:
        """Return the items with all categories but this one merged."""
        own = self.counts[:, category]
        return RatedItems(np.stack([self.size - own, own], axis=1), self.multiplicity)


@dataclass(frozen=True)
class AgreementBasis(ClusterAware):
    """A coefficient of agreement; ``effect`` is the design effect."""

    coefficient: Coefficient
    items: RatedItems
    agreement: Array
    grouping: Clusters | None = None
    effect: float = 1.0

    @property
    def offers(self) -> frozenset[str]:
        counts = {"counts"} if self.items.counts.shape[1] <= MAX_CLASSES else set()
        ratio = {"ratio"} if self.coefficient.name == "percent_agreement" else set()
        return frozenset({"error", "replicates", "acceleration", *counts, *ratio})

    @property
    def default(self) -> str:
        if "ratio" in self.offers:
            return SHARE
        return "mover" if "counts" in self.offers else "delta-scaled"

    @property
    def span(self) -> Span:
        """Range of the coefficient; with few items, values can lie below it."""
        low, high = self.coefficient.range
        return (self.value if self.value < low else low), high

    @cached_property
    def weight(self) -> Array:
        """Weight of the pairs of an item, 1 on average.

        It is equal for all items, or proportional to the number of ratings.
        """
        paired = self.items.paired
        size = self.items.size if self.coefficient.by_rating else np.ones(len(paired))
        total = self.items.multiplicity @ (paired * size)
        return np.asarray(paired * size * (self.items.n_paired / total if total else 0.0))

    @cached_property
    def margins(self) -> Array:
        """Contribution of each item to the use of the categories (columns)."""
        size = np.maximum(self.items.size, 1)
        shares = self.items.counts / size[:, None]
        return shares * self.weight[:, None] if self.coefficient.by_rating else shares

    @cached_property
    def observed(self) -> Array:
        return self.items.observed(self.agreement)

    @cached_property
    def _small_sample(self) -> float:
        """Factor (N - 1) / N of alpha for N ratings, 1 otherwise."""
        ratings = float(self.items.multiplicity @ (self.items.size * self.items.paired))
        return (ratings - 1) / ratings if self.coefficient.by_rating and ratings else 1.0

    def _value(self, observed: Array, use: Array) -> Array:
        """Return the coefficient from observed agreement and category use."""
        with np.errstate(all="ignore"):
            expected, _ = self.coefficient.chance(use / use.sum(-1, keepdims=True), self.agreement)
            rest = np.where(1 - expected < TINY, np.nan, 1 - expected)
            return np.asarray(1 - self._small_sample * (1 - observed) / rest)

    def evaluate(self, multiplicity: Array) -> Array:
        """Return the coefficient for given numbers of items with each profile."""
        with np.errstate(all="ignore"):
            observed = multiplicity @ (self.weight * self.observed) / (multiplicity @ self.weight)
        return self._value(observed, multiplicity @ self.margins)

    @cached_property
    def value(self) -> float:
        return float(self.evaluate(self.items.multiplicity)) if self.items.n_paired else math.nan

    @property
    def reason(self) -> str | None:
        if not self.items.n_paired:
            return "no item has two ratings"
        return self.coefficient.undefined_when if math.isnan(self.value) else None

    @property
    def lacking(self) -> str:
        if self.items.n_paired < MIN_PAIRED:
            return "only one item has two ratings"
        if self.coefficient.depends_on_use and self.items.mixed < MIN_MIXED:
            return "all ratings but those of a single item are of one category"
        return ""

    @cached_property
    def _slopes(self) -> tuple[float, Array]:
        """Derivatives with respect to observed agreement and category use."""
        return self._slopes_at(self.value, self.items.multiplicity @ self.margins)

    def _slopes_at(self, value: float, use: Array) -> tuple[float, Array]:
        # With c = 1 - f (1 - o) / (1 - e): dc/do = f / (1 - e), and dc/de = -(1 - c) / (1 - e).
        shares = use / use.sum()
        expected, by_share = self.coefficient.chance(shares, self.agreement)
        rest = 1 - float(expected)
        by_use = -(1 - value) / rest * (by_share - (by_share * shares).sum()) / use.sum()
        return self._small_sample / rest, np.asarray(by_use)

    @cached_property
    def influence(self) -> Array:
        """Influence of an item of each profile on the coefficient."""
        by_agreement, by_use = self._slopes
        mean = float(self.items.multiplicity @ (self.weight * self.observed)) / self.items.n_paired
        own = self.weight * (self.observed - mean) / self.items.n_paired
        return np.asarray(by_agreement * own + self.margins @ by_use)

    @cached_property
    def _variance(self) -> float:
        n = self.items.n_paired if self.coefficient.by_rating else self.items.n
        return float(self.items.multiplicity @ self.influence**2) * n / max(n - 1, 1)

    @property
    def standard_error(self) -> float:
        return math.nan if math.isnan(self.value) else math.sqrt(self._variance)

    @cached_property
    def pairs(self) -> Array:
        """Table of rating pairs, with a total weight of one pair for each item."""
        items = self.items
        each = items.multiplicity * self.weight / np.maximum(items.size * (items.size - 1), 1)
        table = items.counts.T @ (each[:, None] * items.counts)
        table[np.diag_indices_from(table)] -= each @ items.counts
        return np.asarray(np.maximum(table, 0.0))

    @cached_property
    def _pairs_per_item(self) -> float:
        """Number of independent pairs with the same information as an item.

        It is the variance that the coefficient would have with independent pairs, divided by its variance over items.
        An excess over 1 is shrunk by m / (m + PRIOR_ITEMS) on the log scale, where m is the effective number of items
        that determine the variance, (Σ influence²)² / Σ influence⁴.
        """
        by_agreement, by_use = self._slopes
        own = by_agreement * (self.agreement - (self.pairs * self.agreement).sum() / self.items.n_paired)
        of_pair = own / self.items.n_paired + (by_use[:, None] + by_use) / 2
        single = float((self.pairs * of_pair**2).sum())
        squares = self.influence**2
        over_items = float(self.items.multiplicity @ squares)
        if not (single > TINY**2 and over_items > TINY**2):
            return 1.0
        ratio = single / over_items
        informative = over_items**2 / float(self.items.multiplicity @ squares**2)
        return ratio ** (informative / (informative + PRIOR_ITEMS)) if ratio > 1 else ratio

    @property
    def cases(self) -> float:
        """Effective number of independent pairs."""
        return self.items.n_paired * self._pairs_per_item / self.effect

    @property
    def ratio(self) -> tuple[float, float]:
        return min(self.value * self.cases, self.cases), self.cases

    def moved(self, reach: Reach) -> Moved:
        scale = self._pairs_per_item / self.effect
        table = Confusion(self.pairs * scale)
        alone = (self.items.multiplicity @ self.margins - self.pairs.sum(0)) * scale  # from items with one rating
        groups = _groups(table.k)
        centre = self._of_pairs(table.counts, alone)
        ends = self._of_pairs(moved_tables(table, table.counts, groups, reach), alone)
        shift = self.value - float(centre)
        return Moved(np.asarray(self.value), ends + shift, np.asarray(self._of_pattern(table, alone, reach.z)))

    def _of_pairs(self, tables: Array, alone: Array) -> Array:
        observed = (tables * self.agreement).sum((-1, -2)) / tables.sum((-1, -2))
        return self._value(observed, tables.sum(-1) + alone)

    def _of_pattern(self, table: Confusion, alone: Array, z: float) -> float:
        """z² times the variance due to the distribution of disagreements over the cells."""
        errors = ~np.eye(table.k, dtype=bool)
        weight = smoothed_errors(table, errors[None], z)
        use = weight.sum(0) + alone
        value = float(self._of_pairs(weight, alone))
        if math.isnan(value):
            return 0.0
        by_agreement, by_use = self._slopes_at(value, use)
        slopes = by_agreement * self.agreement / weight.sum() + (by_use[:, None] + by_use) / 2
        mean = np.average(slopes[errors], weights=weight[errors]) if table.k > 1 else 0.0
        return z * z * float((weight * (slopes - mean) ** 2)[errors].sum())

    def without_spread(self, request: Request) -> Interval:
        if "ratio" in self.offers:
            return wilson_interval(*self.ratio, request)
        return request.close(*self.span, "none", self.span, ("the data do not restrict the range of this coefficient",))

    @cached_property
    def cluster_spread(self) -> ClusterSpread:
        assert self.grouping is not None
        independent = float(self.items.multiplicity @ self.influence**2)
        rated = self.grouping.sums(self.items.size > 0)
        return ClusterSpread(self.grouping.sums(self.influence), independent, rated, float(self.items.n))

    def deflate(self, design_effect: float) -> AgreementBasis:
        """Return the basis with this design effect."""
        return replace(self, effect=design_effect)

    def cluster_replicates(self, size: int, seed: int) -> Array:
        assert self.grouping is not None
        drawn = self.grouping.resampled(np.random.default_rng(seed), size)
        return np.concatenate([self.evaluate(multiplicity) for multiplicity in drawn])

    def replicates(self, size: int, seed: int, *, stratified: bool = False) -> Array:
        """Evaluate the coefficient on bootstrap samples of the items."""
        rng, multiplicity = np.random.default_rng(seed), self.items.multiplicity
        n, block = int(multiplicity.sum()), max(1, MAX_NUMBERS // len(multiplicity))
        sizes = [min(block, size - start) for start in range(0, size, block)]
        return np.concatenate([self.evaluate(rng.multinomial(n, multiplicity / n, count)) for count in sizes])

    def acceleration(self) -> float:
        return acceleration(self.influence, self.items.multiplicity)


def _groups(k: int) -> Array:
    """Return the groups of cells that vary as one count.

    Each diagonal cell is a group of its own; all other cells form one group.
    """
    cells = np.eye(k * k, dtype=bool).reshape(-1, k, k)[:: k + 1]
    return np.concatenate([cells, ~np.eye(k, dtype=bool)[None]]) if k > 1 else cells


def estimate_of(name: str, plain: ClusterAware, clusters: Clusters | None, n: int) -> Estimate:
    """Return the estimate for a basis, allowing for clusters of items."""
    if plain.reason is not None:
        return Estimate(name, math.nan, n, plain.reason, basis=NoBasis(plain.reason))
    return Estimate(name, plain.value, n, basis=by_cluster(plain, clusters))
