"""Two classifiers, measured on the same splits of one data set or on several data sets.

What is tested is the differences a - b. Folds share training cases, so their differences are not independent: the
paired t test rejects too often there, and the corrected test and its cautious form are made for them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array, IntArray
from howsure.checks import numbers
from howsure.errors import HowsureError
from howsure.intervals.mean import cautious_ratio, first_repeat, repeat_numbers
from howsure.results import TestResult
from howsure.significance.declare import CROSS_VALIDATED, check_alternative, declare_test
from howsure.significance.inputs import check_finite_table, pairs, rounded, zero_or_above
from howsure.significance.pvalues import possible, studentized

NO_DIFFERENCE = "all differences are 0, so there is nothing to test"
NO_SPREAD = "the differences do not vary, so the test cannot tell how sure their mean is"
ONE_PAIR = "one difference says nothing about its spread"

of_halves = partial(
    declare_test,
    designs=("five_by_two",),
    classifiers="two",
    null="the classifiers are equally good when trained on half of the cases",
    assumes="five repetitions of two folds; differences close to normal, the repetitions independent",
    measures="values",
    apply=lambda test, values, _: test(values.halves),
)
of_repeats = partial(
    declare_test,
    designs=("repeated", "five_by_two"),
    classifiers="two",
    null="the mean difference is 0",
    measures="values",
    apply=lambda test, values, _: test(values.a, values.b, ratio=values.ratio, repeat=values.repeat),
    references=("Nadeau and Bengio 2003",),
)


@declare_test(
    "Paired t test",
    designs=("splits",),
    classifiers="two",
    null="the mean difference is 0",
    assumes="independent differences, close to normal; folds share training cases and are not",
    measures="values",
    preference=1,
    invalid={
        **dict.fromkeys(CROSS_VALIDATED, "it takes splits for independent, and their training sets overlap"),
        "datasets": "differences on unlike data sets are neither comparable in size nor normal",
    },
    apply=lambda test, values, _: test(values.a, values.b),
    references=("Student 1908",),
    interval="t",
)
def paired_t(a: ArrayLike, b: ArrayLike, alternative: str = "two-sided") -> TestResult:
    """Test whether the mean difference of paired values is 0, with K - 1 degrees of freedom.

    Over the folds of a cross-validation it rejects too often; `corrected_paired_t` is the remedy.

    Parameters
    ----------
    a, b : array_like
        One value for each fold or run, in the same order.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import paired_t
    >>> print(paired_t([0.81, 0.79, 0.84, 0.80, 0.78], [0.78, 0.77, 0.84, 0.76, 0.77]))
    Paired t test: difference 0.020, statistic 2.828, df 4, p = 0.0474 (two-sided)
    """
    return _student(a, b, 0.0, alternative, "Paired t test")


@declare_test(
    "Corrected paired t test",
    designs=CROSS_VALIDATED,
    classifiers="two",
    null="the mean difference is 0",
    assumes="differences close to normal, of which each two are correlated as n_test / (n_test + n_train)",
    measures="values",
    preference=3,
    invalid={"datasets": "folds of one data set are not independent, and would count it many times"},
    apply=lambda test, values, _: test(values.a, values.b, ratio=values.ratio),
    references=("Nadeau and Bengio 2003",),
    interval="corrected-t",
)
def corrected_paired_t(a: ArrayLike, b: ArrayLike, ratio: float, alternative: str = "two-sided") -> TestResult:
    """Test the mean difference over splits whose training sets overlap (Nadeau and Bengio 2003).

    The variance of the mean is taken as (1 / K + ratio) times that of the differences. It serves repeated holdout and,
    with all K differences in one row, K-fold cross-validation, repeated or not.

    Parameters
    ----------
    a, b : array_like
        One value for each split, in the same order.
    ratio : float
        Test cases over training cases: 1 / 9 for ten folds. With 0 it is the paired t test.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import corrected_paired_t
    >>> print(corrected_paired_t([0.81, 0.79, 0.84, 0.80, 0.78], [0.78, 0.77, 0.84, 0.76, 0.77], ratio=1 / 4))
    Corrected paired t test: difference 0.020, statistic 1.886, df 4, p = 0.132
      (two-sided)
    """
    return _student(a, b, zero_or_above("ratio", ratio), alternative, "Corrected paired t test")


@of_repeats(
    "Cautious corrected t test",
    assumes="differences close to normal; what the training sets add to their correlation shows from repeat to repeat",
    preference=1,
    references=("Nadeau and Bengio 2003", "Howsure 2026"),
    interval="cautious-t",
)
def cautious_paired_t(
    a: ArrayLike, b: ArrayLike, ratio: float, repeat: ArrayLike, alternative: str = "two-sided"
) -> TestResult:
    """Test the mean difference over repeated splits, of learners that may follow single cases.

    It is the corrected test with a correlation that is taken from the repeats, between that of Nadeau and Bengio and
    what makes the variance of the mean twice that of independent folds. `howsure.intervals.mean.cautious_ratio` has the
    formula; how often it rejects was measured (docs/decisions/2026-11-16-cross-validation-inference.md).

    Parameters
    ----------
    a, b : array_like
        One value for each split, in the same order.
    ratio : float
        Test cases over training cases: 1 / 9 for ten folds.
    repeat : array_like
        Of which repeat each split is. With one repeat it is the corrected test.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import cautious_paired_t
    >>> a, b = [0.81, 0.79, 0.84, 0.80, 0.80, 0.83], [0.78, 0.77, 0.84, 0.76, 0.80, 0.82]
    >>> print(cautious_paired_t(a, b, ratio=1 / 2, repeat=[1, 1, 1, 2, 2, 2]))
    Cautious corrected t test: difference 0.017, statistic 1.250, df 5, p = 0.267
      (two-sided)
    """
    ratio = zero_or_above("ratio", ratio)
    d, numbers = _repeated(a, b, repeat)
    return _student(a, b, cautious_ratio(d, ratio, numbers), alternative, "Cautious corrected t test")


@of_repeats(
    "Corrected paired t test, df of one repeat",
    assumes="as the corrected paired t test; repeats add nothing to the degrees of freedom",
    preference=4,
    interval="corrected-t-folds",
)
def corrected_paired_t_folds(
    a: ArrayLike, b: ArrayLike, ratio: float, repeat: ArrayLike, alternative: str = "two-sided"
) -> TestResult:
    """Test as the corrected paired t test does, with K - 1 degrees of freedom for K folds, however often repeated.

    Parameters
    ----------
    a, b, ratio, repeat, alternative
        As `cautious_paired_t` takes them.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import corrected_paired_t_folds
    >>> a, b = [0.81, 0.79, 0.84, 0.80, 0.80, 0.83], [0.78, 0.77, 0.84, 0.76, 0.80, 0.82]
    >>> print(corrected_paired_t_folds(a, b, ratio=1 / 2, repeat=[1, 1, 1, 2, 2, 2]).df)
    2
    """
    d, numbers = _repeated(a, b, repeat)
    df = len(first_repeat(d, numbers)) - 1
    name = "Corrected paired t test, df of one repeat"
    return _student(a, b, zero_or_above("ratio", ratio), alternative, name, df)


@of_repeats(
    "Corrected paired t test of the first repeat",
    assumes="as the corrected paired t test; all repeats but the first are left unused",
    preference=5,
    interval="corrected-t-once",
)
def corrected_paired_t_once(
    a: ArrayLike, b: ArrayLike, ratio: float, repeat: ArrayLike, alternative: str = "two-sided"
) -> TestResult:
    """Test as the corrected paired t test does, by the first repeat alone.

    Parameters
    ----------
    a, b, ratio, repeat, alternative
        As `cautious_paired_t` takes them.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import corrected_paired_t_once
    >>> a, b = [0.81, 0.79, 0.84, 0.80, 0.80, 0.83], [0.78, 0.77, 0.84, 0.76, 0.80, 0.82]
    >>> print(round(corrected_paired_t_once(a, b, ratio=1 / 2, repeat=[1, 1, 1, 2, 2, 2]).difference, 4))
    0.0167
    """
    first, second = pairs(a, b)
    numbers = repeat_numbers(repeat, len(first))
    once, other = first_repeat(first, numbers), first_repeat(second, numbers)
    name = "Corrected paired t test of the first repeat"
    return _student(once, other, zero_or_above("ratio", ratio), alternative, name)


@of_halves("5x2cv t test", references=("Dietterich 1998",))
def five_by_two_t(d: ArrayLike, alternative: str = "two-sided") -> TestResult:
    """Test with the differences of five repetitions of two folds (Dietterich 1998).

    The statistic is the very first difference over the root of the mean variance within repetitions, with 5 degrees of
    freedom. Another order of the folds gives another answer; `five_by_two_f` does not depend on it.

    Parameters
    ----------
    d : array_like
        5 x 2 differences a - b: a row for each repetition.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import five_by_two_t
    >>> print(five_by_two_t([[0.02, 0.01], [-0.01, 0.03], [0, 0.02], [0.03, 0.01], [0.01, -0.02]]))
    5x2cv t test: difference 0.010, statistic 1.085, df 5, p = 0.328 (two-sided)
    """
    check_alternative(alternative)
    values, variances = _five_by_two(d)
    mean, error = float(values.mean()), math.sqrt(float(variances.mean()))
    if not error:
        return _without_spread(values, "5x2cv t test", 5, alternative)
    return replace(studentized(float(values[0, 0]), error, "5x2cv t test", alternative, 5), difference=mean)


@of_halves("5x2cv F test", references=("Alpaydin 1999",), interval="5x2-f")
def five_by_two_f(d: ArrayLike) -> TestResult:
    """Test with all ten differences of five repetitions of two folds (Alpaydin 1999).

    Their sum of squares over twice the sum of the variances within repetitions, as F(10, 5). It has no side.

    Parameters
    ----------
    d : array_like
        5 x 2 differences a - b: a row for each repetition.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import five_by_two_f
    >>> print(five_by_two_f([[0.02, 0.01], [-0.01, 0.03], [0, 0.02], [0.03, 0.01], [0.01, -0.02]]))
    5x2cv F test: difference 0.010, statistic 1.000, df (10, 5), p = 0.535
    """
    from scipy.special import fdtrc

    values, variances = _five_by_two(d)
    mean, total = float(values.mean()), float(variances.sum())
    if not total:
        return _without_spread(values, "5x2cv F test", (10, 5))
    f = float((values**2).sum()) / (2 * total)
    return TestResult(f, possible(float(fdtrc(10, 5, f))), mean, "5x2cv F test", (10, 5))


def _student(
    a: ArrayLike, b: ArrayLike, ratio: float, alternative: str, name: str, df: int | None = None
) -> TestResult:
    check_alternative(alternative)
    first, second = pairs(a, b)
    d = first - second
    n, mean = len(d), float(d.mean())
    df = n - 1 if df is None else df
    if df < 1:
        return TestResult(math.nan, math.nan, mean, name, df, alternative, (ONE_PAIR,))
    even = rounded(d, first, second)
    if not np.ptp(even):
        return _without_spread(even, name, df, alternative)
    error = float(d.std(ddof=1)) * math.sqrt(1 / n + ratio)
    return studentized(mean, error, name, alternative, df)


def _repeated(a: ArrayLike, b: ArrayLike, repeat: ArrayLike) -> tuple[Array, IntArray]:
    """Give the differences, and the number of the repeat that each is of."""
    first, second = pairs(a, b)
    return first - second, repeat_numbers(repeat, len(first))


def _five_by_two(d: ArrayLike) -> tuple[Array, Array]:
    """Differences, and the variance within each repetition: half of the squared distance of its two folds."""
    values = numbers("d", d)
    if values.shape != (5, 2):
        raise HowsureError(
            f"`d` must be 5 rows (repetitions) of 2 differences (folds), not an array of shape {values.shape}."
        )
    check_finite_table("d", values)
    even = rounded(values, values)
    return values, np.where(even[:, 0] == even[:, 1], 0.0, values[:, 0] - values[:, 1]) ** 2 / 2


def _without_spread(
    differences: Array, name: str, df: float | tuple[float, ...], alternative: str = "two-sided"
) -> TestResult:
    if differences.any():
        return TestResult(math.nan, math.nan, float(differences.mean()), name, df, alternative, (NO_SPREAD,), 0.0)
    return TestResult(0.0, 1.0, 0.0, name, df, alternative, (NO_DIFFERENCE,), 0.0)
