"""Declaration of significance tests.

`declare_test` registers a function with its designs, null hypothesis, assumptions and measures. A design states which
data are compared:

"one"          one classifier, compared with a fixed value
"cases"        classifiers on the same cases
"clusters"     like "cases", but the cases come in independent clusters, such as the images of a patient
"unpaired"     each classifier on its own cases
"splits"       classifiers on the same splits of one data set, with disjoint training sets
"overlapping"  like "splits", but with overlapping training sets, as in cross-validation
"repeated"     like "overlapping", but each case is tested several times, as in repeated cross-validation
"five_by_two"  five repetitions of two-fold cross-validation
"datasets"     classifiers on several data sets

``measures`` states what a test can compare: "accuracy" (accuracy and error rate, from counts of correct and wrong
answers), "of_auc" (the area under the ROC curve and its linear functions), "any" measure of cases, or "values" (one for
each case, split or data set).

Tests take plain numbers and check them. Degenerate input has a defined result: p = 1 if nothing differs, and NaN with
the reason if the test is undefined. A p-value is never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from howsure.checks import one_of
from howsure.present.result import Result
from howsure.references import check_references
from howsure.registry import Registry
from howsure.results import TestResult

if TYPE_CHECKING:
    from howsure.present.sheet import Record

Function = TypeVar("Function", bound=Callable[..., Any])
Kind = Literal["test", "equivalence", "posthoc", "bayesian"]
ALTERNATIVES = ("two-sided", "less", "greater")
DESIGNS = ("one", "cases", "clusters", "unpaired", "splits", "overlapping", "repeated", "five_by_two", "datasets")
CROSS_VALIDATED = ("overlapping", "repeated", "five_by_two")
NOT_INDEPENDENT = dict.fromkeys(CROSS_VALIDATED, "it assumes independent rows, but the training sets of folds overlap")
IN_CLUSTERS = {"clusters": "it assumes independent cases, but cases of a cluster are correlated"}
MEASURES = {
    "accuracy": "it tests accuracy and the error rate only",
    "of_auc": "it tests the area under the ROC curve only",
    "any": "",
    "values": "",
}
INCLUDES = {"two or more": ("two", "many")}


@dataclass(frozen=True, eq=False)
class Test:
    """A declared test with its designs, null hypothesis and assumptions.

    Attributes
    ----------
    name, title
        Name of the function, and human-readable title.
    designs
        Designs for which the test is valid, a subset of ``DESIGNS``.
    classifiers
        "one", "two", "two or more" or "many".
    null
        The null hypothesis.
    assumes
        The assumptions.
    function
        Function that computes the test.
    kind
        "test" (of a difference), "equivalence", "posthoc" or "bayesian".
    measures
        Measures that it can compare: "accuracy", "of_auc", "any" or "values".
    variants
        Names of its variants, each with a short title.
    preference
        Rank among the valid tests; a comparison uses the test with the lowest rank.
    invalid
        Reasons why the test is not valid for other designs, by design.
    apply
        Function that a comparison uses to call the test.
    references
        Short names of its references.
    interval
        For tests of splits, the interval method that excludes 0 whenever the test rejects.

    Examples
    --------
    >>> from howsure import significance
    >>> test = significance.registry["mcnemar"]
    >>> test.title, test.designs, list(test.variants)
    ("McNemar's test", ('cases',), ['mid-p', 'exact', 'chi2', 'chi2-corrected'])
    >>> test.null
    'the classifiers have the same accuracy'
    """

    __test__ = False  # keeps pytest from collecting this class

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
        return get, (self.name,)  # a pickled result holds only the name of its test


registry: Registry[Test] = Registry("test", "`list(howsure.significance.registry)` lists them")


def get(name: str) -> Test:
    """Return the test with the given name or alias."""
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
    """Register a function as a test.

    Its results carry the declared test as ``result.test``.

    Results of a test without the parameter ``alternative`` have no alternative. A comparison calls a test with
    ``apply(test, evidence, variant)``, where the evidence is an instance of a class in significance/evidence.py, and
    the variant is None for the default. ``references`` are keys of references.py.
    """

    def declare(function: Function) -> Function:
        has_sides = kind != "test" or "alternative" in signature(function).parameters

        def with_test(result: Any) -> Any:
            return replace(result, test=declared, **({} if has_sides else {"alternative": ""}))

        @wraps(function)
        def tested(*args: Any, **options: Any) -> Any:
            return with_test(function(*args, **options))

        def applied(evidence: Any, variant: str | None = None) -> Any:
            assert apply is not None
            result = with_test(apply(tested, evidence, variant))
            if not isinstance(result, TestResult) or not evidence.setting:
                return result
            computed = (variant or "auto") if declared.variants else ""
            return replace(result, setting={**evidence.setting, "variant": computed})

        declared = Test(
            function.__name__,
            title,
            designs,
            classifiers,
            null,
            assumes,
            tested,
            kind,
            measures,
            dict(variants or {}),
            preference,
            dict(invalid or {}),
            applied if apply else None,
            check_references(references),
            interval,
        )
        registry.add(declared.name, declared, aliases)
        return cast("Function", tested)

    return declare


@dataclass(frozen=True, repr=False)
class ValidTests(Result):
    """Tests that are valid for a design, and the reasons why others are not.

    Attributes
    ----------
    valid
        The valid tests, the preferred one first.
    invalid
        Pairs of an invalid test and the reason why it is not valid.

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
        return () if self.valid or self.invalid else ("no test is declared for this design",)

    def __repr__(self) -> str:
        valid, invalid = (test.name for test in self.valid), (test.name for test, _ in self.invalid)
        return f"ValidTests(valid: {', '.join(valid) or 'none'}; not valid: {', '.join(invalid) or 'none'})"

    def records(self) -> list[Record]:
        rows = [(test, True, "") for test in self.valid]
        rows += [(test, False, reason) for test, reason in self.invalid]
        return [
            {"test": test.name, "title": test.title, "valid": is_valid, "reason": reason}
            for test, is_valid, reason in rows
        ]


