"""Count equal rows of text by the group-by of the library that holds the text.

Polars and PyArrow group 10 million rows of two columns in 0.04 to 0.07 s; encoding both columns takes ten times longer.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from howsure.checks import check_index

LARGE = 100_000  # with fewer rows, encoding the columns is as fast
LABELS = {"truth", "predicted"}
WEIGHT = "weight"


def count_text(columns: Mapping[str, Any], called: Mapping[str, str]) -> dict[str, Any]:
    """Return one row per combination of labels with its count, if all columns are text without missing values."""
    present = {role: _without_pandas(column) for role, column in columns.items() if column is not None}
    if not LABELS <= set(present) <= LABELS | {"group"}:
        return dict(columns)
    for is_text, count in ((_is_polars_text, _count_by_polars), (_is_arrow_text, _count_by_arrow)):
        if all(map(is_text, present.values())) and min(map(len, present.values())) >= LARGE:
            if len(set(map(len, present.values()))) > 1:
                break
            check_index({called.get(role, role): columns[role] for role in present})  # the counts have no index
            return count(present)
    return dict(columns)


def _without_pandas(column: Any) -> Any:
    """Return an Arrow-backed pandas column of text as an Arrow array, and other columns unchanged."""
    dtype = getattr(column, "dtype", None)
    in_arrow = getattr(dtype, "storage", None) == "pyarrow" or hasattr(dtype, "pyarrow_dtype")
    return sys.modules["pyarrow"].array(column, from_pandas=True) if in_arrow and column.ndim == 1 else column


def _is_polars_text(column: Any) -> bool:
    polars = sys.modules.get("polars")
    if polars is None or not isinstance(column, polars.Series):
        return False
    return column.dtype == polars.String and not column.null_count()


def _count_by_polars(columns: dict[str, Any]) -> dict[str, Any]:
    counts = sys.modules["polars"].DataFrame(columns).group_by(*columns).len(WEIGHT)
    return {**{role: counts[role] for role in columns}, WEIGHT: counts[WEIGHT].to_numpy()}


def _is_arrow_text(column: Any) -> bool:
    arrow = sys.modules.get("pyarrow")
    if arrow is None or not isinstance(column, arrow.Array | arrow.ChunkedArray):
        return False
    return column.type in (arrow.string(), arrow.large_string()) and not column.null_count


def _count_by_arrow(columns: dict[str, Any]) -> dict[str, Any]:
    arrow = sys.modules["pyarrow"]
    with suppress(arrow.ArrowInvalid):  # 2 GiB of text or more need the long offsets, which Arrow groups slowly
        columns = {role: column.cast(arrow.string()) for role, column in columns.items()}
    groups = arrow.table(columns).group_by(list(columns)).aggregate([([], "count_all")])
    return {**{role: groups[role] for role in columns}, WEIGHT: groups["count_all"].to_numpy()}
