"""Fields of samples, each an object of its own, as columns of one kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from howsure.arrays import Array

LONGEST = 1000  # letters of a text that is kept; inspect_ai's own summaries hold no more
WHOLE = 2**63


def scalar_columns(fields: Sequence[Mapping[str, Any]]) -> dict[str, Array]:
    """Give every field that holds one text, number or truth value in each sample, or nothing, as a column."""
    names = dict.fromkeys(name for names in dict.fromkeys(map(tuple, fields)) for name in names)
    columns = ((name, scalar_column([field.get(name) for field in fields])) for name in names)
    return {name: column for name, column in columns if column is not None}


def scalar_column(cells: Sequence[Any]) -> Array | None:
    """Give cells as a column of one kind; None where they are lists, objects or long texts, or all are missing.

    Texts, and cells of several kinds, which are taken as text, are Python objects: an array of fixed width would have
    the width of the longest, and drop a NUL at the end. A missing one is None there, and NaN among numbers.
    """
    kinds = set(map(type, cells))
    missing = type(None) in kinds
    kinds.discard(type(None))
    if not kinds or not kinds <= {str, int, float, bool}:
        return None
    if kinds == {bool} and not missing:
        return np.array(cells, bool)
    if kinds == {int} and not missing and all(-WHOLE <= cell < WHOLE for cell in cells):
        return np.array(cells, np.int64)
    if kinds == {float} or (kinds == {int, float} and not missing):
        return _real(cells)
    plain = kinds == {str} and not missing
    if str in kinds and max(map(len, cells if plain else filter(_is_text, cells))) > LONGEST:
        return None
    if kinds == {str}:
        return objects(cells)
    return objects(cell if cell is None or type(cell) is str else str(cell) for cell in cells)


def _is_text(cell: Any) -> bool:
    return type(cell) is str


def texts(cells: Sequence[Any]) -> Array:
    """Give texts, cut where they are long, and None for all that is no text."""
    if set(map(type, cells)) == {str} and max(map(len, cells)) <= LONGEST:
        return objects(cells)
    return objects(cell[:LONGEST] if isinstance(cell, str) else None for cell in cells)


def objects(cells: Iterable[Any]) -> Array:
    """Give an array of Python objects, whatever they are."""
    return np.fromiter(cells, object)


def _real(cells: Sequence[Any]) -> Array | None:
    try:
        return np.array([np.nan if cell is None else cell for cell in cells], np.float64)
    except OverflowError:
        return None
