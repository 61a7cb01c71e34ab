"""Intervals drawn as text, ───◆───, on a common scale."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from howsure.present.words import writable

Span = tuple[float, float]
WIDTH = 25


@dataclass(frozen=True)
class Pictures:
    """A picture for each row, and the end points of each scale as text."""

    rows: Sequence[str] = ()
    scales: Mapping[int, str] = field(default_factory=dict)  # the end points, by the first row of each scale


@dataclass(frozen=True)
class Bar:
    """A value with its interval, to be drawn in a row."""

    value: float
    low: float
    high: float


def draw(bars: Sequence[Bar | None], starts: Sequence[int]) -> Pictures:
    """Draw the bars of a table; a new scale begins at each row of ``starts``."""
    rows: list[str] = []
    scales: dict[int, str] = {}
    for start, end in zip(starts, [*starts[1:], len(bars)], strict=True):
        part = bars[start:end]
        ends = [number for bar in part if bar is not None for number in (bar.value, bar.low, bar.high)]
        if not ends:
            rows += [""] * len(part)
            continue
        span, scales[start] = window(ends)
        rows += ["" if bar is None else interval_picture(bar, span) for bar in part]
    return Pictures(tuple(rows), scales)


def window(numbers: Sequence[float]) -> tuple[Span, str]:
    """Return a scale with round end points, and the text that shows them."""
    low, high = min(numbers), max(numbers)
    width = (high - low) or abs(high) or 1.0
    digits = -math.floor(math.log10(width / 2))
    step = 10.0**-digits
    span = round(math.floor(low / step) * step, digits), round(math.ceil(high / step) * step, digits)
    decimals = max(len(f"{end:g}".partition(".")[2]) for end in span)
    first, last = (f"{end:.{decimals}f}" for end in span)
    return span, first + last.rjust(WIDTH - len(first))


def interval_picture(bar: Bar, span: Span) -> str:
    """Draw an interval on a scale."""
    lowest, highest = span
    line, mark = tuple(writable("─◆", "-o"))

    def column(x: float) -> int:
        share = (x - lowest) / (highest - lowest)
        return round(min(max(share, 0), 1) * (WIDTH - 1))

    low, high = column(bar.low), column(bar.high)
    letters = [line if low <= index <= high else " " for index in range(WIDTH)]
    letters[column(bar.value)] = mark
    return "".join(letters)
