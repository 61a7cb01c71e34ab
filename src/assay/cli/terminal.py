"""What a person sees at a terminal: the same tables, with colour and a picture of each interval."""

from __future__ import annotations

import math
from typing import Any

from assay.measures import registry
from assay.results import Estimate, Interval, number

WIDTH = 25


def show(result: Any, confidence: float, wanted: list[str] | None) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    groups = {None: result} if hasattr(result, "estimates") else dict(result)
    for group, assessment in groups.items():
        if group is not None:
            console.print(f"{result.name}: {group}", style="bold", markup=False)
        if len(assessment.labels) <= 10:
            console.print(assessment.counted(), markup=False, soft_wrap=True)
            console.print()
        console.print(assessment.title, style="bold", markup=False)
        console.print(_table(assessment, confidence, wanted))
        for finding in assessment.findings:
            console.print(str(finding), style="yellow", markup=False)


def _table(assessment: Any, confidence: float, wanted: list[str] | None) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    columns: tuple[tuple[str, Any], ...] = (
        ("measure", "left"),
        ("of", "left"),
        ("value", "right"),
        (f"{confidence * 100:g} % interval", "left"),
    )
    for name, justify in (*columns, ("", "left"), ("n", "right"), ("method", "left")):
        table.add_column(name, justify=justify, no_wrap=name != "method")
    for found in assessment.estimates(wanted):
        interval = found.interval(confidence)
        if found.undefined:
            row = [found.measure, found.of, "n/a", "", "", f"{found.n:g}", f"undefined: {found.undefined}"]
        else:
            drawn = bar(found, interval)
            row = [
                found.measure,
                found.of,
                number(found.value),
                str(interval),
                drawn,
                f"{found.n:g}",
                interval.method,
            ]
        table.add_row(*(Text(cell) for cell in row))
    return table


def bar(found: Estimate, interval: Interval) -> str:
    """Draw an interval over the measure's range: ───◆───."""
    lowest, highest = registry[found.measure].range
    if math.isinf(lowest) or math.isinf(highest):
        return ""

    def place(value: float) -> int:
        return round((value - lowest) / (highest - lowest) * (WIDTH - 1))

    low, at, high = place(interval.low), place(found.value), place(interval.high)
    drawn = ["─" if low <= spot <= high else " " for spot in range(WIDTH)]
    drawn[at] = "◆"
    return "".join(drawn)
