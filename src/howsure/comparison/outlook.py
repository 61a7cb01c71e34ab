"""How many cases a closed gate would about need to open."""

from __future__ import annotations

import math
from typing import Any

from howsure.comparison.pair import TestedDifference
from howsure.intervals.proportion import z_value
from howsure.measures.estimate.difference import Difference
from howsure.significance.power.formulas import non_inferiority_cases

POWER = 0.8  # with which the cases named would open the gate
TIGHT = 1e-9  # gain above -margin; less is rounding
MOST = 1e9  # cases; nobody gathers more


def assumed_gain(gain: float, bound: float, margin: float) -> float:
    """Give the gain to plan with: the one seen, or none where that would never do; NaN where that was excluded too."""
    if gain + margin > TIGHT:
        return gain
    return 0.0 if margin > 0 and gain + (gain - bound) > 0 else math.nan


def needed_cases(basis: Any, seen: tuple[float, float], margin: float, alpha: float) -> int | None:
    """Give the cases with which the bound would about be above -margin; ``seen`` are the gain and its bound.

    The bound of accuracies has a formula of its own. Any other is as far from the gain as errors reach, which shrink
    with the root of the number of cases; clusters are in these errors. Splits, whose training sets overlap, have none.
    """
    basis = basis.basis if isinstance(basis, TestedDifference) else basis
    gain, bound = seen
    true = assumed_gain(gain, bound, margin)
    if not isinstance(basis, Difference) or not math.isfinite(true + bound) or bound > -margin or alpha >= 0.5:
        return None
    if basis.default == "tango":
        lost, won, n = basis.discordant
        cases = non_inferiority_cases(POWER, margin, true, max(lost + won, 1) / n, alpha)
    else:
        errors = 1 + z_value(1 - POWER) / z_value(alpha)
        cases = basis.n * (errors * (gain - bound) / (true + margin)) ** 2
    return math.ceil(cases) if basis.n < cases <= MOST else None
