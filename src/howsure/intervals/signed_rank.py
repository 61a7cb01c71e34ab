"""The Hodges-Lehmann estimate of a centre, and the interval that inverts Wilcoxon's signed-rank test."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array, Floats, IntArray
from howsure.checks import numbers, tail
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, must
from howsure.intervals.declare import Basis, Request, Span, method
from howsure.intervals.proportion import z_value
from howsure.results import Interval

EXACT_UP_TO = 50  # values; beyond, the normal distribution is as good
MOST_VALUES = 5_000
METHOD = "hodges-lehmann"


def hodges_lehmann_estimate(values: ArrayLike) -> float:
    """Give the median of the means of all pairs of values, each value with itself included.

    Parameters
    ----------
    values
        Numbers, such as differences of two classifiers.

    Returns
    -------
    float
        The centre.

    Examples
    --------
    >>> from howsure.intervals import hodges_lehmann_estimate
    >>> hodges_lehmann_estimate([1.0, 2.0, 9.0])
    3.5
    """
    return float(np.median(walsh_averages(_row(values))))


@shared_texts
def hodges_lehmann(values: ArrayLike, confidence: float = 0.95, side: str = "two-sided") -> Interval:
    """Give the centres, of a symmetric distribution, that Wilcoxon's signed-rank test does not reject.

    With differences of two classifiers as ``values``, it is the interval that goes with `wilcoxon`. The ends are means
    of two values. The test is exact for up to 50 values and normal beyond, there corrected for continuity and with ends
    at the neighbouring mean. Where the values are so few that the test can reject nothing at this level, the interval
    is the whole line.

    Parameters
    ----------
    values
        Numbers, such as differences of two classifiers.
    {confidence}
    {side}

    Returns
    -------
    Interval
        Of the centre.

    Examples
    --------
    >>> from howsure.intervals import hodges_lehmann
    >>> print(hodges_lehmann([0.03, 0.02, 0.05, 0.01, 0.04, 0.06]))
    [0.010, 0.060]
    """
    alpha, confidence = tail(confidence, side), float(confidence)
    sample = _row(values)
    n = len(sample)
    averages = np.sort(walsh_averages(sample))
    rank = _least_rank(n, alpha)
    if rank < 1:
        note = f"{n} values are too few: at this level the signed-rank test rejects no centre at all"
        return Interval(-math.inf, math.inf, confidence, METHOD, side, notes=(note,))
    low = float(averages[rank - 1]) if side != "upper" else -math.inf
    high = float(averages[-rank]) if side != "lower" else math.inf
    return Interval(low, high, confidence, METHOD, side)


@method("hodges-lehmann", title="Hodges and Lehmann's interval", needs="datasets", source="Hodges and Lehmann 1963")
def _hodges_lehmann(basis: Basis, request: Request) -> Interval:
    """Give the shifts that the signed-rank test would not reject."""
    interval = hodges_lehmann(basis.values, request.confidence, request.side)
    if math.isinf(interval.low) and math.isinf(interval.high):  # nothing is known: the range would pass for an answer
        return interval
    return request.close(interval.low, interval.high, METHOD, basis.span, interval.notes)


@dataclass(frozen=True)
class SignedRanks(Basis):
    """The shift of differences over data sets, which are independent and of unlike size: the pseudo-median."""

    values: Floats
    span: Span = (-math.inf, math.inf)

    default = "hodges-lehmann"
    offers = frozenset({"datasets"})

    @property
    def value(self) -> float:
        return hodges_lehmann_estimate(self.values) if len(self.values) else math.nan

    @property
    def reason(self) -> str | None:
        return None if len(self.values) else "there is no value"


def walsh_averages(values: Array) -> Floats:
    """Give the means of all pairs of values, each value with itself included."""
    first, second = np.triu_indices(len(values))
    return np.asarray((values[first] + values[second]) / 2)


def signed_rank_probabilities(ranks: IntArray) -> Floats:
    """Give the probability of every sum of ranks, from 0 on, where each rank is in the sum or not as by a fair coin.

    A rank more is the array plus itself, shifted.
    """
    probabilities = np.zeros(int(ranks.sum()) + 1)
    probabilities[0] = 1
    for rank in ranks:
        probabilities[rank:] = (probabilities[rank:] + probabilities[:-rank]) / 2
        probabilities[:rank] /= 2
    return probabilities


def _least_rank(n: int, alpha: float) -> int:
    """Give the rank of the Walsh average that is the lower end; below 1, there is none.

    A centre below the average of rank r leaves at most r - 1 averages below it, so that the rank sum is as far out as
    that; r - 1 is the largest sum that has a probability of at most alpha.
    """
    if n <= EXACT_UP_TO:
        below = np.cumsum(signed_rank_probabilities(np.arange(1, n + 1)))
        return int(np.searchsorted(below, alpha * (1 + 1e-12), side="right"))
    mean, spread = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return math.floor(mean - 0.5 - z_value(alpha) * spread) + 1


def _row(values: ArrayLike) -> Array:
    array = numbers("values", values)
    if array.ndim != 1 or not len(array) or not np.isfinite(array).all():
        raise HowsureError("`values` must be a row of at least 1 finite number.")
    if len(array) > MOST_VALUES:
        most = f"at most {MOST_VALUES} numbers, since the means of all pairs are taken; `mean_t` takes any number"
        must("values", most, given=len(array))
    return array
