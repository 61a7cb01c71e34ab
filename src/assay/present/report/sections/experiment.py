"""How stable is it, and which one would you take? What an experiment knows beyond a comparison."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from assay.errors import AssayError
from assay.present.charts.declare import charts_of
from assay.present.report.declare import Paragraph, Part, Section, Table, section
from assay.present.report.figure import chart
from assay.present.value_text import spoken


@section(of="ExperimentResult", order=1)
def warnings(result: Any) -> Section | None:
    """Say what a reader must know before the numbers."""
    parts: list[Part] = [Paragraph(note, "finding") for note in result.notes]
    failures = result.failures()
    if len(failures):
        parts.append(Table(failures, f"{len(failures)} failed tasks"))
    return Section("What to mind", parts, short="Warnings") if parts else None


@section(of="ExperimentResult", order=60)
def stability(result: Any) -> Section:
    """Show the values of the splits, of each data set."""
    parts: list[Part] = []
    for number, dataset in enumerate(result.datasets):
        table = result.scores(result.main_measure, dataset)
        if not charts_of(type(table)):
            break
        title = f"{spoken(table.measure)} in each split" + (f", {dataset}" if len(result.datasets) > 1 else "")
        reading = "A dot for each split; the box holds the middle half of them, its line is the median."
        data = table.sheet()
        parts.append(chart(f"folds-{number}", table, title=title, reading=reading, description=str(table), data=data))
    sheet = result.sheet()
    parts.append(Table(sheet))
    lead = "Splits share training cases, so their spread alone says too little; the corrected interval allows for that."
    return Section("How stable is it?", parts, lead, "Stability")


@section(of="ExperimentResult", order=70)
def preference(result: Any) -> Section | None:
    """Weigh error against time, memory and size."""
    parts: list[Part] = []
    for number, dataset in enumerate(result.datasets):
        with suppress(AssayError):  # nothing to weigh
            choice = result.preference(dataset=dataset)
            title = "Error and what it costs" + (f", {dataset}" if len(result.datasets) > 1 else "")
            reading = "Filled: no other classifier is better in every respect."
            about: dict[str, Any] = {"reading": reading, "description": str(choice)}
            parts += [chart(f"preference-{number}", choice, title=title, **about), Table(choice.sheet())]
    parts.append(Table(result.profile()))
    lead = "When the error is not everything: time, memory and size."
    return Section("Which one would you take?", parts, lead, "Preference")
