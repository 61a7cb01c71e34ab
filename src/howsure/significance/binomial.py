"""Exact binomial tail probabilities and p-values."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right

from howsure.intervals.proportion import MANY, beta_below

EQUAL = 1e-7  # relative tolerance within which two outcomes count as equally probable, as in SciPy's binomtest


def at_most(x: int, n: int, p: float) -> float:
    """P(X <= x) for X binomial(n, p)."""
    if min(x, n - x) >= MANY:
        return float(beta_below(1 - p, n - x, x + 1))
    from scipy.special import betaincc

    return 0.0 if x < 0 else 1.0 if x >= n else float(betaincc(x + 1, n - x, p))


def at_least(x: int, n: int, p: float) -> float:
    """P(X >= x) for X binomial(n, p)."""
    if min(x, n - x) >= MANY:
        return float(beta_below(p, x, n - x + 1))
    from scipy.special import betainc

    return 1.0 if x <= 0 else 0.0 if x > n else float(betainc(x, n - x + 1, p))


def binomial_pvalue(x: int, n: int, p: float, alternative: str) -> float:
    """P-value of x errors in n cases.

    The two-sided p-value is the total probability of all counts that are no more probable than x.
    """
    if alternative != "two-sided":
        return at_most(x, n, p) if alternative == "less" else at_least(x, n, p)
    if x == n * p:
        return 1.0

    def likelihood(k: int) -> float:
        """Log probability of k errors.

        The two log factorials are added first, so that the values for k and n - k agree exactly.
        """
        log_choose = math.lgamma(n + 1) - (math.lgamma(k + 1) + math.lgamma(n - k + 1))
        return log_choose + k * math.log(p) + (n - k) * math.log1p(-p)

    limit = likelihood(x) + EQUAL
    # The probability rises up to n p and falls beyond it, so the start of the other tail can be found by bisection.
    if x < n * p:
        right = range(math.ceil(n * p), n + 1)
        start = right.start + bisect_left(right, -limit, key=lambda k: -likelihood(k))
        return min(1.0, at_most(x, n, p) + at_least(start, n, p))
    left = range(math.floor(n * p) + 1)
    return min(1.0, at_most(bisect_right(left, limit, key=likelihood) - 1, n, p) + at_least(x, n, p))


def fair_coin(heads: int, n: int, alternative: str, mid_p: bool = False) -> float:
    """P-value of the number of heads in n tosses of a fair coin.

    With ``mid_p``, only half the probability of the observed number is counted.
    """

    def upper(x: int) -> float:
        exact = at_least(x, n, 0.5)
        return (exact + at_least(x + 1, n, 0.5)) / 2 if mid_p else exact

    if alternative == "two-sided":
        return min(1.0, 2 * upper(max(heads, n - heads)))
    return upper(heads if alternative == "greater" else n - heads)
