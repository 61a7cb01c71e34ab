"""Comparisons of mean ranks: all pairs, with a control, diagram.

Scores are ranked within rows, as in `friedman`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from scipy.special import ndtr, ndtri

from howsure.checks import check_alpha
from howsure.significance.declare import NOT_INDEPENDENT, declare_test
from howsure.significance.posthoc.pairwise import ONE_ROW, CriticalDifference, Fit, Pairwise, all_pairs, with_control
from howsure.significance.posthoc.studentized_range import range_tail
from howsure.significance.pvalues import possible
from howsure.significance.ranks import row_ranks
from howsure.significance.scores import Scores, read_scores

of_ranks = partial(
    declare_test,
    designs=("splits", "datasets"),
    classifiers="many",
    assumes="many independent rows",
    kind="posthoc",
    measures="values",
    invalid=NOT_INDEPENDENT,
)


@of_ranks("Nemenyi test", null="two classifiers have the same mean rank", preference=1)
def nemenyi(
    scores: Any, *more: Any, alpha: float = 0.05, better: str = "higher", names: Sequence[str] | None = None
) -> Pairwise:
    """Nemenyi test of all pairs of mean ranks.

    The null hypothesis of each pair is that both classifiers have the same mean rank. The difference between two mean
    ranks divided by sqrt(k (k + 1) / (12 n)), for k classifiers and n rows, is compared with the studentized range of k
    normal variables, so that p-values are simultaneous. It assumes many independent rows (Demsar 2006).

    Parameters
    ----------
    scores, *more, better, names
        As in `friedman`.
    alpha
        Significance level.

    Returns
    -------
    Pairwise
        The comparison of each pair, and the groups of classifiers without significant differences.

    Examples
    --------
    >>> from howsure.significance import nemenyi
    >>> nemenyi([0.91, 0.87, 0.94, 0.90], [0.90, 0.85, 0.93, 0.90], [0.86, 0.84, 0.88, 0.87]).lines()
    '12 23'
    """
    alpha, fit = check_alpha(alpha), _fit(read_scores(scores, more, names), better)
    return all_pairs("Nemenyi test", fit, range_tail(len(fit.names), math.inf) if fit.has_spread else None, alpha)


@of_ranks("Bonferroni-Dunn test", null="a classifier has the same mean rank as the control")
def bonferroni_dunn(
    scores: Any,
    *more: Any,
    control: str,
    alpha: float = 0.05,
    better: str = "higher",
    names: Sequence[str] | None = None,
) -> Pairwise:
    """Bonferroni-Dunn test of mean ranks against a control.

    The null hypothesis of each pair is that the classifier has the same mean rank as the control. The difference
    between two mean ranks divided by sqrt(k (k + 1) / (6 n)), for k classifiers and n rows, is normal for many
    independent rows, and the p-values are multiplied by k - 1 (Demsar 2006).

    Parameters
    ----------
    scores, *more, better, names
        As in `friedman`.
    control
        Name of the control.
    alpha
        Significance level.

    Returns
    -------
    Pairwise
        The comparison of each pair, and the groups of classifiers without significant differences.

    Examples
    --------
    >>> from howsure.significance import bonferroni_dunn
    >>> a, b, c = [0.91, 0.87, 0.94, 0.90], [0.90, 0.85, 0.93, 0.90], [0.86, 0.84, 0.88, 0.87]
    >>> round(bonferroni_dunn({"a": a, "b": b, "c": c}, control="a")["a", "c"].pvalue, 4)
    0.016
    """
    alpha, fit = check_alpha(alpha), _fit(read_scores(scores, more, names), better)
    others, unit = len(fit.names) - 1, math.sqrt(2)  # a difference has sqrt(2) times the standard error of a mean rank
    tail = (lambda q: possible(2 * others * ndtr(-q / unit))) if fit.has_spread else None
    critical = float(-ndtri(alpha / (2 * others))) * unit
    return with_control("Bonferroni-Dunn test", fit, tail, critical, control, alpha)


@of_ranks("Critical difference of mean ranks", null="two classifiers have the same mean rank")
def critical_difference(
    scores: Any,
    *more: Any,
    alpha: float = 0.05,
    control: str | None = None,
    better: str = "higher",
    names: Sequence[str] | None = None,
) -> CriticalDifference:
    """Compute the critical difference diagram of Demsar (2006).

    The critical difference is that of the `nemenyi` test, or, with a control, that of `bonferroni_dunn`.

    Parameters
    ----------
    scores, *more, better, names
        As in `friedman`.
    alpha
        Significance level.
    control
        Name of the control, if there is one.

    Returns
    -------
    CriticalDifference
        Mean ranks, critical difference and groups; ``plot`` draws the diagram.

    Examples
    --------
    >>> from howsure.significance import critical_difference
    >>> tree, bayes, knn = [0.91, 0.87, 0.94, 0.90], [0.90, 0.85, 0.93, 0.90], [0.86, 0.84, 0.88, 0.87]
    >>> print(critical_difference({"tree": tree, "bayes": bayes, "knn": knn}))
    Nemenyi test: critical difference 1.657 at 0.05, 4 rows
      mean ranks tree 1.125, bayes 1.875, knn 3.000
      groups {tree, bayes} {bayes, knn}
      note: 4 folds or data sets (rows) x 3 classifiers: tree, bayes, knn
    """
    options: dict[str, Any] = {"alpha": alpha, "better": better, "names": names}
    if control is None:
        result = nemenyi(scores, *more, **options)
    else:
        result = bonferroni_dunn(scores, *more, control=control, **options)
    return CriticalDifference(
        result.names,
        result.values,
        result.pairs[0].critical,
        result.groups,
        len(read_scores(scores, more, names).values),
        alpha,
        result.method,
        control,
        result.notes,
    )


def _fit(scores: Scores, better: str) -> Fit:
    n, k = scores.values.shape
    means = row_ranks(scores.values, better).mean(0)
    spread = math.sqrt(k * (k + 1) / (12 * n)) if n > 1 else math.nan
    return Fit(scores.names, means, spread, math.inf, "lower", scores.note, () if n > 1 else (ONE_ROW,))
