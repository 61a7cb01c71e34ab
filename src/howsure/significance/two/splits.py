"""Tests of two classifiers on the same splits of a data set.

All tests use the differences a - b. The training sets of folds overlap, so the differences of folds are correlated: the
paired t test then rejects too often, and the corrected tests allow for the correlation.
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
NO_SPREAD = "the differences do not vary, so the uncertainty of their mean cannot be estimated"
ONE_PAIR = "one difference has no standard deviation"

of_halves = partial(
    declare_test,
    designs=("five_by_two",),
    classifiers="two",
    null="the classifiers are equally good when trained on half of the cases",
    assumes="five repetitions of two folds; approximately normal differences, independent between repetitions",
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
    assumes="independent, approximately normal differences; folds share training cases and are not independent",
    measures="values",
    preference=1,
    invalid={
        **dict.fromkeys(CROSS_VALIDATED, "it assumes independent splits, but their training sets overlap"),
        "datasets": "differences on different data sets are neither comparable in size nor normal",
    },
    apply=lambda test, values, _: test(values.a, values.b),
    references=("Student 1908",),
    interval="t",
)
def paired_t(a: ArrayLike, b: ArrayLike, alternative: str = "two-sided") -> TestResult:
    """Paired t test of the mean difference.

    The null hypothesis is that the K differences a - b have the mean 0. The statistic is their mean over s / sqrt(K),
    where s is their standard deviation. Under the null hypothesis, for independent normal differences, it has Student's
    t distribution with K - 1 degrees of freedom. On the folds of a cross-validation, it rejects too often; use
    `corrected_paired_t` there.

    Parameters
    ----------
    a, b : array_like
        One value for each fold or run, in the same order.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger.

    Returns
    -------
    TestResult
        The statistic t, the p-value, and the mean difference.

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
    assumes="approximately normal differences, with the correlation n_test / (n_test + n_train) between any two",
    measures="values",
    preference=3,
    invalid={"datasets": "folds of one data set are not independent, and would count the data set several times"},
    apply=lambda test, values, _: test(values.a, values.b, ratio=values.ratio),
    references=("Nadeau and Bengio 2003",),
    interval="corrected-t",
)
def corrected_paired_t(a: ArrayLike, b: ArrayLike, ratio: float, alternative: str = "two-sided") -> TestResult:
    """Corrected resampled t test of the mean difference over splits.

    The null hypothesis is that the K differences a - b have the mean 0. The statistic is
    t = mean / sqrt((1 / K + ``ratio``) s²) with K - 1 degrees of freedom, where s² is the variance of the differences
    (Nadeau and Bengio 2003). The term ``ratio`` = n_test / n_train allows for the correlation of overlapping training
    sets, which is assumed to be n_test / (n_test + n_train). The test is suitable for repeated holdout, and for
    cross-validation with or without repeats.

    Parameters
    ----------
    a, b : array_like
        One value for each split, in the same order.
    ratio : float
        Number of test cases divided by the number of training cases: 1 / 9 for ten folds. With 0, it is the paired t
        test.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger.

    Returns
    -------
    TestResult
        The statistic t, the p-value, and the mean difference.

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
    assumes="approximately normal differences, with a correlation that is reflected in the variance between repeats",
    preference=1,
    references=("Nadeau and Bengio 2003", "Howsure 2026"),
    interval="cautious-t",
)
def cautious_paired_t(
    a: ArrayLike, b: ArrayLike, ratio: float, repeat: ArrayLike, alternative: str = "two-sided"
) -> TestResult:
    """Corrected t test with a correlation estimated from the repeats.

    It is `corrected_paired_t` with a larger ``ratio`` for learners whose predictions depend on single training cases:
    this ratio lies between that of Nadeau and Bengio and the one that makes the variance of the mean twice that of
    independent folds. `howsure.intervals.mean.cautious_ratio` gives the formula. Its type I error was simulated
    (docs/decisions/2026-11-16-cross-validation-inference.md).

    Parameters
    ----------
    a, b : array_like
        One value for each split, in the same order.
    ratio : float
        Number of test cases divided by the number of training cases: 1 / 9 for ten folds.
    repeat : array_like
        Repeat of each split. With a single repeat, the test is `corrected_paired_t`.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger.

    Returns
    -------
    TestResult
        The statistic t, the p-value, and the mean difference.

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
    assumes="as for the corrected paired t test; repeats do not add degrees of freedom",
    preference=4,
    interval="corrected-t-folds",
)
def corrected_paired_t_folds(
    a: ArrayLike, b: ArrayLike, ratio: float, repeat: ArrayLike, alternative: str = "two-sided"
) -> TestResult:
    """Corrected paired t test with the degrees of freedom of one repeat.

    It is `corrected_paired_t` with K - 1 degrees of freedom for K folds, for any number of repeats.

    Parameters
    ----------
    a, b, ratio, repeat, alternative
        As in `cautious_paired_t`.

    Returns
    -------
    TestResult
        The statistic t, the p-value, and the mean difference.

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
    assumes="as for the corrected paired t test; only the first repeat is used",
    preference=5,
    interval="corrected-t-once",
)
def corrected_paired_t_once(
    a: ArrayLike, b: ArrayLike, ratio: float, repeat: ArrayLike, alternative: str = "two-sided"
) -> TestResult:
    """Corrected paired t test on the first repeat only.

    Parameters
    ----------
    a, b, ratio, repeat, alternative
        As in `cautious_paired_t`.

    Returns
    -------
    TestResult
        The statistic t, the p-value, and the mean difference.

    Examples
    --------
    >>> from howsure.significance import corrected_paired_t_once
    >>> a, b = [0.81, 0.79, 0.84, 0.80, 0.80, 0.83], [0.78, 0.77, 0.84, 0.76, 0.80, 0.82]
    >>> print(round(corrected_paired_t_once(a, b, ratio=1 / 2, repeat=[1, 1, 1, 2, 2, 2]).difference, 4))
    0.0167
    """
    first, second = pairs(a, b)
    numbers = repeat_numbers(repeat, len(first))
    name = "Corrected paired t test of the first repeat"
    return _student(
        first_repeat(first, numbers),
        first_repeat(second, numbers),
        zero_or_above("ratio", ratio),
        alternative,
        name,
    )


@of_halves("5x2cv t test", references=("Dietterich 1998",))
def five_by_two_t(d: ArrayLike, alternative: str = "two-sided") -> TestResult:
    """Dietterich's t test on five repetitions of two-fold cross-validation.

    The null hypothesis is that both classifiers are equally good when trained on half of the cases. With s_i² the
    variance of the two differences of repetition i, the statistic is t = d_11 / sqrt(Σ s_i² / 5), where d_11 is the
    first difference, with 5 degrees of freedom (Dietterich 1998). It depends on the order of the folds, unlike
    `five_by_two_f`.

    Parameters
    ----------
    d : array_like
        Differences a - b of five repetitions (rows) of two folds (columns).
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger.

    Returns
    -------
    TestResult
        The statistic t, the p-value, and the mean of all ten differences.

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
    """Alpaydin's F test on five repetitions of two-fold cross-validation.

    The null hypothesis is that both classifiers are equally good when trained on half of the cases. With d_ij the
    differences and s_i² their variance in repetition i, the statistic is F = Σ d_ij² / (2 Σ s_i²), with 10 and 5
    degrees of freedom (Alpaydin 1999). The test is two-sided.

    Parameters
    ----------
    d : array_like
        Differences a - b of five repetitions (rows) of two folds (columns).

    Returns
    -------
    TestResult
        The statistic F, the p-value, and the mean of all ten differences.

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
    """Test the mean difference using t = mean / sqrt((1 / n + ratio) s²)."""
    check_alternative(alternative)
    first, second = pairs(a, b)
    d = first - second
    n, mean = len(d), float(d.mean())
    df = n - 1 if df is None else df
    if df < 1:
        return TestResult(math.nan, math.nan, mean, name, df, alternative, (ONE_PAIR,))
    decimal = rounded(d, first, second)
    if not np.ptp(decimal):
        return _without_spread(decimal, name, df, alternative)
    error = float(d.std(ddof=1)) * math.sqrt(1 / n + ratio)
    return studentized(mean, error, name, alternative, df)


def _repeated(a: ArrayLike, b: ArrayLike, repeat: ArrayLike) -> tuple[Array, IntArray]:
    """Return the differences, and the repeat of each."""
    first, second = pairs(a, b)
    return first - second, repeat_numbers(repeat, len(first))


def _five_by_two(d: ArrayLike) -> tuple[Array, Array]:
    """Return the differences, and the variance of each repetition."""
    values = numbers("d", d)
    if values.shape != (5, 2):
        raise HowsureError(
            f"`d` must be 5 rows (repetitions) of 2 differences (folds), not an array of shape {values.shape}."
        )
    check_finite_table("d", values)
    decimal = rounded(values, values)
    return values, np.where(decimal[:, 0] == decimal[:, 1], 0.0, values[:, 0] - values[:, 1]) ** 2 / 2


def _without_spread(
    differences: Array, name: str, df: float | tuple[float, ...], alternative: str = "two-sided"
) -> TestResult:
    if differences.any():
        return TestResult(math.nan, math.nan, float(differences.mean()), name, df, alternative, (NO_SPREAD,), 0.0)
    return TestResult(0.0, 1.0, 0.0, name, df, alternative, (NO_DIFFERENCE,), 0.0)
