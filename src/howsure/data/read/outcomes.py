"""Read outcomes: right and wrong answers, or scores from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Floats
from howsure.checks import check_index
from howsure.data.encode import encode
from howsure.data.predictions import Key, check_lengths, check_present, key_of
from howsure.data.read.column_names import refuse_arrays, refuse_names
from howsure.data.read.files import read_file
from howsure.data.read.frames import frame_column, open_frame
from howsure.data.read.identifiers import repeated_in_frame
from howsure.data.read.paths import check_format, is_file
from howsure.errors import HowsureError, must

ROLE = "correct"
KEYS = ("case", "cluster", "group")
EXPECTED = "right or wrong (1 or 0, true or false), or a score from 0 to 1"


@dataclass(frozen=True)
class OutcomeColumns:
    """Checked scores by name, and row keys by role.

    If there is no key, ``repeated`` lists unused columns with repeated identifiers.
    """

    scores: dict[str, Floats]
    keys: dict[str, Key]
    repeated: tuple[str, ...] = ()


def gather_outcomes(
    correct: Mapping[str, Any], keys: Mapping[str, Any], data: Any = None, file_format: str | None = None
) -> OutcomeColumns:
    """Read the scores of classifiers by name, and row keys by role."""
    repeated: tuple[str, ...] = ()
    keys = {role: column for role, column in keys.items() if column is not None}
    check_format(file_format, data)
    called = {role: column if isinstance(column, str) else role for role, column in keys.items()}
    if is_file(data):
        columns, by_role, repeated = _from_file(correct, keys, data, file_format)
    else:
        columns, by_role = dict(correct), dict(keys)
        if data is not None:
            frame, _ = open_frame(data)
            used = [column for column in (*correct.values(), *keys.values()) if isinstance(column, str)]
            repeated = repeated_in_frame(frame, used)
            for mapping in (columns, by_role):
                names = {name: column for name, column in mapping.items() if isinstance(column, str)}
                mapping |= {name: frame_column(frame, column, name) for name, column in names.items()}
        refuse_names({**columns, **by_role})
    check_index({**columns, **by_role})
    scores = {name: _check_scores(column, name) for name, column in columns.items()}
    encoded = {role: encode(column, called[role]) for role, column in by_role.items()}
    lengths = {name: len(column) for name, column in scores.items()}
    lengths |= {role: len(column.codes) for role, column in encoded.items()}
    check_lengths(lengths, {**{name: name for name in scores}, **called})
    for role, column in encoded.items():
        check_present(column, called[role])
    by_key = {role: key_of(column) for role, column in encoded.items()}
    return OutcomeColumns(scores, by_key, () if by_key else repeated)


def _from_file(
    correct: Mapping[str, Any], keys: Mapping[str, Any], data: Any, file_format: str | None
) -> tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]:
    refuse_arrays({**correct, **keys})
    roles = {column: role for role, column in keys.items()}
    read = read_file(data, {}, roles, numbers=dict.fromkeys(correct.values(), ROLE), file_format=file_format)
    columns = {name: read.numbers[column] for name, column in correct.items()}
    return columns, {role: read.labels[column] for role, column in keys.items()}, read.repeated


def _check_scores(column: Any, name: str) -> Floats:
    try:
        values = np.ma.filled(np.ma.asarray(column).astype(float), np.nan)
    except (TypeError, ValueError):
        values = np.empty(0)
        must(name, EXPECTED, given=column)
    if values.ndim != 1:
        must(name, f"a column, {EXPECTED} in each row", given=column)
    bad = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if len(bad):
        value = "nothing" if np.isnan(values[bad[0]]) else f"{values[bad[0]]:g}"
        raise HowsureError(f"`{name}` must be {EXPECTED}, not {value} at index {bad[0]}.")
    return values


def check_nested(case: Key | None, cluster: Key | None) -> None:
    """Reject cases that belong to several clusters."""
    if case is None or cluster is None:
        return
    first = np.zeros(len(case.values), np.int64)
    first[case.codes] = cluster.codes
    rows = np.flatnonzero(first[case.codes] != cluster.codes)
    if len(rows):
        row = rows[0]
        name = case.values[case.codes[row]]
        clusters = (cluster.values[cluster.codes[row]], cluster.values[first[case.codes[row]]])
        raise HowsureError(
            f"`cluster` must be the same in all rows of a case, but {name!r} is in both {clusters[0]!r} "
            f"and {clusters[1]!r}."
        )
