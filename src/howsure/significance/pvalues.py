"""P-values of statistics, never 0.

A p-value that is too small for a float is replaced by the smallest positive float.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import replace

from howsure.checks import check_share
from howsure.errors import must
from howsure.results import TestResult

MINIMUM = sys.float_info.min


def possible(pvalue: float) -> float:
    """Clip a p-value to the range from the smallest positive float to 1."""
    return min(max(float(pvalue), MINIMUM), 1.0)


def stated(result: TestResult) -> TestResult:
    """Replace a p-value that underflows with the smallest positive float."""
    if not result.pvalue < MINIMUM:
        return result
    note = f"the p-value is below {MINIMUM:.2g}, the smallest positive number that can be represented"
    return replace(result, pvalue=MINIMUM, notes=(*result.notes, note))


def tail_of(statistic: float, upper: Callable[[float], float], alternative: str) -> float:
    """Return the p-value of a statistic with the upper tail ``upper``.

    The distribution of the statistic is symmetric around 0.
    """
    if alternative == "two-sided":
        return min(1.0, 2 * upper(abs(statistic)))
    return upper(statistic) if alternative == "greater" else upper(-statistic)


def studentized(
    difference: float, error: float, method: str, alternative: str, df: float | None = None, notes: tuple[str, ...] = ()
) -> TestResult:
    """Test difference / error with the normal or Student's t distribution."""
    from scipy.special import ndtr, stdtr

    def upper(statistic: float) -> float:
        return float(ndtr(-statistic) if df is None else stdtr(df, -statistic))

    statistic = difference / error
    pvalue = tail_of(statistic, upper, alternative)
    return stated(TestResult(statistic, pvalue, difference, method, df, alternative, notes, error))


def no_spread(
    difference: float, values: str, method: str, df: float | tuple[float, ...] | None, alternative: str = "two-sided"
) -> TestResult:
    """Return the result for no spread: p = 1, or NaN if values differ."""
    if difference:
        note = f"{values} do not vary, so the uncertainty of the difference cannot be estimated"
        return TestResult(math.nan, math.nan, difference, method, df, alternative, (note,), 0.0)
    note = f"{values} do not vary, and there is no difference to test"
    return TestResult(0.0, 1.0, 0.0, method, df, alternative, (note,), 0.0)


def decide(result: TestResult, alpha: float = 0.05) -> str:
    """Return a sentence on whether a test rejects its null hypothesis.

    Parameters
    ----------
    result
        Result of a test.
    alpha
        Significance level.

    Returns
    -------
    str
        A sentence such as "rejected at the 5 % level: p = 0.0163".

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
