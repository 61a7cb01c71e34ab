"""Bootstrap intervals: from replicates to bounds, and the bootstrap of plain numbers."""

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
from howsure.intervals.mean import _values
from howsure.results import Interval

KINDS = {"bootstrap": "percentile", "percentile": "percentile", "basic": "basic", "bca": "bca"}
MOST_LEFT_OUT = 20_000  # values that are left out one at a time
MOST_NUMBERS = 1 << 22  # drawn at a time, whatever the number of replicates


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
    """Resample values with replacement, for the interval of any statistic.

    Parameters
    ----------
    values
        Independent numbers.
    statistic
        A function that takes ``axis``, as NumPy's do.
    {confidence}
    {side}
    method
        "bca", "basic", or "bootstrap" (the percentile interval).
    replicates
        How many samples to draw.
    seed
        The same seed gives the same interval.

    Returns
    -------
    Interval
        With the replicates and the seed.

    Examples
    --------
    >>> import numpy as np
    >>> from howsure.intervals import bootstrap
    >>> print(bootstrap([3, 5, 4, 8, 6, 5, 9, 4], seed=1))
    [4.375, 7.000]
    >>> print(bootstrap([3, 5, 4, 8, 6, 5, 9, 4], np.median, method="bootstrap", replicates=2000))
    [4.000, 7.500]
    """
    data, request = _values(values), Request(confidence, side, replicates, seed)
    statistic = _checked(statistic)
    one_of("method", method, KINDS)
    draw, n = np.random.default_rng(seed), len(data)
    if KINDS[method] == "bca" and n > MOST_LEFT_OUT:
        raise HowsureError(
            f"`method` must be 'percentile' or 'basic' for over {MOST_LEFT_OUT} values: 'bca' leaves out each in turn."
        )
    block = max(1, MOST_NUMBERS // n)
    sizes = [min(block, replicates - start) for start in range(0, replicates, block)]
    drawn = [statistic(data[draw.integers(0, n, (size, n))], axis=-1) for size in sizes]
    shift = 0.0
    if KINDS[method] == "bca" and n > 1:
        rows = (np.arange(start, min(start + block, n)) for start in range(0, n, block))
        parts = [statistic(data[(part[:, None] + np.arange(1, n)) % n], axis=-1) for part in rows]
        left_out = np.concatenate(parts)
        shift = acceleration(left_out.mean() - left_out, np.ones(n))
    value = float(statistic(data))
    low, high, notes = bounds(np.concatenate(drawn), value, request, KINDS[method], shift)
    interval = request.hold(request.close(low, high, method, notes=notes), value)
    return replace(interval, replicates=replicates, seed=seed)


def _checked(statistic: Any) -> Callable[..., Array]:
    """Refuse what is no statistic of rows, in a sentence."""

    def of_rows(values: Array, axis: int | None = None) -> Array:
        try:
            found = np.asarray(statistic(values) if axis is None else statistic(values, axis=axis), float)
        except (TypeError, ValueError):
            found = np.empty((0, 0))
        if found.shape != (() if axis is None else values.shape[:-1]):
            what = "a function that takes `axis` and gives a number for each row, as np.mean does"
            must("statistic", what, given=statistic)
        return found

    return of_rows


@declare("bootstrap", title="bootstrap percentiles", needs="replicates", aliases=("percentile",), source="Efron 1979")
def _percentile(basis: Basis, request: Request) -> Interval:
    """Take the percentiles of the value in redrawn samples."""
    return _resampled(basis, request, "percentile", "bootstrap")


@declare("basic", title="basic bootstrap", needs="replicates", source="Davison and Hinkley 1997")
def _basic(basis: Basis, request: Request) -> Interval:
    """Mirror the percentiles of the value in redrawn samples at the value."""
    return _resampled(basis, request, "basic", "basic")


@declare("bca", title="bias-corrected and accelerated bootstrap", needs="acceleration", source="Efron 1987")
def _bca(basis: Basis, request: Request) -> Interval:
    """Take percentiles shifted for bias and for an error that changes with the value."""
    return _resampled(basis, request, "bca", "bca")


@declare("bootstrap-stratified", title="stratified bootstrap percentiles", needs="strata")
def _stratified(basis: Basis, request: Request) -> Interval:
    """Take the percentiles of the value in redrawn samples that keep the number of cases of each class."""
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
    """How fast the standard error changes with the value (Efron 1987), from each case's influence on it."""
    spread = float((weight * influence**2).sum()) ** 1.5
    return float((weight * influence**3).sum()) / (6 * spread) if spread > 0 else 0.0


def bounds(
    replicates: Array, value: float, request: Request, kind: str, a: float = 0.0
) -> tuple[float, float, tuple[str, ...]]:
    """Read both bounds off the replicates; those without a value are left out, and the note says how many."""
    finite = replicates[np.isfinite(replicates)]
    if not len(finite):
        raise HowsureError("the bootstrap gives no interval: the statistic is undefined in every replicate.")
    lost = len(replicates) - len(finite)
    notes = (f"undefined in {lost} of {len(replicates)} replicates, which are left out",) if lost else ()
    probabilities = np.array([request.alpha, 1 - request.alpha])
    if kind == "bca":
        probabilities = _corrected(probabilities, finite, value, a)
    low, high = np.quantile(finite, np.clip(probabilities, 0, 1))
    if kind == "basic":
        low, high = 2 * value - high, 2 * value - low
    return float(low), float(high), notes


def _corrected(probabilities: Array, finite: Array, value: float, a: float) -> Array:
    """Shift the percentiles for bias and acceleration; ties with the value count half."""
    from scipy.special import ndtr, ndtri

    below = ((finite < value).sum() + (finite == value).sum() / 2) / len(finite)
    bias = ndtri(np.clip(below, 0.5 / len(finite), 1 - 0.5 / len(finite)))
    ends = ndtri(probabilities)
    z = bias + np.where(np.isinf(ends), -ends[::-1], ends)  # 1 - 1e-17 is 1; the other end knows how far out it is
    return np.asarray(ndtr(bias + z / (1 - a * z)), float)
