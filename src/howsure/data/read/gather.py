"""Read predictions from arrays, data frames or files, and check them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.checks import check_flag, check_number
from howsure.data.encode import Encoded, Label
from howsure.data.predictions import KEYS, LABELS, Predictions, check_lengths, number_cases
from howsure.data.read.column_names import ARGUMENTS, are_names, refuse_arrays, refuse_names
from howsure.data.read.engines import as_frame, count_engine, count_labels, is_engine
from howsure.data.read.files import count_file, read_file
from howsure.data.read.frames import frame_column, library_of, open_frame
from howsure.data.read.identifiers import repeated_in_frame
from howsure.data.read.join import count_columns, read_annotated, read_columns
from howsure.data.read.paths import check_format, is_file
from howsure.data.read.scored_files import read_scores
from howsure.data.read.text_counts import count_text
from howsure.data.scores import Scores
from howsure.data.truths import SoftTruth, Truths, read_truth, spread_truth
from howsure.errors import HowsureError, must


@dataclass(frozen=True, slots=True)
class Input:
    """Checked predictions, with their number of cases and their library.

    If there is no cluster column, ``repeated`` lists unused columns with repeated identifiers.
    """

    predictions: Predictions
    cases: int
    library: str | None
    repeated: tuple[str, ...] = ()


def gather(
    roles: Mapping[str, Any],
    data: Any = None,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    threshold: float | None = None,
    file_format: str | None = None,
    names: Mapping[str, str] | None = None,
    *,
    exact: bool | None = None,
    in_order: bool = False,
) -> Input:
    """Read one classifier's predictions, given as columns or their names.

    ``names`` are the names of arrays in error messages, where these differ from the role. ``exact=True`` keeps every
    score, and ``exact=False`` counts scores in bins; by default, files and lazy frames with many rows are counted in
    bins. ``in_order`` keeps the order of the rows, which are paired with those of another classifier.
    """
    columns = {role: column for role, column in roles.items() if column is not None}
    exact = None if exact is None else check_flag("exact", exact)
    if "truth" not in columns:
        raise HowsureError("`truth` must be a column of labels, or its name in `data`, not None.")
    if "predicted" not in columns and "scores" not in columns:
        if isinstance(columns["truth"], str) and data is None:
            must(
                "truth", "a column of labels, or with `data=`, a file or a data frame, its name", given=columns["truth"]
            )
        raise HowsureError("`truth` must come with `predicted` or `scores`.")
    scores: Any = columns.get("scores")
    if are_names(scores) and len(set(scores)) < len(scores):
        must("scores", "different columns, one for each class", given=scores)
    if threshold is not None:
        check_number(threshold, "threshold")
        if "predicted" in columns:
            raise HowsureError(
                "`threshold` applies to `scores`, but `predicted` already holds decisions; leave out one of the two."
            )
    check_format(file_format, data)
    column_names = {role: column for role, column in columns.items() if isinstance(column, str)}
    called = {**ARGUMENTS, **(names or {}), **column_names}
    rows, library = None, None
    repeated: tuple[str, ...] = ()
    if is_file(data):
        columns, rows, repeated = _from_file(columns, data, file_format, threshold, exact)
    else:
        library = library_of(columns["truth"])
        counts, frame = None, as_frame(data)
        if frame is not None and len(column_names) == len(columns) and is_engine(frame):
            counts = count_engine(frame, column_names, threshold, exact)
        if counts is not None:
            columns, rows, library, repeated = counts.columns, counts.rows, counts.library, counts.repeated
        elif frame is not None:
            columns, library, repeated = _from_frame(columns, frame)
        refuse_names(columns)
    columns["truth"] = read_truth(columns["truth"], _number(columns))
    if isinstance(columns["truth"], Truths | SoftTruth):
        columns = spread_truth(columns, called)
    if not in_order:
        columns = count_text(columns, called)
    options = {"threshold": threshold, **{name: columns.pop(name) for name in ("threshold",) if name in columns}}
    predictions = Predictions.of(**columns, **options, labels=labels, positive=positive, names=called)
    if exact is False and predictions.tops is None:
        predictions = predictions.in_bins()
    return Input(predictions, count_cases(predictions, rows), library, repeated)


def gather_each(
    truth: Any,
    kind: str,
    columns: Mapping[str, Any] | Sequence[str],
    data: Any = None,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    threshold: float | None = None,
    file_format: str | None = None,
    keys: Mapping[str, Any] | None = None,
) -> dict[str, Predictions]:
    """Read the predictions of several classifiers with shared classes.

    ``kind`` is "predicted" or "scores", and ``keys`` holds group and cluster columns by role.
    """
    columns, weight = _by_classifier(columns, kind), None
    called = {"truth": truth} if isinstance(truth, str) else {}
    keys = {role: column for role, column in (keys or {}).items() if column is not None}
    check_format(file_format, data)
    if is_file(data):
        named_keys = [(ARGUMENTS.get(role, role), column) for role, column in keys.items()]
        several = are_names(truth) and len(truth) > 1
        truth = truth[0] if are_names(truth) and not several else truth
        for name, column in (*(() if several else (("truth", truth),)), *columns.items(), *named_keys):
            if not isinstance(column, str):
                raise HowsureError(f"`{name}` must be the name of a column of `data`, not {type(column).__name__}.")
        if several:
            _check_different(truth)
            read = read_annotated(data, truth, columns, scores=kind == "scores", keys=keys, file_format=file_format)
        elif kind == "predicted":  # the few combinations of labels are counted, with counts as weights
            read = count_columns(data, truth, columns, keys=keys, file_format=file_format)
        else:
            read = read_columns(data, truth, columns, scores=True, keys=keys, file_format=file_format)
        truth, columns, weight, keys, data = read.truth, read.classifiers, read.weight, read.keys, None
    elif data is not None and is_engine(data := as_frame(data)):
        named = all(isinstance(column, str) for column in (truth, *columns.values(), *keys.values()))
        if kind == "predicted" and named:
            counts = count_labels(data, truth, columns, keys).columns
            truth, weight, data = counts["truth"], counts["weight"], None
            columns = dict(counts["classifiers"])
            keys = {role: counts[role] for role in keys}
        else:  # scores are compared case by case
            truths = truth if are_names(truth) else [truth]
            used = [column for column in (*truths, *columns.values(), *keys.values()) if isinstance(column, str)]
            data = open_frame(data, used)[0].to_native()

    def over(classes: Sequence[Label] | None) -> dict[str, Predictions]:
        return {
            name: gather(
                {"truth": truth, kind: column, "weight": weight, **keys},
                data,
                classes,
                positive,
                threshold,
                names={kind: name, **called},
                in_order=True,
            ).predictions
            for name, column in columns.items()
        }

    predictions = over(labels)
    classes = [checked.classes.labels for checked in predictions.values()]
    if len(set(classes)) > 1:  # a classifier never predicts a class that another predicts
        return over(list(dict.fromkeys(label for labels in classes for label in labels)))
    return predictions


def _by_classifier(columns: Any, kind: str) -> dict[str, Any]:
    """Return columns by classifier, named after the columns by default."""
    if isinstance(columns, Mapping):
        by_name = {str(name): column for name, column in columns.items()}
        if len(by_name) < len(columns):
            must(kind, "columns of classifiers with different names", given=list(columns))
    elif isinstance(columns, list | tuple) and all(isinstance(name, str) for name in columns):
        by_name = {name: name for name in columns}
        if len(by_name) < len(columns):
            must(kind, "different columns", given=columns)
    else:
        raise HowsureError(
            f"`{kind}` must be a mapping of names to columns, such as {{'tree': ..., 'bayes': ...}}, not "
            f"{type(columns).__name__}."
        )
    if len(by_name) < 2:
        raise HowsureError(f"`{kind}` must name at least two classifiers to compare, not {len(by_name)}.")
    return by_name


def _from_frame(columns: Mapping[str, Any], data: Any) -> tuple[dict[str, Any], str | None, tuple[str, ...]]:
    used = [column for column in columns.values() if isinstance(column, str)]
    used += [name for column in columns.values() if are_names(column) for name in column]
    frame, library = open_frame(data, used)
    values = dict(columns)
    for role, column in columns.items():
        if isinstance(column, str):
            values[role] = frame_column(frame, column, role)
        elif role == "truth" and are_names(column):
            values[role] = _truth_of_frame(frame, column)
        elif role == "scores" and are_names(column):
            scores = {name: Scores.of(frame_column(frame, name, role), name).values for name in column}
            check_lengths({name: len(values) for name, values in scores.items()}, {name: name for name in scores})
            values[role] = Scores(np.column_stack([scores[name] for name in column]), tuple(column))
    return values, library, () if "cluster" in columns else repeated_in_frame(frame, used)


def _truth_of_frame(frame: Any, names: Sequence[str]) -> Any:
    """Return the annotators' columns, or a list of labels unchanged."""
    columns = list(frame) if isinstance(frame, Mapping) else frame.columns
    rows = len(next(iter(frame.values()), ())) if isinstance(frame, Mapping) else len(frame)
    if len(names) == rows and not (set(names) <= set(columns) and len(set(names)) == len(names)):
        return names
    _check_different(names)
    return Truths(tuple(frame_column(frame, name, "truth") for name in names), tuple(names))


