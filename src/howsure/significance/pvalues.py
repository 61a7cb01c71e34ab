"""From statistics to p-values. None is ever 0: what is too small for a number is given as the smallest one."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import replace

from howsure.checks import check_share
from howsure.errors import must
from howsure.results import TestResult

LEAST = sys.float_info.min


def possible(pvalue: float) -> float:
    """Keep a p-value too small for a float from becoming 0, and rounding from lifting one above 1."""
    return min(max(float(pvalue), LEAST), 1.0)


def stated(result: TestResult) -> TestResult:
    """Give a p-value too small for a float as the smallest there is, and say so."""
    if not result.pvalue < LEAST:
        return result
    return replace(result, pvalue=LEAST, notes=(*result.notes, f"the p-value is below {LEAST:.2g}, given in its place"))


def tail_of(statistic: float, upper: Callable[[float], float], alternative: str) -> float:
    """p-value of a statistic with a distribution symmetric around 0, of which the upper tail is given."""
    if alternative == "two-sided":
        return min(1.0, 2 * upper(abs(statistic)))
    return upper(statistic) if alternative == "greater" else upper(-statistic)


def studentized(
    difference: float, error: float, method: str, alternative: str, df: float | None = None, notes: tuple[str, ...] = ()
) -> TestResult:
    """Test a difference by the number of its standard errors: normal, or Student's with ``df``."""
    from scipy.special import ndtr, stdtr

    def upper(statistic: float) -> float:
        return float(ndtr(-statistic) if df is None else stdtr(df, -statistic))

    statistic = difference / error
    pvalue = tail_of(statistic, upper, alternative)
    return stated(TestResult(statistic, pvalue, difference, method, df, alternative, notes, error))


def no_spread(
    difference: float, what: str, method: str, df: float | tuple[float, ...] | None, alternative: str = "two-sided"
) -> TestResult:
    """Answer where ``what`` does not vary: p = 1 without a difference, and none with one."""
    if difference:
        note = f"{what} have no spread, so the test cannot tell how sure the difference is"
        return TestResult(math.nan, math.nan, difference, method, df, alternative, (note,), 0.0)
    note = f"{what} have no spread, and there is no difference to test"
    return TestResult(0.0, 1.0, 0.0, method, df, alternative, (note,), 0.0)


def decide(result: TestResult, alpha: float = 0.05) -> str:
    """State in words whether a test rejects its null hypothesis at the level ``alpha``.

    Parameters
    ----------
    result
        Of a test.
    alpha
        The level.

    Returns
    -------
    str
        A sentence.

    Examples
    --------
    >>> from howsure.significance import binomial_test, decide
    >>> decide(binomial_test(4, 40, p0=0.2))
    'not rejected at the 5 % level: p = 0.163'
    """
    level = f"{100 * check_share('alpha', alpha):g} %"
    if not isinstance(result, TestResult):
        must("result", "that of a test", given=result)
    if math.isnan(result.pvalue):
        return f"not decided at the {level} level: {'; '.join(result.notes) or 'the test has no p-value'}"
    return f"{'' if result.pvalue <= alpha else 'not '}rejected at the {level} level: p = {result.pvalue:.3g}"
