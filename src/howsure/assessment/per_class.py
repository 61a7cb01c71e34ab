"""The classes one by one: precision, recall and the like of each against the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from howsure.present.result import Result
from howsure.present.sheet import Sheet
from howsure.present.value_text import spoken, with_interval
from howsure.results import Estimate

if TYPE_CHECKING:
    from howsure.present.sheet import Record

MEASURES = ("precision", "recall", "f1", "specificity")


@dataclass(frozen=True)
class ClassEstimates:
    """The estimates of one class; ``key`` names it, and its group where there are several."""

    key: Record
    cases: int | float
    estimates: tuple[Estimate, ...]


@dataclass(frozen=True, repr=False)
class PerClass(Result):
    """Measures of each class, with their intervals: shown in one cell each, and as numbers in frames and CSV.

    Attributes
    ----------
    classes
        The estimates of each class, with its name and the number of its cases.
    confidence
        Of the intervals.

    Examples
    --------
    >>> import howsure
    >>> per_class = howsure.assess(["a", "b", "a", "b"], ["a", "b", "b", "b"]).per_class(confidence=0.9)
    >>> per_class
    PerClass(2 classes, 90 % intervals)
    >>> [record["recall"] for record in per_class.records()]
    [0.5, 1.0]
    """

    classes: tuple[ClassEstimates, ...]
    confidence: float = 0.95
    _library: str | None = None
    title = "precision and recall of each class"

    def records(self) -> list[Record]:
        records = [{**one.key, "cases": one.cases} for one in self.classes]
        for record, one in zip(records, self.classes, strict=True):
            for estimate in one.estimates:
                low, high = estimate.interval(self.confidence)
                record |= {estimate.name: estimate.value, f"{estimate.name}_low": low, f"{estimate.name}_high": high}
        return records

    def sheet(self) -> Sheet:
        records = [{**{name: str(key) for name, key in one.key.items()}, "cases": one.cases} for one in self.classes]
        for record, one in zip(records, self.classes, strict=True):
            for estimate in one.estimates:
                name = spoken(estimate.name)
                value, interval = with_interval(estimate.value, *estimate.interval(self.confidence))
                record |= {name: value, f"{name} interval": "" if estimate.undefined else interval}
        return Sheet.of(records)

    def __repr__(self) -> str:
        return f"PerClass({len(self.classes)} classes, {100 * self.confidence:g} % intervals)"
