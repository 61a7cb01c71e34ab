"""How something grows: the slope of its logarithm against that of the number of cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.present.format import jsonable, number

NAN = float("nan")


@dataclass(frozen=True)
class Slope:
    """A slope by least squares with its standard error; NaN with a reason where there is none."""

    value: float
    error: float = NAN
    points: int = 0
    undefined: str | None = None

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        if self.undefined:
            return f"undefined, because {self.undefined}"
        return f"{number(self.value)} (standard error {number(self.error)}, {self.points} points)"

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable(self.__dict__))


def log_slope(x: Sequence[float], y: Sequence[float], what: str) -> Slope:
    """Fit log y = a + b log x and give b; ``what`` names y where there is no such line.

    Examples
    --------
    >>> from assay.tuning.slope import log_slope
    >>> print(log_slope([10, 20, 40, 80], [1.0, 4.1, 15.8, 64.3], "time"))
    1.997 (standard error 0.012, 4 points)
    """
    across, up = np.asarray(x, float), np.asarray(y, float)
    for n, value in zip(across, up, strict=True):
        if not value > 0:
            why = f"is 0 at n = {n:g}, which has no logarithm" if value == 0 else f"has no value at n = {n:g}"
            return Slope(NAN, undefined=f"the {what} {why}")
    if len(np.unique(across)) < 2:
        return Slope(NAN, points=len(across), undefined="a slope needs at least two sizes")
    a, b = np.log(across), np.log(up)
    apart = a - a.mean()
    spread = float(apart @ apart)
    value = float(apart @ b) / spread
    left = b - b.mean() - value * apart
    error = float(np.sqrt(left @ left / (len(a) - 2) / spread)) if len(a) > 2 else NAN
    return Slope(value, error, len(a))
