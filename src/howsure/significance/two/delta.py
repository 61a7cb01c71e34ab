"""Test of the difference in any measure, based on its standard error."""

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
from howsure.significance.two.paired_answers import measure_name, paired_table, without_test

NO_SPREAD = 1e-12  # standard errors and differences below this are rounding errors
DRAWN_TO_0 = "the difference vanishes with the added cases"


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
    """Test the difference in a measure between two classifiers (delta method).

    The null hypothesis is that both classifiers have the same value of the measure; unlike `permutation`, it does not
    state that they are exchangeable. The statistic is the difference over its standard error, which the delta method
    computes from the influence of each case on the difference, and so allows for the pairing. It is approximately
    normal for many independent cases.

    For measures of labels, two half cases are added to each class, one that only the first classifier gets right and
    one that only the second does (Bonett and Price 2012): otherwise, the standard error would be too small for rare
    classes. Likelihood and odds ratios are compared on the log scale; with the added cases, they can be tested even if
    there are no errors of one kind.

    Parameters
    ----------
    truth, a, b, measure, positive, average, labels, alternative, **parameters
        As in `permutation`.

    Returns
    -------
    TestResult
        The statistic z, the p-value, and the difference, a - b.

    Examples
    --------
    >>> from howsure.significance import paired_delta
    >>> truth = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]
    >>> print(paired_delta(truth, [1, 1, 1, 1, 1, 0, 0, 0, 0, 1], [1, 0, 0, 1, 0, 0, 0, 0, 1, 1], "f1"))
    delta test of f1 (1): difference 0.433, statistic 1.848, p = 0.0646 (two-sided)
    """
    check_alternative(alternative)
    table, label = paired_table(truth, a, b, registry[measure], labels, positive)
    observed = difference(table, registry[measure], label=label, average=average, parameters=parameters)
    return by_error(observed, alternative)


def by_error(observed: Difference, alternative: str = "two-sided") -> TestResult:
    """Test a difference using its standard error."""
    name = f"delta test of {measure_name(observed.first)}"
    if observed.table.same or (observed.reason and not observed.is_testable):
        return without_test(observed, name, alternative)
    tested = observed.paired_error
    value = tested.value if observed.reason else observed.value
    notes = tuple(dict.fromkeys((*observed.first.notes, *observed.second.notes)))
    if tested.reason:
        return TestResult(math.nan, math.nan, value, name, None, alternative, (tested.reason,))
    if not tested.error > NO_SPREAD:
        return no_spread(value if abs(value) > NO_SPREAD else 0.0, "the cases", name, tested.df, alternative)
    if tested.value * value <= 0 and value != 0:  # the added cases reverse the sign
        note = (*notes, DRAWN_TO_0)
        return TestResult(0.0, 1.0, value, name, tested.df, alternative, note, tested.error)
    result = studentized(tested.value, tested.error, name, alternative, tested.df, notes)
    return replace(result, difference=observed.value)
