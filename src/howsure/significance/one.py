"""Tests of one classifier against a number: its mean over folds, or its error on one test set."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from howsure.checks import check_share, check_size
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, must
from howsure.results import TestResult
from howsure.significance.binomial import binomial_pvalue
from howsure.significance.declare import check_alternative, declare_test
from howsure.significance.inputs import above_zero, finite, rounded, row, whole
from howsure.significance.pvalues import no_spread, stated, studentized


@declare_test(
    "One-sample z test",
    designs=("one",),
    classifiers="one",
    null="the mean of the values is the number given",
    assumes="independent values with a known standard deviation, and normal or many",
    measures="values",
)
@shared_texts
def z_test(values: ArrayLike, mean: float, sigma: float, alternative: str = "two-sided") -> TestResult:
    """Test whether values have the mean ``mean``, their standard deviation ``sigma`` being known.

    Parameters
    ----------
    values
        Independent numbers, as of folds.
    mean
        What their mean is under the null hypothesis.
    sigma
        Their known standard deviation.
    {alternative}

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import z_test
    >>> print(z_test([0.81, 0.79, 0.84, 0.80, 0.78], mean=0.78, sigma=0.02))
    z test: difference 0.024, statistic 2.683, p = 0.00729 (two-sided)
    """
    check_alternative(alternative)
    data, expected = row("values", values), finite("mean", mean)
    error = above_zero("sigma", sigma) / math.sqrt(len(data))
    check_size("sigma", np.array([sigma]))
    return studentized(float(data.mean()) - expected, error, "z test", alternative)


@declare_test(
    "One-sample t test",
    designs=("one",),
    classifiers="one",
    null="the mean of the values is the number given",
    assumes="independent values, about normal; folds of one cross-validation share training cases, so it is too sure",
    measures="values",
    preference=1,
    references=("Student 1908",),
)
@shared_texts
def t_test(values: ArrayLike, mean: float, alternative: str = "two-sided") -> TestResult:
    """Test whether values, as of K folds, have the mean ``mean``: Student's test with K - 1 degrees of freedom.

    Parameters
    ----------
    values
        Independent numbers, as of folds.
    mean
        What their mean is under the null hypothesis.
    {alternative}

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import t_test
    >>> print(t_test([0.81, 0.79, 0.84, 0.80, 0.78], mean=0.78))
    t test: difference 0.024, statistic 2.331, df 4, p = 0.0802 (two-sided)
    """
    check_alternative(alternative)
    data, expected = row("values", values), finite("mean", mean)
    difference, df = float(data.mean()) - expected, float(len(data) - 1)
    if len(data) == 1:
        note = "one value says nothing about its spread"
        return TestResult(math.nan, math.nan, difference, "t test", df, alternative, (note,))
    # Equal values may have a mean that differs from them in the last bit, and so a spread that is not there.
    apart = rounded(np.append(data - data[0], difference), data, np.array([expected]))
    if not apart[:-1].any():
        return no_spread(float(apart[-1]), "the values", "t test", df, alternative)
    return studentized(difference, float(data.std(ddof=1)) / math.sqrt(len(data)), "t test", alternative, df)


@declare_test(
    "Exact binomial test",
    designs=("one",),
    classifiers="one",
    null="the probability of an error is p0",
    assumes="independent test cases",
    measures="accuracy",
    preference=1,
)
@shared_texts
def binomial_test(errors: int, n: int, p0: float, alternative: str = "two-sided") -> TestResult:
    """Test whether ``errors`` of ``n`` cases agree with an error probability ``p0``, exactly.

    The statistic is the number of errors. A one-sided p-value is the probability of as many or fewer (from 0 on), or as
    many or more; the two-sided one that of all numbers of errors no more probable than the one seen.

    Parameters
    ----------
    errors, n
        How many of how many cases are wrong.
    p0
        The error probability under the null hypothesis.
    {alternative}

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import binomial_test
    >>> print(binomial_test(4, 40, p0=0.2, alternative="less"))
    binomial test: difference -0.100, statistic 4.000, p = 0.0759 (less)
    """
    check_alternative(alternative)
    x, m, p = _errors(errors, n, p0)
    pvalue = binomial_pvalue(x, m, p, alternative)
    return stated(TestResult(float(x), pvalue, x / m - p, "binomial test", None, alternative))


@declare_test(
    "Normal approximation of the binomial test",
    designs=("one",),
    classifiers="one",
    null="the probability of an error is p0",
    assumes="independent test cases, and at least 5 errors and 5 right answers to be expected",
    measures="accuracy",
    aliases=("proportion_test",),
)
@shared_texts
def normal_test(errors: int, n: int, p0: float, alternative: str = "two-sided") -> TestResult:
    """Test whether ``errors`` of ``n`` cases agree with an error probability ``p0``, by the normal distribution.

    There is no correction for continuity. Wilson's interval holds the ``p0`` that this test does not reject.

    Parameters
    ----------
    errors, n
        How many of how many cases are wrong.
    p0
        The error probability under the null hypothesis.
    {alternative}

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import normal_test
    >>> print(normal_test(4, 40, p0=0.2, alternative="less"))
    normal test: difference -0.100, statistic -1.581, p = 0.0569 (less)
    """
    check_alternative(alternative)
    x, m, p = _errors(errors, n, p0)
    least = min(m * p, m * (1 - p))
    kind = "errors" if p <= 0.5 else "right answers"
    few = f"{least:.3g} {kind} are to be expected, fewer than 5, so the approximation is poor; binomial_test is exact"
    error = math.sqrt(p * (1 - p) / m)
    if not error:
        must("p0", "a probability that is not as near to 0 or 1 as this", given=p0)
    return studentized(x / m - p, error, "normal test", alternative, notes=(few,) if least < 5 else ())


def _errors(errors: int, n: int, p0: float) -> tuple[int, int, float]:
    x, m = whole("errors", errors), whole("n", n, 1)
    if x > m:
        raise HowsureError(f"`errors` must be at most `n`, not {x} of {m}.")
    return x, m, check_share("p0", p0)
