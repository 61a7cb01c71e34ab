"""The chart of a ranking: the value of each classifier with its interval, grouped by tier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from howsure.present.charts.declare import chart
from howsure.present.charts.rows import draw_intervals, height, lay_out, span
from howsure.present.charts.series import muted, own_style
from howsure.present.charts.text import subtitle
from howsure.present.value_text import spoken

if TYPE_CHECKING:
    from howsure.comparison.ranking import Ranking


MAXIMUM = 60  # maximum number of classifiers


def _size(ranking: Ranking, **options: Any) -> tuple[float, float]:
    return 6.8, height(min(len(ranking.names), MAXIMUM))


@chart("Ranking", default=True, size=_size)
def values(ranking: Ranking, ax: Any, **style: Any) -> Any:
    """Draw the value of each classifier with its interval, by tier.

    If there are more than 60 classifiers, only the best 60 are drawn. ``style`` keywords are passed to Matplotlib
    lines.
    """
    records = ranking.records()[:MAXIMUM]
    ax.set_xlabel(spoken(ranking.measure))
    level = f"{100 * ranking.confidence:g} % intervals"
    title = f"{level}; a tier starts where a classifier is significantly worse than some classifier above"
    if len(records) < len(ranking.names):
        title += f"; the best {len(records)} of {len(ranking.names)}"
    subtitle(ax, title)
    notes = ["" if record["tier"] is None else f"tier {record['tier']}" for record in records]
    ends = span([record[end] for record in records for end in ("low", "high", "value")])
    rows = lay_out(ax, [record["classifier"] for record in records], notes, ends)
    for y, record in zip(rows.y, records, strict=True):
        if record["tier"] is not None and record["tier"] % 2 == 0:
            ax.axhspan(y - 0.5, y + 0.5, color=muted(ax), alpha=0.12, lw=0, zorder=0)
    draw_intervals(ax, rows, records, "value", [record["tier"] == 1 for record in records], own_style(ax, style))
    return ax
