"""Answers of which only this is known, whether they were right or how good they were."""

from __future__ import annotations

from typing import Any

from howsure.present.report.declare import Section, Table, section


@section(of="Outcomes", order=20)
def outcomes(assessment: Any) -> Section:
    parts = [Table(assessment.sheet())]
    if assessment.noise is not None:
        parts.append(Table(assessment.noise.sheet()))
    return Section(
        "How good are the answers?", parts, "Each case counts once, however often it was answered.", "Answers"
    )
