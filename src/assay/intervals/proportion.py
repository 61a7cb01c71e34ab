"""Intervals for a proportion: ``successes`` out of ``n``.

Each kernel gives the two bounds that leave probability ``alpha`` out on their side; which of them are
wanted, and the ends of [0, 1], are settled once for all in ``proportion``.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from assay.arrays import Array, Floats
from assay.checks import numbers
from assay.errors import AssayError
from assay.intervals.declare import Basis, Request, method
from assay.results import Interval

Kernel = Callable[[Array, Array, float], tuple[Array, Array]]


class Proportion(Protocol):
    """An interval for a proportion."""

    __name__: str

    def __call__(
        self, successes: ArrayLike, n: ArrayLike, confidence: float = 0.95, side: str = "two-sided"
    ) -> Interval: ...


def z_value(alpha: float) -> float:
    """Give the point that a standard normal variable exceeds with probability ``alpha``."""
    return -NormalDist().inv_cdf(alpha)


def proportion(title: str, source: str) -> Callable[[Kernel], Proportion]:
    """Declare a kernel as a method, and make the function on plain numbers of it."""

    def declare(kernel: Kernel) -> Proportion:
        name = kernel.__name__.replace("_", "-")

        def interval(successes: ArrayLike, n: ArrayLike, confidence: float = 0.95, side: str = "two-sided") -> Interval:
            x, m = np.broadcast_arrays(numbers("successes", successes), numbers("n", n))
            if not ((x >= 0) & (x <= m) & np.isfinite(m)).all():
                raise AssayError(f"`successes` must lie between 0 and `n`, not {successes!r} out of {n!r}.")
            shares = (x > 0) & (x < 1 - 1e-9)  # from 1 on, as 7.5 of 10 in textbooks, it can only be meant as a count
            if shares.any():
                share = f"{x[shares][0]:g}; a share times `n` gives them"
                raise AssayError(f"`successes` must be whole numbers (counts), not {share}.")
            return share_interval(kernel, name, x, m, Request(confidence, side))

        def of_basis(basis: Basis, request: Request) -> Interval:
            successes, n = basis.ratio
            return share_interval(kernel, name, np.asarray(successes, float), np.asarray(n, float), request)

        interval.__name__ = interval.__qualname__ = kernel.__name__
        interval.__doc__ = of_basis.__doc__ = kernel.__doc__
        method(name, title=title, needs="ratio", source=source)(of_basis)
        return interval

    return declare


def share_interval(kernel: Kernel, name: str, x: Floats, n: Floats, request: Request) -> Interval:
    """Give the interval of x successes out of n, which may be effective numbers of cases, or arrays of them."""
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = kernel(x, n, request.alpha)
    empty = (n == 0) | np.isnan(low)
    low = np.where(empty, np.nan, np.clip(low, 0, 1)) if request.side != "upper" else np.where(empty, np.nan, 0.0)
    high = np.where(empty, np.nan, np.clip(high, 0, 1)) if request.side != "lower" else np.where(empty, np.nan, 1.0)
    notes = ("there are too few cases for this interval",) if empty.any() else ()
    return Interval(_scalar(low), _scalar(high), request.confidence, name, request.side, notes=notes)


def wilson_interval(successes: Any, n: Any, request: Request) -> Interval:
    """Wilson's interval of real-valued numbers of cases, which stands in where nothing else shows an error."""
    return share_interval(score_bounds, "wilson", np.asarray(successes, float), np.asarray(n, float), request)


def _scalar(bound: Any) -> Any:
    return float(bound) if np.ndim(bound) == 0 else bound


