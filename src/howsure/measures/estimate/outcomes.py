"""Estimates of measures of outcomes.

They are means over cases of values between 0 and 1. If all values are 0 or 1, the mean m is a proportion. Otherwise its
variance v / n is smaller, so the interval is that for a proportion of n m (1 - m) / v cases. With few cases
v is uncertain, and the factor m (1 - m) / v is shrunk towards 1. The intervals stay in [0, 1] and have a nonzero width.
The coverage is in docs/decisions/2026-11-18-clusters.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.errors import HowsureError, counted, must
from howsure.intervals.bootstrap import MAX_NUMBERS, acceleration
from howsure.intervals.clustered import ClusterAware, ClusterSpread
from howsure.intervals.declare import NoBasis, Request, Span
from howsure.intervals.proportion import wilson_interval
from howsure.measures.estimate.by_cluster import by_cluster
from howsure.measures.estimate.difference import Difference, Values
from howsure.measures.estimate.paired_error import PairedError, with_more
from howsure.measures.outcomes import OutcomeMeasure, registry
from howsure.results import Estimate, Interval
from howsure.tables import Clusters
from howsure.tables.outcomes import Outcomes

UNIT: Span = (0.0, 1.0)


@dataclass(frozen=True)
class MeanBasis(ClusterAware):
    """A mean of values from 0 to 1, one for each case.

    ``effect`` is the design effect, and ``informative`` the effective number of cases or clusters for the variance.
    """

    by_case: Array
    grouping: Clusters | None = None
    effect: float = 1.0
    informative: float | None = None

    default = "modified-wilson"
    span = UNIT
    offers = frozenset({"ratio", "error", "replicates", "acceleration"})

    @cached_property
    def value(self) -> float:
        return float(self.by_case.mean())

    @property
    def influence(self) -> Array:
        return np.asarray((self.by_case - self.value) / len(self.by_case))

    @property
    def is_share(self) -> bool:
        return bool(((self.by_case == 0) | (self.by_case == 1)).all())

    @cached_property
    def standard_error(self) -> float:
        return math.sqrt(float((self.influence**2).sum()))

    @property
    def ratio(self) -> tuple[float, float]:
        """The mean, as successes out of the effective number of cases."""
        n, mean = float(len(self.by_case)), self.value
        variance = self.standard_error**2
        if not self.is_share and variance > 0:
            squares = self.influence**2
            k, more = self.informative, 1
            if k is None:  # independent cases
                k, more = float(squares.sum() ** 2 / (squares**2).sum()), 2
            n *= max(mean * (1 - mean) / variance / n, 1.0) ** (k / (k + more))
        n /= self.effect
        return min(mean * n, n), n

    @cached_property
    def cluster_spread(self) -> ClusterSpread:
        assert self.grouping is not None
        clusters, n = self.grouping, float(len(self.by_case))
        return ClusterSpread(clusters.sums(self.influence), self.standard_error**2, clusters.sizes, n)

    def deflate(self, design_effect: float) -> MeanBasis:
        """Return the basis with the number of cases divided by the design effect."""
        return replace(self, effect=design_effect, informative=self.cluster_spread.informative)

    def cluster_replicates(self, size: int, seed: int) -> Array:
        assert self.grouping is not None
        sums, cases = self.grouping.sums(self.by_case), self.grouping.sizes
        drawn = self.grouping.drawn(np.random.default_rng(seed), size)
        return np.concatenate([(counts @ sums) / (counts @ cases) for counts in drawn])

    def replicates(self, size: int, seed: int, *, stratified: bool = False) -> Array:
        """Return means of bootstrap samples: multinomial draws of distinct values."""
        distinct, counts = np.unique(self.by_case, return_counts=True)
        rng, n = np.random.default_rng(seed), len(self.by_case)
        block = max(1, MAX_NUMBERS // len(distinct))
        sizes = [min(block, size - start) for start in range(0, size, block)]
        return np.concatenate([rng.multinomial(n, counts / n, drawn) @ distinct / n for drawn in sizes])

    def acceleration(self) -> float:
        return acceleration(self.influence, np.ones(len(self.by_case)))

    def without_spread(self, request: Request) -> Interval:
        return wilson_interval(*self.ratio, request)


def estimate_outcomes(outcomes: Outcomes, measure: str | OutcomeMeasure, **parameters: Any) -> Estimate:
    """Estimate a measure of outcomes."""
    declared = registry[measure] if isinstance(measure, str) else measure
    if not isinstance(outcomes, Outcomes):
        must("outcomes", "a table of outcomes", given=outcomes)
    declared.check(parameters)
    if declared.binary and outcomes.graded:
        raise HowsureError(f"`{declared.name}` needs answers that are right or wrong, but these are graded.")
    if reason := too_few_answers(outcomes, declared, parameters):
        return Estimate(declared.name, np.nan, len(outcomes), reason, parameters=parameters, basis=NoBasis(reason))
    plain = MeanBasis(declared.by_case(outcomes, **parameters), outcomes.clusters)
    basis = by_cluster(plain, plain.grouping)
    return Estimate(declared.name, plain.value, len(outcomes), parameters=parameters, basis=basis)


def too_few_answers(outcomes: Outcomes, measure: OutcomeMeasure, parameters: Mapping[str, Any]) -> str:
    """Return a reason if some cases have fewer answers than the measure needs."""
    short = int((outcomes.answers < parameters.get("k", 1)).sum())
    if not short:
        return ""
    cases = counted(short, "case", of=len(outcomes))
    return f"{cases} {'has' if short == 1 else 'have'} fewer than {parameters['k']} answers"


@dataclass(frozen=True, eq=False)
class PairedValues:
    """The values of two classifiers for the same cases."""

    first: Array
    second: Array
    by_cluster: Clusters | None = None

    @property
    def n(self) -> int:
        return len(self.first)

    @property
    def apart(self) -> Array:
        return np.asarray(self.first - self.second)

    @property
    def same(self) -> bool:
        return bool((self.first == self.second).all())


@dataclass(frozen=True)
class MeanDifference(Difference):
    """The difference between two means over the same cases."""

    table: PairedValues

    @property
    def span(self) -> Span:
        return -1.0, 1.0

    @property
    def influence(self) -> Array:
        apart = self.table.apart
        return np.asarray((apart - apart.mean()) / self.n)

    @cached_property
    def cluster_spread(self) -> ClusterSpread | None:
        clusters = self.table.by_cluster
        if clusters is None:
            return None
        independent = float((self.influence**2).sum())
        return ClusterSpread(clusters.sums(self.influence), independent, clusters.sizes, float(self.n))

    @cached_property
    def standard_error(self) -> float:
        if self.cluster_spread is not None:
            return math.sqrt(self.cluster_spread.variance)
        return math.sqrt(float((self.influence**2).sum()))

    @cached_property
    def paired_error(self) -> PairedError:
        spread = self.cluster_spread
        effect, freedom = (1.0, self.n - 1.0) if spread is None else (spread.cautious_effect, spread.freedom)
        if self.n < 2:
            return PairedError(self.value, np.nan, reason="cannot be tested: one case")
        return replace(with_more(self.value, self.table.apart, effect), df=freedom)

    def swapped(self, rng: np.random.Generator, size: int) -> Iterator[Values]:
        """Exchange the values of cases, or of whole clusters, at random."""
        clusters = self.table.by_cluster
        sums = self.table.apart if clusters is None else clusters.sums(self.table.apart)
        block = max(1, MAX_NUMBERS // len(sums))
        for start in range(0, size, block):
            signs = rng.choice([-1.0, 1.0], (min(block, size - start), len(sums)))
            differences = signs @ sums / self.n
            yield differences, np.zeros(len(differences))

    def resampled(self, rng: np.random.Generator, size: int) -> Iterator[Values]:
        clusters = self.table.by_cluster
        if clusters is not None:
            sums = clusters.sums(self.table.apart)
            blocks = [(counts @ sums) / (counts @ clusters.sizes) for counts in clusters.drawn(rng, size)]
        else:
            blocks = [MeanBasis(self.table.apart).replicates(size, int(rng.integers(2**31)))]
        return ((block, np.zeros(len(block))) for block in blocks)
