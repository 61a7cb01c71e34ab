"""Read predictions of several classifiers from one or several files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import IntArray
from howsure.data.encode import Encoded, merge_equal
from howsure.data.literals import readings
from howsure.data.read.files import FileColumns, count_file, read_file
from howsure.data.truths import Truths
from howsure.errors import HowsureError, counted, inflect, listing


@dataclass(frozen=True, slots=True)
class Columns:
    """The truth, weights, labels or scores by classifier, and keys by role."""

    truth: Encoded | Truths
    classifiers: dict[str, Any]
    weight: NDArray[Any] | None = None
    keys: dict[str, Any] = field(default_factory=dict)  # key columns by role


Keys = Mapping[str, str | None]  # the column of each role, such as "group" and "cluster"


def _named(keys: Keys | None) -> dict[str, str]:
    """Return the roles that have a column."""
    return {role: column for role, column in (keys or {}).items() if column is not None}


def read_columns(
    file: Any,
    truth: str,
    columns: Mapping[str, str],
    *,
    scores: bool,
    keys: Keys | None = None,
    file_format: str | None = None,
) -> Columns:
    """Read the truth and a column for each classifier, row by row."""
    read = _read(file, truth, list(columns.values()), scores, keys=_named(keys), file_format=file_format)
    classifiers = {name: _column(read, column, scores) for name, column in columns.items()}
    by_role = {role: read.labels[column] for role, column in _named(keys).items()}
    return Columns(read.labels[truth], classifiers, keys=by_role)


def read_annotated(
    file: Any,
    truths: Sequence[str],
    columns: Mapping[str, str],
    *,
    scores: bool,
    keys: Keys | None = None,
    file_format: str | None = None,
) -> Columns:
    """Read a column for each annotator, with gaps, and each classifier."""
    kinds = dict.fromkeys(columns.values(), "scores" if scores else "predicted")
    labels = {**dict.fromkeys(truths, "truth"), **({} if scores else kinds)}
    roles = {column: role for role, column in _named(keys).items()}
    numbers = kinds if scores else {}
    read = read_file(file, labels, roles, numbers=numbers, optional=truths, file_format=file_format)
    classifiers = {name: _column(read, column, scores) for name, column in columns.items()}
    by_role = {role: read.labels[column] for role, column in _named(keys).items()}
    return Columns(Truths(tuple(read.labels[name] for name in truths), tuple(truths)), classifiers, keys=by_role)


def count_columns(
    file: Any, truth: str, columns: Mapping[str, str], *, keys: Keys | None = None, file_format: str | None = None
) -> Columns:
    """Count the combinations of true and predicted labels in the database."""
    labels = {truth: "truth", **dict.fromkeys(columns.values(), "predicted")}
    roles = {column: role for role, column in _named(keys).items()}
    counted = count_file(file, labels, roles, file_format=file_format)
    classifiers = {name: counted.labels[column] for name, column in columns.items()}
    by_role = {role: counted.labels[column] for role, column in _named(keys).items()}
    return Columns(counted.labels[truth], classifiers, counted.weight, by_role)


def join_files(
    files: Mapping[str, str],
    truth: str,
    column: str,
    *,
    scores: bool,
    key: str | None,
    keys: Keys | None = None,
    file_format: str | None = None,
) -> Columns:
    """Read a file for each classifier, and join them by a key or by row.

    Groups and clusters are taken from the first file.
    """
    columns: dict[str, Any] = {}
    first: _Cases | None = None
    by_role: dict[str, Encoded] = {}
    read_file_of = partial(_read, truth=truth, columns=[column], scores=scores, key=key, file_format=file_format)
    reads = {
        name: read_file_of(file, as_written=True, keys=_named(keys) if not index else {})
        for index, (name, file) in enumerate(files.items())
    }
    _read_together(reads, [truth] if scores else [truth, column], scores_refused=True)
    if key is not None:
        _read_together(reads, [key], scores_refused=False)
        _check_kinds(reads, key)
    for name, read in reads.items():
        if key is None:
            order = np.arange(read.rows)
        else:
            order = _order(read.labels[key], name, key, None if first is None else first.keys)
        own_keys = None if key is None else _values(read.labels[key])[order]
        cases = _Cases(name, own_keys, _values(read.labels[truth])[order])
        if first is None:
            first = cases
            by_role = {role: read.labels[column].take(order) for role, column in _named(keys).items()}
        else:
            first.check_same(cases)
        columns[name] = _column(read, column, scores).take(order)
        truth_column: Encoded = read.labels[truth].take(order)
    return Columns(truth_column, columns, keys=by_role)


def _read_together(reads: Mapping[str, FileColumns], columns: Sequence[str], *, scores_refused: bool) -> None:
    """Convert the text of all files together: 1 and "x" are both text.

    If a typed file holds text, such as "1", the cells of text files remain text, too.
    """
    written = [read for read in reads.values() if read.as_written]
    typed = [read for read in reads.values() if not read.as_written]
    texts = {column: {text for read in written for text in read.labels[column].values} for column in columns}
    meaning = readings(texts, scores_refused=scores_refused)
    if any(isinstance(value, str) for read in typed for column in columns for value in read.labels[column].values):
        return
    for read in written:
        for column in columns:
            encoded = read.labels[column]
            read.labels[column] = merge_equal(encoded.codes, [meaning.get(text, text) for text in encoded.values])


def _check_kinds(reads: Mapping[str, FileColumns], key: str) -> None:
    """Reject keys of several types: 1 and "1" may be different cases."""
    examples: dict[type, tuple[Any, str]] = {}
    for name, read in reads.items():
        for value in read.labels[key].values:
            examples.setdefault(int if isinstance(value, float) else type(value), (value, name))
    if len(examples) > 1:
        (value, name), (next_value, next_name), *_ = examples.values()
        raise HowsureError(
            f"`{key}` must have one type in all files, but it has {value!r} in {name!r} and {next_value!r} in "
            f"{next_name!r}; write all keys in one form."
        )


@dataclass(frozen=True, slots=True)
class _Cases:
    """The cases of one classifier's file, in the order of their keys."""

    name: str
    keys: NDArray[Any] | None
    truth: NDArray[Any]

    def check_same(self, other: _Cases) -> None:
        """Reject a file with different cases."""
        both = f"{self.name!r} and {other.name!r}"
        if self.keys is not None and other.keys is not None:
            if unmatched := sorted(map(str, set(self.keys) ^ set(other.keys))):
                cases = f"{listing(unmatched)} {inflect('is', len(unmatched))}"
                raise HowsureError(f"{both} must hold the same cases, but {cases} in only one of them.")
        elif len(self.truth) != len(other.truth):
            sizes = f"{self.name!r} has {counted(len(self.truth), 'row')} and {other.name!r} has {len(other.truth)}"
            raise HowsureError(f"{sizes}; give a key to join them by.")
        different = np.flatnonzero(self.truth != other.truth)
        if len(different):
            case = f"row {different[0] + 1}" if self.keys is None else f"case {self.keys[different[0]]!r}"
            raise HowsureError(f"{both} disagree on the truth of {case}; they do not hold the same cases.")


