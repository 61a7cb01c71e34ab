"""The chart of a decision tree: the root on the left, and one row for each leaf."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.present.charts.declare import chart
from howsure.present.charts.series import ink, mix, muted, paper

if TYPE_CHECKING:
    from howsure.learners.tree.pessimistic import PessimisticTree
    from howsure.learners.tree.view import TreeView

MAX_ROWS, MAX_DEPTH = 30, 10  # largest numbers of rows and levels of a readable tree
PAGE = 14.0  # width of a figure with two trees side by side, in inches
ROW, LETTER, GAP = 0.27, 0.075, 0.35  # row height, character width, and gap between levels, in inches


@dataclass
class Layout:
    """Labels of the nodes to draw, and their positions in inches."""

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
    while stack:  # from the top row: the upper branch satisfies the condition
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
        "the upper branch is yes" if len(order) > 1 else "",
        "" if most >= deepest else f"drawn to depth {most} of {deepest}",
        "bold: leaves created by pruning" if bold else "",
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
    """Return the largest depth at which the tree has at most `MAX_ROWS` rows."""
    for most in range(1, MAX_DEPTH + 1):
        rows = int((is_leaf & (depth <= most)).sum() + (~is_leaf & (depth == most)).sum())
        if rows > MAX_ROWS:
            return max(most - 1, 1)
    return min(MAX_DEPTH, int(depth.max()))


def _count_below(view: TreeView, node: int) -> int:
    count, stack = -1, [node]
    while stack:
        node = stack.pop()
        count += 1
        stack += [] if view.is_leaf[node] else [view.left[node], view.right[node]]
    return count


def _short(text: str, most: int = 36) -> str:
    return text if len(text) <= most else f"{text[: most // 2 - 1]}…{text[-most // 2 :]}"


def _layouts(model: PessimisticTree, pruned: bool, both: bool) -> list[Layout]:
    return [lay_out(model.view(is_pruned)) for is_pruned in ((False, True) if both else (pruned,))]


def _arrange(figure: Any, model: PessimisticTree, pruned: bool = True, both: bool = False) -> Any:
    """Create axes for one tree, or for two on the same scale."""
    layouts = _layouts(model, pruned, both)
    n, widths, heights = len(layouts), [layout.width for layout in layouts], [layout.height for layout in layouts]
    if sum(widths) <= PAGE:
        figure.set_size_inches(sum(widths) + 0.3 + 0.2 * (n - 1), max(heights) + 0.7)
        axes = figure.subplots(1, n, width_ratios=widths, squeeze=False).ravel()
    else:
        figure.set_size_inches(max(widths) + 0.3, sum(heights) + 0.7 * n)
        axes = figure.subplots(n, 1, height_ratios=heights, squeeze=False).ravel()
    return axes if both else axes[0]


@chart("PessimisticTree", default=True, arrange=_arrange)
def tree(model: PessimisticTree, ax: Any, pruned: bool = True, both: bool = False) -> Any:
    """Draw the tree after or before pruning, or both on two axes."""
    layouts = _layouts(model, pruned, both)
    axes = ax if both else [ax]
    width, height = max(layout.width for layout in layouts), max(layout.height for layout in layouts)
    side_by_side = sum(layout.width for layout in layouts) <= PAGE
    for layout, own in zip(layouts, axes, strict=True):
        if side_by_side:
            layout.height = height
        else:
            layout.width = width
        _draw(layout, own)
    return ax


def _draw(layout: Layout, ax: Any) -> None:
    splits = {parent for parent, _ in layout.links}
    for parent, child in layout.links:
        start, end, middle = layout.x[parent] + 0.05, layout.x[child] - 0.06, layout.x[child] - GAP / 2
        colour = mix(ax, 0.3) if child in layout.pale else muted(ax)
        heights = [layout.y[parent], layout.y[parent], layout.y[child], layout.y[child]]
        ax.plot([start, middle, middle, end], heights, color=colour, lw=1, zorder=1, solid_joinstyle="round")
    for node, label in layout.labels.items():
        colour = muted(ax) if node in layout.pale else ink(ax)
        box = {"boxstyle": "round,pad=0.2", "fc": paper(ax), "ec": colour if node in splits else "none", "lw": 0.8}
        if node in layout.bold:
            box |= {"ec": ink(ax), "lw": 1.8}
        style = {"fontsize": 8, "va": "center", "ha": "left", "color": colour, "bbox": box, "parse_math": False}
        ax.text(layout.x[node], layout.y[node], label, zorder=2, **style)
    ax.set_title(layout.title, fontsize=9, loc="left", color=muted(ax))
    ax.set(xlim=(-0.15, layout.width), ylim=(-layout.height + ROW / 4, ROW * 0.75))
    ax.set_axis_off()
