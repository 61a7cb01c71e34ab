"""Bootstrap intervals: from replicates to bounds, and the bootstrap of plain numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assay.arrays import Array
from assay.checks import check_replicates, tail
from assay.errors import AssayError, must_be_one_of
from assay.intervals.mean import _values
from assay.results import Interval

METHODS = ("bootstrap", "percentile", "basic", "bca")
MOST_NUMBERS = 1 << 22  # drawn at a time, whatever the number of replicates


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
    """Resample ``values`` with replacement; ``statistic`` takes ``axis``, as NumPy's do.

    Examples
    --------
    >>> from assay.intervals import bootstrap
    >>> print(bootstrap([3, 5, 4, 8, 6, 5, 9, 4], seed=1))
    [4.375, 7.000]
    """
    data = _values(values)
    check_replicates(replicates, seed)
    draw, n = np.random.default_rng(seed), len(data)
    block = max(1, MOST_NUMBERS // n)
    sizes = [min(block, replicates - start) for start in range(0, replicates, block)]
    drawn = [statistic(data[draw.integers(0, n, (size, n))], axis=-1) for size in sizes]
    left_out = np.asarray(statistic(data[(np.arange(n)[:, None] + np.arange(1, n)) % n], axis=-1)) if n > 1 else data
    influence = left_out.mean() - left_out
    low, high, notes = bounds(
        np.concatenate(drawn),
        float(statistic(data)),
        confidence,
        side,
        method,
        acceleration(influence, np.ones(n)),
    )
    low, high = (-np.inf if side == "upper" else low), (np.inf if side == "lower" else high)
    return Interval(low, high, confidence, method, side, replicates, seed, notes)


def acceleration(influence: Array, weight: Array) -> float:
    """How fast the standard error changes with the value (Efron 1987), from each case's influence on it."""
    spread = float((weight * influence**2).sum()) ** 1.5
    return float((weight * influence**3).sum()) / (6 * spread) if spread > 0 else 0.0


def bounds(
    replicates: Array, value: float, confidence: float, side: str, method: str, a: float = 0.0
) -> tuple[float, float, tuple[str, ...]]:
    """Read both bounds off the replicates; those without a value are left out, and the note says how many."""
    alpha = tail(confidence, side)
    if method not in METHODS:
        must_be_one_of("method", METHODS, given=method)
    kept = replicates[np.isfinite(replicates)]
    if not len(kept):
        raise AssayError("the bootstrap gives no interval: the statistic is undefined in every replicate.")
    lost = len(replicates) - len(kept)
    notes = (f"undefined in {lost} of {len(replicates)} replicates, which are left out",) if lost else ()
    probabilities = np.array([alpha, 1 - alpha])
    if method == "bca":
        probabilities = _corrected(probabilities, kept, value, a)
    low, high = np.quantile(kept, probabilities)
    if method == "basic":
        low, high = 2 * value - high, 2 * value - low
    return float(low), float(high), notes


def _corrected(probabilities: Array, kept: Array, value: float, a: float) -> Array:
    """Shift the percentiles for bias and acceleration; ties with the value count half."""
    from scipy.special import ndtr, ndtri

    below = ((kept < value).sum() + (kept == value).sum() / 2) / len(kept)
    bias = ndtri(np.clip(below, 0.5 / len(kept), 1 - 0.5 / len(kept)))
    z = bias + ndtri(probabilities)
    return np.asarray(ndtr(bias + z / (1 - a * z)), float)
