"""Equal rows of labels in a data frame become one, with their number as its weight.

Labels make few combinations, and libraries that keep text in their own memory count them there, by their group-by, in
less time than it takes to number both columns.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from assay.data.encode import SMALL
from assay.data.read.frames import library_of

WEIGHT = "weight"
ROLES = {"truth", "predicted", "group"}  # with other columns, rows are mostly different


def count_rows(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Count equal rows where that pays and nothing is missing in them; give other columns as they are."""
    present = {role: column for role, column in columns.items() if column is not None}
    library = library_of(present["truth"])
    if library not in COUNTERS or not {"truth", "predicted"} <= set(present) <= ROLES:
        return dict(columns)
    can_count, count = COUNTERS[library]
    if not all(library_of(column) == library and can_count(column) for column in present.values()):
        return dict(columns)
    lengths = set(map(len, present.values()))
    return count(present) if len(lengths) == 1 and lengths.pop() >= SMALL else dict(columns)


def _is_text_of_polars(column: Any) -> bool:
    polars = sys.modules["polars"]
    texts = (polars.String, polars.Categorical, polars.Enum)
    return isinstance(column, polars.Series) and column.dtype in texts and not column.null_count()


def _count_by_polars(columns: dict[str, Any]) -> dict[str, Any]:
    counted = sys.modules["polars"].DataFrame(columns).group_by(*columns).len(WEIGHT)
    return {**{role: counted[role] for role in columns}, "weight": counted[WEIGHT].to_numpy()}


def _is_text_of_pyarrow(column: Any) -> bool:
    arrow = sys.modules["pyarrow"]
    is_column = isinstance(column, arrow.Array | arrow.ChunkedArray)
    return is_column and column.type in (arrow.string(), arrow.large_string()) and not column.null_count


def _count_by_pyarrow(columns: dict[str, Any]) -> dict[str, Any]:
    grouped = sys.modules["pyarrow"].table(columns).group_by(list(columns)).aggregate([([], "count_all")])
    return {**{role: grouped[role] for role in columns}, "weight": grouped["count_all"].to_numpy()}


Test = Callable[[Any], bool]
Count = Callable[[dict[str, Any]], dict[str, Any]]
COUNTERS: dict[str | None, tuple[Test, Count]] = {
    "polars": (_is_text_of_polars, _count_by_polars),
    "pyarrow": (_is_text_of_pyarrow, _count_by_pyarrow),
}
