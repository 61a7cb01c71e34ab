"""Intervals for the expected and maximum calibration errors.

The sampling error of each bin biases the expected calibration error upwards, even for calibrated probabilities. If the
true gaps of the bins were d_b, each observed gap would be folded normal, with mean

    s_b sqrt(2 / pi) exp(-d_b² / 2 s_b²) + d_b erf(d_b / s_b sqrt(2))

and standard error s_b. The interval inverts this distribution: it contains the mean gaps that the data do not reject,
with either equal gaps in all bins or gaps proportional to the observed ones. It contains 0 unless the probabilities are
significantly miscalibrated. The coverage is in docs/decisions/2026-11-18-score-intervals.md.
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

ADDED = 3.0  # number of pseudo-cases, half of them positive, spread over the bins in case none contains a rare outcome
MINIMUM = 20  # minimum number of cases for an interval for the expected calibration error


@dataclass(frozen=True)
class Gaps:
    """Bins with cases: their sizes, gaps, and outcome variances."""

    cases: Array
    gaps: Array
    variances: Array  # p (1 - p) of the probabilities or of the outcomes, whichever is larger
    with_added: Array  # the same, but not less than with pseudo-cases added

    @property
    def n(self) -> float:
        return float(self.cases.sum())

    @property
    def mean(self) -> float:
        return float((self.cases * self.gaps).sum()) / self.n


@method("folded-normal", title="inverted distribution of the mean calibration gap", needs="gaps")
def _folded_normal(basis: Basis, request: Request) -> Interval:
    """Mean gaps that the observed one does not reject (folded normal gaps)."""
    gaps: Gaps = basis.evidence
    if gaps.n < MINIMUM:
        reason = f"{gaps.n:.3g} cases are too few for an interval of a calibration error; at least {MINIMUM} are needed"
        return request.undefined(reason, "folded-normal")
    low, high = _limits(np.array(_shapes(gaps)), gaps, request)
    high = max(high, mean_of_folded(0.0, gaps, gaps.with_added)[1])
    return request.close(low, high, "folded-normal", basis.span)


def _shapes(gaps: Gaps) -> list[Array]:
    """Return the ratios of the gaps to their mean: equal, and as observed."""
    equal = np.ones(len(gaps.cases))
    unbiased = np.sqrt(np.maximum(gaps.gaps**2 - gaps.variances / gaps.cases, 0.0))
    mean = float((gaps.cases * unbiased).sum()) / gaps.n
    return [equal, unbiased / mean if mean > 0 else equal]


def _limits(shapes: Array, gaps: Gaps, request: Request) -> Span:
    """Return the smallest and largest mean gaps that are not rejected."""
    quantile, weight = student(gaps.n - 1, request), gaps.cases / gaps.n
    # The sizes of the bins with large gaps are also random.
    of_sizes = np.sqrt(np.maximum((weight * shapes**2).sum(-1) - (weight * shapes).sum(-1) ** 2, 0.0) / gaps.n)
    variances, sign = np.array([gaps.variances, gaps.with_added])[:, None, None], np.array([1.0, -1.0])[:, None]

    def is_below(distance: Array) -> Array:
        # Rows: the upper and the lower quantile of the observed mean gap, given the true one.
        mean, spread = _mean_of_folded(distance[..., None] * shapes, gaps, variances)
        quantiles = mean[0] + sign * quantile * np.hypot(spread.max(0), distance * of_sizes)
        return np.asarray(quantiles < gaps.mean)

    none = np.zeros((2, len(shapes)))  # limit used if even calibrated probabilities would have a larger mean gap
    ends = bisect_arrays(is_below, none, np.where(is_below(none), 1.0, none))
    return float(ends[0].min()), float(ends[1].max())


@dataclass(frozen=True)
class Bins:
    """Bins with cases: sizes, shares of positives and mean probabilities.

    ``unseen`` is the number of bins without cases, and ``farthest`` the largest gap that these can have.
    """

    cases: Array
    shares: Array
    probabilities: Array
    unseen: int = 0
    farthest: float = 0.0


@method("bins-together", title="simultaneous exact intervals of bins", needs="bins", source="Clopper and Pearson 1934")
def _bins_together(basis: Basis, request: Request) -> Interval:
    """Largest gap within simultaneous Clopper-Pearson intervals of all bins.

    The Bonferroni correction makes the intervals simultaneous. A bin without cases is assumed to
    have its largest possible gap.
    """
    bins: Bins = basis.evidence
    together = Request(1 - 2 * request.alpha / len(bins.cases))  # Bonferroni correction
    shares = registry["clopper-pearson"].make(Shares((bins.shares * bins.cases, bins.cases)), together)
    low, high = shares.low - bins.probabilities, shares.high - bins.probabilities
    least, most = np.maximum(np.maximum(low, -high), 0), np.maximum(np.abs(low), np.abs(high))
    every = len(bins.cases) + bins.unseen
    notes = (f"{bins.unseen} of {every} bins have no cases, so their gaps are unknown",) if bins.unseen else ()
    farthest = max(float(most.max()), bins.farthest)
    return request.close(float(least.max()), farthest, "bins-together", basis.span, notes)


def mean_of_folded(distance: float | Array, gaps: Gaps, variances: Array) -> Span:
    """Return the mean and standard deviation of the mean gap, given true gaps."""
    mean, spread = _mean_of_folded(np.asarray(distance), gaps, variances)
    return float(mean), float(spread)


def _mean_of_folded(distance: Array, gaps: Gaps, variances: Array) -> tuple[Array, Array]:
    """Return these for an array of true gaps, with the bins on the last axis."""
    from scipy.special import erf

    weight, error = gaps.cases / gaps.n, np.sqrt(variances / gaps.cases)
    ratio = distance / np.maximum(error, 1e-300)
    folded = error * math.sqrt(2 / math.pi) * np.exp(-(np.minimum(ratio, 40.0) ** 2) / 2) + distance * erf(
        ratio / math.sqrt(2)
    )
    variance = np.maximum(distance**2 + error**2 - folded**2, 0.0)
    return (weight * folded).sum(-1), np.sqrt((weight**2 * variance).sum(-1))
