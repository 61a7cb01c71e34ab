"""Hodges-Lehmann estimate, and the interval that inverts Wilcoxon's test."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array, Floats, IntArray
from howsure.checks import numbers, tail_probability
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, must
from howsure.intervals.declare import Basis, Request, Span, method
from howsure.intervals.proportion import z_value
from howsure.results import Interval

EXACT_UP_TO = 50  # maximum number of values for the exact distribution; beyond it, the normal one is used
MAX_VALUES = 5_000  # maximum number of values whose pairwise means fit in memory
METHOD = "hodges-lehmann"


def hodges_lehmann_estimate(values: ArrayLike) -> float:
    """Return the median of the means of all pairs of values.

    Each value is also paired with itself.

    Parameters
    ----------
    values
        Numbers, such as differences between two classifiers.

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
    """Interval for a centre, which inverts Wilcoxon's signed-rank test.

    It contains the centres of a symmetric distribution that the test does not reject; if the ``values`` are differences
    between two classifiers, it corresponds to `wilcoxon`. The limits are means of two values (Hodges and Lehmann 1963).
    The test is exact for up to 50 values; for more, it uses the normal distribution with a continuity correction. If
    there are too few values for the test to reject anything at this level, the interval is unbounded.

    Parameters
    ----------
    values
        Numbers, such as differences between two classifiers.
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for the centre.

    Examples
    --------
    >>> from howsure.intervals import hodges_lehmann
    >>> print(hodges_lehmann([0.03, 0.02, 0.05, 0.01, 0.04, 0.06]))
    [0.010, 0.060]
    """
    alpha, confidence = tail_probability(confidence, side), float(confidence)
    sample = _row(values)
    n = len(sample)
    averages = np.sort(walsh_averages(sample))
    rank = _least_rank(n, alpha)
    if rank < 1:
        note = f"{n} values are too few: the signed-rank test cannot reject any centre at this level"
        return Interval(-math.inf, math.inf, confidence, METHOD, side, notes=(note,))
    low = float(averages[rank - 1]) if side != "upper" else -math.inf
    high = float(averages[-rank]) if side != "lower" else math.inf
    return Interval(low, high, confidence, METHOD, side)


@method("hodges-lehmann", title="Hodges and Lehmann's interval", needs="datasets", source="Hodges and Lehmann 1963")
def _hodges_lehmann(basis: Basis, request: Request) -> Interval:
    """Shifts in the differences that the signed-rank test does not reject."""
    interval = hodges_lehmann(basis.values, request.confidence, request.side)
    if math.isinf(interval.low) and math.isinf(interval.high):  # once clipped, it would look like a result
        return interval
    return request.close(interval.low, interval.high, METHOD, basis.span, interval.notes)


@dataclass(frozen=True)
class SignedRanks(Basis):
    """The pseudo-median of differences over independent data sets."""

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
    """Return the means of all pairs, including each value with itself."""
    first, second = np.triu_indices(len(values))
    return np.asarray((values[first] + values[second]) / 2)


def signed_rank_probabilities(ranks: IntArray) -> Floats:
    """Return the null distribution of the sum of positive ranks: 0, 1, ..."""
    # Each rank is in the sum with probability 1/2. Adding a rank averages the distribution with a shifted copy.
    probabilities = np.zeros(int(ranks.sum()) + 1)
    probabilities[0] = 1
    for rank in ranks:
        probabilities[rank:] = (probabilities[rank:] + probabilities[:-rank]) / 2
        probabilities[:rank] /= 2
    return probabilities


def _least_rank(n: int, alpha: float) -> int:
    """Return the rank of the Walsh average that is the lower limit, or 0."""
    # For a centre below the average of rank r, the rank sum is at most r - 1. So r - 1 is the largest rank sum with a
    # lower tail probability of at most alpha.
    if n <= EXACT_UP_TO:
        below = np.cumsum(signed_rank_probabilities(np.arange(1, n + 1)))
        return int(np.searchsorted(below, alpha * (1 + 1e-12), side="right"))
    mean, spread = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return math.floor(mean - 0.5 - z_value(alpha) * spread) + 1


def _row(values: ArrayLike) -> Array:
    array = numbers("values", values)
    if array.ndim != 1 or not len(array) or not np.isfinite(array).all():
        raise HowsureError("`values` must be a sequence of at least one finite number.")
    if len(array) > MAX_VALUES:
        most = f"at most {MAX_VALUES} numbers, since all pairs are formed; `mean_t` has no such limit"
        must("values", most, given=len(array))
    return array
