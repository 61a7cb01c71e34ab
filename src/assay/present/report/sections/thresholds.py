"""What changes with the threshold: the explorer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.present.report.declare import Section, section
from assay.present.report.explorer import explorer_of


@section(of="Assessments", order=20)
def thresholds(assessments: Mapping[str, Any]) -> Section | None:
    explorer = explorer_of(assessments)
    if explorer is None:
        return None
    lead = "Drag or type a threshold, a prevalence or costs: counts, measures with their intervals and curves follow."
    return Section("Which threshold, and what does it cost?", [explorer], lead, "Threshold")
