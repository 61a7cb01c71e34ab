"""From ratings to an `Estimate` of agreement: the value, its error over items, and every interval it can have.

Items are the sample, and each is worth one pair of its ratings, or more where it has more than two: as many as the
variance over items tells, drawn towards one where few items tell it. So the table of pairs, a row for one rating and
a column for the other, has as many cases as the items are worth, and the interval moves each of its counts to the
bounds where it may lie (`mover`), as for any other measure of a table. `docs/decisions/2026-11-18-raters.md` has the
coverage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from howsure.arrays import Array
from howsure.intervals.bootstrap import MOST_NUMBERS, acceleration
from howsure.intervals.clustered import ClusterAware, ClusterSpread
from howsure.intervals.declare import NoBasis, Request, Span
from howsure.intervals.mover import Moved, Reach
from howsure.intervals.proportion import wilson_interval
from howsure.measures.estimate.by_cluster import by_cluster
from howsure.measures.estimate.labels import MOST_CLASSES, SHARE
from howsure.measures.estimate.moved import moved_tables, smoothed_errors
from howsure.raters.coefficients import Coefficient
from howsure.results import Estimate, Interval
from howsure.tables import Clusters, Confusion

LEAST_PAIRED = 2  # items with two ratings, from which on their differences tell anything
LEAST_MIXED = 2  # items with a rating outside the most frequent category, from which on chance is known at all
UNSURE = 2.0  # items' worth is drawn towards one pair by so many more of them
TINY = 1e-12


@dataclass(frozen=True, eq=False)
class RatedItems:
    """Items by profile: how often each category was chosen (``counts``), and how many items there are so."""

    counts: Array
    multiplicity: Array

    @cached_property
    def size(self) -> Array:
        """The ratings of an item."""
        return np.asarray(self.counts.sum(1))

    @cached_property
    def paired(self) -> Array:
        """Which items have two ratings, and so agree or disagree."""
        return self.size >= 2

    @property
    def n(self) -> int:
        return int(self.multiplicity[self.size > 0].sum())

    @property
    def n_paired(self) -> int:
        return int(self.multiplicity[self.paired].sum())

    @cached_property
    def used(self) -> Array:
        """In how many items each category occurs."""
        return np.asarray(self.multiplicity @ (self.counts > 0))

    @property
    def mixed(self) -> int:
        """How many items have a rating that is not of the most frequent category."""
        first = int((self.multiplicity @ self.counts).argmax())
        return int(self.multiplicity[self.counts[:, first] < self.size].sum())

    def observed(self, agreement: Array) -> Array:
        """The mean agreement of two ratings of an item."""
        within = ((self.counts @ agreement) * self.counts).sum(1) - self.counts @ agreement.diagonal()
        pairs = self.size * (self.size - 1)
        agree = np.divide(within, pairs, out=np.zeros(len(pairs)), where=self.paired)
        return np.asarray(agree)

    def against(self, category: int) -> RatedItems:
        """Give the same items with two categories: all others, and this one."""
        chosen = self.counts[:, category]
        return RatedItems(np.stack([self.size - chosen, chosen], axis=1), self.multiplicity)


@dataclass(frozen=True)
class AgreementBasis(ClusterAware):
    """A coefficient of agreement. ``effect`` is how many times fewer independent items these are worth."""

    coefficient: Coefficient
    items: RatedItems
    agreement: Array
    grouping: Clusters | None = None
    effect: float = 1.0

    @property
    def offers(self) -> frozenset[str]:
        counts = {"counts"} if self.items.counts.shape[1] <= MOST_CLASSES else set()
        ratio = {"ratio"} if self.coefficient.name == "percent_agreement" else set()
        return frozenset({"error", "replicates", "acceleration", *counts, *ratio})

    @property
    def default(self) -> str:
        if "ratio" in self.offers:
            return SHARE
        return "mover" if "counts" in self.offers else "delta-scaled"

    @property
    def span(self) -> Span:
        """The range; weights, and items with one rating, let few items fall below it."""
        low, high = self.coefficient.range
        return (self.value if self.value < low else low), high

    @cached_property
    def weight(self) -> Array:
        """What the pairs of an item count: all items alike, or all ratings; one on average."""
        paired = self.items.paired
        size = self.items.size if self.coefficient.by_rating else np.ones(len(paired))
        total = self.items.multiplicity @ (paired * size)
        return np.asarray(paired * size * (self.items.n_paired / total if total else 0.0))

    @cached_property
    def margins(self) -> Array:
        """What each item adds to the use of the categories, a column for each."""
        size = np.maximum(self.items.size, 1)
        shares = self.items.counts / size[:, None]
        return shares * self.weight[:, None] if self.coefficient.by_rating else shares

    @cached_property
    def observed(self) -> Array:
        return self.items.observed(self.agreement)

    @cached_property
    def _few(self) -> float:
        """What alpha multiplies disagreement by: a rating is not compared with itself."""
        ratings = float(self.items.multiplicity @ (self.items.size * self.items.paired))
        return (ratings - 1) / ratings if self.coefficient.by_rating and ratings else 1.0

    def _value(self, observed: Array, use: Array) -> Array:
        """Compare the agreement observed with that expected, for any batch of both."""
        with np.errstate(all="ignore"):
            expected, _ = self.coefficient.chance(use / use.sum(-1, keepdims=True), self.agreement)
            return np.asarray(1 - self._few * (1 - observed) / np.where(1 - expected < TINY, np.nan, 1 - expected))

    def evaluate(self, multiplicity: Array) -> Array:
        """Compute the coefficient with so many items of each profile, for any batch of such numbers."""
        with np.errstate(all="ignore"):
            observed = multiplicity @ (self.weight * self.observed) / (multiplicity @ self.weight)
        return self._value(observed, multiplicity @ self.margins)

    @cached_property
    def value(self) -> float:
        return float(self.evaluate(self.items.multiplicity)) if self.items.n_paired else math.nan

    @property
    def reason(self) -> str | None:
        if not self.items.n_paired:
            return "no item was rated twice"
        return self.coefficient.undefined_when if math.isnan(self.value) else None

    @property
    def lacking(self) -> str:
        if self.items.n_paired < LEAST_PAIRED:
            return "only one item was rated twice"
        if self.coefficient.depends_on_use and self.items.mixed < LEAST_MIXED:
            return "all ratings but those of a single item are of one category"
        return ""

    @cached_property
    def _slopes(self) -> tuple[float, Array]:
        """Derivatives of the value: by the agreement observed, and by what is added to the use of each category."""
        return self._slopes_at(self.value, self.items.multiplicity @ self.margins)

    def _slopes_at(self, value: float, use: Array) -> tuple[float, Array]:
        shares = use / use.sum()
        expected, by_share = self.coefficient.chance(shares, self.agreement)
        rest = 1 - float(expected)
        by_use = -(1 - value) / rest * (by_share - (by_share * shares).sum()) / use.sum()
        return self._few / rest, np.asarray(by_use)

    @cached_property
    def influence(self) -> Array:
        """What one item of each profile changes the value by."""
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
        """The table of pairs, an item counting once: one rating of an item by rows, another by columns."""
        items = self.items
        each = items.multiplicity * self.weight / np.maximum(items.size * (items.size - 1), 1)
        table = items.counts.T @ (each[:, None] * items.counts)
        table[np.diag_indices_from(table)] -= each @ items.counts
        return np.asarray(np.maximum(table, 0.0))

    @cached_property
    def _worth(self) -> float:
        """How many times more pairs the items are worth than one each."""
        by_agreement, by_use = self._slopes
        own = by_agreement * (self.agreement - (self.pairs * self.agreement).sum() / self.items.n_paired)
        of_pair = own / self.items.n_paired + (by_use[:, None] + by_use) / 2
        single = float((self.pairs * of_pair**2).sum())
        squares = self.influence**2
        over_items = float(self.items.multiplicity @ squares)  # so that two ratings of an item are worth one pair
        if not (single > TINY**2 and over_items > TINY**2):
            return 1.0
        more = single / over_items
        informative = over_items**2 / float(self.items.multiplicity @ squares**2)
        return more ** (informative / (informative + UNSURE)) if more > 1 else more

    @property
    def cases(self) -> float:
        """How many pairs the items are worth."""
        return self.items.n_paired * self._worth / self.effect

    @property
    def ratio(self) -> tuple[float, float]:
        return min(self.value * self.cases, self.cases), self.cases

    def moved(self, reach: Reach) -> Moved:
        scale = self._worth / self.effect
        table = Confusion(self.pairs * scale)
        alone = (self.items.multiplicity @ self.margins - self.pairs.sum(0)) * scale  # of items with one rating
        groups = _groups(table.k)
        centre = self._of_pairs(table.counts, alone)
        ends = self._of_pairs(moved_tables(table, table.counts, groups, reach), alone)
        shift = self.value - float(centre)
        return Moved(np.asarray(self.value), ends + shift, np.asarray(self._of_pattern(table, alone, reach.z)))

    def _of_pairs(self, tables: Array, alone: Array) -> Array:
        observed = (tables * self.agreement).sum((-1, -2)) / tables.sum((-1, -2))
        return self._value(observed, tables.sum(-1) + alone)

    def _of_pattern(self, table: Confusion, alone: Array, z: float) -> float:
        """Variance from where the disagreements lie, which are moved together, times the square of z."""
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
        return request.close(*self.span, "none", self.span, ("nothing narrows the range of this coefficient here",))

    @cached_property
    def cluster_spread(self) -> ClusterSpread:
        assert self.grouping is not None
        independent = float(self.items.multiplicity @ self.influence**2)
        rated = self.grouping.sums(self.items.size > 0)
        return ClusterSpread(self.grouping.sums(self.influence), independent, rated, float(self.items.n))

    def deflate(self, design_effect: float) -> AgreementBasis:
        """Give the same of so many times fewer independent items."""
        return replace(self, effect=design_effect)

    def cluster_replicates(self, size: int, seed: int) -> Array:
        assert self.grouping is not None
        drawn = self.grouping.resampled(np.random.default_rng(seed), size)
        return np.concatenate([self.evaluate(multiplicity) for multiplicity in drawn])

    def replicates(self, size: int, seed: int, *, stratified: bool = False) -> Array:
        """Draw items again: how many there are of each profile is one multinomial draw."""
        rng, many = np.random.default_rng(seed), self.items.multiplicity
        n, block = int(many.sum()), max(1, MOST_NUMBERS // len(many))
        sizes = [min(block, size - start) for start in range(0, size, block)]
        return np.concatenate([self.evaluate(rng.multinomial(n, many / n, one)) for one in sizes])

    def acceleration(self) -> float:
        return acceleration(self.influence, self.items.multiplicity)


def _groups(k: int) -> Array:
    """Give the cells of a table of pairs that are moved together: each category's agreements, and all else."""
    cells = np.eye(k * k, dtype=bool).reshape(-1, k, k)[:: k + 1]
    return np.concatenate([cells, ~np.eye(k, dtype=bool)[None]]) if k > 1 else cells


def estimate_of(name: str, plain: ClusterAware, clusters: Clusters | None, n: int) -> Estimate:
    """Make the estimate of a basis, which allows for clusters of items where there are some."""
    if plain.reason is not None:
        return Estimate(name, math.nan, n, plain.reason, basis=NoBasis(plain.reason))
    return Estimate(name, plain.value, n, basis=by_cluster(plain, clusters))
