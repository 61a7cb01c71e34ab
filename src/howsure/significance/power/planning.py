"""Plan a comparison: how many cases, splits or data sets show a difference, how likely, and how small a one.

Each function takes two of ``n``, ``power`` and ``difference`` and finds the third, which is left out.
"""

from __future__ import annotations

import math
from functools import partial
from numbers import Real

from howsure.checks import check_alpha, check_share, one_of
from howsure.errors import HowsureError, must
from howsure.intervals.proportion import z_value
from howsure.present.value_text import number
from howsure.significance.declare import registry
from howsure.significance.inputs import above_zero, whole, zero_or_above
from howsure.significance.power import formulas
from howsure.significance.power.clusters import Clusters
from howsure.significance.power.sample_plan import Question, SamplePlan

PATTERNS = ("pair", "even")


def plan_mcnemar(
    n: int | None = None,
    power: float | None = None,
    difference: float | None = None,
    *,
    discordant: float,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    icc: float | None = None,
    cluster_size: float | None = None,
    size_variation: float = 0.0,
) -> SamplePlan:
    """Plan McNemar's test of two classifiers on the same n cases; power is exact, for ``method="auto"``.

    From some 20,000 discordant cases on it is good to 1e-6, and for billions of cases to 1e-4; the notes say so.

    Parameters
    ----------
    n, power, difference
        Two of the three. The difference is that of the accuracies, first - second.
    discordant
        Share of cases that one of the two only gets wrong. If the first only gets p01 wrong and the second only p10,
        this is p01 + p10, and the difference p10 - p01.
    alpha, alternative
        As in `mcnemar`.
    icc, cluster_size, size_variation
        Of cases in clusters: intraclass correlation of what a case adds to the difference (1, 0 or -1),
        cases of a cluster on average, and the standard deviation of these numbers over their mean.

    Returns
    -------
    SamplePlan
        The number of cases, the power and the difference.

    Examples
    --------
    >>> from howsure.significance import plan_mcnemar
    >>> plan = plan_mcnemar(power=0.8, difference=0.02, discordant=0.1)
    >>> plan.n, round(plan.power, 4), plan.notes
    (1945, 0.8001, ("Connor's normal formula (1987) gives 1960 cases",))
    """
    apart, level = check_share("discordant", discordant), check_alpha(alpha)
    clusters = Clusters.of(icc, cluster_size, size_variation)
    effect, times = (1.0, "") if clusters is None else (clusters.design_effect, " times the design effect")

    power_of = partial(formulas.of_mcnemar, discordant=apart, alpha=level, alternative=alternative)

    def note(cases: int, gap: float, asked: float | None) -> tuple[str, ...]:
        about = formulas.mcnemar_accuracy(math.floor(cases / effect), apart)
        if asked is None:
            rough = formulas.of_mcnemar_normal(cases / effect, gap, apart, level, alternative)
            return (f"Connor's normal formula (1987) gives power {number(rough)}", *about)
        beyond, short = formulas.reach(level, alternative) * math.sqrt(apart), z_value(1 - asked)
        root = beyond + short * math.sqrt(apart - gap**2)
        by_formula = math.ceil(effect * (root / gap) ** 2)
        return (f"Connor's normal formula (1987){times} gives {by_formula} cases", *about)

    assumptions = {"discordant": apart}
    test = registry["mcnemar"]
    bounds = (apart, apart)
    question = Question(
        test.title, "cases", power_of, bounds, level, alternative, assumptions, note, test=test, clusters=clusters
    )
    return question.solve(n, power, difference)


def plan_proportions(
    n: int | None = None,
    power: float | None = None,
    difference: float | None = None,
    *,
    proportion: float,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    icc: float | None = None,
    cluster_size: float | None = None,
    size_variation: float = 0.0,
) -> SamplePlan:
    """Plan the normal test of two classifiers on different cases, n for each; pooled variance, no correction.

    Parameters
    ----------
    n, power, difference
        Two of the three. The difference is that of the accuracies, first - second.
    proportion
        How often the second classifier is right; the first is so with the probability ``proportion + difference``.
    alpha, alternative
        Of the test.
    icc, cluster_size, size_variation
        As in `plan_mcnemar`, of whether a case is right.

    Returns
    -------
    SamplePlan
        The number of cases, the power and the difference.

    Examples
    --------
    >>> from howsure.significance import plan_proportions
    >>> plan_proportions(power=0.9, difference=0.25, proportion=0.5).n
    77
    """
    base, level = check_share("proportion", proportion), check_alpha(alpha)
    power_of = partial(formulas.of_proportions, share=base, alpha=level, alternative=alternative)
    method, bounds, assumptions = "test of two proportions", (base, 1 - base), {"second_proportion": base}
    clusters = Clusters.of(icc, cluster_size, size_variation, samples=2)
    question = Question(method, "cases of each", power_of, bounds, level, alternative, assumptions, clusters=clusters)
    return question.solve(n, power, difference)


