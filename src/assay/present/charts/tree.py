"""A tree as a picture: the root at the left, one row for each leaf. No arithmetic but that of the layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.present.charts import INK, MUTED
from assay.present.charts.declare import chart

if TYPE_CHECKING:
    from assay.learners.tree.pessimistic import PessimisticTree
    from assay.learners.tree.view import TreeView

PALE = "#b0b0b0"
MOST_ROWS, MOST_DEPTH = 30, 10  # beyond these nobody can read it
PAGE = 14.0  # inches up to which two trees stand side by side
ROW, LETTER, GAP = 0.27, 0.075, 0.35  # inches


@dataclass
class Layout:
    """Where the nodes that are drawn stand, in inches, and what is written there."""

    labels: dict[int, str]
    x: dict[int, float]
    y: dict[int, float]
    links: list[tuple[int, int]]
    bold: set[int]
    pale: set[int]
    width: float
    height: float
    title: str


def lay_out(view: TreeView) -> Layout:
    left, right, depth = view.left, view.right, view.depth
    depths = depth[view.remaining]
    deepest, most = int(depths.max()), _depth_to_draw(depths, view.is_leaf[view.remaining])
    ends = view.is_leaf | (depth >= most)
    order = [0]  # parents first
    for node in order:
        order += [] if ends[node] else [left[node], right[node]]
    y: dict[int, float] = {}
    stack = [0]
    while stack:  # rows from the top: what fulfils a condition stands above
        node = stack.pop()
        if ends[node]:
            y[node] = -ROW * len(y)
        else:
            stack += [right[node], left[node]]
    height = ROW * len(y)
    for node in reversed(order):
        if not ends[node]:
            y[node] = (y[left[node]] + y[right[node]]) / 2
    labels = {}
    for node in order:
        if not ends[node]:
            labels[node] = _short(view.branches(node)[0]) + "?"
        elif not view.is_leaf[node]:
            labels[node] = f"… {_count_below(view, node)} nodes below"
        else:
            labels[node] = _short(view.leaf(node))
    levels = range(int(depth[order].max()) + 1)
    columns = [max(len(labels[node]) for node in order if depth[node] == level) * LETTER + GAP for level in levels]
    starts = np.concatenate([[0.0], np.cumsum(columns)])
    bold = {node for node in order if view.made_by_pruning[node]}
    pale = {node for node in order if view.to_be_pruned[node]}
    parts = [
        view.title,
        "upwards is yes" if len(order) > 1 else "",
        "" if most >= deepest else f"drawn to depth {most} of {deepest}",
        "bold: made by pruning" if bold else "",
        "pale: pruned" if pale else "",
    ]
    title = "; ".join(part for part in parts if part)
    return Layout(
        labels,
        {node: float(starts[depth[node]]) for node in order},
        y,
        [(node, child) for node in order if not ends[node] for child in (left[node], right[node])],
        bold,
        pale,
        max(float(starts[-1]), LETTER * len(title)),
        height,
        title,
    )


def _depth_to_draw(depth: Any, is_leaf: Any) -> int:
    """Give the depth to which the tree has no more rows than can be read."""
    for most in range(1, MOST_DEPTH + 1):
        rows = int((is_leaf & (depth <= most)).sum() + (~is_leaf & (depth == most)).sum())
        if rows > MOST_ROWS:
            return max(most - 1, 1)
    return min(MOST_DEPTH, int(depth.max()))


def _count_below(view: TreeView, node: int) -> int:
    count, stack = -1, [node]
    while stack:
        node = stack.pop()
        count += 1
        stack += [] if view.is_leaf[node] else [view.left[node], view.right[node]]
    return count


def _short(text: str, most: int = 36) -> str:
    return text if len(text) <= most else f"{text[: most // 2 - 1]}…{text[-most // 2 :]}"


@chart("PessimisticTree", default=True)
def tree(model: PessimisticTree, ax: Any = None, pruned: bool = True, both: bool = False) -> Any:
    """Draw the tree after pruning, before it, or both: then ``ax`` and what is returned are two axes."""
    if both:
        return _draw_trees([model.view(pruned=False), model.view()], ax)
    return _draw_trees([model.view(pruned)], None if ax is None else [ax])[0]


def _draw_trees(views: Sequence[TreeView], axes: Any = None) -> Any:
    """Draw trees on one scale, side by side where the page is wide enough, and give their axes."""
    layouts = [lay_out(view) for view in views]
    widths, heights = [layout.width for layout in layouts], [layout.height for layout in layouts]
    if axes is None:
        from matplotlib.figure import Figure

        figure, n = Figure(layout="constrained"), len(layouts)
        if sum(widths) <= PAGE:
            figure.set_size_inches(sum(widths) + 0.3 + 0.2 * (n - 1), max(heights) + 0.7)
            grid, heights = figure.subplots(1, n, width_ratios=widths, squeeze=False), [max(heights)] * n
        else:
            figure.set_size_inches(max(widths) + 0.3, sum(heights) + 0.7 * n)
            grid, widths = figure.subplots(n, 1, height_ratios=heights, squeeze=False), [max(widths)] * n
        axes = grid.ravel()
    for layout, ax, width, height in zip(layouts, axes, widths, heights, strict=True):
        layout.width, layout.height = width, height
        _draw(layout, ax)
    return axes


def _draw(layout: Layout, ax: Any) -> None:
    splits = {parent for parent, _ in layout.links}
    for parent, child in layout.links:
        start, end, middle = layout.x[parent] + 0.05, layout.x[child] - 0.06, layout.x[child] - GAP / 2
        colour = PALE if child in layout.pale else MUTED
        heights = [layout.y[parent], layout.y[parent], layout.y[child], layout.y[child]]
        ax.plot([start, middle, middle, end], heights, color=colour, lw=1, zorder=1, solid_joinstyle="round")
    for node, label in layout.labels.items():
        colour = PALE if node in layout.pale else INK
        box = {"boxstyle": "round,pad=0.2", "fc": "white", "ec": colour if node in splits else "none", "lw": 0.8}
        if node in layout.bold:
            box |= {"ec": INK, "lw": 1.8}
        style = {"fontsize": 8, "va": "center", "ha": "left", "color": colour, "bbox": box, "parse_math": False}
        ax.text(layout.x[node], layout.y[node], label, zorder=2, **style)
    ax.set_title(layout.title, fontsize=9, loc="left", color=MUTED)
    ax.set(xlim=(-0.15, layout.width), ylim=(-layout.height + ROW / 4, ROW * 0.75))
    ax.set_axis_off()
