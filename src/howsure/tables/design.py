"""Design: what intervals and tests must know of a resampling."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Design:
    """What intervals and tests must know of a resampling.

    Attributes
    ----------
    scheme
        What made the splits.
    n
        The number of cases.
    splits, repeats
        How many splits there are, and how often all cases were divided anew.
    train, test
        The number of training and of test cases, on average.
    overlap
        The share of a training set that another one, on average, has too.
    tested
        How often a row is tested, on average.
    ratio
        That of test to training cases, as the variance correction of Nadeau and Bengio needs it.

    Examples
    --------
    >>> import howsure
    >>> design = howsure.KFold(5, repeats=2).splits([0, 1] * 10).design
    >>> design.splits, design.ratio, design.overlap, design.is_repeated
    (10, 0.25, 0.7777777777777778, True)
    >>> design.to_dict()["tested"]
    2.0
    """

    scheme: Any
    n: int
    splits: int
    repeats: int
    train: float
    test: float
    overlap: float
    tested: float

    @property
    def ratio(self) -> float:
        return self.test / self.train

    @property
    def is_repeated(self) -> bool:
        """Whether cases are tested again and again, by training sets that overlap."""
        return bool(self.overlap) and self.repeats > 1 and self.tested > 1

    def to_dict(self) -> dict[str, Any]:
        """Give plain values, ready for JSON."""
        return {one.name: getattr(self, one.name) for one in fields(self)} | {"scheme": str(self.scheme)}
