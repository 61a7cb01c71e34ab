"""Intervals from a value and its standard error, kept inside the range of the quantity."""

from __future__ import annotations

import math

from assay.checks import tail
from assay.intervals.proportion import z_value
from assay.results import Interval

Range = tuple[float, float]


def delta(value: float, error: float, span: Range, confidence: float, side: str, *, plain: bool = False) -> Interval:
    """Give value ± z standard errors; where that would leave the range, do the same on a scale without ends.

    A range from 0 to infinity is taken on the log scale at once, as ratios are. ``plain`` asks for the
    first form whatever comes, cut off at the ends of the range.
    """
    z = z_value(tail(confidence, side))
    lowest, highest = span
    low, high, method = value - z * error, value + z * error, "delta"
    if not plain and lowest < value < highest:
        if lowest == 0 and math.isinf(highest):
            low, high = _on_log_scale(value, z * error)
            method = "delta-log"
        elif math.isinf(lowest) and high > highest:
            above, below = _on_log_scale(highest - value, z * error)
            low, high, method = highest - below, highest - above, "delta-log"
        elif not math.isinf(lowest) and (low < lowest or high > highest):
            low, high = _on_logit_scale(value, z * error, lowest, highest)
            method = "delta-logit"
    low = lowest if side == "upper" else max(low, lowest)
    high = highest if side == "lower" else min(high, highest)
    return Interval(low, high, confidence, method, side)


def _on_log_scale(value: float, reach: float) -> tuple[float, float]:
    factor = math.exp(min(reach / value, 700))
    return value / factor, value * factor


def _on_logit_scale(value: float, reach: float, lowest: float, highest: float) -> tuple[float, float]:
    below, above, width = value - lowest, highest - value, highest - lowest
    factor = math.exp(min(reach * width / (below * above), 700))
    return lowest + width * below / (below + above * factor), highest - width * above / (below * factor + above)
