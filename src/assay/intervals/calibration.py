"""The intervals of the mean and of the largest distance between probabilities and frequencies over bins.

In a sample every bin is off by chance, so the mean distance is above the true one, and above 0 for probabilities that
are exactly right. If it were known how the bins share the distance, the mean in a sample would be a mean of folded
normal values. The interval holds the distances of which this sample is no unusual one, shared alike by all bins or as
they seem to be shared, and 0 among them unless the probabilities are shown to be wrong.
`docs/decisions/2026-11-16-score-intervals.md` has the coverage.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from assay.arrays import Array
from assay.intervals.auc import student
from assay.intervals.declare import Basis, Request, Span, method, registry
from assay.intervals.proportion import Shares
from assay.results import Interval

ADDED = 3.0  # cases with either outcome, spread over the bins: rare outcomes may be missing from all of them
LEAST = 20  # cases
STEPS = 60


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
    found = [_distances(shape, seen, request) for shape in _shapes(seen)]
    high = max(*(high for _, high in found), mean_of_folded(0.0, seen, seen.with_added)[1])
    return request.close(min(low for low, _ in found), high, "folded-normal", basis.span)


def _shapes(seen: Gaps) -> list[Array]:
    """How the distance may be shared among the bins: alike, or as in this sample, less what chance brings."""
    alike = np.ones(len(seen.cases))
    clear = np.sqrt(np.maximum(seen.gaps**2 - seen.variances / seen.cases, 0.0))
    mean = float((seen.cases * clear).sum()) / seen.n
    return [alike, clear / mean if mean > 0 else alike]


def _distances(shape: Array, seen: Gaps, request: Request) -> Span:
    """Give both ends of the mean distances, shared by this shape, of which the one seen is no unusual sample."""
    quantile, weight = student(seen.n - 1, request), seen.cases / seen.n
    # How many cases fall into the bins that are off most is chance, too.
    by_number = math.sqrt(max(float((weight * shape**2).sum() - (weight * shape).sum() ** 2), 0.0) / seen.n)

    def is_below(distance: float, sign: float) -> bool:
        """Whether a high or a low sample of this true distance is below what is seen."""
        mean, spread = mean_of_folded(distance * shape, seen, seen.variances)
        spread = max(spread, mean_of_folded(distance * shape, seen, seen.with_added)[1])
        return mean + sign * quantile * math.hypot(spread, distance * by_number) < seen.mean

    return _last(partial(is_below, sign=1)), _last(partial(is_below, sign=-1))


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
    from scipy.special import erf

    weight, error = seen.cases / seen.n, np.sqrt(variances / seen.cases)
    ratio = distance / np.maximum(error, 1e-300)
    folded = error * math.sqrt(2 / math.pi) * np.exp(-(np.minimum(ratio, 40.0) ** 2) / 2) + distance * erf(
        ratio / math.sqrt(2)
    )
    variance = np.maximum(distance**2 + error**2 - folded**2, 0.0)
    return float((weight * folded).sum()), math.sqrt(float((weight**2 * variance).sum()))


def _last(is_below: Callable[[float], bool]) -> float:
    """Find the largest distance that is below; 0 where none is."""
    if not is_below(0.0):
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return low
