"""Estimates as a page shows them. An interval that takes a bootstrap is asked for once, wherever it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from howsure.present.value_text import interval_text, jsonable, number

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Cell:
    """A value with its interval as text, or why there is none."""

    value: str
    interval: str
    reason: str


@lru_cache(maxsize=1024)
def interval_of(estimate: Any) -> Any:
    """Give the interval of an estimate, and remember it."""
    return estimate.interval(CONFIDENCE)


def shown_cell(estimate: Any) -> Cell:
    if estimate.undefined:
        return Cell("n/a", "", estimate.undefined)
    return Cell(number(estimate.value), interval_text(*interval_of(estimate)), estimate.no_interval(CONFIDENCE))


def with_interval(estimate: Any) -> str:
    """Write a value with its interval in one text."""
    cell = shown_cell(estimate)
    return f"{cell.value} {cell.interval or f'({cell.reason})'}"


def estimate_dict(estimate: Any) -> dict[str, Any]:
    """Give an estimate as plain values, with every digit."""
    low, high = interval_of(estimate)
    values = {"measure": estimate.name, "value": estimate.value, "low": low, "high": high, "n": estimate.n}
    note = estimate.undefined or estimate.no_interval(CONFIDENCE)
    return dict(jsonable({**values, "method": interval_of(estimate).method, "note": note}))
