"""Curves for decisions: costs, net benefit, and the part of the ROC curve worth considering."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.curves.calibration import check_probabilities
from assay.curves.curve import Curve, Line
from assay.tables import ScoreTable


def roc_hull(table: ScoreTable, slope: float | None = None) -> Curve:
    """Give the convex hull of the ROC curve: the only thresholds that are best for some costs and class shares.

    ``slope`` is that of the lines of equal cost, (cost of a false positive x share of negatives) / (cost of a false
    negative x share of positives); the line through the best point is then added.
    """
    fpr, tpr = table.rates
    thresholds = table.thresholds
    kept = upper_hull(fpr, tpr)
    x, y = fpr[kept], tpr[kept]
    lines = [Line("random", np.array([0.0, 1.0]), np.array([0.0, 1.0]))]
    notes: tuple[str, ...] = ()
    if slope is not None:
        best = int((y - slope * x).argmax())
        top = (1 - y[best]) / slope if slope > 0 else np.inf  # how far the line goes before it leaves the picture
        foot = y[best] / slope if slope > 0 else np.inf
        ends = np.array([max(0.0, x[best] - foot), min(1.0, x[best] + top)])
        lines.append(Line("equal cost", ends, y[best] + slope * (ends - x[best])))
        notes = (f"best at false positive rate {x[best]:.3f}, recall {y[best]:.3f}",)
    return Curve(
        "roc_hull", x, y, thresholds[kept], float(np.trapezoid(y, x)), "false positive rate", "recall",
        "Convex hull of the ROC curve", tuple(lines), notes=notes,
    )  # fmt: skip


def upper_hull(x: Array, y: Array) -> NDArray[np.intp]:
    """Places of the upper convex hull of points in order of x (Andrew's chain)."""
    kept: list[int] = []
    for place in range(len(x)):
        while len(kept) > 1:
            a, b = kept[-2], kept[-1]
            if (x[b] - x[a]) * (y[place] - y[a]) < (y[b] - y[a]) * (x[place] - x[a]):
                break
            kept.pop()
        kept.append(place)
    return np.array(kept)


def cost_curve(table: ScoreTable, points: int = 201, at: float | None = None) -> Curve:
    """Give the normalised expected cost against the probability cost (Drummond and Holte 2006).

    The probability cost combines the share of positives with the costs: share x cost of a miss, over that plus
    (1 - share) x cost of a false alarm. Each threshold is a straight line; the curve is the lowest of them. ``at`` is
    the probability cost that one's own costs give.
    """
    fpr, tpr = table.rates
    thresholds = table.thresholds
    hull = upper_hull(fpr, tpr)
    x = np.linspace(0, 1, points)
    costs = (1 - tpr[hull])[:, None] * x + fpr[hull][:, None] * (1 - x)
    best = costs.argmin(0)
    lines = [
        Line("always negative", np.array([0.0, 1.0]), np.array([0.0, 1.0])),
        Line("always positive", np.array([0.0, 1.0]), np.array([1.0, 0.0])),
    ]
    notes: tuple[str, ...] = ()
    if at is not None:
        here = (1 - tpr[hull]) * at + fpr[hull] * (1 - at)
        lines.append(Line("these costs", np.array([at, at]), np.array([0.0, 1.0])))
        notes = (
            f"at {at:.3f} the lowest cost is {here.min():.3f}, from a score of {thresholds[hull][here.argmin()]:g} on",
        )
    return Curve(
        "cost_curve", x, costs[best, np.arange(points)], thresholds[hull][best],
        float(np.trapezoid(costs.min(0), x)), "probability cost of positives", "normalised expected cost", "Cost curve",
        tuple(lines), notes=notes,
    )  # fmt: skip


def decision_curve(table: ScoreTable, points: int = 99, prior: float | None = None, at: float | None = None) -> Curve:
    """Give the net benefit of acting on the score against the threshold probability (Vickers and Elkin 2006).

    A threshold probability of p says that a false alarm weighs p / (1 - p) of a hit. The scores must be
    probabilities. ``prior`` is the share of positives where the classifier is to be used, ``at`` the threshold
    probability that one's own costs give.
    """
    check_probabilities(table)
    x = np.linspace(0, 1, points + 2)[1:-1]
    place = np.searchsorted(-table.scores.astype(float), -x, side="right")
    fpr, tpr = (column[place] for column in table.rates)
    share = table.n_positive / table.n if prior is None else prior
    odds = x / (1 - x)
    benefit = share * tpr - (1 - share) * fpr * odds
    everyone = share - (1 - share) * odds
    lines = [
        Line("act on all", x, np.maximum(everyone, -share)),
        Line("act on none", np.array([0.0, 1.0]), np.zeros(2)),
    ]
    if at is not None:
        lines.append(Line("these costs", np.array([at, at]), np.array([-share, share])))
    return Curve(
        "decision_curve", x, benefit, x, float("nan"), "threshold probability", "net benefit", "Decision curve",
        tuple(lines),
    )  # fmt: skip
