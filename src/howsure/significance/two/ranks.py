"""Sign test and Wilcoxon signed-rank test of two classifiers."""

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

ZEROS = {"drop": "left out", "pratt": "ranked, then left out", "split": "divided between both sides"}
EXACT_UP_TO = 50  # maximum number of differences with exact p-values; for more, the normal approximation is as good
NO_DIFFERENCE = "all differences are 0, so there is nothing to test"


@declare_test(
    "Sign test",
    designs=("cases", "splits", "datasets"),
    classifiers="two",
    null="both classifiers are equally likely to have the larger value",
    assumes="independent pairs: data sets, or splits without common training cases",
    measures="values",
    preference=3,
    invalid=NOT_INDEPENDENT,
    apply=lambda test, values, _: test(values.a, values.b),
)
def sign_test(a: ArrayLike, b: ArrayLike, alternative: str = "two-sided") -> TestResult:
    """Exact sign test of paired values.

    The null hypothesis is that ``a`` and ``b`` are equally likely to be the larger value. The statistic is the number
    of pairs in which ``a`` is larger, which is then binomial(m, 1/2) for m independent pairs without ties.

    Parameters
    ----------
    a, b
        One value for each data set, in the same order.
    alternative
        "two-sided", "less" or "greater": a is larger.

    Returns
    -------
    TestResult
        The number of pairs in which a is larger, the p-value, and the median of a - b.

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
    median, ties = float(np.median(differences)), len(differences) - m
    if not m:
        note = "all pairs are ties, so there is no difference to test"
        return TestResult(0.0, 1.0, 0.0, "sign test", None, alternative, (note,))
    note = f"{ties} of {len(differences)} pairs {'is a tie and is' if ties == 1 else 'are ties and are'} left out"
    pvalue = fair_coin(wins, m, alternative)
    return stated(TestResult(float(wins), pvalue, median, "sign test", None, alternative, (note,) if ties else ()))


@declare_test(
    "Wilcoxon signed-rank test",
    designs=("datasets",),
    classifiers="two",
    null="the differences are symmetric around 0",
    assumes="independent data sets, with differences of comparable size",
    measures="values",
    preference=1,
    variants={
        f"{kind}-{zeros}": f"{title}, differences of 0 {treatment}"
        for kind, title in (("exact", "exact distribution"), ("normal", "normal approximation"))
        for zeros, treatment in ZEROS.items()
    },
    apply=lambda test, values, _: test(values.a, values.b),
    references=("Wilcoxon 1945", "Demsar 2006"),
)
def wilcoxon(
    a: ArrayLike, b: ArrayLike, zeros: str = "drop", exact: bool | None = None, alternative: str = "two-sided"
) -> TestResult:
    """Wilcoxon signed-rank test of paired values.

    The null hypothesis is that the differences a - b are distributed symmetrically around 0. The absolute differences
    are ranked, and the statistic is the smaller of the rank sums of positive and negative differences. It assumes
    independent data sets with differences of comparable size (Wilcoxon 1945; Demsar 2006).

    The exact p-value is computed over all signs of the observed ranks, ties included. The normal approximation has no
    continuity correction, as in SciPy and unlike in R. Differences that are equal as decimal numbers are ties.

    Parameters
    ----------
    a, b : array_like
        One value for each data set, in the same order.
    zeros : {"drop", "pratt", "split"}
        Treatment of zero differences: leave them out, as in R and SciPy; rank them and then leave them out; or give
        half of their ranks to each side, as Demsar does. Only "split" includes their ranks in the variance of the
        normal approximation, as in SciPy.
    exact : bool, optional
        Whether to compute the exact p-value. Default: for up to 50 nonzero differences.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger.

    Returns
    -------
    TestResult
        The smaller rank sum, the p-value, and the mean of a - b.

    Examples
    --------
    >>> from howsure.significance import wilcoxon
    >>> print(wilcoxon([0.81, 0.79, 0.84, 0.80, 0.78, 0.9], [0.78, 0.77, 0.84, 0.75, 0.79, 0.8]))
    Wilcoxon signed-rank test: difference 0.032, statistic 1.000, p = 0.125
      (two-sided)
      note: rank sums 14 for a and 1 for b, of 5 nonzero differences
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
        f"rank sums {above + shared:g} for a and {below + shared:g} for b, of {len(signed)} nonzero differences",
        "exact distribution" if exact else "normal approximation, corrected for ties, without continuity correction",
    )
    smaller = min(above, below) + shared
    return TestResult(smaller, possible(pvalue), difference, name, None, alternative, notes, variant=variant)


def _exact_tail(ranks: Array, above: float, alternative: str) -> float:
    """P-value over all assignments of signs to the ranks.

    Mean ranks are multiples of 1/2, so they are doubled.
    """
    probabilities = signed_rank_probabilities(np.rint(2 * ranks).astype(int))
    index = round(2 * above)
    upper, lower = float(probabilities[index:].sum()), float(probabilities[: index + 1].sum())
    return min(1.0, {"greater": upper, "less": lower, "two-sided": 2 * min(upper, lower)}[alternative])
