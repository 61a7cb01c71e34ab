"""What a person sees at a terminal: the same tables, with colour and a picture of each interval.

A narrow terminal loses the picture first, then the method; a number is never cut.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assay.measures import registry
from assay.present.format import number, one_line
from assay.results import Estimate, Interval

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from assay.assessment import Assessment

WIDTH = 25  # of the picture
FOR_PICTURE, FOR_METHOD = 110, 90  # columns that a terminal needs to show them
MOST_SHOWN = 10  # classes of a confusion table that is shown unasked


def show(result: Any, confidence: float, wanted: list[str] | None, console: Console | None = None) -> None:
    if console is None:
        from rich.console import Console

        console = Console(emoji=False, highlight=False, markup=False)
    groups = {None: result} if hasattr(result, "estimates") else dict(result)
    for group, assessment in groups.items():
        if group is not None:
            _say(console, f"{result.name}: {group}", "bold")
        if len(assessment.labels) <= MOST_SHOWN:
            _show_counts(console, assessment)
        _say(console, assessment.title, "bold")
        estimates = assessment.estimates(wanted)
        console.print(table(estimates, confidence, console.width), crop=False)
        for line in remarks(estimates):
            _say(console, line)
        for finding in assessment.findings:
            _say(console, str(finding), "yellow")


def _say(console: Console, text: str, style: str | None = None) -> None:
    """Print what may hold a label: escape sequences in it must not reach the terminal."""
    console.print(one_line(text), style=style, markup=False, emoji=False, highlight=False)


def _show_counts(console: Console, assessment: Assessment) -> None:
    """Show the confusion table beside the one expected by chance, or above it where both are too wide."""
    text = assessment.counted()
    if max(map(len, text.splitlines())) > console.width:
        chance = replace(assessment.chance().sheet(), title="expected by chance")
        text = f"{assessment.confusion.sheet().text()}\n\n{chance.text()}"
    console.print(text + "\n", soft_wrap=True, markup=False, emoji=False, highlight=False)


def table(estimates: Sequence[Estimate], confidence: float, width: int) -> Table:
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
    for found in estimates:
        interval = None if found.undefined else found.interval(confidence)
        cells = {
            "measure": found.name,
            "of": found.of,
            "value": number(found.value),
            heading: "" if interval is None else str(interval),
            "": "" if interval is None else bar(found, interval),
            "n": f"{found.n:.10g}",
            "method": "" if interval is None else interval.method,
        }
        for name, column in columns.items():
            column.append(one_line(cells[name]))
    drawn = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name, column in columns.items():
        folds = name in ("measure", "of", "method")  # names may go over several lines, numbers never
        least = None if folds else max(map(len, [name, *column]))
        justify: Any = "right" if name in ("value", "n") else "left"
        drawn.add_column(name, justify=justify, no_wrap=not folds, overflow="fold", min_width=least)
    for row in zip(*columns.values(), strict=True):
        drawn.add_row(*map(Text, row))
    return drawn


def remarks(estimates: Sequence[Estimate]) -> list[str]:
    """Say below the table why values are undefined, and what else is to be known of them."""
    undefined: dict[str, list[str]] = defaultdict(list)
    for found in estimates:
        if found.undefined:
            undefined[found.undefined].append(found.name)
    reasons = [f"n/a, because {reason}: {', '.join(names)}" for reason, names in undefined.items()]
    return [*reasons, *dict.fromkeys(f"{found.name}: {note}" for found in estimates for note in found.notes)]


def bar(found: Estimate, interval: Interval) -> str:
    """Draw an interval over the measure's range: ───◆───."""
    lowest, highest = registry[found.measure].range
    if not all(map(math.isfinite, (lowest, highest, interval.low, interval.high))):
        return ""

    def place(value: float) -> int:
        share = (value - lowest) / (highest - lowest)
        return round(min(max(share, 0), 1) * (WIDTH - 1))

    low, at, high = place(interval.low), place(found.value), place(interval.high)
    drawn = ["─" if low <= spot <= high else " " for spot in range(WIDTH)]
    drawn[at] = "◆"
    return "".join(drawn)