def valid_tests(measure: str, design: str, classifiers: str = "two", *, kind: Kind = "test") -> ValidTests:
    """Return the tests that are valid for a measure and a design.

    Parameters
    ----------
    measure
        "accuracy" (also for the error rate), "of_auc" (for linear functions of the AUC), "values" (for the mean of one
        value for each case), or "any" for other measures. It matters only for designs based on cases: every split or
        data set has a single value of any measure.
    design
        The data that are compared, one of ``DESIGNS``.
    classifiers
        "one", "two" or "many".
    kind
        "test" (of a difference), "equivalence", "posthoc" (pairwise comparisons after a test of many) or "bayesian".

    Returns
    -------
    ValidTests
        The valid tests in order of preference, and the reasons why others are not valid.

    Examples
    --------
    >>> from howsure.significance import valid_tests
    >>> [test.name for test in valid_tests("any", "overlapping").valid]
    ['corrected_paired_t', 'cross_validated_z']
    >>> for test, reason in valid_tests("any", "overlapping").invalid:
    ...     print(f"{test.title}: {reason}")
    Sign test: it assumes independent rows, but the training sets of folds overlap
    Paired t test: it assumes independent splits, but their training sets overlap
    """
    for name, value, options in (
        ("measure", measure, tuple(MEASURES)),
        ("design", design, DESIGNS),
        ("classifiers", classifiers, ("one", "two", "many")),
    ):
        one_of(name, value, options)
    valid: list[Test] = []
    invalid: list[tuple[Test, str]] = []
    is_of_cases = design in ("cases", "clusters", "unpaired")
    for test in registry.values():
        if test.kind != kind or classifiers not in (test.classifiers, *INCLUDES.get(test.classifiers, ())):
            continue
        covers = not is_of_cases or test.measures in (measure, "any")
        reason = "" if covers else MEASURES[test.measures]
        if design not in test.designs:
            reason = test.invalid.get(design, "")
        elif covers:
            valid.append(test)
        if reason:
            invalid.append((test, reason))
    return ValidTests(tuple(sorted(valid, key=lambda test: test.preference)), tuple(invalid))


def check_alternative(alternative: str) -> str:
    one_of("alternative", alternative, ALTERNATIVES)
    return alternative
