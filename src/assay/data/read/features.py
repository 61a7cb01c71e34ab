"""Data files as features and classes: the columns are read by DuckDB, numbers as they are, text as 0/1 columns."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from assay.arrays import IntArray
from assay.data.encode import Encoded
from assay.data.literals import NO_VALUE
from assay.data.read.files import read_file
from assay.data.read.paths import Files, at_hand
from assay.data.read.scan import Source, check_columns, reading
from assay.errors import AssayError, listing

ONE_HOT = "one-hot"
MISSING = sorted({"", "?", *NO_VALUE})  # cells of a feature that hold no value
AT_ONCE = 50  # columns asked about in one query
MOST_VALUES = 1000  # different texts of a column that become columns; more of them are names, not kinds


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
    """Give features, classes and groups. Without ``features``, all columns that are not target, groups or dropped."""
    roles = {"target": target} if groups is None else {"target": target, "groups": groups}
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        files = at_hand(file, format, folder)
        with reading(files):
            import duckdb

            with duckdb.connect(":memory:", config={"autoinstall_known_extensions": "false"}) as database:
                there = Source(database, files, list(roles.items())).names()
                chosen = _chosen(there, roles, features, drop, files)
                X = _features(Source(database, files, [("features", name) for name in chosen]), chosen, encode)
    labels = read_file(
        file, {"truth": target} if groups is None else {"truth": target, "by": groups}, {}, format
    ).labels
    # Groups are numbers by the order of their names: that is all a split needs of them.
    return X, labels["truth"], None if groups is None else labels["by"].codes.astype(np.int64)


def _chosen(
    there: list[str], roles: dict[str, str], features: Sequence[str] | None, drop: Sequence[str], files: Files
) -> list[str]:
    if features is not None:
        named = next((role for role, name in roles.items() if name in features), None)
        if named is not None:
            raise AssayError(f"`features` must not hold {roles[named]!r}, which is the column of `{named}`.")
        return list(features)
    check_columns([("drop", name) for name in drop], list(dict.fromkeys(there)), files.shown)
    kept = [name for name in there if name not in drop and name not in roles.values()]
    if "" in kept:
        raise AssayError(
            f"{files.shown!r} has a column without a name, which often holds row numbers; "
            'leave it out with drop = [""], or give it a name.'
        )
    if not kept:
        raise AssayError(f"{files.shown!r} has no column left to be a feature.")
    return kept


def _features(source: Source, names: list[str], encode: str | None) -> NDArray[np.float64]:
    numbers = [f"{source.number(name)} AS n{place}" for place, name in enumerate(names)]
    source.database.execute(f"CREATE TEMP TABLE cells AS SELECT *, {', '.join(numbers)} FROM {source.scan()}")
    found = dict(zip(names, _fetch(source, [f"n{place}" for place in range(len(names))]), strict=True))
    # Only where some cell is no number is there more to ask, and not of too many columns in one query, which is slow.
    doubtful = [name for name, column in found.items() if np.isnan(column).any()]
    texts: list[str] = []
    for start in range(0, len(doubtful), AT_ONCE):
        some = doubtful[start : start + AT_ONCE]
        found |= dict(zip(some, _fetch(source, [_number(source, name) for name in some]), strict=True))
        asked = ", ".join(f"bool_or({_is_text(source, name)})" for name in some)
        told = source.database.execute(f"SELECT {asked} FROM cells").fetchone() or ()
        texts += [name for name, is_text in zip(some, told, strict=True) if is_text]
    if texts and encode is None:
        _refuse(source, texts)
    columns = [_fetch(source, _one_hot(source, name)) if name in texts else [found[name]] for name in names]
    return np.column_stack([column for some in columns for column in some])


def _fetch(source: Source, wanted: list[str]) -> list[NDArray[np.float64]]:
    """Columns of SQL as real numbers, missing ones NaN."""
    named = ", ".join(f"{column} AS x{place}" for place, column in enumerate(wanted))
    found = source.database.execute(f"SELECT {named} FROM cells").fetchnumpy()
    return [np.ma.filled(found[f"x{place}"].astype(float), np.nan) for place in range(len(wanted))]


def _known(source: Source, name: str) -> str:
    """SQL for a cell as text; NULL where it says that there is no value."""
    words = ", ".join(f"'{word}'" for word in MISSING)
    text = f"trim({source.text(name)})"
    return f"(CASE WHEN {text} IN ({words}) THEN NULL ELSE {text} END)"


def _number(source: Source, name: str) -> str:
    """SQL for a cell as a real number, true and false as 1 and 0; NULL where it is none."""
    text = f"lower(trim({source.text(name)}))"
    return f"(CASE {text} WHEN 'true' THEN 1.0 WHEN 'false' THEN 0.0 ELSE {source.number(name)} END)"


def _is_text(source: Source, name: str) -> str:
    """SQL that tells whether a cell holds a value that is no number."""
    return f"{_known(source, name)} IS NOT NULL AND {_number(source, name)} IS NULL"


def _refuse(source: Source, texts: list[str]) -> NoReturn:
    where = source.first(texts[0], _is_text(source, texts[0]))
    which, them = f"column {texts[0]!r}", "it"
    if len(texts) > 1:
        which, them = f"columns {listing(list(map(repr, texts)), 8)}", "them"
    raise AssayError(
        f'{which} must hold numbers, not {where}; give encode = "{ONE_HOT}" to make 0/1 columns of text, '
        f"or leave {them} out with `drop`."
    )


def _one_hot(source: Source, name: str) -> list[str]:
    """SQL for a 0/1 column of each value of a text column, in their order; all 0 where there is none."""
    text = _known(source, name)
    found = source.database.execute(
        f"SELECT DISTINCT {text} AS value FROM cells WHERE {text} IS NOT NULL LIMIT {MOST_VALUES + 1}"
    ).fetchall()
    if len(found) > MOST_VALUES:
        raise AssayError(
            f"column {name!r} of {source.files.shown!r} has more than {MOST_VALUES} different values, "
            "too many to make columns of; leave it out with `drop`."
        )
    quoted = ("'" + value.replace("'", "''") + "'" for value in sorted(str(value) for (value,) in found))
    return [f"coalesce(CAST({text} = {value} AS DOUBLE), 0.0)" for value in quoted]
