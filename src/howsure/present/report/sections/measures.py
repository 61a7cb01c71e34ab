"""The collapsed table of all measures."""

from __future__ import annotations

from typing import Any

from howsure.present.report.declare import Section, Table, section


@section(of="Assessment", order=85)
def measures(assessment: Any) -> Section:
    sheet = assessment.all().sheet()
    about = f"{len(sheet)} measures with 95 % intervals"
    return Section("All measures", [Table(sheet, about)], "All measures that apply to these predictions.", "Measures")
