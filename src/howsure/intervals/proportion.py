"""Confidence intervals for a proportion: ``successes`` out of ``n``.

Each kernel returns a lower and an upper bound, each with error probability ``alpha``. The decorator ``proportion``
turns it into an interval method and a public function, which handle one-sided intervals and clip the bounds to [0, 1].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array, Floats
from howsure.checks import numbers, tail_probability
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError
from howsure.intervals.declare import Basis, Request, method, scalar
from howsure.intervals.roots import bisect_arrays
from howsure.results import Interval

TOO_FEW = "there are too few cases for this interval"
NOT_COMPUTED = "this interval cannot be computed for counts of this size at this confidence; try another method"
CLOSE = 2e-11  # largest relative error of a beta quantile that is accepted
MANY = 1e8  # if both beta parameters are at least this large, four moments are more accurate than SciPy
FAR = 8.0  # beyond this many standard deviations, the Edgeworth expansion is invalid and the tail is below 1e-15
FEW = 3  # maximum number of successes or failures for which Wilson's bound is replaced
# Values of `few_ends` at 95 %, so that assessing labels does not import SciPy, which takes 0.14 s.
USUAL_ALPHA = tail_probability(0.95, "two-sided")
USUAL_ENDS = (0.0, 0.025317807984289897, 0.24220927854396507, 0.6186721228956015)
Kernel = Callable[[Array, Array, float], tuple[Array, Array]]


@dataclass(frozen=True)
class Shares(Basis):
    """Successes and numbers of cases, as arrays."""

    ratio: Any


class Proportion(Protocol):
    """A function that returns the interval for a proportion."""

    __name__: str

    def __call__(
        self, successes: ArrayLike, n: ArrayLike, confidence: float = 0.95, side: str = "two-sided"
    ) -> Interval: ...


def z_value(alpha: float) -> float:
    """Return the 1 - ``alpha`` quantile of the standard normal distribution."""
    return -NormalDist().inv_cdf(alpha)


def proportion(title: str, source: str, *, modifies: str = "") -> Callable[[Kernel], Proportion]:
    """Register a kernel as a method, and return the public function."""

    def declare(kernel: Kernel) -> Proportion:
        name = kernel.__name__.replace("_", "-")

        def interval(successes: ArrayLike, n: ArrayLike, confidence: float = 0.95, side: str = "two-sided") -> Interval:
            x, m = numbers("successes", successes), numbers("n", n)
            try:
                x, m = np.broadcast_arrays(x, m)
            except ValueError:
                raise HowsureError(
                    f"`successes` and `n` must have the same shape, not {x.shape} and {m.shape}."
                ) from None
            if not ((x >= 0) & (x <= m) & np.isfinite(m)).all():
                raise HowsureError(f"`successes` must lie between 0 and `n`, not {successes!r} out of {n!r}.")
            shares = (x > 0) & (x < 1 - 1e-9)  # a value above 1 can only be a count, such as 7.5 out of 10
            if shares.any():
                share = f"{x[shares][0]:g}; multiply a share by `n`"
                raise HowsureError(f"`successes` must be counts, not {share}.")
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
    """Return the interval for x successes out of n, which may be arrays."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        low, high = kernel(x, n, request.alpha)
        share = x / n
    empty = (n == 0) | np.isnan(low) | np.isnan(high)
    low = np.where(empty, np.nan, np.clip(low, 0, 1)) if request.side != "upper" else np.where(empty, np.nan, 0.0)
    high = np.where(empty, np.nan, np.clip(high, 0, 1)) if request.side != "lower" else np.where(empty, np.nan, 1.0)
    notes = (TOO_FEW if (n[empty] <= 1).any() else NOT_COMPUTED,) if empty.any() else ()
    interval = Interval(scalar(low), scalar(high), request.confidence, name, request.side, notes=notes)
    return request.include(interval, share)


def wilson_interval(successes: Any, n: Any, request: Request) -> Interval:
    """Return Wilson's interval for any real numbers of cases."""
    return share_interval(score_bounds, "wilson", np.asarray(successes, float), np.asarray(n, float), request)


