"""The intervals of the mean and of the largest distance between probabilities and frequencies over bins.

In a sample every bin is off by chance, so the mean distance is above the true one, and above 0 for probabilities that
are exactly right. If it were known how the bins share the distance, the mean in a sample would be a mean of folded
normal values. The interval holds the distances of which this sample is no unusual one, shared alike by all bins or as
they seem to be shared, and 0 among them unless the probabilities are shown to be wrong.
`docs/decisions/2026-11-16-score-intervals.md` has the coverage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from howsure.arrays import Array
from howsure.intervals.auc import student
from howsure.intervals.declare import Basis, Request, Span, method, registry
from howsure.intervals.proportion import Shares
from howsure.intervals.roots import bisect_arrays
from howsure.results import Interval

ADDED = 3.0  # cases with either outcome, spread over the bins: rare outcomes may be missing from all of them
LEAST = 20  # cases


@dataclass(frozen=True)
class Gaps:
    """The bins that have cases: how many, how far off each is, and the variances of a case's outcome in it."""

    cases: Array
    gaps: Array
    variances: Array  # the larger of what the probabilities and what the outcomes say
    with_added: Array  # the same, no smaller than with a few cases of either outcome added

    @property
    def n(self) -> float:
        return float(self.cases.sum())

    @property
    def mean(self) -> float:
        return float((self.cases * self.gaps).sum()) / self.n


@method("folded-normal", title="inverted distribution of a mean distance", needs="gaps")
def _folded_normal(basis: Basis, request: Request) -> Interval:
    """Take the distances, alike in all bins or shared as they seem to be, of which this mean is no unusual sample."""
    seen: Gaps = basis.evidence
    if seen.n < LEAST:
        reason = f"{seen.n:.3g} cases are too few for an interval of a calibration error; at least {LEAST} are needed"
        return request.undefined(reason, "folded-normal")
    low, high = _distances(np.array(_shapes(seen)), seen, request)
    high = max(high, mean_of_folded(0.0, seen, seen.with_added)[1])
    return request.close(low, high, "folded-normal", basis.span)


def _shapes(seen: Gaps) -> list[Array]:
    """How the distance may be shared among the bins: alike, or as in this sample, less what chance brings."""
    alike = np.ones(len(seen.cases))
    clear = np.sqrt(np.maximum(seen.gaps**2 - seen.variances / seen.cases, 0.0))
    mean = float((seen.cases * clear).sum()) / seen.n
    return [alike, clear / mean if mean > 0 else alike]


def _distances(shapes: Array, seen: Gaps, request: Request) -> Span:
    """Give both ends of the mean distances, shared by any of these shapes, of which that seen is no unusual sample."""
    quantile, weight = student(seen.n - 1, request), seen.cases / seen.n
    # How many cases fall into the bins that are off most is chance, too.
    by_number = np.sqrt(np.maximum((weight * shapes**2).sum(-1) - (weight * shapes).sum(-1) ** 2, 0.0) / seen.n)
    variances, sign = np.array([seen.variances, seen.with_added])[:, None, None], np.array([1.0, -1.0])[:, None]

    def is_below(distance: Array) -> Array:
        """Whether a high and a low sample (rows) of these true distances, one of each shape, is below what is seen."""
        mean, spread = _mean_of_folded(distance[..., None] * shapes, seen, variances)
        reached = sign * quantile * np.hypot(spread.max(0), distance * by_number)
        return np.asarray(mean[0] + reached < seen.mean)

    none = np.zeros((2, len(shapes)))
    ends = bisect_arrays(is_below, none, np.where(is_below(none), 1.0, none))
    return float(ends[0].min()), float(ends[1].max())


@dataclass(frozen=True)
class Bins:
    """The bins that have cases: how many, the share of positives, and the mean probability.

    ``unseen`` is the number of the others, and ``farthest`` how far off these can be at most.
    """

    cases: Array
    shares: Array
    probabilities: Array
    unseen: int = 0
    farthest: float = 0.0


@method("bins-together", title="exact intervals of all bins together", needs="bins", source="Clopper and Pearson 1934")
def _bins_together(basis: Basis, request: Request) -> Interval:
    """Take an interval of every bin that holds together with the others; the largest distance lies in their maxima.

    Nothing is known of bins without cases: they may be off by as much as any probability in them can be.
    """
    bins: Bins = basis.evidence
    together = Request(1 - 2 * request.alpha / len(bins.cases))  # Bonferroni
    shares = registry["clopper-pearson"].make(Shares((bins.shares * bins.cases, bins.cases)), together)
    low, high = shares.low - bins.probabilities, shares.high - bins.probabilities
    least, most = np.maximum(np.maximum(low, -high), 0), np.maximum(np.abs(low), np.abs(high))
    every = len(bins.cases) + bins.unseen
    notes = (f"{bins.unseen} of {every} bins have no case, so how far off they are is unknown",) if bins.unseen else ()
    farthest = max(float(most.max()), bins.farthest)
    return request.close(float(least.max()), farthest, "bins-together", basis.span, notes)


def mean_of_folded(distance: float | Array, seen: Gaps, variances: Array) -> Span:
    """Mean and standard deviation of the mean distance in a sample, where bins are truly off by ``distance``."""
    mean, spread = _mean_of_folded(np.asarray(distance), seen, variances)
    return float(mean), float(spread)


def _mean_of_folded(distance: Array, seen: Gaps, variances: Array) -> tuple[Array, Array]:
    """The same of many at once; the last axis runs over the bins."""
    from scipy.special import erf

    weight, error = seen.cases / seen.n, np.sqrt(variances / seen.cases)
    ratio = distance / np.maximum(error, 1e-300)
    folded = error * math.sqrt(2 / math.pi) * np.exp(-(np.minimum(ratio, 40.0) ** 2) / 2) + distance * erf(
        ratio / math.sqrt(2)
    )
    variance = np.maximum(distance**2 + error**2 - folded**2, 0.0)
    return (weight * folded).sum(-1), np.sqrt((weight**2 * variance).sum(-1))
