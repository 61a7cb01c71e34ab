"""Checks of the arguments of tests."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array
from howsure.checks import as_float, check_index, check_size, numbers, one_of
from howsure.errors import HowsureError, counted, must, must_be_share

MAX_DIGITS = 290  # maximum number of decimal places for which the power of ten in `numpy.round` is finite
MAXIMUM = 2**53  # floats above this limit cannot represent every whole number
BETTER = ("higher", "lower")


def row(name: str, values: ArrayLike, least: int = 1) -> Array:
    """Return a one-dimensional array of finite numbers."""
    array = numbers(name, values)
    if array.ndim != 1 or len(array) < least:
        raise HowsureError(
            f"`{name}` must be a one-dimensional array of at least {counted(least, 'number')}, "
            f"not an array of shape {array.shape}."
        )
    if not np.isfinite(array).all():
        index = int((~np.isfinite(array)).argmax())
        raise HowsureError(f"`{name}` must hold finite numbers, not {array[index]} at index {index}.")
    check_size(name, array)
    return array


def flags(name: str, values: ArrayLike) -> Array:
    """Return a column of Boolean values."""
    try:
        column = np.asarray(values)
        if column.ndim == 1 and len(column) and column.dtype.kind in "biufO":
            return column.astype(bool)
    except (TypeError, ValueError):
        pass
    raise HowsureError(f"`{name}` must be a column of true and false, or of 1 and 0.")


def pairs(a: ArrayLike, b: ArrayLike) -> tuple[Array, Array]:
    """Return two arrays of equal length."""
    check_index({"a": a, "b": b})
    first, second = row("a", a), row("b", b)
    if len(first) != len(second):
        raise HowsureError(
            f"`a` has {counted(len(first), 'value')} and `b` has {len(second)}; both must have the same length."
        )
    return first, second


def check_finite_table(name: str, values: Array) -> None:
    if not np.isfinite(values).all():
        index = np.argwhere(~np.isfinite(values))[0]
        raise HowsureError(f"`{name}` must hold finite numbers, not {values[tuple(index)]} in row {index[0]}.")
    check_size(name, values)


def finite(name: str, value: float) -> float:
    number = as_float(value)
    if not math.isfinite(number):
        must(name, "a number", given=value)
    return number


def above_zero(name: str, value: float) -> float:
    number = as_float(value)
    if not 0 < number < math.inf:
        must(name, "a number above 0", given=value)
    return number


def zero_or_above(name: str, value: float) -> float:
    number = as_float(value)
    if not 0 <= number < math.inf:
        must(name, "a number, 0 or above", given=value)
    return number


def zero_to_one(name: str, value: Any) -> float:
    number = as_float(value)
    if not 0 <= number <= 1:
        must_be_share(name, "a number from 0 to 1", given=value)
    return number


def whole(name: str, value: float, least: int = 0) -> int:
    least_in_words = {0: ", 0 or above", 1: " above 0"}.get(least, f", {least} or more")
    if not isinstance(value, Real) or value >= MAXIMUM:
        must(
            name,
            f"a whole number{least_in_words}" + (" and below 2**53" if isinstance(value, Real) else ""),
            given=value,
        )
    if not float(value).is_integer() or value < least:
        must(name, f"a whole number{least_in_words}", given=value)
    return int(value)


def whole_numbers(name: str, values: Any, least: int, be: str) -> list[int]:
    if not np.iterable(values) or isinstance(values, str):
        must(name, be, given=values)
    return [whole(name, value, least) for value in values]


def check_better(better: str) -> str:
    one_of("better", better, BETTER)
    return better


def rounded(differences: Array, *sources: Array) -> Array:
    """Round to 12 digits, so that decimal ties are ties in binary too.

    For example, 89.4 - 89.8 and 88.3 - 88.7 differ in their last bits.
    """
    largest = max((float(np.abs(source).max(initial=0.0)) for source in sources), default=0.0)
    if not largest:
        return differences
    digits = min(max(0, 12 - int(np.ceil(np.log10(largest)))), MAX_DIGITS)
    return np.round(differences, digits)
