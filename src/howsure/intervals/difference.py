"""Intervals for the difference between independent or paired proportions.

Newcombe (1998) combines the Wilson limits (l, u) of the proportions p and q:

    p - q - sqrt((p - l_p)² - 2 r (p - l_p) (u_q - q) + (u_q - q)²),

is the lower limit, and the upper limit is analogous. The correlation r is 0 for independent proportions, and phi of the
2 x 2 table for paired ones. Tango (1998) inverts the score test for a paired difference.
"""

from __future__ import annotations

import math

import numpy as np

from howsure.checks import check_amount
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError
from howsure.intervals.declare import Basis, Request, Span, method
from howsure.intervals.proportion import score_bounds, z_value
from howsure.intervals.roots import bisect
from howsure.results import Interval

DIFFERENCES: Span = (-1.0, 1.0)
MIN_CASES = 1e-100  # quotients of smaller numbers would overflow


@shared_texts
def newcombe(
    successes_a: float,
    n_a: float,
    successes_b: float,
    n_b: float,
    confidence: float = 0.95,
    side: str = "two-sided",
) -> Interval:
    """Newcombe's interval for a difference between independent proportions.

    It combines the Wilson limits of the two proportions (Newcombe 1998, independent proportions, method 10).

    Parameters
    ----------
    successes_a, n_a, successes_b, n_b
        The number of successes and the number of cases in each sample.
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for a - b, within [-1, 1].

    Examples
    --------
    >>> from howsure.intervals import newcombe
    >>> print(newcombe(56, 70, 48, 80))
    [0.052, 0.334]
    """
    request = Request(confidence, side)
    alpha = request.alpha
    x, m = check_amount(successes_a, "successes_a"), check_amount(n_a, "n_a")
    y, k = check_amount(successes_b, "successes_b"), check_amount(n_b, "n_b")
    p, low_a, high_a = _score(x, m, alpha)
    q, low_b, high_b = _score(y, k, alpha)
    low = p - q - math.hypot(p - low_a, high_b - q)
    high = p - q + math.hypot(high_a - p, q - low_b)
    return request.close(low, high, "newcombe", DIFFERENCES)


@shared_texts
def newcombe_paired(
    both: float,
    only_a: float,
    only_b: float,
    neither: float,
    confidence: float = 0.95,
    side: str = "two-sided",
) -> Interval:
    """Newcombe's interval for a difference between paired proportions.

    It combines the Wilson limits of the two proportions (Newcombe 1998, paired proportions, method 10).

    Parameters
    ----------
    both, only_a, only_b, neither
        The numbers of cases that are successes for both, for only one of them, and for neither.
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for a - b, within [-1, 1].

    Examples
    --------
    >>> from howsure.intervals import newcombe_paired
    >>> print(newcombe_paired(36, 12, 2, 0))
    [0.057, 0.340]
    """
    request = Request(confidence, side)
    alpha = request.alpha
    both, only_a = check_amount(both, "both"), check_amount(only_a, "only_a")
    only_b, neither = check_amount(only_b, "only_b"), check_amount(neither, "neither")
    n = _total(both, only_a, only_b, neither)
    p, low_a, high_a = _score(both + only_a, n, alpha)
    q, low_b, high_b = _score(both + only_b, n, alpha)
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    excess = both * neither - only_a * only_b
    if excess > 0:  # continuity correction
        excess = max(excess - n / 2, 0)
    phi = excess / math.sqrt(margins) if margins else 0.0

    def distance(of_a: float, of_b: float) -> float:
        return math.sqrt(max(of_a**2 - 2 * phi * of_a * of_b + of_b**2, 0))

    low = p - q - distance(p - low_a, high_b - q)
    high = p - q + distance(high_a - p, q - low_b)
    return request.close(low, high, "newcombe-paired", DIFFERENCES)


@shared_texts
def tango(e01: float, e10: float, n: float, confidence: float = 0.95, side: str = "two-sided") -> Interval:
    """Tango's interval for the difference in accuracy on the same cases.

    It inverts the score test for a paired difference (Tango 1998). The difference first - second is (e10 - e01) / n.

    Parameters
    ----------
    e01, e10
        The numbers of cases that only the first, and only the second, classifier misclassifies.
    n
        The total number of cases.
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for first - second, within [-1, 1].

    Examples
    --------
    >>> from howsure.intervals import tango
    >>> print(tango(12, 2, 50))
    [-0.345, -0.061]
    """
    e01, e10, n = check_amount(e01, "e01"), check_amount(e10, "e10"), check_amount(n, "n")
    if not (e01 + e10 <= n and n > 0):
        raise HowsureError(f"`e01` and `e10` must be counts that add up to at most `n`, not {e01:g}, {e10:g} of {n:g}.")
    return _tango(e01, e10, n, Request(confidence, side))


@method("tango", title="Tango's interval for paired proportions", needs="discordant", source="Tango 1998")
def _of_discordant(basis: Basis, request: Request) -> Interval:
    """Paired differences that the score test does not reject."""
    return _tango(*basis.discordant, request)


def _tango(loss: float, gain: float, n: float, request: Request) -> Interval:
    z = z_value(request.alpha)

    def score(delta: float) -> float:
        """Return the score statistic, which falls from +inf at -1 to -inf at 1."""
        # (gain - loss - n delta) / sqrt(n (2 q + delta (1 - delta))), where q is the maximum likelihood estimate of the
        # share of losses given delta: the larger root of 2 n q² + linear q + constant = 0, without cancellation.
        linear, constant = -gain - loss + (2 * n - gain + loss) * delta, -loss * delta * (1 - delta)
        root = math.sqrt(max(linear**2 - 8 * n * constant, 0))
        lost = (root - linear) / (4 * n) if linear <= 0 else -2 * constant / (root + linear)
        variance = n * (2 * lost + delta * (1 - delta))
        excess = gain - loss - n * delta
        if variance <= 0:
            return math.copysign(math.inf, excess) if excess else 0.0
        return excess / math.sqrt(variance)

    low = bisect(lambda delta: score(delta) > z, -1.0, 1.0)
    high = bisect(lambda delta: score(delta) > -z, -1.0, 1.0)
    return request.close(low, high, "tango", DIFFERENCES)


def _score(successes: float, n: float, alpha: float) -> tuple[float, float, float]:
    """Return the proportion and its Wilson limits."""
    if not 0 <= successes <= n or not n > MIN_CASES:
        raise HowsureError(
            f"the number of successes must lie between 0 and the number of cases, not {successes:g} out of {n:g}."
        )
    low, high = score_bounds(np.asarray(successes, float), np.asarray(n, float), alpha)
    return successes / n, float(low), float(high)


def _total(*counts: float) -> float:
    if min(counts) < 0 or not sum(counts) > 0:
        raise HowsureError(f"the counts must be non-negative and not all zero, not {counts!r}.")
    return sum(counts)
