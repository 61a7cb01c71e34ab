"""Intervals for clustered cases, based on the effective number of cases.

A measure is linearised by its influences, the changes per case. If t_j is the sum of the influences in cluster j of K,
the variance is V = K / (K - 1) sum t_j², the linearised (Taylor series) variance of a ratio estimator in survey
sampling. The design effect is V divided by the variance of independent cases. The number of cases is divided by the
design effect, and any interval for independent cases applies, so intervals stay in range and have a nonzero width.

With few clusters V is uncertain. Each t_j² is divided by (1 - share of cluster j)², as in a jackknife (CR3), and the
design effect is shrunk towards that of a moderate correlation within clusters, where this correlation has the weight of
one cluster, and the data have that of k = (sum t_j²)² / sum t_j⁴ informative clusters. Student's distribution replaces
the normal one; its degrees of freedom follow from the fourth moment of the t_j. The coverage is in
docs/decisions/2026-11-18-clusters.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from howsure.arrays import Array
from howsure.checks import MIN_ALPHA
from howsure.intervals.bootstrap import acceleration
from howsure.intervals.declare import Basis, Method, Request, Span, registry
from howsure.intervals.proportion import z_value
from howsure.results import Interval

CORRELATION = 0.2  # assumed correlation within clusters, towards which an uncertain design effect is shrunk
MIN_FREEDOM = 3.0  # minimum degrees of freedom
MIN_REST = 0.05  # minimum of 1 - share, the proportion of cases outside a cluster, used in 1 / (1 - share)²
TINY = 1e-14  # a smaller variance is rounding error
OF_CLASSES = "class intervals"  # the estimates for the classes account for clusters themselves
REDRAWN = frozenset({"replicates", "acceleration"})  # evidence for methods that resample whole clusters
NO_STRATA = frozenset({"strata"})  # clusters have cases of several classes, so class sizes cannot be kept


@dataclass(frozen=True, eq=False)
class ClusterSpread:
    """The variance of a measure between clusters.

    ``sums`` are the sums of the influences in each cluster, and ``independent`` is the variance of as many independent
    cases. ``sizes`` are the numbers of cases in each cluster that affect the measure, and ``squares``
    is the sum of their squared weights. ``shares`` are the clusters' shares of the evidence, if these are not
    proportional to the sizes, and ``known_variance`` is the variance, if it is not that of the sums.
    """

    sums: Array
    independent: float
    sizes: Array
    squares: float
    shares: Array | None = field(default=None, repr=False)
    known_variance: float | None = field(default=None, repr=False)

    @property
    def clusters(self) -> int:
        return len(self.sums)

    @cached_property
    def variance(self) -> float:
        """The variance of the measure between clusters."""
        return between(self.sums, len(self.sums)) if self.known_variance is None else self.known_variance

    @property
    def design_effect(self) -> float:
        """The variance divided by that of independent cases."""
        return self.variance / self.independent if self.independent > 0 else 1.0

    @cached_property
    def informative(self) -> float:
        """The effective number of clusters: small if few clusters have errors."""
        squares = self.sums**2
        total = float((squares**2).sum())
        return float(squares.sum()) ** 2 / total if total > 0 and self.independent > TINY else 0.0

    @property
    def _left_out(self) -> float:
        """The variance with larger contributions from large clusters (CR3)."""
        shares = self.sizes / self.sizes.sum() if self.shares is None else self.shares
        return float((self.sums**2 / np.maximum(1 - shares, MIN_REST) ** 2).sum())

    @property
    def cautious_effect(self) -> float:
        """The design effect for intervals: at least 1, and larger if uncertain."""
        k = self.informative
        estimated = max(self._left_out / self.independent, 1.0) if k else 1.0
        assumed = max(estimated, _assumed_effect(self.sizes, self.squares))
        return math.exp((k * math.log(estimated) + math.log(assumed)) / (k + 1))

    @property
    def freedom(self) -> float:
        """The degrees of freedom, from the fourth moment of the sums."""
        k, n = self.informative, max(int((self.sizes > 0).sum()), 1)
        return max(MIN_FREEDOM, min(2 * k / max(1 - k / n, TINY), n - 1.0))


class CaseSpread(ClusterSpread):
    """The variance between cases that have several true labels each.

    ``independent`` is the variance with one label drawn for each case. The mean of a case's labels never varies more.
    """

    @property
    def cautious_effect(self) -> float:
        """The ratio of variances, shrunk towards 1 with the weight of one case."""
        if not self.independent > TINY * TINY:
            return 1.0
        k, ratio = self.informative, min(float((self.sums**2).sum()) / self.independent, 1.0)
        return (k * ratio + 1) / (k + 1)

    @property
    def freedom(self) -> float:
        """Infinite: the normal distribution is used, as with one label per case."""
        return math.inf


def of_cases(spread: ClusterSpread) -> CaseSpread:
    """Convert a spread in which each cluster is a case with several labels."""
    return CaseSpread(**{field_.name: getattr(spread, field_.name) for field_ in fields(ClusterSpread)})


def _assumed_effect(sizes: Array, squares: float) -> float:
    """Return Kish's design effect under the assumed correlation."""
    return 1 + CORRELATION * max(float((sizes**2).sum()) / squares - 1, 0.0) if squares else 1.0


def assumed_effect(clusters: Any) -> float:
    """Return the design effect of clusters with the assumed correlation."""
    return 1.0 if clusters is None else _assumed_effect(clusters.sizes, float(clusters.sizes.sum()))


def between(sums: Array, clusters: int) -> float:
    """Return the variance of a sum over clusters: K / (K - 1) sum t_j²."""
    return float((sums**2).sum()) * clusters / max(clusters - 1, 1)


