"""The classifiers side by side, with their measures and intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from howsure.present.report.declare import Section, section
from howsure.present.report.estimates import Cell, estimate_dict, interval_of, shown_cell
from howsure.present.value_text import number, shown_name, spoken


@dataclass(frozen=True)
class Bar:
    """An interval to draw, as fractions of the width."""

    low: float
    value: float
    high: float


@dataclass(frozen=True)
class Row:
    name: str
    cells: Sequence[Cell]
    bar: Bar | None


@dataclass(frozen=True)
class Scoreboard:
    """Measures and intervals by classifier; the first measure is also drawn."""

    estimates: Mapping[str, Sequence[Any]]

    template = "scoreboard.html"

    @property
    def measures(self) -> list[str]:
        return [spoken(estimate.name) for estimate in next(iter(self.estimates.values()))]

    @property
    def ends(self) -> tuple[float, float] | None:
        """The range of all intervals, which the pictures share."""
        bounds = [bound for first, *_ in self.estimates.values() for bound in interval_of(first)]
        bounds = [bound for bound in bounds if math.isfinite(bound)]
        return (min(bounds), max(bounds)) if bounds and min(bounds) < max(bounds) else None

    @property
    def range(self) -> str:
        return "" if self.ends is None else f"{number(self.ends[0])} to {number(self.ends[1])}"

    @property
    def rows(self) -> list[Row]:
        return [
            Row(shown_name(name), [shown_cell(estimate) for estimate in estimates], self._bar(estimates[0]))
            for name, estimates in self.estimates.items()
        ]

    def _bar(self, estimate: Any) -> Bar | None:
        low, high = interval_of(estimate)
        if self.ends is None or not all(map(math.isfinite, (low, high))):
            return None
        start, end = self.ends
        return Bar(*(round((x - start) / (end - start), 4) for x in (low, estimate.value, high)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "classifiers": {name: list(map(estimate_dict, estimates)) for name, estimates in self.estimates.items()}
        }


@section(of="Assessments", order=10)
def scoreboard(assessments: Mapping[str, Any]) -> Section | None:
    if len(assessments) < 2:
        return None
    board = Scoreboard({name: list(assessment.key_estimates.values()) for name, assessment in assessments.items()})
    return Section(
        "How good is each classifier, and how sure are we?", [board], "Best first, with 95 % intervals.", "Scoreboard"
    )
