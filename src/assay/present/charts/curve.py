"""The chart of a curve, its band and the lines to compare it with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.present.charts.axes import finish, set_titles
from assay.present.charts.declare import chart
from assay.present.charts.series import draw_band, draw_reference, draw_series

if TYPE_CHECKING:
    from assay.curves import Curve


@chart("Curve", default=True, size=(4.8, 4.2))
def points(curve: Curve, ax: Any, **style: Any) -> Any:
    """Draw a curve; on axes that have one already, in another colour, and without repeating a reference line.

    ``style`` are keywords of a Matplotlib line, such as ``color``, ``linestyle`` and the ``label`` in the legend.
    """
    thinned = curve.thinned()
    area = f" (area {curve.area:.3f})" if curve.area == curve.area else ""
    shape = {"drawstyle": "steps-pre" if curve.steps else "default", "marker": curve.marker, "markersize": 4}
    line = draw_series(ax, thinned.x, thinned.y, style, label=f"{curve.label or curve.name}{area}", **shape)
    if {"low", "high"} <= thinned.extra.keys():
        draw_band(ax, thinned.x, thinned.extra["low"], thinned.extra["high"], line, label="band")
    for number, other in enumerate(curve.lines):
        draw_reference(ax, other.x, other.y, other.name, number)
    set_titles(ax, curve.title, curve.x_title, curve.y_title)
    return finish(ax)
