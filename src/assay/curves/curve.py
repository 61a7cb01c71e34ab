"""Curve: columns of equal length, the lines to compare it with, and a picture on request."""

from __future__ import annotations

import json
import os
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.checks import check_number
from assay.errors import AssayError
from assay.output import whole_file, write_parquet, write_whole
from assay.present.charts import IMAGES
from assay.present.charts.figure import figure_of, html_image, save_figure
from assay.present.result import Result
from assay.present.value_text import jsonable

if TYPE_CHECKING:
    from assay.present.sheet import Record

DATA = ("csv", "json", "parquet")


@dataclass(frozen=True)
class Line:
    """A line to compare a curve with, such as that of guessing."""

    name: str
    x: Array
    y: Array


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Result):
    """Points of a curve, exact, with the threshold of each; ``area`` is the area under it where that means something.

    ``extra`` holds further columns of the same length (the ends of a band, the number of cases).
    """

    x: Array
    y: Array
    thresholds: Array
    area: float = float("nan")
    lines: tuple[Line, ...] = ()
    extra: dict[str, Array] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    _: KW_ONLY
    name: str = ""
    title: str = ""
    x_title: str = ""
    y_title: str = ""
    label: str = ""  # in a legend, where the name will not do
    steps: bool = False  # between two points it has the height of the next one
    marker: str | None = None  # Matplotlib's, at each point

    def __len__(self) -> int:
        return len(self.x)

    def columns(self) -> dict[str, Array]:
        return {"x": self.x, "y": self.y, "threshold": self.thresholds, **self.extra}

    def records(self) -> list[Record]:
        columns = self.columns()
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def to_dict(self) -> dict[str, Any]:
        titles = {"name": self.name, "title": self.title, "x_title": self.x_title, "y_title": self.y_title}
        return dict(jsonable({**titles, "area": self.area, "columns": self.columns(), "notes": self.notes}))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the points as .csv, .json or .parquet, or the picture as .png, .svg or .pdf, by the ending of ``path``.

        The file appears whole or not at all.
        """
        ending = os.path.splitext(os.fspath(path))[1].lower().removeprefix(".")
        if ending == "csv":
            write_whole(path, self.to_csv() + "\n")
        elif ending == "json":
            write_whole(path, json.dumps(self.to_dict(), allow_nan=False) + "\n")
        elif ending == "parquet":
            write_parquet(path, self.columns())
        elif ending in IMAGES:
            with whole_file(path) as temporary:
                save_figure(figure_of(self), temporary, ending)
        else:
            *endings, last = (f".{kind}" for kind in (*DATA, *IMAGES))
            raise AssayError(f"`path` must end in {', '.join(endings)} or {last}, not {os.fspath(path)!r}.")

    def thinned(self, tolerance: float = 1e-3) -> Curve:
        """Leave out points so that the curve moves by at most ``tolerance`` of its extent, for display.

        What is left are points of the exact curve (Douglas and Peucker's choice of them).
        """
        check_number(tolerance, "tolerance")
        finite = np.isfinite(self.x) & np.isfinite(self.y)
        inside = np.flatnonzero(finite)
        if len(inside) <= 2:
            return self
        x, y = self.x[inside], self.y[inside]
        chosen = _douglas_peucker(x / (float(np.ptp(x)) or 1.0), y / (float(np.ptp(y)) or 1.0), tolerance)
        rows = np.sort(np.concatenate([inside[chosen], np.flatnonzero(~finite)]))  # undefined points stay
        extra = {name: column[rows] for name, column in self.extra.items()}
        return replace(self, x=self.x[rows], y=self.y[rows], thresholds=self.thresholds[rows], extra=extra)

    def _repr_html_(self) -> str:
        return html_image(self)

    def __repr__(self) -> str:
        return f"Curve({self.name!r}, {len(self)} points)"

    def text(self) -> str:
        area = f", area {self.area:.3f}" if self.area == self.area else ""
        return f"{self.title or self.name}: {len(self)} points{area}"


def _douglas_peucker(x: Array, y: Array, tolerance: float) -> NDArray[np.intp]:
    """Choose the points of a line that stays within ``tolerance`` of all of them."""
    chosen = {0, len(x) - 1}
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
            chosen.add(middle)
            open_parts += [(start, middle), (middle, end)]
    return np.array(sorted(chosen))
