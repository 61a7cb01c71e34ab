"""The chart of the half-width of an interval against the number of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.present.charts.axes import finish, mark_log, set_titles
from howsure.present.charts.declare import chart
from howsure.present.charts.series import draw_series, ink
from howsure.present.charts.text import subtitle

if TYPE_CHECKING:
    from howsure.intervals.widths import IntervalWidths


@chart("IntervalWidths", default=True)
def half_widths(widths: IntervalWidths, ax: Any, **style: Any) -> Any:
    """Draw the half-width of an interval against the number of cases."""
    records = widths.records()
    n, half = (np.array([record[name] for record in records], float) for name in ("n", "half_width"))
    ax.set_xscale("log")
    ax.set_yscale("log")
    line = draw_series(ax, n, half, style, label=widths.label)
    if widths.n is not None:
        ax.plot(widths.n, widths.half_width, "o", ms=7, mfc=line.get_color(), mec=ink(ax), label=widths.at_hand)
    mark_log(ax.xaxis, n, lambda value: f"{value:,.0f}".replace(",", " "))
    mark_log(ax.yaxis, half, lambda value: f"±{value:.2g}")
    set_titles(ax, across="cases", up="half-width of the interval")
    subtitle(ax, widths.title)
    return finish(ax)
