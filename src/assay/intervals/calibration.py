"""The intervals of the mean and of the largest distance between probabilities and frequencies over bins.

In a sample every bin is off by chance, so the mean distance is above the true one, and above 0 for probabilities that
are exactly right. If all bins were off by one distance, the mean in a sample would be a mean of folded normal values.
The interval holds the distances of which this sample is no unusual one, and 0 among them unless the probabilities are
shown to be wrong. `docs/decisions/2026-11-16-score-intervals.md` has the coverage.
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
    """Take the distances, the same in all bins, of which this mean is no unusual sample."""
    seen: Gaps = basis.evidence
    if seen.n < LEAST:
        reason = f"{seen.n:.3g} cases are too few for an interval of a calibration error; at least {LEAST} are needed"
        return request.undefined(reason, "folded-normal")
    quantile = student(seen.n - 1, request)

    def is_below(distance: float, sign: float) -> bool:
        """Whether a high or a low sample of this true distance is below what is seen."""
        mean, spread = mean_of_folded(distance, seen, seen.variances)
        return mean + sign * quantile * max(spread, mean_of_folded(distance, seen, seen.with_added)[1]) < seen.mean

    low, high = (_last(partial(is_below, sign=sign)) for sign in (1, -1))
    high = max(high, mean_of_folded(0.0, seen, seen.with_added)[1])
    return request.close(low, high, "folded-normal", basis.span)


@dataclass(frozen=True)
class Bins:
    """The bins that have cases: how many, the share of positives, and the mean probability."""

    cases: Array
    shares: Array
    probabilities: Array


@method("bins-together", title="exact intervals of all bins together", needs="bins", source="Clopper and Pearson 1934")
def _bins_together(basis: Basis, request: Request) -> Interval:
    """Take an interval of every bin that holds together with the others; the largest distance lies in their maxima.

    Bins without cases are not spoken of.
    """
    bins: Bins = basis.evidence
    together = Request(1 - 2 * request.alpha / len(bins.cases))  # Bonferroni
    shares = registry["clopper-pearson"].make(Shares((bins.shares * bins.cases, bins.cases)), together)
    low, high = shares.low - bins.probabilities, shares.high - bins.probabilities
    least, most = np.maximum(np.maximum(low, -high), 0), np.maximum(np.abs(low), np.abs(high))
    return request.close(float(least.max()), float(most.max()), "bins-together", basis.span)


def mean_of_folded(distance: float, seen: Gaps, variances: Array) -> Span:
    """Mean and standard deviation of the mean distance in a sample, where every bin is truly off by ``distance``."""
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
