"""Tests of the mean score or the error rate of one classifier."""

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
    null="the values have the mean `mean`",
    assumes="independent values with a known standard deviation, normally distributed or many",
    measures="values",
)
@shared_texts
def z_test(values: ArrayLike, mean: float, sigma: float, alternative: str = "two-sided") -> TestResult:
    """Test the mean of values with a known standard deviation (z test).

    The null hypothesis is that the values have the mean ``mean``. The statistic is
    (mean of the values - ``mean``) / (``sigma`` / sqrt(K)), which is standard normal under the null hypothesis for
    independent values that are normal, and approximately so for many values.

    Parameters
    ----------
    values
        Independent values, such as scores of folds.
    mean
        Mean under the null hypothesis.
    sigma
        Known standard deviation of the values.
    {alternative}

    Returns
    -------
    TestResult
        The statistic z, the p-value, and the difference between the mean and ``mean``.

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
    null="the values have the mean `mean`",
    assumes="independent values, approximately normal; folds of one cross-validation share training cases, so that the "
    "test rejects too often",
    measures="values",
    preference=1,
    references=("Student 1908",),
)
@shared_texts
def t_test(values: ArrayLike, mean: float, alternative: str = "two-sided") -> TestResult:
    """Test the mean of values with Student's t test.

    The null hypothesis is that the K values have the mean ``mean``. The statistic is
    (mean of the values - ``mean``) / (s / sqrt(K)), where s is their standard deviation. Under the null hypothesis, for
    independent normal values, it has Student's t distribution with K - 1 degrees of freedom.

    Parameters
    ----------
    values
        Independent values, such as scores of folds.
    mean
        Mean under the null hypothesis.
    {alternative}

    Returns
    -------
    TestResult
        The statistic t, the p-value, and the difference between the mean and ``mean``.

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
        note = "one value has no standard deviation"
        return TestResult(math.nan, math.nan, difference, "t test", df, alternative, (note,))
    # The mean of equal values may differ from them in the last bit, which would create a spurious spread.
    deviations = rounded(np.append(data - data[0], difference), data, np.array([expected]))
    if not deviations[:-1].any():
        return no_spread(float(deviations[-1]), "the values", "t test", df, alternative)
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
    """Test an error rate with the exact binomial distribution.

    The null hypothesis is that the probability of an error is ``p0``. The statistic is the number of errors, which is
    then binomial(``n``, ``p0``). The one-sided p-value is the probability of at most, or at least, the observed number
    of errors; the two-sided one is the total probability of all numbers of errors that are no more probable than the
    observed one.

    Parameters
    ----------
    errors, n
        Number of errors, and number of cases.
    p0
        Probability of an error under the null hypothesis.
    {alternative}

    Returns
    -------
    TestResult
        The number of errors, the p-value, and the difference errors / n - ``p0``.

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
    assumes="independent test cases, with at least 5 errors and 5 correct answers expected",
    measures="accuracy",
    aliases=("proportion_test",),
)
@shared_texts
def normal_test(errors: int, n: int, p0: float, alternative: str = "two-sided") -> TestResult:
    """Test an error rate with the normal approximation of the binomial test.

    The null hypothesis is that the probability of an error is ``p0``. The statistic is
    (errors / n - ``p0``) / sqrt(``p0`` (1 - ``p0``) / n), without continuity correction. Wilson's interval consists of
    the values of ``p0`` that this test does not reject.

    Parameters
    ----------
    errors, n
        Number of errors, and number of cases.
    p0
        Probability of an error under the null hypothesis.
    {alternative}

    Returns
    -------
    TestResult
        The statistic z, the p-value, and the difference errors / n - ``p0``.

    Examples
    --------
    >>> from howsure.significance import normal_test
    >>> print(normal_test(4, 40, p0=0.2, alternative="less"))
    normal test: difference -0.100, statistic -1.581, p = 0.0569 (less)
    """
    check_alternative(alternative)
    x, m, p = _errors(errors, n, p0)
    least = min(m * p, m * (1 - p))
    kind = "errors" if p <= 0.5 else "correct answers"
    few = f"only {least:.3g} {kind} are expected, fewer than 5: the approximation is poor; use `binomial_test`"
    error = math.sqrt(p * (1 - p) / m)
    if not error:
        must("p0", "a probability further from 0 and 1", given=p0)
    return studentized(x / m - p, error, "normal test", alternative, notes=(few,) if least < 5 else ())


def _errors(errors: int, n: int, p0: float) -> tuple[int, int, float]:
    x, m = whole("errors", errors), whole("n", n, 1)
    if x > m:
        raise HowsureError(f"`errors` must be at most `n`, but {x} is more than {m}.")
    return x, m, check_share("p0", p0)
