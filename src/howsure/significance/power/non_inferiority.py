"""Plan what a gate tests: that a candidate is no worse than the baseline by more than a margin."""

from __future__ import annotations

import math
from functools import partial

from howsure.checks import check_alpha, check_share
from howsure.errors import must
from howsure.significance.inputs import finite
from howsure.significance.power import formulas
from howsure.significance.power.clusters import Clusters
from howsure.significance.power.sample_plan import Question, SamplePlan

WIDEST = 1 - 1e-9  # a margin


def plan_non_inferiority(
    n: int | None = None,
    power: float | None = None,
    margin: float | None = None,
    *,
    discordant: float,
    difference: float = 0.0,
    alpha: float = 0.05,
    icc: float | None = None,
    cluster_size: float | None = None,
    size_variation: float = 0.0,
) -> SamplePlan:
    """Plan `gate` by accuracy on the same n cases: that Tango's lower bound of the gain is above ``-margin``.

    Power is exact, over all numbers of gains and losses that may come. With the margin 0 it is that of superiority.

    Parameters
    ----------
    n, power, margin
        Two of the three. The margin is the loss that would not matter.
    discordant
        Share of cases that one of the two only gets wrong.
    difference
        True difference of the accuracies, candidate - baseline.
    alpha
        Level of the one-sided test, as in `gate`.
    icc, cluster_size, size_variation
        As in `plan_mcnemar`.

    Returns
    -------
    SamplePlan
        The number of cases, the power and the difference.

    Examples
    --------
    >>> from howsure.significance import plan_non_inferiority
    >>> plan = plan_non_inferiority(power=0.8, margin=0.02, discordant=0.1)
    >>> plan.n, round(plan.power, 4)
    (1565, 0.8009)
    """
    apart, level = check_share("discordant", discordant), check_alpha(alpha)
    true = finite("difference", difference)
    if not -apart <= true <= apart:
        must("difference", f"a number from {-apart:g} to {apart:g}", given=difference)
    clusters = Clusters.of(icc, cluster_size, size_variation)
    effect, times = (1.0, "") if clusters is None else (clusters.design_effect, " times the design effect")
    power_of = partial(formulas.of_non_inferiority, difference=true, discordant=apart, alpha=level)

    def note(cases: int, loss: float, asked: float | None) -> tuple[str, ...]:
        about = formulas.mcnemar_accuracy(math.floor(cases / effect), apart)
        if asked is None:
            return about
        by_formula = effect * formulas.non_inferiority_cases(asked, loss, true, apart, level)
        return (f"Nam's normal formula (1997){times} gives {math.ceil(by_formula)} cases", *about)

    question = Question(
        "non-inferiority by Tango's bound",
        "cases",
        power_of,
        (0.0, WIDEST),
        level,
        "greater",
        {"discordant": apart},
        note,
        clusters=clusters,
        difference=true,
    )
    return question.solve(n, power, margin)
