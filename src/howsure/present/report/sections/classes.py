"""Individual classes, for more than two classes or for labels without scores."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from howsure.present.report.declare import Part, Section, Table, section
from howsure.present.report.explorer import explorer_of
from howsure.present.report.figure import chart
from howsure.present.sheet import Sheet
from howsure.present.value_text import shown_name

MAX_IN_FIGURE = 25  # maximum number of classes in the figure of the confusion matrix
MAX_IN_TABLE = 12  # tables with more classes are collapsed
MAX_ERRORS = 15
MAX_EXPLORED = 12


@section(of="Assessment", order=15)
def classes(assessment: Any) -> Section | None:
    """Show the confusion matrix, frequent errors, and each class."""
    k = len(assessment.labels)
    if k == 2 and assessment.scores is not None:
        return None  # the explorer shows the classes
    parts: list[Part] = []
    if 1 < k <= MAX_IN_FIGURE:
        reading = "Rows: true class; columns: predicted class. The darker a cell, the larger its share of the row."
        table = assessment.confusion
        parts.append(
            chart(
                "confusion", table, title="Confusion matrix", reading=reading, description=_errors_in_words(table),
                data=table.sheet(),
            )
        )  # fmt: skip
    errors = _errors(assessment.confusion)
    if k > 2 and len(errors):
        parts.append(Table(errors))
    every = assessment.per_class()
    if k > MAX_IN_TABLE:
        worst = sorted(every.classes, key=lambda each: _recall(each.estimates))[:MAX_IN_TABLE]
        title = f"The {MAX_IN_TABLE} classes with the lowest recall"
        parts.append(Table(replace(replace(every, classes=tuple(worst)).sheet(), title=title)))
    parts.append(Table(every.sheet(), f"All {k} classes" if k > MAX_IN_TABLE else ""))
    lead = "Each class against all others, with 95 % intervals."
    return Section("Which classes are difficult?", parts, lead, "Classes")


@section(of="Assessment", order=21)
def class_thresholds(assessment: Any) -> Section | None:
    """Show an explorer for the scores of each class against the rest."""
    chosen = one_per_class(assessment)
    explorer = explorer_of(chosen, "class") if chosen else None
    if explorer is None:
        return None
    lead = "One class against the rest, by its own score. Change the threshold, the prevalence or the costs."
    left = len(assessment.labels) - len(chosen)
    lead += f" Of {len(assessment.labels)} classes, the {len(chosen)} with the lowest recall are shown." if left else ""
    return Section("How does each class depend on its threshold?", [explorer], lead, "Threshold")


def _recall(estimates: Any) -> float:
    """Return the recall of a class, or 2 without cases so that it sorts last."""
    recall = next(estimate.value for estimate in estimates if estimate.measure == "recall")
    return 2.0 if recall != recall else float(recall)


def one_per_class(assessment: Any, most: int = MAX_EXPLORED) -> dict[str, Any]:
    """Return assessments of the lowest-recall classes against the rest."""
    if assessment.scores is None or len(assessment.labels) <= 2:
        return {}
    table = assessment.confusion
    recall = {label: assessment.estimate("recall", label=label).value for label in table.labels}
    occurring = [label for label in table.labels if recall[label] == recall[label]]
    hardest = sorted(occurring, key=lambda label: recall[label])[:most]
    return {shown_name(label): assessment.against_rest(label) for label in table.labels if label in hardest}


def _errors(table: Any) -> Sheet:
    """List the most frequent errors."""
    wrong = [record for record in table.records() if record["truth"] != record["predicted"] and record["count"]]
    wrong = sorted(wrong, key=lambda record: -record["count"])[:MAX_ERRORS]
    totals = dict(zip(map(str, table.labels), table.counts.sum(1).tolist(), strict=True))
    rows = [
        {
            "truth": shown_name(record["truth"]),
            "predicted": shown_name(record["predicted"]),
            "cases": f"{record['count']:g}",
            "of that class": f"{100 * record['count'] / totals[str(record['truth'])]:.1f} %",
        }
        for record in wrong
    ]
    return Sheet.of(rows, "Most frequent errors")


def _errors_in_words(table: Any) -> str:
    first = [f"{row[0]} predicted as {row[1]} ({row[2]} cases)" for row in _errors(table).rows[:3]]
    return f"Most frequent errors: {'; '.join(first)}." if first else "There are no errors."
