"""Add many tables of the same kind in one pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from howsure.tables.classes import ClassScores, add_class_scores
from howsure.tables.confusion import Confusion, add_confusions
from howsure.tables.scores import ScoreTable, add_score_tables

FUNCTIONS: dict[type, Callable[[Any], Any]] = {
    Confusion: add_confusions,
    ScoreTable: add_score_tables,
    ClassScores: add_class_scores,
}


def add_tables(tables: Sequence[Any]) -> Any:
    """Add one or more tables of the same kind."""
    return FUNCTIONS[type(tables[0])](tables)
