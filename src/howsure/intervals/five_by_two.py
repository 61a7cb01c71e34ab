"""Interval obtained by inverting the 5 x 2 cv F test (Alpaydin 1999).

For differences d_ij with the mean m_i in repetition i, F = sum d_ij² / (2 sum (d_ij - m_i)²) has 10 and 5 degrees of
freedom. The interval contains the common shifts of the d_ij for which F is not significant.
"""

from __future__ import annotations

import numpy as np

from howsure.intervals.declare import Basis, Request, method
from howsure.intervals.mean import NO_SPREAD, ROUNDING
from howsure.results import Interval


@method("5x2-f", title="interval that inverts the 5 x 2 F test", needs="halves", source="Alpaydin 1999, inverted")
def five_by_two(basis: Basis, request: Request) -> Interval:
    """Shifts of the differences that the F test does not reject."""
    from scipy.special import fdtri

    halves = basis.halves
    if np.ptp(halves, axis=1).max() <= ROUNDING * np.abs(halves).max():
        return request.undefined(NO_SPREAD, "5x2 F")
    variance = float(((halves - halves.mean(1, keepdims=True)) ** 2).sum())
    level = max(1 - 2 * request.alpha, 0.0)  # F is not directional, so one bound of a two-sided interval is used
    limit = float(fdtri(10, 5, level)) * 2 * variance  # largest sum of squares for which F is not significant
    mean = float(halves.mean())
    rest = limit - float(((halves - mean) ** 2).sum())
    note = "the F test rejects every shift of the differences, so both bounds are the mean"
    half = float(np.sqrt(max(rest, 0.0) / halves.size))
    return request.close(mean - half, mean + half, "5x2 F", basis.span, (note,) if rest < 0 else ())
