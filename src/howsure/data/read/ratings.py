"""Read ratings: a column for each rater, or a row for each rating.

Categories are labels or, at the levels of measurement that require them, numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import IntArray
from howsure.checks import check_index
from howsure.data.encode import LIBRARIES, MISSING, Encoded, encode, whole_label
from howsure.data.labels import Classes, label_list
from howsure.data.predictions import Key, check_lengths, check_present, key_of
from howsure.data.read.column_names import refuse_arrays, refuse_names
from howsure.data.read.database import open_files
from howsure.data.read.files import read_rows
from howsure.data.read.frames import frame_column, open_frame
from howsure.data.read.paths import check_format, is_file
from howsure.errors import HowsureError, counted, must

LONG = ("item", "rater", "rating")  # default column names
KEYS = ("item", "rater", "cluster")


@dataclass(frozen=True)
class RatingColumns:
    """Rating codes by rater, or one column of codes with the key "rater"."""

    labels: tuple[Any, ...]
    columns: dict[Any, IntArray]
    keys: dict[str, Key]
    library: str | None = None


@dataclass(frozen=True)
class Request:
    """The ratings to read, and the row keys by role."""

    ratings: Any
    keys: dict[str, Any]
    labels: Sequence[Any] | None
    numeric: bool

    @property
    def is_long(self) -> bool:
        return "rater" in self.keys


def gather_ratings(
    ratings: Any,
    keys: Mapping[str, Any],
    data: Any = None,
    labels: Sequence[Any] | None = None,
    *,
    numeric: bool = False,
    file_format: str | None = None,
) -> RatingColumns:
    """Read ratings and keys (by role) from arrays, data frames or files."""
    asked = Request(ratings, {role: column for role, column in keys.items() if column is not None}, labels, numeric)
    check_format(file_format, data)
    if asked.is_long and "item" not in asked.keys:
        raise HowsureError("`item` must name the item of each row if `rater` names its rater.")
    library = None
    if is_file(data):
        columns, beside = _from_file(asked, data, file_format)
    elif data is not None:
        columns, beside, library = _from_frame(asked, data)
    else:
        columns, beside, library = _from_arrays(asked)
    check_index({**{str(name): column for name, column in columns.items()}, **beside})
    names = {role: asked.keys.get(role) for role in beside}
    spelled = {role: name if isinstance(name, str) else role for role, name in names.items()}
    encoded_keys = {role: encode(column, spelled[role]) for role, column in beside.items()}
    space, codes = (_numbers if numeric else _categories)(columns, labels)
    lengths = {f"{name}": len(column) for name, column in codes.items()}
    lengths |= {f"{role} column": len(column.codes) for role, column in encoded_keys.items()}
    named = {name: name for name in lengths} | {f"{role} column": spelled[role] for role in encoded_keys}
    check_lengths(lengths, named)
    for role, column in encoded_keys.items():
        check_present(column, spelled[role])
    return RatingColumns(space, codes, {role: key_of(column) for role, column in encoded_keys.items()}, library)


def _from_arrays(asked: Request) -> tuple[dict[Any, Any], dict[str, Any], str | None]:
    refuse_names({"ratings": asked.ratings, **asked.keys})
    if asked.is_long:
        return {"ratings": asked.ratings}, asked.keys, None
    ratings = asked.ratings
    if isinstance(ratings, Mapping):
        return dict(ratings), asked.keys, None
    if type(ratings).__module__.partition(".")[0] in LIBRARIES and hasattr(ratings, "columns"):
        frame, library = open_frame(ratings)
        return {name: frame[name].to_native() for name in frame.columns}, asked.keys, library
    return _matrix(ratings), asked.keys, None


def _matrix(ratings: Any) -> dict[Any, Any]:
    """Return the columns of a table with items in rows and raters in columns."""
    expected = "a table with a row for each item and a column for each rater"
    if isinstance(ratings, np.ndarray):
        if ratings.ndim != 2:
            must("ratings", expected, given=ratings)
        return {f"rater {column + 1}": ratings[:, column] for column in range(ratings.shape[1])}
    try:
        rows = [list(row) for row in ratings if not isinstance(row, str | bytes | Mapping)]
        complete = len(rows) == len(ratings)
    except TypeError:
        rows, complete = [], False
    if not complete or not rows:
        must("ratings", expected, given=ratings)
    odd = next((index for index, row in enumerate(rows) if len(row) != len(rows[0])), None)
    if odd is not None:
        raise HowsureError(
            f"`ratings` must have a rating from each rater in each row, or None: row {odd} has "
            f"{counted(len(rows[odd]), 'rating')}, and row 0 has {len(rows[0])}."
        )
    return {f"rater {column + 1}": [row[column] for row in rows] for column in range(len(rows[0]))}


def _from_frame(asked: Request, data: Any) -> tuple[dict[Any, Any], dict[str, Any], str | None]:
    frame, library = open_frame(data)
    names = list(frame) if isinstance(frame, Mapping) else frame.columns
    wanted, roles = _wanted(asked, names)
    beside = {
        role: frame_column(frame, column, role) if isinstance(column, str) else column for role, column in roles.items()
    }
    return {name: frame_column(frame, name, "ratings") for name in wanted}, beside, library


def _wanted(asked: Request, names: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """Return the rating and key columns, as named or by default."""
    keys = asked.keys
    if asked.ratings is None and not asked.is_long and set(LONG) <= set(names):
        return [LONG[2]], {"item": LONG[0], "rater": LONG[1], **keys}
    if asked.ratings is None:
        if asked.is_long:
            raise HowsureError("`ratings` must name the column of the ratings if `rater` names their raters.")
        beside = [column for column in keys.values() if isinstance(column, str)]
        return [name for name in names if name not in beside], keys
    if asked.is_long:
        if not isinstance(asked.ratings, str):
            must("ratings", "the name of the column of all ratings if `rater` is given", given=asked.ratings)
        return [asked.ratings], keys
    chosen = [asked.ratings] if isinstance(asked.ratings, str) else asked.ratings
    if not isinstance(chosen, list | tuple) or not all(isinstance(name, str) for name in chosen):
        must("ratings", "the names of the raters' columns in `data`", given=asked.ratings)
    return list(chosen), keys


def _from_file(asked: Request, data: Any, file_format: str | None) -> tuple[dict[Any, Any], dict[str, Any]]:
    refuse_arrays(asked.keys)
    with open_files(data, file_format) as scan_of:
        wanted, keys = _wanted(asked, scan_of([]).columns())
        roles = {name: role for role, name in keys.items()}
        ratings = dict.fromkeys(wanted, "ratings")
        # Labels must not be real numbers; numeric ratings are read like keys, each column alone.
        labels, beside = ({}, {**ratings, **roles}) if asked.numeric else (ratings, roles)
        scan = scan_of([*ratings.items(), *roles.items()])
        read = read_rows(scan_of, scan, labels, beside, {}, None, optional=wanted).labels
    return {name: read[name] for name in wanted}, {role: read[name] for name, role in roles.items()}


def _categories(
    columns: Mapping[Any, Any], labels: Sequence[Any] | None
) -> tuple[tuple[Any, ...], dict[Any, IntArray]]:
    """Return all raters' categories, and the ratings as their positions."""
    encoded = {name: encode(column, str(name)) for name, column in columns.items()}
    if all((column.codes == MISSING).all() for column in encoded.values()):
        raise HowsureError("`ratings` must hold at least one rating, but all are missing.")
    filled = {f"{index}": (name, column) for index, (name, column) in enumerate(encoded.items()) if column.values}
    classes = Classes.of(
        {role: column for role, (_, column) in filled.items()},
        labels,
        None,
        {role: str(name) for role, (name, _) in filled.items()},
    )
    codes = {}
    for name, column in encoded.items():
        positions = classes.index(column) if column.values else column.codes
        codes[name] = np.where(column.codes == MISSING, MISSING, positions)
    return classes.labels, codes


