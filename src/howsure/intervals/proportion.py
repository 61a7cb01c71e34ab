"""Intervals for a proportion: ``successes`` out of ``n``.

Each kernel gives the two bounds that leave probability ``alpha`` out on their side; which of them are
wanted, and the ends of [0, 1], are settled once for all in ``proportion``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array, Floats
from howsure.checks import numbers, tail
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError
from howsure.intervals.declare import Basis, Request, method, scalar
from howsure.results import Interval

TOO_FEW = "there are too few cases for this interval"
NOT_COMPUTED = "this interval cannot be computed for counts of this size at this confidence; another method may do"
MOST_HALVINGS = 250  # enough for a bound of 1e-60; where the bound is near 1/2, the digits end after 53
CLOSE = 2e-11  # agreement that shows a quantile to be right
MANY = 1e8
FEW = 3  # successes, or failures, of which Wilson's bound is not used
FAR = 8.0
# The bounds of `few_ends` at 95 %, as SciPy 1.17 has them: to import it takes longer than all else of a small table.
USUAL_ALPHA = tail(0.95, "two-sided")
USUAL_ENDS = (0.0, 0.025317807984289897, 0.24220927854396507, 0.6186721228956015)
Kernel = Callable[[Array, Array, float], tuple[Array, Array]]


@dataclass(frozen=True)
class Shares(Basis):
    """Successes out of cases, several at once: two columns."""

    ratio: Any


class Proportion(Protocol):
    """An interval for a proportion."""

    __name__: str

    def __call__(
        self, successes: ArrayLike, n: ArrayLike, confidence: float = 0.95, side: str = "two-sided"
    ) -> Interval: ...


def z_value(alpha: float) -> float:
    """Give the point that a standard normal variable exceeds with probability ``alpha``."""
    return -NormalDist().inv_cdf(alpha)


def proportion(title: str, source: str, *, modifies: str = "") -> Callable[[Kernel], Proportion]:
    """Declare a kernel as a method, and make the function on plain numbers of it."""

    def declare(kernel: Kernel) -> Proportion:
        name = kernel.__name__.replace("_", "-")

        def interval(successes: ArrayLike, n: ArrayLike, confidence: float = 0.95, side: str = "two-sided") -> Interval:
            x, m = numbers("successes", successes), numbers("n", n)
            try:
                x, m = np.broadcast_arrays(x, m)
            except ValueError:
                raise HowsureError(f"`successes` and `n` must have one shape, not {x.shape} and {m.shape}.") from None
            if not ((x >= 0) & (x <= m) & np.isfinite(m)).all():
                raise HowsureError(f"`successes` must lie between 0 and `n`, not {successes!r} out of {n!r}.")
            shares = (x > 0) & (x < 1 - 1e-9)  # from 1 on, as 7.5 of 10 in textbooks, it can only be meant as a count
            if shares.any():
                share = f"{x[shares][0]:g}; a share times `n` gives them"
                raise HowsureError(f"`successes` must be whole numbers (counts), not {share}.")
            return share_interval(kernel, name, x, m, Request(confidence, side))

        def of_basis(basis: Basis, request: Request) -> Interval:
            successes, n = basis.ratio
            return share_interval(kernel, name, np.asarray(successes, float), np.asarray(n, float), request)

        interval.__name__ = interval.__qualname__ = kernel.__name__
        interval.__doc__ = of_basis.__doc__ = kernel.__doc__
        method(name, title=title, needs="ratio", source=source, modifies=modifies)(of_basis)
        return interval

    return declare


def share_interval(kernel: Kernel, name: str, x: Floats, n: Floats, request: Request) -> Interval:
    """Give the interval of x successes out of n, which may be effective numbers of cases, or arrays of them."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        low, high = kernel(x, n, request.alpha)
        share = x / n
    empty = (n == 0) | np.isnan(low) | np.isnan(high)
    low = np.where(empty, np.nan, np.clip(low, 0, 1)) if request.side != "upper" else np.where(empty, np.nan, 0.0)
    high = np.where(empty, np.nan, np.clip(high, 0, 1)) if request.side != "lower" else np.where(empty, np.nan, 1.0)
    notes = (TOO_FEW if (n[empty] <= 1).any() else NOT_COMPUTED,) if empty.any() else ()
    interval = Interval(scalar(low), scalar(high), request.confidence, name, request.side, notes=notes)
    return request.hold(interval, share)


def wilson_interval(successes: Any, n: Any, request: Request) -> Interval:
    """Wilson's interval of real-valued numbers of cases, which stands in where nothing else shows an error."""
    return share_interval(score_bounds, "wilson", np.asarray(successes, float), np.asarray(n, float), request)


