"""Intervals for a mean over folds or runs."""

from __future__ import annotations

from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.checks import numbers, tail
from assay.errors import AssayError, must
from assay.intervals.proportion import z_value
from assay.results import Interval


def mean_t(values: ArrayLike, confidence: float = 0.95, side: str = "two-sided") -> Interval:
    """Student's interval: the standard deviation is estimated with K - 1, and so are the degrees of freedom.

    It assumes independent values. Folds of one cross-validation share training cases, so there it is too narrow.

    Examples
    --------
    >>> from assay.intervals import mean_t
    >>> print(mean_t([0.81, 0.79, 0.84, 0.80, 0.78]))
    [0.775, 0.833]
    """
    data = _values(values)
    alpha = tail(confidence, side)
    if len(data) < 2:
        return _undefined(confidence, "t", side)
    from scipy.special import stdtrit

    spread = float(stdtrit(len(data) - 1, 1 - alpha)) * float(data.std(ddof=1)) / np.sqrt(len(data))
    return _around(float(data.mean()), float(spread), confidence, "t", side)


def corrected_t(values: ArrayLike, ratio: float, confidence: float = 0.95, side: str = "two-sided") -> Interval:
    """Student's interval for values of overlapping training sets, with the variance of Nadeau and Bengio (2003).

    The variance of the mean is taken as (1 / K + ratio) times that of the values, where ``ratio`` is that of test to
    training cases: 1 / 9 for ten folds. It is a correction that works, not a theorem.

    Examples
    --------
    >>> from assay.intervals import corrected_t
    >>> print(corrected_t([0.81, 0.79, 0.84, 0.80, 0.78], ratio=1 / 4))
    [0.761, 0.847]
    """
    data = _values(values)
    alpha = tail(confidence, side)
    if not isinstance(ratio, Real) or not 0 <= ratio < np.inf:
        must("ratio", "a number, 0 or above", given=ratio)
    if len(data) < 2:
        return _undefined(confidence, "corrected-t", side)
    from scipy.special import stdtrit

    error = float(data.std(ddof=1)) * float(np.sqrt(1 / len(data) + ratio))
    spread = float(stdtrit(len(data) - 1, 1 - alpha)) * error
    return _around(float(data.mean()), spread, confidence, "corrected-t", side)


def mean_z(
    values: ArrayLike, sigma: float | None = None, confidence: float = 0.95, side: str = "two-sided"
) -> Interval:
    """Give the normal interval, with a known standard deviation ``sigma`` or, for many values, their own."""
    data = _values(values)
    alpha = tail(confidence, side)
    if sigma is not None and not (isinstance(sigma, Real) and sigma > 0):
        must("sigma", "a number above 0", given=sigma)
    if sigma is None and len(data) < 2:
        return _undefined(confidence, "z", side)
    deviation = float(data.std(ddof=1)) if sigma is None else float(sigma)
    spread = z_value(alpha) * deviation / np.sqrt(len(data))
    return _around(float(data.mean()), float(spread), confidence, "z", side)


def _values(values: ArrayLike) -> NDArray[np.float64]:
    data = numbers("values", values)
    if data.ndim != 1 or not len(data):
        raise AssayError(f"`values` must be a row of numbers, not an array of shape {data.shape}.")
    if not np.isfinite(data).all():
        raise AssayError(f"`values` must be finite, not {data[~np.isfinite(data)][0]}.")
    return data


def _around(centre: float, spread: float, confidence: float, method: str, side: str) -> Interval:
    low = -np.inf if side == "upper" else centre - spread
    high = np.inf if side == "lower" else centre + spread
    return Interval(low, high, confidence, method, side)


def _undefined(confidence: float, method: str, side: str) -> Interval:
    note = "one value says nothing about its spread"
    return Interval(np.nan, np.nan, confidence, method, side, notes=(note,))
