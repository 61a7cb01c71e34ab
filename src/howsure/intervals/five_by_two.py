"""The interval that belongs to the 5 x 2 F test."""

from __future__ import annotations

import numpy as np

from howsure.intervals.declare import Basis, Request, method
from howsure.intervals.mean import NO_SPREAD, ROUNDING
from howsure.results import Interval


@method("5x2-f", title="interval of the 5 x 2 F test", needs="halves", source="Alpaydin 1999, inverted")
def five_by_two(basis: Basis, request: Request) -> Interval:
    """Give the shifts of the differences that the F test would not reject.

    The test has no side: a one-sided bound is that of the two-sided interval which leaves as much out beyond it.
    """
    from scipy.special import fdtri

    halves = basis.halves
    if np.ptp(halves, axis=1).max() <= ROUNDING * np.abs(halves).max():
        return request.undefined(NO_SPREAD, "5x2 F")
    variance = float(((halves - halves.mean(1, keepdims=True)) ** 2).sum())
    inside = max(1 - 2 * request.alpha, 0.0)
    limit = float(fdtri(10, 5, inside)) * 2 * variance  # sum of squares up to which F is not significant
    mean = float(halves.mean())
    reach = limit - float(((halves - mean) ** 2).sum())
    note = "no shift of the differences would be accepted, so the ends are those of the mean"
    half = float(np.sqrt(max(reach, 0.0) / halves.size))
    return request.close(mean - half, mean + half, "5x2 F", basis.span, (note,) if reach < 0 else ())
