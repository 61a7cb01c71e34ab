"""Analysis of variance, with and without repeated measures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import fdtrc

from howsure.arrays import Array
from howsure.present.value_text import number
from howsure.results import TestResult
from howsure.significance.declare import NOT_INDEPENDENT, declare_test
from howsure.significance.pvalues import possible
from howsure.significance.scores import read_scores

ALIKE = "the classifiers do not differ, so there is nothing to test"
NO_SPREAD = "the scores do not vary within classifiers, so the uncertainty of the difference cannot be estimated"


@declare_test(
    "Analysis of variance",
    designs=("splits",),
    classifiers="many",
    null="all classifiers have the same mean score",
    assumes="independent normal scores of equal variance; scores on the same folds are not independent",
    aliases=("one_way_anova",),
    measures="values",
    preference=5,
    invalid={**NOT_INDEPENDENT, "datasets": "scores on the same data set are not independent"},
)
def anova(scores: Any, *more: Any, names: Sequence[str] | None = None) -> TestResult:
    """One-way analysis of variance of the scores of many classifiers.

    The null hypothesis is that all L classifiers have the same mean score. The statistic is the mean square between
    classifiers divided by the mean square within them. For N independent normal scores of equal variance, it has an F
    distribution with L - 1 and N - L degrees of freedom under the null hypothesis. For scores on the same folds, which
    are not independent, use `repeated_anova`.

    Parameters
    ----------
    scores, *more
        A matrix or data frame with a row for each fold and a column for each classifier, a mapping from names to
        values, or one argument for each classifier. Classifiers may have different numbers of scores.
    names
        Names of the classifiers, if the scores have none.

    Returns
    -------
    TestResult
        The statistic F, the p-value, and the difference between the largest and smallest mean.

    Examples
    --------
    >>> from howsure.significance import anova
    >>> print(anova([28.5, 21.7, 23.0], [14.9, 10.6, 13.1], [41.8, 39.2, 28.0], [38.2, 40.4, 32.1]))
    Analysis of variance: difference 24.033, statistic 17.345, df (3, 8),
      p = 0.000733
      note: sum of squares 1170.209 between classifiers, 179.913 within
      note: 3 scores for each of 4 classifiers
    """
    table = read_scores(scores, more, names, even=False)
    between, within, df = sums_of_squares(table.values) if table.are_even else _uneven_sums_of_squares(table.columns)
    difference = float(np.ptp([column.mean() for column in table.columns]))
    result = _ratio("Analysis of variance", difference, between, within, (len(table.names) - 1, df))
    notes = result.notes
    if within:
        notes = (f"sum of squares {number(between)} between classifiers, {number(within)} within",)
    return replace(result, notes=(*notes, table.note_of_each))


@declare_test(
    "Analysis of variance, repeated measures",
    designs=("splits", "datasets"),
    classifiers="many",
    null="all classifiers have the same mean score",
    assumes="independent rows of normal scores; differences between classifiers with equal variances (sphericity)",
    measures="values",
    preference=4,
    invalid=NOT_INDEPENDENT,
)
def repeated_anova(scores: Any, *more: Any, names: Sequence[str] | None = None) -> TestResult:
    """Repeated-measures analysis of variance, with folds as blocks.

    The null hypothesis is that all L classifiers have the same mean score. This is the two-way analysis of variance
    without replication: the variation between the K rows is removed, and the statistic, mean square between classifiers
    over residual mean square, has an F distribution with L - 1 and (L - 1)(K - 1) degrees of freedom. It assumes
    independent rows of normal scores, and sphericity: equal variances of the differences between any two classifiers. A
    note states the p-value with the correction of Greenhouse and Geisser (1959), which does not assume sphericity.

    Parameters
    ----------
    scores, *more, names
        As in `anova`, with the same number of scores for each classifier.

    Returns
    -------
    TestResult
        The statistic F, the p-value, and the difference between the largest and smallest mean.

    Examples
    --------
    >>> import numpy as np
    >>> from howsure.significance import repeated_anova
    >>> scores = np.array([[0.91, 0.90, 0.86], [0.87, 0.85, 0.84], [0.94, 0.93, 0.88], [0.90, 0.90, 0.87]])
    >>> print(repeated_anova(scores))
    Repeated-measures analysis of variance: difference 0.042, statistic 20.314, df
      (2, 6), p = 0.00213
      note: Greenhouse-Geisser epsilon 0.680, corrected p = 0.00893
      note: 4 folds or data sets (rows) x 3 classifiers
    """
    table = read_scores(scores, more, names)
    values = table.values
    between, residual, df = sums_of_squares(values, blocks=True)
    k, difference = len(table.names), float(np.ptp(values.mean(0)))
    result = _ratio("Repeated-measures analysis of variance", difference, between, residual, (k - 1, df))
    notes = result.notes
    if result.statistic > 0 and k > 2:
        epsilon = greenhouse_geisser(values)
        pvalue = possible(fdtrc(epsilon * (k - 1), epsilon * df, result.statistic))
        notes = (f"Greenhouse-Geisser epsilon {number(epsilon)}, corrected p = {pvalue:.3g}",)
    return replace(result, notes=(*notes, table.note))


def sums_of_squares(values: Array, blocks: bool = False) -> tuple[float, float, int]:
    """Sums of squares between columns and of residuals, and residual df.

    ``blocks`` removes the row means from the residuals.
    """
    n, k = values.shape
    means = values.mean(0)
    residuals = values - means
    if blocks:
        residuals = residuals - residuals.mean(1, keepdims=True)
    between, within = n * float(((means - means.mean()) ** 2).sum()), float((residuals**2).sum())
    df = (n - 1) * (k - 1) if blocks else (n - 1) * k
    return *_without_rounding(between, within, values), df


def _uneven_sums_of_squares(columns: Sequence[Array]) -> tuple[float, float, int]:
    """Sums of squares for classifiers with different numbers of scores."""
    values = np.concatenate(columns)
    centre = float(values.mean())
    between = sum(len(column) * (float(column.mean()) - centre) ** 2 for column in columns)
    within = sum(float(((column - column.mean()) ** 2).sum()) for column in columns)
    return *_without_rounding(between, within, values), len(values) - len(columns)


def _without_rounding(between: float, within: float, values: Array) -> tuple[float, float]:
    """Set sums of squares to 0 if they are rounding errors.

    Values are accurate to 12 digits, as in `rounded`.
    """
    rounding = values.size * (1e-13 * float(np.abs(values).max())) ** 2
    return between if between > rounding else 0.0, within if within > rounding else 0.0


def greenhouse_geisser(values: Array) -> float:
    """Epsilon of Greenhouse and Geisser (1959), 1 under sphericity.

    With S the double-centred covariance matrix of the columns, epsilon = trace(S)² / ((k - 1) trace(S²)).
    """
    k = values.shape[1]
    centred = values - values.mean(0)
    centred = centred - centred.mean(1, keepdims=True)
    covariance = centred.T @ centred
    return min(1.0, float(np.trace(covariance) ** 2 / ((k - 1) * (covariance**2).sum())))


def _ratio(method: str, difference: float, between: float, within: float, df: tuple[int, int]) -> TestResult:
    if not between and not within:
        return TestResult(0.0, 1.0, 0.0, method, df, notes=(ALIKE,))
    if not within:
        return TestResult(math.nan, math.nan, difference, method, df, notes=(NO_SPREAD,))
    statistic = (between / df[0]) / (within / df[1])
    return TestResult(statistic, possible(fdtrc(*df, statistic)), difference if between else 0.0, method, df)
