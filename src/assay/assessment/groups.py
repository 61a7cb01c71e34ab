"""AssessmentGroups: one assessment for each group of cases, and all of them together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from assay.advice import Finding
from assay.assessment.group_differences import GroupDifferences, group_differences
from assay.assessment.merged import merged
from assay.assessment.per_class import MEASURES, PerClass
from assay.assessment.result import Assessment
from assay.checks import check_confidence, one_of
from assay.measures.ranking import auc
from assay.present.report.reported import Reported
from assay.present.sheet import Sheet
from assay.present.value_text import jsonable

if TYPE_CHECKING:
    from assay.present.sheet import Record

HEADINGS = {
    *("measure", "of", "value", "low", "high", "confidence", "method", "n", "note", "class", "cases"),
    *(f"{measure}{end}" for measure in MEASURES for end in ("", "_low", "_high", " interval")),
}


class AssessmentGroups(Reported, Mapping[Any, Assessment]):
    """One `Assessment` for each group, and ``overall`` for all of them together; ``name`` says what groups them."""

    def __init__(self, groups: Mapping[Any, Assessment], name: str, library: str | None = None) -> None:
        self._groups: dict[Any, Assessment] = dict(groups)
        self.name = name
        self._library = library

    @property
    def _heading(self) -> str:
        """The heading of the groups, kept apart from the headings of the results."""
        return f"by {self.name}" if self.name in HEADINGS else self.name

    def __getitem__(self, group: Any) -> Assessment:
        one_of(self.name, group, self._groups)
        return self._groups[group]

    def _ipython_key_completions_(self) -> list[Any]:
        return list(self._groups)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)

    @cached_property
    def overall(self) -> Assessment:
        """Assess all groups together: their tables added."""
        return merged(list(self._groups.values()))

    def differences(self, measure: str = "accuracy", confidence: float = 0.95) -> GroupDifferences:
        """Set each group against the rest of the cases, allowing for the number of groups."""
        level = check_confidence(confidence)
        return group_differences(self._groups, self._heading, measure, level, self._library)

    def drawings(self) -> dict[str, Callable[[], Any]]:
        """Name what else can be drawn: the difference of each group from the rest."""
        return {"differences": self.differences} if len(self) > 1 else {}

    def measures_to_compare(self) -> list[str]:
        """Name the measures by which a page sets groups against the rest."""
        measures = ["accuracy"] + (["recall"] if self.overall.positive is not None else [])
        return measures + ([auc.name] if self.overall.scores is not None else [])

    def views(self) -> dict[str, Any]:
        overall = self.overall.views()
        return {**overall, "Headline": self, "AssessmentGroups": self}

    @property
    def report_title(self) -> str:
        return f"By {self.name}: {self.overall.report_title}"

    @property
    def title(self) -> str:
        return f"by {self.name}: {self.overall.title}"

    @property
    def notes(self) -> tuple[str, ...]:
        return self.sheet().notes

    def records(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> list[Record]:
        return [
            {self._heading: _plain(group), **record}
            for group, assessment in self._groups.items()
            for record in assessment.records(confidence, measures)
        ]

    def sheet(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> Sheet:
        sheets = {group: assessment.sheet(confidence, measures) for group, assessment in self._groups.items()}
        rows = [[str(group), *row] for group, sheet in sheets.items() for row in sheet.rows]
        notes = tuple(f"{group}: {note}" for group, sheet in sheets.items() for note in sheet.notes)
        return Sheet([self.name, *next(iter(sheets.values())).columns], rows, self.title, notes)

    def per_class(self, confidence: float = 0.95) -> PerClass:
        """Give precision, recall, F1 and specificity of each class of every group, with intervals."""
        classes = [
            estimates
            for group, assessment in self._groups.items()
            for estimates in assessment._class_estimates({self._heading: _plain(group)})
        ]
        return PerClass(tuple(classes), check_confidence(confidence), self._library)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Give coded advice on what to mind in the numbers of each group."""
        return tuple(
            replace(finding, message=f"{self.name} {group}: {finding.message}")
            for group, assessment in self._groups.items()
            for finding in assessment.findings
        )

    def to_dict(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> dict[str, Any]:
        groups = [
            {"group": jsonable(_plain(group)), **assessment.to_dict(confidence, measures)}
            for group, assessment in self._groups.items()
        ]
        return {"by": self.name, "groups": groups}

    def __repr__(self) -> str:
        return f"AssessmentGroups(by={self.name!r}, groups={len(self)}, n={self.overall.n})"


def _plain(group: Any) -> Any:
    return group if isinstance(group, str | int | float | bool) else str(group)
