"""Upper tails of the studentized range and of Dunnett's statistic.

Both are tails for normal variables, averaged over the distribution of the estimated standard deviation. The trapezoidal
rule on an even grid converges exponentially for such smooth integrands. Tails are integrated directly, so that small
ones are accurate; those of `scipy.stats.studentized_range` do not go below about 1e-14.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.special import log_ndtr, ndtr

from howsure.arrays import Array
from howsure.significance.pvalues import possible

Tail = Callable[[float], float]
_Z = np.arange(-10, 20, 0.125)
_PHI = np.exp(-(_Z**2) / 2) / math.sqrt(2 * math.pi) * 0.125
_LOG_CUTOFF = 80.0  # densities below exp(-80) times the maximum are ignored


def range_tail(k: int, df: float) -> Tail:
    """Return the function q -> P(Q > q) for the studentized range of k means.

    For a known standard deviation, with z the largest of k normal variables, P(Q > q) is the integral of
    k phi(z) Phi(z)^(k-1) (1 - (1 - Phi(z - q) / Phi(z))^(k-1)).
    """
    largest_density = k * _PHI * np.exp((k - 1) * log_ndtr(_Z))

    def normal(q: Array) -> Array:
        with np.errstate(divide="ignore"):  # log(0) for q = 0 gives a tail of 1
            beyond = -np.expm1((k - 1) * np.log1p(-np.minimum(ndtr(_Z - q[:, None]) / ndtr(_Z), 1.0)))
        return np.asarray(beyond @ largest_density)

    return _mixed(normal, df)


def dunnett_tail(others: int, df: float) -> Tail:
    """Return the function d -> P(max |t| > d) for comparisons with a control.

    All means are of the same number of rows, so any two t statistics have the correlation 1/2: given the control's
    deviation z, they are independent, and P is the integral of phi(z) (1 - (1 - P(|t| > d given z))^others).
    """

    def normal(d: Array) -> Array:
        edge = math.sqrt(2) * d[:, None]
        outside = np.minimum(ndtr(_Z - edge) + ndtr(-_Z - edge), 1.0)
        with np.errstate(divide="ignore"):
            beyond = -np.expm1(others * np.log1p(-outside))
        return np.asarray(beyond @ _PHI)

    return _mixed(normal, df)


def point(tail: Tail, alpha: float) -> float:
    """Return the critical value, where the tail probability is ``alpha``."""
    from scipy.optimize import brentq

    high = 8.0
    while tail(high) > alpha:
        high *= 4
    return float(brentq(lambda x: tail(x) - alpha, 0.0, high, xtol=1e-13, rtol=1e-13))


def _mixed(normal: Callable[[Array], Array], df: float) -> Tail:
    """Average a tail for known sigma over the distribution of s."""
    if math.isinf(df):
        return lambda x: possible(normal(np.array([x]))[0])
    # Even steps in t = log(s / sigma), which has a density proportional to exp(df (t - exp(2 t) / 2)).
    reach = _LOG_CUTOFF / df
    steps = min(0.1, 0.4 / math.sqrt(df))
    t = np.arange(-reach - math.sqrt(reach), math.log1p(4 * reach + 4 * math.sqrt(reach)) / 2, steps)
    density = np.exp(df * (t - np.expm1(2 * t) / 2))
    density /= density.sum()
    scale = np.exp(t)
    return lambda x: possible(density @ normal(x * scale))
