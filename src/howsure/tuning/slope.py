"""Exponents of power laws, estimated as slopes on a log-log scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from howsure.present.result import Result
from howsure.present.sheet import Record
from howsure.present.value_text import jsonable, number

NAN = float("nan")


@dataclass(frozen=True)
class Slope(Result):
    """Slope of a least-squares line.

    Attributes
    ----------
    value, error
        The slope and its standard error.
    points
        Number of points.
    undefined
        Reason why the slope is undefined, or None.

    Examples
    --------
    >>> from howsure.selection import Slope
    >>> print(Slope(1.5, 0.1, 4))
    1.500 (standard error 0.100, 4 points)
    """

    value: float
    error: float = NAN
    points: int = 0
    undefined: str | None = None

    def __float__(self) -> float:
        return self.value

    def text(self) -> str:
        if self.undefined:
            return f"undefined, because {self.undefined}"
        return f"{number(self.value)} (standard error {number(self.error)}, {self.points} points)"

    def records(self) -> list[Record]:
        return [asdict(self)]

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable(asdict(self)))


def log_slope(x: Sequence[float], y: Sequence[float], name: str) -> Slope:
    """Fit log y = a + b log x and return b; ``name`` is the name of y."""
    from scipy.stats import linregress

    sizes, values = np.asarray(x, float), np.asarray(y, float)
    for n, value in zip(sizes, values, strict=True):
        if not value > 0:
            reason = f"is 0 at n = {n:g}, which has no logarithm" if value == 0 else f"is undefined at n = {n:g}"
            return Slope(NAN, undefined=f"the {name} {reason}")
    if len(np.unique(sizes)) < 2:
        return Slope(NAN, points=len(sizes), undefined="a slope needs at least two sizes")
    line = linregress(np.log(sizes), np.log(values))
    return Slope(float(line.slope), float(line.stderr) if len(sizes) > 2 else NAN, len(sizes))
