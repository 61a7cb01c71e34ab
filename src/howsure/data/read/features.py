"""Read features and classes from data files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import IntArray
from howsure.data.encode import Encoded
from howsure.data.literals import NO_VALUE
from howsure.data.read.column_names import check_column
from howsure.data.read.database import open_files
from howsure.data.read.files import read_file
from howsure.data.read.formats import Scan
from howsure.errors import HowsureError, listing
from howsure.sql import literal

ONE_HOT = "one-hot"
MISSING = sorted({"", "?", *NO_VALUE})  # words for a missing feature
AT_ONCE = 50  # number of columns per query; queries with many columns are slow
MAX_VALUES = 1000  # maximum number of categories in a text column; a column with more holds names instead


def read_table(
    file: str,
    target: str,
    *,
    groups: str | None = None,
    features: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    encode: str | None = None,
    format: str | None = None,  # noqa: A002
) -> tuple[NDArray[np.float64], Encoded, IntArray | None]:
    """Return features (by default, all other columns), classes and groups."""
    roles = {"target": target} if groups is None else {"target": target, "groups": groups}
    with open_files(file, format) as scan_of:
        scan = scan_of([(name, role) for role, name in roles.items()])
        names = _select(scan, roles, drop) if features is None else _check_features(features, roles)
        X = _features(scan_of([(name, "features") for name in names]), names, encode)
    labels = read_file(file, {target: "truth"}, {} if groups is None else {groups: "group"}, file_format=format).labels
    return X, labels[target], None if groups is None else labels[groups].codes.astype(np.int64)


def _check_features(features: Sequence[str], roles: dict[str, str]) -> list[str]:
    for role, name in roles.items():
        if name in features:
            raise HowsureError(f"`features` must not hold {name!r}, which is the column of `{role}`.")
    return list(features)


def _select(scan: Scan, roles: dict[str, str], drop: Sequence[str]) -> list[str]:
    """Return the columns that are neither dropped nor target or groups."""
    columns, title = scan.columns(), repr(scan.files.title)
    for name in drop:
        check_column("drop", name, list(dict.fromkeys(columns)), title)
    names = [name for name in columns if name not in drop and name not in roles.values()]
    if "" in names:
        raise HowsureError(
            f"{title} has a column without a name, which often holds row numbers; "
            'leave it out with drop = [""], or name it.'
        )
    if not names:
        raise HowsureError(f"{title} has no column left to be a feature.")
    return names


def _features(scan: Scan, names: list[str], encode: str | None) -> NDArray[np.float64]:
    numbers = ", ".join(f"{scan.number(name)} AS n{index}" for index, name in enumerate(names))
    scan.database.execute(f"CREATE TEMP TABLE cells AS SELECT *, {numbers} FROM {scan.scan()}")
    values = dict(zip(names, _fetch(scan, [f"n{index}" for index in range(len(names))]), strict=True))
    # Only columns with non-numeric cells can be text.
    doubtful = [name for name, column in values.items() if np.isnan(column).any()]
    texts: list[str] = []
    for start in range(0, len(doubtful), AT_ONCE):
        block = doubtful[start : start + AT_ONCE]
        values |= dict(zip(block, _fetch(scan, [_number(scan, name) for name in block]), strict=True))
        (are_texts,) = scan.fetch(
            f"SELECT {', '.join(f'bool_or({_is_text(scan, name)})' for name in block)} FROM cells"
        )
        texts += [name for name, is_text in zip(block, are_texts, strict=True) if is_text]
    if texts and encode is None:
        _refuse(scan, texts)
    columns = [_fetch(scan, _one_hot(scan, name)) if name in texts else [values[name]] for name in names]
    return np.column_stack([column for feature in columns for column in feature])


def _fetch(scan: Scan, expressions: list[str]) -> list[NDArray[np.float64]]:
    """Return SQL expressions as real numbers, with NaN for missing values."""
    selected = ", ".join(f"{expression} AS x{index}" for index, expression in enumerate(expressions))
    arrays = scan.database.execute(f"SELECT {selected} FROM cells").fetchnumpy()
    return [np.ma.filled(arrays[f"x{index}"].astype(float), np.nan) for index in range(len(expressions))]


def _text(scan: Scan, name: str) -> str:
    """Return SQL for a cell as text, with NULL for a missing value."""
    text = f"trim({scan.text(name)})"
    return f"(CASE WHEN {text} IN ({', '.join(map(literal, MISSING))}) THEN NULL ELSE {text} END)"


def _number(scan: Scan, name: str) -> str:
    """Return SQL for a cell as a real number; true is 1 and false is 0."""
    text = f"lower(trim({scan.text(name)}))"
    return f"(CASE {text} WHEN 'true' THEN 1.0 WHEN 'false' THEN 0.0 ELSE {scan.number(name)} END)"


def _is_text(scan: Scan, name: str) -> str:
    """Return SQL for whether a cell holds a value that is not a number."""
    return f"{_text(scan, name)} IS NOT NULL AND {_number(scan, name)} IS NULL"


def _refuse(scan: Scan, texts: list[str]) -> NoReturn:
    cell = scan.first_where(texts[0], _is_text(scan, texts[0]))
    columns, them = f"column {texts[0]!r}", "it"
    if len(texts) > 1:
        columns, them = f"columns {listing(list(map(repr, texts)), 8)}", "them"
    raise HowsureError(
        f'{columns} must hold numbers, not {cell}; give encode = "{ONE_HOT}" to make 0/1 columns of text, '
        f"or leave {them} out with `drop`."
    )


def _one_hot(scan: Scan, name: str) -> list[str]:
    """Return SQL for a 0/1 column for each value of a text column."""
    text = _text(scan, name)
    rows = scan.fetch(f"SELECT DISTINCT {text} AS value FROM cells WHERE {text} IS NOT NULL LIMIT {MAX_VALUES + 1}")
    if len(rows) > MAX_VALUES:
        raise HowsureError(
            f"column {name!r} of {scan.files.title!r} has more than {MAX_VALUES} different values, "
            "too many for one-hot encoding; leave it out with `drop`."
        )
    return [
        f"coalesce(CAST({text} = {literal(value)} AS DOUBLE), 0.0)" for value in sorted(str(row[0]) for row in rows)
    ]
