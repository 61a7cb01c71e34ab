"""The chart of a preference: one criterion against another, with the Pareto front."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.present.charts.axes import finish, mark_log
from howsure.present.charts.declare import chart
from howsure.present.charts.labels import label_points
from howsure.present.charts.series import draw_series, mix, muted, paper

if TYPE_CHECKING:
    from howsure.experiment.result.preference import Preference


@chart("Preference", default=True, size=(6, 4.5))
def criteria(preference: Preference, ax: Any, *, against: str | None = None, **style: Any) -> Any:
    """Draw the first criterion against another criterion for each learner.

    ``style`` keywords are passed to Matplotlib for the points.
    """
    names, across, up = preference.axes(against)
    for side, criterion in (("x", across), ("y", up)):
        axis = getattr(ax, f"{side}axis")
        axis.set_label_text(criterion.title, parse_math=False)
        if criterion.log:
            ax.set(**{f"{side}scale": "log"})
            mark_log(axis, np.array(list(criterion.values.values())), criterion.show)
    points = list(zip(across.values.values(), up.values.values(), strict=True))
    front = [point for point in sorted(set(points)) if not any(p < point and p[1] <= point[1] for p in points)]
    ax.plot(*zip(*front, strict=True), color=mix(ax, 0.3), lw=1.5, drawstyle="steps-post", zorder=1)
    own: dict[str, Any] = {"marker": "o", "markersize": 7, "linestyle": "none", "zorder": 3}
    for name, (x, y) in zip(names, points, strict=True):
        point = draw_series(ax, [x], [y], style, **own)
        own["color"] = point.get_color()  # the same colour for all points
        if name not in preference.pareto:
            point.set_markerfacecolor(paper(ax))
    ax.set_title(
        "filled: Pareto-optimal in all criteria; line: Pareto front of these two", fontsize="small", color=muted(ax)
    )
    finish(ax, legend=False).margins(0.12)
    corners = np.stack([np.repeat([x for x, _ in front], 2)[1:], np.repeat([y for _, y in front], 2)[:-1]], axis=1)
    label_points(ax, names, np.array(points), bold=preference.winner, line=corners)
    return ax
