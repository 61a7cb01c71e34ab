"""An assessment based on few human labels and many labels from a judge."""

from __future__ import annotations

from typing import Any

from howsure.present.report.declare import Section, Table, section


@section(of="Judged", order=20)
def judged(assessment: Any) -> Section:
    parts = [Table(assessment.sheet()), Table(assessment.judge_sheet())]
    lead = "The labels of the judge reduce the sampling error of human labels (prediction-powered inference, PPI++)."
    return Section("What do the labels of people and of the judge show together?", parts, lead, "Labels")
