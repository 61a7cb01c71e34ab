"""Names next to points, within the axes and without overlap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.errors import one_line
from howsure.present.charts.series import ink, muted

MARK = 5.0  # half the size of a marker, in points


def label_points(
    ax: Any, names: Sequence[str], points: Array, *, bold: str | None = None, line: Array | None = None
) -> None:
    """Write each name near its point, without overlap if possible."""
    from matplotlib.text import Text

    figure = ax.get_figure(root=True)
    figure.draw_without_rendering()  # determines the sizes
    leader = {"arrowstyle": "-", "color": muted(ax), "lw": 0.6, "shrinkA": 0, "shrinkB": 4}
    style = {"textcoords": "offset points", "ha": "center", "va": "center", "fontsize": "small", "parse_math": False}
    labels = [
        ax.annotate(one_line(n), xy, (0, 0), arrowprops=leader, color=ink(ax), **style)
        for n, xy in zip(names, points, strict=True)
    ]
    for name, label in zip(names, labels, strict=True):
        label.set_weight("bold" if name == bold else "normal")
    pixels, dots = figure.dpi / 72, ax.transData.transform(points)
    corners = np.empty((0, 2)) if line is None else ax.transData.transform(line)
    parts = np.hstack([np.minimum(corners[1:], corners[:-1]), np.maximum(corners[1:], corners[:-1])])
    marks = np.hstack([dots - MARK * pixels, dots + MARK * pixels])
    angles = np.tile(np.linspace(0, 2 * np.pi, 16, endpoint=False), 6)[:, None]
    reach = np.repeat([6.0, 14.0, 26.0, 42.0, 64.0, 90.0], 16)[:, None] * pixels
    taken = np.full((len(names), 4), np.nan)
    for i in [*range(len(names))] * 3:  # repeated, since the other labels have moved in the meantime
        taken[i] = np.nan
        extent = Text.get_window_extent(labels[i])  # without its leader line
        half = np.array([extent.width, extent.height]) / 2 + pixels
        offsets = np.hstack([np.cos(angles), np.sin(angles)]) * (reach + half)
        boxes = np.hstack([dots[i] + offsets - half, dots[i] + offsets + half])
        outside = (boxes[:, :2] < ax.bbox.min).any(axis=1) | (boxes[:, 2:] > ax.bbox.max).any(axis=1)
        leaders = dots[i] + offsets[:, None] * np.linspace(0, 1, 9)[:, None]
        crossed = sum(_hits(np.tile(leaders[:, step], 2), taken) for step in range(9)) > 0
        worst = _hits(boxes, taken) + _hits(boxes, marks) + outside
        costs = 99 * worst + 9 * crossed + 4 * _hits(boxes, parts) + reach[:, 0] / (9 * pixels)
        taken[i] = boxes[costs.argmin()]
        labels[i].set_position(offsets[costs.argmin()] / pixels)


def _hits(boxes: Array, others: Array) -> Any:
    """Count the overlaps of each box with the others."""
    return ((boxes[:, None, :2] < others[:, 2:]) & (boxes[:, None, 2:] > others[:, :2])).all(axis=2).sum(axis=1)
