"""Rows with names on the left, marks in the middle and notes on the right, all within the axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.arrays import Array
from howsure.present.charts.names import fit, fit_pairs, width
from howsure.present.charts.series import ink, muted, paper

if TYPE_CHECKING:
    from howsure.present.sheet import Record

LARGEST, SMALLEST = 9.0, 4.5  # font sizes in points
ROOM = 0.45  # largest fraction of the axes for names
NOTES = 0.25  # largest fraction of the axes for notes
GAP = 9.0  # space between the columns, in points
MARK = 45.0  # width of a tick label, in points


def height(rows: int) -> float:
    """Return the height, in inches, of a figure with this number of rows."""
    return 1.1 + 0.24 * max(rows, 3)


@dataclass(frozen=True)
class Rows:
    """Vertical positions ``y`` of rows, font ``size``, and ends of the axis."""

    y: Array
    size: float
    low: float
    high: float


def lay_out(
    ax: Any, names: Sequence[Any], notes: Sequence[str], ends: tuple[float, float], *, heading: str = ""
) -> Rows:
    """Write names and notes, and set up the axis of values between them.

    A pair of names is written as their difference. ``heading`` is written above the notes. Rows on other axes that
    share the axis of values are aligned.
    """
    figure = ax.get_figure(root=True)
    n = max(len(names), 1)
    ax.set_yticks([])
    ax.set_ylim(n - 0.5, -0.5 - bool(heading))
    ax.spines[["left", "top", "right"]].set_visible(False)
    figure.draw_without_rendering()  # determines the size of the axes
    points = ax.bbox.width * 72 / figure.dpi
    step = ax.bbox.height * 72 / figure.dpi / (n + bool(heading))
    size = float(np.clip(0.78 * step, SMALLEST, LARGEST))
    write = fit_pairs if names and isinstance(names[0], tuple) else fit
    shown = write(ax, names, ROOM * points, fontsize=size)
    left = max((width(ax, name, fontsize=size) for name in shown), default=0.0) + GAP
    texts = [note for note in (*notes, heading) if note]
    right = max((width(ax, note, fontsize=size) for note in texts), default=0.0)
    while right > NOTES * points and size > SMALLEST:  # shrink the notes while they leave the axes too narrow
        right, size = right * 0.9, size * 0.9
    right += GAP if texts else 0.0
    low, high = ends
    spread = (high - low) or abs(low) or 1.0
    low, high = low - 0.03 * spread, high + 0.03 * spread
    others = _sharing(ax)
    for each in others:
        first, last = each.spines["bottom"].get_bounds()
        start, end = (each.transAxes.inverted().transform(each.transData.transform([(first, 0), (last, 0)])))[:, 0]
        low, high = min(low, first), max(high, last)
        left, right = max(left, start * points), max(right, (1 - end) * points)
    scale = (high - low) / max(points - left - right, 0.2 * points)
    ax.set_xlim(low - left * scale, low + (points - left) * scale)
    for each in (*others, ax):
        keep_axis(each, low, high, (left + points - right) / 2 / points)
    y = np.arange(len(names), dtype=float)
    across = ax.get_yaxis_transform()
    style: dict[str, Any] = {"fontsize": size, "va": "center", "parse_math": False, "transform": across}
    every = max(1, int(np.ceil(1.2 * size / step)))  # skip texts if the rows are closer than the font size
    for index, (name, note) in enumerate(zip(shown, notes, strict=True)):
        if index % every == 0:
            ax.text(0, y[index], name, ha="left", color=ink(ax), **style)
            ax.text(1, y[index], note, ha="right", color=ink(ax), **style)
    if heading:
        ax.text(1, -1, heading, ha="right", color=muted(ax), **style)
    return Rows(y, size, low, high)


def _sharing(ax: Any) -> list[Any]:
    """Return the other axes with rows that share the axis of values."""
    siblings = ax.get_shared_x_axes().get_siblings(ax)
    return [each for each in siblings if each is not ax and each.spines["bottom"].get_bounds() is not None]


def draw_intervals(
    ax: Any, rows: Rows, records: Sequence[Record], value: str, filled: Sequence[bool], style: Mapping[str, Any]
) -> None:
    """Draw the interval of each row, and its value as a point.

    An infinite limit is drawn as an arrow at the end of the axis. ``style`` applies to lines and points.
    """
    size, colour = min(6.0, rows.size * 0.7), style["color"]
    points = {"marker": "o", "markersize": size, "markeredgecolor": colour, "markeredgewidth": 1.4, **style}
    lines = {"linewidth": 1.8, "solid_capstyle": "butt", **{k: v for k, v in style.items() if "marker" not in k}}
    for y, record, is_filled in zip(rows.y, records, filled, strict=True):
        ends = np.clip([record["low"], record["high"]], rows.low, rows.high)
        ax.plot(ends, [y, y], **{"zorder": 2, **lines})
        for end, position, arrow in zip((record["low"], record["high"]), ends, "<>", strict=True):
            if np.isinf(end):
                ax.plot(position, y, arrow, ms=size, color=colour, zorder=2)
        filling = {"markerfacecolor": colour if is_filled else paper(ax)}
        ax.plot(record[value], y, **{"zorder": 3, **filling, **points, "linestyle": "none"})


def span(values: Sequence[float]) -> tuple[float, float]:
    """Return the smallest and largest finite values, by default 0 and 1."""
    finite = np.array(values, float)
    finite = finite[np.isfinite(finite)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)


def keep_axis(ax: Any, low: float, high: float, middle: float, side: str = "bottom") -> None:
    """Restrict the spine, ticks and title of the axis to the range of values."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    first, last = ax.transData.transform([(low, 0), (high, 0)])[:, 0]
    room = (last - first) * 72 / ax.get_figure(root=True).dpi
    marks = np.asarray(MaxNLocator(int(np.clip(room / MARK, 1, 5)), steps=[1, 2, 2.5, 5, 10]).tick_values(low, high))
    ax.set_xticks(marks[(marks >= low) & (marks <= high)])
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value + 0.0:.4g}".replace("-", "−")))
    ax.spines[side].set_bounds(low, high)
    ax.xaxis.label.set(x=middle, ha="center")
