"""Sections of an experiment: warnings, the values of the splits, and the trade-off between error and resources."""

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
    """Show notes and failed tasks before the numbers."""
    parts: list[Part] = [Paragraph(note, "finding") for note in result.notes]
    failures = result.failures()
    if len(failures):
        parts.append(Table(failures, f"{len(failures)} failed tasks"))
    return Section("Warnings", parts, short="Warnings") if parts else None


@section(of="ExperimentResult", order=60)
def stability(result: Any) -> Section:
    """Show the values of the splits of each data set."""
    parts: list[Part] = []
    for index, dataset in enumerate(result.datasets):
        table = result.scores(result.main_measure, dataset)
        if not charts_of(type(table)):
            break
        title = f"{spoken(table.measure)} in each split" + (f", {dataset}" if len(result.datasets) > 1 else "")
        reading = "One dot per split. The box spans the middle half of the splits, and its line is the median."
        about: dict[str, Any] = {"reading": reading, "description": _spread(table), "data": table.sheet()}
        parts.append(chart(f"folds-{index}", table, title=title, **about))
    sheet = result.sheet()
    parts.append(Table(sheet))
    lead = "Splits share training cases, which makes the usual standard error too small; corrected intervals are wider."
    return Section("How stable is it?", parts, lead, "Stability")


@section(of="ExperimentResult", order=70)
def preference(result: Any) -> Section | None:
    """Show the trade-off between error and time, memory and size."""
    parts: list[Part] = []
    for index, dataset in enumerate(result.datasets):
        with suppress(HowsureError):  # fewer than two criteria
            choice = result.preference(dataset=dataset)
            title = "Error against resources" + (f", {dataset}" if len(result.datasets) > 1 else "")
            reading = "Filled: no other classifier is better in all criteria, including those that are not on the axes."
            about: dict[str, Any] = {"reading": reading, "description": str(choice)}
            parts += [chart(f"preference-{index}", choice, title=title, **about), Table(choice.sheet())]
    parts.append(Table(result.profile()))
    lead = "Trade-off between error and time, memory and model size."
    return Section("Which one would you choose?", parts, lead, "Preference")


def _spread(table: Any) -> str:
    """Describe the boxes: median and range of each learner."""
    ranges = []
    for learner in table.learners:
        values = table[learner][np.isfinite(table[learner])]
        if len(values):
            low, middle, high = (number(float(value)) for value in np.quantile(values, (0, 0.5, 1)))
            ranges.append(f"{learner}: median {middle}, range {low} to {high}")
    return f"{'; '.join(ranges)}." if ranges else "No split has a value."
