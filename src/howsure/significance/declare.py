"""Declare a test once: what it compares, what it can test, what it assumes, and the function that computes it.

A design says what is compared:
"one"          one classifier with a number
"cases"        classifiers on the same cases
"clusters"     the same, and the cases come in clusters, as those of a patient, of which each is independent of others
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
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from howsure.checks import one_of
from howsure.present.result import Result
from howsure.references import known
from howsure.registry import Registry
from howsure.results import TestResult

if TYPE_CHECKING:
    from howsure.present.sheet import Record

Function = TypeVar("Function", bound=Callable[..., Any])
Kind = Literal["test", "equivalence", "posthoc", "bayesian"]
ALTERNATIVES = ("two-sided", "less", "greater")
DESIGNS = ("one", "cases", "clusters", "unpaired", "splits", "overlapping", "repeated", "five_by_two", "datasets")
CROSS_VALIDATED = ("overlapping", "repeated", "five_by_two")
NOT_INDEPENDENT = dict.fromkeys(CROSS_VALIDATED, "it takes rows for independent, and training sets of folds overlap")
IN_CLUSTERS = {"clusters": "it takes cases for independent, and those of a cluster are not"}
MEASURES = {
    "accuracy": "it counts right and wrong answers, and so tests accuracy and the error rate only",
    "of_auc": "it tests the area under the ROC curve only",
    "any": "",
    "values": "",
}
TAKES = {"two or more": ("two", "many")}


@dataclass(frozen=True, eq=False)
class Test:
    """A declared test: what it compares, what it can reject, and what it assumes.

    Attributes
    ----------
    name, title
        Its names.
    designs
        What it can compare, of ``DESIGNS``.
    classifiers
        "one", "two", "two or more" or "many".
    null
        The hypothesis that it can reject.
    assumes
        What must hold for that.
    function
        What computes it.
    kind
        "test" of a difference, "equivalence", "posthoc" or "bayesian".
    measures
        What it can test: "accuracy", "of_auc", "any" measure, or "values".
    variants
        The forms in which it is computed, each with a short title.
    preference
        Of the tests that are valid for some data, the one with the lowest is to be chosen.
    invalid
        By design, the reason why it must not be used where one might be tempted to.
    apply
        How a comparison calls it.
    references
        The literature that it is from.
    interval
        The method of intervals that leaves out 0 where this test of splits rejects.

    Examples
    --------
    >>> from howsure import significance
    >>> test = significance.registry["mcnemar"]
    >>> test.title, test.designs, list(test.variants)
    ("McNemar's test", ('cases',), ['mid-p', 'exact', 'chi2', 'chi2-corrected'])
    >>> test.null
    'the classifiers have the same accuracy'
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
    references: tuple[str, ...] = field(default=(), repr=False)
    interval: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        return get, (self.name,)  # so that a result is stored with the name of its test only


registry: Registry[Test] = Registry("test", "`list(howsure.significance.registry)` lists them")


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
    apply: Callable[[Callable[..., Any], Any, str | None], Any] | None = None,
    references: tuple[str, ...] = (),
    interval: str = "",
) -> Callable[[Function], Function]:
    """Register a function as a test; every result that it gives carries the declared test as ``result.test``.

    A test whose function takes no ``alternative`` has no sides, and its results have none.
    ``apply`` is how a comparison calls it: a function of the test, its evidence (see significance/evidence.py) and a
    variant, None for the one that the test itself prefers. ``Test.apply`` takes the evidence and the variant.
    ``references`` are the short names of the literature that it is from (references.py).
    """

    def declare(function: Function) -> Function:
        has_sides = kind != "test" or "alternative" in signature(function).parameters

        def told(result: Any) -> Any:
            return replace(result, test=declared, **({} if has_sides else {"alternative": ""}))

        @wraps(function)
        def tested(*args: Any, **options: Any) -> Any:
            return told(function(*args, **options))

        def applied(evidence: Any, variant: str | None = None) -> Any:
            assert apply is not None
            result = told(apply(tested, evidence, variant))
            if not isinstance(result, TestResult) or not evidence.setting:
                return result
            chosen = (variant or "auto") if declared.variants else ""
            return replace(result, setting={**evidence.setting, "variant": chosen})

        facts = (title, designs, classifiers, null, assumes, tested, kind, measures)
        more = (dict(variants or {}), preference, dict(invalid or {}), applied if apply else None, known(references))
        declared = Test(function.__name__, *facts, *more, interval)
        registry.add(declared.name, declared, aliases)
        return cast("Function", tested)

    return declare


@dataclass(frozen=True, repr=False)
class ValidTests(Result):
    """The declared tests that are valid, the preferred one first, and others with the reason why they are not.

    Attributes
    ----------
    valid
        The tests, the preferred one first.
    invalid
        Each of the others with the reason.

    Examples
    --------
    >>> from howsure.significance import valid_tests
    >>> valid_tests("accuracy", "cases")
    ValidTests(valid: mcnemar, paired_delta, permutation, bootstrap_difference; not valid: delong)
    """

    valid: tuple[Test, ...]
    invalid: tuple[tuple[Test, str], ...]

    @property
    def notes(self) -> tuple[str, ...]:
        return () if self.valid or self.invalid else ("no test is declared for this",)

    def __repr__(self) -> str:
        valid, invalid = (test.name for test in self.valid), (test.name for test, _ in self.invalid)
        return f"ValidTests(valid: {', '.join(valid) or 'none'}; not valid: {', '.join(invalid) or 'none'})"

    def records(self) -> list[Record]:
        rows = [(test, True, "") for test in self.valid] + [(test, False, reason) for test, reason in self.invalid]
        return [{"test": test.name, "title": test.title, "valid": fits, "reason": why} for test, fits, why in rows]


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

    Returns
    -------
    ValidTests
        Those that are valid, and why others are not.

    Examples
    --------
    >>> from howsure.significance import valid_tests
    >>> [test.name for test in valid_tests("any", "overlapping").valid]
    ['corrected_paired_t', 'cross_validated_z']
    >>> for test, reason in valid_tests("any", "overlapping").invalid:
    ...     print(f"{test.title}: {reason}")
    Sign test: it takes rows for independent, and training sets of folds overlap
    Paired t test: it takes splits for independent, and their training sets overlap
    """
    for name, value, options in (
        ("measure", measure, tuple(MEASURES)),
        ("design", design, DESIGNS),
        ("classifiers", classifiers, ("one", "two", "many")),
    ):
        one_of(name, value, options)
    valid: list[Test] = []
    invalid: list[tuple[Test, str]] = []
    by_cases = design in ("cases", "clusters", "unpaired")
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
    one_of("alternative", alternative, ALTERNATIVES)
    return alternative
