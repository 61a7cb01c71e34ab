"""Charts for decisions: net benefit beside that of acting on all and on none; the lowest cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.present.charts.curve import draw_curve, finish_curve
from howsure.present.charts.declare import chart
from howsure.present.charts.series import BAND, muted

if TYPE_CHECKING:
    from howsure.curves.decision import CostCurve, DecisionCurve

BELOW = 0.25  # how far below 0 the chart goes, as a share of its height above


@chart("DecisionCurve", default=True, size=(5.4, 4.2))
def benefit(curve: DecisionCurve, ax: Any, **style: Any) -> Any:
    """Draw the net benefit by threshold probability, with that of acting on all, which has a band where the curve has.

    ``label`` says whose it is; further ``style`` are keywords of a Matplotlib line, such as ``color``.
    """
    draw_curve(curve, ax, style)
    everyone = curve.extra["act_on_all"]
    if "act_on_all_low" in curve.extra:
        ends = curve.extra["act_on_all_low"], curve.extra["act_on_all_high"]
        ax.fill_between(curve.x, *ends, color=muted(ax), alpha=BAND, linewidth=0, zorder=1)
    top = 1.08 * float(np.nanmax([curve.y.max(), everyone.max(), 1e-9]))
    before = max((line.get_ydata().max() for line in ax.get_lines() if line.get_gid() == "howsure-series"), default=0.0)
    top = max(top, 1.08 * float(before))
    finish_curve(curve, ax)
    ax.set(xlim=(0, 1), ylim=(-BELOW * top, top))  # acting on all has no floor; what matters is above
    return ax


@chart("CostCurve", default=True, size=(5.4, 4.2))
def costs(curve: CostCurve, ax: Any, **style: Any) -> Any:
    """Draw the lowest cost of any threshold, beside that of calling all cases the same.

    ``label`` says whose it is; further ``style`` are keywords of a Matplotlib line, such as ``color``.
    """
    draw_curve(curve, ax, style)
    ax.set(xlim=(0, 1), ylim=(0, 0.62))  # one of the two trivial decisions never costs more than half
    return finish_curve(curve, ax, below=True)
