"""The chart of the proportion of a ball's volume near its surface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.arrays import Array
from howsure.present.charts.axes import finish, set_titles
from howsure.present.charts.declare import chart
from howsure.present.charts.names import width
from howsure.present.charts.series import draw_series, ink, muted

if TYPE_CHECKING:
    from howsure.theory.shell import ShellVolumes

MAX_LABELS = 8  # maximum number of labelled lines
HIGHEST, LOWEST = 0.88, 0.4  # preferred range of label heights
HEIGHTS = np.linspace(0.06, 0.94, 45)  # possible label heights
GAP = 5.0  # space between a line and its label, in points
Box = tuple[float, float, float, float]  # left, right, bottom, top


@chart("ShellVolumes", default=True)
def volumes(shells: ShellVolumes, ax: Any, **style: Any) -> Any:
    """Draw the proportion of the volume within epsilon of the surface."""
    own = dict(style)
    for index, volume in enumerate(shells.shares.values()):
        opacity = 0.35 + 0.65 * _share(shells, index)
        line = draw_series(ax, shells.epsilon, volume, own, linewidth=1.6, alpha=opacity, linestyle="-")
        own = {"color": line.get_color(), **style}  # the same colour for all lines
    set_titles(ax, shells.title, "epsilon: distance from the surface, as a share of the radius", "share of the volume")
    ax.set(xlim=(0, 1), ylim=(0, 1.02))
    finish(ax, legend=False)
    _name_lines(shells, ax)
    return ax


def _share(shells: ShellVolumes, index: int) -> float:
    return (index + 1) / (len(shells.shares) + 1)


def _name_lines(shells: ShellVolumes, ax: Any) -> None:
    """Label each line with its dimension, with a leader line if needed."""
    figure = ax.get_figure(root=True)
    figure.draw_without_rendering()  # determines the size of the axes
    unit = 72 / figure.dpi * ax.bbox.size / (1.0, 1.02)  # horizontal and vertical points per unit of the axes
    names = [f"D = {dimension}" for dimension in shells.shares]
    lines = [np.asarray(volume) for volume in shells.shares.values()]
    step = -(-len(names) // MAX_LABELS)
    taken: list[Box] = []
    leader = {"arrowstyle": "-", "color": muted(ax), "lw": 0.6, "shrinkA": 0, "shrinkB": 0}
    for index in range((len(names) - 1) % step, len(names), step):
        size = np.array([width(ax, names[index], fontsize=9), 9.0]) / unit
        wanted = LOWEST + _share(shells, index) * (HIGHEST - LOWEST)
        box, passed = _room(shells.epsilon, lines[index::-1], (size[0], size[1], GAP / unit[0]), wanted, taken)
        taken.append(box)
        y = (box[2] + box[3]) / 2
        text = {"va": "center", "fontsize": 9, "color": ink(ax), "arrowprops": leader if passed else None}
        ax.annotate(names[index], (np.interp(y, lines[index], shells.epsilon), y), (box[0], y), **text)


def _room(
    epsilon: Array, lines: list[Array], size: tuple[float, float, float], wanted: float, taken: list[Box]
) -> tuple[Box, int]:
    """Return a box for a label, and the number of lines between it and its line.

    ``lines`` contains this line and those to its right, ``size`` the width, height and gap of the label, and ``wanted``
    its preferred height. ``taken`` boxes are avoided if possible.
    """
    wide, high, gap = size
    candidates: dict[tuple[bool, int, float], Box] = {}
    for y in HEIGHTS:
        low, top = y - high / 2, y + high / 2
        starts = [np.interp(top, line, epsilon) for line in lines]
        ends = [*(np.interp(low, line, epsilon) for line in lines[1:]), np.inf]
        for passed, (start, end) in enumerate(zip(starts, ends, strict=True)):
            box = (start + gap, start + gap + wide, low, top)
            is_hit = box[1] + gap / 2 > min(end, 1.0) or any(_overlap(box, occupied) for occupied in taken)
            candidates[is_hit, passed, abs(y - wanted)] = box
    best = min(candidates)
    return candidates[best], best[1]


def _overlap(first: Box, second: Box) -> bool:
    return first[0] < second[1] and second[0] < first[1] and first[2] < second[3] and second[2] < first[3]
