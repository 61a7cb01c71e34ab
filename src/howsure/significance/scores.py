"""Input of tests of many classifiers, in any supported form.

The scores are a matrix or data frame with a row for each data set (or independent split) and a column for each
classifier, a mapping from names to values, one argument for each classifier, or a `FoldTable`. A `FoldTable` whose
splits share training cases is rejected.
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

# Columns of whole numbers with these names are row numbers, as in files of fold results.
ROW_NUMBERS = frozenset({"fold", "split", "repeat", "run", "dataset", "data_set", "index", "id", "row", "unnamed:_0"})
DEPENDENT = (
    "`{argument}` must have rows from different data sets, or from splits without common training cases: this test "
    "assumes independent rows, and on 10 x 10 folds of one data set it rejects in most comparisons of equally good "
    "classifiers. Compare learners on one data set with `howsure.compare`, whose test allows for overlapping training "
    "sets."
)


@dataclass(frozen=True)
class Scores:
    """Scores of several classifiers, one array each.

    ``note`` describes the table for tests that use its rows, and ``note_of_each`` for tests that do not.
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
        """Matrix of folds or data sets (rows) by classifiers (columns)."""
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
    """Read scores in any form; with ``even``, the same number for each."""
    columns, own_names = _columns(scores, more, argument, rows, even)
    k, sizes = len(columns), [len(column) for column in columns]
    if k < 2:
        raise HowsureError(f"`{argument}` must hold at least 2 classifiers, not {k}.")
    if even and len(set(sizes)) > 1:
        listed = ", ".join(map(str, sizes))
        raise HowsureError(
            f"`{argument}` must have the same number of values for each classifier, on the same {rows}, not {listed}."
        )
    check_size(argument, np.concatenate(columns))
    try:
        labels = own_names if names is None else tuple(map(str, names))
    except TypeError:  # the names are not iterable
        must("names", f"{k} different names", given=names)
    all_names = labels or tuple(map(str, range(1, k + 1)))
    if len(all_names) != k or len(set(all_names)) < k:
        raise HowsureError(f"`names` must be {k} different names, one for each column, not {list(all_names)}.")
    classifiers = f"{k} classifiers" + (f": {', '.join(labels)}" if labels else "")
    each = f"{sizes[0]} scores for each of" if len(set(sizes)) == 1 else f"{', '.join(map(str, sizes))} scores x"
    return Scores(tuple(columns), all_names, f"{sizes[0]} {rows} (rows) x {classifiers}", f"{each} {classifiers}")


def _columns(
    scores: Any, more: Sequence[Any], argument: str, rows: str, even: bool
) -> tuple[list[Array], tuple[str, ...]]:
    """Return the values of each classifier, and the names if there are any."""
    if more or isinstance(scores, Mapping):
        by_name = dict(enumerate((scores, *more))) if more else scores
        columns = {f"{argument}[{key!r}]": values for key, values in by_name.items()}
        if even:
            check_index(columns)
        return [row(name, values) for name, values in columns.items()], () if more else tuple(map(str, scores))
    if hasattr(scores, "learners"):
        if scores.design.overlap:
            raise HowsureError(DEPENDENT.format(argument=argument))
        return _matrix(scores.values, argument, rows), tuple(map(str, scores.learners))
    if isinstance(scores, list | tuple):
        raise HowsureError(
            f"`{argument}` must not be a plain list, in which rows and columns are ambiguous: pass np.array(...) with "
            f"a row for each of the {rows}, or one argument or mapping entry for each classifier."
        )
    if not isinstance(scores, np.ndarray | str):
        import narwhals as nw

        frame: Any = nw.from_native(scores, pass_through=True)
        if isinstance(frame, nw.LazyFrame):
            frame = frame.collect()
        if isinstance(frame, nw.DataFrame):
            for name in frame.columns:
                _refuse_row_numbers(frame[name], name, argument)
            return [_column(frame[name], name, argument) for name in frame.columns], tuple(map(str, frame.columns))
    return _matrix(scores, argument, rows), ()


def _matrix(scores: Any, argument: str, rows: str) -> list[Array]:
    values = numbers(argument, scores)
    if values.ndim != 2 or values.shape[0] < 1 or values.shape[1] < 2:
        raise HowsureError(
            f"`{argument}` must be a table with at least 1 row ({rows}) and 2 columns (classifiers), not an array of "
            f"shape {values.shape}."
        )
    check_finite_table(argument, values)
    return list(values.T)


def _refuse_row_numbers(series: Any, name: str, argument: str) -> None:
    """Reject a column of row numbers, which would count as a classifier."""
    if canonical(str(name)) in ROW_NUMBERS and series.dtype.is_integer():
        raise HowsureError(
            f"column {name!r} of `{argument}` holds row numbers, not scores; drop it, or make it the index."
        )


def _column(series: Any, name: str, argument: str) -> Array:
    values = series.to_numpy()
    if values.dtype.kind not in "biuf":
        raise HowsureError(f"column {name!r} of `{argument}` must hold numbers; keep only the columns of classifiers.")
    return row(f"{argument}[{name!r}]", values)
