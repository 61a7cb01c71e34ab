"""Weights of disagreement between categories, from 0 to 1.

Krippendorff's alpha has its own metrics (Krippendorff 2004), which at the ordinal level depend on how often the
categories are used. The other coefficients use the weights of Gwet (2014). At the nominal and interval levels, the two
agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats
from howsure.checks import one_of
from howsure.errors import HowsureError, is_one_of

NOMINAL = "nominal"
LEVELS = (NOMINAL, "ordinal", "interval", "ratio")
NUMERIC = ("interval", "ratio")  # levels at which categories are numbers
Weights = Callable[[Floats], Floats]  # takes the values of the categories (ranks at the ordinal level)


def _nominal(values: Floats) -> Floats:
    return 1.0 - np.eye(len(values))


def _linear(values: Floats) -> Floats:
    return np.abs(np.subtract.outer(values, values))


def _quadratic(values: Floats) -> Floats:
    return _linear(values) ** 2


def _ordinal(values: Floats) -> Floats:
    """Number of pairs from i to j, comb(|i - j| + 1, 2) (Gwet 2014)."""
    steps = _linear(np.argsort(np.argsort(values)).astype(float))
    return steps * (steps + 1) / 2


def _ratio(values: Floats) -> Floats:
    """((a - b) / (a + b))²."""
    sums = np.abs(np.add.outer(values, values))
    return np.divide(_linear(values), sums, out=np.zeros(sums.shape), where=sums > 0) ** 2


SCHEMES: dict[str, Weights] = {
    NOMINAL: _nominal,
    "linear": _linear,
    "quadratic": _quadratic,
    "ordinal": _ordinal,
    "ratio": _ratio,
}
BY_LEVEL = {"nominal": NOMINAL, "ordinal": "ordinal", "interval": "quadratic", "ratio": "ratio"}


def scaled(distances: Floats) -> Floats:
    """Divide by the largest distance."""
    largest = float(distances.max(initial=0.0))
    return distances / largest if largest > 0 else distances


def disagreement(weights: Any, level: str, values: Floats) -> Floats:
    """Return the weights for a level, a named scheme or a matrix."""
    if weights is None or isinstance(weights, str):
        name = BY_LEVEL[level] if weights is None else one_of("weights", weights, tuple(SCHEMES))
        return scaled(SCHEMES[name](values))
    try:
        matrix = np.asarray(weights, float)
    except (TypeError, ValueError):
        raise HowsureError(f"`weights` must be a table of numbers, not {weights!r}.") from None
    k = len(values)
    if matrix.shape != (k, k) or not np.isfinite(matrix).all():
        raise HowsureError(
            f"`weights` must be a {k} x {k} table of numbers, one for each pair of categories, "
            f"not an array of shape {matrix.shape}."
        )
    if matrix.diagonal().any() or (matrix < 0).any():
        raise HowsureError(
            "`weights` must be weights of disagreement: 0 on the diagonal, and nowhere negative. For weights of "
            "agreement pass `1 - weights`."
        )
    return scaled(matrix)


def krippendorff_metric(level: str, values: Floats, used: Array) -> Floats:
    """Return the squared distances of Krippendorff's alpha.

    At the ordinal level, with n_g the number of ratings of category g (``used``), the distance between categories i < j
    is the sum of n_g from i to j, minus (n_i + n_j) / 2 (Krippendorff 2004).
    """
    if level != "ordinal":
        return scaled(SCHEMES[BY_LEVEL[level]](values))
    return scaled(_quadratic(np.cumsum(used) - used / 2))


def values_of(level: str, labels: Sequence[Any]) -> Floats:
    """Return the categories as numbers, or their ranks."""
    if is_one_of(level, NUMERIC):
        return np.asarray(labels, float)
    return np.arange(1.0, len(labels) + 1)
