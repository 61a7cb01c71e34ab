"""Critical difference diagrams, and underlines of means that do not differ significantly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.present.charts.declare import chart
from howsure.present.charts.names import fit, width
from howsure.present.charts.rows import keep_axis
from howsure.present.charts.series import ink, muted, own_style
from howsure.present.charts.text import subtitle

if TYPE_CHECKING:
    from howsure.significance.posthoc.pairwise import CriticalDifference, Pairwise

ROOM = 0.3  # largest fraction of the axes that the names on either side may take up
GAP = 6.0  # space between a name and its line, in points
LARGEST, SMALLEST = 9.0, 4.5  # font sizes in points
BAR = 0.5  # distance between bars, in rows


def _size(result: CriticalDifference | Pairwise, **options: Any) -> tuple[float, float]:
    longest = min(max(map(len, result.names)), 40)
    return 6.2 + 0.07 * longest, 1.3 + 0.24 * (len(result.names) / 2 + 2 + BAR * len(result.groups))


@chart("CriticalDifference", default=True, size=_size)
def diagram(result: CriticalDifference, ax: Any, **style: Any) -> Any:
    """Draw the mean ranks with the critical difference, best on the left.

    ``style`` keywords are passed to Matplotlib for the bars.
    """
    of = f" from {result.control}" if result.control is not None else ""
    ax.set_xlabel("mean rank")
    subtitle(
        ax,
        f"{result.method}, {result.rows} folds or data sets; bars join ranks without a significant difference{of} "
        f"(level {result.alpha:g})",
    )
    _draw(ax, result.names, result.ranks, result.groups, own_style(ax, style), result.cd)
    return ax


@chart("Pairwise", default=True, size=_size)
def underlines(result: Pairwise, ax: Any, **style: Any) -> Any:
    """Draw means or mean ranks, with lines joining those that are similar.

    ``style`` keywords are passed to Matplotlib for the lines.
    """
    of = f" from {result.control}" if result.control is not None else ""
    ax.set_xlabel("mean or mean rank")
    subtitle(ax, f"{result.method}; lines join values without a significant difference{of} (level {result.alpha:g})")
    _draw(ax, result.names, result.values, result.groups, own_style(ax, style))
    return ax


def _draw(
    ax: Any,
    names: Sequence[str],
    values: Sequence[float],
    groups: Sequence[Sequence[str]],
    bar_style: dict[str, Any],
    ruler: float = np.nan,
) -> None:
    figure = ax.get_figure(root=True)
    ax.set_yticks([])
    ax.spines[["left", "bottom", "right"]].set_visible(False)
    ax.spines["top"].set_visible(True)
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    figure.draw_without_rendering()  # determines the size of the axes
    across, down = (ax.bbox.width * 72 / figure.dpi, ax.bbox.height * 72 / figure.dpi)
    order = sorted(range(len(names)), key=lambda index: values[index])
    half = -(-len(order) // 2)
    value_of = dict(zip(names, values, strict=True))
    apart = 0.04 * (max(values) - min(values))
    bars = _levels([sorted(value_of[name] for name in group) for group in groups if len(group) > 1], apart)
    depth = 0.6 + BAR * (
        1 + max((level for _, _, level in bars), default=-1)
    )  # height of the bars above the first name, in rows
    has_ruler = bool(np.isfinite(ruler))
    total = depth + half + 0.5 + has_ruler
    ax.set_ylim(-total, 0)
    size = float(np.clip(0.78 * down / total, SMALLEST, LARGEST))
    short = dict(zip(names, fit(ax, names, ROOM * across, fontsize=size), strict=True))
    sides = [order[:half], order[half:][::-1]]  # the outermost on top, so that no lines cross
    left, right = (
        max((width(ax, short[names[index]], fontsize=size) for index in side), default=0.0) + GAP for side in sides
    )
    low, high = min(values), max(values)
    high = max(high, low + (ruler if has_ruler else 0.0))
    spread = (high - low) or 1.0
    low, high = low - 0.04 * spread, high + 0.04 * spread
    scale = (high - low) / max(across - left - right, 0.2 * across)
    edges = low - left * scale, low + (across - left) * scale
    ax.set_xlim(edges)
    keep_axis(ax, low, high, (left + across - right) / 2 / across, "top")
    style: dict[str, Any] = {"fontsize": size, "va": "center", "color": ink(ax), "parse_math": False}
    for side, end, inward in zip(sides, (low, edges[1] - right * scale), ("right", "left"), strict=True):
        away = -1 if inward == "right" else 1
        for row, index in enumerate(side):
            y, value = -depth - row - 0.5, values[index]
            ax.plot([value, value, end], [0, y, y], color=muted(ax), lw=0.9, zorder=1)
            ax.plot(value, 0, "o", ms=4, color=ink(ax), clip_on=False, zorder=3)
            ax.text(end + away * 0.6 * GAP * scale, y, short[names[index]], ha=inward, **style)
    overhang = 3 * scale
    for first, last, level in bars:
        y = -0.6 - BAR * level
        ax.plot(
            [first - overhang, last + overhang],
            [y, y],
            **{"linewidth": 3.5, "solid_capstyle": "round", "zorder": 2, **bar_style},
        )
    if has_ruler:
        start, y = low + 0.04 * spread, -total + 0.6
        ax.plot([start, start + ruler], [y, y], "|-", color=ink(ax), lw=1.2, ms=7, mew=1.2)
        ax.text(start + ruler + GAP * scale, y, f"critical difference {ruler:.3g}", ha="left", **style)


def _levels(spans: Sequence[Sequence[float]], apart: float) -> list[tuple[float, float, int]]:
    """Return the ends of each bar, and a level at which it overlaps no other."""
    ends: list[float] = []
    placed = []
    for first, last in sorted((span[0], span[-1]) for span in spans):
        level = next((level for level, end in enumerate(ends) if end + apart < first), len(ends))
        ends[level:] = [last, *ends[level + 1 :]]
        placed.append((first, last, level))
    return placed
