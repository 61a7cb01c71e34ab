"""What a person sees at a terminal: the same tables, with colour and a picture of each interval.

A narrow terminal loses the picture first, then the method; a number is never cut.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assay.errors import one_line
from assay.present.counts import count_sheets
from assay.present.sheet import beside
from assay.present.value_text import number

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from assay.assessment import Assessment, AssessmentGroups
    from assay.results import Estimate, Interval

Span = tuple[float, float]
WIDTH = 25  # of the picture
FOR_PICTURE, FOR_METHOD = 110, 90  # columns that a terminal needs to show them


def show(
    result: Assessment | AssessmentGroups,
    ranges: Mapping[str, Span],
    confidence: float = 0.95,
    measures: Sequence[str] | None = None,
    console: Console | None = None,
) -> None:
    """Print an assessment, or one for each group; ``ranges`` are those of the measures, by name."""
    if console is None:
        from rich.console import Console

        console = Console(emoji=False, highlight=False, markup=False)
    groups: dict[str, Assessment] = (
        {f"{result.name}: {group}": assessment for group, assessment in result.items()}
        if isinstance(result, Mapping)
        else {"": result}
    )
    for heading, assessment in groups.items():
        if heading:
            _print(console, heading, "bold")
        if blocks := [sheet.text() for sheet in count_sheets(assessment.confusion)]:
            text = beside(blocks)
            if max(map(len, text.splitlines())) > console.width:
                text = "\n\n".join(blocks)
            console.print(text + "\n", soft_wrap=True, markup=False, emoji=False, highlight=False)
        _print(console, assessment.title, "bold")
        estimates = assessment.estimates(measures)
        console.print(table(estimates, ranges, confidence, console.width), crop=False)
        for line in remarks(estimates):
            _print(console, line)
        for finding in assessment.findings:
            _print(console, str(finding), "yellow")


def _print(console: Console, text: str, style: str | None = None) -> None:
    """Print what may hold a label: escape sequences in it must not reach the terminal."""
    console.print(one_line(text), style=style, markup=False, emoji=False, highlight=False)


def table(estimates: Sequence[Estimate], ranges: Mapping[str, Span], confidence: float, width: int) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    heading = f"{confidence * 100:g} % interval"
    columns: dict[str, list[str]] = {"measure": [], "of": [], "value": [], heading: []}
    if width >= FOR_PICTURE:
        columns[""] = []
    columns["n"] = []
    if width >= FOR_METHOD:
        columns["method"] = []
    for estimate in estimates:
        interval = None if estimate.undefined else estimate.interval(confidence)
        cells = {
            "measure": estimate.name,
            "of": estimate.of,
            "value": number(estimate.value),
            heading: "" if interval is None else str(interval),
            "": "" if interval is None else bar(estimate.value, interval, ranges[estimate.measure]),
            "n": f"{estimate.n:.10g}",
            "method": "" if interval is None else interval.method,
        }
        for name, column in columns.items():
            column.append(one_line(cells[name]))
    rich_table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name, column in columns.items():
        folds = name in ("measure", "of", "method")  # names may go over several lines, numbers never
        least = None if folds else max(map(len, [name, *column]))
        justify: Any = "right" if name in ("value", "n") else "left"
        rich_table.add_column(name, justify=justify, no_wrap=not folds, overflow="fold", min_width=least)
    for row in zip(*columns.values(), strict=True):
        rich_table.add_row(*map(Text, row))
    return rich_table


def remarks(estimates: Sequence[Estimate]) -> list[str]:
    """Say below the table why values are undefined, and what else there is to know about them."""
    undefined: dict[str, list[str]] = defaultdict(list)
    for estimate in estimates:
        if estimate.undefined:
            undefined[estimate.undefined].append(estimate.name)
    reasons = [f"n/a, because {reason}: {', '.join(names)}" for reason, names in undefined.items()]
    return [*reasons, *dict.fromkeys(f"{estimate.name}: {note}" for estimate in estimates for note in estimate.notes)]


def bar(value: float, interval: Interval, span: Span) -> str:
    """Draw an interval over the range of its measure: ───◆───."""
    lowest, highest = span
    if not all(map(math.isfinite, (lowest, highest, interval.low, interval.high))):
        return ""

    def column(x: float) -> int:
        share = (x - lowest) / (highest - lowest)
        return round(min(max(share, 0), 1) * (WIDTH - 1))

    low, high = column(interval.low), column(interval.high)
    letters = ["─" if low <= index <= high else " " for index in range(WIDTH)]
    letters[column(value)] = "◆"
    return "".join(letters)
