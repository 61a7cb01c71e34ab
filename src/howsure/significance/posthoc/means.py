"""Comparisons of mean scores: all pairs, with a control, contrasts.

The standard error comes from the variation within classifiers, as in `anova`, or, with ``blocks``, from the residuals
after removing row means, as in `repeated_anova`, which is appropriate for scores on the same folds. If the scores do
not vary, pairs with equal means have p = 1 and other pairs have NaN.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import fdtrc

from howsure.checks import check_alpha, one_of
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError
from howsure.results import TestResult
from howsure.significance.declare import NOT_INDEPENDENT, check_alternative, declare_test
from howsure.significance.inputs import check_better, rounded, row
from howsure.significance.many.anova import ALIKE, sums_of_squares
from howsure.significance.posthoc.pairwise import (
    ONE_ROW,
    Fit,
    Pairwise,
    all_pairs,
    compare_two,
    groups_of,
    with_control,
)
from howsure.significance.posthoc.studentized_range import dunnett_tail, point, range_tail
from howsure.significance.pvalues import possible, studentized
from howsure.significance.scores import Scores, read_scores

BY_RANGE = "p-values hold for single ranges, not simultaneously; a pair differs only if all wider ranges do too"
NO_SPREAD = "the scores do not vary within classifiers, so the uncertainty of the differences cannot be estimated"

of_means = partial(
    declare_test,
    designs=("splits",),
    classifiers="many",
    assumes="independent normal scores of equal variance; with `blocks`, differences of equal variance",
    kind="posthoc",
    measures="values",
    invalid=NOT_INDEPENDENT,
)


@of_means("Newman-Keuls test", null="two classifiers have the same mean score", preference=3)
def newman_keuls(
    scores: Any,
    *more: Any,
    alpha: float = 0.05,
    blocks: bool = False,
    better: str = "higher",
    names: Sequence[str] | None = None,
) -> Pairwise:
    """Student-Newman-Keuls test of all pairs of mean scores.

    The null hypothesis of each pair is that both classifiers have the same mean score. The difference between two
    means, divided by their standard error, is compared with the studentized range of the r means from the smaller to
    the larger of the two. The widest range is tested first, and ranges within a range without a significant difference
    are not tested. The level holds for each range only; `tukey` controls it for all pairs together.

    Parameters
    ----------
    scores, *more
        A matrix or data frame with a row for each fold and a column for each classifier, a mapping from names to
        values, or one argument for each classifier.
    alpha
        Significance level.
    blocks
        Whether to remove the variation between rows, such as folds.
    better
        Whether "higher" or "lower" scores are better.
    names
        Names of the classifiers, if the scores have none.

    Returns
    -------
    Pairwise
        The comparison of each pair, and the groups of classifiers without significant differences.

    Examples
    --------
    >>> from howsure.significance import newman_keuls
    >>> cc, fc, ff, oo = [28.5, 21.7, 23.0], [14.9, 10.6, 13.1], [41.8, 39.2, 28.0], [38.2, 40.4, 32.1]
    >>> newman_keuls({"cc": cc, "fc": fc, "ff": ff, "oo": oo}).lines()
    '{oo, ff} {cc} {fc}'
    """
    alpha, fit = check_alpha(alpha), _fit(read_scores(scores, more, names), blocks, better)
    tails = {span: range_tail(span, fit.df) for span in range(2, len(fit.names) + 1) if fit.has_spread}
    points = {span: point(tail, alpha) for span, tail in tails.items()}

    def span(a: int, b: int) -> int:
        # Count ties with either end, so that the order of the columns does not matter.
        low, high = sorted((fit.values[a], fit.values[b]))
        return int(((fit.values >= low) & (fit.values <= high)).sum())

    indices = list(combinations(range(len(fit.names)), 2))
    ranges = [
        compare_two(fit, a, b, tails.get(span(a, b)), points.get(span(a, b), math.nan), alpha) for a, b in indices
    ]

    def is_protected(a: int, b: int) -> bool:
        """Return whether a range that contains this one is not significant."""
        low, high = sorted((fit.values[a], fit.values[b]))
        return any(
            min(fit.values[[c, d]]) <= low and max(fit.values[[c, d]]) >= high and not wider.different
            for (c, d), wider in zip(indices, ranges, strict=True)
        )

    pairs = tuple(
        replace(pair, different=pair.different and not is_protected(a, b))
        for (a, b), pair in zip(indices, ranges, strict=True)
    )
    groups = groups_of(fit.order, pairs)
    result = Pairwise("Newman-Keuls test", fit.names, tuple(fit.values.tolist()), pairs, groups, alpha)
    return replace(result, simultaneous=False, notes=(*fit.reasons, BY_RANGE, fit.shape))


@of_means("Tukey's test", null="two classifiers have the same mean score", preference=1)
def tukey(
    scores: Any,
    *more: Any,
    alpha: float = 0.05,
    blocks: bool = False,
    better: str = "higher",
    names: Sequence[str] | None = None,
) -> Pairwise:
    """Tukey's test of all pairs of mean scores.

    The null hypothesis of each pair is that both classifiers have the same mean score. The difference between two
    means, divided by their standard error, is compared with the studentized range of all means, so that p-values are
    simultaneous: they control the probability of any false rejection.

    Parameters
    ----------
    scores, *more, alpha, blocks, better, names
        As in `newman_keuls`.

    Returns
    -------
    Pairwise
        The comparison of each pair, and the groups of classifiers without significant differences.

    Examples
    --------
    >>> from howsure.significance import tukey
    >>> print(tukey([71, 73, 72], [60, 61, 63], [72, 71, 72]))
    Tukey's test
    a  b  difference  critical  statistic         p  different
    -  -  ----------  --------  ---------  --------  ---------
    1  2      10.667     2.770     16.711  5.48e-05  True
    1  3       0.333     2.770      0.522     0.928  False
    2  3     -10.333     2.770    -16.189  6.59e-05  True
    groups without significant differences at 0.05: 13 2
    note: 3 scores for each of 3 classifiers
    """
    alpha, fit = check_alpha(alpha), _fit(read_scores(scores, more, names), blocks, better)
    return all_pairs("Tukey's test", fit, range_tail(len(fit.names), fit.df) if fit.has_spread else None, alpha)


@of_means("Dunnett's test", null="a classifier has the same mean score as the control")
def dunnett(
    scores: Any,
    *more: Any,
    control: str,
    alpha: float = 0.05,
    blocks: bool = False,
    better: str = "higher",
    names: Sequence[str] | None = None,
) -> Pairwise:
    """Dunnett's test of the mean score of each classifier against a control.

    The null hypothesis of each pair is that the classifier has the same mean score as the control. The t statistics are
    compared with the distribution of the largest of them, so that p-values are simultaneous. Like
    `scipy.stats.dunnett`, it assumes independent scores; with ``blocks`` it allows for scores on the same folds.

    Parameters
    ----------
    scores, *more, alpha, blocks, better, names
        As in `newman_keuls`.
    control
        Name of the control.

    Returns
    -------
    Pairwise
        The comparison of each pair, and the groups of classifiers without significant differences.

    Examples
    --------
    >>> from howsure.significance import dunnett
    >>> round(dunnett([71, 73, 72], [60, 61, 63], [72, 71, 72], control="1")["1", "3"].pvalue, 4)
    0.9072
    """
    alpha, fit = check_alpha(alpha), _fit(read_scores(scores, more, names), blocks, better)
    unit = math.sqrt(2)
    plain = dunnett_tail(len(fit.names) - 1, fit.df) if fit.has_spread else None
    tail = (lambda q: plain(q / unit)) if plain else None
    critical = point(plain, alpha) * unit if plain else math.nan
    return with_control("Dunnett's test", fit, tail, critical, control, alpha)


@of_means("Contrast of means", null="the weighted sum of mean scores is 0", preference=4)
@shared_texts
def contrast(
    scores: Any,
    *more: Any,
    weights: ArrayLike | None = None,
    blocks: bool = False,
    alternative: str = "two-sided",
    names: Sequence[str] | None = None,
) -> TestResult:
    """Test a weighted sum of mean scores with weights that add up to 0.

    The null hypothesis is that the sum is 0. Weights of 1/2, 1/2, -1/3, -1/3 and -1/3 compare the first two classifiers
    with the other three. The statistic is the sum divided by its standard error, which has Student's t distribution
    under the null hypothesis. The p-value holds for a contrast that was chosen in advance. A note states Scheffe's
    p-value, which holds for a contrast suggested by the scores.

    Parameters
    ----------
    scores, *more, blocks, names
        As in `newman_keuls`.
    weights
        Weights of the classifiers, which add up to 0. Pass them by keyword, except after scores in a single table.
    {alternative}

    Returns
    -------
    TestResult
        The statistic t, the p-value, and the weighted sum as the difference.

    Examples
    --------
    >>> from howsure.significance import contrast
    >>> cc, fc, ff, oo = [28.5, 21.7, 23.0], [14.9, 10.6, 13.1], [41.8, 39.2, 28.0], [38.2, 40.4, 32.1]
    >>> print(contrast(cc, fc, ff, oo, weights=[0.5, 0.5, -0.5, -0.5]))
    Contrast of means: difference -17.983, statistic -6.568, df 8, p = 0.000175
      (two-sided)
      note: Scheffe's p = 0.00138, for a contrast suggested by the scores
      note: 3 scores for each of 4 classifiers
    """
    check_alternative(alternative)
    if weights is None and len(more) == 1 and not _is_row(scores):
        weights, more = more[0], ()
    fit = _fit(read_scores(scores, more, names), blocks)
    if weights is None:
        raise HowsureError(
            f"`weights` must be given as `weights=...`, one for each of the {len(fit.names)} classifiers."
        )
    factors = row("weights", weights)
    k = len(fit.names)
    if len(factors) != k or not factors.any() or abs(factors.sum()) > 1e-9 * np.abs(factors).max():
        raise HowsureError(
            f"`weights` must be {k} numbers that add up to 0, one for each column, not {factors.tolist()}."
        )
    difference = float(factors @ fit.values)
    if abs(difference) <= 1e-12 * float(np.abs(factors) @ np.abs(fit.values)):
        difference = 0.0
    error, method = fit.spread * float(np.linalg.norm(factors)), "Contrast of means"
    if not fit.has_spread:
        statistic, pvalue, notes = (math.nan, math.nan, fit.reasons) if difference else (0.0, 1.0, (ALIKE,))
        return TestResult(statistic, pvalue, difference, method, fit.df, alternative, (*notes, fit.shape), error)
    scheffe = possible(fdtrc(k - 1, fit.df, (difference / error) ** 2 / (k - 1)))
    note = f"Scheffe's p = {scheffe:.3g}, for a contrast suggested by the scores"
    return studentized(difference, error, method, alternative, fit.df, notes=(note, fit.shape))


def _is_row(scores: Any) -> bool:
    try:
        return np.ndim(scores) == 1
    except ValueError:  # rows of different lengths
        return False


def _fit(scores: Scores, blocks: bool, better: str = "higher") -> Fit:
    between, within, df = sums_of_squares(scores.values, one_of("blocks", blocks, (True, False)))
    means = rounded(scores.values.mean(0), scores.values)
    spread = math.sqrt(within / df / len(scores.values)) if within else math.nan
    reason = ALIKE if not between else NO_SPREAD if df else ONE_ROW
    note = scores.note if blocks else scores.note_of_each
    return Fit(scores.names, means, spread, df, check_better(better), note, () if within else (reason,))