def _numbers(columns: Mapping[Any, Any], labels: Sequence[Any] | None) -> tuple[tuple[Any, ...], dict[Any, IntArray]]:
    """Return the distinct numbers, and the ratings as their positions."""
    values = {name: _real(column, str(name)) for name, column in columns.items()}
    ratings = np.concatenate(list(values.values()))
    unused = np.empty(0) if labels is None else _real(list(label_list(labels)), "labels")
    distinct = np.unique(np.concatenate([ratings[~np.isnan(ratings)], unused]))
    if np.isnan(ratings).all():
        raise HowsureError("`ratings` must hold at least one rating, but all are missing.")
    codes = {
        name: np.where(np.isnan(column), MISSING, np.searchsorted(distinct, column)) for name, column in values.items()
    }
    return tuple(map(whole_label, distinct.tolist())), codes


def _real(column: Any, name: str) -> NDArray[np.float64]:
    try:
        if isinstance(column, Encoded):
            return np.asarray([*column.values, np.nan], float)[column.codes]
        if isinstance(column, list | tuple):
            column = [np.nan if rating is None else rating for rating in column]
        masked = np.ma.asarray(column)
        if masked.dtype.kind == "c":
            must(name, "a column of real numbers", given=column)
        values = np.ma.filled(masked.astype(float), np.nan)
    except HowsureError:
        raise
    except (TypeError, ValueError):
        raise HowsureError(f"`{name}` must hold numbers at this level of measurement, not text.") from None
    if values.ndim != 1:
        must(name, "a column of numbers", given=column)
    bad = np.flatnonzero(np.isinf(values))
    if len(bad):
        raise HowsureError(f"`{name}` must hold finite numbers, not {values[bad[0]]} at index {bad[0]}.")
    return values