class ClusterAware(Basis):
    """A basis of independent cases that supports clustered cases."""

    @property
    def cluster_spread(self) -> ClusterSpread | None:
        """The variance between clusters; None without closed-form influences."""
        raise NotImplementedError

    def deflate(self, design_effect: float) -> Basis:
        """Return the basis with the sample size divided by the design effect."""
        raise NotImplementedError

    def cluster_replicates(self, size: int, seed: int) -> Array:
        """Return the value in bootstrap samples of whole clusters."""
        raise NotImplementedError


@dataclass(frozen=True)
class ClusteredBasis(Basis):
    """The basis for clustered cases; ``plain`` treats them as independent."""

    suffix: ClassVar[str] = "-clustered"

    plain: ClusterAware
    clusters: int | None

    @property
    def value(self) -> float:
        return self.plain.value

    @property
    def span(self) -> Span:
        return self.plain.span

    @property
    def reason(self) -> str | None:
        return self.plain.reason

    @property
    def has_bounds(self) -> bool:
        return self.plain.has_bounds

    @property
    def offers(self) -> frozenset[str]:
        return self.plain.offers - NO_STRATA

    @property
    def default(self) -> str:
        return self.plain.default if self.spread is not None or self._is_of_classes else "bootstrap"

    @property
    def _is_of_classes(self) -> bool:
        """Whether the estimates for single classes account for clusters."""
        return registry[self.plain.default].needs == OF_CLASSES

    @property
    def default_replicates(self) -> int | None:
        return self.plain.default_replicates

    @property
    def setting(self) -> Mapping[str, Any]:
        """Properties of the data; clusters were simulated separately."""
        return {**self.plain.setting, "clusters": self.clusters} if self.plain.setting else {}

    @property
    def replicate_notes(self) -> tuple[str, ...]:
        return self.plain.replicate_notes

    @property
    def bound(self) -> float:
        return self.plain.bound

    @cached_property
    def spread(self) -> ClusterSpread | None:
        return self.plain.cluster_spread

    @cached_property
    def deflated(self) -> Basis:
        """The basis with the effective number of independent cases."""
        return self.plain.deflate(1.0 if self.spread is None else self.spread.cautious_effect)

    @property
    def effect_of_width(self) -> float:
        """The design effect implied by the width of a normal 95 % interval."""
        if self.spread is None:
            return 1.0
        plain, wide = Request(), self._by_student(Request())
        return self.spread.cautious_effect * (z_value(wide.alpha) / z_value(plain.alpha)) ** 2

    @property
    def design_effect(self) -> float:
        return math.nan if self.spread is None or self.reason else self.spread.design_effect

    @cached_property
    def standard_error(self) -> float:
        return self._drawn_error if self.spread is None else math.sqrt(self.spread.variance)

    @property
    def _drawn_error(self) -> float:
        drawn = self.replicates(self.default_replicates or 200, 0)
        finite = drawn[np.isfinite(drawn)]
        return float(finite.std()) if len(finite) else math.nan

    def replicates(self, size: int, seed: int, *, stratified: bool = False) -> Array:
        return self.plain.cluster_replicates(size, seed)

    def acceleration(self) -> float:
        return 0.0 if self.spread is None else acceleration(self.spread.sums, np.ones(len(self.spread.sums)))

    def equal_replicates(self, request: Request, method: str) -> Interval:
        if self.spread is None:
            return self.deflated.equal_replicates(request, method)
        interval = self.make_default(request)
        note = f"all replicates are equal, so {interval.method} replaces the {method} interval"
        return replace(interval, notes=(note, *interval.notes))

    def make_default(self, request: Request) -> Interval:
        if self.spread is None:
            return self.make(registry[self.default], request)
        return self._relabelled(self.deflated.make_default(self._by_student(request)), request)

    def make(self, declared: Method, request: Request) -> Interval:
        if declared.needs in REDRAWN:
            return self._relabelled(declared.make(self, request), request)
        if declared.needs == OF_CLASSES:
            return self._relabelled(declared.make(self.plain, request), request)
        return self._relabelled(self.deflated.make(declared, self._by_student(request)), request)

    def _by_student(self, request: Request) -> Request:
        """Return the request whose normal quantile equals Student's for this one."""
        from scipy.special import ndtr, stdtrit

        freedom = math.inf if self.spread is None else self.spread.freedom
        alpha = request.alpha if math.isinf(freedom) else float(ndtr(stdtrit(freedom, request.alpha)))
        alpha = min(max(alpha, MIN_ALPHA), request.alpha) if request.alpha < 0.5 else request.alpha
        return replace(request, confidence=1 - (2 * alpha if request.side == "two-sided" else alpha))

    def _relabelled(self, interval: Interval, request: Request) -> Interval:
        name = f"{interval.method.removesuffix(self.suffix)}{self.suffix}"  # a fallback already has the suffix
        return replace(interval, confidence=request.confidence, method=name)


@dataclass(frozen=True)
class SharedBasis(ClusteredBasis):
    """The basis for cases with several true labels; ``plain`` draws one each.

    Cases are independent, so there are no clusters. Bootstrap samples consist of whole cases.
    """

    clusters: int | None = None

    @property
    def design_effect(self) -> Any:
        return None

    @property
    def setting(self) -> Mapping[str, Any]:
        """Empty: such cases were not simulated."""
        return {}

    @cached_property
    def spread(self) -> ClusterSpread | None:
        spread = self.plain.cluster_spread
        return None if spread is None else of_cases(spread)

    @cached_property
    def standard_error(self) -> float:
        return self._drawn_error if self.spread is None else math.sqrt(float((self.spread.sums**2).sum()))

    def _by_student(self, request: Request) -> Request:
        return request

    def _relabelled(self, interval: Interval, request: Request) -> Interval:
        return replace(interval, confidence=request.confidence)
