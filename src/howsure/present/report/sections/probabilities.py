"""Calibration, and the components of the Brier score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from howsure.present.report.declare import Section, Table, section
from howsure.present.report.estimates import shown_cell
from howsure.present.report.figure import Figure, chart
from howsure.present.report.sections.classes import one_per_class
from howsure.present.sheet import Sheet
from howsure.present.value_text import shown_name

MAXIMUM = 6  # maximum number of charts


@section(of="Assessments", order=40)
def probabilities(assessments: Mapping[str, Any]) -> Section | None:
    """Show the calibration of each classifier."""
    noun = "classifier"
    if len(assessments) == 1:
        (assessment,) = assessments.values()
        by_class = one_per_class(assessment, MAXIMUM)
        noun, assessments = ("class", by_class) if by_class else (noun, assessments)
    figures: list[Figure] = []
    rows = []
    for index, (name, assessment) in enumerate(assessments.items()):
        if not _has_probabilities(assessment):
            continue
        shown = shown_name(name) if len(assessments) > 1 else ""
        if len(figures) < MAXIMUM:
            figures.append(_calibration(index, shown, assessment))
        rows.append(_parts(noun, shown, assessment))
    if not figures:
        return None
    title = "Brier score = reliability (0 is best) - resolution + uncertainty + variation inside bins"
    left = len(rows) - len(figures)
    lead = "Of the cases with a predicted probability of 70 %, do 70 % belong to the class?"
    lead += f" {len(figures)} are drawn; the table also contains the other {left}." if left else ""
    return Section("Are the probabilities calibrated?", [*figures, Table(Sheet.of(rows, title))], lead, "Probabilities")


def _has_probabilities(assessment: Any) -> bool:
    if assessment.scores is None or len(assessment.labels) != 2 or assessment.positive is None:
        return False
    both = assessment.scores.n_positive and assessment.scores.n_negative
    return bool(both) and "calibration" in assessment.curves_that_apply()


def _calibration(index: int, name: str, assessment: Any) -> Figure:
    curve = assessment.curve("calibration")
    outside = (curve.x < curve.extra["low"]) | (curve.x > curve.extra["high"])
    description = f"The intervals of {int(outside.sum())} of {len(curve)} bins exclude the diagonal."

    reading = "On the diagonal, probabilities are correct; above it they are too low, below it too high."
    title = f"Calibration of {name}" if name else "Calibration"
    about: dict[str, Any] = {"reading": reading, "description": description, "data": curve.sheet()}
    return chart(f"calibration-{index}", curve, title=title, legend=False, **about)


def _parts(noun: str, name: str, assessment: Any) -> dict[str, Any]:
    score, parts = shown_cell(assessment.brier_score()), assessment.brier_parts()
    named = {noun: name} if name else {}
    return {
        **named,
        "Brier score": score.value,
        "95 % interval": score.interval,
        "reliability": round(parts.reliability, 9),
        "resolution": round(parts.resolution, 9),
        "uncertainty": round(parts.uncertainty, 9),
        "inside bins": round(parts.within, 9),
    }
