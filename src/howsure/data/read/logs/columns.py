"""Convert the fields of samples to columns of one type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from howsure.arrays import Array

LONGEST = 1000  # number of characters of a text that are kept, as in inspect_ai's summaries
WHOLE = 2**63


def scalar_columns(fields: Sequence[Mapping[str, Any]]) -> dict[str, Array]:
    """Return the fields that hold plain values as columns."""
    names = dict.fromkeys(chain.from_iterable(fields))
    columns = ((name, scalar_column([field.get(name) for field in fields])) for name in names)
    return {name: column for name, column in columns if column is not None}


def scalar_column(cells: Sequence[Any]) -> Array | None:
    """Return plain values as a column, or None if there are others.

    Cells of mixed types become text. Text is kept as Python objects: a NumPy text array would be as wide as its longest
    text, and drop trailing NULs. Missing cells are None in text and NaN in numbers.
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
    if any(type(cell) is str and len(cell) > LONGEST for cell in cells):
        return None
    return objects(cell if cell is None else str(cell) for cell in cells)


def texts(cells: Sequence[Any]) -> Array:
    """Return texts, shortened if long, with None for other cells."""
    return objects(cell[:LONGEST] if isinstance(cell, str) else None for cell in cells)


def objects(cells: Iterable[Any]) -> Array:
    """Return an array of Python objects."""
    return np.fromiter(cells, object)


def _real(cells: Sequence[Any]) -> Array | None:
    try:
        return np.array([np.nan if cell is None else cell for cell in cells], np.float64)
    except OverflowError:
        return None
