"""Charts of a confusion matrix: proportions within each true class, and counts expected by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.arrays import Array
from howsure.present.charts.declare import chart
from howsure.present.charts.grid import lay_out
from howsure.present.charts.series import next_colour
from howsure.present.charts.text import subtitle

if TYPE_CHECKING:
    from howsure.tables import Confusion


def _size(table: Confusion, **options: Any) -> tuple[float, float]:
    letters = min(max(len(str(label)) for label in table.labels), 30)
    side = float(np.clip(1.2 + 0.75 * table.k, 2.6, 7.5))
    return side + 0.075 * letters + 0.4, side + 0.7


@chart("Confusion", default=True, size=_size)
def shares(table: Confusion, ax: Any, *, color: Any = None) -> Any:
    """Draw the counts, coloured by their share of the true class.

    If there are too many classes for numbers, only the colours are drawn.
    """
    columns = table.columns()
    _titles(ax, "counts and shares of the true class")
    grid = lay_out(ax, table.labels, table.labels)
    grid.fill(columns["share"], next_colour(ax, color))
    counts = _counts(columns["count"])
    percent = np.vectorize(_percent, otypes=[object])(columns["share"])
    both = np.where(counts == "", "", counts + "\n" + percent)
    if not grid.write(both):
        grid.write(counts)
    return ax


@chart("Confusion", size=_size)
def chance(table: Confusion, ax: Any, *, color: Any = None) -> Any:
    """Draw the observed counts and the counts expected by chance.

    The expected counts assume that predictions and true labels are independent, with the observed totals.
    """
    columns = table.columns()
    _titles(ax, "observed counts, and below them the counts expected by chance")
    grid = lay_out(ax, table.labels, table.labels)
    counts, expected = columns["count"], columns["chance"]
    more = np.divide(counts - expected, counts, out=np.zeros(counts.shape), where=counts > expected)
    grid.fill(more, next_colour(ax, color))
    below = np.vectorize(lambda number: f"{number:.1f}", otypes=[object])(expected)
    both = _counts(counts, zeros=True) + "\n" + below
    if not grid.write(both):
        grid.write(_counts(counts))
    return ax


def _titles(ax: Any, title: str) -> None:
    ax.set(xlabel="predicted class", ylabel="true class")
    subtitle(ax, title)


def _counts(counts: Array, zeros: bool = False) -> Array:
    spell = np.vectorize(lambda n: "" if not n and not zeros else _short(n), otypes=[object])
    return np.asarray(spell(counts))


def _short(count: float) -> str:
    """Format a count compactly: 12345678 as 12.3M."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e5, "k")):
        if count >= size:
            return f"{count / (1e3 if unit == 'k' else size):.3g}{unit}"
    return f"{count:.0f}" if float(count).is_integer() else f"{count:.1f}"


def _percent(share: float) -> str:
    if np.isnan(share):
        return ""
    return "< 1 %" if 0 < share < 0.005 else "> 99 %" if 0.995 <= share < 1 else f"{100 * share:.0f} %"
