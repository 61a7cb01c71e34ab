"""Is it really better? The verdict first, and the evidence for it."""

from __future__ import annotations

from typing import Any

from howsure.present.charts.declare import charts_of
from howsure.present.report.declare import Paragraph, Part, Section, Table, section
from howsure.present.report.figure import chart
from howsure.present.sheet import Sheet
from howsure.present.value_text import spoken

MOST_PAIRS = 45  # in a picture


@section(of="Comparison", order=0)
def verdict(comparison: Any) -> Section:
    return Section("Which is better?", [Paragraph(comparison.verdict, "verdict")], short="Verdict")


@section(of="Comparison", order=50)
def difference(comparison: Any) -> Section:
    """Show every pair with its interval, the pictures there are, and how it was tested."""
    parts: list[Part] = []
    charts = charts_of(type(comparison)) if len(comparison.pairs) <= MOST_PAIRS else {}
    for kind, declared in charts.items():
        title = f"Difference in {spoken(comparison.measure)}: {kind.replace('_', ' ')}"
        about: dict[str, Any] = {"reading": said(declared.summary), "description": comparison.verdict}
        parts.append(chart(f"comparison-{kind}", comparison, kind, title=title, **about))
    if comparison.ranks is not None and charts_of(type(comparison.ranks)):
        reading = "Classifiers that a bar joins cannot be told apart over these data sets."
        parts.append(chart("comparison-ranks", comparison.ranks, title="Mean ranks", reading=reading))
    if len(comparison.names) > 2:
        parts.append(Table(comparison.ranking().sheet()))
    sheet = comparison.sheet()
    parts.append(Table(Sheet(sheet.columns, sheet.rows, "", sheet.notes), _folded(sheet)))
    lead = "A difference is shown where its interval lies on one side of 0."
    return Section("Is it really better?", parts, lead, "Difference")


def said(summary: str) -> str:
    """Turn the summary of a chart, "Draw the ...", into a sentence below its title."""
    first = summary.splitlines()[0].removeprefix("Draw ")
    return f"{first[:1].upper()}{first[1:]}"


def _folded(sheet: Sheet) -> str:
    return f"All {len(sheet)} pairs" if len(sheet) > 15 else ""
