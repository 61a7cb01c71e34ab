"""Prediction-powered estimates: few labels by humans, many by a judge.

With the measure h of the n human labels, and the measures j_n and j_N of the judge's labels for the same cases and for
the N other cases, the estimate is

    h + lambda (j_N - j_n),

where lambda minimises the variance (PPI++: Angelopoulos, Duchi and Zrnic 2023):

    lambda = cov(h, j) / n / (var(j) (1 / n + 1 / N)),  between 0 and 1.

Covariances are those of the influences of cases, summed over strata, so every measure with influences can be powered.
The interval is the one for human labels alone, computed for a table tilted to the powered value and for the number of
cases that gives the variance of the powered estimate. The coverage is in docs/decisions/2026-11-18-judged-labels.md.
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

TINY = 1e-14  # smaller variances are rounding errors
MAX_TILT = 40.0  # largest exponent for tilting a table
STEPS, POINTS = 7, 33  # grid search for the exponent: 7 steps, each on 33 tables at once; precision 40 / 16**7


def cautious(ratio: float, informative: float) -> float:
    """Return a cautious ratio of the powered variance to the plain variance."""
    # lambda was chosen to minimise the estimated variance, which costs about one label: a factor (k - 1) / (k - 2) for
    # k informative labels. The gain is also shrunk towards zero, with the weight of one label.
    k = informative
    return min(ratio * (k - 1) / (k - 2), 1.0) ** (k / (k + 1)) if k > 2 else 1.0


@dataclass(frozen=True, eq=False)
class Powered:
    """Influences on the human and the judged values.

    ``human`` and ``judged`` are the influences of the case in each row, times the number of cases. ``apart`` is the
    judge's value for the other cases minus that for the labelled ones.
    """

    cases: JudgedCases
    human: Array
    judged: Array
    apart: float

    @cached_property
    def _of_judge(self) -> Array:
        """The judged influences; 0 in strata without other cases."""
        has_others = (self.cases.sizes[1] > 0)[self.cases.codes]
        return np.where(has_others, np.nan_to_num(self.judged), 0.0)

    def _centred(self, influence: Array, rows: Array) -> Array:
        """Subtract the mean of each stratum from its rows; 0 in other rows."""
        cases = self.cases
        sizes = cases.by_stratum(rows)
        mean = cases.by_stratum(np.where(rows, influence, 0.0)) / np.maximum(sizes, 1)
        return np.where(rows, influence - mean[cases.codes], 0.0)

    def _variances(self, influence: Array, rows: Array) -> Array:
        """Return the variance of the influences in each stratum."""
        return self.cases.by_stratum(self._centred(influence, rows) ** 2) / np.maximum(self.cases.by_stratum(rows), 1)

    @cached_property
    def tuning(self) -> float:
        """The lambda of PPI++, from 0 to 1."""
        cases, every = self.cases, np.ones(len(self.cases.truth), bool)
        n, others = cases.sizes
        if not cases.n_judged or not math.isfinite(self.apart):
            return 0.0
        both = self._centred(self.human, cases.labelled) * self._centred(self._of_judge, cases.labelled)
        covariance = cases.by_stratum(both) / np.maximum(n, 1)
        size = n + others
        variance = self._variances(self._of_judge, every) * size / np.maximum(size - 1, 1)
        used = others > 0
        squares = cases.shares[used] ** 2
        gain = float((squares * covariance[used] / n[used]).sum())
        cost = float((squares * variance[used] * (1 / n[used] + 1 / others[used])).sum())
        return min(max(gain / cost, 0.0), 1.0) if cost > TINY and gain > TINY * cost else 0.0

    def variance_with(self, tuning: float) -> float:
        """Return the variance of the estimate for a given lambda."""
        cases = self.cases
        n, others = cases.sizes
        of_labels = self._variances(self.human - tuning * self._of_judge, cases.labelled) / np.maximum(n, 1)
        of_others = tuning**2 * self._variances(self._of_judge, ~cases.labelled) / np.maximum(others, 1)
        return float((cases.shares**2 * (of_labels + of_others)).sum()) + self._of_shares

    @cached_property
    def _of_shares(self) -> float:
        """The variance due to the random sizes of strata."""
        cases = self.cases
        means = cases.by_stratum(np.where(cases.labelled, self.human, 0.0)) / np.maximum(cases.sizes[0], 1)
        centre = float((cases.shares * means).sum())
        return float((cases.shares * (means - centre) ** 2).sum()) / cases.n if cases.strata > 1 else 0.0

    @cached_property
    def variance(self) -> float:
        return self.variance_with(self.tuning)

    @property
    def lacking(self) -> str:
        """The reason why there is no interval if a stratum has one label."""
        stratum, few = self.cases.stratum, np.flatnonzero(self.cases.sizes[0] < 2)
        if stratum is None or self.cases.strata == 1 or not len(few):
            return ""
        return f"the stratum {stratum.values[few[0]]!r} has only one human label, so its variance is unknown"

    @cached_property
    def alone(self) -> float:
        """The variance of the human labels alone."""
        return self.variance_with(0.0)

    @cached_property
    def informative(self) -> float:
        """The effective number of labelled cases for the variance."""
        cases = self.cases
        residuals = self._centred(self.human - self.tuning * self._of_judge, cases.labelled) * cases.weights[0]
        squares, fourths = (float((cases.count * residuals**power).sum()) for power in (2, 4))
        return squares**2 / fourths if fourths > 0 else 0.0

    @cached_property
    def cautious_ratio(self) -> float:
        """The ratio of variances that intervals use."""
        return self._cautious(self.variance, self.alone)

    def _cautious(self, variance: float, alone: float) -> float:
        return cautious(variance / alone, self.informative) if self.tuning > 0 and alone > 0 else 1.0

    @property
    def freedom(self) -> tuple[float, float]:
        """The number of human labels, and the degrees of freedom."""
        n = float(self.cases.n_labelled)
        return n, max(n - self.cases.strata - (self.tuning > 0), 1.0)

    def without_judge(self) -> Powered:
        """Return the estimate from human labels alone."""
        return replace(self, judged=np.zeros(len(self.judged)), apart=0.0)

    def sums(self, tuning: float) -> Array:
        """Return the sum of the influences in each cluster."""
        cases = self.cases
        of_labelled, of_others = cases.weights
        labelled = self._centred(self.human - tuning * self._of_judge, cases.labelled) * of_labelled
        return cases.by_cluster(labelled + tuning * self._centred(self._of_judge, ~cases.labelled) * of_others)

    @property
    def worth(self) -> float:
        """The number of human labels that would give the same variance alone."""
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
    """A powered measure; ``plain`` is the basis of the human labels alone.

    ``effect`` is the design effect of clusters.
    """

    plain: LabelBasis | ScoreBasis
    powered: Powered
    effect: float = 1.0

    @property
    def _shift(self) -> float:
        tuning = self.powered.tuning
        return tuning * self.powered.apart if tuning else 0.0

    @cached_property
    def value(self) -> float:
        low, high = self.span
        return min(max(self.plain.value + self._shift, low), high) if not self.reason else math.nan

    @property
    def is_clipped(self) -> bool:
        """Whether the value was clipped to the range of the measure."""
        return not self.reason and not self.span[0] <= self.plain.value + self._shift <= self.span[1]

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
        """The variance for intervals, divided by that of the plain basis."""
        # The plain basis accounts for the weights of strata, but not for the smaller variance of stratified sampling.
        usual = self.plain.standard_error**2 if self.powered.cases.strata > 1 else 0.0
        design = self.powered.alone / usual if usual > 0 else 1.0
        return max(design, TINY) * self.powered.cautious_ratio * self.effect

    @cached_property
    def standing(self) -> Basis:
        """The basis of human labels, with the powered value and effective size."""
        if not isinstance(self.plain, LabelBasis):
            return _OfScores(self)
        ratio, table = self.ratio_of_variances, self.plain.table
        moved = replace(self.plain, table=tilted(self.plain, self.value)) if self._shift else self.plain
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
        """Add "-judged" to the method if the judge's labels were used."""
        return replace(interval, method=f"{interval.method}-judged") if self.powered.tuning else interval

    @cached_property
    def cluster_spread(self) -> ClusterSpread:
        powered, cases = self.powered, self.powered.cases
        sizes = cases.by_cluster(cases.labelled)
        return ClusterSpread(powered.sums(powered.tuning), powered.variance, sizes, float(cases.n_labelled))

    def deflate(self, design_effect: float) -> JudgedBasis:
        """Return the estimate with another design effect."""
        return replace(self, effect=design_effect)


