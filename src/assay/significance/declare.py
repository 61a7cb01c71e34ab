"""Declare a test once: what it compares, what it assumes, and the function that computes it.

A design says what is in hand:
"one"       one classifier against a number
"cases"     two classifiers, or more where the test takes them, on the same cases
"splits"    classifiers measured on the same splits of one data set
"datasets"  classifiers measured on several data sets
Functions take plain numbers and check them; what is degenerate (no difference, no spread, one value) has an answer: a
p-value of 1 where nothing differs, NaN with the reason where there is no answer, and never 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from assay.arrays import Array
from assay.checks import numbers
from assay.errors import AssayError, must_be_one_of
from assay.registry import Registry

Function = TypeVar("Function", bound=Callable[..., Any])
ALTERNATIVES = ("two-sided", "less", "greater")
DESIGNS = ("one", "cases", "splits", "datasets")
MOST_DIGITS = 290  # beyond, the power of ten that rounding multiplies with is infinite


@dataclass(frozen=True)
class Test:
    """A declared test; ``null`` is the hypothesis that it can reject, ``assumes`` what must hold for that."""

    __test__ = False  # its name is not that of a test for pytest to run

    name: str
    title: str
    designs: tuple[str, ...]
    classifiers: str  # "one", "two" or "many"
    null: str
    assumes: str
    function: Callable[..., Any]


registry: Registry[Test] = Registry("test", "docs/significance.md lists them")


def declare_test(
    title: str, *, designs: tuple[str, ...], classifiers: str, null: str, assumes: str, aliases: tuple[str, ...] = ()
) -> Callable[[Function], Function]:
    """Register a function as a test; it stays the plain function that it is."""

    def declare(function: Function) -> Function:
        declared = Test(function.__name__, title, designs, classifiers, null, assumes, function)
        registry.add(declared.name, declared, aliases)
        return function

    return declare


def check_alternative(alternative: str) -> str:
    if alternative not in ALTERNATIVES:
        must_be_one_of("alternative", ALTERNATIVES, given=alternative)
    return alternative


def row(name: str, given: ArrayLike, least: int = 1) -> Array:
    """Take an argument as a row of finite numbers, or refuse it."""
    values = numbers(name, given)
    if values.ndim != 1 or len(values) < least:
        raise AssayError(f"`{name}` must be a row of at least {least} numbers, not an array of shape {values.shape}.")
    if not np.isfinite(values).all():
        place = int((~np.isfinite(values)).argmax())
        raise AssayError(f"`{name}` must hold finite numbers, not {values[place]} at index {place}.")
    return values


def pairs(a: ArrayLike, b: ArrayLike, least: int = 1) -> tuple[Array, Array]:
    """Take two rows of one length."""
    first, second = row("a", a, least), row("b", b, least)
    if len(first) != len(second):
        raise AssayError(f"`a` has {len(first)} values and `b` has {len(second)}; pairs need as many of each.")
    return first, second


def table(name: str, given: ArrayLike, least_rows: int = 2, least_columns: int = 2) -> Array:
    """Take a table of finite numbers: a row for each fold or data set, a column for each classifier."""
    values = numbers(name, given)
    if values.ndim != 2 or values.shape[0] < least_rows or values.shape[1] < least_columns:
        raise AssayError(
            f"`{name}` must be a table of at least {least_rows} rows (folds or data sets) and {least_columns} columns "
            f"(classifiers), not an array of shape {values.shape}."
        )
    if not np.isfinite(values).all():
        place = np.argwhere(~np.isfinite(values))[0]
        raise AssayError(f"`{name}` must hold finite numbers, not {values[tuple(place)]} in row {place[0]}.")
    return values


def rounded(differences: Array, *sources: Array) -> Array:
    """Make differences that are equal in decimal equal in binary, before they are ranked.

    89.4 - 89.8 and 88.3 - 88.7 differ in their last bits. Twelve digits of the largest value are kept.
    """
    largest = max((float(np.abs(source).max(initial=0.0)) for source in sources), default=0.0)
    if not largest:
        return differences
    digits = min(max(0, 12 - int(np.ceil(np.log10(largest)))), MOST_DIGITS)
    return np.round(differences, digits)


def tail_of(statistic: float, upper: Callable[[float], float], alternative: str) -> float:
    """p-value of a statistic with a distribution symmetric around 0, of which the upper tail is given."""
    if alternative == "two-sided":
        return min(1.0, 2 * upper(abs(statistic)))
    return upper(statistic) if alternative == "greater" else upper(-statistic)
