"""Where predictions come from: arrays, columns of a data frame, or columns of files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from assay.checks import check_number
from assay.data import Predictions
from assay.data.read.files import count_file, read_file
from assay.data.scores import Scores
from assay.errors import AssayError, listing, suggestion

Make = Callable[..., Predictions]  # `Predictions.of` with what the caller said about classes and threshold
NUMBERS = ("scores", "weight")
LIBRARIES = ("pandas", "polars", "pyarrow")


@dataclass(frozen=True, slots=True)
class Source:
    """Checked predictions, how many cases they are, and whose data frames the user speaks."""

    predictions: Predictions
    cases: int
    library: str | None


def gather(
    roles: dict[str, Any],
    data: Any,
    labels: Sequence[Any] | None,
    positive: Any,
    threshold: float | None,
    file_format: str | None,
) -> Source:
    """Find the columns that ``roles`` name or hold, and check them."""
    given = {role: value for role, value in roles.items() if value is not None}
    if "predicted" not in given and "scores" not in given:
        raise AssayError("`truth` must come with `predicted` or `scores`.")
    if threshold is not None:
        check_number(threshold, "threshold")
    make = partial(Predictions.of, threshold=threshold, labels=labels, positive=positive)
    if isinstance(data, str | os.PathLike) or hasattr(data, "read") or is_paths(data):
        if "scores" in given:
            return _rows_of_file(given, data, file_format, make)
        return _from_file(given, data, file_format, make)
    names: dict[str, str] = {"group": "by"}
    library = _library(given["truth"])
    if data is not None:
        frame, library = _columns(data)
        for role, value in given.items():
            if isinstance(value, str):
                names[role], given[role] = value, _column(frame, value, _shown(role))
            elif role == "scores" and _is_names(value):
                given[role] = _matrix(frame, value)
    for role, value in given.items():
        if isinstance(value, str):
            raise AssayError(f"`{_shown(role)}` is the name of a column, {value!r}, so `data` must be given too.")
    predictions = make(**given, names=names)
    return Source(predictions, _cases(predictions), library)


def _from_file(given: dict[str, Any], data: Any, file_format: str | None, make: Make) -> Source:
    """Labels are few, so files of them are counted and no row is read."""
    for role, value in given.items():
        if not isinstance(value, str):
            raise AssayError(f"`{_shown(role)}` must be the name of a column of `data`, not an array.")
    weight = given.pop("weight", None)
    counted = count_file(data, {_shown(role): name for role, name in given.items()}, weight, file_format)
    columns: dict[str, Any] = {role: counted.columns[_shown(role)] for role in given}
    names = {role: str(name) for role, name in given.items()}
    predictions = make(**columns, weight=counted.weight, square=counted.square, names=names)
    return Source(predictions, counted.rows if predictions.square is not None else _cases(predictions), None)


def _rows_of_file(given: dict[str, Any], data: Any, file_format: str | None, make: Make) -> Source:
    """Scores differ from row to row, so here the rows themselves are read."""
    numbers = {role: [name] if isinstance(name, str) else list(name) for role, name in given.items() if role in NUMBERS}
    for role, value in given.items():
        if not isinstance(value, str) and not (role == "scores" and _is_names(value)):
            raise AssayError(f"`{_shown(role)}` must be the name of a column of `data`, not an array.")
    labelled = {_shown(role): name for role, name in given.items() if role not in NUMBERS}
    read = read_file(data, labelled, numbers, file_format)
    columns: dict[str, Any] = {role: read.labels[_shown(role)] for role in given if role not in NUMBERS}
    scores: Any = read.numbers["scores"]
    if len(numbers["scores"]) > 1:
        scores = Scores(scores, tuple(numbers["scores"]))
    names = {role: name if isinstance(name, str) else role for role, name in given.items()}
    predictions = make(**columns, scores=scores, weight=read.numbers.get("weight"), names=names)
    return Source(predictions, _cases(predictions), None)


def _cases(predictions: Predictions) -> int:
    """Cases: whole-number weights repeat a row, real-valued ones do not."""
    if predictions.weight is None or predictions.square is not None:
        return len(predictions.truth)
    return int(predictions.weight.sum())


def _is_names(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(name, str) for name in value)


def is_paths(data: Any) -> bool:
    return isinstance(data, list | tuple) and bool(data) and all(isinstance(path, str | os.PathLike) for path in data)


def _matrix(frame: Any, names: Sequence[str]) -> Scores:
    columns = [np.asarray(_column(frame, name, "scores"), float) for name in names]
    return Scores.of(Scores(np.column_stack(columns), tuple(names)), "scores")


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
    except nw.exceptions.NarwhalsError as error:
        raise AssayError(f"`data` cannot be used: {' '.join(str(error).split())}.") from None
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
