"""Curves for decisions: cost curve, decision curve and ROC convex hull."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import Array
from howsure.curves.curve import Curve, Line
from howsure.curves.declare import curve
from howsure.curves.ranking import DIAGONAL, UNIT, RocCurve
from howsure.tables import ScoreTable

CHAIN_UP_TO = 10_000  # maximum number of points to loop over; of more, most that are not corners are removed first


@dataclass(frozen=True, eq=False, repr=False)
class CostCurve(Curve):
    """Lowest expected cost over all thresholds.

    Its points form an even grid; they do not correspond to successive thresholds.

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
    """Normalised expected cost against the probability cost.

    The probability cost combines the prevalence p with the costs of errors: PC = p C(FN) / (p C(FN) + (1 - p) C(FP))
    (Drummond and Holte 2006). The expected cost at a threshold is FNR x PC + FPR x (1 - PC), a straight line; the curve
    is the lowest of these lines. ``at`` is the probability cost for your own costs.
    """
    fpr, tpr = table.rates
    hull = upper_hull(fpr, tpr)
    fnr, fpr, thresholds = 1 - tpr[hull], fpr[hull], table.thresholds[hull]
    x = np.linspace(0, 1, points)
    costs = fnr[:, None] * x + fpr[:, None] * (1 - x)
    best = costs.argmin(0)
    y = costs[best, np.arange(points)]
    curve = CostCurve(x, y, thresholds[best], float(np.trapezoid(y, x)))
    if at is None:
        return curve
    cost = fnr * at + fpr * (1 - at)
    note = f"at {at:.3f} the lowest cost is {cost.min():.3f}, at the threshold {thresholds[cost.argmin()]:g}"
    return replace(curve, lines=(Line("these costs", np.array([at, at]), UNIT),), notes=(note,))


@dataclass(frozen=True, eq=False, repr=False)
class HullCurve(RocCurve):
    """Corners of the ROC convex hull.

    Attributes
    ----------
    slope
        The slope of the lines of equal cost, if costs are known.

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
    """Net benefit, also for acting on all cases (``act_on_all``).

    Attributes
    ----------
    share
        The prevalence where the classifier will be used.

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
    share: float = float("nan")

    def unseen(self, table: ScoreTable, grid: Array, z: float) -> tuple[Array, Array]:
        """Return the least extent of the band without false or true positives.

        It is the upper end of Wilson's interval for 0 of n cases, z^2 / (n + z^2).

        Parameters
        ----------
        table
            The scores.
        grid
            Threshold probabilities.
        z
            The half-width of the band in standard errors.
        """
        fpr, tpr = (
            np.where(grid > table.scores[np.argmax(counts > 0)], z**2 / (counts.sum() + z**2), 0.0)
            for counts in (table.negatives, table.positives)
        )
        return -(1 - self.share) * fpr * grid / (1 - grid), self.share * tpr


@curve(
    "Convex hull of the ROC curve", "false positive rate", "recall (true positive rate)", lines=(DIAGONAL,),
    from_costs={"slope": "slope"}, short="ROC hull",
)  # fmt: skip
def roc_hull(table: ScoreTable, slope: float | None = None) -> Curve:
    """Convex hull of the ROC curve: thresholds that are optimal for some costs.

    ``slope`` is the slope of the lines of equal cost, (cost of a false positive x share of negatives) / (cost of a
    false negative x share of positives). With it, the line through the best point is added.
    """
    fpr, tpr = table.rates
    hull = upper_hull(fpr, tpr)
    x, y = fpr[hull], tpr[hull]
    curve = HullCurve(x, y, table.thresholds[hull], float(np.trapezoid(y, x)), slope=slope)
    if slope is None:
        return curve
    best = int((y - slope * x).argmax())
    top = (1 - y[best]) / slope if slope > 0 else np.inf  # width of the line within the unit square
    foot = y[best] / slope if slope > 0 else np.inf
    ends = np.array([max(0.0, x[best] - foot), min(1.0, x[best] + top)])
    line = Line("equal cost", ends, y[best] + slope * (ends - x[best]))
    note = f"lowest cost at false positive rate {x[best]:.3f}, recall {y[best]:.3f}"
    return replace(curve, lines=(line,), notes=(note,))


@curve(
    "Decision curve", "threshold probability", "net benefit", needs="probabilities", band=True, short="net benefit",
    from_costs={"prior": "prior", "at": "threshold"}, aliases=("net_benefit",),
)  # fmt: skip
def decision_curve(table: ScoreTable, points: int = 99, prior: float | None = None, at: float | None = None) -> Curve:
    """Net benefit against the threshold probability (Vickers and Elkin 2006).

    At the threshold probability p, a false positive costs p / (1 - p) of the benefit of a true positive. ``prior`` is
    the prevalence where the classifier will be used, and ``at`` the threshold probability for your own costs. Where
    no false or no true positive was observed, the band uses Wilson's interval for 0 cases.
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
    """Return the upper convex hull of points sorted by x (Andrew 1979)."""
    kept = np.arange(len(x))
    while len(kept) > CHAIN_UP_TO:  # a point below the line between its neighbours is not a corner of the hull
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
