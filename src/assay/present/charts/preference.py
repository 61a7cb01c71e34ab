"""The chart of a preference: one criterion against another, every learner named, the Pareto front as a line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.arrays import Array
from assay.errors import AssayError, must_be_one_of
from assay.experiment.result.preference import criterion, raised, shown
from assay.present.charts import BAND, INK, MUTED
from assay.present.format import one_line

if TYPE_CHECKING:
    from assay.experiment.result.preference import Preference


def draw_preference(found: Preference, ax: Any, against: str | None) -> Any:
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

    known = [
        c
        for c in found.table
        if any(rank and found.table[c][n] == found.table[c][n] for n, rank in found.ranks.items())
    ]
    if len(known) < 2:
        raise AssayError("`plot` must have two criteria with values, to draw one against the other.")
    if against is not None and against not in known[1:]:
        must_be_one_of("against", known[1:], given=against)
    across, up = against or known[1], known[0]
    ax = Figure(figsize=(6, 4.5), layout="constrained").subplots() if ax is None else ax
    names = [name for name in found.names if not math.isnan(found.scores[name] + found.table[across][name])]
    sides = []
    for side, c in (("x", across), ("y", up)):
        title, log, _ = criterion(c)
        values = {name: found.table[c][name] for name in names}
        moved = raised(values) if log and any(values.values()) else values
        sides.append([*moved.values()])
        axis = getattr(ax, f"{side}axis")
        axis.set_label_text(title + (" (0 at half of the smallest other)" if moved != values else ""), parse_math=False)
        if min(sides[-1]) > 0 and log:
            ax.set(**{f"{side}scale": "log"})
            if max(sides[-1]) < 10 * min(sides[-1]):  # too few powers of ten to mark
                axis.set_major_locator(MaxNLocator(5))
            axis.set_major_formatter(FuncFormatter(lambda value, _, c=c: str(shown(c, value))))
            axis.set_minor_formatter(NullFormatter())
    places = list(zip(*sides, strict=True))
    front = [place for place in sorted(set(places)) if not any(p < place and p[1] <= place[1] for p in places)]
    ax.plot(*zip(*front, strict=True), color=BAND, lw=1.5, drawstyle="steps-post", zorder=1)
    for name, (x, y) in zip(names, places, strict=True):
        ax.plot(x, y, "o", ms=7, color=INK, mfc=INK if name in found.pareto else "white", zorder=3)
    ax.set_title("filled: Pareto set of all criteria; line: of these two", fontsize="small", color=MUTED)
    ax.spines[["top", "right"]].set_visible(False)
    ax.margins(0.12)
    _label(ax, names, np.array(places), np.array(front), found.winner)
    return ax


def _label(ax: Any, names: list[str], places: Array, front: Array, bold: str | None) -> None:
    """Write each name near its point, within the axes and off other names, points and the line, as far as may be."""
    from matplotlib.text import Text

    figure = ax.figure.figure
    figure.draw_without_rendering()  # sizes are known only then
    leader = {"arrowstyle": "-", "color": MUTED, "lw": 0.6, "shrinkA": 0, "shrinkB": 4}
    style = {"textcoords": "offset points", "ha": "center", "va": "center", "fontsize": "small", "parse_math": False}
    labels = [
        ax.annotate(one_line(n), xy, (0, 0), arrowprops=leader, **style) for n, xy in zip(names, places, strict=True)
    ]
    for name, label in zip(names, labels, strict=True):
        label.set_weight("bold" if name == bold else "normal")
    point, dots = figure.dpi / 72, ax.transData.transform(places)
    corners = ax.transData.transform(np.stack([np.repeat(front[:, 0], 2)[1:], np.repeat(front[:, 1], 2)[:-1]], axis=1))
    line = np.hstack([np.minimum(corners[1:], corners[:-1]), np.maximum(corners[1:], corners[:-1])])
    marks = np.hstack([dots - 5 * point, dots + 5 * point])
    angles = np.tile(np.linspace(0, 2 * np.pi, 16, endpoint=False), 6)[:, None]
    reach = np.repeat([6.0, 14.0, 26.0, 42.0, 64.0, 90.0], 16)[:, None] * point
    taken = np.full((len(names), 4), np.nan)

    def hits(boxes: Array, others: Array) -> Any:
        return ((boxes[:, None, :2] < others[:, 2:]) & (boxes[:, None, 2:] > others[:, :2])).all(axis=2).sum(axis=1)

    for i in [*range(len(names))] * 3:  # again, now that the others have found a place
        taken[i] = np.nan
        extent = Text.get_window_extent(labels[i])  # without its leader
        half = np.array([extent.width, extent.height]) / 2 + point
        offsets = np.hstack([np.cos(angles), np.sin(angles)]) * (reach + half)
        boxes = np.hstack([dots[i] + offsets - half, dots[i] + offsets + half])
        outside = (boxes[:, :2] < ax.bbox.min).any(axis=1) | (boxes[:, 2:] > ax.bbox.max).any(axis=1)
        leaders = dots[i] + offsets[:, None] * np.linspace(0, 1, 9)[:, None]
        crossed = sum(hits(np.tile(leaders[:, step], 2), taken) for step in range(9)) > 0
        worst = hits(boxes, taken) + hits(boxes, marks) + outside
        costs = 99 * worst + 9 * crossed + 4 * hits(boxes, line) + reach[:, 0] / (9 * point)
        taken[i] = boxes[costs.argmin()]
        labels[i].set_position(offsets[costs.argmin()] / point)
