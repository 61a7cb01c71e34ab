"""Approximate number of cases with which a failed gate would pass."""

from __future__ import annotations

import math
from typing import Any

from howsure.comparison.pair import TestedDifference
from howsure.intervals.proportion import z_value
from howsure.measures.estimate.difference import Difference
from howsure.significance.power.formulas import non_inferiority_cases

POWER = 0.8  # probability that the gate passes with that number of cases
ROUNDING = 1e-9  # a gain this close to -margin counts as equal to it
MAX_CASES = 1e9  # larger numbers are not reported


def assumed_gain(gain: float, bound: float, margin: float) -> float:
    """Return the gain to assume for planning: the observed one, 0 or NaN."""
    if gain + margin > ROUNDING:
        return gain
    # A gate cannot be expected to pass at the observed gain: assume 0, unless that is implausible too.
    return 0.0 if margin > 0 and gain + (gain - bound) > 0 else math.nan


def needed_cases(basis: Any, observed: tuple[float, float], margin: float, alpha: float) -> int | None:
    """Return the number of cases with which the gate would pass.

    ``observed`` holds the gain g and its bound. Accuracies have their own formula. For other measures, the distance
    between gain and bound, which is z(alpha) standard errors, shrinks with the square root of the number of cases: with
    the planned gain t, the margin m and the power 1 - b, n = n0 ((1 + z(b) / z(alpha)) (g - bound) / (t + m))^2. Splits
    with overlapping training sets have no such formula.
    """
    basis = basis.basis if isinstance(basis, TestedDifference) else basis
    gain, bound = observed
    true = assumed_gain(gain, bound, margin)
    if not isinstance(basis, Difference) or not math.isfinite(true + bound) or bound > -margin or alpha >= 0.5:
        return None
    if basis.default == "tango":
        lost, won, n = basis.discordant
        cases = non_inferiority_cases(POWER, margin, true, max(lost + won, 1) / n, alpha)
    else:
        errors = 1 + z_value(1 - POWER) / z_value(alpha)
        cases = basis.n * (errors * (gain - bound) / (true + margin)) ** 2
    return math.ceil(cases) if basis.n < cases <= MAX_CASES else None
