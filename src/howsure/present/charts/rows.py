"""Rows: names at the left, marks in the middle, notes at the right, all within the axes, so that nothing is cut off."""

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

LARGEST, SMALLEST = 9.0, 4.5  # points of the letters in a row
ROOM = 0.45  # share of the axes that names take at most
NOTES = 0.25  # and notes
GAP = 9.0  # points between the columns
MARK = 45.0  # points for a number at the axis


def height(rows: int) -> float:
    """Give the height of a figure, in inches, that has room for so many rows."""
    return 1.1 + 0.24 * max(rows, 3)


@dataclass(frozen=True)
class Rows:
    """Where rows are: ``y`` is the height of each, the first at the top, and ``size`` that of its letters.

    ``low`` and ``high`` are the ends of the axis of values.
    """

    y: Array
    size: float
    low: float
    high: float


def lay_out(
    ax: Any, names: Sequence[Any], notes: Sequence[str], ends: tuple[float, float], *, heading: str = ""
) -> Rows:
    """Write names and notes, and leave the room between them to values from the first of ``ends`` to the second.

    A name may be a pair, of which the row is the difference; ``heading`` stands above the notes. Rows on other axes
    that share the values move along, so that all have them at the same place.
    """
    figure = ax.get_figure(root=True)
    n = max(len(names), 1)
    ax.set_yticks([])
    ax.set_ylim(n - 0.5, -0.5 - bool(heading))
    ax.spines[["left", "top", "right"]].set_visible(False)
    figure.draw_without_rendering()  # the size of the axes is known only then
    points = ax.bbox.width * 72 / figure.dpi
    step = ax.bbox.height * 72 / figure.dpi / (n + bool(heading))
    size = float(np.clip(0.78 * step, SMALLEST, LARGEST))
    write = fit_pairs if names and isinstance(names[0], tuple) else fit
    shown = write(ax, names, ROOM * points, fontsize=size)
    left = max((width(ax, name, fontsize=size) for name in shown), default=0.0) + GAP
    written = [note for note in (*notes, heading) if note]
    right = max((width(ax, note, fontsize=size) for note in written), default=0.0)
    while right > NOTES * points and size > SMALLEST:  # narrow axes
        right, size = right * 0.9, size * 0.9
    right += GAP if written else 0.0
    low, high = ends
    spread = (high - low) or abs(low) or 1.0
    low, high = low - 0.03 * spread, high + 0.03 * spread
    others = _sharing(ax)
    for one in others:
        first, last = one.spines["bottom"].get_bounds()
        start, end = (one.transAxes.inverted().transform(one.transData.transform([(first, 0), (last, 0)])))[:, 0]
        low, high = min(low, first), max(high, last)
        left, right = max(left, start * points), max(right, (1 - end) * points)
    scale = (high - low) / max(points - left - right, 0.2 * points)
    ax.set_xlim(low - left * scale, low + (points - left) * scale)
    for one in (*others, ax):
        keep_axis(one, low, high, (left + points - right) / 2 / points)
    places = np.arange(len(names), dtype=float)
    across = ax.get_yaxis_transform()
    style: dict[str, Any] = {"fontsize": size, "va": "center", "parse_math": False, "transform": across}
    every = max(1, int(np.ceil(1.2 * size / step)))  # where rows are closer than letters are high
    for index, (name, note) in enumerate(zip(shown, notes, strict=True)):
        if index % every == 0:
            ax.text(0, places[index], name, ha="left", color=ink(ax), **style)
            ax.text(1, places[index], note, ha="right", color=ink(ax), **style)
    if heading:
        ax.text(1, -1, heading, ha="right", color=muted(ax), **style)
    return Rows(places, size, low, high)


def _sharing(ax: Any) -> list[Any]:
    """Give the other axes that share the values and have rows already: of these the lower edge ends with the values."""
    siblings = ax.get_shared_x_axes().get_siblings(ax)
    return [one for one in siblings if one is not ax and one.spines["bottom"].get_bounds() is not None]


def draw_intervals(
    ax: Any, rows: Rows, records: Sequence[Record], value: str, filled: Sequence[bool], style: Mapping[str, Any]
) -> None:
    """Draw the interval of each row, from "low" to "high", and its value as a point, open or filled.

    An interval without an end runs to that of the axis, with an arrow. ``style`` is that of the lines and points.
    """
    size, colour = min(6.0, rows.size * 0.7), style["color"]
    points = {"marker": "o", "markersize": size, "markeredgecolor": colour, "markeredgewidth": 1.4, **style}
    lines = {"linewidth": 1.8, "solid_capstyle": "butt", **{k: v for k, v in style.items() if "marker" not in k}}
    for y, record, is_filled in zip(rows.y, records, filled, strict=True):
        ends = np.clip([record["low"], record["high"]], rows.low, rows.high)
        ax.plot(ends, [y, y], **{"zorder": 2, **lines})
        for end, place, arrow in zip((record["low"], record["high"]), ends, "<>", strict=True):
            if np.isinf(end):
                ax.plot(place, y, arrow, ms=size, color=colour, zorder=2)
        filling = {"markerfacecolor": colour if is_filled else paper(ax)}
        ax.plot(record[value], y, **{"zorder": 3, **filling, **points, "linestyle": "none"})


def span(values: Sequence[float]) -> tuple[float, float]:
    """Give the smallest and the largest finite one of values, which may have none."""
    finite = np.array(values, float)
    finite = finite[np.isfinite(finite)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)


def keep_axis(ax: Any, low: float, high: float, middle: float, side: str = "bottom") -> None:
    """End the axis, its marks and its title where the values end."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    first, last = ax.transData.transform([(low, 0), (high, 0)])[:, 0]
    room = (last - first) * 72 / ax.get_figure(root=True).dpi
    marks = np.asarray(MaxNLocator(int(np.clip(room / MARK, 1, 5)), steps=[1, 2, 2.5, 5, 10]).tick_values(low, high))
    ax.set_xticks(marks[(marks >= low) & (marks <= high)])
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value + 0.0:.4g}".replace("-", "−")))
    ax.spines[side].set_bounds(low, high)
    ax.xaxis.label.set(x=middle, ha="center")
