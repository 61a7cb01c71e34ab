"""Prediction-powered estimates: a measure of few human labels, made surer by a judge's labels of all cases.

The human labels alone give a value. The judge, asked about the same cases and about all others, gives two more: how far
they are apart is chance, and as far as the judge's errors of chance go along with the human ones, it can be taken off.
How much of it to take, the tuning, is what makes the variance least (PPI++: Angelopoulos, Duchi and Zrnic 2023). What a
case changes a measure by, its influence, tells the covariance, so that every measure with influences can be powered.

The interval is that of the human labels alone, of a table in which the measure has the powered value, and of as many
cases as both kinds of labels are worth. `docs/decisions/2026-11-18-judged-labels.md` has the coverage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np

from howsure.arrays import Array
from howsure.intervals.clustered import ClusterAware, ClusterSpread, between
from howsure.intervals.declare import Basis, Method, Ranks, Request, Smoothed, Span
from howsure.measures.estimate.labels import LabelBasis
from howsure.measures.estimate.scores import ScoreBasis
from howsure.results import Interval
from howsure.tables import Confusion
from howsure.tables.judged import JudgedCases

TINY = 1e-14
MOST_TILT = 40.0  # of the exponent by which cells are moved
STEPS, POINTS = 7, 33  # of the search for it: to 40 / 16**7 of itself


def cautious(ratio: float, informative: float) -> float:
    """Take the variance over that of the human labels alone as larger than it looks.

    The tuning was chosen where it looked best, which one label makes up for, and what few labels tell of the gain is
    drawn towards none, by as much as one label more would count.
    """
    k = informative
    return min(ratio * (k - 1) / (k - 2), 1.0) ** (k / (k + 1)) if k > 2 else 1.0


@dataclass(frozen=True, eq=False)
class Powered:
    """Human influences and judged ones, and how far the judge's values are apart by chance.

    ``human`` is what each row's case changes the human value by, times the number of cases, and ``judged`` the same of
    the judge's value. ``apart`` is the judge's value on the other cases less that on the labelled ones.
    """

    cases: JudgedCases
    human: Array
    judged: Array
    apart: float

    @cached_property
    def _of_judge(self) -> Array:
        """The judged influences of strata that have other cases; of the rest the judge tells nothing new."""
        has_others = (self.cases.sizes[1] > 0)[self.cases.codes]
        return np.where(has_others, np.nan_to_num(self.judged), 0.0)

    def _centred(self, influence: Array, rows: Array) -> Array:
        """Take off the mean that the rows of each stratum have; 0 in other rows."""
        cases = self.cases
        sizes = cases.by_stratum(rows)
        mean = cases.by_stratum(np.where(rows, influence, 0.0)) / np.maximum(sizes, 1)
        return np.where(rows, influence - mean[cases.codes], 0.0)

    def _variances(self, influence: Array, rows: Array) -> Array:
        """The variance of an influence over rows, in each stratum."""
        return self.cases.by_stratum(self._centred(influence, rows) ** 2) / np.maximum(self.cases.by_stratum(rows), 1)

    @cached_property
    def tuning(self) -> float:
        """How much of the judge's difference to take, from 0 to 1: PPI++'s lambda."""
        cases, every = self.cases, np.ones(len(self.cases.truth), bool)
        n, others = cases.sizes
        if not cases.n_judged or not math.isfinite(self.apart):
            return 0.0
        both = self._centred(self.human, cases.labelled) * self._centred(self._of_judge, cases.labelled)
        covariance = cases.by_stratum(both) / np.maximum(n, 1)
        size = n + others
        variance = self._variances(self._of_judge, every) * size / np.maximum(size - 1, 1)
        known = others > 0
        squares = cases.shares[known] ** 2
        gain = float((squares * covariance[known] / n[known]).sum())
        cost = float((squares * variance[known] * (1 / n[known] + 1 / others[known])).sum())
        return min(max(gain / cost, 0.0), 1.0) if cost > TINY and gain > TINY * cost else 0.0

    def variance_with(self, tuning: float) -> float:
        """The variance of the value, with so much of the judge's difference in it."""
        cases = self.cases
        n, others = cases.sizes
        of_labels = self._variances(self.human - tuning * self._of_judge, cases.labelled) / np.maximum(n, 1)
        of_others = tuning**2 * self._variances(self._of_judge, ~cases.labelled) / np.maximum(others, 1)
        return float((cases.shares**2 * (of_labels + of_others)).sum()) + self._of_shares

    @cached_property
    def _of_shares(self) -> float:
        """The variance from how many cases each stratum happens to have."""
        cases = self.cases
        means = cases.by_stratum(np.where(cases.labelled, self.human, 0.0)) / np.maximum(cases.sizes[0], 1)
        centre = float((cases.shares * means).sum())
        return float((cases.shares * (means - centre) ** 2).sum()) / cases.n if cases.strata > 1 else 0.0

    @cached_property
    def variance(self) -> float:
        return self.variance_with(self.tuning)

    @property
    def lacking(self) -> str:
        """Say which stratum has too few labels for its spread to be known."""
        stratum, few = self.cases.stratum, np.flatnonzero(self.cases.sizes[0] < 2)
        if stratum is None or self.cases.strata == 1 or not len(few):
            return ""
        return f"the stratum {stratum.values[few[0]]!r} has one human label only, which tells no spread"

    @cached_property
    def alone(self) -> float:
        """The variance of the human labels alone."""
        return self.variance_with(0.0)

    @cached_property
    def informative(self) -> float:
        """How many labelled cases of equal influence would tell as much of the variance."""
        cases = self.cases
        left = self._centred(self.human - self.tuning * self._of_judge, cases.labelled) * cases.weights[0]
        squares, fourths = (float((cases.count * left**power).sum()) for power in (2, 4))
        return squares**2 / fourths if fourths > 0 else 0.0

    @cached_property
    def cautious_ratio(self) -> float:
        """The variance over that of the human labels alone, as intervals take it."""
        return self._cautious(self.variance, self.alone)

    def _cautious(self, variance: float, alone: float) -> float:
        return cautious(variance / alone, self.informative) if self.tuning > 0 and alone > 0 else 1.0

    @property
    def freedom(self) -> tuple[float, float]:
        """The number of labels, and the degrees of freedom of their variance."""
        n = float(self.cases.n_labelled)
        return n, max(n - self.cases.strata - (self.tuning > 0), 1.0)

    def without_judge(self) -> Powered:
        """Give the human labels alone."""
        return replace(self, judged=np.zeros(len(self.judged)), apart=0.0)

    def sums(self, tuning: float) -> Array:
        """Add up over clusters what their cases change the value by."""
        cases = self.cases
        known, rest = cases.weights
        left = self._centred(self.human - tuning * self._of_judge, cases.labelled) * known
        return cases.by_cluster(left + tuning * self._centred(self._of_judge, ~cases.labelled) * rest)

    @property
    def worth(self) -> float:
        """How many human labels alone, drawn as these were, would have as small a variance as intervals take."""
        ratio = self.cautious_ratio
        if self.cases.cluster is not None:
            alone, powered = (between(self.sums(tuning), self.clusters) for tuning in (0.0, self.tuning))
            ratio = self._cautious(powered, alone)
        return self.cases.n_labelled / ratio if ratio > 0 else math.inf

    @property
    def clusters(self) -> int:
        return 0 if self.cases.cluster is None else len(self.cases.cluster.values)


