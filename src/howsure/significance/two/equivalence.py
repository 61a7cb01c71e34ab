"""Tests that two classifiers are as good as equal, or that one is at most a little worse."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

from howsure.checks import check_alpha, real
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
    assumes="a difference that is about normal around the true one, with this standard error",
    aliases=("tost", "two_one_sided_tests"),
    kind="equivalence",
    references=("Schuirmann 1987",),
)
def equivalence(
    difference: float, error: float, margin: float, df: float | None = None, alpha: float = 0.05
) -> TestResult:
    """Test whether two classifiers differ by less than a margin, by two one-sided tests (Schuirmann 1987).

    Here a small p-value shows that they are as good as equal.

    Parameters
    ----------
    difference, error
        The difference, of any measure, and its standard error.
    margin
        The smallest difference that would matter.
    df
        Degrees of freedom of Student's distribution; default: the normal one.
    alpha
        Of the note only.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import equivalence
    >>> print(equivalence(0.004, error=0.006, margin=0.02))
    equivalence test: difference 0.004, statistic 2.667, p = 0.00383 (equivalence)
      note: equivalent at the 5 % level: a difference of 0.020 or more, either way,
        is excluded
    """
    room, difference, error, df = _check(difference, error, margin, df)
    question = Question("equivalence test", "equivalent", f"a difference of {number(room)} or more, either way, is")
    result = question.answer(difference, room - abs(difference), error, df, alpha)
    return replace(result, alternative="equivalence")


@declare_test(
    "Non-inferiority test",
    designs=DESIGNS[1:],
    classifiers="two",
    null="the first classifier is worse by the margin or more",
    assumes="a difference that is about normal around the true one, with this standard error",
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
    """Test whether the first classifier is at most a little worse than the second: by less than a margin.

    Parameters
    ----------
    difference, error
        The difference first - second, of any measure, and its standard error.
    margin
        The smallest loss that would matter.
    df
        Degrees of freedom of Student's distribution; default: the normal one.
    better
        Whether "higher" or "lower" values are better.
    alpha
        Of the note only.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import non_inferiority
    >>> print(non_inferiority(-0.004, error=0.006, margin=0.02))
    non-inferiority test: difference -0.004, statistic 2.667, p = 0.00383 (greater)
      note: not inferior at the 5 % level: that the first is worse by 0.020 or more
        is excluded
    """
    check_better(better)
    room, difference, error, df = _check(difference, error, margin, df)
    distance = room + (difference if better == "higher" else -difference)
    question = Question("non-inferiority test", "not inferior", f"that the first is worse by {number(room)} or more is")
    result = question.answer(difference, distance, error, df, alpha)
    return replace(result, alternative="greater" if better == "higher" else "less")


def _check(difference: Any, error: Any, margin: Any, df: Any) -> tuple[float, float, float, float | None]:
    value, spread, freedom = real(difference), real(error), None if df is None else real(df)
    if not isinstance(difference, Real) or math.isinf(value):
        must("difference", "a number", given=difference)
    if not isinstance(error, Real) or spread < 0 or math.isinf(spread):
        must("error", "a number, 0 or above", given=error)
    if freedom is not None and not freedom > 0:
        must("df", "a number above 0", given=df)
    return above_zero("margin", margin), value, spread, freedom


@dataclass(frozen=True)
class Question:
    """What is to be shown, and the difference that is excluded with it, in words."""

    method: str
    shows: str
    excludes: str

    def answer(self, difference: float, distance: float, error: float, df: float | None, alpha: float) -> TestResult:
        """Test whether the ``distance`` of a difference from its margin is above 0, and say what that shows."""
        level = check_alpha(alpha)
        if not error > 0 or math.isnan(difference):
            note = "there is no difference with a standard error above 0, so the test cannot tell how sure it is"
            return TestResult(math.nan, math.nan, difference, self.method, df, notes=(note,), error=error)
        result = studentized(distance, error, self.method, "greater", df)
        verdict, excluded = self.shows, "excluded"
        if result.pvalue > level:
            verdict, excluded = f"not shown to be {self.shows}", "not excluded"
        note = f"{verdict} at the {100 * level:g} % level: {self.excludes} {excluded}"
        return replace(result, difference=difference, notes=(note, *result.notes))
