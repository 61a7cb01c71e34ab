"""FoldTable: a measure's value in every split, for every learner; and what the splits together say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arrays import IntArray
from assay.checks import tail
from assay.errors import AssayError, must_be_one_of
from assay.intervals.mean import corrected_t, mean_t
from assay.present.format import jsonable
from assay.present.sheet import Sheet
from assay.registry import canonical
from assay.results import Estimate, Interval, Made

METHODS = ("auto", "corrected-t", "t")


@dataclass(frozen=True)
class Design:
    """What intervals and tests must know of a resampling.

    ``overlap`` is the share of a training set that another one, on average, has too; ``tested`` how often a row is
    tested, on average. ``ratio`` is that of test to training cases, as the variance correction of Nadeau and Bengio
    needs it.
    """

    scheme: str
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

    def to_dict(self) -> dict[str, Any]:
        return dict(self.__dict__)


@dataclass(frozen=True, eq=False)
class FoldTable:
    """Values of shape (splits, learners), NaN where undefined; ``undefined`` tells why, by split and learner.

    ``fingerprint`` is that of the splits: only tables with the same one can be compared pair by pair.
    """

    values: NDArray[np.float64] = field(repr=False)
    learners: tuple[str, ...]
    fingerprint: str
    measure: str
    design: Design = field(repr=False)
    repeat: IntArray = field(repr=False)
    fold: IntArray = field(repr=False)
    undefined: Mapping[tuple[int, str], str] = field(default_factory=dict, repr=False)
    dataset: str = ""
    span: tuple[float, float] = (-np.inf, np.inf)

    def __getitem__(self, learner: str) -> NDArray[np.float64]:
        """Give the values of one learner, split by split."""
        if learner not in self.learners:
            must_be_one_of("learner", self.learners, given=learner)
        return self.values[:, self.learners.index(learner)]

    def estimate(self, learner: str) -> Estimate:
        """Average over the splits.

        Its intervals: "t" takes the splits for independent; "corrected-t" allows for training sets that overlap, and is
        the default where they do.
        """
        column = self[learner]
        found = column[np.isfinite(column)]
        notes: tuple[str, ...] = ()
        reasons = [reason for (_, name), reason in self.undefined.items() if name == learner]
        if len(found) < len(column):
            why = f", because {reasons[0]}" if reasons else ""
            lost = f"{len(column) - len(found)} of {len(column)} splits have no value{why}"
            notes = (f"{lost}; the pooled value is of all predictions",)
        return Estimate(
            self.measure,
            float(found.mean()) if len(found) else np.nan,
            len(found),
            None if len(found) else (reasons[0] if reasons else "no split has a value"),
            f"mean of {len(found)} splits",
            notes,
            basis=Made(partial(_interval, found, self.design, self.span)),
        )

    def join(self, other: FoldTable) -> FoldTable:
        """Put the learners of another table beside these; both must have the same splits and measure."""
        for name in ("fingerprint", "measure"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                what = "splits" if name == "fingerprint" else "measures"
                raise AssayError(f"the tables are of different {what}, {mine} and {theirs}, so they make no pairs.")
        twice = [name for name in other.learners if name in self.learners]
        if twice:
            raise AssayError(f"both tables have a learner {twice[0]!r}; name them differently.")
        return replace(
            self,
            values=np.hstack([self.values, other.values]),
            learners=(*self.learners, *other.learners),
            undefined={**self.undefined, **other.undefined},
        )

    def sheet(self) -> Sheet:
        """Give one row for each split."""
        return Sheet.of(self.records(), f"{self.measure} in each split of {self.design.scheme}")

    def records(self) -> list[dict[str, Any]]:
        return [
            {"repeat": int(repeat) + 1, "fold": int(fold) + 1, **dict(zip(self.learners, map(float, row), strict=True))}
            for repeat, fold, row in zip(self.repeat, self.fold, self.values, strict=True)
        ]

    def frame(self, like: Any = None) -> Any:
        return self.sheet().frame(like)

    def to_dict(self) -> dict[str, Any]:
        return dict(
            jsonable(
                {
                    "measure": self.measure,
                    "dataset": self.dataset,
                    "fingerprint": self.fingerprint,
                    "design": self.design.to_dict(),
                    "learners": list(self.learners),
                    "values": self.values,
                    "undefined": [
                        {"split": place, "learner": name, "reason": why}
                        for (place, name), why in self.undefined.items()
                    ],
                }
            )
        )

    def __str__(self) -> str:
        return self.sheet().text()

    def _repr_html_(self) -> str:
        return self.sheet().to_html()


def _interval(
    values: NDArray[np.float64],
    design: Design,
    span: tuple[float, float],
    confidence: float,
    method: str,
    side: str,
    **_: Any,
) -> Interval:
    tail(confidence, side)
    method = canonical(method).replace("_", "-") if isinstance(method, str) else method
    if method not in METHODS:
        must_be_one_of("method", METHODS, given=method)
    if method == "auto":
        method = "corrected-t" if design.overlap > 0 else "t"
    if not len(values):
        return Interval(np.nan, np.nan, confidence, method, side, notes=("no split has a value",))
    corrected = method == "corrected-t"
    found = corrected_t(values, design.ratio, confidence, side) if corrected else mean_t(values, confidence, side)
    return Interval(*_clip(found.low, found.high, span), confidence, found.method, side, notes=found.notes)


def _clip(low: float, high: float, span: tuple[float, float]) -> tuple[float, float]:
    """Keep the ends within the measure's range; an unknown end stays unknown."""
    return float(np.clip(low, *span)), float(np.clip(high, *span))
