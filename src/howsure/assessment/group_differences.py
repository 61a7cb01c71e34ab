"""Difference between each group and all other cases."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from howsure.assessment.merged import merged
from howsure.assessment.result import Assessment
from howsure.errors import listing
from howsure.measures import registry
from howsure.present.result import Result
from howsure.present.sheet import Sheet
from howsure.present.value_text import interval_text, number, spoken
from howsure.results import Estimate
from howsure.tables import Confusion

if TYPE_CHECKING:
    from howsure.present.sheet import Record

MIN_CASES = 10  # minimum number of cases for comparing a group with the rest


@dataclass(frozen=True)
class GroupDifference:
    """Difference between a group and the rest, or a ``note`` if there is none."""

    group: Any
    own: Estimate
    rest: Estimate
    low: float = math.nan
    high: float = math.nan
    note: str = ""

    @property
    def difference(self) -> float:
        return math.nan if self.note else self.own.value - self.rest.value

    @property
    def is_shown(self) -> bool:
        """Whether the interval excludes 0."""
        return bool(self.low > 0 or self.high < 0)


@dataclass(frozen=True, repr=False, eq=False)
class GroupDifferences(Result):
    """Comparison of each group with all other cases by one measure.

    A group and the rest are independent samples, so the interval of their difference follows from the two separate
    intervals (MOVER; for proportions, Newcombe's hybrid score interval). Each of the m intervals has confidence
    1 - alpha / m, so that all of them hold jointly (Bonferroni). Groups with too few cases are not compared.

    Attributes
    ----------
    name
        The name of the column of groups.
    measure
        The name of the measure.
    groups
        The estimates for each group and for the rest, and their difference.
    confidence
        Joint confidence level of the intervals of differences.

    Examples
    --------
    >>> import howsure
    >>> site = ["north"] * 20 + ["south"] * 20
    >>> differences = howsure.assess([1, 0] * 20, [1, 0] * 10 + [1, 1] * 10, by=site).differences()
    >>> [(group.group, group.difference, group.is_shown) for group in differences.groups]
    [('north', 0.5, True), ('south', -0.5, True)]
    """

    name: str
    measure: str
    groups: tuple[GroupDifference, ...]
    confidence: float
    _library: str | None = None

    @property
    def title(self) -> str:
        groups = [str(group.group) for group in self.groups if group.is_shown]
        measure = spoken(self.measure)
        if not groups:
            return f"by {self.name}: no group differs significantly from the rest in {measure}"
        return f"by {self.name}: {measure} differs significantly from the rest for {listing(groups, 5)}"

    @property
    def notes(self) -> tuple[str, ...]:
        left_out = [str(group.group) for group in self.groups if group.note]
        level = f"{100 * self.confidence:g} %"
        notes = [f"intervals of differences hold jointly for all groups at the {level} level (Bonferroni)"]
        return (*notes, f"not compared: {'; '.join(left_out)}") if left_out else tuple(notes)

    def records(self) -> list[Record]:
        records = []
        for group in self.groups:
            low, high = group.own.interval(self.confidence)
            records.append(
                {
                    "group": group.group if isinstance(group.group, str | int | float | bool) else str(group.group),
                    "n": group.own.n,
                    "value": group.own.value,
                    "value_low": low,
                    "value_high": high,
                    "rest": group.rest.value,
                    "difference": group.difference,
                    "low": group.low,
                    "high": group.high,
                    "note": group.note,
                }
            )
        return records

    def sheet(self) -> Sheet:
        level = f"{100 * self.confidence:g} %"
        rows = [
            {
                self.name or "group": str(record["group"]),
                "n": f"{record['n']:g}",
                spoken(self.measure): number(record["value"]),
                f"{level} interval": interval_text(record["value_low"], record["value_high"]),
                "the rest": number(record["rest"]),
                "difference": record["note"] or f"{record['difference']:+.3f}",
                f"{level}, all groups together": interval_text(record["low"], record["high"]),
            }
            for record in self.records()
        ]
        return Sheet.of(rows, self.title, self.notes)

    def __repr__(self) -> str:
        return f"GroupDifferences({self.measure}, by={self.name!r}, groups={len(self.groups)})"


def group_differences(
    groups: Mapping[Any, Assessment], name: str, measure: str, confidence: float, library: str | None
) -> GroupDifferences:
    """Compare each group with the rest."""
    assessments = list(groups.values())
    rests = _rests(assessments, measure) if len(groups) > 1 else []
    pairs = [(group, own[measure], rest[measure]) for group, own, rest in zip(groups, assessments, rests, strict=False)]
    compared = [group for group, own, rest in pairs if not _obstacle(own, rest)]
    m = 1 if len(pairs) == 2 else max(len(compared), 1)  # with two groups, both comparisons are the same
    level = 1 - (1 - confidence) / m
    differences = tuple(_difference(group, own, rest, level) for group, own, rest in pairs)
    return GroupDifferences(name, measure, differences, confidence, library)


def _obstacle(own: Estimate, rest: Estimate) -> str:
    undefined = own.undefined or rest.undefined
    if undefined:
        return f"undefined: {undefined}"
    return f"too few cases ({own.n:g}; at least {MIN_CASES} are needed)" if own.n < MIN_CASES else ""


def _difference(group: Any, own: Estimate, rest: Estimate, level: float) -> GroupDifference:
    note = _obstacle(own, rest)
    if note:
        return GroupDifference(group, own, rest, note=note)
    # MOVER (Zou and Donner 2008): combine the distances from the estimates to their limits.
    first, second, difference = own.interval(level), rest.interval(level), own.value - rest.value
    low = difference - math.hypot(own.value - first.low, second.high - rest.value)
    high = difference + math.hypot(first.high - own.value, rest.value - second.low)
    return GroupDifference(group, own, rest, low, high)


def _rests(assessments: Sequence[Assessment], measure: str) -> list[Assessment]:
    """Return, for each assessment, the assessment of all other groups together."""
    tables = [assessment.confusion for assessment in assessments]
    of_labels = registry[measure].scope in ("class", "overall")
    if of_labels and all(_is_counted(table, tables[0]) for table in tables):  # subtraction of counts is exact
        total = merged(assessments, scores=False)
        counts = total.confusion.counts
        return [
            replace(total, confusion=Confusion(counts - table.counts, table.labels), n=total.n - assessment.n)
            for assessment, table in zip(assessments, tables, strict=True)
        ]
    return [
        merged([*assessments[:index], *assessments[index + 1 :]], scores=not of_labels)
        for index in range(len(assessments))
    ]


def _is_counted(table: Confusion, first: Confusion) -> bool:
    """Return whether a table counts independent cases of the same classes."""
    is_plain = table.squares is None and table.clusters is None and not table.fixed_rows
    return is_plain and table.counts.dtype.kind == "i" and table.labels == first.labels
