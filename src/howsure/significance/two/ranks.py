"""Tests of two classifiers by the signs and ranks of their differences, mostly over several data sets."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array
from howsure.checks import one_of
from howsure.errors import is_one_of, must
from howsure.intervals.signed_rank import signed_rank_probabilities
from howsure.kernels.ranking import mean_ranks
from howsure.results import TestResult
from howsure.significance.binomial import fair_coin
from howsure.significance.declare import NOT_INDEPENDENT, check_alternative, declare_test
from howsure.significance.inputs import pairs, rounded
from howsure.significance.pvalues import possible, stated, studentized

ZEROS = {"drop": "left out", "pratt": "ranked and then left out", "split": "shared by both sides"}
EXACT_UP_TO = 50  # differences; beyond, the normal distribution is as good
NO_DIFFERENCE = "all differences are 0, so there is nothing to test"


@declare_test(
    "Sign test",
    designs=("cases", "splits", "datasets"),
    classifiers="two",
    null="either classifier is as likely as the other to have the larger value",
    assumes="independent pairs: data sets, or splits that share no training case",
    measures="values",
    preference=3,
    invalid=NOT_INDEPENDENT,
    apply=lambda test, values, _: test(values.a, values.b),
)
def sign_test(a: ArrayLike, b: ArrayLike, alternative: str = "two-sided") -> TestResult:
    """Test how often ``a`` is larger than ``b`` against a fair coin, exactly; ties are left out.

    The statistic is the number of pairs in which ``a`` is larger, the difference the median of a - b.

    Parameters
    ----------
    a, b
        One value for each data set, in the same order.
    alternative
        "two-sided", "less" or "greater": a is larger.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import sign_test
    >>> print(sign_test([0.9, 0.8, 0.7, 0.9, 0.8], [0.8, 0.7, 0.7, 0.8, 0.6]))
    sign test: difference 0.100, statistic 4.000, p = 0.125 (two-sided)
      note: 1 of 5 pairs is a tie and is left out
    """
    check_alternative(alternative)
    first, second = pairs(a, b)
    differences = rounded(first - second, first, second)
    wins, m = int((differences > 0).sum()), int((differences != 0).sum())
    middle, ties = float(np.median(differences)), len(differences) - m
    if not m:
        note = "all pairs are ties, so there is no difference to test"
        return TestResult(0.0, 1.0, 0.0, "sign test", None, alternative, (note,))
    left = f"{ties} of {len(differences)} pairs {'is a tie and is' if ties == 1 else 'are ties and are'} left out"
    pvalue = fair_coin(wins, m, alternative)
    return stated(TestResult(float(wins), pvalue, middle, "sign test", None, alternative, (left,) if ties else ()))


@declare_test(
    "Wilcoxon signed-rank test",
    designs=("datasets",),
    classifiers="two",
    null="the differences are symmetric around 0",
    assumes="independent data sets, differences that can be compared in size",
    measures="values",
    preference=1,
    variants={
        f"{kind}-{zeros}": f"{title}, differences of 0 {treated}"
        for kind, title in (("exact", "exact distribution"), ("normal", "normal approximation"))
        for zeros, treated in ZEROS.items()
    },
    apply=lambda test, values, _: test(values.a, values.b),
    references=("Wilcoxon 1945", "Demsar 2006"),
)
def wilcoxon(
    a: ArrayLike, b: ArrayLike, zeros: str = "drop", exact: bool | None = None, alternative: str = "two-sided"
) -> TestResult:
    """Test by the ranks of the differences over several data sets (Wilcoxon 1945; Demsar 2006).

    Differences that are equal in decimal are ranked as ties. The statistic is the smaller rank sum. The exact
    distribution is that of random signs on the ranks at hand, ties included; the normal one has no continuity
    correction, as in SciPy, where R has one.

    Parameters
    ----------
    a, b : array_like
        One value for each data set, in the same order.
    zeros : {"drop", "pratt", "split"}
        What to do with differences of 0: leave them out, as R and SciPy do; rank them and then leave them out; or give
        half of their ranks to each side, as Demsar does. Only where these are split, the normal distribution has the
        variance of their ranks as well, as in SciPy.
    exact : bool, optional
        By default exact for up to 50 differences other than 0.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import wilcoxon
    >>> print(wilcoxon([0.81, 0.79, 0.84, 0.80, 0.78, 0.9], [0.78, 0.77, 0.84, 0.75, 0.79, 0.8]))
    Wilcoxon signed-rank test: difference 0.032, statistic 1.000, p = 0.125
      (two-sided)
      note: rank sums 14 for a and 1 for b, of 5 differences other than 0
      note: exact distribution
    """
    check_alternative(alternative)
    one_of("zeros", zeros, ZEROS)
    if not is_one_of(exact, (None, True, False)):
        must("exact", "True, False or None", given=exact)
    first, second = pairs(a, b)
    difference, name = float((first - second).mean()), "Wilcoxon signed-rank test"
    d = rounded(first - second, first, second)
    if exact is None:
        exact = int((d != 0).sum()) <= EXACT_UP_TO
    variant = f"{'exact' if exact else 'normal'}-{zeros}"
    if not d.any():
        return TestResult(0.0, 1.0, difference, name, None, alternative, (NO_DIFFERENCE,), variant=variant)
    if zeros == "drop":
        d = d[d != 0]
    ranks = mean_ranks(np.abs(d))
    signed = ranks[d != 0]
    shared = float(ranks[d == 0].sum()) / 2 if zeros == "split" else 0.0
    above, below = float(ranks[d > 0].sum()), float(ranks[d < 0].sum())
    if exact:
        pvalue = _exact_tail(signed, above, alternative)
    else:
        spread = math.sqrt(float(((ranks if zeros == "split" else signed) ** 2).sum())) / 2
        pvalue = studentized((above - below) / 2, spread, name, alternative).pvalue
    notes = (
        f"rank sums {above + shared:g} for a and {below + shared:g} for b, of {len(signed)} differences other than 0",
        "exact distribution" if exact else "normal approximation, corrected for ties, without continuity correction",
    )
    smaller = min(above, below) + shared
    return TestResult(smaller, possible(pvalue), difference, name, None, alternative, notes, variant=variant)


def _exact_tail(ranks: Array, above: float, alternative: str) -> float:
    """p-value when each rank is as likely in one sum as in the other; mean ranks are halves, so they are doubled."""
    probabilities = signed_rank_probabilities(np.rint(2 * ranks).astype(int))
    index = round(2 * above)
    up, down = float(probabilities[index:].sum()), float(probabilities[: index + 1].sum())
    return min(1.0, {"greater": up, "less": down, "two-sided": 2 * min(up, down)}[alternative])
