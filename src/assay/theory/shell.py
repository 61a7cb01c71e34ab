"""The picture of how much of a ball lies near its surface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.advice.shell import shell_volume
from assay.errors import must
from assay.present.charts import INK

__all__ = ["plot_shell_volume", "shell_volume"]

MOST = 8  # lines that have a name; more names would cover each other
HIGHEST, LOWEST = 0.88, 0.4  # heights between which the names of the lines stand


def plot_shell_volume(dimensions: Sequence[int] = (1, 2, 5, 20), ax: Any = None) -> Any:
    """Draw the share of a ball's volume near its surface against the thickness of the shell; give the axes back.

    Examples
    --------
    >>> from assay.selection import plot_shell_volume
    >>> ax = plot_shell_volume((1, 2, 20))
    >>> ax.get_xlabel()
    'epsilon: distance from the surface, as a share of the radius'
    """
    listed = hasattr(dimensions, "__len__") and not isinstance(dimensions, str)
    if not listed or np.ndim(shell_volume(dimensions)) != 1 or not len(dimensions):  # which refuses what is none
        must("dimensions", "a list of one or more whole numbers", given=dimensions)
    if ax is None:
        from matplotlib.figure import Figure

        ax = Figure(figsize=(5.4, 4.0), layout="constrained").subplots()
    fine = np.linspace(0, 1, 401) ** 2  # closer where the lines are steep
    ordered = sorted({int(one) for one in dimensions})
    step = -(-len(ordered) // MOST)
    for place, dimension in enumerate(ordered):
        share = (place + 1) / (len(ordered) + 1)
        ax.plot(fine, shell_volume(dimension, fine), color=INK, lw=1.6, alpha=0.35 + 0.65 * share)
        if (len(ordered) - 1 - place) % step:
            continue
        height = LOWEST + share * (HIGHEST - LOWEST)
        at = -np.expm1(np.log1p(-height) / dimension)  # where the line reaches that height
        ground = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
        ax.annotate(
            f"D = {dimension}", (at, height), (5, -1), textcoords="offset points", va="top", fontsize=9, bbox=ground
        )
    ax.set(xlabel="epsilon: distance from the surface, as a share of the radius", ylabel="share of the volume")
    ax.set(xlim=(0, 1), ylim=(0, 1.02))
    ax.spines[["top", "right"]].set_visible(False)
    return ax
