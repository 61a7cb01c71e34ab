"""Tests of one classifier against a number: its mean over folds, or its error on one test set."""

from __future__ import annotations

import math
import sys
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from assay.errors import AssayError, must
from assay.intervals.proportion import z_value
from assay.present.format import number
from assay.results import TestResult
from assay.significance.declare import check_alternative, declare_test, rounded, row, tail_of

LEAST = sys.float_info.min
EQUAL = 1e-7  # two outcomes whose probabilities differ by less, relatively, are equally probable (as SciPy has it)


@declare_test(
    "One-sample z test",
    designs=("one",),
    classifiers="one",
    null="the mean of the values is the number given",
    assumes="independent values with a known standard deviation, and normal or many",
    measures="values",
)
def z_test(values: ArrayLike, mean: float, sigma: float, alternative: str = "two-sided") -> TestResult:
    """Test whether values have the mean ``mean``, their standard deviation ``sigma`` being known.

    Examples
    --------
    >>> from assay.significance import z_test
    >>> print(z_test([0.81, 0.79, 0.84, 0.80, 0.78], mean=0.78, sigma=0.02))
    z test: difference 0.024, statistic 2.683, p = 0.00729 (two-sided)
    """
    check_alternative(alternative)
    data, expected = row("values", values), finite("mean", mean)
    if not isinstance(sigma, Real) or not 0 < sigma < math.inf:
        must("sigma", "a number above 0", given=sigma)
    return studentized(float(data.mean()) - expected, float(sigma) / math.sqrt(len(data)), "z test", alternative)


