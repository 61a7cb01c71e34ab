"""Confusion matrices as text, with the counts expected by chance next to them on request."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from howsure.present.words import Line, beside

if TYPE_CHECKING:
    from howsure.present.sheet import Sheet
    from howsure.tables import Confusion

MAX_CLASSES = 10  # maximum number of classes for which the matrix is shown by default


def count_sheets(table: Confusion, *, chance: bool = False) -> list[Sheet]:
    """Return the matrix and expected counts, unless there are many classes."""
    if table.k > MAX_CLASSES:
        return []
    return [table.sheet(), *([replace(table.chance().sheet(), title="expected by chance")] if chance else [])]


def count_lines(table: Confusion, width: int, *, chance: bool = False) -> list[Line]:
    """Return the lines of these tables, followed by an empty line."""
    blocks = [sheet.text_lines(width) for sheet in count_sheets(table, chance=chance)]
    if not blocks:
        return []
    first, *more = blocks
    return [*(beside(first, *more, width=width) if more else first), Line("")]
