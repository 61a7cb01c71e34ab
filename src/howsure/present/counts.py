"""How a confusion table is shown: with the one expected by chance beside it, where that is asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from howsure.present.words import Line, beside

if TYPE_CHECKING:
    from howsure.present.sheet import Sheet
    from howsure.tables import Confusion

MOST_CLASSES = 10  # of tables that are shown without being asked for


def count_sheets(table: Confusion, *, chance: bool = False) -> list[Sheet]:
    """Give the table, and the one expected by chance; none where there are too many classes to show."""
    if table.k > MOST_CLASSES:
        return []
    return [table.sheet(), *([replace(table.chance().sheet(), title="expected by chance")] if chance else [])]


def count_lines(table: Confusion, width: int, *, chance: bool = False) -> list[Line]:
    """Give the lines of these tables, and an empty one below them."""
    blocks = [sheet.text_lines(width) for sheet in count_sheets(table, chance=chance)]
    if not blocks:
        return []
    first, *more = blocks
    return [*(beside(first, *more, width=width) if more else first), Line("")]
