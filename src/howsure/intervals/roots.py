"""Bisection for the bounds of intervals.

``scipy.optimize.brentq`` would suffice for single numbers, but importing ``scipy.optimize`` takes 0.14 s, and this
module is used for the default measures of ``howsure assess`` and ``howsure compare``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from howsure.arrays import Array

MAX_HALVINGS = 250  # enough for a bound of 1e-60; 53 give a bound near 1/2 to full precision


def bisect(is_below: Callable[[float], bool], low: float, high: float) -> float:
    """Return the point in [low, high] up to which ``is_below`` holds."""
    for _ in range(MAX_HALVINGS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if is_below(middle):
            low = middle
        else:
            high = middle
    return (low + high) / 2


def bisect_arrays(is_below: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """Return the points up to which ``is_below`` holds, elementwise."""
    for _ in range(MAX_HALVINGS):
        middle = (low + high) / 2
        if not ((low < middle) & (middle < high)).any():
            break
        below = is_below(middle)
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.asarray((low + high) / 2)
