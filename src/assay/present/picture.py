"""A picture of an interval in letters: ───◆───."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from assay.present.words import writable

if TYPE_CHECKING:
    from assay.results import Interval

Span = tuple[float, float]
WIDTH = 25


def interval_picture(value: float, interval: Interval, span: Span) -> str:
    """Draw an interval over the range of its measure; nothing where one of them has no end."""
    lowest, highest = span
    if not all(map(math.isfinite, (lowest, highest, interval.low, interval.high))):
        return ""
    line, mark = tuple(writable("─◆", "-o"))

    def column(x: float) -> int:
        share = (x - lowest) / (highest - lowest)
        return round(min(max(share, 0), 1) * (WIDTH - 1))

    low, high = column(interval.low), column(interval.high)
    letters = [line if low <= index <= high else " " for index in range(WIDTH)]
    letters[column(value)] = mark
    return "".join(letters)
