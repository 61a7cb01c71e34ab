"""Compare columns of files, as the commands `compare` and `gate` do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.comparison import Comparison


def compare_files(
    files: tuple[str, ...],
    truth: str,
    predicted: tuple[str, ...],
    score: tuple[str, ...],
    key: str | None = None,
    **options: Any,
) -> Comparison:
    """Compare columns of one file, or the same column of a file for each classifier."""
    from assay.comparison import compare
    from assay.data.read.join import join_files

    if bool(predicted) == bool(score):
        raise AssayError("`--predicted` or `--score` must be given, and not both.")
    columns, kind = (predicted, "predicted") if predicted else (score, "scores")
    if len(files) == 1:
        if len(set(columns)) < 2:
            raise AssayError("at least two different columns must be given to compare, or a file for each classifier.")
        options |= {kind: {name: name for name in columns}, "data": files[0]}
        return compare(truth, **options)
    if len(columns) != 1:
        raise AssayError("with a file for each classifier, one column must be given, which each of them has.")
    names = {_stem(path, files): path for path in files}
    file_format = options.pop("format", None)
    scores = kind == "scores"
    labels, classifiers = join_files(names, truth, columns[0], scores=scores, key=key, file_format=file_format)
    options[kind] = classifiers
    return compare(labels, **options)


def _stem(path: str, files: tuple[str, ...]) -> str:
    """Name a classifier by its file, as short as the names stay different."""
    stems = [os.path.splitext(os.path.basename(one))[0] for one in files]
    mine = os.path.splitext(os.path.basename(path))[0]
    return mine if stems.count(mine) == 1 else path
