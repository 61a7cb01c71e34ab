"""The chart of groups against the rest: a forest of differences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from howsure.present.charts.declare import chart
from howsure.present.charts.rows import draw_intervals, height, lay_out, span
from howsure.present.charts.series import ink, own_style
from howsure.present.charts.text import subtitle
from howsure.present.value_text import spoken

if TYPE_CHECKING:
    from howsure.assessment.group_differences import GroupDifference, GroupDifferences

MOST = 45  # rows


def _drawn(differences: GroupDifferences) -> list[GroupDifference]:
    """Give the groups there is room for: those of the most cases that are large enough."""
    compared = [one for one in differences.groups if not one.note]
    largest = sorted(compared, key=lambda one: -one.own.n)[:MOST]
    return [one for one in compared if one in largest]


def _size(differences: GroupDifferences, **options: Any) -> tuple[float, float]:
    return 6.8, height(len(_drawn(differences)))


@chart("GroupDifferences", default=True, size=_size)
def rest(differences: GroupDifferences, ax: Any, **style: Any) -> Any:
    """Draw each group's difference from the rest with its interval; filled where it is shown.

    ``style`` are keywords of a Matplotlib line.
    """
    drawn = _drawn(differences)
    records = [{"low": one.low, "high": one.high, "difference": one.difference} for one in drawn]
    ends = span([0.0, *(value for record in records for value in record.values())])
    notes = [f"n = {one.own.n:g}" for one in drawn]
    ax.set_xlabel(f"{spoken(differences.measure)} less that of the rest")
    left_out = f"; {len(drawn)} of {len(differences.groups)} groups" if len(drawn) < len(differences.groups) else ""
    level = f"{100 * differences.confidence:g} % intervals, all groups together"
    subtitle(ax, f"by {differences.name}; {level}; filled: shown to differ from the rest{left_out}")
    rows = lay_out(ax, [str(one.group) for one in drawn], notes, ends)
    draw_intervals(ax, rows, records, "difference", [one.is_shown for one in drawn], own_style(ax, style))
    ax.plot([0, 0], [-0.5, len(drawn) - 0.5], color=ink(ax), lw=0.9, zorder=1)
    return ax
