"""Columns of data frames from any library, and of mappings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from howsure.data.encode import LIBRARIES
from howsure.data.read.column_names import check_column
from howsure.data.read.engines import check_capitals
from howsure.errors import HowsureError


def library_of(column: Any) -> str | None:
    """Return the data frame library of a column, or None."""
    root = type(column).__module__.partition(".")[0]
    return root if root in LIBRARIES else None


def open_frame(data: Any, used: Sequence[str] = ()) -> tuple[Any, str | None]:
    """Return a Narwhals frame and its library; mappings are unchanged.

    If any columns are ``used``, only these are collected from a lazy frame.
    """
    if isinstance(data, Mapping):
        return data, None
    import narwhals as nw

    try:
        frame = nw.from_native(data)
    except nw.exceptions.NarwhalsError as error:
        raise HowsureError(f"`data` cannot be used: {' '.join(str(error).split())}.") from None
    except TypeError:
        raise HowsureError(
            f"`data` must be a data frame, a file, or a mapping of columns, not {type(data).__name__}."
        ) from None
    if isinstance(frame, nw.LazyFrame):
        columns = frame.collect_schema().names()
        if used and set(columns).issuperset(used):
            check_capitals(frame, columns, used)
            frame = frame.select(*dict.fromkeys(used))
        frame = frame.collect()
    library = frame.implementation.value
    return frame, library if library in LIBRARIES else None


def frame_column(frame: Any, name: str, role: str) -> Any:
    """Return a column in its library's own form."""
    check_column(role, name, list(frame) if isinstance(frame, Mapping) else frame.columns, "`data`")
    return frame[name] if isinstance(frame, Mapping) else frame[name].to_native()
