"""How far each group of cases is from all the others: the difference, its interval, and whether it is shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from howsure.assessment.merged import decided, merged
from howsure.assessment.result import Assessment
from howsure.measures import registry
from howsure.present.result import Result
from howsure.present.sheet import Sheet
from howsure.present.value_text import interval_text, number, spoken
from howsure.results import Estimate
from howsure.tables import Confusion

if TYPE_CHECKING:
    from howsure.present.sheet import Record

SMALLEST = 10  # cases behind a value, below which a group is too small to be set against the rest


@dataclass(frozen=True)
class GroupDifference:
    """A group, the rest of the cases, and the difference of the two; ``note`` says why there is none."""

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
        """The interval lies on one side of 0."""
        return bool(self.low > 0 or self.high < 0)


@dataclass(frozen=True, repr=False, eq=False)
class GroupDifferences(Result):
    """Each group against all other cases, by one measure.

    The groups have no case in common with the rest, so the interval of the difference follows from the intervals of the
    two (square and add; of proportions Newcombe's). Each is of confidence 1 - alpha / m for m groups, so that all of
    them together hold with the confidence asked for (Bonferroni). Groups of too few cases are named, not compared.

    Attributes
    ----------
    name
        What groups the cases.
    measure
        What they are compared by.
    groups
        Each group, the rest, and the difference of the two.
    confidence
        Of all intervals of differences together.

    Examples
    --------
    >>> import howsure
    >>> site = ["north"] * 20 + ["south"] * 20
    >>> differences = howsure.assess([1, 0] * 20, [1, 0] * 10 + [1, 1] * 10, by=site).differences()
    >>> [(one.group, one.difference, one.is_shown) for one in differences.groups]
    [('north', 0.5, True), ('south', -0.5, True)]
    """

    name: str
    measure: str
    groups: tuple[GroupDifference, ...]
    confidence: float
    _library: str | None = None

    @property
    def title(self) -> str:
        shown = [one for one in self.groups if one.is_shown]
        names = ", ".join(str(one.group) for one in shown[:5]) + (" and others" if len(shown) > 5 else "")
        if not shown:
            return f"by {self.name}: no group is shown to differ from the rest in {spoken(self.measure)}"
        return f"by {self.name}: shown to differ from the rest in {spoken(self.measure)}: {names}"

    @property
    def notes(self) -> tuple[str, ...]:
        small = [str(one.group) for one in self.groups if one.note]
        level = f"{100 * self.confidence:g} %"
        notes = [f"intervals of differences hold for all groups together with {level} (Bonferroni)"]
        return (*notes, f"not compared: {'; '.join(small)}") if small else tuple(notes)

    def records(self) -> list[Record]:
        records = []
        for one in self.groups:
            low, high = one.own.interval(self.confidence)
            records.append(
                {
                    "group": one.group if isinstance(one.group, str | int | float | bool) else str(one.group),
                    "n": one.own.n,
                    "value": one.own.value,
                    "value_low": low,
                    "value_high": high,
                    "rest": one.rest.value,
                    "difference": one.difference,
                    "low": one.low,
                    "high": one.high,
                    "note": one.note,
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
    """Set each group against the rest."""
    assessments = list(groups.values())
    parts = (assessments, _rests(assessments, measure)) if len(groups) > 1 else ([], [])
    pairs = list(zip(groups, *([one[measure] for one in part] for part in parts), strict=False))
    compared = [group for group, own, rest in pairs if not _obstacle(own, rest)]
    m = 1 if len(pairs) == 2 else max(len(compared), 1)  # of two groups, each is the rest of the other
    level = 1 - (1 - confidence) / m
    made = tuple(_difference(group, own, rest, level) for group, own, rest in pairs)
    return GroupDifferences(name, measure, made, confidence, library)


def _obstacle(own: Estimate, rest: Estimate) -> str:
    undefined = own.undefined or rest.undefined
    if undefined:
        return f"undefined: {undefined}"
    return f"too small ({own.n:g} cases, {SMALLEST} are needed)" if own.n < SMALLEST else ""


def _difference(group: Any, own: Estimate, rest: Estimate, level: float) -> GroupDifference:
    note = _obstacle(own, rest)
    if note:
        return GroupDifference(group, own, rest, note=note)
    mine, theirs, difference = own.interval(level), rest.interval(level), own.value - rest.value
    low = difference - math.hypot(own.value - mine.low, theirs.high - rest.value)
    high = difference + math.hypot(mine.high - own.value, rest.value - theirs.low)
    return GroupDifference(group, own, rest, low, high)


def _rests(assessments: Sequence[Assessment], measure: str) -> list[Assessment]:
    """Give, for each of several assessments, all others together, with their scores if the measure is of scores."""
    tables = [assessment.confusion for assessment in assessments]
    of_labels = registry[measure].scope in ("class", "overall")
    if of_labels and all(_is_counted(table, tables[0]) for table in tables):  # whole numbers come back exactly
        every = decided(assessments)
        counts = every.confusion.counts
        return [
            replace(every, confusion=Confusion(counts - one.confusion.counts, one.labels), n=every.n - one.n)
            for one in assessments
        ]
    together = decided if of_labels else merged
    return [together([*assessments[:index], *assessments[index + 1 :]]) for index in range(len(assessments))]


def _is_counted(table: Confusion, first: Confusion) -> bool:
    """Tell a table of whole numbers of independent cases, of the same classes as the first."""
    is_plain = table.squares is None and table.clusters is None and not table.fixed_rows
    return is_plain and table.counts.dtype.kind == "i" and table.labels == first.labels
