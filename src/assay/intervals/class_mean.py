"""The interval of an average over classes, from the interval of each class (MOVER).

Few cases raise values such as the average precision, of all classes alike, and an average over many classes does not
take that away as it does errors. So ways down are taken as correlated.
"""

from __future__ import annotations

import math

from assay.intervals.declare import Basis, Request, method
from assay.results import Interval

ALIKE = 0.2  # correlation of the ways down


@method(
    "mover-mean",
    title="variance recovered from the interval of each class",
    needs="class intervals",
    source="Zou and Donner 2008",
)
def _mover_mean(basis: Basis, request: Request) -> Interval:
    """Add up the squares of the ways to the ends of each class's own interval; downwards they are taken as correlated.

    Where a class has too few cases for an interval, the average has none either.
    """
    squares, ways, up = 0.0, 0.0, 0.0
    notes: dict[str, None] = {}
    for share, estimate in basis.of_classes:
        interval = estimate.interval(request.confidence, "auto", request.side)
        if math.isnan(interval.low):
            return request.undefined(f"of {estimate.of}, {interval.notes[0]}", "mover-mean")
        notes |= dict.fromkeys(f"of {estimate.of}, {note}" for note in interval.notes)
        way = share * (estimate.value - interval.low)
        squares, ways = squares + way**2, ways + way
        up += (share * (interval.high - estimate.value)) ** 2
    down = (1 - ALIKE) * squares + ALIKE * ways**2
    low, high = basis.value - math.sqrt(down), basis.value + math.sqrt(up)
    return request.close(low, high, "mover-mean", basis.span, tuple(notes))
