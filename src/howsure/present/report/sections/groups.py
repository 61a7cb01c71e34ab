"""Groups of cases, each compared with the rest."""

from __future__ import annotations

from typing import Any

from howsure.present.report.declare import Part, Section, Table, section
from howsure.present.report.figure import chart
from howsure.present.value_text import spoken


@section(of="AssessmentGroups", order=12)
def groups(result: Any) -> Section | None:
    """Show the difference between each group and the rest."""
    if len(result) < 2:
        return None
    parts: list[Part] = []
    for measure in result.measures_to_compare():
        differences = result.differences(measure)
        sheet = differences.sheet()
        title = f"Difference in {spoken(measure)} between each group and the rest"
        reading = "Left of 0: worse than the rest; right of 0: better. Filled: significant, adjusted for all groups."
        if any(not group.note for group in differences.groups):
            about: dict[str, Any] = {"reading": reading, "description": differences.title}
            parts.append(chart(f"groups-{measure}", differences, title=title, **about))
        parts.append(Table(sheet))
    lead = "Each group is compared with all other cases; the intervals are adjusted for the number of groups."
    return Section(f"Is it the same for every {result.name}?", parts, lead, "Groups")