@declare_test(
    "One-sample t test",
    designs=("one",),
    classifiers="one",
    null="the mean of the values is the number given",
    assumes="independent values, about normal; folds of one cross-validation share training cases, so it is too sure",
    measures="values",
    preference=1,
)
def t_test(values: ArrayLike, mean: float, alternative: str = "two-sided") -> TestResult:
    """Test whether values, as of K folds, have the mean ``mean``: Student's test with K - 1 degrees of freedom.

    Examples
    --------
    >>> from assay.significance import t_test
    >>> print(t_test([0.81, 0.79, 0.84, 0.80, 0.78], mean=0.78))
    t test: difference 0.024, statistic 2.331, df 4.0, p = 0.0802 (two-sided)
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
def binomial_test(errors: int, n: int, p0: float, alternative: str = "two-sided") -> TestResult:
    """Test whether ``errors`` of ``n`` cases agree with an error probability ``p0``, exactly.

    The statistic is the number of errors. A one-sided p-value is the probability of as many or fewer (from 0 on), or as
    many or more; the two-sided one that of all numbers of errors no more probable than the one seen.

    Examples
    --------
    >>> from assay.significance import binomial_test
    >>> print(binomial_test(4, 40, p0=0.2, alternative="less"))
    binomial test: difference -0.100, statistic 4.000, p = 0.0759 (less)
    """
    check_alternative(alternative)
    x, m, p = _errors(errors, n, p0)
    return shown(TestResult(float(x), _binomial(x, m, p, alternative), x / m - p, "binomial test", None, alternative))


@declare_test(
    "Normal approximation of the binomial test",
    designs=("one",),
    classifiers="one",
    null="the probability of an error is p0",
    assumes="independent test cases, and at least 5 errors and 5 right answers to be expected",
    measures="accuracy",
    aliases=("proportion_test",),
)
def normal_test(errors: int, n: int, p0: float, alternative: str = "two-sided") -> TestResult:
    """Test whether ``errors`` of ``n`` cases agree with an error probability ``p0``, by the normal distribution.

    There is no correction for continuity. Wilson's interval holds the ``p0`` that this test does not reject.

    Examples
    --------
    >>> from assay.significance import normal_test
    >>> print(normal_test(4, 40, p0=0.2, alternative="less"))
    normal test: difference -0.100, statistic -1.581, p = 0.0569 (less)
    """
    check_alternative(alternative)
    x, m, p = _errors(errors, n, p0)
    least = min(m * p, m * (1 - p))
    kind = "errors" if p <= 0.5 else "right answers"
    few = f"{least:.3g} {kind} are to be expected, fewer than 5, so the approximation is poor; binomial_test is exact"
    error = math.sqrt(p * (1 - p) / m)
    return studentized(x / m - p, error, "normal test", alternative, notes=(few,) if least < 5 else ())


def decide(result: TestResult, alpha: float = 0.05) -> str:
    """State in words whether a test rejects its null hypothesis at the level ``alpha``.

    Examples
    --------
    >>> from assay.significance import binomial_test, decide
    >>> decide(binomial_test(4, 40, p0=0.2))
    'not rejected at the 5 % level: p = 0.163'
    """
    level = f"{100 * share('alpha', alpha):g} %"
    if math.isnan(result.pvalue):
        return f"not decided at the {level} level: {'; '.join(result.notes) or 'the test has no p-value'}"
    return f"{'' if result.pvalue <= alpha else 'not '}rejected at the {level} level: p = {result.pvalue:.3g}"


@dataclass(frozen=True)
class Power:
    """How often a test rejects: ``type_1`` if its null hypothesis holds, ``power`` if the alternative given does."""

    power: float
    type_1: float

    @property
    def type_2(self) -> float:
        """Probability of not rejecting although the alternative holds."""
        return 1 - self.power

    def __float__(self) -> float:
        return self.power

    def __str__(self) -> str:
        return f"power {number(self.power)}, type I error {number(self.type_1)}, type II error {number(self.type_2)}"


def power_binomial(p: float, n: int, p0: float, alpha: float = 0.05, alternative: str = "two-sided") -> Power:
    """Errors and power of `binomial_test` at the level ``alpha`` where the error probability is ``p``, exactly.

    The number of errors is whole, so that the type I error is mostly below ``alpha``.

    Examples
    --------
    >>> from assay.significance import power_binomial
    >>> print(power_binomial(0.1, n=100, p0=0.2))
    power 0.802, type I error 0.045, type II error 0.198
    """
    check_alternative(alternative)
    cases, null, level = whole("n", n, 1), share("p0", p0), share("alpha", alpha)
    if not isinstance(p, Real) or not 0 <= p <= 1:
        must("p", "a number from 0 to 1", given=p)
    few, many = _rejected(cases, null, level, alternative)
    power, size = (at_most(few, cases, true) + at_least(many, cases, true) for true in (float(p), null))
    return Power(power, size)


def power_normal(p: float, n: int, p0: float, alpha: float = 0.05, alternative: str = "two-sided") -> Power:
    """Errors and power of `normal_test` at the level ``alpha``, also by the normal distribution.

    Examples
    --------
    >>> from assay.significance import power_normal
    >>> print(power_normal(0.1, n=100, p0=0.2))
    power 0.764, type I error 0.050, type II error 0.236
    """
    from scipy.special import ndtr

    check_alternative(alternative)
    cases, null, true, level = whole("n", n, 1), share("p0", p0), share("p", p), share("alpha", alpha)
    reach = z_value(level / 2 if alternative == "two-sided" else level) * math.sqrt(null * (1 - null))
    shift, spread = math.sqrt(cases) * (true - null), math.sqrt(true * (1 - true))
    above, below = float(ndtr((shift - reach) / spread)), float(ndtr((-shift - reach) / spread))
    return Power({"two-sided": above + below, "greater": above, "less": below}[alternative], level)


def studentized(
    difference: float, error: float, method: str, alternative: str, df: float | None = None, notes: tuple[str, ...] = ()
) -> TestResult:
    """Test a difference by the number of its standard errors: normal, or Student's with ``df``."""
    from scipy.special import ndtr, stdtr

    def upper(statistic: float) -> float:
        return float(ndtr(-statistic) if df is None else stdtr(df, -statistic))

    statistic = difference / error
    found = tail_of(statistic, upper, alternative)
    return shown(TestResult(statistic, found, difference, method, df, alternative, notes, error))


