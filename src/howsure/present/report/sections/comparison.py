"""The comparison of classifiers: the verdict, and the evidence for it."""

from __future__ import annotations

from typing import Any

from howsure.present.charts.declare import charts_of
from howsure.present.report.declare import Paragraph, Part, Section, Table, section
from howsure.present.report.figure import chart
from howsure.present.sheet import Sheet
from howsure.present.value_text import spoken

MAX_PAIRS = 45  # maximum number of pairs in a figure
TITLES = {
    "forest": "with intervals",
    "matrix": "for each pair",
}  # ends of chart titles, after "Difference in accuracy, "


@section(of="Comparison", order=0)
def verdict(comparison: Any) -> Section:
    return Section("Which is better?", [Paragraph(comparison.verdict, "verdict")], short="Verdict")


@section(of="Comparison", order=50)
def difference(comparison: Any) -> Section:
    """Show the charts, and every pair with its interval and test."""
    parts: list[Part] = []
    charts = charts_of(type(comparison)) if len(comparison.pairs) <= MAX_PAIRS else {}
    for kind, declared in charts.items():
        title = f"Difference in {spoken(comparison.measure)}, {TITLES.get(kind, kind.replace('_', ' '))}"
        about: dict[str, Any] = {"reading": caption(declared.summary), "description": comparison.verdict}
        parts.append(chart(f"comparison-{kind}", comparison, kind, title=title, **about))
    if comparison.ranks is not None and charts_of(type(comparison.ranks)):
        reading = "Bars join classifiers that do not differ significantly over these data sets."
        parts.append(chart("comparison-ranks", comparison.ranks, title="Mean ranks", reading=reading))
    if len(comparison.names) > 2:
        parts.append(Table(comparison.ranking().sheet()))
    sheet = comparison.sheet()
    parts.append(Table(Sheet(sheet.columns, sheet.rows, "", sheet.notes), _folded(sheet)))
    lead = "A difference is statistically significant if its interval excludes 0."
    return Section("Is it really better?", parts, lead, "Difference")


def caption(summary: str) -> str:
    """Convert the summary of a chart, "Draw the ...", to its caption."""
    first = summary.splitlines()[0].removeprefix("Draw ")
    return f"{first[:1].upper()}{first[1:]}"


def _folded(sheet: Sheet) -> str:
    return f"All {len(sheet)} pairs" if len(sheet) > 15 else ""
