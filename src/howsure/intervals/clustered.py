"""Intervals of cases that come in clusters: those of as many independent cases as the clusters are worth.

A measure's influence tells what each case changes it by, and the sums over whole clusters tell how far it varies from
one sample of clusters to another. Over the variance that independent cases would have, that is the design effect.
Divided by it the cases are so many fewer, and every method that there is for independent cases serves, so that no
interval leaves its range or has no width. With few clusters the design effect is itself unsure: it is drawn upwards to
that of a modest correlation within clusters, by as much as one more cluster would count, and Student's distribution
stands in for the normal one. `docs/decisions/2026-11-18-clusters.md` has the coverage.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from howsure.arrays import Array
from howsure.checks import LEAST_ALPHA
from howsure.intervals.bootstrap import acceleration
from howsure.intervals.declare import Basis, Method, Request, Span, registry
from howsure.intervals.proportion import z_value
from howsure.results import Interval

CORRELATION = 0.2  # within clusters, towards which an unsure design effect is drawn
LEAST_FREEDOM = 3.0
LEAST_REST = 0.05  # of the cases, that are not in a cluster
TINY = 1e-14
OF_CLASSES = "class intervals"  # of which each allows for clusters
REDRAWN = frozenset({"replicates", "acceleration"})  # needs of methods that draw whole clusters
NO_STRATA = frozenset({"strata"})  # a cluster has cases of several classes, which cannot keep their number


@dataclass(frozen=True, eq=False)
class ClusterSpread:
    """How far clusters move a measure.

    ``sums`` are the influences of each cluster's cases added up, ``independent`` the variance that as many independent
    cases would have, ``sizes`` the cases of each cluster that bear on the measure, and ``squares`` the sum of their
    squared weights. ``shares`` are the parts of the evidence that clusters hold, where those are not as their sizes,
    and ``given`` is the variance where it is not that of the sums alone.
    """

    sums: Array
    independent: float
    sizes: Array
    squares: float
    shares: Array | None = field(default=None, repr=False)
    given: float | None = field(default=None, repr=False)

    @property
    def clusters(self) -> int:
        return len(self.sums)

    @cached_property
    def variance(self) -> float:
        """The variance of the measure over samples of as many clusters."""
        return between(self.sums, len(self.sums)) if self.given is None else self.given

    @property
    def design_effect(self) -> float:
        """How many times larger the variance is than that of independent cases."""
        return self.variance / self.independent if self.independent > 0 else 1.0

    @cached_property
    def informative(self) -> float:
        """How many clusters of equal influence would tell as much: few where few have an error."""
        squares = self.sums**2
        total = float((squares**2).sum())
        return float(squares.sum()) ** 2 / total if total > 0 and self.independent > TINY else 0.0

    @property
    def _left_out(self) -> float:
        """The variance by leaving out a cluster in turn: those that hold much of the cases add more."""
        shares = self.sizes / self.sizes.sum() if self.shares is None else self.shares
        return float((self.sums**2 / np.maximum(1 - shares, LEAST_REST) ** 2).sum())

    @property
    def cautious_effect(self) -> float:
        """The design effect that intervals allow for: never below 1, and with few clusters rather too large."""
        k = self.informative
        seen = max(self._left_out / self.independent, 1.0) if k else 1.0
        believed = max(seen, _believed(self.sizes, self.squares))
        return math.exp((k * math.log(seen) + math.log(believed)) / (k + 1))

    @property
    def freedom(self) -> float:
        """Degrees of freedom of the variance, by the fourth moment seen."""
        k, n = self.informative, max(int((self.sizes > 0).sum()), 1)  # of no case a measure may be, and then no cluster
        return max(LEAST_FREEDOM, min(2 * k / max(1 - k / n, TINY), n - 1.0))


class CaseSpread(ClusterSpread):
    """How far cases move a measure of which each has several truths, that share it.

    What is ``independent`` is then the variance with one of its truths drawn for each case. The mean of them varies
    less, never more.
    """

    @property
    def cautious_effect(self) -> float:
        """The part of the variance that is left, drawn towards all of it as much as one more case would count."""
        if not self.independent > TINY * TINY:
            return 1.0
        k, seen = self.informative, min(float((self.sums**2).sum()) / self.independent, 1.0)
        return (k * seen + 1) / (k + 1)

    @property
    def freedom(self) -> float:
        """The normal distribution serves, as it does for as many cases of one truth."""
        return math.inf


def of_cases(spread: ClusterSpread) -> CaseSpread:
    """Say that clusters are cases, each of which has several truths."""
    return CaseSpread(**{one.name: getattr(spread, one.name) for one in fields(ClusterSpread)})


def _believed(sizes: Array, squares: float) -> float:
    return 1 + CORRELATION * max(float((sizes**2).sum()) / squares - 1, 0.0) if squares else 1.0


def believed_effect(clusters: Any) -> float:
    """The design effect of a modest correlation within clusters of these sizes, where the cases show none."""
    return 1.0 if clusters is None else _believed(clusters.sizes, float(clusters.sizes.sum()))


def between(sums: Array, clusters: int) -> float:
    """The variance of a sum over so many clusters."""
    return float((sums**2).sum()) * clusters / max(clusters - 1, 1)


class ClusterAware(Basis):
    """A basis of independent cases of which clusters can have intervals too."""

    @property
    def cluster_spread(self) -> ClusterSpread | None:
        """How far clusters move the value; None where no closed form tells."""
        raise NotImplementedError

    def worth(self, design_effect: float) -> Basis:
        """Give the same as of so many times fewer independent cases."""
        raise NotImplementedError

    def cluster_replicates(self, size: int, seed: int) -> Array:
        """Give the value in samples of as many clusters, drawn again with replacement."""
        raise NotImplementedError


@dataclass(frozen=True)
class ClusteredBasis(Basis):
    """What an estimate of cases in clusters rests on; ``plain`` is the same as if they were independent."""

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
        """It is an average of classes that allow for clusters themselves."""
        return registry[self.plain.default].needs == OF_CLASSES

    @property
    def default_replicates(self) -> int | None:
        return self.plain.default_replicates

    @property
    def setting(self) -> Mapping[str, Any]:
        """What there is of independent cases, and the clusters, which were measured apart from those."""
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
    def worth(self) -> Basis:
        """As many independent cases as the clusters are worth."""
        return self.plain.worth(1.0 if self.spread is None else self.spread.cautious_effect)

    @property
    def effect_of_width(self) -> float:
        """How many times fewer independent cases have an interval of this width at 95 %, by the normal distribution."""
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
            return self.worth.equal_replicates(request, method)
        interval = self.make_default(request)
        note = f"the {method} interval has no width, because every replicate is equal; {interval.method} stands in"
        return replace(interval, notes=(note, *interval.notes))

    def make_default(self, request: Request) -> Interval:
        if self.spread is None:
            return self.make(registry[self.default], request)
        return self._relabelled(self.worth.make_default(self._by_student(request)), request)

    def make(self, declared: Method, request: Request) -> Interval:
        if declared.needs in REDRAWN:
            return self._relabelled(declared.make(self, request), request)
        if declared.needs == OF_CLASSES:
            return self._relabelled(declared.make(self.plain, request), request)
        return self._relabelled(self.worth.make(declared, self._by_student(request)), request)

    def _by_student(self, request: Request) -> Request:
        """Ask for the confidence at which the normal distribution reaches as far as Student's does at this one."""
        from scipy.special import ndtr, stdtrit

        freedom = math.inf if self.spread is None else self.spread.freedom
        alpha = request.alpha if math.isinf(freedom) else float(ndtr(stdtrit(freedom, request.alpha)))
        alpha = min(max(alpha, LEAST_ALPHA), request.alpha) if request.alpha < 0.5 else request.alpha
        return replace(request, confidence=1 - (2 * alpha if request.side == "two-sided" else alpha))

    def _relabelled(self, interval: Interval, request: Request) -> Interval:
        name = f"{interval.method.removesuffix(self.suffix)}{self.suffix}"  # one that stands in has it already
        return replace(interval, confidence=request.confidence, method=name)


@dataclass(frozen=True)
class SharedBasis(ClusteredBasis):
    """What an estimate of cases with several truths rests on; ``plain`` is the same with one of them drawn for each.

    Cases are independent, and so there are no clusters to speak of. Redrawn samples are of whole cases.
    """

    clusters: int | None = None

    @property
    def offers(self) -> frozenset[str]:
        return self.plain.offers - NO_STRATA

    @property
    def design_effect(self) -> Any:
        return None

    @property
    def setting(self) -> Mapping[str, Any]:
        """Nothing was measured of such cases in the lab."""
        return {}

    @cached_property
    def spread(self) -> ClusterSpread | None:
        seen = self.plain.cluster_spread
        return None if seen is None else of_cases(seen)

    @cached_property
    def standard_error(self) -> float:
        return self._drawn_error if self.spread is None else math.sqrt(float((self.spread.sums**2).sum()))

    def _by_student(self, request: Request) -> Request:
        return request

    def _relabelled(self, interval: Interval, request: Request) -> Interval:
        return replace(interval, confidence=request.confidence)
