"""AssessmentGroups: one assessment for each group of cases, and all of them together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, reduce
from operator import add
from typing import Any

from assay.advice import Finding
from assay.assessment.result import Assessment
from assay.errors import must_be_one_of
from assay.present.format import jsonable
from assay.present.sheet import Record, Sheet
from assay.tables import ScoreTable

COLUMNS = ("measure", "of", "value", "low", "high", "confidence", "method", "n", "note")


class AssessmentGroups(Mapping[Any, Assessment]):
    """One `Assessment` for each group, and ``overall`` for all of them together."""

    def __init__(self, groups: Mapping[Any, Assessment], name: str, library: str | None = None) -> None:
        self._groups: dict[Any, Assessment] = dict(groups)
        self.name = name
        self.library = library

    @property
    def column(self) -> str:
        """The heading of the groups, kept apart from the headings of the results."""
        return f"by {self.name}" if self.name in COLUMNS else self.name

    def __getitem__(self, group: Any) -> Assessment:
        if group not in list(self._groups):
            must_be_one_of(self.name, self._groups, given=group)
        return self._groups[group]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)

    @cached_property
    def overall(self) -> Assessment:
        """Assess all groups together: their tables added."""
        first, *others = self._groups.values()
        table = first.confusion
        for other in others:
            table = table + other.confusion
        rows = sum(group.rows for group in self._groups.values())
        scores = _merged(self._groups.values())
        return replace(first, confusion=table, rows=rows, scores=scores, library=self.library)

    def records(self, confidence: float = 0.95, measures: Iterable[str] | None = None) -> list[Record]:
        names = None if measures is None else list(measures)
        return [
            {self.column: _plain(group), **record}
            for group, assessment in self._groups.items()
            for record in assessment.records(confidence, names)
        ]

    def sheet(self, confidence: float = 0.95, measures: Iterable[str] | None = None) -> Sheet:
        names = None if measures is None else list(measures)
        sheets = {group: assessment.sheet(confidence, names) for group, assessment in self._groups.items()}
        return _stacked(self.name, sheets, f"by {self.name}: {self.overall.title}")

    def frame(self, confidence: float = 0.95, measures: Iterable[str] | None = None) -> Any:
        """Give all groups as one data frame."""
        return self.records_sheet(confidence, measures).frame(self.library)

    def records_sheet(self, confidence: float = 0.95, measures: Iterable[str] | None = None) -> Sheet:
        return Sheet.of(self.records(confidence, measures))

    def per_class(self, confidence: float = 0.95) -> Sheet:
        """Give the classes of every group."""
        sheets = {group: assessment.per_class(confidence) for group, assessment in self._groups.items()}
        return _stacked(self.name, sheets, "")

    def text(self, confidence: float = 0.95, measures: Iterable[str] | None = None) -> str:
        return "\n".join([self.sheet(confidence, measures).text(), *map(str, self.findings)])

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(
            Finding(found.code, found.title, f"{self.name} {group}: {found.message}")
            for group, assessment in self._groups.items()
            for found in assessment.findings
        )

    def to_dict(self, confidence: float = 0.95, measures: Iterable[str] | None = None) -> dict[str, Any]:
        names = None if measures is None else list(measures)
        groups = [
            {"group": jsonable(_plain(group)), **assessment.to_dict(confidence, names)}
            for group, assessment in self._groups.items()
        ]
        return {"by": self.name, "groups": groups}

    def __repr__(self) -> str:
        return f"AssessmentGroups(by={self.name!r}, groups={len(self)}, n={self.overall.confusion.n:g})"

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        table = self.sheet()
        return replace(table, notes=(*table.notes, *map(str, self.findings))).to_html()


def _merged(groups: Iterable[Assessment]) -> ScoreTable | None:
    """Add the score tables of groups; scores of many classes stay with their groups."""
    tables = [group.scores for group in groups]
    whole = [table for table in tables if isinstance(table, ScoreTable)]
    return reduce(add, whole) if len(whole) == len(tables) else None


def _stacked(name: str, sheets: Mapping[Any, Sheet], title: str) -> Sheet:
    """Put the sheets of groups below one another."""
    columns = next(iter(sheets.values())).columns
    rows = [[str(group), *row] for group, sheet in sheets.items() for row in sheet.rows]
    notes = tuple(f"{group}: {note}" for group, sheet in sheets.items() for note in sheet.notes)
    return Sheet([name, *columns], rows, title, notes)


def _plain(group: Any) -> Any:
    return group if isinstance(group, str | int | float | bool) else str(group)
