"""Scores of several classifiers, in any of the forms in which tests of many classifiers take them.

A matrix has a row for each data set, or for each of several independent splits, and a column for each classifier, as a
data frame and a `FoldTable` have; a mapping has the values of each classifier by its name; and several arguments are
the values of a classifier each. A `FoldTable` tells whether its splits share training cases, and then it is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.checks import check_index, check_size, numbers
from howsure.errors import HowsureError, must
from howsure.registry import canonical
from howsure.significance.inputs import check_finite_table, row

# Columns of whole numbers by these names say which row is which, as files of folds have them.
COUNTS = frozenset({"fold", "split", "repeat", "run", "dataset", "data_set", "index", "id", "row", "unnamed:_0"})
DEPENDENT = (
    "`{argument}` must be of data sets, or of splits that share no training case: this test takes rows for "
    "independent, and over 10 x 10 folds of one data set it finds a difference in most comparisons of equals. Compare "
    "learners on one data set with `howsure.compare`, whose test allows for that."
)


@dataclass(frozen=True)
class Scores:
    """A column of scores for each classifier.

    ``note`` says how they were read; ``note_of_each`` does for tests to which a row is nothing.
    """

    columns: tuple[Array, ...]
    names: tuple[str, ...]
    note: str
    note_of_each: str

    @property
    def sizes(self) -> list[int]:
        return [len(column) for column in self.columns]

    @property
    def are_even(self) -> bool:
        return len(set(self.sizes)) == 1

    @cached_property
    def values(self) -> Array:
        """A row for each fold or data set, a column for each classifier."""
        return np.column_stack(self.columns)


def read_scores(
    scores: Any,
    more: Sequence[Any] = (),
    names: Sequence[str] | None = None,
    *,
    argument: str = "scores",
    rows: str = "folds or data sets",
    even: bool = True,
) -> Scores:
    """Read scores in any form; with ``even``, all classifiers must have as many."""
    columns, own_names = _columns(scores, more, argument, rows, even)
    k, sizes = len(columns), [len(column) for column in columns]
    if k < 2:
        raise HowsureError(f"`{argument}` must be of at least 2 classifiers, not {k}.")
    if even and len(set(sizes)) > 1:
        listed = ", ".join(map(str, sizes))
        raise HowsureError(
            f"`{argument}` must have as many values of each classifier, of the same {rows}, not {listed}."
        )
    check_size(argument, np.concatenate(columns))
    try:
        labels = own_names if names is None else tuple(map(str, names))
    except TypeError:  # it holds nothing
        must("names", f"{k} different names", given=names)
    all_names = labels or tuple(map(str, range(1, k + 1)))
    if len(all_names) != k or len(set(all_names)) < k:
        raise HowsureError(f"`names` must be {k} different names, one for each column, not {list(all_names)}.")
    classifiers = f"{k} classifiers" + (f": {', '.join(labels)}" if labels else "")
    each = f"{sizes[0]} scores of each of" if len(set(sizes)) == 1 else f"{', '.join(map(str, sizes))} scores x"
    return Scores(tuple(columns), all_names, f"{sizes[0]} {rows} (rows) x {classifiers}", f"{each} {classifiers}")


def _columns(
    scores: Any, more: Sequence[Any], argument: str, rows: str, even: bool
) -> tuple[list[Array], tuple[str, ...]]:
    """Give the values of each classifier, and their names where they have any."""
    if more or isinstance(scores, Mapping):
        given = dict(enumerate((scores, *more))) if more else scores
        columns = {f"{argument}[{key!r}]": values for key, values in given.items()}
        if even:
            check_index(columns)
        return [row(name, values) for name, values in columns.items()], () if more else tuple(map(str, scores))
    if hasattr(scores, "learners"):
        if scores.design.overlap:
            raise HowsureError(DEPENDENT.format(argument=argument))
        return _matrix(scores.values, argument, rows), tuple(map(str, scores.learners))
    if isinstance(scores, list | tuple):
        raise HowsureError(
            f"`{argument}` must not be a bare list, which does not say which way it lies: give np.array(...) with a "
            f"row for each of the {rows}, or one argument, or an entry of a mapping, for each classifier."
        )
    if not isinstance(scores, np.ndarray | str):
        import narwhals as nw

        frame: Any = nw.from_native(scores, pass_through=True)
        if isinstance(frame, nw.LazyFrame):
            frame = frame.collect()
        if isinstance(frame, nw.DataFrame):
            for name in frame.columns:
                _refuse_count(frame[name], name, argument)
            return [_column(frame[name], name, argument) for name in frame.columns], tuple(map(str, frame.columns))
    return _matrix(scores, argument, rows), ()


def _matrix(scores: Any, argument: str, rows: str) -> list[Array]:
    values = numbers(argument, scores)
    if values.ndim != 2 or values.shape[0] < 1 or values.shape[1] < 2:
        raise HowsureError(
            f"`{argument}` must be a table of at least 1 row ({rows}) and 2 columns (classifiers), not an array of "
            f"shape {values.shape}."
        )
    check_finite_table(argument, values)
    return list(values.T)


def _refuse_count(series: Any, name: str, argument: str) -> None:
    """Refuse a column that numbers the rows, which would be taken for a classifier and change the answer."""
    if canonical(str(name)) in COUNTS and series.dtype.is_integer():
        raise HowsureError(
            f"column {name!r} of `{argument}` numbers the rows and is no classifier; drop it, or make it the index."
        )


def _column(series: Any, name: str, argument: str) -> Array:
    values = series.to_numpy()
    if values.dtype.kind not in "biuf":
        raise HowsureError(f"column {name!r} of `{argument}` must hold numbers; keep the columns of classifiers only.")
    return row(f"{argument}[{name!r}]", values)
