"""Test the difference of any measure of two classifiers on the same cases, by its own standard error."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from howsure.data.encode import Label
from howsure.measures import registry
from howsure.measures.estimate.difference import Difference, difference
from howsure.results import TestResult
from howsure.significance.declare import check_alternative, declare_test
from howsure.significance.pvalues import no_spread, studentized
from howsure.significance.two.paired_answers import measure_name, paired_table, unanswered

NO_SPREAD = 1e-12  # a standard error, or a difference, that is only rounding
DRAWN_TO_0 = "with the cases that were added nothing is left of the difference"


@declare_test(
    "Delta test",
    designs=("cases", "clusters"),
    classifiers="two",
    null="the classifiers have the same value of the measure",
    assumes="independent cases, or independent clusters of cases",
    references=("Bonett and Price 2012",),
    apply=lambda _, answers, __: by_error(answers.difference),
)
def paired_delta(
    truth: Any,
    a: Any = None,
    b: Any = None,
    measure: str = "accuracy",
    *,
    positive: Label | None = None,
    average: str | None = None,
    labels: Any = None,
    alternative: str = "two-sided",
    **parameters: Any,
) -> TestResult:
    """Test whether a measure of two classifiers differs, by the standard error of its difference.

    `permutation` asks whether the classifiers are alike in all; this asks only whether they have the same value. The
    error is that of the delta method, from how each case changes the difference, so that the pairing counts. To labels
    half a case is added in each class that only the first classifier gets right, and half a case that only the second
    does; where classes are rare, the delta method alone sees too little error. Likelihood and odds ratios are compared
    by their logarithms; with the cases that are added they have a value where no error of one kind was made, and are
    tested there too.

    Parameters
    ----------
    truth, a, b, measure, positive, average, labels, alternative, **parameters
        As `permutation` takes them.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import paired_delta
    >>> truth = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]
    >>> print(paired_delta(truth, [1, 1, 1, 1, 1, 0, 0, 0, 0, 1], [1, 0, 0, 1, 0, 0, 0, 0, 1, 1], "f1"))
    delta test of f1 (1): difference 0.433, statistic 1.848, p = 0.0646 (two-sided)
    """
    check_alternative(alternative)
    table, label = paired_table(truth, a, b, registry[measure], labels, positive)
    seen = difference(table, registry[measure], label=label, average=average, parameters=parameters)
    return by_error(seen, alternative)


def by_error(seen: Difference, alternative: str = "two-sided") -> TestResult:
    """Divide the difference by its error; what was seen says in which direction."""
    name = f"delta test of {measure_name(seen.first)}"
    if seen.table.same or (seen.reason and not seen.is_testable):
        return unanswered(seen, name, alternative)
    tested = seen.paired_error
    value = tested.value if seen.reason else seen.value
    notes = tuple(dict.fromkeys(note for one in (seen.first, seen.second) for note in one.notes))
    if tested.reason:
        return TestResult(math.nan, math.nan, value, name, None, alternative, (tested.reason,))
    if not tested.error > NO_SPREAD:
        return no_spread(value if abs(value) > NO_SPREAD else 0.0, "the cases", name, tested.df, alternative)
    if tested.value * value <= 0 and value != 0:
        note = (*notes, DRAWN_TO_0)
        return TestResult(0.0, 1.0, value, name, tested.df, alternative, note, tested.error)
    result = studentized(tested.value, tested.error, name, alternative, tested.df, notes)
    return replace(result, difference=seen.value)
