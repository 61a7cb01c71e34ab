"""Do many classifiers differ in their mean score? Analysis of variance, with and without repeated measures."""

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
NO_SPREAD = "the scores have no spread beside the difference, so the test cannot tell how sure it is"


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
def anova(scores: Any, *more: Any, names: Sequence[str] | None = None) -> TestResult:
    """Compare the spread between classifiers with the spread within them.

    With N scores of L classifiers the ratio has an F distribution with L - 1 and N - L degrees of freedom.
    `repeated_anova` also takes out what the folds have in common.

    Parameters
    ----------
    scores, *more
        A matrix or data frame with a row for each fold and a column for each classifier, a mapping of names to values,
        or one argument for each classifier; here they may have different numbers of scores.
    names
        Names of the classifiers, where the scores have none.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

    Examples
    --------
    >>> from howsure.significance import anova
    >>> print(anova([28.5, 21.7, 23.0], [14.9, 10.6, 13.1], [41.8, 39.2, 28.0], [38.2, 40.4, 32.1]))
    Analysis of variance: difference 24.033, statistic 17.345, df (3, 8),
      p = 0.000733
      note: sum of squares 1170.209 between classifiers, 179.913 within
      note: 3 scores of each of 4 classifiers
    """
    table = read_scores(scores, more, names, even=False)
    between, within, df = squares(table.values) if table.are_even else _uneven_squares(table.columns)
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
    assumes="independent rows of normal scores, and differences of any two classifiers with one variance (sphericity)",
    measures="values",
    preference=4,
    invalid=NOT_INDEPENDENT,
)
def repeated_anova(scores: Any, *more: Any, names: Sequence[str] | None = None) -> TestResult:
    """Analysis of variance with rows as blocks: two ways without replication, F on L - 1 and (L - 1)(K - 1).

    A note gives the p-value with Greenhouse and Geisser's correction, for differences of unequal variance.

    Parameters
    ----------
    scores, *more, names
        As `anova` takes them, with as many scores of each classifier.

    Returns
    -------
    TestResult
        The statistic, the p-value and the difference.

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
    between, left, df = squares(values, blocks=True)
    k, difference = len(table.names), float(np.ptp(values.mean(0)))
    result = _ratio("Repeated-measures analysis of variance", difference, between, left, (k - 1, df))
    notes = result.notes
    if result.statistic > 0 and k > 2:
        epsilon = sphericity(values)
        pvalue = possible(fdtrc(epsilon * (k - 1), epsilon * df, result.statistic))
        notes = (f"Greenhouse-Geisser epsilon {number(epsilon)}, corrected p = {pvalue:.3g}",)
    return replace(result, notes=(*notes, table.note))


def squares(values: Array, blocks: bool = False) -> tuple[float, float, int]:
    """Sum of squares between columns, the one that is left, and its degrees of freedom.

    With ``blocks``, what rows have in common is taken out of what is left. Sums that are only rounding become 0.
    """
    n, k = values.shape
    means = values.mean(0)
    left = values - means
    if blocks:
        left = left - left.mean(1, keepdims=True)
    between, within = n * float(((means - means.mean()) ** 2).sum()), float((left**2).sum())
    df = (n - 1) * (k - 1) if blocks else (n - 1) * k
    return *_without_rounding(between, within, values), df


def _uneven_squares(columns: Sequence[Array]) -> tuple[float, float, int]:
    """Sums of squares of classifiers with different numbers of scores."""
    values = np.concatenate(columns)
    centre = float(values.mean())
    between = sum(len(column) * (float(column.mean()) - centre) ** 2 for column in columns)
    within = sum(float(((column - column.mean()) ** 2).sum()) for column in columns)
    return *_without_rounding(between, within, values), len(values) - len(columns)


def _without_rounding(between: float, within: float, values: Array) -> tuple[float, float]:
    """Make sums that are only rounding 0; as in `rounded`, twelve digits of the largest value count."""
    rounding = values.size * (1e-13 * float(np.abs(values).max())) ** 2
    return between if between > rounding else 0.0, within if within > rounding else 0.0


def sphericity(values: Array) -> float:
    """Greenhouse and Geisser's epsilon: 1 where differences of any two columns have one variance."""
    k = values.shape[1]
    centred = values - values.mean(0)
    centred = centred - centred.mean(1, keepdims=True)
    spread = centred.T @ centred
    return min(1.0, float(np.trace(spread) ** 2 / ((k - 1) * (spread**2).sum())))


def _ratio(method: str, difference: float, between: float, within: float, df: tuple[int, int]) -> TestResult:
    if not between and not within:
        return TestResult(0.0, 1.0, 0.0, method, df, notes=(ALIKE,))
    if not within:
        return TestResult(math.nan, math.nan, difference, method, df, notes=(NO_SPREAD,))
    statistic = (between / df[0]) / (within / df[1])
    return TestResult(statistic, possible(fdtrc(*df, statistic)), difference if between else 0.0, method, df)
