"""How far apart two categories are: the weights of disagreement, from 0 for the same category to 1 for the farthest.

Krippendorff's alpha has metrics of its own (2004), which for an ordinal level depend on how often categories were used;
the other coefficients use the weights that Gwet gives (2014). At the nominal and interval levels both are the same.
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
NUMERIC = ("interval", "ratio")  # levels of which the categories are numbers
Weights = Callable[[Floats], Floats]  # of the values of the categories, which of an ordinal level are their places


def _nominal(values: Floats) -> Floats:
    return 1.0 - np.eye(len(values))


def _linear(values: Floats) -> Floats:
    return np.abs(np.subtract.outer(values, values))


def _quadratic(values: Floats) -> Floats:
    return _linear(values) ** 2


def _ordinal(values: Floats) -> Floats:
    """Count the pairs of places from one category to the other, both included (Gwet 2014)."""
    places = _linear(np.argsort(np.argsort(values)).astype(float))
    return places * (places + 1) / 2


def _ratio(values: Floats) -> Floats:
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
    """Divide by the largest distance, so that the farthest categories disagree by 1."""
    largest = float(distances.max(initial=0.0))
    return distances / largest if largest > 0 else distances


def disagreement(weights: Any, level: str, values: Floats) -> Floats:
    """Give the matrix of disagreement of a level, or of weights by name, or check a matrix that was given."""
    if weights is None or isinstance(weights, str):
        name = BY_LEVEL[level] if weights is None else one_of("weights", weights, tuple(SCHEMES))
        return scaled(SCHEMES[name](values))
    try:
        matrix = np.asarray(weights, float)
    except (TypeError, ValueError):
        raise HowsureError(f"`weights` must be a table of numbers, not {weights!r}.") from None
    k = len(values)
    if matrix.shape != (k, k) or not np.isfinite(matrix).all():
        shape = f"an array of shape {matrix.shape}"
        raise HowsureError(f"`weights` must be a table of {k} x {k} numbers, one for each two categories, not {shape}.")
    if matrix.diagonal().any() or (matrix < 0).any():
        raise HowsureError(
            "`weights` must be of disagreement, 0 on the diagonal and nowhere negative; weights of agreement become "
            "those by `1 - weights`."
        )
    return scaled(matrix)


def krippendorff_metric(level: str, values: Floats, used: Array) -> Floats:
    """Give the squared distances of Krippendorff's alpha; ``used`` says how often each category was.

    At the ordinal level two categories are as far apart as the ratings that lie between them are many.
    """
    if level != "ordinal":
        return scaled(SCHEMES[BY_LEVEL[level]](values))
    return scaled(_quadratic(np.cumsum(used) - used / 2))


def values_of(level: str, labels: Sequence[Any]) -> Floats:
    """Give the numbers that distances are computed of: the categories themselves, or their places."""
    if is_one_of(level, NUMERIC):
        return np.asarray(labels, float)
    return np.arange(1.0, len(labels) + 1)