def score_bounds(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Wilson's bounds, which intervals of differences are made of too."""
    z = z_value(alpha)
    p = x / n
    centre, spread = p + z**2 / 2 / n, z * np.sqrt(p * (1 - p) / n + (z / 2 / n) ** 2)
    scale = 1 + z**2 / n
    # At the ends the bound is 0 or 1 by algebra; say so rather than leave it to rounding.
    low, high = np.where(x == 0, 0, (centre - spread) / scale), np.where(x == n, 1, (centre + spread) / scale)
    return low, high


def modified_bounds(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Wilson's bounds, and wider ones of few successes, or failures (see `modified_wilson`)."""
    low, high = score_bounds(x, n, alpha)
    ends = few_ends(alpha)
    low, high = np.minimum(low, few_bound(x, ends) / n), np.maximum(high, 1 - few_bound(n - x, ends) / n)
    none = -np.expm1(np.log(2 * alpha) / n)
    return np.where(x == n, np.minimum(low, 1 - none), low), np.where(x == 0, np.maximum(high, none), high)


def exact_bounds(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Clopper and Pearson's bounds, which are used where few cases decide."""
    return beta_quantile(alpha, x, n - x + 1), beta_quantile(alpha, x + 1, n - x, upper=True)


@proportion("Wilson's score interval", "Wilson 1927")
@shared_texts
def wilson(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Invert the score test (Wilson 1927): right on average even for few cases. The default is based on it.

    Parameters
    ----------
    {successes_n}
    {confidence}
    {side}

    Returns
    -------
    Interval
        Of the true share, within 0 and 1.

    Examples
    --------
    >>> from howsure.intervals import wilson
    >>> print(wilson(75, 100, confidence=0.80))
    [0.691, 0.801]
    """
    return score_bounds(x, n, alpha)


@proportion("Wilson's interval, modified where counts are few", "Brown, Cai and DasGupta 2001", modifies="wilson")
@shared_texts
def modified_wilson(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Take Wilson's bounds, and wider ones where there are up to three successes, or failures.

    Wilson's lower bound of one success leaves out 16 % where the true share is near 0, however many the cases: the
    exact bound of a Poisson count stands in. And with few cases Wilson's upper bound of no success is too low: that of
    the mid-p interval, 1 - (2 alpha)^(1/n), stands in. The default, which is called wilson where it is the same.

    Parameters
    ----------
    {successes_n}
    {confidence}
    {side}

    Returns
    -------
    Interval
        Of the true share, within 0 and 1.

    Examples
    --------
    >>> from howsure.intervals import modified_wilson, wilson
    >>> print(modified_wilson(1, 30), wilson(1, 30))
    [0.001, 0.167] [0.006, 0.167]
    """
    return modified_bounds(x, n, alpha)


@lru_cache(maxsize=64)  # a table asks for as many intervals of one confidence as it has rows
def few_ends(alpha: float) -> tuple[float, ...]:
    """Give the exact lower bounds of Poisson counts from 0 to three."""
    if alpha == USUAL_ALPHA:
        return USUAL_ENDS
    from scipy.special import gammaincinv

    return (0.0, *map(float, gammaincinv(np.arange(1, FEW + 1), alpha)))


def few_bound(x: Array, ends: tuple[float, ...]) -> Array:
    """Give the bound of a count, which weights may make a real number; infinite where counts are not few."""
    return np.where(x <= FEW, np.interp(x, np.arange(len(ends)), ends), np.inf)


@proportion("Wald interval", "p ± z sqrt(p (1 - p) / n)")
@shared_texts
def wald(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Add and subtract z standard errors, the variance being p (1 - p) / n; the textbooks' first form.

    Poor for few cases and near 0 and 1, where it has no width: offered because books use it.

    Parameters
    ----------
    {successes_n}
    {confidence}
    {side}

    Returns
    -------
    Interval
        Of the true share, within 0 and 1.

    Examples
    --------
    >>> from howsure.intervals import wald
    >>> print(wald(75, 100), wald(0, 20))
    [0.665, 0.835] [0.000, 0.000]
    """
    p = x / n
    spread = z_value(alpha) * np.sqrt(p * (1 - p) / n)
    return p - spread, p + spread


@proportion("Wald interval, n - 1", "p ± z sqrt(p (1 - p) / (n - 1))")
@shared_texts
def wald_n_1(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Add and subtract z standard errors, the variance being p (1 - p) / (n - 1); the second form.

    Parameters
    ----------
    {successes_n}
    {confidence}
    {side}

    Returns
    -------
    Interval
        Of the true share, within 0 and 1.

    Examples
    --------
    >>> from howsure.intervals import wald, wald_n_1
    >>> print(wald_n_1(5, 10), wald(5, 10))
    [0.173, 0.827] [0.190, 0.810]
    """
    p = x / n
    spread = z_value(alpha) * np.sqrt(p * (1 - p) / (n - 1))
    return p - spread, p + spread


@proportion("Clopper and Pearson's exact interval", "Clopper and Pearson 1934")
@shared_texts
def clopper_pearson(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Invert the exact binomial test: never covers less than it says, often more.

    Parameters
    ----------
    {successes_n}
    {confidence}
    {side}

    Returns
    -------
    Interval
        Of the true share, within 0 and 1.

    Examples
    --------
    >>> from howsure.intervals import clopper_pearson
    >>> print(clopper_pearson(0, 20, side="upper"))
    [0.000, 0.139]
    """
    return exact_bounds(x, n, alpha)


@proportion("Agresti and Coull's interval", "Agresti and Coull 1998")
@shared_texts
def agresti_coull(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Take the Wald interval after adding z²/2 successes and as many failures.

    Parameters
    ----------
    {successes_n}
    {confidence}
    {side}

    Returns
    -------
    Interval
        Of the true share, within 0 and 1.

    Examples
    --------
    >>> from howsure.intervals import agresti_coull
    >>> print(agresti_coull(75, 100))
    [0.656, 0.825]
    """
    z = z_value(alpha)
    m = n + z**2
    p = (x + z**2 / 2) / m
    spread = z * np.sqrt(p * (1 - p) / m)
    return p - spread, p + spread


@proportion("Jeffreys interval", "Brown, Cai and DasGupta 2001")
@shared_texts
def jeffreys(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Take the equal tails of the posterior under the prior Beta(1/2, 1/2), and 0 or 1 at the ends.

    Parameters
    ----------
    {successes_n}
    {confidence}
    {side}

    Returns
    -------
    Interval
        Of the true share, within 0 and 1.

    Examples
    --------
    >>> from howsure.intervals import jeffreys
    >>> print(jeffreys(75, 100))
    [0.659, 0.827]
    """
    a, b = x + 0.5, n - x + 0.5
    low, high = beta_quantile(alpha, a, b), beta_quantile(alpha, a, b, upper=True)
    return np.where(x == 0, 0, low), np.where(x == n, 1, high)


@proportion("mid-p interval", "Lancaster 1961")
@shared_texts
def mid_p(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Invert the exact test that counts half the probability of what was seen: Clopper-Pearson made less wary.

    Parameters
    ----------
    {successes_n}
    {confidence}
    {side}

    Returns
    -------
    Interval
        Of the true share, within 0 and 1.

    Examples
    --------
    >>> from howsure.intervals import clopper_pearson, mid_p
    >>> print(mid_p(3, 20), clopper_pearson(3, 20))
    [0.040, 0.356] [0.032, 0.379]
    """
    from scipy.special import betainc, betaincc

    many = np.minimum(x, n - x) >= MANY
    x_, n_ = np.where(many, 1, x), np.where(many, 2, n)

    def half_seen(of: Callable[..., Any], p: Array, *, more: float, seen: float) -> Array:
        """Mean of the tails with and without what was seen, which are ``more`` and ``seen`` where they are certain."""
        without = np.where(x_ == n_, more, of(np.where(x_ == n_, 1, x_ + 1), np.where(x_ == n_, 1, n_ - x_), p))
        with_seen = np.where(x_ == 0, seen, of(np.where(x_ == 0, 1, x_), n_ - x_ + 1, p))
        return np.asarray((without + with_seen) / 2)

    # The probability of more than x, and half that of x, grows with p from 0 to 1; that of fewer, and half, falls.
    low = bisect(lambda p: half_seen(betainc, p, more=0, seen=1), alpha, x.shape)
    high = bisect(lambda p: -half_seen(betaincc, p, more=1, seen=0), -alpha, x.shape)
    if many.any():  # then half of what was seen is in the middle of all and none of it, to thirteen digits
        low = np.where(many, (beta_quantile(alpha, x, n - x + 1) + beta_quantile(alpha, x + 1, n - x)) / 2, low)
        without, with_seen = (beta_quantile(alpha, x + 1 - d, n - x + d, upper=True) for d in (0, 1))
        high = np.where(many, (without + with_seen) / 2, high)
    return np.where(x == 0, 0, low), np.where(x == n, 1, high)


def bisect(
    rising: Callable[[Array], Array], target: float, shape: tuple[int, ...] = (), low: float = 0.0, high: float = 1.0
) -> Array:
    """Find where a function that rises from ``low`` to ``high`` reaches ``target``, to the last bit or so."""
    left, right = np.full(shape, low), np.full(shape, high)
    for _ in range(MOST_HALVINGS):
        middle = (left + right) / 2
        if ((middle <= left) | (middle >= right)).all():
            break
        below = rising(middle) < target
        left, right = np.where(below, middle, left), np.where(below, right, middle)
    return np.asarray((left + right) / 2)


def beta_quantile(alpha: float, a: Array, b: Array, *, upper: bool = False) -> Array:
    """Point of a beta distribution below which (``upper``: above which) lies ``alpha``; a parameter 0 puts all there.

    SciPy's inverse fails without a word for parameters as unlike as 1,000 and 10**9, while its distribution function
    is good to ten digits: so each quantile is put back into that, and sought by bisection where it does not fit. From
    10**8 on in both parameters the distribution function has holes too, and three moments are as good as exact.
    """
    from scipy.special import betainc, betaincc, betaincinv

    at_end, many = (a <= 0) | (b <= 0), np.minimum(a, b) >= MANY
    a_, b_ = np.where(at_end | many, 1, a), np.where(at_end | many, 1, b)
    tail_of, sign = (betaincc, -1) if upper else (betainc, 1)
    inside = np.asarray(betaincinv(a_, b_, 1 - alpha if upper else alpha))
    wrong = ~(np.abs(tail_of(a_, b_, inside) - alpha) <= CLOSE * alpha)
    if wrong.any():
        a_, b_ = a_[wrong], b_[wrong]
        sought = bisect(lambda p: sign * tail_of(a_, b_, p), sign * alpha, a_.shape)
        below, above = (sign * tail_of(a_, b_, np.clip(sought * (1 + step), 0, 1)) for step in (-CLOSE, CLOSE))
        is_found = (below <= sign * alpha) & (above >= sign * alpha)
        inside[wrong] = np.where(is_found, sought, np.nan)
    if many.any():
        inside[many] = _by_moments(-sign * z_value(alpha), a[many], b[many])
    return np.where(at_end, np.where(a <= 0, 0.0, 1.0), inside)


def beta_below(p: ArrayLike, a: ArrayLike, b: ArrayLike, *, many: float = MANY) -> Array:
    """Probability that a beta variable is below p: SciPy's up to ``many``, by moments from there on.

    From 10**12 on SciPy's is wrong here and there in the third digit, and long before it takes its time. The moments
    are good to 1e-6 from 10**4 on, and to 1e-11 from 10**8 on.
    """
    from scipy.special import betainc, ndtr

    p, a, b = np.broadcast_arrays(*(np.asarray(part, float) for part in (p, a, b)))
    large = np.minimum(a, b) >= many
    below = np.asarray(betainc(np.where(large, 1, a), np.where(large, 1, b), p))
    if large.any():
        mean, deviation, skew, excess = _moments(a[large], b[large])
        y = (p[large] - mean) / deviation
        bend = skew * (y**2 - 1) / 6 + excess * (y**3 - 3 * y) / 24 - skew**2 * (4 * y**3 - 7 * y) / 36
        far = np.abs(y) > FAR  # where the expansion is none any more, and the probability is below 1e-15
        below[large] = ndtr(np.where(far, y, y - bend))
    return below


def _by_moments(z: float, a: Array, b: Array) -> Array:
    """Give the quantile of a beta distribution by Cornish and Fisher's expansion, to 4e-11 standard deviations.

    That is its error where both parameters are 10**8 and alpha is 10**-12, and it falls with their size.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # of more cases than numbers can hold, NaN
        mean, deviation, skew, excess = _moments(a, b)
        bend = skew * (z**2 - 1) / 6 + excess * (z**3 - 3 * z) / 24 - skew**2 * (2 * z**3 - 5 * z) / 36
        return np.asarray(mean + deviation * (z + bend))


def _moments(a: Array, b: Array) -> tuple[Array, Array, Array, Array]:
    """Give the mean, the standard deviation, the skewness and the excess of kurtosis of a beta distribution."""
    n = a + b
    deviation = np.sqrt(a / n * (b / n) / (n + 1))
    skew = 2 * ((b - a) / (n + 2)) * np.sqrt((n + 1) / a / b)
    excess = 6 * (((a - b) / a) * ((a - b) / b) * (n + 1) - (n + 2)) / (n + 2) / (n + 3)
    return a / n, deviation, skew, excess
