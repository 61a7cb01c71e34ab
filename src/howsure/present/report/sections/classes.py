"""Which classes are hard? For more than two classes, or labels without scores."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from howsure.present.report.declare import Part, Section, Table, section
from howsure.present.report.explorer import explorer_of
from howsure.present.report.figure import chart
from howsure.present.sheet import Sheet
from howsure.present.value_text import shown_name

MOST_IN_PICTURE = 25  # classes of a confusion table
MOST_IN_TABLE = 12  # rows that are shown without being asked for
MOST_MISTAKES = 15
MOST_EXPLORED = 12


@section(of="Assessment", order=15)
def classes(assessment: Any) -> Section | None:
    """Show what is taken for what, and each class against the rest."""
    k = len(assessment.labels)
    if k == 2 and assessment.scores is not None:
        return None  # the explorer shows it
    parts: list[Part] = []
    if 1 < k <= MOST_IN_PICTURE:
        reading = "Rows are the truth, columns what was predicted; the darker, the larger the share of the row."
        table = assessment.confusion
        parts.append(
            chart(
                "confusion", table, title="Confusion", reading=reading, description=_mistakes_said(table),
                data=table.sheet(),
            )
        )  # fmt: skip
    mistakes = _mistakes(assessment.confusion)
    if k > 2 and len(mistakes):
        parts.append(Table(mistakes))
    every = assessment.per_class()
    if k > MOST_IN_TABLE:
        worst = sorted(every.classes, key=lambda one: _worth(one.estimates))[:MOST_IN_TABLE]
        title = f"The {MOST_IN_TABLE} classes that are found least often"
        parts.append(Table(replace(replace(every, classes=tuple(worst)).sheet(), title=title)))
    parts.append(Table(every.sheet(), f"All {k} classes" if k > MOST_IN_TABLE else ""))
    lead = "Each class against all others, with 95 % intervals."
    return Section("Which classes are hard?", parts, lead, "Classes")


@section(of="Assessment", order=21)
def class_thresholds(assessment: Any) -> Section | None:
    """Let the score of one class against the rest be explored."""
    chosen = one_per_class(assessment)
    explorer = explorer_of(chosen, "class") if chosen else None
    if explorer is None:
        return None
    lead = "One class against the rest, by its own score: drag or type a threshold, a prevalence or costs."
    left = len(assessment.labels) - len(chosen)
    lead += f" Of {len(assessment.labels)} classes, the {len(chosen)} that are found least often." if left else ""
    return Section("How does each class depend on its threshold?", [explorer], lead, "Threshold")


def _worth(estimates: Any) -> float:
    """Give the recall, a class without a case last."""
    found = next(one.value for one in estimates if one.measure == "recall")
    return 2.0 if found != found else float(found)


def one_per_class(assessment: Any, most: int = MOST_EXPLORED) -> dict[str, Any]:
    """Give an assessment for each class against the rest, where scores allow it: of those found least often."""
    if assessment.scores is None or len(assessment.labels) <= 2:
        return {}
    table = assessment.confusion
    found = {label: assessment.estimate("recall", label=label).value for label in table.labels}
    occurring = [label for label in table.labels if found[label] == found[label]]
    hardest = sorted(occurring, key=lambda label: found[label])[:most]
    return {shown_name(label): assessment.against_rest(label) for label in table.labels if label in hardest}


def _mistakes(table: Any) -> Sheet:
    """List the commonest mistakes."""
    wrong = [record for record in table.records() if record["truth"] != record["predicted"] and record["count"]]
    wrong = sorted(wrong, key=lambda record: -record["count"])[:MOST_MISTAKES]
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
    return Sheet.of(rows, "The commonest mistakes")


def _mistakes_said(table: Any) -> str:
    first = [f"{row[0]} taken for {row[1]}, {row[2]} times" for row in _mistakes(table).rows[:3]]
    return f"Commonest mistakes: {'; '.join(first)}." if first else "No mistake was made."
