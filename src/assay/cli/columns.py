"""Columns of predictions, as the commands that compare classifiers read them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.comparison import Comparison


def read(
    files: tuple[str, ...],
    truth: str,
    predicted: tuple[str, ...],
    score: tuple[str, ...],
    key: str | None,
    file_format: str | None,
) -> tuple[Any, dict[str, Any]]:
    from assay.data.read.join import join_files, read_columns

    if bool(predicted) == bool(score):
        raise AssayError("`--predicted` or `--score` must be given, and not both.")
    columns, soft = predicted or score, bool(score)
    if len(files) == 1:
        if len(set(columns)) < 2:
            raise AssayError("at least two different columns must be given to compare, or a file for each classifier.")
        return read_columns(files[0], truth, {name: name for name in columns}, scores=soft, file_format=file_format)
    if len(columns) != 1:
        raise AssayError("with a file for each classifier, one column must be given, which each of them has.")
    names = {_stem(path, files): path for path in files}
    return join_files(names, truth, columns[0], scores=soft, key=key, file_format=file_format)


def _stem(path: str, files: tuple[str, ...]) -> str:
    """Name a classifier by its file, as short as the names stay different."""
    stems = [os.path.splitext(os.path.basename(one))[0] for one in files]
    mine = os.path.splitext(os.path.basename(path))[0]
    return mine if stems.count(mine) == 1 else path


def compare_columns(
    columns: tuple[Any, dict[str, Any]], soft: bool, measure: str | None, options: dict[str, Any]
) -> Comparison:
    from assay.comparison import compare

    truth, classifiers = columns
    chosen: dict[str, Any] = {"scores" if soft else "predicted": classifiers}
    return compare(truth, **chosen, measure=measure, **options)
