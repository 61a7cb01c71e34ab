"""Charts of decision curves (net benefit) and cost curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.present.charts.curve import draw_curve, finish_curve
from howsure.present.charts.declare import chart
from howsure.present.charts.series import BAND, muted

if TYPE_CHECKING:
    from howsure.curves.decision import CostCurve, DecisionCurve

BELOW = 0.25  # length of the axis below 0, relative to the part above


@chart("DecisionCurve", default=True, size=(5.4, 4.2))
def benefit(curve: DecisionCurve, ax: Any, **style: Any) -> Any:
    """Draw the net benefit by threshold, compared with treating all cases.

    ``label`` names the curve; other ``style`` keywords, such as ``color``, are passed to Matplotlib lines.
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
    ax.set(xlim=(0, 1), ylim=(-BELOW * top, top))  # the net benefit of treating all is unbounded below
    return ax


@chart("CostCurve", default=True, size=(5.4, 4.2))
def costs(curve: CostCurve, ax: Any, **style: Any) -> Any:
    """Draw the lowest expected cost over all thresholds.

    ``label`` names the curve; other ``style`` keywords, such as ``color``, are passed to Matplotlib lines.
    """
    draw_curve(curve, ax, style)
    ax.set(xlim=(0, 1), ylim=(0, 0.62))  # the cheaper trivial decision costs at most 0.5
    return finish_curve(curve, ax, below=True)
