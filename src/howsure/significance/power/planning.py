"""Sample size, power and detectable difference of comparisons.

Each function takes two of ``n``, ``power`` and ``difference``, and computes the third, which is left out.
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
from howsure.significance.power.clusters import Clusters, design_effect
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
    """Plan McNemar's test of two classifiers on the same cases.

    The power is exact, for ``method="auto"`` of `mcnemar`: a sum over all numbers of discordant cases. With about
    20,000 discordant cases or more, it is accurate to 1e-6, and for billions of cases to 1e-4, as stated in a note.

    Parameters
    ----------
    n, power, difference
        Two of the three. The difference is that between the accuracies, first - second.
    discordant
        Share of cases that only one of the two gets wrong. If only the first gets p01 wrong and only the second p10,
        it is p01 + p10, and the difference is p10 - p01.
    alpha, alternative
        As in `mcnemar`.
    icc, cluster_size, size_variation
        For clustered cases: intraclass correlation of the contribution of a case to the difference (1, 0 or -1), mean
        size of the clusters, and standard deviation of the sizes divided by their mean.

    Returns
    -------
    SamplePlan
        Number of cases, power and difference.

    Examples
    --------
    >>> from howsure.significance import plan_mcnemar
    >>> plan = plan_mcnemar(power=0.8, difference=0.02, discordant=0.1)
    >>> plan.n, round(plan.power, 4), plan.notes
    (1945, 0.8001, ("Connor's normal formula (1987) gives 1960 cases",))
    """
    share, level = check_share("discordant", discordant), check_alpha(alpha)
    clusters = Clusters.of(icc, cluster_size, size_variation)
    effect = design_effect(clusters)

    def note(cases: int, gap: float, target: float | None) -> tuple[str, ...]:
        accuracy = formulas.mcnemar_accuracy(math.floor(cases / effect), share)
        if target is None:
            rough = formulas.of_mcnemar_normal(cases / effect, gap, share, level, alternative)
            return (f"Connor's normal formula (1987) gives power {number(rough)}", *accuracy)
        # n = ((z_alpha sqrt(p) + z_beta sqrt(p - d²)) / d)², with p the share of discordant cases
        z_alpha, z_beta = formulas.critical_z(level, alternative), z_value(1 - target)
        cases = math.ceil(effect * ((z_alpha * math.sqrt(share) + z_beta * math.sqrt(share - gap**2)) / gap) ** 2)
        times = "" if clusters is None else " times the design effect"
        return (f"Connor's normal formula (1987){times} gives {cases} cases", *accuracy)

    test = registry["mcnemar"]
    return Question(
        method=test.title,
        power_of=partial(formulas.of_mcnemar, discordant=share, alpha=level, alternative=alternative),
        bounds=(share, share),
        alpha=level,
        alternative=alternative,
        assumptions={"discordant": share},
        notes=note,
        test=test,
        clusters=clusters,
    ).solve(n, power, difference)


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
    """Plan the normal test of two accuracies on different cases.

    Each classifier has n cases. The statistic uses the pooled variance, without continuity correction.

    Parameters
    ----------
    n, power, difference
        Two of the three. The difference is that between the accuracies, first - second.
    proportion
        Accuracy of the second classifier; that of the first is ``proportion + difference``.
    alpha, alternative
        Significance level and alternative of the test.
    icc, cluster_size, size_variation
        As in `plan_mcnemar`, with the intraclass correlation of the correctness of cases.

    Returns
    -------
    SamplePlan
        Number of cases per classifier, power and difference.

    Examples
    --------
    >>> from howsure.significance import plan_proportions
    >>> plan_proportions(power=0.9, difference=0.25, proportion=0.5).n
    77
    """
    base, level = check_share("proportion", proportion), check_alpha(alpha)
    return Question(
        method="test of two proportions",
        unit="cases per classifier",
        power_of=partial(formulas.of_proportions, share=base, alpha=level, alternative=alternative),
        bounds=(base, 1 - base),
        alpha=level,
        alternative=alternative,
        assumptions={"second_proportion": base},
        clusters=Clusters.of(icc, cluster_size, size_variation, samples=2),
    ).solve(n, power, difference)


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
    """Plan DeLong's test of two AUCs on the same cases.

    The second classifier has the AUC ``auc``, the first ``auc + difference``. The variances are those of the
    Mann-Whitney statistic for normal scores with equal variance in both classes (the binormal model), or any monotone
    transformation of such scores.

    Parameters
    ----------
    n, power, difference
        Two of the three; n counts the cases of both classes.
    auc
        AUC of the second classifier.
    correlation
        Correlation of the two scores within each class.
    positives
        Share of positive cases.
    alpha, alternative
        As in `delong`.
    icc, cluster_size, size_variation
        As in `plan_mcnemar`, with the intraclass correlation of the contribution of a case to the difference (its
        placements).

    Returns
    -------
    SamplePlan
        Number of cases, power and difference.

    Examples
    --------
    >>> from howsure.significance import plan_auc
    >>> round(plan_auc(n=500, difference=0.03, auc=0.85, correlation=0.5).power, 3)
    0.424
    """
    base, share, level = check_share("auc", auc), check_share("positives", positives), check_alpha(alpha)
    if not isinstance(correlation, Real) or not -1 < correlation < 1:
        must("correlation", "a number between -1 and 1", given=correlation)
    rho = float(correlation)

    def note(cases: int, gap: float, target: float | None) -> tuple[str, ...]:
        first, second, covariance = formulas.auc_variances(cases, gap, base, rho, share)
        return (f"the correlation of the two AUCs is {number(covariance / math.sqrt(first * second))}",)

    test = registry["delong"]
    return Question(
        method=test.title,
        power_of=partial(
            formulas.of_auc, auc=base, correlation=rho, positives=share, alpha=level, alternative=alternative
        ),
        bounds=(base, 1 - base),
        alpha=level,
        alternative=alternative,
        assumptions={"second_auc": base, "correlation": rho, "positives": share},
        notes=note,
        least=math.ceil(2 / min(share, 1 - share)),
        test=test,
        clusters=Clusters.of(icc, cluster_size, size_variation),
    ).solve(n, power, difference)


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
    """Plan the corrected paired t test over n splits.

    The power is exact under the assumptions of the test.

    Parameters
    ----------
    n, power, difference
        Two of the three; n counts the differences, such as 100 for ten times ten folds.
    sd
        Standard deviation of the differences over splits, for example from a pilot study.
    ratio
        Number of test cases divided by the number of training cases, as in `corrected_paired_t`. With 0, it is the
        paired t test.
    alpha, alternative
        As in `corrected_paired_t`.

    Returns
    -------
    SamplePlan
        Number of splits, power and difference.

    Examples
    --------
    >>> from howsure.significance import plan_corrected_t
    >>> round(plan_corrected_t(n=100, power=0.8, sd=0.02, ratio=1 / 9).difference, 4)
    0.0197
    """
    level, spread, over = check_alpha(alpha), above_zero("sd", sd), zero_or_above("ratio", ratio)
    return Question(
        method="corrected paired t test",
        unit="splits",
        power_of=partial(formulas.of_corrected_t, sd=spread, ratio=over, alpha=level, alternative=alternative),
        bounds=(math.inf, math.inf),
        alpha=level,
        alternative=alternative,
        assumptions={"sd": spread, "ratio": over},
        test=registry["corrected_paired_t"],
    ).solve(n, power, difference)


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
    """Plan the Iman-Davenport form of the Friedman test over n data sets.

    The power is computed from the noncentral F distribution.

    Parameters
    ----------
    n, power, difference
        Two of the three. The difference is that between the best and the worst mean rank.
    classifiers
        Number of classifiers, 3 or more.
    w
        Kendall's W of the true mean ranks, as an alternative to the difference, for evenly spaced mean ranks.
    pattern
        Pattern of the other mean ranks: "pair" (all in the middle, which is hardest to detect) or "even" (evenly
        spaced).
    alpha
        Significance level.

    Returns
    -------
    SamplePlan
        Number of data sets, power and difference.

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
            raise HowsureError("`w` and `difference` cannot both be given.")
        if not isinstance(w, Real) or not 0 <= w <= 1:
            must("w", "a number from 0 to 1", given=w)
        pattern, difference = "even", widest * math.sqrt(w)

    def note(datasets: int, gap: float, target: float | None) -> tuple[str, ...]:
        few = ("with fewer than 10 data sets the approximation is rough",) if datasets < 10 else ()
        return (f"Kendall's W of the mean ranks is {number(formulas.concordance(gap, k, pattern))}", *few)

    return Question(
        method="Friedman test",
        unit="data sets",
        power_of=partial(formulas.of_friedman, k=k, pattern=pattern, alpha=level),
        bounds=(0, widest),
        alpha=level,
        alternative="two-sided",
        assumptions={"classifiers": k, "mean_ranks": pattern},
        notes=note,
        # With fewer data sets the test cannot reject: even for identical rankings, p = (k!)^(1 - n).
        least=1 + math.ceil(-math.log(level) / math.lgamma(k + 1)),
        test=registry["iman_davenport"],
    ).solve(n, power, difference)
