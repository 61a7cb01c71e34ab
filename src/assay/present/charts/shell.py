"""The chart of how much of a ball lies near its surface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assay.present.charts.axes import finish, set_titles
from assay.present.charts.declare import chart
from assay.present.charts.series import draw_series, ink, paper

if TYPE_CHECKING:
    from assay.theory.shell import ShellVolumes

MAX_LABELS = 8  # more would cover each other
HIGHEST, LOWEST = 0.88, 0.4  # heights between which the labels of the lines stand


@chart("ShellVolumes", default=True)
def volumes(shells: ShellVolumes, ax: Any, **style: Any) -> Any:
    """Draw the volume within epsilon of the surface, a line for each number of dimensions."""
    step = -(-len(shells.shares) // MAX_LABELS)
    own = dict(style)
    for index, (dimension, volume) in enumerate(shells.shares.items()):
        share = (index + 1) / (len(shells.shares) + 1)
        line = draw_series(ax, shells.epsilon, volume, own, linewidth=1.6, alpha=0.35 + 0.65 * share, linestyle="-")
        own = {"color": line.get_color(), **style}  # one for all
        if (len(shells.shares) - 1 - index) % step:
            continue
        height = LOWEST + share * (HIGHEST - LOWEST)
        point = (np.interp(height, volume, shells.epsilon), height)
        ground = {"facecolor": paper(ax), "edgecolor": "none", "pad": 0.8}
        text: dict[str, Any] = {"textcoords": "offset points", "va": "top", "fontsize": 9, "bbox": ground}
        ax.annotate(f"D = {dimension}", point, (5, -1), color=ink(ax), **text)
    set_titles(ax, "", "epsilon: distance from the surface, as a share of the radius", "share of the volume")
    ax.set(xlim=(0, 1), ylim=(0, 1.02))
    return finish(ax, legend=False)