@dataclass(frozen=True)
class _OfScores(Basis):
    """A measure of scores, with the powered value and effective size."""

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
    """Return the table tilted to another value of the measure."""
    # Each cell is multiplied by exp(t * influence), keeping the sum fixed. This gives the nearest table in
    # Kullback-Leibler divergence. t is found by a grid search, since measures are evaluated on many tables at once.
    table, slopes = basis.table, basis.slopes
    scale = float(np.abs(slopes).max())
    if not scale > 0:
        return table

    def factors(tilts: Array) -> Array:
        grown = np.exp(tilts[:, None, None] * slopes / scale)
        sums = (grown * table.counts).sum((-1, -2), keepdims=True)
        return np.asarray(grown * table.n / sums)

    low, high = -MAX_TILT, MAX_TILT
    for _ in range(STEPS):
        tilts = np.linspace(low, high, POINTS)
        with np.errstate(all="ignore"):
            values = basis.evaluate(factors(tilts) * table.counts)
        above = np.flatnonzero(values >= value)
        index = int(above[0]) if len(above) else POINTS - 1
        low, high = tilts[max(index - 1, 0)], tilts[index]
    factor = factors(np.array([(low + high) / 2]))[0]
    return Confusion(table.counts * factor, table.labels, table.variances * factor)
