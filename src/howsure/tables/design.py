"""Design: the numbers of a resampling scheme that intervals and tests depend on."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Design:
    """Numbers of a resampling scheme that intervals and tests depend on.

    Attributes
    ----------
    scheme
        The resampling scheme.
    n
        The number of cases.
    splits, repeats
        The number of splits, and of repeated partitions of all cases.
    train, test
        The mean number of training and of test cases.
    overlap
        The mean share of a training set that is also in another training set.
    tested
        The mean number of times that a case is tested.
    ratio
        Test cases per training case, for the corrected t test (Nadeau and Bengio 2003).

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
        """Whether cases are tested repeatedly, with overlapping training sets."""
        return bool(self.overlap) and self.repeats > 1 and self.tested > 1

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return {field.name: getattr(self, field.name) for field in fields(self)} | {"scheme": str(self.scheme)}
