"""Bootstrap intervals: percentile, basic and BCa (Efron 1987).

If q are quantiles of the replicates, the percentile interval is [q(alpha), q(1 - alpha)], and the basic one mirrors it
at the value t: [2 t - q(1 - alpha), 2 t - q(alpha)]. BCa uses the quantiles at

    Phi(z0 + (z0 + z) / (1 - a (z0 + z))),

where z is the normal quantile, z0 the normal quantile of the share of replicates below t (the bias), and a the
acceleration, the skewness of the influences divided by 6.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array
from howsure.checks import one_of
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, must
from howsure.intervals.declare import Basis, Request
from howsure.intervals.declare import method as declare
from howsure.intervals.delta import NO_SPREAD
from howsure.intervals.mean import finite_values
from howsure.results import Interval

KINDS = {"bootstrap": "percentile", "percentile": "percentile", "basic": "basic", "bca": "bca"}
MAX_LEFT_OUT = 20_000  # maximum number of values for the jackknife, which takes quadratic time
MAX_NUMBERS = 1 << 22  # maximum number of values drawn at once, to limit memory


@shared_texts
def bootstrap(
    values: ArrayLike,
    statistic: Callable[..., Any] = np.mean,
    confidence: float = 0.95,
    side: str = "two-sided",
    *,
    method: str = "bca",
    replicates: int = 10_000,
    seed: int = 0,
) -> Interval:
    """Bootstrap interval for any statistic of independent numbers.

    Parameters
    ----------
    values
        Independent numbers.
    statistic
        A function that takes ``axis``, like NumPy's functions.
    {confidence}
    {side}
    method
        "bca", "basic", or "bootstrap" (the percentile interval).
    replicates
        The number of bootstrap samples.
    seed
        The same seed gives the same interval.

    Returns
    -------
    Interval
        With ``replicates`` and ``seed``.

    Examples
    --------
    >>> import numpy as np
    >>> from howsure.intervals import bootstrap
    >>> print(bootstrap([3, 5, 4, 8, 6, 5, 9, 4], seed=1))
    [4.375, 7.000]
    >>> print(bootstrap([3, 5, 4, 8, 6, 5, 9, 4], np.median, method="bootstrap", replicates=2000))
    [4.000, 7.500]
    """
    data, request = finite_values(values), Request(confidence, side, replicates, seed)
    statistic = _checked(statistic)
    one_of("method", method, KINDS)
    rng, n = np.random.default_rng(seed), len(data)
    if KINDS[method] == "bca" and n > MAX_LEFT_OUT:
        raise HowsureError(
            f"`method` must be 'percentile' or 'basic' for more than {MAX_LEFT_OUT} values; "
            "'bca' leaves out each in turn."
        )
    block = max(1, MAX_NUMBERS // n)
    sizes = [min(block, replicates - start) for start in range(0, replicates, block)]
    drawn = [statistic(data[rng.integers(0, n, (size, n))], axis=-1) for size in sizes]
    a = 0.0
    if KINDS[method] == "bca" and n > 1:
        rows = (np.arange(start, min(start + block, n)) for start in range(0, n, block))
        parts = [statistic(data[(part[:, None] + np.arange(1, n)) % n], axis=-1) for part in rows]
        left_out = np.concatenate(parts)
        a = acceleration(left_out.mean() - left_out, np.ones(n))  # jackknife estimate
    value = float(statistic(data))
    low, high, notes = bounds(np.concatenate(drawn), value, request, KINDS[method], a)
    interval = request.include(request.close(low, high, method, notes=notes), value)
    return replace(interval, replicates=replicates, seed=seed)


def _checked(statistic: Any) -> Callable[..., Array]:
    """Wrap a statistic so that an invalid result raises an error."""

    def of_rows(values: Array, axis: int | None = None) -> Array:
        try:
            result = np.asarray(statistic(values) if axis is None else statistic(values, axis=axis), float)
        except (TypeError, ValueError):
            result = np.empty((0, 0))
        if result.shape != (() if axis is None else values.shape[:-1]):
            expected = "a function that takes `axis` and returns a number for each row, as np.mean does"
            must("statistic", expected, given=statistic)
        return result

    return of_rows


@declare("bootstrap", title="bootstrap percentiles", needs="replicates", aliases=("percentile",), source="Efron 1979")
def _percentile(basis: Basis, request: Request) -> Interval:
    """Quantiles of the value in bootstrap samples."""
    return _resampled(basis, request, "percentile", "bootstrap")


@declare("basic", title="basic bootstrap", needs="replicates", source="Davison and Hinkley 1997")
def _basic(basis: Basis, request: Request) -> Interval:
    """Quantiles of the value in bootstrap samples, mirrored at the estimate."""
    return _resampled(basis, request, "basic", "basic")


@declare("bca", title="bias-corrected and accelerated bootstrap", needs="acceleration", source="Efron 1987")
def _bca(basis: Basis, request: Request) -> Interval:
    """Quantiles in bootstrap samples, corrected for bias and acceleration."""
    return _resampled(basis, request, "bca", "bca")


@declare("bootstrap-stratified", title="stratified bootstrap percentiles", needs="strata")
def _stratified(basis: Basis, request: Request) -> Interval:
    """Quantiles in bootstrap samples that keep the size of each class."""
    return _resampled(basis, request, "percentile", "bootstrap-stratified", stratified=True)


def _resampled(basis: Basis, request: Request, kind: str, name: str, *, stratified: bool = False) -> Interval:
    replicates = basis.replicates(request.replicates, request.seed, stratified=stratified)
    finite = replicates[np.isfinite(replicates)]
    if not len(finite) or np.ptp(finite) < NO_SPREAD:
        return basis.equal_replicates(request, name)
    a = basis.acceleration() if kind == "bca" else 0.0
    low, high, notes = bounds(replicates, basis.value, request, kind, a)
    interval = request.close(low, high, name, basis.span, (*basis.replicate_notes, *notes))
    return replace(interval, replicates=request.replicates, seed=request.seed)


def acceleration(influence: Array, weight: Array) -> float:
    """Return sum(w * l**3) / (6 * sum(w * l**2)**1.5) of influences l."""
    spread = float((weight * influence**2).sum()) ** 1.5
    return float((weight * influence**3).sum()) / (6 * spread) if spread > 0 else 0.0


def bounds(
    replicates: Array, value: float, request: Request, kind: str, a: float = 0.0
) -> tuple[float, float, tuple[str, ...]]:
    """Return both bounds, and a note if some replicates are undefined."""
    finite = replicates[np.isfinite(replicates)]
    if not len(finite):
        raise HowsureError("the bootstrap gives no interval: the statistic is undefined in every replicate.")
    undefined = len(replicates) - len(finite)
    notes = (f"undefined in {undefined} of {len(replicates)} replicates, which are ignored",) if undefined else ()
    probabilities = np.array([request.alpha, 1 - request.alpha])
    if kind == "bca":
        probabilities = _corrected(probabilities, finite, value, a)
    low, high = np.quantile(finite, np.clip(probabilities, 0, 1))
    if kind == "basic":
        low, high = 2 * value - high, 2 * value - low
    return float(low), float(high), notes


def _corrected(probabilities: Array, finite: Array, value: float, a: float) -> Array:
    """Shift probabilities for bias and acceleration (formula above)."""
    from scipy.special import ndtr, ndtri

    below = ((finite < value).sum() + (finite == value).sum() / 2) / len(finite)  # ties count half
    bias = ndtri(np.clip(below, 0.5 / len(finite), 1 - 0.5 / len(finite)))
    ends = ndtri(probabilities)
    z = bias + np.where(np.isinf(ends), -ends[::-1], ends)  # if 1 - alpha is rounded to 1, mirror the other end
    return np.asarray(ndtr(bias + z / (1 - a * z)), float)
