"""McNemar's test of two classifiers on the same cases."""

from __future__ import annotations

import math
from functools import partial

from howsure.checks import one_of
from howsure.errors import HowsureError
from howsure.results import TestResult
from howsure.significance.binomial import fair_coin
from howsure.significance.declare import IN_CLUSTERS, check_alternative, declare_test
from howsure.significance.inputs import whole
from howsure.significance.pvalues import stated, studentized

METHODS = ("auto", "exact", "mid-p", "chi2", "chi2-corrected")
FEW = 25  # with fewer discordant cases, the normal approximation is unreliable
WITHOUT_N = (
    "pass `n=`, the total number of cases, for the difference in accuracy and its standard error; "
    "`intervals.tango` computes its interval"
)


@declare_test(
    "McNemar's test",
    designs=("cases",),
    classifiers="two",
    null="the classifiers have the same accuracy",
    assumes="independent test cases",
    measures="accuracy",
    preference=1,
    variants={
        "mid-p": "mid-p",
        "exact": "exact binomial",
        "chi2": "chi-square",
        "chi2-corrected": "chi-square, with Edwards' continuity correction",
    },
    invalid={
        **IN_CLUSTERS,
        "repeated": "repeated predictions of the same case are not independent",
        "five_by_two": "repeated predictions of the same case are not independent",
    },
    apply=lambda test, answers, variant: test(*answers.discordant, variant or "auto", n=answers.n),
    references=("McNemar 1947", "Fagerland, Lydersen and Laake 2013"),
)
def mcnemar(
    e01: int, e10: int, method: str = "auto", alternative: str = "two-sided", *, n: int | None = None
) -> TestResult:
    """McNemar's test of two accuracies on the same cases.

    The null hypothesis is that both classifiers have the same accuracy. The test depends only on the discordant cases,
    those that exactly one of the two gets wrong: under the null hypothesis, e01 is binomial(e01 + e10, 1/2), and
    (e01 - e10)² / (e01 + e10) is approximately chi-square with 1 degree of freedom. It assumes independent cases.

    Parameters
    ----------
    e01, e10
        Number of cases that only the first classifier gets wrong, and number that only the second gets wrong.
    n
        Total number of cases. If given, the result includes the difference in accuracy, first - second, which is
        (e10 - e01) / n, and its standard error; `howsure.intervals.tango` computes its interval.
    method
        "exact": the binomial test, which is conservative. "mid-p": the binomial test with half the probability of the
        observed counts. "chi2": the chi-square test. "chi2-corrected": the chi-square test with Edwards' continuity
        correction, which is as conservative as "exact". "auto": "mid-p" for fewer than 25 discordant cases, otherwise
        "chi2"; the other methods have less power (Fagerland, Lydersen and Laake 2013). The statistic of "exact" and
        "mid-p" is the smaller of the two counts.
    alternative
        "two-sided", "less" or "greater": the first classifier has the higher accuracy.

    Returns
    -------
    TestResult
        The statistic, the p-value, and the difference in accuracy, first - second.

    Examples
    --------
    >>> from howsure.significance import mcnemar
    >>> print(mcnemar(1, 11, n=50))
    McNemar's test (mid-p): difference 0.200, statistic 1.000, p = 0.00342
      (two-sided)
    """
    check_alternative(alternative)
    one_of("method", method, METHODS)
    loss, gain = whole("e01", e01), whole("e10", e10)
    m = loss + gain
    difference = error = math.nan
    notes: tuple[str, ...] = ()
    if n is None:
        notes = (WITHOUT_N,)
    else:
        cases = whole("n", n, 1)
        if m > cases:
            raise HowsureError(f"`e01` and `e10` must add up to at most `n`, but {loss} + {gain} is more than {cases}.")
        difference, error = (gain - loss) / cases, math.sqrt(m - (gain - loss) ** 2 / cases) / cases
    if method == "auto":
        method = "mid-p" if m < FEW else "chi2"
    df = 1.0 if method in ("chi2", "chi2-corrected") else None
    tested = partial(
        TestResult, method=f"McNemar's test ({method})", df=df, alternative=alternative, error=error, variant=method
    )
    if m == 0:
        note = "the classifiers get the same cases wrong, so there is no difference to test"
        return tested(0.0, 1.0, difference, notes=(note, *notes))
    if df is None:
        pvalue = fair_coin(gain, m, alternative, mid_p=method == "mid-p")
        return stated(tested(float(min(loss, gain)), pvalue, difference, notes=notes))
    # Edwards' correction reduces the distance by 1, but not below 0.
    distance = max(abs(gain - loss) - (method == "chi2-corrected"), 0)
    normal = studentized(math.copysign(distance, gain - loss), math.sqrt(m), "", alternative, notes=notes)
    return tested(distance**2 / m, normal.pvalue, difference, notes=normal.notes)