@dataclass(frozen=True)
class JudgedBasis(ClusterAware):
    """A measure of human labels and judged ones; ``plain`` is that of the human labels alone.

    ``effect`` is how many times fewer independent cases they are worth than they would be without clusters.
    """

    plain: LabelBasis | ScoreBasis
    powered: Powered
    effect: float = 1.0

    @property
    def _moves(self) -> float:
        tuning = self.powered.tuning
        return tuning * self.powered.apart if tuning else 0.0

    @cached_property
    def value(self) -> float:
        low, high = self.span
        return min(max(self.plain.value + self._moves, low), high) if not self.reason else math.nan

    @property
    def is_clipped(self) -> bool:
        """The value would lie outside the range of the measure."""
        return not self.reason and not self.span[0] <= self.plain.value + self._moves <= self.span[1]

    @property
    def span(self) -> Span:
        return self.plain.span

    @property
    def reason(self) -> str | None:
        return self.plain.reason

    @property
    def lacking(self) -> str:
        return self.plain.lacking or self.powered.lacking

    @property
    def offers(self) -> frozenset[str]:
        kept = {"ratio", "counts", "error"} if isinstance(self.plain, LabelBasis) else {"ranks", "smoothed"}
        return frozenset({"judged", *(self.plain.offers & kept)})

    def suits(self, declared: Method) -> bool:
        return declared.needs in self.offers or declared.name == self.default

    @property
    def default(self) -> str:
        return self.plain.default

    @property
    def evidence(self) -> Powered:
        return self.powered

    @cached_property
    def standard_error(self) -> float:
        return math.sqrt(self.powered.variance * self.effect) if not self.reason else math.nan

    @property
    def ratio_of_variances(self) -> float:
        """The variance that intervals take, over that of the human labels as the plain basis has it.

        Of strata that basis knows the weights, and not what is gained by drawing from each.
        """
        usual = self.plain.standard_error**2 if self.powered.cases.strata > 1 else 0.0
        design = self.powered.alone / usual if usual > 0 else 1.0
        return max(design, TINY) * self.powered.cautious_ratio * self.effect

    @cached_property
    def standing(self) -> Basis:
        """Human labels alone, of as many cases as all labels are worth, with the powered value."""
        if not isinstance(self.plain, LabelBasis):
            return _OfScores(self)
        ratio, table = self.ratio_of_variances, self.plain.table
        moved = replace(self.plain, table=tilted(self.plain, self.value)) if self._moves else self.plain
        if ratio == 1 and table.squares is None:
            return moved
        return moved.deflate(ratio)

    def make(self, declared: Method, request: Request) -> Interval:
        if declared.needs == "judged":
            return declared.make(self, request)
        return self._named(declared.make(self.standing, request))

    def make_default(self, request: Request) -> Interval:
        if self.lacking:
            return request.undefined(self.lacking, self.default)
        return self._named(self.standing.make_default(request))

    def _named(self, interval: Interval) -> Interval:
        """Say that judged labels were used, where they were."""
        return replace(interval, method=f"{interval.method}-judged") if self.powered.tuning else interval

    @cached_property
    def cluster_spread(self) -> ClusterSpread:
        powered, cases = self.powered, self.powered.cases
        sizes = cases.by_cluster(cases.labelled)
        return ClusterSpread(powered.sums(powered.tuning), powered.variance, sizes, float(cases.n_labelled))

    def deflate(self, design_effect: float) -> JudgedBasis:
        """Give the same of so many times fewer independent cases."""
        return replace(self, effect=design_effect)


