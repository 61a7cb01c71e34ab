"""Precision, recall, F1 and specificity of each class against the rest."""

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
    """Estimates of one class; ``key`` holds its label and its group."""

    key: Record
    cases: int | float
    estimates: tuple[Estimate, ...]


@dataclass(frozen=True, repr=False)
class PerClass(Result):
    """Precision, recall, F1 and specificity of each class, with intervals.

    Printed tables show each interval in one cell; frames and CSV files contain its ends as numbers.

    Attributes
    ----------
    classes
        The label, the number of cases and the estimates of each class.
    confidence
        Confidence level of the intervals.

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
        records = [{**estimates.key, "cases": estimates.cases} for estimates in self.classes]
        for record, estimates in zip(records, self.classes, strict=True):
            for estimate in estimates.estimates:
                low, high = estimate.interval(self.confidence)
                record |= {estimate.name: estimate.value, f"{estimate.name}_low": low, f"{estimate.name}_high": high}
        return records

    def sheet(self) -> Sheet:
        records: list[Record] = []
        for estimates in self.classes:
            record: Record = {name: str(key) for name, key in estimates.key.items()}
            record["cases"] = estimates.cases
            for estimate in estimates.estimates:
                name = spoken(estimate.name)
                value, interval = with_interval(estimate.value, *estimate.interval(self.confidence))
                record |= {name: value, f"{name} interval": "" if estimate.undefined else interval}
            records.append(record)
        return Sheet.of(records)

    def __repr__(self) -> str:
        return f"PerClass({len(self.classes)} classes, {100 * self.confidence:g} % intervals)"
