"""Interval for an average over classes, from the interval for each class.

The method is MOVER (Zou and Donner 2008). With weights w_c, estimates v_c and lower limits l_c, and d_c = w_c (v_c -
l_c), the lower limit of sum w_c v_c is

    sum w_c v_c - sqrt((1 - r) sum d_c² + r (sum d_c)²),

and the upper limit likewise. The correlation r is not 0: small samples bias values such as the average precision
upwards in all classes, and a case with wrong scores affects several classes. Calibration errors are positive by chance
alone in every class; for them r is 1, and the intervals for the classes are simultaneous (Bonferroni).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from howsure.intervals.declare import Basis, Request, method
from howsure.results import Interval

CORRELATION = 0.2  # assumed correlation between the estimates of the classes


@method(
    "mover-mean",
    title="variance recovered from the interval for each class",
    needs="class intervals",
    source="Zou and Donner 2008",
)
def _mover_mean(basis: Basis, request: Request) -> Interval:
    """Combine the correlated distances to the limits for each class.

    If a class has too few cases for an interval, the average has none either.
    """
    distances: list[tuple[float, float]] = []
    notes: dict[str, None] = {}
    classes, by_chance = basis.of_classes, basis.is_made_by_chance
    confidence = 1 - (1 - request.confidence) / len(classes) if by_chance else request.confidence
    for share, estimate in classes:
        interval = estimate.interval(confidence, "auto", request.side)
        if math.isnan(interval.low):
            return request.undefined(f"of {estimate.of}, {interval.notes[0]}", "mover-mean")
        notes |= dict.fromkeys(f"of {estimate.of}, {note}" for note in interval.notes)
        distances.append((share * (estimate.value - interval.low), share * (interval.high - estimate.value)))
    down, up = (_combine(side, 1.0 if by_chance else CORRELATION) for side in zip(*distances, strict=True))
    return request.close(basis.value - down, basis.value + up, "mover-mean", basis.span, tuple(notes))


def _combine(distances: Sequence[float], correlation: float) -> float:
    """Combine the distances from estimates to limits (MOVER)."""
    squares = sum(distance**2 for distance in distances)
    return math.sqrt((1 - correlation) * squares + correlation * sum(distances) ** 2)
