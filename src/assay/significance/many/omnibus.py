"""Do many classifiers differ at all? One test of all columns of a table: rows are folds, data sets or cases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, fdtrc

from assay.arrays import Array
from assay.errors import AssayError
from assay.present.format import number
from assay.results import TestResult
from assay.significance.declare import CROSS_VALIDATED, declare_test, rounded, table
from assay.significance.many.ranks import ALIKE, named, positive, ranks, row_ranks, sphericity, squares, told_ranks

TIES = {"ties": "corrected for ties", "demsar": "Demsar's formula, not corrected for ties"}
NOT_INDEPENDENT = dict.fromkeys(CROSS_VALIDATED, "it takes rows for independent, and training sets of folds overlap")
ONE_ROW = "one row gives every table the same statistic, so the test has no answer"


@declare_test(
    "Analysis of variance",
    designs=("splits",),
    classifiers="many",
    null="all classifiers have the same mean score",
    assumes="independent normal scores of one variance; the same folds make scores depend on each other",
    aliases=("one_way_anova",),
    measures="values",
    preference=5,
    invalid={**NOT_INDEPENDENT, "datasets": "scores of one data set depend on each other"},
)
def anova(scores: Any) -> TestResult:
    """Compare the spread between classifiers with the spread within them.

    With K rows and L columns the ratio has an F distribution with L - 1 and L(K - 1) degrees of freedom.
    `repeated_anova` also takes out what the folds have in common.

    Examples
    --------
    >>> from assay.significance import anova
    >>> print(anova([[28.5, 14.9, 41.8, 38.2], [21.7, 10.6, 39.2, 40.4], [23.0, 13.1, 28.0, 32.1]]))
    Analysis of variance: difference 24.033, statistic 17.345, df (3, 8), p = 0.000733 (two-sided)
      note: sum of squares 1170.209 between classifiers, 179.913 within
    """
    values, _ = named(scores)
    between, within, df = squares(values)
    note = f"sum of squares {number(between)} between classifiers, {number(within)} within"
    return _ratio("Analysis of variance", values, between, within, df, (note,))


@declare_test(
    "Analysis of variance, repeated measures",
    designs=("splits", "datasets"),
    classifiers="many",
    null="all classifiers have the same mean score",
    assumes="normal scores, and differences of any two classifiers with one variance (sphericity)",
    measures="values",
    preference=4,
    invalid=NOT_INDEPENDENT,
)
def repeated_anova(scores: Any) -> TestResult:
    """Analysis of variance with rows as blocks: two ways without replication, F on L - 1 and (L - 1)(K - 1).

    A note gives the p-value with Greenhouse and Geisser's correction, for differences of unequal variance.

    Examples
    --------
    >>> from assay.significance import repeated_anova
    >>> print(repeated_anova([[0.91, 0.90, 0.86], [0.87, 0.85, 0.84], [0.94, 0.93, 0.88], [0.90, 0.90, 0.87]]))
    Repeated-measures analysis of variance: difference 0.042, statistic 20.314, df (2, 6), p = 0.00213 (two-sided)
      note: Greenhouse-Geisser epsilon 0.680, corrected p = 0.00893
    """
    values, _ = named(scores)
    between, left, df = squares(values, blocks=True)
    method, k = "Repeated-measures analysis of variance", values.shape[1]
    found = _ratio(method, values, between, left, df)
    if found.statistic > 0 and k > 2:
        epsilon = sphericity(values)
        p = positive(fdtrc(epsilon * (k - 1), epsilon * df, found.statistic))
        note = f"Greenhouse-Geisser epsilon {number(epsilon)}, corrected p = {p:.3g}"
        return _answer(method, found.statistic, found.pvalue, found.difference, (k - 1, df), (note,))
    return found


@declare_test(
    "Kruskal-Wallis test",
    designs=("splits",),
    classifiers="many",
    null="all classifiers have the same distribution of scores",
    assumes="independent scores; the same folds make scores depend on each other, and `friedman` allows for that",
    measures="values",
    preference=5,
    invalid={**NOT_INDEPENDENT, "datasets": "scores of one data set depend on each other"},
)
def kruskal_wallis(scores: Any) -> TestResult:
    """Compare the mean ranks of classifiers when all scores are ranked together, corrected for ties.

    Examples
    --------
    >>> from assay.significance import kruskal_wallis
    >>> print(kruskal_wallis([[28.5, 14.9, 41.8, 38.2], [21.7, 10.6, 39.2, 40.4], [23.0, 13.1, 28.0, 32.1]]))
    Kruskal-Wallis test: difference 7.333, statistic 8.692, df 3, p = 0.0337 (two-sided)
    """
    values, _ = named(scores)
    n, k = values.shape
    ranked = ranks(rounded(values, values).ravel()).reshape(n, k)
    spread = float(((ranked - (n * k + 1) / 2) ** 2).sum())
    return _chi_square("Kruskal-Wallis test", ranked, (n * k - 1) * n, spread)


@declare_test(
    "Friedman test",
    designs=("splits", "datasets"),
    classifiers="many",
    null="all classifiers have the same mean rank",
    assumes="independent rows; the chi-square distribution is for many rows, `iman_davenport` is better with few",
    measures="values",
    variants=TIES,
    invalid=NOT_INDEPENDENT,
)
def friedman(
    scores: Any, *, ties: bool = True, better: str = "higher", names: Sequence[str] | None = None
) -> TestResult:
    """Compare the mean ranks of classifiers, ranked within each row.

    With ``ties`` the statistic is corrected for ties, as in R and SciPy; without, it is the formula of Demsar (2006).

    Examples
    --------
    >>> from assay.significance import friedman
    >>> print(friedman([[0.91, 0.90, 0.86], [0.87, 0.85, 0.84], [0.94, 0.93, 0.88], [0.90, 0.90, 0.87]]))
    Friedman test, corrected for ties: difference 1.875, statistic 7.600, df 2, p = 0.0224 (two-sided)
      note: mean ranks, 1 the best: 1 1.125, 2 1.875, 3 3.000
    """
    values, found = named(scores, names)
    n, k = values.shape
    ranked = row_ranks(values, better)
    spread = float(((ranked - (k + 1) / 2) ** 2).sum())
    full = n * k * (k * k - 1) / 12  # what the spread of ranks is without ties
    note = told_ranks(found, ranked.mean(0))
    variant = "ties" if ties else "demsar"
    method, total = f"Friedman test, {TIES[variant]}", full if spread and not ties else spread
    return replace(_chi_square(method, ranked, (k - 1) * n**2, total, note), variant=variant)


@declare_test(
    "Iman-Davenport test",
    designs=("splits", "datasets"),
    classifiers="many",
    null="all classifiers have the same mean rank",
    assumes="independent rows",
    measures="values",
    preference=1,
    variants=TIES,
    invalid=NOT_INDEPENDENT,
    apply=lambda many, _: iman_davenport(many.values, better=many.better, names=many.names),
)
def iman_davenport(
    scores: Any, *, ties: bool = True, better: str = "higher", names: Sequence[str] | None = None
) -> TestResult:
    """Turn Friedman's statistic into one with an F distribution, less conservative with few rows.

    Where all rows rank the classifiers alike the statistic is infinite, and the p-value is the probability that they
    do so by chance.

    Examples
    --------
    >>> from assay.significance import iman_davenport
    >>> print(iman_davenport([[0.91, 0.90, 0.86], [0.87, 0.85, 0.84], [0.94, 0.93, 0.88], [0.90, 0.90, 0.87]]))
    Iman-Davenport test, corrected for ties: difference 1.875, statistic 57.000, df (2, 6), p = 0.000125 (two-sided)
      note: mean ranks, 1 the best: 1 1.125, 2 1.875, 3 3.000
    """
    values, _ = named(scores, names)
    n, k = values.shape
    plain = friedman(scores, ties=ties, better=better, names=names)
    df, method = (k - 1, (k - 1) * (n - 1)), f"Iman-Davenport test, {TIES[plain.variant]}"
    tested = replace(plain, method=method, df=df)
    if not plain.statistic > 0:
        return tested
    room = n * (k - 1) - plain.statistic
    if room < 1e-12 * n * k:
        agreed = _agreed(method, row_ranks(values), plain.difference, df, plain.notes)
        return replace(agreed, variant=plain.variant)
    statistic = (n - 1) * plain.statistic / room
    return replace(tested, statistic=statistic, pvalue=positive(fdtrc(*df, statistic)))


@declare_test(
    "Quade test",
    designs=("datasets",),
    classifiers="many",
    null="all classifiers have the same mean rank",
    assumes="independent rows, with scores on one scale: rows in which classifiers differ more weigh more",
    measures="values",
    preference=3,
)
def quade(scores: Any) -> TestResult:
    """Compare ranks within rows, each row weighted by the rank of its range; ties as in R.

    The difference is that of the weighted mean ranks.

    Examples
    --------
    >>> from assay.significance import quade
    >>> print(quade([[5, 4, 7], [1, 3, 1], [16, 12, 22], [5, 4, 3], [10, 9, 7], [19, 18, 28], [10, 7, 6]]))
    Quade test: difference 0.866, statistic 1.299, df (2, 12), p = 0.309 (two-sided)
    """
    values, _ = named(scores)
    n, k = values.shape
    ranked = row_ranks(values)
    centred = ranked - (k + 1) / 2
    weights = ranks(rounded(np.ptp(values, axis=1), values))
    weighted = weights[:, None] * centred
    method, df = "Quade test", (k - 1, (k - 1) * (n - 1))
    total, between = float((weighted**2).sum()), float((weighted.sum(0) ** 2).sum() / n)
    difference = float(np.ptp(weighted.sum(0)) / weights.sum())
    if not total:
        return _answer(method, 0.0, 1.0, 0.0, df, (ALIKE,))
    if n == 1:
        return _answer(method, math.nan, math.nan, difference, df, (ONE_ROW,))
    if total - between < 1e-12 * total:
        return _agreed(method, ranked, difference, df)
    statistic = (n - 1) * between / (total - between)
    return _answer(method, statistic, positive(fdtrc(*df, statistic)), difference, df)


@declare_test(
    "Cochran's Q test",
    designs=("cases",),
    classifiers="many",
    null="all classifiers are right equally often",
    assumes="independent cases, 24 / k of them or more on which some of the k classifiers are right and some wrong",
    measures="accuracy",
    preference=1,
    apply=lambda answers, _: cochran_q(answers.correct),
)
def cochran_q(correct: ArrayLike) -> TestResult:
    """Compare how often classifiers are right on the same cases: rows are cases, 1 for right and 0 for wrong.

    With two classifiers this is McNemar's test without continuity correction.

    Examples
    --------
    >>> from assay.significance import cochran_q
    >>> print(cochran_q([[1, 1, 0]] * 9 + [[0, 1, 1]] * 3 + [[1, 1, 1]] * 20))
    Cochran's Q test: difference 0.281, statistic 10.500, df 2, p = 0.00525 (two-sided)
    """
    values = table("correct", correct, least_rows=1)
    odd = np.argwhere((values != 0) & (values != 1))
    if len(odd):
        raise AssayError(f"`correct` must hold 0 and 1, not {values[tuple(odd[0])]:g} in row {odd[0][0]}.")
    k = values.shape[1]
    difference, method = float(np.ptp(values.mean(0))), "Cochran's Q test"
    wins, votes = values.sum(0), values.sum(1)
    spread = float((votes * (k - votes)).sum())
    if not spread:
        return _answer(method, 0.0, 1.0, 0.0, k - 1, ("all classifiers are right on the same cases",))
    statistic = (k - 1) * k * float(((wins - wins.mean()) ** 2).sum()) / spread
    telling = int(((votes > 0) & (votes < k)).sum())
    few = f"the classifiers differ on {telling} cases only, too few to trust the chi-square distribution"
    notes = (few,) if telling * k < 24 or telling < 4 else ()  # Tate and Brown (1970)
    return _answer(method, statistic, positive(chdtrc(k - 1, statistic)), difference, k - 1, notes)


def _answer(
    method: str,
    statistic: float,
    pvalue: float,
    difference: float,
    df: float | tuple[float, ...],
    notes: tuple[str, ...] = (),
) -> TestResult:
    return TestResult(float(statistic), pvalue, difference, method, df, notes=notes)


def _ratio(
    method: str, values: Array, between: float, within: float, left: int, notes: tuple[str, ...] = ()
) -> TestResult:
    df = (values.shape[1] - 1, left)
    difference = float(np.ptp(values.mean(0))) if between else 0.0
    if not within:
        if not between:
            return _answer(method, 0.0, 1.0, 0.0, df, (ALIKE,))
        why = "the scores have no spread beside the difference, so the test cannot tell how sure it is"
        return _answer(method, math.nan, math.nan, difference, df, (why,))
    statistic = (between / df[0]) / (within / left)
    return _answer(method, statistic, positive(fdtrc(*df, statistic)), difference, df, notes)


def _chi_square(method: str, ranked: Array, factor: float, spread: float, *notes: str) -> TestResult:
    """Statistic of mean ranks: their sum of squares, times a factor, over the spread of all ranks."""
    n, k = ranked.shape
    means = ranked.mean(0)
    difference = float(np.ptp(means))
    if not spread:
        return _answer(method, 0.0, 1.0, 0.0, k - 1, (ALIKE,))
    if n == 1:
        return _answer(method, math.nan, math.nan, difference, k - 1, (ONE_ROW,))
    statistic = factor * float(((means - means.mean()) ** 2).sum()) / spread
    return _answer(method, statistic, positive(chdtrc(k - 1, statistic)), difference, k - 1, notes)


def _agreed(
    method: str, ranked: Array, difference: float, df: tuple[float, ...], notes: tuple[str, ...] = ()
) -> TestResult:
    """All rows rank alike, for which Conover gives the chance of it: rows are free to take any order of their ranks."""
    n, k = ranked.shape
    _, tied = np.unique(ranked[0], return_counts=True)
    orders = math.lgamma(k + 1) - sum(math.lgamma(count + 1) for count in tied)  # the log of their number
    note = "all rows rank the classifiers alike; p is the probability of that when every order is as likely"
    return _answer(method, math.inf, positive(math.exp((1 - n) * orders)), difference, df, (*notes, note))
