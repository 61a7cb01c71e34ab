"""Sample size of a non-inferiority gate."""

from __future__ import annotations

import math
from functools import partial

from howsure.checks import check_alpha, check_share
from howsure.errors import must
from howsure.significance.inputs import finite
from howsure.significance.power import formulas
from howsure.significance.power.clusters import Clusters, design_effect
from howsure.significance.power.sample_plan import Question, SamplePlan

WIDEST = 1 - 1e-9  # largest margin


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
    """Plan the non-inferiority `gate` of accuracy on the same cases.

    The gate passes if Tango's lower bound of candidate - baseline is above ``-margin``. The power is exact: a sum over
    all numbers of discordant cases. With a margin of 0, it is the power to show superiority.

    Parameters
    ----------
    n, power, margin
        Two of the three. The margin is the largest loss that does not matter.
    discordant
        Share of cases that only one of the two gets wrong.
    difference
        True difference in accuracy, candidate - baseline.
    alpha
        Level of the one-sided test, as in `gate`.
    icc, cluster_size, size_variation
        As in `plan_mcnemar`.

    Returns
    -------
    SamplePlan
        Number of cases, power and margin.

    Examples
    --------
    >>> from howsure.significance import plan_non_inferiority
    >>> plan = plan_non_inferiority(power=0.8, margin=0.02, discordant=0.1)
    >>> plan.n, round(plan.power, 4)
    (1565, 0.8009)
    """
    share, level = check_share("discordant", discordant), check_alpha(alpha)
    true = finite("difference", difference)
    if not -share <= true <= share:
        must("difference", f"a number from {-share:g} to {share:g}", given=difference)
    clusters = Clusters.of(icc, cluster_size, size_variation)
    effect = design_effect(clusters)

    def note(cases: int, loss: float, target: float | None) -> tuple[str, ...]:
        accuracy = formulas.mcnemar_accuracy(math.floor(cases / effect), share)
        if target is None:
            return accuracy
        by_formula = effect * formulas.non_inferiority_cases(target, loss, true, share, level)
        times = "" if clusters is None else " times the design effect"
        return (f"Nam's normal formula (1997){times} gives {math.ceil(by_formula)} cases", *accuracy)

    return Question(
        method="non-inferiority by Tango's bound",
        power_of=partial(formulas.of_non_inferiority, difference=true, discordant=share, alpha=level),
        bounds=(0.0, WIDEST),
        alpha=level,
        alternative="greater",
        assumptions={"discordant": share},
        notes=note,
        clusters=clusters,
        difference=true,
    ).solve(n, power, margin)
