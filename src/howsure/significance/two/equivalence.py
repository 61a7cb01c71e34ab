"""Tests of equivalence and non-inferiority of two classifiers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

from howsure.checks import as_float, check_alpha
from howsure.errors import must
from howsure.present.value_text import number
from howsure.results import TestResult
from howsure.significance.declare import DESIGNS, declare_test
from howsure.significance.inputs import above_zero, check_better
from howsure.significance.pvalues import studentized


@declare_test(
    "Equivalence test",
    designs=DESIGNS[1:],
    classifiers="two",
    null="the classifiers differ by the margin or more",
    assumes="a difference that is approximately normal around the true one, with the given standard error",
    aliases=("tost", "two_one_sided_tests"),
    kind="equivalence",
    references=("Schuirmann 1987",),
)
def equivalence(
    difference: float, error: float, margin: float, df: float | None = None, alpha: float = 0.05
) -> TestResult:
    """Test the equivalence of two classifiers with two one-sided tests (TOST).

    The null hypothesis is that the classifiers differ by the margin or more, so that a small p-value shows that they
    are practically equal. The statistic is (margin - abs(difference)) / error, and the p-value is the larger of those
    of the two one-sided tests (Schuirmann 1987). It assumes a difference that is approximately normal.

    Parameters
    ----------
    difference, error
        Difference in any measure, and its standard error.
    margin
        Smallest difference that matters.
    df
        Degrees of freedom of Student's t distribution. Default: the normal distribution.
    alpha
        Significance level, used only in the note.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import equivalence
    >>> print(equivalence(0.004, error=0.006, margin=0.02))
    equivalence test: difference 0.004, statistic 2.667, p = 0.00383 (equivalence)
      note: equivalent at the 5 % level: a difference of 0.020 or more in either
        direction is excluded
    """
    limit, difference, error, df = _check(difference, error, margin, df)
    question = Question(
        "equivalence test", "equivalent", f"a difference of {number(limit)} or more in either direction"
    )
    result = question.answer(difference, limit - abs(difference), error, df, alpha)
    return replace(result, alternative="equivalence")


@declare_test(
    "Non-inferiority test",
    designs=DESIGNS[1:],
    classifiers="two",
    null="the first classifier is worse by the margin or more",
    assumes="a difference that is approximately normal around the true one, with the given standard error",
    kind="equivalence",
)
def non_inferiority(
    difference: float,
    error: float,
    margin: float,
    df: float | None = None,
    better: str = "higher",
    alpha: float = 0.05,
) -> TestResult:
    """Test the non-inferiority of the first of two classifiers.

    The null hypothesis is that the first classifier is worse than the second by the margin or more. The statistic is
    (difference + margin) / error, with the sign of the difference reversed if lower values are better. It assumes a
    difference that is approximately normal.

    Parameters
    ----------
    difference, error
        Difference in any measure, first - second, and its standard error.
    margin
        Smallest loss that matters.
    df
        Degrees of freedom of Student's t distribution. Default: the normal distribution.
    better
        Whether "higher" or "lower" values are better.
    alpha
        Significance level, used only in the note.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import non_inferiority
    >>> print(non_inferiority(-0.004, error=0.006, margin=0.02))
    non-inferiority test: difference -0.004, statistic 2.667, p = 0.00383 (greater)
      note: non-inferior at the 5 % level: a loss of 0.020 or more is excluded
    """
    check_better(better)
    limit, difference, error, df = _check(difference, error, margin, df)
    distance = limit + (difference if better == "higher" else -difference)
    question = Question("non-inferiority test", "non-inferior", f"a loss of {number(limit)} or more")
    result = question.answer(difference, distance, error, df, alpha)
    return replace(result, alternative="greater" if better == "higher" else "less")


def _check(difference: Any, error: Any, margin: Any, df: Any) -> tuple[float, float, float, float | None]:
    value, spread, freedom = as_float(difference), as_float(error), None if df is None else as_float(df)
    if not isinstance(difference, Real) or math.isinf(value):
        must("difference", "a number", given=difference)
    if not isinstance(error, Real) or spread < 0 or math.isinf(spread):
        must("error", "a number, 0 or above", given=error)
    if freedom is not None and not freedom > 0:
        must("df", "a number above 0", given=df)
    return above_zero("margin", margin), value, spread, freedom


@dataclass(frozen=True)
class Question:
    """A claim to be shown, and the difference that it excludes, in words."""

    method: str
    claim: str
    excludes: str

    def answer(self, difference: float, distance: float, error: float, df: float | None, alpha: float) -> TestResult:
        """Test whether the ``distance`` from the margin is above 0."""
        level = check_alpha(alpha)
        if not error > 0 or math.isnan(difference):
            note = "the standard error is not positive, so the uncertainty of the difference cannot be estimated"
            return TestResult(math.nan, math.nan, difference, self.method, df, notes=(note,), error=error)
        result = studentized(distance, error, self.method, "greater", df)
        verdict, excluded = self.claim, "excluded"
        if result.pvalue > level:
            verdict, excluded = f"not shown to be {self.claim}", "still possible"
        note = f"{verdict} at the {100 * level:g} % level: {self.excludes} is {excluded}"
        return replace(result, difference=difference, notes=(note, *result.notes))
