"""Declare a test once: what it compares, what it can test, what it assumes, and the function that computes it.

A design says what is compared:
"one"          one classifier with a number
"cases"        classifiers on the same cases
"unpaired"     classifiers on cases of their own
"splits"       classifiers on the same splits of one data set, whose training sets share no case
"overlapping"  the same, with training sets that overlap, as in a cross-validation
"repeated"     the same, and cases are tested more than once, as in a repeated cross-validation
"five_by_two"  five repetitions of two folds
"datasets"     classifiers on several data sets
What a test can test is "accuracy" (counts of right and wrong: accuracy and the error rate), "of_auc" (the area under
the ROC curve, and measures that are a straight line of it), "any" measure of cases, or "values", one for each case,
split or data set.
Functions take plain numbers and check them; what is degenerate (no difference, no spread, one value) has an answer: a
p-value of 1 where nothing differs, NaN with the reason where there is no answer, and never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, Literal, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from assay.arrays import Array
from assay.checks import numbers
from assay.errors import AssayError, must_be_one_of
from assay.registry import Registry

Function = TypeVar("Function", bound=Callable[..., Any])
Kind = Literal["test", "equivalence", "posthoc", "bayesian"]
ALTERNATIVES = ("two-sided", "less", "greater")
DESIGNS = ("one", "cases", "unpaired", "splits", "overlapping", "repeated", "five_by_two", "datasets")
CROSS_VALIDATED = ("overlapping", "repeated", "five_by_two")
MEASURES = {
    "accuracy": "it counts right and wrong answers, and so tests accuracy and the error rate only",
    "of_auc": "it tests the area under the ROC curve only",
    "any": "",
    "values": "",
}
TAKES = {"two or more": ("two", "many")}
MOST_DIGITS = 290  # beyond, the power of ten that rounding multiplies with is infinite


@dataclass(frozen=True, eq=False)
class Test:
    """A declared test; ``null`` is the hypothesis that it can reject, ``assumes`` what must hold for that.

    ``variants`` are the forms in which it is computed, each with a short title. Of the tests that are valid for some
    data, the one with the lowest ``preference`` is to be chosen. ``invalid`` gives, by design, the reason why it must
    not be used where one might be tempted to.
    """

    __test__ = False  # its name is not that of a test for pytest to run

    name: str
    title: str
    designs: tuple[str, ...]
    classifiers: str  # "one", "two", "two or more" or "many"
    null: str
    assumes: str
    function: Callable[..., Any] = field(repr=False)
    kind: Kind = "test"
    measures: str = "any"
    variants: Mapping[str, str] = field(default_factory=dict)
    preference: int = 2
    invalid: Mapping[str, str] = field(default_factory=dict, repr=False)
    apply: Callable[[Any, str | None], Any] | None = field(default=None, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return get, (self.name,)  # so that a result is stored with the name of its test only


registry: Registry[Test] = Registry("test", "docs/significance.md lists them")


def get(name: str) -> Test:
    """Find a test by its name or any of its aliases."""
    return registry[name]


def declare_test(
    title: str,
    *,
    designs: tuple[str, ...],
    classifiers: str,
    null: str,
    assumes: str,
    aliases: tuple[str, ...] = (),
    kind: Kind = "test",
    measures: str = "any",
    variants: Mapping[str, str] | None = None,
    preference: int = 2,
    invalid: Mapping[str, str] | None = None,
    apply: Callable[[Any, str | None], Any] | None = None,
) -> Callable[[Function], Function]:
    """Register a function as a test; every result that it gives carries the declared test as ``result.test``.

    ``apply`` is how a comparison calls it: with its evidence (see significance/evidence.py) and a variant, or None for
    the one that the test itself prefers.
    """

    def declare(function: Function) -> Function:
        @wraps(function)
        def tested(*args: Any, **options: Any) -> Any:
            return replace(function(*args, **options), test=declared)

        def applied(evidence: Any, variant: str | None = None) -> Any:
            assert apply is not None
            return replace(apply(evidence, variant), test=declared)

        facts = (title, designs, classifiers, null, assumes, tested, kind, measures)
        more = (dict(variants or {}), preference, dict(invalid or {}), applied if apply else None)
        declared = Test(function.__name__, *facts, *more)
        registry.add(declared.name, declared, aliases)
        return cast("Function", tested)

    return declare


class ValidTests(NamedTuple):
    """The declared tests that are valid, the preferred one first, and others with the reason why they are not."""

    valid: tuple[Test, ...]
    invalid: tuple[tuple[Test, str], ...]


def valid_tests(measure: str, design: str, classifiers: str = "two", *, kind: Kind = "test") -> ValidTests:
    """Say which declared tests are valid, in order of preference, and why others are not.

    Parameters
    ----------
    measure
        What is measured: "accuracy" (also for the error rate), "of_auc" (for all that is a straight line of the AUC),
        "values" (for a mean of one value for each case), or "any" other. It only matters for cases: every measure has
        a value for each split and data set.
    design
        What is compared, one of ``DESIGNS``.
    classifiers
        "one", "two" or "many".
    kind
        "test" of a difference, "equivalence", "posthoc" after a test of many, or "bayesian".

    Examples
    --------
    >>> from assay.significance import valid_tests
    >>> [test.name for test in valid_tests("any", "overlapping").valid]
    ['corrected_paired_t']
    >>> for test, reason in valid_tests("any", "overlapping").invalid:
    ...     print(f"{test.title}: {reason}")
    Paired t test: it takes splits for independent, and their training sets overlap
    """
    for name, value, options in (
        ("measure", measure, tuple(MEASURES)),
        ("design", design, DESIGNS),
        ("classifiers", classifiers, ("one", "two", "many")),
    ):
        if value not in options:
            must_be_one_of(name, options, given=value)
    valid: list[Test] = []
    invalid: list[tuple[Test, str]] = []
    by_cases = design in ("cases", "unpaired")
    for test in registry.values():
        if test.kind != kind or classifiers not in (test.classifiers, *TAKES.get(test.classifiers, ())):
            continue
        fits = not by_cases or test.measures in (measure, "any")
        reason = "" if fits else MEASURES[test.measures]
        if design not in test.designs:
            reason = test.invalid.get(design, "")
        elif fits:
            valid.append(test)
        if reason:
            invalid.append((test, reason))
    return ValidTests(tuple(sorted(valid, key=lambda test: test.preference)), tuple(invalid))


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
