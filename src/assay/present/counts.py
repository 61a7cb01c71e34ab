"""How a confusion table is shown: with the one expected by chance beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.present.sheet import Sheet
    from assay.tables import Confusion

MOST_CLASSES = 10  # of tables that are shown without being asked for


def count_sheets(table: Confusion) -> list[Sheet]:
    """Give the table and the one expected by chance, or none where there are too many classes to show."""
    if table.k > MOST_CLASSES:
        return []
    return [table.sheet(), replace(table.chance().sheet(), title="expected by chance")]
