"""Intervals from a value and its standard error, kept inside the range of the quantity."""

from __future__ import annotations

import math

from assay.intervals.proportion import z_value
from assay.results import Interval, tail

Range = tuple[float, float]


def delta(value: float, error: float, span: Range, confidence: float, side: str, *, exact: bool = False) -> Interval:
    """Give value ± z standard errors; where that would leave the range, do the same on a scale without ends.

    A range from 0 to infinity is taken on the log scale at once, as ratios are. ``exact`` asks for the
    plain form, cut off at the ends of the range.
    """
    z = z_value(tail(confidence, side))
    lowest, highest = span
    low, high, method = value - z * error, value + z * error, "delta"
    if not exact and math.isinf(highest) and not math.isinf(lowest) and value > lowest:
        reach = math.exp(z * error / (value - lowest))
        low, high, method = lowest + (value - lowest) / reach, lowest + (value - lowest) * reach, "delta-log"
    elif not exact and (low < lowest or high > highest) and lowest < value < highest and not math.isinf(lowest):
        below, above = value - lowest, highest - value
        reach = math.exp(min(z * error * (highest - lowest) / (below * above), 700))
        low = lowest + (highest - lowest) * below / (below + above * reach)
        high = lowest + (highest - lowest) * below * reach / (below * reach + above)
        method = "delta-logit"
    low = lowest if side == "upper" else max(low, lowest)
    high = highest if side == "lower" else min(high, highest)
    return Interval(low, high, confidence, method, side)
