"""Answers without true labels: whether they were right, or how good they were."""

from __future__ import annotations

from typing import Any

from howsure.present.report.declare import Section, Table, section


@section(of="Outcomes", order=20)
def outcomes(assessment: Any) -> Section:
    parts = [Table(assessment.sheet())]
    if assessment.noise is not None:
        parts.append(Table(assessment.noise.sheet()))
    return Section(
        "How good are the answers?", parts, "Each case counts once, no matter how many answers it has.", "Answers"
    )
