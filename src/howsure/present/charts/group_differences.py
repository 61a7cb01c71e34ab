"""The forest plot of the differences between groups and the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from howsure.present.charts.declare import chart
from howsure.present.charts.rows import draw_intervals, height, lay_out, span
from howsure.present.charts.series import ink, own_style
from howsure.present.charts.text import subtitle
from howsure.present.value_text import spoken

if TYPE_CHECKING:
    from howsure.assessment.group_differences import GroupDifference, GroupDifferences

MAXIMUM = 45  # maximum number of rows


def _drawn(differences: GroupDifferences) -> list[GroupDifference]:
    """Return the groups to draw: the largest among those that can be compared."""
    compared = [group for group in differences.groups if not group.note]
    largest = sorted(compared, key=lambda group: -group.own.n)[:MAXIMUM]
    return [group for group in compared if group in largest]


def _size(differences: GroupDifferences, **options: Any) -> tuple[float, float]:
    return 6.8, height(len(_drawn(differences)))


@chart("GroupDifferences", default=True, size=_size)
def rest(differences: GroupDifferences, ax: Any, **style: Any) -> Any:
    """Draw the difference between each group and the rest with its interval.

    ``style`` keywords are passed to Matplotlib lines.
    """
    drawn = _drawn(differences)
    records = [{"low": group.low, "high": group.high, "difference": group.difference} for group in drawn]
    ends = span([0.0, *(value for record in records for value in record.values())])
    notes = [f"n = {group.own.n:g}" for group in drawn]
    ax.set_xlabel(f"difference in {spoken(differences.measure)}, group − rest")
    left_out = f"; {len(drawn)} of {len(differences.groups)} groups" if len(drawn) < len(differences.groups) else ""
    level = f"simultaneous {100 * differences.confidence:g} % intervals"
    subtitle(ax, f"by {differences.name}; {level}; filled: significantly different from the rest{left_out}")
    rows = lay_out(ax, [str(group.group) for group in drawn], notes, ends)
    draw_intervals(ax, rows, records, "difference", [group.is_shown for group in drawn], own_style(ax, style))
    ax.plot([0, 0], [-0.5, len(drawn) - 0.5], color=ink(ax), lw=0.9, zorder=1)
    return ax
