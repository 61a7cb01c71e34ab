"""The answer first."""

from __future__ import annotations

from typing import Any

from assay.present.report.declare import Paragraph, Section, section


@section(of="Assessment", order=0)
def headline(assessment: Any) -> Section:
    text = getattr(assessment, "headline", "") or assessment.title
    findings = [Paragraph(str(finding), "finding") for finding in assessment.findings]
    return Section("How good is it?", [Paragraph(text, "verdict"), *findings], short="Verdict")
