"""Record of the steps of a learner's training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np

from howsure.arrays import Array
from howsure.present.result import Result
from howsure.present.sheet import Record


class Trace(Result, Sequence[Record]):
    """Record of the steps of a learner's training.

    ``trace[i]`` is the record of a step, and ``trace["name"]`` is a column as an array.

    Parameters
    ----------
    records
        One mapping per step.
    title
        Title of the table.
    notes
        Notes below the table.
    drawn
        Columns to plot.

    Attributes
    ----------
    columns
        Names of the columns.

    Examples
    --------
    >>> from howsure.learners import Trace
    >>> trace = Trace([{"round": 1, "error": 0.3}, {"round": 2, "error": 0.25}], "rounds")
    >>> trace[0]["error"], trace["error"].tolist()
    (0.3, [0.3, 0.25])
    >>> trace.columns
    ['round', 'error']
    """

    title: str
    notes: tuple[str, ...]

    def __init__(
        self,
        records: Sequence[Record],
        title: str = "",
        notes: tuple[str, ...] = (),
        drawn: tuple[str, ...] = (),
    ) -> None:
        self._records, self.title, self.notes, self.drawn = list(records), title, notes, drawn

    @overload
    def __getitem__(self, key: int) -> Record: ...
    @overload
    def __getitem__(self, key: slice) -> Trace: ...
    @overload
    def __getitem__(self, key: str) -> Array: ...
    def __getitem__(self, key: int | slice | str) -> Record | Trace | Array:
        if isinstance(key, str):
            if key not in self.columns:
                raise KeyError(f"{key!r}; the trace has {', '.join(self.columns)}")
            return np.array([record.get(key) for record in self._records])
        if isinstance(key, slice):
            return Trace(self._records[key], self.title, self.notes, self.drawn)
        return self._records[key]

    def __len__(self) -> int:
        return len(self._records)

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(name for record in self._records for name in record))

    def records(self) -> list[Record]:
        return self._records

    def __repr__(self) -> str:
        return f"Trace({len(self)} records: {', '.join(self.columns)})"
