"""Upper tails of the studentized range and of Dunnett's statistic, by quadrature.

Both are tails of normal variables, mixed over the distribution of the standard deviation that divides them. Sums over
even steps converge exponentially for such smooth integrands. Tails are summed as tails, so that a small one is not what
rounding leaves of 1 minus something; SciPy's distribution of the range ends at 1e-14 or so.
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
_ENOUGH = 80.0  # what is further out than exp(-80) is left out


def range_tail(k: int, df: float) -> Tail:
    """P(Q > q) of the range of k means over their standard error."""
    biggest = k * _PHI * np.exp((k - 1) * log_ndtr(_Z))

    def normal(q: Array) -> Array:
        with np.errstate(divide="ignore"):  # q = 0: the log of 0 gives a tail of 1
            beyond = -np.expm1((k - 1) * np.log1p(-np.minimum(ndtr(_Z - q[:, None]) / ndtr(_Z), 1.0)))
        return np.asarray(beyond @ biggest)

    return _mixed(normal, df)


def dunnett_tail(others: int, df: float) -> Tail:
    """P(largest absolute t > d) of ``others`` means compared with one control, all of the same number of rows."""

    def normal(d: Array) -> Array:
        edge = math.sqrt(2) * d[:, None]
        outside = np.minimum(ndtr(_Z - edge) + ndtr(-_Z - edge), 1.0)
        with np.errstate(divide="ignore"):
            beyond = -np.expm1(others * np.log1p(-outside))
        return np.asarray(beyond @ _PHI)

    return _mixed(normal, df)


def point(tail: Tail, alpha: float) -> float:
    """Where the tail is ``alpha``."""
    from scipy.optimize import brentq

    high = 8.0
    while tail(high) > alpha:
        high *= 4
    return float(brentq(lambda x: tail(x) - alpha, 0.0, high, xtol=1e-13, rtol=1e-13))


def _mixed(normal: Callable[[Array], Array], df: float) -> Tail:
    if math.isinf(df):
        return lambda x: possible(normal(np.array([x]))[0])
    # even steps in t, the log of s / sigma, whose density is proportional to exp(df (t - e^2t / 2))
    reach = _ENOUGH / df
    steps = min(0.1, 0.4 / math.sqrt(df))
    t = np.arange(-reach - math.sqrt(reach), math.log1p(4 * reach + 4 * math.sqrt(reach)) / 2, steps)
    density = np.exp(df * (t - np.expm1(2 * t) / 2))
    density /= density.sum()
    scale = np.exp(t)
    return lambda x: possible(density @ normal(x * scale))
