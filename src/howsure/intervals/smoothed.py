"""Intervals of mean losses of probabilities, which are skewed: few cases make most of the loss.

A small sample may hold none of the cases that are rare and costly, and then shows neither the loss nor its spread. So
each case is taken to happen once more, with the outcome that its own probability says or, in part, with any outcome
alike, all of these together weighing as much as `ADDED` cases. The cube root makes the rest of the skew small, as in
Wilson and Hilferty's approximation of chi square. `docs/decisions/2026-11-16-score-intervals.md` has the coverage.
"""

from __future__ import annotations

import math

from howsure.intervals.auc import student
from howsure.intervals.declare import Basis, Request, Span, method
from howsure.intervals.delta import NO_SPREAD
from howsure.results import Interval

ADDED = 4.0  # cases
DOUBT = 0.3  # share of them whose outcome does not follow the probability


@method("smoothed-loss", title="smoothed mean loss", needs="smoothed", source="cube root and Student's quantile")
def _smoothed_loss(basis: Basis, request: Request) -> Interval:
    """Add a few cases with the outcomes that their probabilities say, and take Student's interval of the cube root."""
    if basis.lacking:
        return request.undefined(basis.lacking, "smoothed-loss")
    smoothed = basis.smoothed
    if not (smoothed.error > NO_SPREAD and math.isfinite(smoothed.error)):
        return basis.without_spread(request)
    reach = student(smoothed.freedom, request) * smoothed.error
    low, high = on_cube_roots(smoothed.value, reach, smoothed.span or basis.span)
    if smoothed.turn is not None:
        low, high = smoothed.turn(max(low, 0.0)), smoothed.turn(high)
    return request.close(low, high, "smoothed-loss", basis.span)


def on_cube_roots(value: float, reach: float, span: Span) -> Span:
    """Give both ends of value ± reach, moved on the scale of the cube root of the distance from the nearer end."""
    lowest, highest = span
    if value > (lowest + highest) / 2:
        far, near = on_cube_roots(highest - value, reach, (0.0, math.inf))
        return highest - near, highest - far
    root = max(value - lowest, NO_SPREAD) ** (1 / 3)
    move = reach / (3 * root**2)
    return lowest + max(root - move, 0.0) ** 3, lowest + (root + move) ** 3
