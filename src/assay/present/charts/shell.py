"""The chart of how much of a ball lies near its surface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from assay.arrays import Array
from assay.present.charts.axes import finish
from assay.present.charts.series import draw_series, ink, paper

MAX_LABELS = 8  # more would cover each other
HIGHEST, LOWEST = 0.88, 0.4  # heights between which the labels of the lines stand


def draw_shells(epsilon: Array, volumes: Mapping[int, Array], ax: Any) -> Any:
    """Draw the volume within ``epsilon`` of the surface, a line for each number of dimensions, in ascending order."""
    step = -(-len(volumes) // MAX_LABELS)
    colour: dict[str, Any] = {}
    for index, (dimension, volume) in enumerate(volumes.items()):
        share = (index + 1) / (len(volumes) + 1)
        line = draw_series(ax, epsilon, volume, linewidth=1.6, alpha=0.35 + 0.65 * share, **colour)
        colour = {"color": line.get_color(), "linestyle": "-"}  # one for all
        if (len(volumes) - 1 - index) % step:
            continue
        height = LOWEST + share * (HIGHEST - LOWEST)
        point = (np.interp(height, volume, epsilon), height)
        ground = {"facecolor": paper(ax), "edgecolor": "none", "pad": 0.8}
        style = {"textcoords": "offset points", "va": "top", "fontsize": 9, "bbox": ground, "color": ink(ax)}
        ax.annotate(f"D = {dimension}", point, (5, -1), **style)
    ax.set(xlabel="epsilon: distance from the surface, as a share of the radius", ylabel="share of the volume")
    ax.set(xlim=(0, 1), ylim=(0, 1.02))
    return finish(ax, legend=False)