def score_bounds(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Wilson: (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n)."""
    z = z_value(alpha)
    p = x / n
    centre, spread = p + z**2 / 2 / n, z * np.sqrt(p * (1 - p) / n + (z / 2 / n) ** 2)
    scale = 1 + z**2 / n
    # For x = 0 and x = n, the outer bound is exactly 0 or 1.
    low, high = np.where(x == 0, 0, (centre - spread) / scale), np.where(x == n, 1, (centre + spread) / scale)
    return low, high


def modified_bounds(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Return the bounds of `modified_wilson`."""
    low, high = score_bounds(x, n, alpha)
    ends = few_ends(alpha)
    low, high = np.minimum(low, few_bound(x, ends) / n), np.maximum(high, 1 - few_bound(n - x, ends) / n)
    none = -np.expm1(np.log(2 * alpha) / n)
    return np.where(x == n, np.minimum(low, 1 - none), low), np.where(x == 0, np.maximum(high, none), high)


def exact_bounds(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Clopper-Pearson bounds, from Beta(x, n - x + 1) and Beta(x + 1, n - x)."""
    return beta_quantile(alpha, x, n - x + 1), beta_quantile(alpha, x + 1, n - x, upper=True)


@proportion("Wilson's score interval", "Wilson 1927")
@shared_texts
def wilson(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Wilson's score interval (Wilson 1927).

    Its mean coverage is close to the confidence, even for few cases.

    Parameters
    ----------
    {successes_n}
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for the true proportion, within [0, 1].

    Examples
    --------
    >>> from howsure.intervals import wilson
    >>> print(wilson(75, 100, confidence=0.80))
    [0.691, 0.801]
    """
    return score_bounds(x, n, alpha)


@proportion("Wilson's interval, modified for small counts", "Brown, Cai and DasGupta 2001", modifies="wilson")
@shared_texts
def modified_wilson(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Wilson's interval, wider for up to three successes or failures.

    This is the default method. Wilson's lower bound for one success has a coverage of 84 % if the true proportion is
    near 0, for any n. It is replaced by the exact bound for a Poisson count (Brown, Cai and DasGupta 2001). Wilson's
    upper bound for no successes is too low for few cases, and is replaced by that of the mid-p interval,
    1 - (2 alpha)^(1/n). If neither changes the interval, the default method is reported as "wilson".

    Parameters
    ----------
    {successes_n}
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for the true proportion, within [0, 1].

    Examples
    --------
    >>> from howsure.intervals import modified_wilson, wilson
    >>> print(modified_wilson(1, 30), wilson(1, 30))
    [0.001, 0.167] [0.006, 0.167]
    """
    return modified_bounds(x, n, alpha)


def few_ends(alpha: float) -> tuple[float, ...]:
    """Return exact lower bounds for a Poisson mean, for counts 0 to 3."""
    if alpha == USUAL_ALPHA:
        return USUAL_ENDS
    from scipy.special import gammaincinv

    return (0.0, *map(float, gammaincinv(np.arange(1, FEW + 1), alpha)))


def few_bound(x: Array, ends: tuple[float, ...]) -> Array:
    """Interpolate the bounds for counts 0 to 3; infinity for larger counts."""
    return np.where(x <= FEW, np.interp(x, np.arange(len(ends)), ends), np.inf)


@proportion("Wald interval", "p ± z sqrt(p (1 - p) / n)")
@shared_texts
def wald(x: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    """Wald interval: p ± z standard errors, with the variance p (1 - p) / n.

    Its coverage is poor for few cases, and for proportions near 0 and 1; its width is zero for a proportion of 0 or 1.
    It is included because textbooks use it.

    Parameters
    ----------
    {successes_n}
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for the true proportion, within [0, 1].

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
    """Wald interval with the variance p (1 - p) / (n - 1).

    Parameters
    ----------
    {successes_n}
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for the true proportion, within [0, 1].

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
    """Clopper and Pearson's exact interval.

    It inverts the exact binomial test. Its coverage is never below the confidence, and often above it.

    Parameters
    ----------
    {successes_n}
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for the true proportion, within [0, 1].

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
    """Agresti and Coull's interval: Wald after adding z²/2 to both counts.

    Parameters
    ----------
    {successes_n}
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for the true proportion, within [0, 1].

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
    """Jeffreys interval: equal tails of the posterior.

    The prior is Beta(1/2, 1/2). The lower bound for no successes is 0, and the upper bound for no failures is 1.

    Parameters
    ----------
    {successes_n}
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for the true proportion, within [0, 1].

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
    """Mid-p interval (Lancaster 1961).

    It inverts an exact test in which the observed count contributes half its probability. It is less conservative than
    Clopper and Pearson's interval.

    Parameters
    ----------
    {successes_n}
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for the true proportion, within [0, 1].

    Examples
    --------
    >>> from howsure.intervals import clopper_pearson, mid_p
    >>> print(mid_p(3, 20), clopper_pearson(3, 20))
    [0.040, 0.356] [0.032, 0.379]
    """

    def mid_tail(tail_of: Callable[..., Array], p: Array, *, at_n: float, at_0: float) -> Array:
        """Return the mean of the tails with and without x; fixed at x = 0 and n."""
        without = np.where(x == n, at_n, tail_of(p, np.where(x == n, 1, x + 1), np.where(x == n, 1, n - x)))
        with_x = np.where(x == 0, at_0, tail_of(p, np.where(x == 0, 1, x), n - x + 1))
        return np.asarray((without + with_x) / 2)

    # P(X > x) + P(X = x) / 2 rises with p from 0 to 1, and P(X < x) + P(X = x) / 2 falls from 1 to 0.
    none, all_ = np.zeros(x.shape), np.ones(x.shape)
    low = bisect_arrays(lambda p: mid_tail(beta_below, p, at_n=0, at_0=1) < alpha, none, np.where(x == 0, none, all_))
    high = bisect_arrays(lambda p: mid_tail(beta_above, p, at_n=1, at_0=0) > alpha, np.where(x == n, all_, none), all_)
    return low, high


def beta_quantile(alpha: float, a: Array, b: Array, *, upper: bool = False) -> Array:
    """Return the beta quantile of ``alpha``, or 1 - ``alpha`` if ``upper``."""
    from scipy.special import betaincinv

    # For some large parameters, betaincinv is wrong without a warning (SciPy 1.17: by up to 0.2 standard deviations for
    # 1e13 or more, and for 1e3 with 3e11). So each quantile is checked, and found by bisection if it is wrong.
    at_end = (a <= 0) | (b <= 0)
    a_, b_ = np.where(at_end, 1, a), np.where(at_end, 1, b)
    tail_of, sign = (beta_above, -1) if upper else (beta_below, 1)
    quantile = np.asarray(betaincinv(a_, b_, 1 - alpha if upper else alpha))
    wrong = ~(np.abs(tail_of(quantile, a_, b_) - alpha) <= CLOSE * alpha)
    if wrong.any():
        a_, b_ = a_[wrong], b_[wrong]
        none, all_ = np.zeros(a_.shape), np.ones(a_.shape)
        sought = bisect_arrays(lambda p: sign * tail_of(p, a_, b_) < sign * alpha, none, all_)
        below, above = (sign * tail_of(np.clip(sought * (1 + step), 0, 1), a_, b_) for step in (-CLOSE, CLOSE))
        quantile[wrong] = np.where((below <= sign * alpha) & (above >= sign * alpha), sought, np.nan)
    return np.where(at_end, np.where(a <= 0, 0.0, 1.0), quantile)


def beta_below(p: ArrayLike, a: ArrayLike, b: ArrayLike, *, many: float = MANY) -> Array:
    """Return P(beta variable < p), using its moments if a and b >= ``many``."""
    from scipy.special import betainc

    return _beta_tail(betainc, 1, p, a, b, many)


def beta_above(p: ArrayLike, a: ArrayLike, b: ArrayLike) -> Array:
    """Return P(beta variable > p)."""
    from scipy.special import betaincc

    return _beta_tail(betaincc, -1, p, a, b, MANY)


def _beta_tail(tail_of: Callable[..., Any], sign: int, p: ArrayLike, a: ArrayLike, b: ArrayLike, many: float) -> Array:
    # For 1e12 or more, SciPy is sometimes wrong in the third digit, and it is already slow for much smaller parameters.
    # The Edgeworth expansion with four moments has an error of 1e-6 for 1e4 or more, and of 1e-11 for 1e8 or more.
    large = np.minimum(a, b) >= many
    if not large.any():
        return np.asarray(tail_of(a, b, p))
    from scipy.special import ndtr

    p, a, b = np.broadcast_arrays(*(np.asarray(part, float) for part in (p, a, b)))
    probability = np.asarray(tail_of(np.where(large, 1, a), np.where(large, 1, b), p))
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):  # too many cases for a float give NaN
        mean, deviation, skew, excess = _moments(a[large], b[large])
        y = (p[large] - mean) / deviation
        bend = skew * (y**2 - 1) / 6 + excess * (y**3 - 3 * y) / 24 - skew**2 * (4 * y**3 - 7 * y) / 36
    probability[large] = ndtr(sign * np.where(np.abs(y) > FAR, y, y - bend))
    return probability


def _moments(a: Array, b: Array) -> tuple[Array, Array, Array, Array]:
    """Return the mean, standard deviation, skewness and excess kurtosis of a beta distribution."""
    n = a + b
    deviation = np.sqrt(a / n * (b / n) / (n + 1))
    skew = 2 * ((b - a) / (n + 2)) * np.sqrt((n + 1) / a / b)
    excess = 6 * (((a - b) / a) * ((a - b) / b) * (n + 1) - (n + 2)) / (n + 2) / (n + 3)
    return a / n, deviation, skew, excess
