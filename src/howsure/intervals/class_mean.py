"""The interval of an average over classes, from the interval of each class (MOVER).

Few cases raise values such as the average precision, of all classes alike, and an average over many classes does not
take that away as it does errors; and a case that is misplaced in one class is so in another. So the ways to the ends
are taken as correlated. Chance alone keeps a calibration error of every class above 0: there both ends are the averages
of those of all classes together (Bonferroni).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from howsure.intervals.declare import Basis, Request, method
from howsure.results import Interval

ALIKE = 0.2  # correlation of the ways to the ends


@method(
    "mover-mean",
    title="variance recovered from the interval of each class",
    needs="class intervals",
    source="Zou and Donner 2008",
)
def _mover_mean(basis: Basis, request: Request) -> Interval:
    """Add up the squares of the ways to the ends of each class's own interval, which are taken as correlated.

    Where a class has too few cases for an interval, the average has none either.
    """
    ways: list[tuple[float, float]] = []
    notes: dict[str, None] = {}
    classes, by_chance = basis.of_classes, basis.is_made_by_chance
    confidence = 1 - (1 - request.confidence) / len(classes) if by_chance else request.confidence
    for share, estimate in classes:
        interval = estimate.interval(confidence, "auto", request.side)
        if math.isnan(interval.low):
            return request.undefined(f"of {estimate.of}, {interval.notes[0]}", "mover-mean")
        notes |= dict.fromkeys(f"of {estimate.of}, {note}" for note in interval.notes)
        ways.append((share * (estimate.value - interval.low), share * (interval.high - estimate.value)))
    down, up = (_together(arms, 1.0 if by_chance else ALIKE) for arms in zip(*ways, strict=True))
    return request.close(basis.value - down, basis.value + up, "mover-mean", basis.span, tuple(notes))


def _together(arms: Sequence[float], alike: float) -> float:
    """Add up arms that are correlated."""
    return math.sqrt((1 - alike) * sum(arm**2 for arm in arms) + alike * sum(arms) ** 2)
