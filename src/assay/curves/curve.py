"""Curve: columns of equal length, the lines to compare it with, and a picture on request."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.errors import AssayError
from assay.present.format import jsonable
from assay.present.sheet import Sheet


@dataclass(frozen=True)
class Line:
    """A line to compare a curve with, such as that of guessing."""

    name: str
    x: Array
    y: Array


@dataclass(frozen=True, eq=False, repr=False)
class Curve:
    """Points of a curve, exact, with the threshold of each; ``area`` is the area under it where that means something.

    ``extra`` holds further columns of the same length (the ends of a band, the number of cases).
    """

    name: str
    x: Array
    y: Array
    thresholds: Array
    area: float = float("nan")
    x_title: str = ""
    y_title: str = ""
    title: str = ""
    lines: tuple[Line, ...] = ()
    extra: dict[str, Array] = field(default_factory=dict, repr=False)
    notes: tuple[str, ...] = ()
    steps: bool = False
    label: str = ""  # what a legend calls it, where its name will not do

    def __len__(self) -> int:
        return len(self.x)

    def columns(self) -> dict[str, Array]:
        return {"x": self.x, "y": self.y, "threshold": self.thresholds, **self.extra}

    def frame(self, like: Any = None) -> Any:
        """Give the points as a data frame."""
        columns = self.columns()
        rows = [list(row) for row in zip(*(column.tolist() for column in columns.values()), strict=True)]
        return Sheet(list(columns), rows).frame(like)

    def to_dict(self) -> dict[str, Any]:
        shown = {"name": self.name, "title": self.title, "x_title": self.x_title, "y_title": self.y_title}
        columns = {name: column.tolist() for name, column in self.columns().items()}
        return dict(jsonable({**shown, "area": self.area, "columns": columns, "notes": list(self.notes)}))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the points as CSV, JSON or Parquet, by the ending of ``path``; the file appears whole or not at all."""
        import json

        from assay.output import write_parquet, write_whole

        ending = os.path.splitext(os.fspath(path))[1].lower()
        if ending == ".csv":
            names, columns = list(self.columns()), [column.tolist() for column in self.columns().values()]
            rows = [list(row) for row in zip(*columns, strict=True)]
            write_whole(path, Sheet(names, rows).to_csv() + "\n")
        elif ending == ".json":
            write_whole(path, json.dumps(self.to_dict(), allow_nan=False) + "\n")
        elif ending == ".parquet":
            write_parquet(path, self.columns())
        else:
            raise AssayError(f"`path` must end in .csv, .json or .parquet, not {os.fspath(path)!r}.")

    def thinned(self, tolerance: float = 1e-3) -> Curve:
        """Leave out points so that the curve moves by at most ``tolerance`` of its extent, for display.

        What is left are points of the exact curve (Douglas and Peucker's choice of them).
        """
        if len(self) <= 2:
            return self
        finite = np.isfinite(self.x) & np.isfinite(self.y)
        inside = np.flatnonzero(finite)
        if len(inside) <= 2:
            return self
        x, y = self.x[inside], self.y[inside]
        chosen = _keep(x / (float(np.ptp(x)) or 1.0), y / (float(np.ptp(y)) or 1.0), tolerance)
        kept = np.sort(np.concatenate([inside[chosen], np.flatnonzero(~finite)]))  # what has no place is kept
        extra = {name: column[kept] for name, column in self.extra.items()}
        return replace(self, x=self.x[kept], y=self.y[kept], thresholds=self.thresholds[kept], extra=extra)

    def plot(self, ax: Any = None) -> Any:
        """Draw the curve on Matplotlib axes, made if not given, and give the axes back."""
        from assay.present.charts import draw

        return draw(self, ax)

    def _repr_html_(self) -> str:
        from assay.present.charts import as_image

        return as_image(self)

    def __repr__(self) -> str:
        return f"Curve({self.name!r}, {len(self)} points)"

    def __str__(self) -> str:
        area = f", area {self.area:.3f}" if self.area == self.area else ""
        return f"{self.title or self.name}: {len(self)} points{area}"


def _keep(x: Array, y: Array, tolerance: float) -> NDArray[np.intp]:
    kept = {0, len(x) - 1}
    open_parts = [(0, len(x) - 1)]
    while open_parts:
        start, end = open_parts.pop()
        if end - start < 2:
            continue
        across, up = x[end] - x[start], y[end] - y[start]
        length = float(np.hypot(across, up))
        inside_x, inside_y = x[start + 1 : end] - x[start], y[start + 1 : end] - y[start]
        along = np.clip((inside_x * across + inside_y * up) / length**2, 0, 1) if length else 0.0
        away = np.hypot(inside_x - along * across, inside_y - along * up)
        farthest = int(away.argmax())
        if away[farthest] > tolerance:
            middle = start + 1 + farthest
            kept.add(middle)
            open_parts += [(start, middle), (middle, end)]
    return np.array(sorted(kept))
