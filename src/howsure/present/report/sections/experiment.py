"""How stable is it, and which one would you take? What an experiment knows beyond a comparison."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from howsure.errors import HowsureError
from howsure.present.charts.declare import charts_of
from howsure.present.report.declare import Paragraph, Part, Section, Table, section
from howsure.present.report.figure import chart
from howsure.present.value_text import number, spoken


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
    for index, dataset in enumerate(result.datasets):
        table = result.scores(result.main_measure, dataset)
        if not charts_of(type(table)):
            break
        title = f"{spoken(table.measure)} in each split" + (f", {dataset}" if len(result.datasets) > 1 else "")
        reading = "A dot for each split; the box holds the middle half of them, its line is the median."
        about: dict[str, Any] = {"reading": reading, "description": _spread(table), "data": table.sheet()}
        parts.append(chart(f"folds-{index}", table, title=title, **about))
    sheet = result.sheet()
    parts.append(Table(sheet))
    lead = "Splits share training cases, so their spread alone says too little; the corrected interval allows for that."
    return Section("How stable is it?", parts, lead, "Stability")


@section(of="ExperimentResult", order=70)
def preference(result: Any) -> Section | None:
    """Weigh error against time, memory and size."""
    parts: list[Part] = []
    for index, dataset in enumerate(result.datasets):
        with suppress(HowsureError):  # nothing to weigh
            choice = result.preference(dataset=dataset)
            title = "Error and what it costs" + (f", {dataset}" if len(result.datasets) > 1 else "")
            reading = "Filled: no other classifier is better in every respect."
            about: dict[str, Any] = {"reading": reading, "description": str(choice)}
            parts += [chart(f"preference-{index}", choice, title=title, **about), Table(choice.sheet())]
    parts.append(Table(result.profile()))
    lead = "When the error is not everything: time, memory and size."
    return Section("Which one would you take?", parts, lead, "Preference")


def _spread(table: Any) -> str:
    """Say what the boxes show: the median of each learner, and where the values lie."""
    said = []
    for learner in table.learners:
        values = table[learner][np.isfinite(table[learner])]
        if len(values):
            low, middle, high = (number(float(value)) for value in np.quantile(values, (0, 0.5, 1)))
            said.append(f"{learner}: median {middle}, from {low} to {high}")
    return f"{'; '.join(said)}." if said else "No split has a value."