@dataclass(frozen=True)
class _OfScores(Basis):
    """A measure of scores with the powered value, of as many cases as all labels are worth."""

    judged: JudgedBasis

    @property
    def value(self) -> float:
        return self.judged.value

    @property
    def span(self) -> Span:
        return self.judged.span

    @property
    def default(self) -> str:
        return self.judged.default

    @property
    def ranks(self) -> Ranks:
        plain, ratio = cast("ScoreBasis", self.judged.plain), self.judged.ratio_of_variances
        ranks = plain.ranks
        area = (self.value - ranks.offset) / ranks.slope
        sizes = {"n_positive": ranks.n_positive / ratio, "n_negative": ranks.n_negative / ratio}
        least = min(ranks.n_positive, ranks.n_negative)
        return replace(ranks, area=area, error=ranks.error * math.sqrt(ratio), least=least, **sizes)

    @property
    def smoothed(self) -> Smoothed:
        plain, ratio = cast("ScoreBasis", self.judged.plain), self.judged.ratio_of_variances
        smoothed = plain.smoothed
        low, high = self.span
        value = min(max(smoothed.value + self.value - plain.value, low), high)
        return replace(smoothed, value=value, error=smoothed.error * math.sqrt(ratio))

    def without_spread(self, request: Request) -> Interval:
        return self.judged.plain.without_spread(request)


def tilted(basis: LabelBasis, value: float) -> Confusion:
    """Move the cells of a table the least way to where the measure has another value.

    Each cell grows or shrinks by a factor that is exponential in its influence, and their sum stays as it is.
    """
    table, slopes = basis.table, basis.slopes
    scale = float(np.abs(slopes).max())
    if not scale > 0:
        return table

    def factors(tilts: Array) -> Array:
        grown = np.exp(tilts[:, None, None] * slopes / scale)
        sums = (grown * table.counts).sum((-1, -2), keepdims=True)
        return np.asarray(grown * table.n / sums)

    low, high = -MOST_TILT, MOST_TILT
    for _ in range(STEPS):
        tilts = np.linspace(low, high, POINTS)
        with np.errstate(all="ignore"):
            values = basis.evaluate(factors(tilts) * table.counts)
        above = np.flatnonzero(values >= value)
        place = int(above[0]) if len(above) else POINTS - 1
        low, high = tilts[max(place - 1, 0)], tilts[place]
    factor = factors(np.array([(low + high) / 2]))[0]
    return Confusion(table.counts * factor, table.labels, table.variances * factor)