def no_spread(difference: float, what: str, method: str, df: float | None, alternative: str) -> TestResult:
    """Answer where ``what`` does not vary: p = 1 without a difference, and none with one."""
    if difference:
        note = f"{what} have no spread, so the test cannot tell how sure the difference is"
        return TestResult(math.nan, math.nan, difference, method, df, alternative, (note,), 0.0)
    note = f"{what} have no spread, and there is no difference to test"
    return TestResult(0.0, 1.0, 0.0, method, df, alternative, (note,), 0.0)


def shown(result: TestResult) -> TestResult:
    """Give a p-value too small for a number as the smallest there is: nothing is impossible."""
    if not result.pvalue < LEAST:
        return result
    return replace(result, pvalue=LEAST, notes=(*result.notes, f"the p-value is below {LEAST:.2g}, given in its place"))


def at_most(x: int, n: int, p: float) -> float:
    """Probability of 0, 1, ... or x errors in n cases."""
    from scipy.special import betaincc

    return 0.0 if x < 0 else 1.0 if x >= n else float(betaincc(x + 1, n - x, p))


def at_least(x: int, n: int, p: float) -> float:
    """Probability of x, x + 1, ... or n errors in n cases."""
    from scipy.special import betainc

    return 1.0 if x <= 0 else 0.0 if x > n else float(betainc(x, n - x + 1, p))


def _binomial(x: int, n: int, p: float, alternative: str) -> float:
    if alternative != "two-sided":
        return at_most(x, n, p) if alternative == "less" else at_least(x, n, p)
    if x == n * p:
        return 1.0

    def likelihood(k: int) -> float:
        """Logarithm of the probability of k errors; the sum comes first, so that k and n - k agree to the last bit."""
        ways = math.lgamma(n + 1) - (math.lgamma(k + 1) + math.lgamma(n - k + 1))
        return ways + k * math.log(p) + (n - k) * math.log1p(-p)

    limit = likelihood(x) + EQUAL
    # The probability rises up to n p and falls from there on, so one search finds the other tail.
    if x < n * p:
        right = range(math.ceil(n * p), n + 1)
        start = right.start + bisect_left(right, -limit, key=lambda k: -likelihood(k))
        return min(1.0, at_most(x, n, p) + at_least(start, n, p))
    left = range(math.floor(n * p) + 1)
    return min(1.0, at_most(bisect_right(left, limit, key=likelihood) - 1, n, p) + at_least(x, n, p))


def _rejected(n: int, p0: float, alpha: float, alternative: str) -> tuple[int, int]:
    """Give the most of the few errors, and the fewest of the many, with which `binomial_test` rejects."""
    turn = {"two-sided": math.floor(n * p0), "less": n, "greater": -1}[alternative]
    few = bisect_right(range(turn + 1), alpha, key=lambda x: _binomial(x, n, p0, alternative)) - 1
    many = bisect_left(range(turn + 1, n + 1), -alpha, key=lambda x: -_binomial(x, n, p0, alternative))
    return few, turn + 1 + many


def share(name: str, given: float) -> float:
    if not isinstance(given, Real) or not 0 < given < 1:
        must(name, "a number between 0 and 1", given=given)
    return float(given)


def finite(name: str, given: float) -> float:
    if not isinstance(given, Real) or not math.isfinite(given):
        must(name, "a number", given=given)
    return float(given)


def whole(name: str, given: float, least: int = 0) -> int:
    if not isinstance(given, Real) or not float(given).is_integer() or given < least:
        must(name, "a whole number above 0" if least else "a whole number, 0 or above", given=given)
    return int(given)


def _errors(errors: int, n: int, p0: float) -> tuple[int, int, float]:
    x, m = whole("errors", errors), whole("n", n, 1)
    if x > m:
        raise AssayError(f"`errors` must be at most `n`, not {x} of {m}.")
    return x, m, share("p0", p0)
