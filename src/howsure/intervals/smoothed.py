"""Interval for mean losses of probabilities.

Mean losses such as the Brier score and the log loss are skewed, since few cases account for most of the loss. A small
sample may contain none of the rare and costly cases, and then both the loss and its standard error are too small. So
pseudo-cases with the total weight of `ADDED` cases are added: each case is repeated with every outcome, weighted by its
predicted probability and, for the fraction `DOUBT`, equally. Student's interval is computed on the cube-root
scale, which removes most of the skewness (Wilson and Hilferty's approximation of chi-square). Both constants were
chosen by simulation; the coverage is in docs/decisions/2026-11-18-score-intervals.md.
"""

from __future__ import annotations

import math

from howsure.intervals.auc import student
from howsure.intervals.declare import Basis, Request, Span, method
from howsure.intervals.delta import NO_SPREAD
from howsure.results import Interval

ADDED = 4.0  # total weight of the pseudo-cases
DOUBT = 0.3  # fraction of this weight that is spread equally over all outcomes


@method("smoothed-loss", title="smoothed mean loss", needs="smoothed", source="cube root and Student's quantile")
def _smoothed_loss(basis: Basis, request: Request) -> Interval:
    """Student's interval for the cube root, after adding pseudo-cases."""
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
    """Return value ± reach, on the cube-root scale."""
    # The root is taken of the distance from the nearer end of the range.
    lowest, highest = span
    if value > (lowest + highest) / 2:
        far, near = on_cube_roots(highest - value, reach, (0.0, math.inf))
        return highest - near, highest - far
    root = max(value - lowest, NO_SPREAD) ** (1 / 3)
    move = reach / (3 * root**2)
    return lowest + max(root - move, 0.0) ** 3, lowest + (root + move) ** 3
