"""Curves for decisions: costs, net benefit, and the part of the ROC curve worth considering."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import Array
from howsure.curves.curve import Curve, Line
from howsure.curves.declare import curve
from howsure.curves.ranking import DIAGONAL, UNIT, RocCurve
from howsure.tables import ScoreTable

MANY = 10_000


@dataclass(frozen=True, eq=False, repr=False)
class CostCurve(Curve):
    """The lowest cost of any threshold; its points are not those of thresholds one after the other.

    Examples
    --------
    >>> import howsure
    >>> curve = howsure.assess([0, 1, 0, 1, 1], scores=[0.2, 0.7, 0.4, 0.9, 0.3]).cost_curve(points=5)
    >>> curve.x.tolist(), curve.y.round(3).tolist()
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 0.083, 0.167, 0.125, 0.0])
    """


@curve(
    "Cost curve", "probability cost of positives", "normalised expected cost", from_costs={"at": "probability_cost"},
    lines=(Line("always negative", UNIT, UNIT), Line("always positive", UNIT, UNIT[::-1])),
)  # fmt: skip
def cost_curve(table: ScoreTable, points: int = 201, at: float | None = None) -> Curve:
    """Normalised expected cost against the probability cost (Drummond and Holte 2006).

    The probability cost combines the share of positives with the costs: share x cost of a miss, over that plus
    (1 - share) x cost of a false alarm. Each threshold is a straight line; the curve is the lowest of them. ``at`` is
    the probability cost that one's own costs give.
    """
    fpr, tpr = table.rates
    hull = upper_hull(fpr, tpr)
    misses, alarms, thresholds = 1 - tpr[hull], fpr[hull], table.thresholds[hull]
    x = np.linspace(0, 1, points)
    costs = misses[:, None] * x + alarms[:, None] * (1 - x)
    best = costs.argmin(0)
    y = costs[best, np.arange(points)]
    curve = CostCurve(x, y, thresholds[best], float(np.trapezoid(y, x)))
    if at is None:
        return curve
    here = misses * at + alarms * (1 - at)
    note = f"at {at:.3f} the lowest cost is {here.min():.3f}, from a score of {thresholds[here.argmin()]:g} on"
    return replace(curve, lines=(Line("these costs", np.array([at, at]), UNIT),), notes=(note,))


@dataclass(frozen=True, eq=False, repr=False)
class HullCurve(RocCurve):
    """The corners of the hull; ``slope`` is that of the lines of equal cost, where costs are known.

    Attributes
    ----------
    slope
        That of the lines of equal cost.

    Examples
    --------
    >>> import howsure
    >>> hull = howsure.assess([0, 1, 0, 1, 1], scores=[0.2, 0.7, 0.4, 0.9, 0.3]).roc_hull(slope=1.0)
    >>> hull.slope, hull.x.tolist()
    (1.0, [0.0, 0.0, 0.5, 1.0])
    """

    slope: float | None = None


@dataclass(frozen=True, eq=False, repr=False)
class DecisionCurve(Curve):
    """Net benefit; the column ``act_on_all`` is that of acting on every case, and has a band where the curve has.

    Attributes
    ----------
    share
        That of positives where the classifier is to be used.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess([0, 1, 0, 1, 1], scores=[0.2, 0.7, 0.4, 0.9, 0.3])
    >>> curve = a.decision_curve(points=9)
    >>> curve.share, sorted(curve.extra)
    (0.6, ['act_on_all'])
    >>> below, above = curve.unseen(a.scores, curve.x, 1.96)
    >>> below.shape == above.shape == curve.x.shape
    True
    """

    of_shares = False
    share: float = float("nan")  # of positives where the classifier is to be used

    def unseen(self, table: ScoreTable, grid: Array, z: float) -> tuple[Array, Array]:
        """Where no false alarm or no hit was seen, there may be some: as many as Wilson's upper end of 0 cases says.

        Parameters
        ----------
        table
            The scores.
        grid
            Threshold probabilities.
        z
            How many standard errors the band is wide.
        """
        alarms, hits = (
            np.where(grid > table.scores[np.argmax(counts > 0)], z**2 / (counts.sum() + z**2), 0.0)
            for counts in (table.negatives, table.positives)
        )
        return -(1 - self.share) * alarms * grid / (1 - grid), self.share * hits


@curve(
    "Convex hull of the ROC curve", "false positive rate", "recall (true positive rate)", lines=(DIAGONAL,),
    from_costs={"slope": "slope"}, short="ROC hull",
)  # fmt: skip
def roc_hull(table: ScoreTable, slope: float | None = None) -> Curve:
    """Convex hull of the ROC curve: the only thresholds that are best for some costs and class shares.

    ``slope`` is that of the lines of equal cost, (cost of a false positive x share of negatives) / (cost of a false
    negative x share of positives); the line through the best point is then added.
    """
    fpr, tpr = table.rates
    hull = upper_hull(fpr, tpr)
    x, y = fpr[hull], tpr[hull]
    curve = HullCurve(x, y, table.thresholds[hull], float(np.trapezoid(y, x)), slope=slope)
    if slope is None:
        return curve
    best = int((y - slope * x).argmax())
    top = (1 - y[best]) / slope if slope > 0 else np.inf  # how far the line goes before it leaves the picture
    foot = y[best] / slope if slope > 0 else np.inf
    ends = np.array([max(0.0, x[best] - foot), min(1.0, x[best] + top)])
    line = Line("equal cost", ends, y[best] + slope * (ends - x[best]))
    note = f"best at false positive rate {x[best]:.3f}, recall {y[best]:.3f}"
    return replace(curve, lines=(line,), notes=(note,))


@curve(
    "Decision curve", "threshold probability", "net benefit", needs="probabilities", band=True, short="net benefit",
    from_costs={"prior": "prior", "at": "threshold"}, aliases=("net_benefit",),
)  # fmt: skip
def decision_curve(table: ScoreTable, points: int = 99, prior: float | None = None, at: float | None = None) -> Curve:
    """Net benefit of acting on the score against the threshold probability (Vickers and Elkin 2006).

    A threshold probability of p says that a false alarm weighs p / (1 - p) of a hit. ``prior`` is the share of
    positives where the classifier is to be used, ``at`` the threshold probability that one's own costs give. Its band
    has width also where no false alarm or no hit was seen, by Wilson's interval of 0 cases.
    """
    x = np.linspace(0, 1, points + 2)[1:-1]
    index = np.searchsorted(-table.scores.astype(float), -x, side="right")
    fpr, tpr = (column[index] for column in table.rates)
    share = table.n_positive / table.n if prior is None else prior
    odds = x / (1 - x)
    benefit = share * tpr - (1 - share) * fpr * odds
    everyone = share - (1 - share) * odds
    lines = [Line("act on all", x, everyone), Line("act on none", UNIT, np.zeros(2))]
    if at is not None:
        lines.append(Line("these costs", np.array([at, at]), np.array([-share, share])))
    return DecisionCurve(x, benefit, x, lines=tuple(lines), extra={"act_on_all": everyone}, share=share)


def upper_hull(x: Array, y: Array) -> NDArray[np.intp]:
    """Indices of the upper convex hull of points in order of x (Andrew's chain)."""
    kept = np.arange(len(x))
    while len(kept) > MANY:  # what lies below the line of its neighbours is no corner: most of them leave at once
        across, up = x[kept], y[kept]
        rise = (up[2:] - up[:-2]) * (across[1:-1] - across[:-2])
        below = (up[1:-1] - up[:-2]) * (across[2:] - across[:-2]) < rise
        if not below.any():
            break
        kept = kept[np.concatenate([[True], ~below, [True]])]
    hull: list[int] = []
    for index in kept.tolist():
        while len(hull) > 1:
            a, b = hull[-2], hull[-1]
            if (x[b] - x[a]) * (y[index] - y[a]) < (y[b] - y[a]) * (x[index] - x[a]):
                break
            hull.pop()
        hull.append(index)
    return np.array(hull)
