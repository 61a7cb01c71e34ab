"""The chart of a preference: one criterion against another, every learner named, the Pareto front as a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assay.arrays import Array
from assay.errors import one_line
from assay.present.charts import BAND, INK, MUTED
from assay.present.charts.axes import finish, mark_log, new_axes
from assay.present.charts.declare import chart

if TYPE_CHECKING:
    from assay.experiment.result.preference import Preference


@chart("Preference", default=True)
def criteria(preference: Preference, ax: Any = None, *, against: str | None = None) -> Any:
    """Draw the learners by the first criterion against another, the second if not named."""
    names, across, up = preference.axes(against)
    ax = new_axes(ax, 6, 4.5)
    for side, criterion in (("x", across), ("y", up)):
        axis = getattr(ax, f"{side}axis")
        axis.set_label_text(criterion.title, parse_math=False)
        if criterion.log:
            ax.set(**{f"{side}scale": "log"})
            mark_log(axis, np.array(list(criterion.values.values())), criterion.show)
    points = list(zip(across.values.values(), up.values.values(), strict=True))
    front = [point for point in sorted(set(points)) if not any(p < point and p[1] <= point[1] for p in points)]
    ax.plot(*zip(*front, strict=True), color=BAND, lw=1.5, drawstyle="steps-post", zorder=1)
    for name, (x, y) in zip(names, points, strict=True):
        ax.plot(x, y, "o", ms=7, color=INK, mfc=INK if name in preference.pareto else "white", zorder=3)
    ax.set_title("filled: Pareto set of all criteria; line: of these two", fontsize="small", color=MUTED)
    finish(ax, legend=False).margins(0.12)
    _label(ax, names, np.array(points), np.array(front), preference.winner)
    return ax


def _label(ax: Any, names: list[str], points: Array, front: Array, bold: str | None) -> None:
    """Write each name near its point, within the axes and off other names, points and the line, as far as may be."""
    from matplotlib.text import Text

    figure = ax.figure.figure
    figure.draw_without_rendering()  # sizes are known only then
    leader = {"arrowstyle": "-", "color": MUTED, "lw": 0.6, "shrinkA": 0, "shrinkB": 4}
    style = {"textcoords": "offset points", "ha": "center", "va": "center", "fontsize": "small", "parse_math": False}
    labels = [
        ax.annotate(one_line(n), xy, (0, 0), arrowprops=leader, **style) for n, xy in zip(names, points, strict=True)
    ]
    for name, label in zip(names, labels, strict=True):
        label.set_weight("bold" if name == bold else "normal")
    pixels, dots = figure.dpi / 72, ax.transData.transform(points)
    corners = ax.transData.transform(np.stack([np.repeat(front[:, 0], 2)[1:], np.repeat(front[:, 1], 2)[:-1]], axis=1))
    line = np.hstack([np.minimum(corners[1:], corners[:-1]), np.maximum(corners[1:], corners[:-1])])
    marks = np.hstack([dots - 5 * pixels, dots + 5 * pixels])
    angles = np.tile(np.linspace(0, 2 * np.pi, 16, endpoint=False), 6)[:, None]
    reach = np.repeat([6.0, 14.0, 26.0, 42.0, 64.0, 90.0], 16)[:, None] * pixels
    taken = np.full((len(names), 4), np.nan)

    def hits(boxes: Array, others: Array) -> Any:
        return ((boxes[:, None, :2] < others[:, 2:]) & (boxes[:, None, 2:] > others[:, :2])).all(axis=2).sum(axis=1)

    for i in [*range(len(names))] * 3:  # again, now that the others are placed
        taken[i] = np.nan
        extent = Text.get_window_extent(labels[i])  # without its leader
        half = np.array([extent.width, extent.height]) / 2 + pixels
        offsets = np.hstack([np.cos(angles), np.sin(angles)]) * (reach + half)
        boxes = np.hstack([dots[i] + offsets - half, dots[i] + offsets + half])
        outside = (boxes[:, :2] < ax.bbox.min).any(axis=1) | (boxes[:, 2:] > ax.bbox.max).any(axis=1)
        leaders = dots[i] + offsets[:, None] * np.linspace(0, 1, 9)[:, None]
        crossed = sum(hits(np.tile(leaders[:, step], 2), taken) for step in range(9)) > 0
        worst = hits(boxes, taken) + hits(boxes, marks) + outside
        costs = 99 * worst + 9 * crossed + 4 * hits(boxes, line) + reach[:, 0] / (9 * pixels)
        taken[i] = boxes[costs.argmin()]
        labels[i].set_position(offsets[costs.argmin()] / pixels)
