"""Reading the columns to compare for the commands `compare` and `gate`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from howsure.errors import HowsureError, inflect, listing

if TYPE_CHECKING:
    from howsure.comparison import Comparison
    from howsure.data import Predictions


READ = ("labels", "positive", "threshold", "cluster")  # options for reading the columns


def compare_files(
    files: tuple[str, ...],
    truth: str | list[str],
    predicted: tuple[str, ...],
    score: tuple[str, ...],
    key: str | None = None,
    *,
    measure: str | None = None,
    file_format: str | None = None,
    **options: Any,
) -> Comparison:
    """Compare columns of one file, or the same column of several files."""
    from howsure.comparison.cases import compare_predictions, default_measure

    reading = {name: options.pop(name) for name in READ if name in options}
    predictions = read_files(files, truth, predicted, score, key, file_format=file_format, **reading)
    return compare_predictions(predictions, measure or default_measure(next(iter(predictions.values()))), **options)


def read_files(
    files: tuple[str, ...],
    truth: str | list[str],
    predicted: tuple[str, ...],
    score: tuple[str, ...],
    key: str | None = None,
    *,
    by: str | None = None,
    cluster: str | None = None,
    file_format: str | None = None,
    **options: Any,
) -> dict[str, Predictions]:
    """Read the predictions of each classifier, with groups and clusters."""
    from howsure.data.read.gather import gather_each
    from howsure.data.read.join import join_files

    if bool(predicted) == bool(score):
        raise HowsureError("either `--predicted` or `--score` must be given.")
    columns, kind = (predicted, "predicted") if predicted else (score, "scores")
    keys = {"group": by, "cluster": cluster}
    if len(files) == 1:
        if len(set(columns)) < 2:
            raise HowsureError("two or more columns of one FILE, or a FILE for each classifier, must be given.")
        if len(set(columns)) < len(columns):
            raise HowsureError(f"each column must be given once, but {_repeated(columns)} repeated.")
        if key is not None:
            raise HowsureError("`--key` matches the rows of several files; leave it out for one FILE.")
        named = {name: name for name in columns}
        return gather_each(truth, kind, named, files[0], file_format=file_format, keys=keys, **options)
    if len(set(files)) < len(files):
        raise HowsureError(f"each classifier must have its own FILE, but {_repeated(files)} repeated.")
    if len(columns) != 1:
        raise HowsureError("with a FILE for each classifier, exactly one column that all files have must be given.")
    if not isinstance(truth, str):
        raise HowsureError("several `--truth` columns must be in one FILE, together with a column for each classifier.")
    names = dict(zip(_short_names(files), files, strict=True))
    scores = kind == "scores"
    read = join_files(names, truth, columns[0], scores=scores, key=key, keys=keys, file_format=file_format)
    return gather_each(read.truth, kind, read.classifiers, keys=read.keys, **options)


def _short_names(files: tuple[str, ...]) -> list[str]:
    """Name classifiers after the stems of their files, or after their paths."""
    stems = [os.path.splitext(os.path.basename(path))[0] for path in files]
    names = [stem if stems.count(stem) == 1 else path for stem, path in zip(stems, files, strict=True)]
    return [os.fsencode(name).decode("utf-8", "backslashreplace") for name in names]


def _repeated(names: tuple[str, ...]) -> str:
    repeated = [repr(name) for name in dict.fromkeys(names) if names.count(name) > 1]
    return f"{listing(repeated)} {inflect('is', len(repeated))}"