def score_bounds(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Wilson's bounds, which intervals of differences are made of too."""
    z = z_value(alpha)
    p = x / n
    centre, spread = p + z**2 / (2 * n), z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    scale = 1 + z**2 / n
    # At the ends the bound is 0 or 1 by algebra; say so rather than leave it to rounding.
    low, high = np.where(x == 0, 0, (centre - spread) / scale), np.where(x == n, 1, (centre + spread) / scale)
    return low, high


@proportion("Wilson's score interval", "Wilson 1927")
def wilson(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Invert the score test (Wilson 1927). The default: right on average even for few cases.

    Examples
    --------
    >>> from assay.intervals import wilson
    >>> print(wilson(75, 100, confidence=0.80))
    [0.691, 0.801]
    """
    return score_bounds(x, n, alpha)


@proportion("Wald interval", "p ± z sqrt(p (1 - p) / n)")
def wald(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Add and subtract z standard errors, the variance being p (1 - p) / n; the textbooks' first form.

    Poor for few cases and near 0 and 1, where it has no width: offered because books use it.
    """
    p = x / n
    spread = z_value(alpha) * np.sqrt(p * (1 - p) / n)
    return p - spread, p + spread


@proportion("Wald interval, n - 1", "p ± z sqrt(p (1 - p) / (n - 1))")
def wald_n_1(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Add and subtract z standard errors, the variance being p (1 - p) / (n - 1); the second form."""
    p = x / n
    spread = z_value(alpha) * np.sqrt(p * (1 - p) / (n - 1))
    return p - spread, p + spread


@proportion("Clopper and Pearson's exact interval", "Clopper and Pearson 1934")
def clopper_pearson(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Invert the exact binomial test: never covers less than it says, often more."""
    return _beta(alpha, x, n - x + 1), _beta(1 - alpha, x + 1, n - x)


@proportion("Agresti and Coull's interval", "Agresti and Coull 1998")
def agresti_coull(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Take the Wald interval after adding z²/2 successes and as many failures."""
    z = z_value(alpha)
    m = n + z**2
    p = (x + z**2 / 2) / m
    spread = z * np.sqrt(p * (1 - p) / m)
    return p - spread, p + spread


@proportion("Jeffreys interval", "Brown, Cai and DasGupta 2001")
def jeffreys(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Take the equal tails of the posterior under the prior Beta(1/2, 1/2), and 0 or 1 at the ends."""
    low, high = _beta(alpha, x + 0.5, n - x + 0.5), _beta(1 - alpha, x + 0.5, n - x + 0.5)
    return np.where(x == 0, 0, low), np.where(x == n, 1, high)


@proportion("mid-p interval", "Lancaster 1961")
def mid_p(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Invert the exact test that counts half the probability of what was seen: Clopper-Pearson made less wary."""
    from scipy.special import betainc

    def at_least(p: Array) -> Array:
        """Probability of more than x successes, and half that of x: it grows with p from 0 to 1."""
        more = np.where(x == n, 0, betainc(np.where(x == n, 1, x + 1), np.where(x == n, 1, n - x), p))
        as_many_or_more = np.where(x == 0, 1, betainc(np.where(x == 0, 1, x), n - x + 1, p))
        return np.asarray((more + as_many_or_more) / 2)

    low, high = bisect(at_least, alpha, x.shape), bisect(at_least, 1 - alpha, x.shape)
    return np.where(x == 0, 0, low), np.where(x == n, 1, high)


def bisect(
    rising: Callable[[Array], Array], target: float, shape: tuple[int, ...] = (), low: float = 0.0, high: float = 1.0
) -> Array:
    """Find where a function that rises from ``low`` to ``high`` reaches ``target``, to the last bit or so."""
    left, right = np.full(shape, low), np.full(shape, high)
    for _ in range(60):
        middle = (left + right) / 2
        below = rising(middle) < target
        left, right = np.where(below, middle, left), np.where(below, right, middle)
    return np.asarray((left + right) / 2)


def _beta(probability: float, a: Array, b: Array) -> Array:
    """Quantile of the beta distribution; a parameter 0 puts all of it at that end."""
    from scipy.special import betaincinv

    inside = betaincinv(np.where(a > 0, a, 1), np.where(b > 0, b, 1), probability)
    return np.where(a <= 0, 0.0, np.where(b <= 0, 1.0, inside))
