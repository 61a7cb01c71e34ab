"""Kruskal-Wallis, Friedman, Iman-Davenport and Quade tests."""

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
ONE_ROW = "with one row the statistic is the same for any scores, so the p-value is undefined"


@declare_test(
    "Kruskal-Wallis test",
    designs=("splits",),
    classifiers="many",
    null="all classifiers have the same distribution of scores",
    assumes="independent scores; for scores on the same folds, which are not independent, use `friedman`",
    measures="values",
    preference=5,
    invalid={**NOT_INDEPENDENT, "datasets": "scores on the same data set are not independent"},
    references=("Kruskal and Wallis 1952",),
)
def kruskal_wallis(scores: Any, *more: Any, names: Sequence[str] | None = None) -> TestResult:
    """Kruskal-Wallis test of the scores of many classifiers.

    The null hypothesis is that all L classifiers have the same distribution of scores. All N scores are ranked
    together. With R_j the mean rank of the n_j scores of classifier j and S the sum of squared deviations of all ranks
    from (N + 1) / 2, the statistic is (N - 1) Σ n_j (R_j - (N + 1) / 2)² / S, which is corrected for ties. It is
    approximately chi-square with L - 1 degrees of freedom under the null hypothesis, for independent scores (Kruskal
    and Wallis 1952).

    Parameters
    ----------
    scores, *more, names
        As in `anova`; classifiers may have different numbers of scores.

    Returns
    -------
    TestResult
        The statistic, the p-value, and the difference between the largest and smallest mean rank.

    Examples
    --------
    >>> from howsure.significance import kruskal_wallis
    >>> print(kruskal_wallis([28.5, 21.7, 23.0], [14.9, 10.6, 13.1], [41.8, 39.2, 28.0], [38.2, 40.4, 32.1]))
    Kruskal-Wallis test: difference 7.333, statistic 8.692, df 3, p = 0.0337
      note: 3 scores for each of 4 classifiers
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
    assumes="independent rows, such as data sets but not folds; many rows, as `iman_davenport` is better for few",
    measures="values",
    variants=TIES,
    invalid=NOT_INDEPENDENT,
    references=("Friedman 1937",),
)
def friedman(
    scores: Any, *more: Any, ties: bool = True, better: str = "higher", names: Sequence[str] | None = None
) -> TestResult:
    """Friedman test of the ranks of many classifiers within data sets.

    The null hypothesis is that all k classifiers have the same mean rank. The scores of each of the n rows are ranked.
    With R_j the mean rank of classifier j, the statistic is 12 n / (k (k + 1)) Σ (R_j - (k + 1) / 2)². It is
    approximately chi-square with k - 1 degrees of freedom under the null hypothesis, for many independent rows
    (Friedman 1937; Demsar 2006). With ``ties``, it is corrected for ties, as in R and SciPy.

    Parameters
    ----------
    scores, *more
        A matrix or data frame with a row for each data set and a column for each classifier, a mapping from names to
        values, or one argument for each classifier.
    ties
        Whether to correct the statistic for ties.
    better
        Whether "higher" or "lower" scores are better.
    names
        Names of the classifiers, if the scores have none.

    Returns
    -------
    TestResult
        The statistic, the p-value, and the difference between the largest and smallest mean rank.

    Examples
    --------
    >>> from howsure.significance import friedman
    >>> tree, bayes, knn = [0.91, 0.87, 0.94, 0.90], [0.90, 0.85, 0.93, 0.90], [0.86, 0.84, 0.88, 0.87]
    >>> print(friedman({"tree": tree, "bayes": bayes, "knn": knn}))
    Friedman test, corrected for ties: difference 1.875, statistic 7.600, df 2,
      p = 0.0224
      note: mean ranks, 1 is best: tree 1.125, bayes 1.875, knn 3.000
      note: 4 folds or data sets (rows) x 3 classifiers: tree, bayes, knn
    """
    one_of("ties", ties, (True, False))
    table = read_scores(scores, more, names)
    n, k = table.values.shape
    ranks = row_ranks(table.values, better)
    means, spread = ranks.mean(0), float(((ranks - (k + 1) / 2) ** 2).sum())
    if spread and not ties:
        spread = n * k * (k * k - 1) / 12  # the value without ties
    between = (k - 1) * n**2 * float(((means - means.mean()) ** 2).sum())
    variant = "ties" if ties else "demsar"
    result = _chi_square(f"Friedman test, {TIES[variant]}", means, between, spread, several=n > 1)
    notes = result.notes
    if not notes:
        listed = ", ".join(f"{name} {number(mean)}" for name, mean in zip(table.names, means.tolist(), strict=True))
        notes = (f"mean ranks, 1 is best: {listed}",)
    return replace(result, notes=(*notes, table.note), variant=variant)


@declare_test(
    "Iman-Davenport test",
    designs=("splits", "datasets"),
    classifiers="many",
    null="all classifiers have the same mean rank",
    assumes="independent rows, such as data sets but not folds",
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
    """Iman-Davenport test, the Friedman test with an F distribution.

    The null hypothesis is that all k classifiers have the same mean rank. With X the statistic of `friedman` on n
    independent rows, the statistic is F = (n - 1) X / (n (k - 1) - X), compared with the F distribution with k - 1 and
    (k - 1)(n - 1) degrees of freedom (Iman and Davenport 1980). It is less conservative than `friedman` for few rows.
    If all rows rank the classifiers in the same order, F is infinite, and the p-value is the probability of this
    outcome under random orders.

    Parameters
    ----------
    scores, *more, ties, better, names
        As in `friedman`.

    Returns
    -------
    TestResult
        The statistic F, the p-value, and the difference between the largest and smallest mean rank.

    Examples
    --------
    >>> import numpy as np
    >>> from howsure.significance import iman_davenport
    >>> scores = np.array([[0.91, 0.90, 0.86], [0.87, 0.85, 0.84], [0.94, 0.93, 0.88], [0.90, 0.90, 0.87]])
    >>> print(iman_davenport(scores))
    Iman-Davenport test, corrected for ties: difference 1.875, statistic 57.000, df
      (2, 6), p = 0.000125
      note: mean ranks, 1 is best: 1 1.125, 2 1.875, 3 3.000
      note: 4 folds or data sets (rows) x 3 classifiers
    """
    values = read_scores(scores, more, names).values
    n, k = values.shape
    plain = friedman(scores, *more, ties=ties, better=better, names=names)
    df = (k - 1, (k - 1) * (n - 1))
    result = replace(plain, method=f"Iman-Davenport test, {TIES[plain.variant]}", df=df)
    if not plain.statistic > 0:
        return result
    rest = n * (k - 1) - plain.statistic
    if rest < 1e-12 * n * k:
        return _unanimous(result, row_ranks(values))
    statistic = (n - 1) * plain.statistic / rest
    return replace(result, statistic=statistic, pvalue=possible(fdtrc(*df, statistic)))


@declare_test(
    "Quade test",
    designs=("datasets",),
    classifiers="many",
    null="all classifiers have the same mean rank",
    assumes="independent rows, with scores on the same scale; rows with larger differences have more weight",
    measures="values",
    preference=3,
    invalid=NOT_INDEPENDENT,
    references=("Quade 1979",),
)
def quade(scores: Any, *more: Any, names: Sequence[str] | None = None) -> TestResult:
    """Quade test of the ranks of many classifiers within data sets.

    The null hypothesis is that all k classifiers have the same mean rank. The deviations of the ranks in each of the n
    rows from (k + 1) / 2 are multiplied by the rank of the row's range. With A the sum of squares of all products and B
    the sum of squares of their column sums divided by n, the statistic is F = (n - 1) B / (A - B), compared with the F
    distribution with k - 1 and (k - 1)(n - 1) degrees of freedom (Quade 1979). Ties share their mean rank, as in R.

    Parameters
    ----------
    scores, *more, names
        As in `friedman`.

    Returns
    -------
    TestResult
        The statistic F, the p-value, and the difference between the largest and smallest weighted mean rank.

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
        return _unanimous(result, ranks)
    statistic = (n - 1) * between / (total - between)
    return replace(result, statistic=statistic, pvalue=possible(fdtrc(*df, statistic)))


def _chi_square(method: str, means: Array, between: float, spread: float, several: bool) -> TestResult:
    """Compare between / spread of mean ranks with the chi-square distribution."""
    df = len(means) - 1
    if not spread:
        return TestResult(0.0, 1.0, 0.0, method, df, notes=(ALIKE,))
    difference = float(np.ptp(means))
    if not several:
        return TestResult(math.nan, math.nan, difference, method, df, notes=(ONE_ROW,))
    statistic = between / spread
    return TestResult(statistic, possible(chdtrc(df, statistic)), difference, method, df)


def _unanimous(result: TestResult, ranks: Array) -> TestResult:
    """Return the result if all rows have the same ranks (Conover 1999).

    p = m^(1 - n) for m possible orders of the ranks in a row, and n rows.
    """
    n, k = ranks.shape
    _, tied = np.unique(ranks[0], return_counts=True)
    log_orders = math.lgamma(k + 1) - sum(math.lgamma(count + 1) for count in tied)
    pvalue = possible(math.exp((1 - n) * log_orders))
    note = "all rows rank the classifiers in the same order; p is the probability of this under random orders"
    return replace(result, statistic=math.inf, pvalue=pvalue, notes=(*result.notes, note))
