"""Results stored as whole columns, such as curves; their data frames and CSV need no record for each row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.present.frames import frame_of
from howsure.present.result import Result
from howsure.present.sheet import Sheet
from howsure.sql import open_database

if TYPE_CHECKING:
    from howsure.arrays import Array
    from howsure.present.sheet import Record

# Smallest number of rows for which DuckDB writes the CSV. For all curves of a million cases, it takes 6 s of processor
# time, and the csv module 14 s; for short curves, starting a database takes longer than writing the rows.
LARGE = 10_000


class Columnar(Result):
    """A result that consists of columns of equal length, such as a curve.

    Examples
    --------
    >>> import howsure
    >>> curve = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9]).roc()
    >>> list(curve.columns())
    ['x', 'y', 'threshold']
    """

    def columns(self) -> dict[str, Array]:
        """Return the columns: arrays of numbers, or of objects for names.

        Returns
        -------
        dict of arrays
            Columns of equal length, by name.
        """
        raise NotImplementedError

    @property
    def _has_columns(self) -> bool:
        """Return whether all rows have the same columns."""
        return True

    def records(self) -> list[Record]:
        columns = self.columns()
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def frame(self, like: str | None = None) -> Any:
        """Return the unrounded values as a data frame."""
        if not self._has_columns:
            return super().frame(like)
        # Arrays are copied, since a library may share their memory, and changing the frame must not change the result.
        columns = {name: _plain(column.copy()) for name, column in self.columns().items()}
        return frame_of(columns, self._library if like is None else like)

    def to_csv(self, *, spreadsheet: bool = False) -> str:  # type: ignore[override]
        """Return the unrounded values as CSV."""
        columns = self.columns() if self._has_columns else {}
        is_large = bool(columns) and all(len(each) >= LARGE and each.dtype.kind in "iuf" for each in columns.values())
        if not is_large:
            return super().to_csv(spreadsheet=spreadsheet)
        head = Sheet(list(columns), []).to_csv(spreadsheet=spreadsheet)
        return f"{head}\n{csv_of_numbers(columns)}"


def _plain(column: Array) -> Any:
    """Convert numbers to 64 bits, and objects to a list."""
    if column.dtype.kind in "iu":
        return column.astype(np.int64, copy=False)
    return column.astype(np.float64, copy=False) if column.dtype.kind == "f" else column.tolist()


def csv_of_numbers(columns: Mapping[str, Array]) -> str:
    """Return numeric columns as CSV without a header; NaN becomes empty."""
    numbers = {f"column{index}": np.ascontiguousarray(_plain(column)) for index, column in enumerate(columns.values())}
    row = " || ',' || ".join(f"coalesce({name}::VARCHAR, '')" for name in numbers)
    with open_database() as database:
        database.register("points", numbers)
        lines = database.execute(f"SELECT {row} AS line FROM points").fetchnumpy()["line"]
    return "\n".join(lines.tolist())
