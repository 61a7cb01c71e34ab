"""The verdict on one classifier."""

from __future__ import annotations

from typing import Any

from howsure.present.report.declare import Paragraph, Section, section


@section(of="Headline", order=0)
def headline(result: Any) -> Section:
    text = getattr(result, "headline", "") or result.title
    findings = [Paragraph(str(finding), "finding") for finding in result.findings]
    return Section(result.report_question, [Paragraph(text, "verdict"), *findings], short="Verdict")
