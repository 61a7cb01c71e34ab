"""The chart of a curve, its band and the lines to compare it with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.present.charts import BAND, INK, MUTED
from assay.present.charts.axes import finish, new_axes
from assay.present.charts.declare import chart

if TYPE_CHECKING:
    from assay.curves import Curve

DASHES = ("--", ":", "-.")
CURVE = "curve"  # marks the lines of curves among all lines of the axes


@chart("Curve", default=True)
def points(curve: Curve, ax: Any = None, **style: Any) -> Any:
    """Draw a curve; on axes that have one already, in another colour, and without repeating a reference line.

    ``style`` are keywords of a Matplotlib line, such as ``color``, ``linestyle`` and the ``label`` in the legend.
    """
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    ax = new_axes(ax, 4.8, 4.2)
    before = sum(line.get_gid() == CURVE for line in ax.get_lines())
    area = f" (area {curve.area:.3f})" if curve.area == curve.area else ""
    defaults = {
        "color": f"C{before}" if before else INK,
        "linewidth": 1.8,
        "drawstyle": "steps-pre" if curve.steps else "default",
        "marker": curve.marker,
        "markersize": 4,
        "label": f"{curve.label or curve.name}{area}",
    }
    style = defaults | normalize_kwargs(style, Line2D)
    thinned = curve.thinned()
    if {"low", "high"} <= thinned.extra.keys():
        color = style["color"] if before else BAND
        ax.fill_between(
            thinned.x, thinned.extra["low"], thinned.extra["high"], color=color, alpha=0.5, lw=0, label="band"
        )
    ax.plot(thinned.x, thinned.y, gid=CURVE, **style)
    drawn = [(line.get_label(), list(line.get_xdata()), list(line.get_ydata())) for line in ax.get_lines()]
    for line, dash in zip(curve.lines, DASHES, strict=False):
        if (line.name, list(line.x), list(line.y)) not in drawn:
            ax.plot(line.x, line.y, color=MUTED, lw=1.2, ls=dash, label=line.name)
    ax.set(xlabel=curve.x_title, ylabel=curve.y_title, title=curve.title)
    return finish(ax)
