"""AssessmentGroups: one assessment for each group of cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from howsure.advice import Finding
from howsure.assessment.estimate_table import Wording, estimate_sheet, opening, opening_html, remarks
from howsure.assessment.group_differences import GroupDifferences, group_differences
from howsure.assessment.headline import group_headline
from howsure.assessment.merged import merged
from howsure.assessment.per_class import MEASURES, PerClass
from howsure.assessment.result import HINTS, Assessment
from howsure.checks import check_confidence, names_of, one_of
from howsure.measures import agreement, ranking
from howsure.present.report.reported import Reported
from howsure.present.result import Result, check_width
from howsure.present.sheet import Sheet
from howsure.present.value_text import jsonable, spoken
from howsure.present.words import Line, joined, side_by_side
from howsure.results import INTERVAL, Estimate

if TYPE_CHECKING:
    from howsure.present.sheet import Record

HEADINGS = {
    *("measure", "of", "value", "low", "high", "confidence", "method", "n", "note", "class", "cases"),
    *(f"{measure}{end}" for measure in MEASURES for end in ("", "_low", "_high")),
    *(f"{spoken(measure)}{end}" for measure in MEASURES for end in ("", " interval")),
}


class AssessmentGroups(Reported, Mapping[Any, Assessment]):
    """One `Assessment` for each group, and ``overall`` for all cases.

    `howsure.assess` returns it if ``by`` is given; ``groups["north"]`` is the assessment of a group.

    Parameters
    ----------
    groups
        The assessments by group.
    name
        The name of the column of groups.
    library
        The data frame library that `frame` uses by default.

    Examples
    --------
    >>> import howsure
    >>> site = ["north"] * 4 + ["south"] * 4
    >>> groups = howsure.assess([1, 0, 1, 0] * 2, [1, 0, 1, 0, 1, 1, 0, 0], by=site)
    >>> groups["south"]["accuracy"].value, groups.overall["accuracy"].value
    (0.5, 0.75)
    >>> groups.measures_to_compare()
    ['accuracy', 'recall']
    >>> groups.all()
    AllGroupMeasures(AssessmentGroups(by='group', groups=2, n=8))
    """

    _last_in_frames = INTERVAL

    def __init__(self, groups: Mapping[Any, Assessment], name: str, library: str | None = None) -> None:
        self._groups: dict[Any, Assessment] = dict(groups)
        self.name = name
        self._library = library

    @property
    def _heading(self) -> str:
        """The heading of the column of groups, different from all other headings."""
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
        """The assessment of all cases."""
        return merged(list(self._groups.values()))

    @property
    def _has_scores(self) -> bool:
        return next(iter(self._groups.values())).scores is not None

    def differences(self, measure: str = "accuracy", confidence: float = 0.95) -> GroupDifferences:
        """Compare each group with all other cases.

        Parameters
        ----------
        measure
            The name of a measure.
        confidence
            Joint confidence level of all intervals.

        Returns
        -------
        GroupDifferences
            One row per group.

        Examples
        --------
        >>> import howsure
        >>> site = ["north"] * 20 + ["south"] * 20
        >>> groups = howsure.assess([1, 0] * 20, [1, 0] * 10 + [1, 1] * 10, by=site)
        >>> groups.differences("accuracy").title
        'by group: accuracy differs significantly from the rest for north, south'
        """
        level = check_confidence(confidence)
        return group_differences(self._groups, self._heading, measure, level, self._library)

    def drawings(self) -> dict[str, Callable[[], Any]]:
        """Return the charts by name: each group's difference from the rest."""
        return {"differences": self.differences} if len(self) > 1 else {}

    def measures_to_compare(self) -> list[str]:
        """Return the names of the measures that a page uses to compare groups."""
        measures = ["accuracy"] + (["recall"] if self.overall.positive is not None else [])
        return measures + ([ranking.auc.name] if self._has_scores else [])

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
        return self._notes(None)

    def records(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> list[Record]:
        return [
            {self._heading: _plain(group), **record}
            for group, assessment in self._groups.items()
            for record in assessment.records(confidence, measures)
        ]

    def sheet(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> Sheet:
        """Return the table that is shown, with one row per measure and group."""
        return replace(self._by_measure(confidence, self._named(measures)), notes=self._notes(measures))

    def shown(self) -> list[str]:
        """Return the names of the measures that are shown by default."""
        of_class = ["recall", "precision"] if self.overall.positive is not None else [agreement.balanced_accuracy.name]
        return ["accuracy", *of_class, *([ranking.auc.name] if self._has_scores else [])]

    def _named(self, measures: Sequence[str] | None) -> list[str]:
        return self.shown() if measures is None else names_of("measures", measures)

    def all(self) -> AllGroupMeasures:
        """Return every measure that applies, for each group.

        Returns
        -------
        AllGroupMeasures
            A result that can be printed or turned into a frame.
        """
        return AllGroupMeasures(self)

    @property
    def headline(self) -> str:
        """A summary, one sentence per line, with the worst group first."""
        return "\n".join(group_headline(self))

    def _by_measure(self, confidence: float, measures: Sequence[str]) -> Sheet:
        names = list(map(str, self._groups))
        estimates = [assessment[measure] for measure in measures for assessment in self._groups.values()]
        headings = {index: _heading(estimates[index]) for index in range(0, len(estimates), len(names))}
        first = (self._heading, names * (len(estimates) // len(names)))
        return estimate_sheet(estimates, confidence, self.title, (), headings, first)

    def _remarks(self, measures: Sequence[str] | None) -> list[str]:
        names = self._named(measures)
        return [
            line
            for group, assessment in self._groups.items()
            for line in remarks(assessment.estimates(names), f"{self.name} {group}: ")
        ]

    def _notes(self, measures: Sequence[str] | None) -> tuple[str, ...]:
        return (*self._remarks(measures), *(map(str, self.findings) if measures is None else ()))

    def text_lines(
        self,
        width: int | None = None,
        confidence: float = 0.95,
        measures: Sequence[str] | None = None,
        *,
        hints: Mapping[str, str] = HINTS,
        wording: Wording = str,
    ) -> list[Line]:
        """Return the lines of the text.

        ``hints`` say how to get more, in Python or at the terminal; ``wording`` translates findings into command-line
        terms.
        """
        width = check_width(width)
        table = self._by_measure(confidence, self._named(measures))
        table = replace(table, title="", notes=tuple(self._remarks(measures)))
        if measures is not None:
            return table.text_lines(width)
        more = [f"all measures: {hints['all']}", f"each class: {hints['per_class']}", f"page: {hints['page']}"]
        above = self._opening(confidence, width, wording)
        return [*above, *table.text_lines(width), Line(""), *side_by_side(more, width)]

    def _opening(self, confidence: float, width: int, wording: Wording) -> list[Line]:
        return opening(group_headline(self, confidence), self.findings, width, wording)

    def text(self, confidence: float = 0.95, measures: Sequence[str] | None = None, width: int | None = None) -> str:
        """Return the text that ``print`` shows."""
        return joined(self.text_lines(width, confidence, measures))

    def to_html(self, confidence: float = 0.95, measures: Sequence[str] | None = None) -> str:
        table = replace(self._by_measure(confidence, self._named(measures)), notes=tuple(self._remarks(measures)))
        above = opening_html(group_headline(self, confidence), self.findings) if measures is None else ""
        return above + replace(table, title="").to_html()

    def per_class(self, confidence: float = 0.95) -> PerClass:
        """Return precision, recall, F1 and specificity by group and class.

        Parameters
        ----------
        confidence
            Confidence level of the intervals.

        Returns
        -------
        PerClass
            One row per group and class.

        Examples
        --------
        >>> import howsure
        >>> groups = howsure.assess([1, 0, 1, 0], [1, 0, 1, 1], by=["a", "a", "b", "b"])
        >>> groups.per_class().records()[0]["recall"]
        1.0
        """
        classes = [
            estimates
            for group, assessment in self._groups.items()
            for estimates in assessment._class_estimates({self._heading: _plain(group)})
        ]
        return PerClass(tuple(classes), check_confidence(confidence), self._library)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of each group, such as small samples or skewed classes."""
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
        return {"by": self.name, "headline": group_headline(self, confidence), "groups": groups}

    def __repr__(self) -> str:
        return f"AssessmentGroups(by={self.name!r}, groups={len(self)}, n={self.overall.n})"


@dataclass(frozen=True, repr=False, eq=False)
class AllGroupMeasures(Result):
    """Every measure of each group.

    Attributes
    ----------
    groups
        The assessments of the groups.

    Examples
    --------
    >>> import howsure
    >>> groups = howsure.assess([1, 0, 1, 0], [1, 0, 1, 1], by=["a", "a", "b", "b"])
    >>> groups.all().frame().shape[0] == len(groups["a"].applicable()) + len(groups["b"].applicable())
    True
    """

    _last_in_frames = INTERVAL

    groups: AssessmentGroups

    @property
    def title(self) -> str:
        return self.groups.title

    @property
    def notes(self) -> tuple[str, ...]:
        return self.sheet().notes

    @property
    def _library(self) -> str | None:  # type: ignore[override]
        return self.groups._library

    def records(self, confidence: float = 0.95) -> list[Record]:
        return self.groups.records(confidence)

    def sheet(self, confidence: float = 0.95) -> Sheet:
        return self.groups.sheet(confidence, self.groups.overall.applicable())

    def text_lines(self, width: int | None = None, confidence: float = 0.95, *, wording: Wording = str) -> list[Line]:
        width = check_width(width)
        names = self.groups.overall.applicable()
        return [*self.groups._opening(confidence, width, wording), *self.groups.text_lines(width, confidence, names)]

    def text(self, confidence: float = 0.95, width: int | None = None) -> str:
        return joined(self.text_lines(width, confidence))

    def to_dict(self, confidence: float = 0.95) -> dict[str, Any]:
        return self.groups.to_dict(confidence)

    def __repr__(self) -> str:
        return f"AllGroupMeasures({self.groups!r})"


def _heading(estimate: Estimate) -> str:
    """Return the heading of a block of rows, such as "recall of malignant"."""
    name = spoken(estimate.title)
    return f"{name} of {estimate.of}" if estimate.of else name


def _plain(group: Any) -> Any:
    return group if isinstance(group, str | int | float | bool) else str(group)
