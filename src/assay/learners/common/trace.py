"""Trace: what a learner did, step by step, for teaching and audit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from assay.present.format import jsonable
from assay.present.sheet import Record, Sheet


class Trace(Sequence[Record]):
    """Records in order. A whole number gives one of them, a name the column of all, as an array.

    Examples
    --------
    >>> from assay.learners import Trace
    >>> trace = Trace([{"round": 1, "error": 0.3}, {"round": 2, "error": 0.25}], "rounds")
    >>> trace[0]["error"], trace["error"].tolist()
    (0.3, [0.3, 0.25])
    """

    def __init__(self, records: Sequence[Record], title: str = "", notes: tuple[str, ...] = ()) -> None:
        self.records, self.title, self.notes = list(records), title, notes

    @overload
    def __getitem__(self, key: int) -> Record: ...
    @overload
    def __getitem__(self, key: slice) -> Trace: ...
    @overload
    def __getitem__(self, key: str) -> NDArray[Any]: ...
    def __getitem__(self, key: int | slice | str) -> Record | Trace | NDArray[Any]:
        if isinstance(key, str):
            if key not in self.columns:
                raise KeyError(f"{key!r}; the trace has {', '.join(self.columns)}")
            return np.array([record.get(key) for record in self.records])
        if isinstance(key, slice):
            return Trace(self.records[key], self.title, self.notes)
        return self.records[key]

    def __len__(self) -> int:
        return len(self.records)

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(name for record in self.records for name in record))

    def sheet(self) -> Sheet:
        return Sheet.of(self.records, self.title, self.notes)

    def frame(self, like: Any = None) -> Any:
        """Give every digit as a data frame."""
        return self.sheet().frame(like)

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable({"title": self.title, "records": self.records, "notes": list(self.notes)}))

    def __repr__(self) -> str:
        return f"Trace({len(self)} records: {', '.join(self.columns)})"

    def __str__(self) -> str:
        return self.sheet().text()

    def _repr_html_(self) -> str:
        return self.sheet().to_html()