def _check_different(names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        must("truth", "different columns, one for each annotator", given=list(names))


def _number(columns: Mapping[str, Any]) -> int | None:
    """Return the number of predictions, or None if columns have no length."""
    column = columns.get("predicted", columns.get("scores"))
    if isinstance(column, Encoded | Scores):
        return len(column.codes if isinstance(column, Encoded) else column.values)
    return len(column) if hasattr(column, "__len__") and getattr(column, "shape", (0,)) != () else None


def _from_file(
    columns: dict[str, Any], data: Any, file_format: str | None, threshold: float | None, exact: bool | None
) -> tuple[dict[str, Any], int, tuple[str, ...]]:
    """Read columns of files, and return the number of rows.

    Labels without scores are counted by their combinations, unless there are groups and weights, since the number of
    cases in each group would be lost.
    """
    lists = [role for role in ("truth", "scores") if are_names(columns.get(role))]
    refuse_arrays({role: column for role, column in columns.items() if role not in lists})
    annotators = [columns["truth"]] if isinstance(columns["truth"], str) else columns["truth"]
    _check_different(annotators)
    single = len(annotators) == 1
    labels = dict.fromkeys(annotators, "truth") | {columns[role]: role for role in LABELS[1:] if role in columns}
    keys = {columns[role]: role for role in KEYS if role in columns}
    scores, weight = columns.get("scores"), columns.get("weight")
    scores = [scores] if isinstance(scores, str) and not single else scores
    if isinstance(scores, str):
        options: dict[str, Any] = {"threshold": threshold, "exact": exact, "file_format": file_format}
        read = read_scores(data, labels, keys, score=scores, weight=weight, **options)
        scores = Scores(read.numbers[scores], (scores,))
    elif scores is None and single and (weight is None or not keys):
        read = count_file(data, labels, keys, weight, file_format)
    else:
        numbers = dict.fromkeys(scores or [], "scores")
        optional = () if single else annotators
        options = {"numbers": numbers, "weight": weight, "optional": optional, "file_format": file_format}
        read = read_file(data, labels, keys, **options)
        if scores is not None:
            scores = Scores(np.column_stack([read.numbers[name] for name in scores]), tuple(scores))
    values = {role: read.labels[columns[role]] for role in (*LABELS[1:], *KEYS) if role in columns}
    values["truth"] = _of_annotators(read.labels, annotators)
    values |= {"scores": scores, "weight": read.weight, "square": read.square, "tops": read.tops}
    if "predicted" not in columns and read.threshold is not None:
        values["threshold"] = read.threshold
    return values, read.rows, read.repeated


def _of_annotators(columns: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Return the column of labels, or a column for each annotator."""
    return columns[names[0]] if len(names) == 1 else Truths(tuple(columns[name] for name in names), tuple(names))


def count_cases(predictions: Predictions, rows: int | None = None) -> int:
    """Return the number of cases, which may have several rows each."""
    if predictions.case is not None:
        return number_cases(predictions.case)[1]
    if predictions.square is not None and rows is not None:
        return rows
    if predictions.weight is None or predictions.square is not None:
        return len(predictions.truth)
    return int(predictions.weight.sum())