def plan_auc(
    n: int | None = None,
    power: float | None = None,
    difference: float | None = None,
    *,
    auc: float,
    correlation: float,
    positives: float = 0.5,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    icc: float | None = None,
    cluster_size: float | None = None,
    size_variation: float = 0.0,
) -> SamplePlan:
    """Plan DeLong's test of two AUCs on the same n cases.

    The second classifier has the AUC ``auc``, the first ``auc + difference``. Variances are those of the Mann-Whitney
    statistic where the scores of each class are normal, with one variance (the binormal model); a monotone change of
    the scores does not matter.

    Parameters
    ----------
    n, power, difference
        Two of the three; n counts the cases of both classes.
    auc
        AUC of the second classifier.
    correlation
        Correlation of the two scores within each class.
    positives
        Share of the cases that are positive.
    alpha, alternative
        As in `delong`.
    icc, cluster_size, size_variation
        Of cases in clusters: intraclass correlation of what a case adds to the difference (its placements),
        cases of a cluster on average, and the standard deviation of these numbers over their mean.

    Returns
    -------
    SamplePlan
        The number of cases, the power and the difference.

    Examples
    --------
    >>> from howsure.significance import plan_auc
    >>> round(plan_auc(n=500, difference=0.03, auc=0.85, correlation=0.5).power, 3)
    0.424
    """
    base, part, level = check_share("auc", auc), check_share("positives", positives), check_alpha(alpha)
    if not isinstance(correlation, Real) or not -1 < correlation < 1:
        must("correlation", "a number between -1 and 1", given=correlation)
    along = float(correlation)

    power_of = partial(
        formulas.of_auc, auc=base, correlation=along, positives=part, alpha=level, alternative=alternative
    )

    def note(cases: int, gap: float, asked: float | None) -> tuple[str, ...]:
        first, second, both = formulas.auc_variances(cases, gap, base, along, part)
        return (f"the two AUCs correlate by {number(both / math.sqrt(first * second))}",)

    assumptions = {"second_auc": base, "correlation": along, "positives": part}
    test, bounds, least = registry["delong"], (base, 1 - base), math.ceil(2 / min(part, 1 - part))
    clusters = Clusters.of(icc, cluster_size, size_variation)
    question = Question(
        test.title, "cases", power_of, bounds, level, alternative, assumptions, note, least, test, clusters
    )
    return question.solve(n, power, difference)


def plan_corrected_t(
    n: int | None = None,
    power: float | None = None,
    difference: float | None = None,
    *,
    sd: float,
    ratio: float,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> SamplePlan:
    """Plan the corrected paired t test over n splits; exact where its assumptions hold.

    Parameters
    ----------
    n, power, difference
        Two of the three; n counts the differences, 100 for ten times ten folds.
    sd
        Standard deviation of the differences over splits, as a pilot shows it.
    ratio
        Test cases over training cases, as in `corrected_paired_t`. With 0 it is the paired t test.
    alpha, alternative
        As in `corrected_paired_t`.

    Returns
    -------
    SamplePlan
        The number of cases, the power and the difference.

    Examples
    --------
    >>> from howsure.significance import plan_corrected_t
    >>> round(plan_corrected_t(n=100, power=0.8, sd=0.02, ratio=1 / 9).difference, 4)
    0.0197
    """
    level, spread, over = check_alpha(alpha), above_zero("sd", sd), zero_or_above("ratio", ratio)
    power_of = partial(formulas.of_corrected_t, sd=spread, ratio=over, alpha=level, alternative=alternative)
    method, bounds, assumptions = "corrected paired t test", (math.inf, math.inf), {"sd": spread, "ratio": over}
    test = registry["corrected_paired_t"]
    question = Question(method, "splits", power_of, bounds, level, alternative, assumptions, test=test)
    return question.solve(n, power, difference)


def plan_friedman(
    n: int | None = None,
    power: float | None = None,
    difference: float | None = None,
    *,
    classifiers: int,
    w: float | None = None,
    pattern: str = "pair",
    alpha: float = 0.05,
) -> SamplePlan:
    """Plan the Friedman test, in Iman and Davenport's form, of classifiers on n data sets, by the noncentral F.

    Parameters
    ----------
    n, power, difference
        Two of the three. The difference is that of the best and the worst mean rank.
    classifiers
        Number of classifiers, 3 or more.
    w
        Kendall's W of the true mean ranks, in place of the difference; the ranks are then taken as even.
    pattern
        Where the other mean ranks are: "pair", all in the middle, which is the hardest to show, or "even" steps.
    alpha
        Level of the test.

    Returns
    -------
    SamplePlan
        The number of cases, the power and the difference.

    Examples
    --------
    >>> from howsure.significance import plan_friedman
    >>> print(plan_friedman(power=0.8, difference=1.5, classifiers=4).sheet([10, 14, 20]))
    Friedman test, difference 1.500
    data sets  power
    ---------  -----
           10  0.625
           14  0.805
           20  0.938
    """
    k, level = whole("classifiers", classifiers, 3), check_alpha(alpha)
    one_of("pattern", pattern, PATTERNS)
    widest = k - 1
    if w is not None:
        if difference is not None:
            raise HowsureError("`w` and `difference` both say how far the mean ranks are apart; give one of them.")
        if not isinstance(w, Real) or not 0 <= w <= 1:
            must("w", "a number from 0 to 1", given=w)
        pattern, difference = "even", widest * math.sqrt(w)

    power_of = partial(formulas.of_friedman, k=k, pattern=pattern, alpha=level)

    def note(datasets: int, gap: float, asked: float | None) -> tuple[str, ...]:
        few = ("with fewer than 10 data sets the approximation is rough",) if datasets < 10 else ()
        return (f"Kendall's W of the mean ranks is {number(formulas.concordance(gap, k, pattern))}", *few)

    assumptions: dict[str, float | str] = {"classifiers": k, "mean_ranks": pattern}
    # With fewer, not even data sets that all rank alike make the test reject: p is k! to the power of 1 - n.
    least = 1 + math.ceil(-math.log(level) / math.lgamma(k + 1))
    test, bounds = registry["iman_davenport"], (0, widest)
    question = Question(
        "Friedman test", "data sets", power_of, bounds, level, "two-sided", assumptions, note, least, test
    )
    return question.solve(n, power, difference)
