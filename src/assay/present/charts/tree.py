"""A pruned tree as a picture: the root at the left, one row for each leaf. No arithmetic but that of the layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.learners.tree.text import Words, answers, ends_of
from assay.present.charts import INK, MUTED

if TYPE_CHECKING:
    from assay.learners.tree.pessimistic import PessimisticTree

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
    made: set[int]  # leaves that pruning made
    pale: set[int]
    width: float
    height: float
    title: str


def lay_out(tree: PessimisticTree, pruned: bool) -> Layout:
    words, answered, ends = Words(tree), answers(tree, pruned), ends_of(tree, pruned)
    left, right = tree.nodes_.left.tolist(), tree.nodes_.right.tolist()
    depth, cut, kept = tree.nodes_.depth, tree.judgement_.cut, tree.judgement_.kept()
    there = kept if pruned else np.ones(len(left), bool)
    deepest, most = int(depth[there].max()), _depth_to_draw(depth[there], ends[there])
    ends = ends | (depth >= most)
    order = [0]  # parents first
    for node in order:
        order += [] if ends[node] else [left[node], right[node]]
    y: dict[int, float] = {}
    ahead = [0]
    while ahead:  # rows from the top: what fulfils a condition stands above
        node = ahead.pop()
        if ends[node]:
            y[node] = -ROW * len(y)
        else:
            ahead += [right[node], left[node]]
    height = ROW * len(y)
    for node in reversed(order):
        if not ends[node]:
            y[node] = (y[left[node]] + y[right[node]]) / 2
    labels = {}
    for node in order:
        if not ends[node]:
            labels[node] = _short(words.branches(node)[0]) + "?"
        elif left[node] >= 0 and not (pruned and cut[node]):
            labels[node] = f"… {int((there & (depth > most))[_below(node, left, right)].sum())} nodes below"
        else:
            labels[node] = _short(words.leaf(node, answered[node]))
    levels = range(int(depth[order].max()) + 1)
    columns = [max(len(labels[node]) for node in order if depth[node] == level) * LETTER + GAP for level in levels]
    starts = np.concatenate([[0.0], np.cumsum(columns)])
    leaves = tree.get_n_leaves() if pruned else int(tree.nodes_.is_leaf.sum())
    title = f"{'after' if pruned else 'before'} pruning: {leaves} {'leaf' if leaves == 1 else 'leaves'}"
    title += "; upwards is yes" if len(order) > 1 else ""
    title += "" if most >= deepest else f"; drawn to depth {most} of {deepest}"
    made = {node for node in order if pruned and cut[node]}
    pale = {node for node in order if not pruned and (cut[node] or not kept[node])}
    title += ("; bold: made by pruning" if made else "") + ("; pale: pruned" if pale else "")
    return Layout(
        labels,
        {node: float(starts[depth[node]]) for node in order},
        y,
        [(node, child) for node in order if not ends[node] for child in (left[node], right[node])],
        made,
        pale,
        max(float(starts[-1]), LETTER * len(title)),
        height,
        title,
    )


def _depth_to_draw(depth: Any, ends: Any) -> int:
    """Give the depth to which the tree has no more rows than can be read."""
    for most in range(1, MOST_DEPTH + 1):
        rows = int((ends & (depth <= most)).sum() + (~ends & (depth == most)).sum())
        if rows > MOST_ROWS:
            return max(most - 1, 1)
    return min(MOST_DEPTH, int(depth.max()))


def _below(node: int, left: list[int], right: list[int]) -> list[int]:
    found, ahead = [], [node]
    while ahead:
        here = ahead.pop()
        if left[here] >= 0:
            found += [left[here], right[here]]
            ahead += [left[here], right[here]]
    return found


def _short(text: str, most: int = 36) -> str:
    return text if len(text) <= most else f"{text[: most // 2 - 1]}…{text[-most // 2 :]}"


def plot_tree(tree: PessimisticTree, ax: Any, pruned: bool) -> Any:
    layout = lay_out(tree, pruned)
    if ax is None:
        from matplotlib.figure import Figure

        ax = Figure(figsize=(layout.width + 0.3, layout.height + 0.7), layout="constrained").subplots()
    return _draw(layout, ax)


def draw_both(tree: PessimisticTree) -> Any:
    from matplotlib.figure import Figure

    layouts = [lay_out(tree, pruned) for pruned in (False, True)]
    widths, heights = [layout.width for layout in layouts], [layout.height for layout in layouts]
    figure = Figure(layout="constrained")
    if sum(widths) <= PAGE:
        figure.set_size_inches(sum(widths) + 0.5, max(heights) + 0.7)
        axes, heights = figure.subplots(1, 2, width_ratios=widths), [max(heights)] * 2
    else:
        figure.set_size_inches(max(widths) + 0.3, sum(heights) + 1.4)
        axes, widths = figure.subplots(2, 1, height_ratios=heights), [max(widths)] * 2
    for layout, ax, width, height in zip(layouts, axes, widths, heights, strict=True):
        layout.width, layout.height = width, height  # one scale for both
        _draw(layout, ax)
    return figure


def _draw(layout: Layout, ax: Any) -> Any:
    splits = {parent for parent, _ in layout.links}
    for parent, child in layout.links:
        start, end, middle = layout.x[parent] + 0.05, layout.x[child] - 0.06, layout.x[child] - GAP / 2
        colour = PALE if child in layout.pale else MUTED
        heights = [layout.y[parent], layout.y[parent], layout.y[child], layout.y[child]]
        ax.plot([start, middle, middle, end], heights, color=colour, lw=1, zorder=1, solid_joinstyle="round")
    for node, label in layout.labels.items():
        colour = PALE if node in layout.pale else INK
        box = {"boxstyle": "round,pad=0.2", "fc": "white", "ec": colour if node in splits else "none", "lw": 0.8}
        if node in layout.made:
            box |= {"ec": INK, "lw": 1.8}
        style = {"fontsize": 8, "va": "center", "ha": "left", "color": colour, "bbox": box, "parse_math": False}
        ax.text(layout.x[node], layout.y[node], label, zorder=2, **style)
    ax.set_title(layout.title, fontsize=9, loc="left", color=MUTED)
    ax.set(xlim=(-0.15, layout.width), ylim=(-layout.height + ROW / 4, ROW * 0.75))
    ax.set_axis_off()
    return ax
