"""Equal rows of labels in a data frame become one, with their number as its weight.

Labels make few combinations. Libraries that keep text in their own memory count them there, by their group-by, in less
time than it takes to number both columns; where a library has numbered its categories, we count its numbers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from howsure.arrays import IntArray
from howsure.checks import check_index
from howsure.data.encode import SMALL
from howsure.data.read.frames import library_of
from howsure.kernels.count import count_cells

WEIGHT = "weight"
OF_A_BYTE = 256  # what a byte can be
ROLES = {"truth", "predicted", "group"}  # with other columns, rows are mostly different


def count_rows(columns: Mapping[str, Any], called: Mapping[str, str]) -> dict[str, Any]:
    """Count equal rows where that pays and nothing is missing in them; give other columns as they are.

    ``called`` are what error sentences call the columns.
    """
    present = {role: _in_arrow(column) for role, column in columns.items() if column is not None}
    library = LIBRARIES.get(library_of(present["truth"]))
    if library is None or not {"truth", "predicted"} <= set(present) <= ROLES:
        return dict(columns)
    if any(LIBRARIES.get(library_of(column)) is not library for column in present.values()):
        return dict(columns)
    lengths = set(map(len, present.values()))
    if len(lengths) > 1 or lengths.pop() < SMALL:
        return dict(columns)
    check_index({called.get(role, role): columns[role] for role in present})  # what is counted has none
    numbers = {role: found for role, column in present.items() if (found := library.numbers_of(column)) is not None}
    sizes = _sizes(numbers)
    if prod(sizes) >= OF_A_BYTE:  # Polars goes on from the numbers of categories that other columns have
        numbers = {role: column - column.min() for role, column in numbers.items()}
        sizes = _sizes(numbers)
    if len(numbers) == len(present) and prod(sizes) < OF_A_BYTE:
        counts = count_cells(list(numbers.values()), sizes)
        rows = map(_rows_of, numbers.values(), np.nonzero(counts))
        taken = {role: library.take(present[role], some) for role, some in zip(numbers, rows, strict=True)}
        return {**taken, WEIGHT: counts[counts > 0]}
    return library.count(present) if all(map(library.is_text, present.values())) else dict(columns)


def _sizes(numbers: Mapping[str, IntArray]) -> list[int]:
    return [int(column.max()) + 1 for column in numbers.values()]


def _rows_of(column: IntArray, numbers: IntArray) -> IntArray:
    """Give a row for each of the numbers; most occur early."""
    rows: dict[int, int] = {}
    for head in (column[:SMALL], column):
        for number in set(numbers.tolist()) - set(rows):
            row = int((head == number).argmax())
            if head[row] == number:
                rows[number] = row
    return np.array([rows[number] for number in numbers.tolist()])


def _in_arrow(column: Any) -> Any:
    """Give texts of pandas that are kept in Arrow's memory as Arrow has them, and other columns as they are."""
    dtype = getattr(column, "dtype", None)
    in_arrow = getattr(dtype, "storage", None) == "pyarrow" or hasattr(dtype, "pyarrow_dtype")
    return sys.modules["pyarrow"].array(column, from_pandas=True) if in_arrow and column.ndim == 1 else column


def _is_text_of_polars(column: Any) -> bool:
    polars = sys.modules["polars"]
    texts = (polars.String, polars.Categorical, polars.Enum)
    return isinstance(column, polars.Series) and column.dtype in texts and not column.null_count()


def _numbers_of_polars(column: Any) -> IntArray | None:
    polars = sys.modules["polars"]
    if not isinstance(column, polars.Series) or column.dtype not in (polars.Categorical, polars.Enum):
        return None
    return None if column.null_count() else np.asarray(column.to_physical().to_numpy())


def _count_by_polars(columns: dict[str, Any]) -> dict[str, Any]:
    counted = sys.modules["polars"].DataFrame(columns).group_by(*columns).len(WEIGHT)
    return {**{role: counted[role] for role in columns}, WEIGHT: counted[WEIGHT].to_numpy()}


def _is_text_of_pyarrow(column: Any) -> bool:
    arrow = sys.modules["pyarrow"]
    is_column = isinstance(column, arrow.Array | arrow.ChunkedArray)
    return is_column and column.type in (arrow.string(), arrow.large_string()) and not column.null_count


def _numbers_of_pyarrow(column: Any) -> IntArray | None:
    arrow = sys.modules["pyarrow"]
    if isinstance(column, arrow.ChunkedArray) and column.num_chunks == 1:  # others may number each chunk anew
        column = column.chunk(0)
    if not isinstance(column, arrow.DictionaryArray) or column.null_count or column.dictionary.null_count:
        return None
    return np.asarray(column.indices.to_numpy(zero_copy_only=False))


def _count_by_pyarrow(columns: dict[str, Any]) -> dict[str, Any]:
    arrow = sys.modules["pyarrow"]
    with suppress(arrow.ArrowInvalid):  # of 2 GiB of text, which need the long offsets that Arrow groups slowly by
        columns = {role: column.cast(arrow.string()) for role, column in columns.items()}
    grouped = arrow.table(columns).group_by(list(columns)).aggregate([([], "count_all")])
    return {**{role: grouped[role] for role in columns}, WEIGHT: grouped["count_all"].to_numpy()}


@dataclass(frozen=True)
class Library:
    """How a library counts texts of which none is missing, the numbers that it has of categories, and takes rows."""

    is_text: Callable[[Any], bool]
    numbers_of: Callable[[Any], IntArray | None]  # None where some are missing, and of other columns
    count: Callable[[dict[str, Any]], dict[str, Any]]
    take: Callable[[Any, IntArray], Any]


POLARS = Library(_is_text_of_polars, _numbers_of_polars, _count_by_polars, lambda column, rows: column.gather(rows))
PYARROW = Library(_is_text_of_pyarrow, _numbers_of_pyarrow, _count_by_pyarrow, lambda column, rows: column.take(rows))
LIBRARIES: dict[str | None, Library] = {"polars": POLARS, "pyarrow": PYARROW}
