"""The matrix of differences between all pairs of classifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.present.charts.declare import chart
from howsure.present.charts.grid import lay_out
from howsure.present.charts.series import mix, next_colour
from howsure.present.charts.text import subtitle
from howsure.present.value_text import spoken

if TYPE_CHECKING:
    from howsure.comparison import Comparison

BETTER, WORSE = "▲", "▽"
MAXIMUM = 40  # maximum number of classifiers


def _size(comparison: Comparison, **options: Any) -> tuple[float, float]:
    names = comparison.ranking().names[:MAXIMUM]
    side = float(np.clip(0.62 * len(names), 1.4, 7.5))
    return side + 0.085 * min(max(map(len, names)), 45) + 0.6, side + 1.1


@chart("Comparison", size=_size)
def matrix(comparison: Comparison, ax: Any, *, color: Any = None) -> Any:
    """Draw the difference for each pair, row minus column, best first.

    A filled triangle means that the row is significantly better, an open one that it is significantly worse. If there
    are more than 40 classifiers, only the best 40 are drawn.
    """
    order = {name: rank for rank, name in enumerate(comparison.ranking().names[:MAXIMUM])}
    k = len(order)
    values, is_better = np.full((k, k), np.nan), np.zeros((k, k), bool)
    for pair in comparison.pairs:
        if pair.a in order and pair.b in order:
            a, b = order[pair.a], order[pair.b]
            values[a, b], values[b, a] = pair.difference.value, -pair.difference.value
    for good, bad in comparison.shown_pairs:
        if good in order and bad in order:
            is_better[order[good], order[bad]] = True
    ax.set_xlabel("compared with")
    title = f"difference in {spoken(comparison.measure)}, row − column"
    left_out = f"; the best {k} of {len(comparison.names)}" if k < len(comparison.names) else ""
    subtitle(ax, f"{title}; {BETTER} significantly better, {WORSE} worse{left_out}")
    grid = lay_out(ax, list(order))
    largest = np.nanmax(np.abs(values)) if np.isfinite(values).any() else 0.0
    strength = np.abs(values) / largest if largest else np.zeros_like(values)
    grid.fill(np.where(is_better, 0.25 + 0.75 * strength, 0.0), next_colour(ax, color))
    marks = np.where(is_better, BETTER, np.where(is_better.T, WORSE, " "))
    numbers = np.vectorize(_signed, otypes=[object])(values)
    if not grid.write(np.where(np.isnan(values), "", numbers + "\n" + marks)):
        grid.mark(is_better, "^")
        grid.mark(is_better.T, "v", markerfacecolor="none")
        grid.mark(np.isfinite(values) & (marks == " "), ".", markersize=1.5)
    ax.plot([-0.5, k - 0.5], [-0.5, k - 0.5], color=mix(ax, 0.3), lw=0.8, zorder=0)
    return ax


def _signed(value: float) -> str:
    return f"{value + 0.0:+.3f}".replace("-", "−")
