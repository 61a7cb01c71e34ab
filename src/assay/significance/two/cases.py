"""Tests of two classifiers on the same cases, from counts, pairs of values, scores, or a difference with its error."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from assay.errors import AssayError, must, must_be_one_of
from assay.kernels.ranking import placements
from assay.present.format import number
from assay.results import TestResult
from assay.significance.declare import DESIGNS, check_alternative, declare_test, pairs, rounded, row
from assay.significance.one import at_least, no_spread, share, shown, studentized, whole

MCNEMAR = ("auto", "exact", "mid-p", "chi2", "chi2-corrected")
FEW = 25  # discordant cases below which a normal approximation is not to be relied on


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
        "chi2-corrected": "chi-square, with Edwards' correction for continuity",
    },
    invalid={
        "repeated": "a case that is tested again is not a new case",
        "five_by_two": "a case that is tested again is not a new case",
    },
    apply=lambda answers, variant: mcnemar(*answers.discordant, variant or "auto", n=answers.n),
)
def mcnemar(
    e01: int, e10: int, method: str = "auto", alternative: str = "two-sided", *, n: int | None = None
) -> TestResult:
    """Test whether two classifiers have the same accuracy, from the cases that one of them only gets wrong.

    Parameters
    ----------
    e01, e10
        Cases that the first classifier only gets wrong, and cases that the second only gets wrong.
    n
        All cases. With it the result has the difference in accuracy, first - second: (e10 - e01) / n.
    method
        "exact": binomial, and wary. "mid-p": counts half the probability of what was seen. "chi2":
        (e01 - e10)² / (e01 + e10). "chi2-corrected": with Edwards' correction for continuity, as wary as "exact".
        "auto": "mid-p" below 25 such cases and "chi2" from there on; the others give power away without need
        (Fagerland, Lydersen and Laake 2013). The statistic of "exact" and "mid-p" is the smaller of the two counts.
    alternative
        "greater": the first has the higher accuracy.

    Examples
    --------
    >>> from assay.significance import mcnemar
    >>> print(mcnemar(1, 11, n=50))
    McNemar's test (mid-p): difference 0.200, statistic 1.000, p = 0.00342 (two-sided)
    """
    check_alternative(alternative)
    if method not in MCNEMAR:
        must_be_one_of("method", MCNEMAR, given=method)
    loss, gain = whole("e01", e01), whole("e10", e10)
    m = loss + gain
    difference = error = math.nan
    if n is not None:
        cases = whole("n", n, 1)
        if m > cases:
            raise AssayError(f"`e01` and `e10` must add up to at most `n`, not {loss} and {gain} of {cases}.")
        difference, error = (gain - loss) / cases, math.sqrt(m - (gain - loss) ** 2 / cases) / cases
    if method == "auto":
        method = "mid-p" if m < FEW else "chi2"
    df = 1.0 if method in ("chi2", "chi2-corrected") else None
    tested = partial(
        TestResult, method=f"McNemar's test ({method})", df=df, alternative=alternative, error=error, variant=method
    )
    if m == 0:
        note = "the classifiers get the same cases wrong, so there is no difference to test"
        return tested(0.0, 1.0, difference, notes=(note,))
    if df is None:
        pvalue = _halves(gain, m, alternative, half=method == "mid-p")
        return shown(tested(float(min(loss, gain)), pvalue, difference))
    # The correction takes 1 off the distance, but not beyond 0: equal counts differ by nothing.
    distance = max(abs(gain - loss) - (method == "chi2-corrected"), 0)
    normal = studentized(math.copysign(distance, gain - loss), math.sqrt(m), "", alternative)
    return tested(distance**2 / m, normal.pvalue, difference, notes=normal.notes)


@declare_test(
    "Sign test",
    designs=("cases", "splits", "datasets"),
    classifiers="two",
    null="either classifier is as likely as the other to have the larger value",
    assumes="independent pairs",
    measures="values",
    preference=3,
    apply=lambda values, _: sign_test(values.a, values.b),
)
def sign_test(a: ArrayLike, b: ArrayLike, alternative: str = "two-sided") -> TestResult:
    """Test how often ``a`` is larger than ``b`` against a fair coin, exactly; ties are left out.

    The statistic is the number of pairs in which ``a`` is larger, the difference the median of a - b.

    Examples
    --------
    >>> from assay.significance import sign_test
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
    found = _halves(wins, m, alternative)
    return shown(TestResult(float(wins), found, middle, "sign test", None, alternative, (left,) if ties else ()))


def _halves(x: int, n: int, alternative: str, half: bool = False) -> float:
    """p-value of x heads in n throws of a fair coin; with ``half``, what was seen counts half."""

    def upper(heads: int) -> float:
        exact = at_least(heads, n, 0.5)
        return (exact + at_least(heads + 1, n, 0.5)) / 2 if half else exact

    if alternative == "two-sided":
        return min(1.0, 2 * upper(max(x, n - x)))
    return upper(x if alternative == "greater" else n - x)


