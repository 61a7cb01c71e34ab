"""Which of many classifiers differ? Pairs, a control, contrasts, and the critical difference of mean ranks.

Means are compared by the spread within classifiers, as in `anova`; with ``blocks`` by what is left once rows are taken
out, as in `repeated_anova`, which is right for scores of the same folds. Ranks are compared as in `friedman`. Without
spread, pairs that do not differ have a p-value of 1, and others none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import fdtrc, ndtr, ndtri, stdtr

from assay.errors import AssayError, must_be_one_of
from assay.results import TestResult
from assay.significance.declare import check_alternative, declare_test, row, tail_of
from assay.significance.many.ranks import ALIKE, Fit, check_level, fit_means, fit_ranks, named, positive
from assay.significance.posthoc.pairwise import CriticalDifference, Pair, Pairwise, runs
from assay.significance.posthoc.studentized import Tail, dunnett_tail, point, range_tail

BY_RANGE = "each p-value is of its range alone, not simultaneous; a pair differs only if every wider range does"


@declare_test(
    "Newman-Keuls test",
    designs=("splits",),
    classifiers="many",
    null="two classifiers have the same mean score",
    assumes="independent normal scores of one variance; with `blocks`, differences with one variance",
    kind="posthoc",
    measures="values",
    preference=3,
)
def newman_keuls(
    scores: Any,
    *,
    alpha: float = 0.05,
    blocks: bool = False,
    better: str = "higher",
    names: Sequence[str] | None = None,
) -> Pairwise:
    """Compare means by the studentized range of as many means as lie between two of them (Student-Newman-Keuls).

    The widest range comes first; where one shows no difference, those inside it are not tested. The level holds for
    each range, not for all pairs together: `tukey` holds it for all.

    Examples
    --------
    >>> from assay.significance import newman_keuls
    >>> scores = [[28.5, 14.9, 41.8, 38.2], [21.7, 10.6, 39.2, 40.4], [23.0, 13.1, 28.0, 32.1]]
    >>> newman_keuls(scores, names=["cc", "fc", "ff", "oo"]).lines()
    '{oo, ff} {cc} {fc}'
    """
    alpha, fit = check_level(alpha), fit_means(scores, blocks, better, names)
    tails = {span: range_tail(span, fit.df) for span in range(2, len(fit.names) + 1) if fit.answers}
    points = {span: point(tail, alpha) for span, tail in tails.items()}

    def span(a: int, b: int) -> int:
        # equal means all lie between, whatever the order of columns
        low, high = sorted((fit.values[a], fit.values[b]))
        return int(((fit.values >= low) & (fit.values <= high)).sum())

    places = list(combinations(range(len(fit.names)), 2))
    alone = [_pair(fit, a, b, tails.get(span(a, b)), points.get(span(a, b), math.nan), alpha) for a, b in places]

    def protected(a: int, b: int) -> bool:
        low, high = sorted((fit.values[a], fit.values[b]))
        return any(
            min(fit.values[[c, d]]) <= low and max(fit.values[[c, d]]) >= high and not wider.different
            for (c, d), wider in zip(places, alone, strict=True)
        )

    pairs = tuple(
        replace(pair, different=pair.different and not protected(a, b))
        for (a, b), pair in zip(places, alone, strict=True)
    )
    groups = runs(fit.order, pairs)
    notes = (*fit.notes, BY_RANGE)
    return Pairwise("Newman-Keuls test", fit.names, fit.told, pairs, groups, alpha, simultaneous=False, notes=notes)


@declare_test(
    "Tukey's test",
    designs=("splits",),
    classifiers="many",
    null="two classifiers have the same mean score",
    assumes="independent normal scores of one variance; with `blocks`, differences with one variance",
    kind="posthoc",
    measures="values",
    preference=1,
)
def tukey(
    scores: Any,
    *,
    alpha: float = 0.05,
    blocks: bool = False,
    better: str = "higher",
    names: Sequence[str] | None = None,
) -> Pairwise:
    """Compare all pairs of means by the studentized range of all of them; p-values are simultaneous.

    Examples
    --------
    >>> from assay.significance import tukey
    >>> print(tukey([[71, 60, 72], [73, 61, 71], [72, 63, 72]]))
    Tukey's test
    a  b  difference  critical  statistic         p  different
    -  -  ----------  --------  ---------  --------  ---------
    1  2      10.667     2.770     16.711  5.48e-05  True
    1  3       0.333     2.770      0.522     0.928  False
    2  3     -10.333     2.770    -16.189  6.59e-05  True
    groups that cannot be told apart at 0.05: 13 2
    """
    alpha, fit = check_level(alpha), fit_means(scores, blocks, better, names)
    return _all_pairs("Tukey's test", fit, range_tail(len(fit.names), fit.df) if fit.answers else None, alpha)


@declare_test(
    "Nemenyi test",
    designs=("splits", "datasets"),
    classifiers="many",
    null="two classifiers have the same mean rank",
    assumes="independent rows, many of them",
    kind="posthoc",
    measures="values",
    preference=1,
)
def nemenyi(
    scores: Any, *, alpha: float = 0.05, better: str = "higher", names: Sequence[str] | None = None
) -> Pairwise:
    """Compare all pairs of mean ranks by the studentized range; p-values are simultaneous.

    Examples
    --------
    >>> from assay.significance import nemenyi
    >>> nemenyi([[0.91, 0.90, 0.86], [0.87, 0.85, 0.84], [0.94, 0.93, 0.88], [0.90, 0.90, 0.87]]).lines()
    '12 23'
    """
    alpha, fit = check_level(alpha), fit_ranks(scores, better, names)
    return _all_pairs("Nemenyi test", fit, range_tail(len(fit.names), math.inf) if fit.answers else None, alpha)


@declare_test(
    "Bonferroni-Dunn test",
    designs=("splits", "datasets"),
    classifiers="many",
    null="a classifier has the same mean rank as the control",
    assumes="independent rows, many of them",
    kind="posthoc",
    measures="values",
)
def bonferroni_dunn(
    scores: Any, *, control: str, alpha: float = 0.05, better: str = "higher", names: Sequence[str] | None = None
) -> Pairwise:
    """Compare the mean rank of each classifier with that of a control, p-values times their number.

    Examples
    --------
    >>> from assay.significance import bonferroni_dunn
    >>> scores = [[0.91, 0.90, 0.86], [0.87, 0.85, 0.84], [0.94, 0.93, 0.88], [0.90, 0.90, 0.87]]
    >>> bonferroni_dunn(scores, control="a", names="abc")["a", "c"].pvalue
    0.0160...
    """
    alpha, fit = check_level(alpha), fit_ranks(scores, better, names)
    others, unit = len(fit.names) - 1, math.sqrt(2)  # a difference varies by the square root of 2 times the spread
    tail = (lambda q: positive(2 * others * ndtr(-q / unit))) if fit.answers else None
    critical = float(-ndtri(alpha / (2 * others))) * unit
    return _with_control("Bonferroni-Dunn test", fit, tail, critical, control, alpha)


@declare_test(
    "Dunnett's test",
    designs=("splits",),
    classifiers="many",
    null="a classifier has the same mean score as the control",
    assumes="independent normal scores of one variance; with `blocks`, differences with one variance",
    kind="posthoc",
    measures="values",
)
def dunnett(
    scores: Any,
    *,
    control: str,
    alpha: float = 0.05,
    blocks: bool = False,
    better: str = "higher",
    names: Sequence[str] | None = None,
) -> Pairwise:
    """Compare the mean of each classifier with that of a control; p-values are simultaneous.

    Like `scipy.stats.dunnett`, it takes scores as independent; ``blocks`` allows for folds that classifiers share.

    Examples
    --------
    >>> from assay.significance import dunnett
    >>> dunnett([[71, 60, 72], [73, 61, 71], [72, 63, 72]], control="1")["1", "3"].pvalue
    0.907...
    """
    alpha, fit = check_level(alpha), fit_means(scores, blocks, better, names)
    unit = math.sqrt(2)
    plain = dunnett_tail(len(fit.names) - 1, fit.df) if fit.answers else None
    tail = (lambda q: plain(q / unit)) if plain else None
    critical = point(plain, alpha) * unit if plain else math.nan
    return _with_control("Dunnett's test", fit, tail, critical, control, alpha)


@declare_test(
    "Contrast of means",
    designs=("splits",),
    classifiers="many",
    null="the weighted sum of mean scores is 0",
    assumes="independent normal scores of one variance; with `blocks`, differences with one variance",
    kind="posthoc",
    measures="values",
    preference=4,
)
def contrast(scores: Any, weights: ArrayLike, *, blocks: bool = False, alternative: str = "two-sided") -> TestResult:
    """Test a weighted difference of means: 1 and 2 against 3, 4 and 5 has weights 1/2, 1/2, -1/3, -1/3, -1/3.

    The p-value is for a contrast chosen beforehand; a note gives Scheffe's, for one suggested by the scores.

    Examples
    --------
    >>> from assay.significance import contrast
    >>> scores = [[28.5, 14.9, 41.8, 38.2], [21.7, 10.6, 39.2, 40.4], [23.0, 13.1, 28.0, 32.1]]
    >>> print(contrast(scores, [0.5, 0.5, -0.5, -0.5]))
    Contrast of means: difference -17.983, statistic -6.568, df 8, p = 0.000175 (two-sided)
      note: Scheffe's p = 0.00138, for a contrast chosen after seeing the scores
    """
    check_alternative(alternative)
    fit = fit_means(scores, blocks, "higher", None)
    shares = row("weights", weights)
    k = len(fit.names)
    if len(shares) != k or not shares.any() or abs(shares.sum()) > 1e-9 * np.abs(shares).max():
        raise AssayError(f"`weights` must be {k} numbers that add up to 0, one for each column, not {shares.tolist()}.")
    difference = float(shares @ fit.values)
    if abs(difference) <= 1e-12 * float(np.abs(shares) @ np.abs(fit.values)):
        difference = 0.0
    error, method = fit.spread * float(np.linalg.norm(shares)), "Contrast of means"
    if not fit.answers:
        same = not difference
        statistic, p, note = (0.0, 1.0, ALIKE) if same else (math.nan, math.nan, fit.notes[0])
        return TestResult(statistic, p, difference, method, fit.df, alternative, (note,), error)
    t = difference / error
    p = positive(tail_of(t, lambda x: float(stdtr(fit.df, -x)), alternative))
    scheffe = positive(fdtrc(k - 1, fit.df, t * t / (k - 1)))
    note = f"Scheffe's p = {scheffe:.3g}, for a contrast chosen after seeing the scores"
    return TestResult(t, p, difference, method, fit.df, alternative, (note,), error)


@declare_test(
    "Critical difference of mean ranks",
    designs=("splits", "datasets"),
    classifiers="many",
    null="two classifiers have the same mean rank",
    assumes="independent rows, many of them",
    kind="posthoc",
    measures="values",
)
def critical_difference(
    scores: Any,
    *,
    alpha: float = 0.05,
    control: str | None = None,
    better: str = "higher",
    names: Sequence[str] | None = None,
) -> CriticalDifference:
    """Give what the diagram of Demsar (2006) shows: Nemenyi's difference, or with a control Bonferroni-Dunn's.

    Examples
    --------
    >>> from assay.significance import critical_difference
    >>> scores = [[0.91, 0.90, 0.86], [0.87, 0.85, 0.84], [0.94, 0.93, 0.88], [0.90, 0.90, 0.87]]
    >>> print(critical_difference(scores, names=["tree", "bayes", "knn"]))
    Nemenyi test: critical difference 1.657 at 0.05, 4 rows
      mean ranks tree 1.125, bayes 1.875, knn 3.000
      groups {tree, bayes} {bayes, knn}
    """
    values, _ = named(scores, names)
    if control is None:
        found = nemenyi(scores, alpha=alpha, better=better, names=names)
    else:
        found = bonferroni_dunn(scores, control=control, alpha=alpha, better=better, names=names)
    return CriticalDifference(
        found.names,
        found.values,
        found.pairs[0].critical,
        found.groups,
        len(values),
        alpha,
        found.method,
        control,
        found.notes,
    )


def _pair(fit: Fit, a: int, b: int, tail: Tail | None, critical: float, alpha: float, unit: float = 1.0) -> Pair:
    """Compare two; the statistic is a studentized range with a sign, or, divided by its unit, a z or t."""
    difference = float(fit.values[a] - fit.values[b])
    q = difference / fit.spread if tail else (math.nan if difference else 0.0)
    p = tail(abs(q)) if tail else (math.nan if difference else 1.0)
    return Pair(fit.names[a], fit.names[b], difference, q / unit, p, critical * fit.spread, p < alpha)


def _all_pairs(method: str, fit: Fit, tail: Tail | None, alpha: float) -> Pairwise:
    critical = point(tail, alpha) if tail else math.nan
    both = combinations(range(len(fit.names)), 2)
    pairs = tuple(_pair(fit, a, b, tail, critical, alpha) for a, b in both)
    return Pairwise(method, fit.names, fit.told, pairs, runs(fit.order, pairs), alpha, notes=fit.notes)


def _with_control(
    method: str, fit: Fit, tail: Callable[[float], float] | None, critical: float, control: str, alpha: float
) -> Pairwise:
    if control not in fit.names:
        must_be_one_of("control", fit.names, given=control)
    place = fit.names.index(control)
    others = [other for other in range(len(fit.names)) if other != place]
    pairs = tuple(_pair(fit, place, other, tail, critical, alpha, math.sqrt(2)) for other in others)
    apart = {pair.b for pair in pairs if pair.different}
    group = tuple(name for name in fit.order if name not in apart)
    return Pairwise(method, fit.names, fit.told, pairs, (group,), alpha, control=control, notes=fit.notes)
