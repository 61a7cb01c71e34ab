"""Where predictions come from: arrays, columns of a data frame, or columns of files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.data import Predictions
from assay.data.files import count_file
from assay.errors import AssayError, listing, suggestion

LIBRARIES = ("pandas", "polars", "pyarrow")


@dataclass(frozen=True, slots=True)
class Source:
    """Checked predictions, how many rows they came in, and whose data frames the user speaks."""

    predictions: Predictions
    rows: int
    library: str | None


def gather(
    roles: dict[str, Any], data: Any, labels: Sequence[Any] | None, positive: Any, file_format: str | None
) -> Source:
    """Find the columns that ``roles`` name or hold, and check them."""
    given = {role: value for role, value in roles.items() if value is not None}
    if "truth" not in given or "predicted" not in given:
        raise AssayError("`truth` and `predicted` must both be given.")
    if isinstance(data, str | os.PathLike) or hasattr(data, "read"):
        return _from_file(given, data, labels, positive, file_format)
    names: dict[str, str] = {"group": "by"}
    library = _library(given["truth"])
    if data is not None:
        frame, library = _columns(data)
        for role, value in given.items():
            if isinstance(value, str):
                names[role], given[role] = value, _column(frame, value, _shown(role))
    for role, value in given.items():
        if isinstance(value, str):
            raise AssayError(f"`{_shown(role)}` is the name of a column, {value!r}, so `data` must be given too.")
    predictions = Predictions.of(**given, labels=labels, positive=positive, names=names)
    return Source(predictions, len(predictions.truth), library)


def _from_file(
    given: dict[str, Any],
    data: Any,
    labels: Sequence[Any] | None,
    positive: Any,
    file_format: str | None,
) -> Source:
    for role, value in given.items():
        if not isinstance(value, str):
            raise AssayError(f"`{_shown(role)}` must be the name of a column of `data`, not an array.")
    weight = given.pop("weight", None)
    counted = count_file(data, {_shown(role): name for role, name in given.items()}, weight, file_format)
    predictions = Predictions.of(
        **{role: counted.columns[_shown(role)] for role in given},
        weight=counted.weight,
        square=counted.square,
        labels=labels,
        positive=positive,
        names={role: str(name) for role, name in given.items()},
    )
    return Source(predictions, counted.rows, None)


def _shown(role: str) -> str:
    """Name a role as the user does: groups are what one assesses `by`."""
    return "by" if role == "group" else role


def _library(column: Any) -> str | None:
    root = type(column).__module__.partition(".")[0]
    return root if root in LIBRARIES else None


def _columns(data: Any) -> tuple[Any, str | None]:
    if isinstance(data, Mapping):
        return data, None
    import narwhals as nw

    try:
        frame = nw.from_native(data)
    except TypeError:
        raise AssayError(
            f"`data` must be a data frame, a file, or a mapping of columns, not {type(data).__name__}."
        ) from None
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    library = frame.implementation.value
    return frame, library if library in LIBRARIES else None


def _column(frame: Any, name: str, role: str) -> Any:
    there = list(frame) if isinstance(frame, Mapping) else frame.columns
    if name not in there:
        raise AssayError(
            f"`{role}` must be a column of `data`, not {name!r}"
            + suggestion(name, there, otherwise=f"it has {listing([repr(item) for item in there], 8)}")
        )
    return frame[name] if isinstance(frame, Mapping) else frame[name].to_native()
