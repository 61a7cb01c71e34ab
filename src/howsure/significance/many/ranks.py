"""Do many classifiers differ in their ranks? Tests of Kruskal and Wallis, Friedman, Iman and Davenport, and Quade."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import chdtrc, fdtrc

from howsure.arrays import Array
from howsure.checks import one_of
from howsure.kernels.ranking import mean_ranks
from howsure.present.value_text import number
from howsure.results import TestResult
from howsure.significance.declare import NOT_INDEPENDENT, declare_test
from howsure.significance.inputs import rounded
from howsure.significance.many.anova import ALIKE
from howsure.significance.pvalues import possible
from howsure.significance.ranks import row_ranks
from howsure.significance.scores import read_scores

TIES = {"ties": "corrected for ties", "demsar": "Demsar's formula, not corrected for ties"}
ONE_ROW = "one row gives every table the same statistic, so the test has no answer"


@declare_test(
    "Kruskal-Wallis test",
    designs=("splits",),
    classifiers="many",
    null="all classifiers have the same distribution of scores",
    assumes="independent scores; the same folds make scores depend on each other, and `friedman` allows for that",
    measures="values",
    preference=5,
    invalid={**NOT_INDEPENDENT, "datasets": "scores of one data set depend on each other"},
    references=("Kruskal and Wallis 1952",),
)
def kruskal_wallis(scores: Any, *more: Any, names: Sequence[str] | None = None) -> TestResult:
    """Compare the mean ranks of classifiers when all scores are ranked together, corrected for ties.

    Parameters
    ----------
    scores, *more, names
        As `anova` takes them; classifiers may have different numbers of scores.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import kruskal_wallis
    >>> print(kruskal_wallis([28.5, 21.7, 23.0], [14.9, 10.6, 13.1], [41.8, 39.2, 28.0], [38.2, 40.4, 32.1]))
    Kruskal-Wallis test: difference 7.333, statistic 8.692, df 3, p = 0.0337
      note: 3 scores of each of 4 classifiers
    """
    table = read_scores(scores, more, names, even=False)
    pooled, sizes = np.concatenate(table.columns), np.array(table.sizes)
    ranks = mean_ranks(rounded(pooled, pooled))
    middle = (len(pooled) + 1) / 2
    means = np.array([column.mean() for column in np.split(ranks, np.cumsum(sizes)[:-1])])
    spread = float(((ranks - middle) ** 2).sum())
    between = (len(pooled) - 1) * float((sizes * (means - middle) ** 2).sum())
    result = _chi_square("Kruskal-Wallis test", means, between, spread, several=bool(sizes.max() > 1))
    return replace(result, notes=(*result.notes, table.note_of_each))


@declare_test(
    "Friedman test",
    designs=("splits", "datasets"),
    classifiers="many",
    null="all classifiers have the same mean rank",
    assumes="independent rows, as data sets are and folds are not; the chi-square distribution is for many rows, "
    "`iman_davenport` is better with few",
    measures="values",
    variants=TIES,
    invalid=NOT_INDEPENDENT,
    references=("Friedman 1937",),
)
def friedman(
    scores: Any, *more: Any, ties: bool = True, better: str = "higher", names: Sequence[str] | None = None
) -> TestResult:
    """Compare the mean ranks of classifiers, ranked within each row.

    With ``ties`` the statistic is corrected for ties, as in R and SciPy; without, it is the formula of Demsar (2006).

    Parameters
    ----------
    scores, *more
        A matrix or data frame with a row for each data set and a column for each classifier, a mapping of names to
        values, or one argument for each classifier.
    ties
        Correct the statistic for ties.
    better
        Whether "higher" or "lower" scores are better.
    names
        Names of the classifiers, where the scores have none.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import friedman
    >>> tree, bayes, knn = [0.91, 0.87, 0.94, 0.90], [0.90, 0.85, 0.93, 0.90], [0.86, 0.84, 0.88, 0.87]
    >>> print(friedman({"tree": tree, "bayes": bayes, "knn": knn}))
    Friedman test, corrected for ties: difference 1.875, statistic 7.600, df 2,
      p = 0.0224
      note: mean ranks, 1 the best: tree 1.125, bayes 1.875, knn 3.000
      note: 4 folds or data sets (rows) x 3 classifiers: tree, bayes, knn
    """
    one_of("ties", ties, (True, False))
    table = read_scores(scores, more, names)
    n, k = table.values.shape
    ranks = row_ranks(table.values, better)
    means, spread = ranks.mean(0), float(((ranks - (k + 1) / 2) ** 2).sum())
    if spread and not ties:
        spread = n * k * (k * k - 1) / 12  # what it is without ties
    between = (k - 1) * n**2 * float(((means - means.mean()) ** 2).sum())
    variant = "ties" if ties else "demsar"
    result = _chi_square(f"Friedman test, {TIES[variant]}", means, between, spread, several=n > 1)
    notes = result.notes
    if not notes:
        listed = ", ".join(f"{name} {number(mean)}" for name, mean in zip(table.names, means.tolist(), strict=True))
        notes = (f"mean ranks, 1 the best: {listed}",)
    return replace(result, notes=(*notes, table.note), variant=variant)


@declare_test(
    "Iman-Davenport test",
    designs=("splits", "datasets"),
    classifiers="many",
    null="all classifiers have the same mean rank",
    assumes="independent rows, as data sets are and folds are not",
    measures="values",
    preference=1,
    variants=TIES,
    invalid=NOT_INDEPENDENT,
    apply=lambda test, many, _: test(many.values, better=many.better, names=many.names),
    references=("Iman and Davenport 1980", "Demsar 2006"),
)
def iman_davenport(
    scores: Any, *more: Any, ties: bool = True, better: str = "higher", names: Sequence[str] | None = None
) -> TestResult:
    """Turn Friedman's statistic into one with an F distribution, less conservative with few rows.

    Where all rows rank the classifiers alike the statistic is infinite, and the p-value is the probability that they do
    so by chance.

    Parameters
    ----------
    scores, *more, ties, better, names
        As `friedman` takes them.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> import numpy as np
    >>> from howsure.significance import iman_davenport
    >>> scores = np.array([[0.91, 0.90, 0.86], [0.87, 0.85, 0.84], [0.94, 0.93, 0.88], [0.90, 0.90, 0.87]])
    >>> print(iman_davenport(scores))
    Iman-Davenport test, corrected for ties: difference 1.875, statistic 57.000, df
      (2, 6), p = 0.000125
      note: mean ranks, 1 the best: 1 1.125, 2 1.875, 3 3.000
      note: 4 folds or data sets (rows) x 3 classifiers
    """
    values = read_scores(scores, more, names).values
    n, k = values.shape
    plain = friedman(scores, *more, ties=ties, better=better, names=names)
    df = (k - 1, (k - 1) * (n - 1))
    result = replace(plain, method=f"Iman-Davenport test, {TIES[plain.variant]}", df=df)
    if not plain.statistic > 0:
        return result
    room = n * (k - 1) - plain.statistic
    if room < 1e-12 * n * k:
        return _agreed(result, row_ranks(values))
    statistic = (n - 1) * plain.statistic / room
    return replace(result, statistic=statistic, pvalue=possible(fdtrc(*df, statistic)))


@declare_test(
    "Quade test",
    designs=("datasets",),
    classifiers="many",
    null="all classifiers have the same mean rank",
    assumes="independent rows, with scores on one scale: rows in which classifiers differ more weigh more",
    measures="values",
    preference=3,
    invalid=NOT_INDEPENDENT,
    references=("Quade 1979",),
)
def quade(scores: Any, *more: Any, names: Sequence[str] | None = None) -> TestResult:
    """Compare ranks within rows, each row weighted by the rank of its range; ties as in R.

    The difference is that of the weighted mean ranks.

    Parameters
    ----------
    scores, *more, names
        As `friedman` takes them.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import quade
    >>> print(quade([5, 1, 16, 5, 10, 19, 10], [4, 3, 12, 4, 9, 18, 7], [7, 1, 22, 3, 7, 28, 6]))
    Quade test: difference 0.866, statistic 1.299, df (2, 12), p = 0.309
      note: 7 folds or data sets (rows) x 3 classifiers
    """
    table = read_scores(scores, more, names)
    values = table.values
    n, k = values.shape
    ranks = row_ranks(values)
    weights = mean_ranks(rounded(np.ptp(values, axis=1), values))
    weighted = weights[:, None] * (ranks - (k + 1) / 2)
    total, between = float((weighted**2).sum()), float((weighted.sum(0) ** 2).sum() / n)
    difference, df = float(np.ptp(weighted.sum(0)) / weights.sum()), (k - 1, (k - 1) * (n - 1))
    result = TestResult(math.nan, math.nan, difference, "Quade test", df, notes=(table.note,))
    if not total:
        return replace(result, statistic=0.0, pvalue=1.0, difference=0.0, notes=(ALIKE, table.note))
    if n == 1:
        return replace(result, notes=(ONE_ROW, table.note))
    if total - between < 1e-12 * total:
        return _agreed(result, ranks)
    statistic = (n - 1) * between / (total - between)
    return replace(result, statistic=statistic, pvalue=possible(fdtrc(*df, statistic)))


def _chi_square(method: str, means: Array, between: float, spread: float, several: bool) -> TestResult:
    """Test mean ranks by their spread over that of all ranks."""
    df = len(means) - 1
    if not spread:
        return TestResult(0.0, 1.0, 0.0, method, df, notes=(ALIKE,))
    difference = float(np.ptp(means))
    if not several:
        return TestResult(math.nan, math.nan, difference, method, df, notes=(ONE_ROW,))
    statistic = between / spread
    return TestResult(statistic, possible(chdtrc(df, statistic)), difference, method, df)


def _agreed(result: TestResult, ranks: Array) -> TestResult:
    """All rows rank alike, for which Conover gives the chance of it: rows are free to take any order of their ranks."""
    n, k = ranks.shape
    _, tied = np.unique(ranks[0], return_counts=True)
    orders = math.lgamma(k + 1) - sum(math.lgamma(count + 1) for count in tied)  # the log of their number
    pvalue = possible(math.exp((1 - n) * orders))
    note = "all rows rank the classifiers alike; p is the probability of that when every order is as likely"
    return replace(result, statistic=math.inf, pvalue=pvalue, notes=(*result.notes, note))