@declare_test(
    "DeLong's test of different cases",
    designs=("unpaired",),
    classifiers="two",
    null="the areas under the ROC curves are equal",
    assumes="independent cases, others for each classifier, with many of both classes",
    measures="of_auc",
    preference=1,
)
def delong_unpaired(
    truth_a: ArrayLike, a: ArrayLike, truth_b: ArrayLike, b: ArrayLike, alternative: str = "two-sided"
) -> TestResult:
    """Test whether two classifiers have equal AUCs, each from its scores of cases of its own.

    Where the cases are the same, `delong` is more powerful.

    Examples
    --------
    >>> from assay.significance import delong_unpaired
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> print(delong_unpaired(truth, [9, 8, 6, 5, 7, 4, 3, 1], truth, [9, 3, 6, 5, 7, 8, 4, 1]))
    DeLong's test of different cases: difference 0.312, statistic 1.100, p = 0.271 (two-sided)
    """
    check_alternative(alternative)
    name = "DeLong's test of different cases"
    (area_a, variance_a), (area_b, variance_b) = _area("a", truth_a, a), _area("b", truth_b, b)
    difference, error = area_a - area_b, math.sqrt(variance_a + variance_b)
    if math.isnan(error):
        note = "a single case of a class says nothing about the spread of its scores"
        return TestResult(math.nan, math.nan, difference, name, None, alternative, (note,))
    if error < 1e-15:
        return no_spread(difference if abs(difference) > 1e-15 else 0.0, "the placements", name, None, alternative)
    return studentized(difference, error, name, alternative)


def _area(name: str, truth: ArrayLike, scores: ArrayLike) -> tuple[float, float]:
    """Give an AUC and its variance, NaN where a class has one case."""
    values, positive = row(name, scores), np.asarray(truth).astype(bool)
    if positive.shape != values.shape:
        raise AssayError(f"`truth_{name}` must have a class for each of the {len(values)} scores in `{name}`.")
    if positive.all() or not positive.any():
        raise AssayError(f"`truth_{name}` must hold positives and negatives; all cases are of one class.")
    placed = placements(positive, values)
    parts = [placed[positive], placed[~positive]]
    variances = [float(part.var(ddof=1)) / len(part) if len(part) > 1 else math.nan for part in parts]
    return float(parts[0].mean()), sum(variances)


@declare_test(
    "Equivalence test",
    designs=DESIGNS[1:],
    classifiers="two",
    null="the classifiers differ by the margin or more",
    assumes="a difference that is about normal around the true one, with this standard error",
    aliases=("tost", "two_one_sided_tests"),
    kind="equivalence",
)
def equivalence(
    difference: float, error: float, margin: float, df: float | None = None, alpha: float = 0.05
) -> TestResult:
    """Test whether two classifiers differ by less than ``margin``, by two one-sided tests (Schuirmann 1987).

    Here a small p-value shows that they are as good as equal. ``error`` is the standard error of the difference, of any
    measure; the tests are Student's with ``df``, else normal. ``alpha`` only serves the note.

    Examples
    --------
    >>> from assay.significance import equivalence
    >>> print(equivalence(0.004, error=0.006, margin=0.02))
    equivalence test: difference 0.004, statistic 2.667, p = 0.00383 (equivalence)
      note: equivalent at the 5 % level: a difference of 0.020 or more, either way, is excluded
    """
    room = _margin(difference, error, margin, df)
    excluded = f"a difference of {number(room)} or more, either way, is {{}}excluded"
    found = _tested(difference, error, room - abs(difference), df, "equivalence test", "equivalent", excluded, alpha)
    return replace(found, alternative="equivalence")


@declare_test(
    "Non-inferiority test",
    designs=DESIGNS[1:],
    classifiers="two",
    null="the first classifier is worse by the margin or more",
    assumes="a difference that is about normal around the true one, with this standard error",
    kind="equivalence",
)
def non_inferiority(
    difference: float,
    error: float,
    margin: float,
    df: float | None = None,
    better: str = "higher",
    alpha: float = 0.05,
) -> TestResult:
    """Test whether the first classifier is at most a little worse than the second: by less than ``margin``.

    ``difference`` is first - second, of a measure of which ``better`` tells whether higher or lower is better, and
    ``error`` its standard error; the test is Student's with ``df``, else normal. ``alpha`` only serves the note.

    Examples
    --------
    >>> from assay.significance import non_inferiority
    >>> print(non_inferiority(-0.004, error=0.006, margin=0.02))
    non-inferiority test: difference -0.004, statistic 2.667, p = 0.00383 (greater)
      note: not inferior at the 5 % level: that the first is worse by 0.020 or more is excluded
    """
    if better not in ("higher", "lower"):
        must_be_one_of("better", ("higher", "lower"), given=better)
    room = _margin(difference, error, margin, df)
    excluded = f"that the first is worse by {number(room)} or more is {{}}excluded"
    distance = room + (difference if better == "higher" else -difference)
    found = _tested(difference, error, distance, df, "non-inferiority test", "not inferior", excluded, alpha)
    return replace(found, alternative="greater" if better == "higher" else "less")


def _margin(difference: float, error: float, margin: float, df: float | None) -> float:
    if not isinstance(difference, Real) or math.isinf(difference):
        must("difference", "a number", given=difference)
    if not isinstance(error, Real) or error < 0 or math.isinf(error):
        must("error", "a number, 0 or above", given=error)
    if df is not None and not (isinstance(df, Real) and df > 0):
        must("df", "a number above 0", given=df)
    if not isinstance(margin, Real) or not 0 < margin < math.inf:
        must("margin", "a number above 0", given=margin)
    return float(margin)


def _tested(
    difference: float,
    error: float,
    distance: float,
    df: float | None,
    name: str,
    shows: str,
    excluded: str,
    alpha: float,
) -> TestResult:
    """Test whether the ``distance`` of a difference from its margin is above 0, and say in words what that shows."""
    level = share("alpha", alpha)
    if not error > 0 or math.isnan(difference):
        note = "there is no difference with a standard error above 0, so the test cannot tell how sure it is"
        return TestResult(math.nan, math.nan, difference, name, df, notes=(note,), error=error)
    found = studentized(distance, error, name, "greater", df)
    words = (
        (shows, excluded.format("")) if found.pvalue <= level else (f"not shown to be {shows}", excluded.format("not "))
    )
    note = f"{words[0]} at the {100 * level:g} % level: {words[1]}"
    return replace(found, difference=difference, notes=(note, *found.notes))
