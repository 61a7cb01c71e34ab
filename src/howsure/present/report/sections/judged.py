"""Few human labels beside many of a judge."""

from __future__ import annotations

from typing import Any

from howsure.present.report.declare import Section, Table, section


@section(of="Judged", order=20)
def judged(assessment: Any) -> Section:
    parts = [Table(assessment.sheet()), Table(assessment.judge_sheet())]
    about = "Human labels count as they are; the judge's tell by how much chance has moved them (PPI++)."
    return Section("What do human labels and the judge's tell together?", parts, about, "Labels")