def _read(
    file: Any,
    truth: str,
    columns: Sequence[str],
    scores: bool,
    key: str | None = None,
    keys: Mapping[str, str] | None = None,
    **options: Any,
) -> FileColumns:
    kinds = dict.fromkeys(columns, "scores" if scores else "predicted")
    labels = {truth: "truth"} if scores else {truth: "truth", **kinds}
    roles = {column: role for role, column in _named({"key": key, **(keys or {})}).items()}
    return read_file(file, labels, roles, numbers=kinds if scores else {}, **options)


def _column(read: FileColumns, name: str, scores: bool) -> Any:
    return read.numbers[name] if scores else read.labels[name]


def _values(column: Encoded) -> NDArray[Any]:
    return np.array([*column.values, None], object)[column.codes]


def _order(keys: Encoded, name: str, key: str, first: NDArray[Any] | None) -> IntArray:
    """Return rows sorted like the first file's keys, or by their own."""
    counts = np.bincount(keys.codes, minlength=len(keys.values))
    if (counts > 1).any():
        repeated = [repr(keys.values[code]) for code in np.flatnonzero(counts > 1)]
        raise HowsureError(f"`{key}` of {name!r} must name each case once, but it repeats {listing(repeated)}.")
    row_of = {value: row for row, value in enumerate(_values(keys))}
    if first is None or set(first) != set(row_of):  # different keys are rejected later
        first = np.array(sorted(row_of, key=str), object)
    return np.array([row_of[value] for value in first])
