"""Predictions of several classifiers out of files: columns of one, or one file each, joined by a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from assay.data.encode import Encoded
from assay.data.read.files import read_file
from assay.errors import AssayError, listing

KEY = "key"


def read_columns(
    file: Any,
    truth: str,
    columns: Mapping[str, str],
    *,
    scores: bool,
    format: str | None = None,  # noqa: A002
) -> tuple[Encoded, dict[str, Any]]:
    """Read the truth and a column for each classifier, row by row."""
    if scores:
        read = read_file(file, {"truth": truth}, {name: [column] for name, column in columns.items()}, format)
        return read.labels["truth"], dict(read.numbers)
    roles = {f"predicted{place}": column for place, column in enumerate(columns.values())}
    read = read_file(file, {"truth": truth, **roles}, {}, format)
    return read.labels["truth"], {name: read.labels[role] for name, role in zip(columns, roles, strict=True)}


def join_files(
    files: Mapping[str, str],
    truth: str,
    column: str,
    *,
    scores: bool,
    key: str | None,
    format: str | None = None,  # noqa: A002
) -> tuple[Encoded, dict[str, Any]]:
    """Read the same column of a file for each classifier; the rows of a case have the same key, or the same place."""
    found, first = {}, None
    for name, file in files.items():
        labelled = {"truth": truth} if key is None else {"truth": truth, KEY: key}
        if not scores:
            labelled["predicted"] = column
        read = read_file(file, labelled, {"scores": [column]} if scores else {}, format)
        values: Any = read.numbers["scores"] if scores else read.labels["predicted"]
        known = read.labels["truth"]
        order = np.arange(len(known.codes)) if key is None else _order(read.labels[KEY], name, key)
        names = None if key is None else _values(read.labels[KEY])[order]
        told = _values(known)[order]
        if first is None:
            first = name, names, told
        else:
            _same(first, (name, names, told), key)
        found[name] = _take(values, order)
        truth_column: Encoded = _take(known, order)
    return truth_column, found


def _take(column: Any, order: Any) -> Any:
    return Encoded(column.codes[order], column.values) if isinstance(column, Encoded) else column[order]


def _values(encoded: Encoded) -> Any:
    return np.array([*encoded.values, None], object)[encoded.codes]


def _order(encoded: Encoded, name: str, key: str) -> Any:
    """Sort rows by their key, which must name each once."""
    counts = np.bincount(encoded.codes, minlength=len(encoded.values))
    if (counts > 1).any():
        twice = [repr(encoded.values[place]) for place in np.flatnonzero(counts > 1)]
        raise AssayError(f"`{key}` of {name!r} must name each case once, and {listing(twice)} is there again.")
    values = _values(encoded)
    return np.array(sorted(range(len(values)), key=lambda place: str(values[place])))


def _same(first: tuple[str, Any, Any], other: tuple[str, Any, Any], key: str | None) -> None:
    """Refuse files that are not of the same cases."""
    one, names, truth = first
    two, names_two, truth_two = other
    if key is None and len(truth) != len(truth_two):
        raise AssayError(f"{one!r} has {len(truth)} rows and {two!r} has {len(truth_two)}; give a key to join them by.")
    if key is not None:
        lost = sorted(map(str, set(names) ^ set(names_two)))
        if lost:
            raise AssayError(
                f"{one!r} and {two!r} must be of the same cases, and {listing(lost)} is in one of them only."
            )
    apart = np.flatnonzero(truth != truth_two)
    if len(apart):
        where = f"case {names[apart[0]]!r}" if key is not None else f"row {apart[0] + 1}"
        raise AssayError(f"{one!r} and {two!r} tell different truths of {where}; they are not of the same cases.")
