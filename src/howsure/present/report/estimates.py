"""Estimates, as shown on a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from howsure.present.value_text import interval_text, jsonable, number

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Cell:
    """A value and its interval as text, or the reason why there is none."""

    value: str
    interval: str
    reason: str


def interval_of(estimate: Any) -> Any:
    return estimate.interval(CONFIDENCE)


def shown_cell(estimate: Any) -> Cell:
    if estimate.undefined:
        return Cell("n/a", "", estimate.undefined)
    return Cell(number(estimate.value), interval_text(*interval_of(estimate)), estimate.no_interval(CONFIDENCE))


def with_interval(estimate: Any) -> str:
    """Return a value and its interval as text."""
    cell = shown_cell(estimate)
    return f"{cell.value} {cell.interval or f'({cell.reason})'}"


def estimate_dict(estimate: Any) -> dict[str, Any]:
    """Return an estimate as plain, unrounded values."""
    interval = interval_of(estimate)
    low, high = interval
    values = {"measure": estimate.name, "value": estimate.value, "low": low, "high": high, "n": estimate.n}
    note = estimate.undefined or estimate.no_interval(CONFIDENCE)
    return dict(jsonable({**values, "method": interval.method, "note": note}))
