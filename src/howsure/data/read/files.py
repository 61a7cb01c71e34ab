"""Count or encode columns of files inside DuckDB."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from howsure.data.encode import MISSING, Encoded, merge_equal
from howsure.data.literals import readings
from howsure.data.predictions import MAX_CASES, check_range
from howsure.data.read.database import open_files
from howsure.data.read.formats import Scan
from howsure.data.read.formats.declare import Wanted
from howsure.data.read.identifiers import repeated_in_files
from howsure.errors import HowsureError
from howsure.sql import literal

Roles = Mapping[str, str]  # from column names to roles
NONE: Roles = {}


@dataclass(frozen=True, slots=True)
class FileColumns:
    """Columns of labels, keys and numbers by name, and weights.

    If rows were counted, the labels are those of the distinct combinations, and the weights are their numbers of cases.
    Labels ``as_written`` are the text of a text file, not yet converted to numbers or booleans.
    """

    labels: dict[str, Any]
    rows: int
    weight: NDArray[Any] | None
    square: NDArray[np.float64] | None = None
    numbers: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    as_written: bool = False
    repeated: tuple[str, ...] = ()  # unused columns with repeated identifiers
    tops: NDArray[np.float64] | None = None  # the highest scores of bins
    threshold: float | None = None  # always at a bin boundary


def columns_of(data: Any, file_format: str | None = None) -> list[str]:
    """Return the names of all columns of a file."""
    with open_files(data, file_format) as scan_of:
        return scan_of(()).columns()


def count_file(
    data: Any, labels: Roles, keys: Roles = NONE, weight: str | None = None, file_format: str | None = None
) -> FileColumns:
    """Count the combinations of labels and keys in files or in a stream."""
    wanted = wanted_columns(weight, labels, keys)
    with open_files(data, file_format, wanted) as scan_of:
        scan = scan_of(wanted)
        condition, sums = "true", "NULL, NULL"
        if weight is not None:
            number = scan.number(weight)
            condition = f"{number} <> 0"
            whole, amount = check_weights(scan, weight, scan.scan(), number, scan.is_whole(weight))
            sums = f"sum({amount}), sum({amount} * {amount})"
        names = list({**labels, **keys})
        aliases = ", ".join(scan.aliases[name] for name in names)
        rows = scan.fetch(f"SELECT {aliases}, count(*), {sums} FROM {scan.scan()} WHERE {condition} GROUP BY {aliases}")
        if not rows:
            refuse_empty(scan, weight)
        *cells, counts, totals, squares = map(list, zip(*rows, strict=True))
        values = read_labels(scan, labels, keys, dict(zip(names, cells, strict=True)), condition)
        repeated = find_repeated(scan_of, scan, keys)
    if weight is None or whole:
        weights = np.array(counts if weight is None else np.round(totals), np.int64)
        return FileColumns(values, sum(counts), weights, repeated=repeated)
    return FileColumns(values, sum(counts), np.array(totals), np.array(squares), repeated=repeated)


def read_file(
    data: Any,
    labels: Roles,
    keys: Roles = NONE,
    *,
    numbers: Roles = NONE,
    weight: str | None = None,
    as_written: bool = False,
    optional: Collection[str] = (),
    file_format: str | None = None,
) -> FileColumns:
    """Read columns of labels, keys, numbers and weights, row by row.

    ``as_written`` leaves the labels of text files as text, so that the caller can convert those of several files
    together. Labels in ``optional`` columns may be missing.
    """
    wanted = wanted_columns(weight, labels, keys, numbers)
    with open_files(data, file_format, wanted) as scan_of:
        return read_rows(
            scan_of, scan_of(wanted), labels, keys, numbers, weight, as_written=as_written, optional=optional
        )


def read_rows(
    scan_of: Callable[[Wanted], Scan],
    scan: Scan,
    labels: Roles,
    keys: Roles,
    numbers: Roles,
    weight: str | None,
    *,
    as_written: bool = False,
    optional: Collection[str] = (),
) -> FileColumns:
    """Read columns of open files, like `read_file`."""
    amounts = {name: f"n{index}" for index, name in enumerate(numbers)}
    as_written &= scan.text_labels
    scan.text_labels &= not as_written
    columns = [scan.aliases[name] for name in {**labels, **keys}]
    columns += [f"{_amount(scan, name, numbers[name])} AS {amount}" for name, amount in amounts.items()]
    if weight is not None:
        columns += [f"{scan.number(weight)} AS weight", f"{scan.is_whole(weight)} AS is_whole"]
    # The files are read only once, into a table.
    scan.database.execute(f"CREATE TEMP TABLE cases AS SELECT {', '.join(columns)} FROM {scan.scan()}")
    condition = "true"
    if weight is not None:
        condition = f"{scan.number(weight)} <> 0"
        whole, _ = check_weights(scan, weight, "cases", "weight", "is_whole")
        scan.database.execute("DELETE FROM cases WHERE weight = 0")
    ((count,),) = scan.fetch("SELECT count(*) FROM cases")
    if not count:
        refuse_empty(scan, weight)
    for name, amount in amounts.items():
        _check_number(scan, name, amount, numbers[name], condition)
    encoded = _encode(scan, labels, keys, condition, optional)
    selected = [*amounts.values(), *([] if weight is None else ["weight"])]
    arrays = scan.database.execute(f"SELECT {', '.join(selected) or '1'} FROM cases").fetchnumpy()
    repeated = find_repeated(scan_of, scan, keys)
    values = {name: np.asarray(arrays[amount], np.float64) for name, amount in amounts.items()}
    weights: NDArray[Any] | None = None
    if weight is not None:
        weights = np.asarray(arrays["weight"], np.float64)
        weights = np.round(weights).astype(np.int64) if whole else weights
    return FileColumns(encoded, int(count), weights, numbers=values, as_written=as_written, repeated=repeated)


def find_repeated(scan_of: Callable[[Wanted], Scan], scan: Scan, keys: Roles) -> tuple[str, ...]:
    """Find unused repeated identifiers, unless there are clusters."""
    if "cluster" in keys.values():
        return ()
    return repeated_in_files(scan_of, scan.columns(), scan.aliases)


def wanted_columns(weight: str | None, *roles: Roles) -> list[tuple[str, str]]:
    columns = [column for mapping in roles for column in mapping.items()]
    return columns if weight is None else [*columns, (weight, "weight")]


def check_weights(scan: Scan, name: str, table: str, number: str, is_whole: str) -> tuple[bool, str]:
    """Return whether all weights are whole, and SQL for the scaled weights."""
    bad = "coalesce(NOT isfinite({0}) OR {0} < 0, true)"
    ((any_bad, whole, largest, total, least),) = scan.fetch(
        f"SELECT bool_or({bad.format(number)}), bool_and({is_whole}), max({number}), sum({number}), "
        f"min(CASE WHEN {number} > 0 THEN {number} END) FROM {table}"
    )
    if any_bad:
        cell = scan.first_where(name, bad.format(scan.number(name)))
        raise HowsureError(f"`{name}` must be finite and non-negative, not {cell}.")
    if whole and total and total >= MAX_CASES:
        raise HowsureError(f"`{name}` must add up to less than 2**53 cases; give it as real numbers instead.")
    check_range(name, least or math.inf, largest or 0.0)
    exponent = math.frexp(largest or 1.0)[1]
    if whole or abs(exponent) <= 300:
        return bool(whole), number
    half = math.ldexp(1.0, -exponent // 2)  # the power of two itself may overflow
    return False, f"({number} * {half!r} * {half!r})"


def _amount(scan: Scan, name: str, role: str) -> str:
    """Return SQL for a number or, in the role "correct", a boolean."""
    if role != "correct":
        return scan.number(name)
    words = f"lower(trim({scan.text(name)}))"
    return f"CASE {words} WHEN 'true' THEN 1.0 WHEN 'false' THEN 0.0 ELSE {scan.number(name)} END"


def _check_number(scan: Scan, name: str, amount: str, role: str, condition: str) -> None:
    """Reject cells that are not numbers, and report their rows in the file."""
    if scan.fetch(f"SELECT 1 FROM cases WHERE coalesce(isnan({amount}), true) LIMIT 1"):
        bad = f"{condition} AND coalesce(isnan({_amount(scan, name, role)}), true)"
        raise HowsureError(f"`{name}` must be a number, not {scan.first_where(name, bad)}.")


def refuse_empty(scan: Scan, weight: str | None) -> NoReturn:
    empty = scan.fetch(f"SELECT count(*) FROM {scan.scan()}") == [(0,)]
    reason = "it has no rows" if empty else f"{weight!r} is 0 in every row"
    raise HowsureError(f"{scan.files.title!r} must hold at least one case, but {reason}.")


def _encode(
    scan: Scan, labels: Roles, keys: Roles, condition: str, optional: Collection[str] = ()
) -> dict[str, Encoded]:
    """Encode labels inside DuckDB, reading the distinct labels only."""
    cells: dict[str, list[Any]] = {}
    codes: dict[str, NDArray[Any]] = {}
    for name in {**labels, **keys}:
        alias = scan.aliases[name]
        text = f"CAST({alias} AS VARCHAR)"
        rows = scan.fetch(f"SELECT {text} AS text, any_value({alias}) FROM cases GROUP BY text ORDER BY text")
        cells[name] = [cell for _, cell in rows]
        if None in cells[name]:
            if name not in optional:
                _refuse_missing(scan, name, keys.get(name, "label"), condition)
            cells[name].remove(None)
        labels_type = f"labels_{alias}"
        texts = f"SELECT DISTINCT {text} AS text FROM cases WHERE {alias} IS NOT NULL ORDER BY text"
        scan.database.execute(f"CREATE TYPE {labels_type} AS ENUM ({texts})")
        query = f"SELECT enum_code(CAST({text} AS {labels_type})) AS code FROM cases"
        codes[name] = scan.database.execute(query).fetchnumpy()["code"]
    values = read_labels(scan, labels, keys, cells, condition, optional)
    return {
        name: _merge_present(codes[name], values[name]) if name in optional else merge_equal(codes[name], values[name])
        for name in values
    }


def _merge_present(codes: NDArray[Any], values: list[Any]) -> Encoded:
    """Merge equal values into one label, and encode missing ones as `MISSING`."""
    present = list(dict.fromkeys(value for value in values if value is not None))
    lookup = np.array([MISSING if value is None else present.index(value) for value in values] + [MISSING], np.int32)
    return Encoded(lookup[np.ma.filled(codes.astype(np.int64), len(values))], present)


def read_labels(
    scan: Scan,
    labels: Roles,
    keys: Roles,
    cells: dict[str, list[Any]],
    condition: str,
    optional: Collection[str] = (),
) -> dict[str, list[Any]]:
    """Read cells as labels and keys; reject missing ones unless optional."""
    values: dict[str, list[Any]] = {}
    for name in cells:
        words = scan.missing_words.intersection(cells[name])
        if name in optional:
            column = [None if cell in words else scan.label(cell, name) for cell in cells[name]]
            values[name] = [None if value is None or value != value else value for value in column]
            continue
        if words:
            _refuse_word(scan, name, min(words), keys.get(name, "label"), keys.get(name, "class"), condition)
        values[name] = [scan.label(cell, name) for cell in cells[name]]
        if any(value is None or value != value for value in values[name]):
            _refuse_missing(scan, name, keys.get(name, "label"), condition)
    if scan.text_labels:  # label columns share their classes; each key column is converted alone
        together = [list(labels)] if labels else []
        for names in (*together, *([name] for name in keys if name not in labels)):
            texts = {name: set(values[name]) - {None} for name in names}
            meaning = readings(texts, scores_refused=names[0] in labels)
            for name in names:
                values[name] = [None if text is None else meaning.get(text, text) for text in values[name]]
    return values


def _refuse_word(scan: Scan, name: str, word: str, kind: str, renamed: str, condition: str) -> NoReturn:
    where = scan.where(f"{condition} AND {scan.aliases[name]} = {literal(word)}")
    raise HowsureError(
        f"`{name}` has {word!r} in {where}, which most programs write for a missing {kind}; "
        f"drop these rows, or rename the {renamed}."
    )


def _refuse_missing(scan: Scan, name: str, kind: str, condition: str) -> NoReturn:
    where = scan.where(f"{condition} AND coalesce(lower({scan.text(name)}) = 'nan', true)")
    raise HowsureError(f"`{name}` has no {kind} in {where}; drop these rows or give them a {kind}.")
