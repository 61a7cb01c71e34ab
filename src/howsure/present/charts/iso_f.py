"""The chart of precision against recall with lines of equal F1, for the classes of one or more classifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.present.charts.axes import finish, set_titles
from howsure.present.charts.declare import chart
from howsure.present.charts.labels import label_points
from howsure.present.charts.names import fit
from howsure.present.charts.series import SERIES, draw_series, line_style, mix, muted
from howsure.present.charts.text import subtitle

if TYPE_CHECKING:
    from howsure.assessment.per_class import PerClass

LEVELS = (0.2, 0.4, 0.6, 0.8, 0.9, 0.95)
MARKERS = "osD^vP*Xh<>p"
MAX_NAMED = 12  # maximum number of points with names
ROOM = 110.0  # width of a name in points
ISO = "howsure-iso"  # gid of the lines of equal F1


@chart("PerClass", default=True, size=(5.0, 4.6))
def iso_f(classes: PerClass, ax: Any, **style: Any) -> Any:
    """Draw precision against recall for each class, and lines of equal F1.

    With a ``label``, the points are one series in the legend, so that several classifiers can share the axes.
    """
    set_titles(ax, across="recall", up="precision")
    subtitle(ax, f"{classes.title}, with {100 * classes.confidence:g} % intervals; lines: equal F1")
    records = classes.records()
    own = line_style(style)
    is_series = "label" in own
    number = sum(line.get_gid() == SERIES for line in ax.get_lines())
    points = np.array([(record["recall"], record["precision"]) for record in records], float)
    _draw_lines(ax, [record[f"{name}_low"] for record in records for name in ("recall", "precision")])
    for index, (record, (x, y)) in enumerate(zip(records, points, strict=True)):
        marker = MARKERS[(number if is_series else index) % len(MARKERS)]
        line = draw_series(ax, [x], [y], own, marker=marker, markersize=6, linestyle="none", zorder=3)
        own = {**own, "color": line.get_color(), "label": ""}  # the same colour for all classes
        ends = {"color": line.get_color(), "lw": 1.0, "alpha": 0.6, "zorder": 2}
        ax.plot([record["recall_low"], record["recall_high"]], [y, y], **ends)
        ax.plot([x, x], [record["precision_low"], record["precision_high"]], **ends)
    if is_series:
        return finish(ax)
    defined = np.isfinite(points).all(axis=1)
    if 1 < defined.sum() <= MAX_NAMED:
        names = fit(ax, [record["class"] for record in records], ROOM, fontsize="small")
        label_points(ax, [name for name, shown in zip(names, defined, strict=True) if shown], points[defined])
    return finish(ax, legend=False)


def _draw_lines(ax: Any, lows: list[float]) -> None:
    """Draw labelled lines of equal F1 in the region of the points."""
    lowest = np.floor(10 * min([value for value in lows if np.isfinite(value)], default=0.0)) / 10
    drawn = {line.get_label() for line in ax.get_lines() if line.get_gid() == ISO}
    start = float(min(lowest, 0.8, *([ax.get_xlim()[0]] if drawn else [])))
    ax.set(xlim=(start, 1.0), ylim=(start, 1.02))
    for level in LEVELS:
        end = level / (2 - level)
        if f"_F1 {level:g}" in drawn or end < start:
            continue
        recall = np.linspace(end, 1, 200)
        line = {"color": mix(ax, 0.35), "lw": 0.9, "zorder": 1, "gid": ISO, "label": f"_F1 {level:g}"}
        ax.plot(recall, level * recall / (2 * recall - level), **line)
        style = {"ha": "left", "va": "center", "fontsize": "x-small", "color": muted(ax), "parse_math": False}
        ax.annotate(f"F1 {level:g}", (1.0, end), (4, 0), textcoords="offset points", annotation_clip=False, **style)
