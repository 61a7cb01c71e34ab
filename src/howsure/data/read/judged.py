"""Read cases labelled by a judge, with human labels for some of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, IntArray
from howsure.checks import check_index, check_number
from howsure.data.encode import MISSING, Encoded, Label, encode
from howsure.data.labels import Classes
from howsure.data.predictions import Key, check_lengths, check_present, key_of
from howsure.data.read.column_names import are_names, refuse_arrays, refuse_names
from howsure.data.read.files import read_file
from howsure.data.read.frames import frame_column, library_of, open_frame
from howsure.data.read.identifiers import repeated_in_frame
from howsure.data.read.paths import check_format, is_file
from howsure.data.scores import Scores, decide, default_threshold
from howsure.errors import HowsureError

LABELS = ("truth", "predicted", "judge")
KEYS = ("cluster", "stratum")
NO_LABEL = "`{}` has no human label at all; label some of the cases, or assess the judge's labels by themselves."


@dataclass(frozen=True)
class JudgedColumns:
    """Checked columns; ``truth`` is `MISSING` for cases without a human label.

    ``threshold`` was applied if there are scores without predicted labels, and ``repeated`` lists unused columns with
    repeated identifiers.
    """

    truth: IntArray
    judge: IntArray
    predicted: IntArray | None
    scores: Array | None
    classes: Classes
    keys: dict[str, Key]
    threshold: float | None = None
    library: str | None = None
    repeated: tuple[str, ...] = ()


def gather_judged(
    columns: Mapping[str, Any],
    data: Any = None,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    threshold: float | None = None,
    file_format: str | None = None,
) -> JudgedColumns:
    """Read and check columns, given by role, from arrays, frames or files."""
    columns = {role: column for role, column in columns.items() if column is not None}
    if "truth" not in columns:
        raise HowsureError("`truth` must be a column of human labels, with gaps where there are none, or its name.")
    if threshold is not None:
        check_number(threshold, "threshold")
        if "predicted" in columns or "scores" not in columns:
            raise HowsureError("`threshold` applies to `scores` without `predicted`; leave it out.")
    check_format(file_format, data)
    names = {role: column if isinstance(column, str) else role for role, column in columns.items()}
    library = library_of(columns["truth"])
    repeated: tuple[str, ...] = ()
    if is_file(data):
        columns, repeated = _from_file(columns, data, file_format)
    elif data is not None:
        columns, library, repeated = _from_frame(columns, data)
    refuse_names(columns)
    return _checked(columns, names, labels, positive, threshold, library, repeated)


def _from_file(
    columns: Mapping[str, Any], data: Any, file_format: str | None
) -> tuple[dict[str, Any], tuple[str, ...]]:
    scores = columns.get("scores")
    several = [scores] if isinstance(scores, str) else list(scores) if are_names(scores) else []
    refuse_arrays({role: column for role, column in columns.items() if role != "scores" or not several})
    labels, keys = ({columns[role]: role for role in roles if role in columns} for roles in (LABELS, KEYS))
    numbers = dict.fromkeys(several, "scores")
    read = read_file(data, labels, keys, numbers=numbers, file_format=file_format, optional=(columns["truth"],))
    values: dict[str, Any] = {role: read.labels[columns[role]] for role in (*LABELS, *KEYS) if role in columns}
    if several:
        values["scores"] = Scores(np.column_stack([read.numbers[name] for name in several]), tuple(several))
    return values, read.repeated


def _from_frame(columns: Mapping[str, Any], data: Any) -> tuple[dict[str, Any], str | None, tuple[str, ...]]:
    scores = columns.get("scores")
    several = list(scores) if are_names(scores) else []
    used = [column for column in columns.values() if isinstance(column, str)] + several
    frame, library = open_frame(data, used)
    values = {
        role: frame_column(frame, column, role) if isinstance(column, str) else column
        for role, column in columns.items()
    }
    if several:
        parts = [Scores.of(frame_column(frame, name, "scores"), name).values for name in several]
        values["scores"] = Scores(np.column_stack(parts), tuple(several))
    return values, library, () if "cluster" in columns else repeated_in_frame(frame, used)


def _checked(
    columns: Mapping[str, Any],
    names: dict[str, str],
    labels: Sequence[Label] | None,
    positive: Label | None,
    threshold: float | None,
    library: str | None,
    repeated: tuple[str, ...],
) -> JudgedColumns:
    check_index({names[role]: column for role, column in columns.items()})
    encoded = {role: encode(columns[role], names[role]) for role in (*LABELS, *KEYS) if role in columns}
    encoded["truth"] = _without_empty(encoded["truth"])
    ranking = None if "scores" not in columns else Scores.of(columns["scores"], names["scores"])
    lengths = {role: len(column.codes) for role, column in encoded.items()}
    lengths |= {} if ranking is None else {"scores": len(ranking.values)}
    check_lengths(lengths, names)
    for role, column in encoded.items():
        if role != "truth":
            check_present(column, names[role])
    if not (encoded["truth"].codes != MISSING).any():
        raise HowsureError(NO_LABEL.format(names["truth"]))
    classes = _classes(encoded, labels, positive, names)
    codes = {role: _indexed(classes, encoded[role]) for role in LABELS if role in encoded}
    if ranking is not None:
        ranking = ranking.fit(classes, names["scores"])
        if ranking.values.ndim == 2 and threshold is not None:
            raise HowsureError(
                "`threshold` is for two classes; with a column of scores for each class, the highest score decides."
            )
        if "predicted" not in codes:
            ends = float(ranking.values.min()), float(ranking.values.max())
            threshold = default_threshold(*ends) if threshold is None and ranking.values.ndim == 1 else threshold
            codes["predicted"] = decide(ranking.values, classes, threshold)
    return JudgedColumns(
        codes["truth"],
        codes["judge"],
        codes.get("predicted"),
        None if ranking is None else ranking.values,
        classes,
        {role: key_of(encoded[role]) for role in KEYS if role in encoded},
        threshold,
        library,
        repeated,
    )


def _without_empty(column: Encoded) -> Encoded:
    """Treat an empty text as a missing label, as in files."""
    if "" not in column.values:
        return column
    codes = np.where(column.codes == column.values.index(""), MISSING, column.codes)
    return Encoded(codes, column.values).take(slice(None))


def _classes(
    encoded: dict[str, Encoded], labels: Sequence[Label] | None, positive: Label | None, names: dict[str, str]
) -> Classes:
    """Collect the classes of human labels and predictions.

    If these have only one class, the judge's labels are used as well.
    """
    own = {role: column for role, column in encoded.items() if role in ("truth", "predicted")}
    present = {value for column in own.values() for value in column.present()}
    if labels is None and len(present) > 1:
        Classes.of({**own, "judge": encoded["judge"]}, None, None, names)  # rejects labels of several types
        classes = Classes.of(own, None, positive, names)
        others = " or ".join(f"`{names[role]}`" for role in own)
        for value in encoded["judge"].present():
            if value not in classes.labels:
                row = int(np.flatnonzero(encoded["judge"].codes == encoded["judge"].values.index(value))[0])
                raise HowsureError(
                    f"`{names['judge']}` has {value!r} at index {row}, which is not a class of {others}; give such "
                    "rows a class, or name all classes with `labels=`."
                )
        return classes
    return Classes.of({**own, "judge": encoded["judge"]}, labels, positive, names)


def _indexed(classes: Classes, column: Encoded) -> IntArray:
    """Return a column's codes as positions of classes, keeping gaps."""
    position = {label: index for index, label in enumerate(classes.labels)}
    lookup = np.array([*(position[value] for value in column.values), MISSING], np.int64)
    return np.asarray(lookup[column.codes])
