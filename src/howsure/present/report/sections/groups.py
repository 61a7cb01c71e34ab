"""Is it the same for everyone? Groups of cases, each against the rest."""

from __future__ import annotations

from typing import Any

from howsure.present.report.declare import Part, Section, Table, section
from howsure.present.report.figure import chart
from howsure.present.value_text import spoken


@section(of="AssessmentGroups", order=12)
def groups(result: Any) -> Section | None:
    """Show the measures of the headline for each group, and how far it is from the rest."""
    if len(result) < 2:
        return None
    parts: list[Part] = []
    for measure in result.measures_to_compare():
        differences = result.differences(measure)
        sheet = differences.sheet()
        title = f"{spoken(measure)} of each group, less that of the rest"
        reading = "Left of 0 worse than the rest, right of it better; filled: shown to differ, of all groups together."
        if any(not one.note for one in differences.groups):
            about: dict[str, Any] = {"reading": reading, "description": differences.title}
            parts.append(chart(f"groups-{measure}", differences, title=title, **about))
        parts.append(Table(sheet))
    lead = "Each group against all other cases; intervals allow for the number of groups."
    return Section(f"Is it the same for every {result.name}?", parts, lead, "Groups")
