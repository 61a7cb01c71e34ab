"""The chart of who beats whom: the difference of every two classifiers, marked where it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assay.present.charts.declare import chart
from assay.present.charts.grid import lay_out
from assay.present.charts.series import mix, next_colour
from assay.present.charts.text import subtitle

if TYPE_CHECKING:
    from assay.comparison import Comparison

BETTER, WORSE = "▲", "▽"


def _size(comparison: Comparison, **options: Any) -> tuple[float, float]:
    k = len(comparison.names)
    letters = min(max(map(len, comparison.names)), 45)
    side = float(np.clip(0.62 * k, 1.4, 7.5))
    return side + 0.085 * letters + 0.6, side + 1.1


@chart("Comparison", size=_size)
def matrix(comparison: Comparison, ax: Any, *, color: Any = None) -> Any:
    """Draw the difference of each classifier from each other, row minus column, best first.

    A full triangle says that the row is shown to be better, an open one that it is shown to be worse.
    """
    order = {name: place for place, name in enumerate(comparison.ranking().names)}
    k = len(order)
    values, marks = np.full((k, k), np.nan), np.full((k, k), "", object)
    for pair in comparison.pairs:
        a, b = order[pair.a], order[pair.b]
        values[a, b], values[b, a] = pair.difference.value, -pair.difference.value
    for good, bad in comparison.shown_pairs:
        marks[order[good], order[bad]], marks[order[bad], order[good]] = BETTER, WORSE
    ax.set_xlabel("compared with")
    title = f"difference in {comparison.measure.replace('_', ' ')}, row − column; {BETTER} shown better, {WORSE} worse"
    subtitle(ax, title)
    grid = lay_out(ax, list(order))
    largest = np.nanmax(np.abs(values)) if np.isfinite(values).any() else 0.0
    strength = np.abs(values) / largest if largest else np.zeros_like(values)
    grid.fill(np.where(marks == BETTER, 0.25 + 0.75 * strength, 0.0), next_colour(ax, color))
    signed = np.where(np.isnan(values), "", np.vectorize(_signed, otypes=[object])(values))
    below = np.where(signed == "", "", signed + "\n" + np.where(marks == "", " ", marks))
    if not grid.write(below):
        dots = np.where((marks == "") & np.isfinite(values), "·", marks)
        grid.write(dots)
    ax.plot([-0.5, k - 0.5], [-0.5, k - 0.5], color=mix(ax, 0.3), lw=0.8, zorder=0)
    return ax


def _signed(value: float) -> str:
    return f"{value + 0.0:+.3f}".replace("-", "−")
