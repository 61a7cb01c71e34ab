"""Several curves of one kind: one for each class, fold or classifier."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.arrays import Array
from howsure.curves.curve import Curve
from howsure.curves.saved import Saved
from howsure.errors import counted
from howsure.present.sheet import one_type
from howsure.present.value_text import jsonable, number

if TYPE_CHECKING:
    from howsure.present.sheet import Record


@dataclass(frozen=True, eq=False, repr=False)
class CurveSet(Saved):
    """Curves of one kind, by the name of the class, fold or classifier.

    Attributes
    ----------
    curves
        The curves by name.
    each
        What each name refers to, such as "class".
    notes
        Remarks on the curves.

    Examples
    --------
    >>> import howsure
    >>> scores = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.4, 0.5, 0.1]]
    >>> a = howsure.assess(["a", "b", "c", "a"], scores=scores, labels=["a", "b", "c"])
    >>> curves = a.by_class("ROC")
    >>> list(curves.curves), curves.weakest(1)
    (['a', 'b', 'c'], ['b'])
    >>> {name: round(value, 2) for name, value in curves.values().items()}
    {'a': 1.0, 'b': 0.83, 'c': 1.0}
    >>> list(curves.columns())
    ['class', 'x', 'y', 'threshold']
    """

    curves: dict[Any, Curve]
    each: str = "class"
    notes: tuple[str, ...] = field(default=(), kw_only=True)

    def __len__(self) -> int:
        return len(self.curves)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.curves)

    def __getitem__(self, name: Any) -> Curve:
        return self.curves[name]

    @property
    def title(self) -> str:
        first = next(iter(self.curves.values()), None)
        return f"{first.plain_title if first else 'Curves'} of {counted(len(self), self.each)}"

    def values(self) -> dict[Any, float]:
        """Return the summary measure of each curve."""
        return {
            name: curve.area if curve.summary is None else float(curve.summary.value)
            for name, curve in self.curves.items()
        }

    def weakest(self, most: int) -> list[Any]:
        """Return the names of the curves with the lowest values, lowest first.

        If there are no values, these are the first curves.

        Parameters
        ----------
        most
            The number of names.
        """
        values = np.array(list(self.values().values()))
        chosen = np.argsort(np.where(np.isnan(values), np.inf, values), kind="stable")[:most]
        names = list(self.curves)
        return [names[index] for index in sorted(chosen.tolist())]

    def records(self) -> list[Record]:
        """Return one record for each point of each curve."""
        return [{self.each: name, **record} for name, curve in self.curves.items() for record in curve.records()]

    @property
    def _has_columns(self) -> bool:
        return len({tuple(curve.columns()) for curve in self.curves.values()}) == 1

    def columns(self) -> dict[str, Array]:
        """Return the points of all curves, each with the name of its curve."""
        each = one_type([name for name, curve in self.curves.items() for _ in range(len(curve))])
        parts = [curve.columns() for curve in self.curves.values()]
        joined = {column: np.concatenate([part[column] for part in parts]) for column in next(iter(parts), {})}
        return {self.each: np.array(each, dtype=object), **joined}

    def to_dict(self) -> dict[str, Any]:
        curves = [{self.each: name, **curve.to_dict()} for name, curve in self.curves.items()]
        return dict(jsonable({"title": self.title, "curves": curves, "notes": self.notes}))

    def text(self) -> str:
        lines = [f"{name}: {curve.summary_text() or number(curve.area)}" for name, curve in self.curves.items()]
        return "\n".join([self.title, *lines])

    def __repr__(self) -> str:
        return f"CurveSet({self.title!r})"

    def _repr_html_(self) -> str:
        from howsure.present.charts.figure import html_image

        return html_image(self)
