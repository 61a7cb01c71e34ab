"""Results of pairwise comparisons, and steps shared by the procedures."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.checks import one_of
from howsure.errors import HowsureError
from howsure.present.result import Result
from howsure.present.sheet import Record, Sheet
from howsure.present.value_text import jsonable, number
from howsure.results import DeclaredTest
from howsure.significance.posthoc.studentized_range import Tail, point

ONE_ROW = "the uncertainty of differences cannot be estimated from one row"


@dataclass(frozen=True)
class PairwiseDifference(Result):
    """Comparison of two classifiers.

    Attributes
    ----------
    a, b
        Names of the classifiers.
    difference
        Difference between their means or mean ranks, a - b.
    statistic, pvalue
        Statistic and p-value of the pair.
    critical
        Critical difference: larger differences are significant.
    different
        Whether the difference is significant. It may be False for a small p-value if a stepwise procedure stopped
        before this pair.

    Examples
    --------
    >>> from howsure.significance import tukey
    >>> pair = tukey([71, 73, 72], [60, 61, 63], [72, 71, 72])["1", "2"]
    >>> round(pair.difference, 3), round(pair.critical, 3), pair.different
    (10.667, 2.77, True)
    """

    a: str
    b: str
    difference: float
    statistic: float
    pvalue: float
    critical: float
    different: bool

    def records(self) -> list[Record]:
        return [asdict(self)]


@dataclass(frozen=True)
class Pairwise(Result):
    """Pairwise comparisons of classifiers.

    ``result["a", "b"]`` is the comparison of a and b.

    Attributes
    ----------
    method
        Name of the procedure.
    names, values
        Names of the classifiers, and their means or mean ranks.
    pairs
        Comparison of each pair.
    groups
        Groups of classifiers without significant differences, best first; a classifier may belong to several. With a
        control, the only group is that of the classifiers that do not differ significantly from it.
    alpha
        Significance level.
    simultaneous
        Whether the p-values are adjusted for the number of pairs.
    control
        Name of the control, if there is one.
    notes
        Remarks, such as the shape of the scores.
    test, variant
        The declared test, and its variant.

    Examples
    --------
    >>> from howsure.significance import tukey
    >>> result = tukey({"a": [71, 73, 72], "b": [60, 61, 63], "c": [72, 71, 72]})
    >>> result.groups, result.lines()
    ((('a', 'c'), ('b',)), 'ac b')
    >>> round(result["a", "c"].pvalue, 3)
    0.928
    """

    method: str
    names: tuple[str, ...]
    values: tuple[float, ...]
    pairs: tuple[PairwiseDifference, ...]
    groups: tuple[tuple[str, ...], ...]
    alpha: float
    simultaneous: bool = True
    control: str | None = None
    notes: tuple[str, ...] = ()
    test: DeclaredTest | None = field(default=None, repr=False)
    variant: str = ""

    @property
    def title(self) -> str:
        return self.method

    def __getitem__(self, names: tuple[str, str]) -> PairwiseDifference:
        """Return the comparison of two names, in either order.

        The sign of the difference follows the order of ``a`` and ``b`` in the comparison.
        """
        for pair in self.pairs:
            if {pair.a, pair.b} == set(names):
                return pair
        raise HowsureError(
            f"{' and '.join(map(repr, names))} were not compared; the names are {', '.join(self.names)}."
        )

    def lines(self) -> str:
        """Return the groups as text, such as "145 23" or "{tree, bayes} {knn}".

        Examples
        --------
        >>> from howsure.significance import tukey
        >>> tukey([71, 73, 72], [60, 61, 63], [72, 71, 72]).lines()
        '13 2'
        """
        return lines(self.groups, self.names)

    def records(self) -> list[Record]:
        return [record for pair in self.pairs for record in pair.records()]

    def sheet(self) -> Sheet:
        rows = [[p.a, p.b, p.difference, p.critical, p.statistic, p.pvalue, p.different] for p in self.pairs]
        groups = f"groups without significant differences at {self.alpha:g}: {self.lines()}"
        if self.control is not None:
            groups = f"no significant difference from {self.control} at {self.alpha:g}: {self.lines()}"
        columns = ["a", "b", "difference", "critical", "statistic", "p", "different"]
        return Sheet(columns, rows, self.title, (groups, *(f"note: {note}" for note in self.notes)))

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable({**self.__dict__, "pairs": self.records(), "test": self.test and self.test.name}))


@dataclass(frozen=True)
class CriticalDifference(Result):
    """Critical difference diagram: mean ranks, critical difference and groups.

    Attributes
    ----------
    names, ranks
        Names of the classifiers, and their mean ranks, 1 for the best.
    cd
        Critical difference: larger differences between mean ranks are significant.
    groups
        Groups of classifiers without significant differences, best first. With a control, the only group is that of the
        classifiers that do not differ significantly from it.
    rows
        Number of data sets.
    alpha
        Significance level.
    method
        Name of the procedure.
    control
        Name of the control, if there is one.
    notes
        Remarks, such as the shape of the scores.
    test, variant
        The declared test, and its variant.

    Examples
    --------
    >>> from howsure.significance import critical_difference
    >>> tree, bayes, knn = [0.91, 0.87, 0.94, 0.90], [0.90, 0.85, 0.93, 0.90], [0.86, 0.84, 0.88, 0.87]
    >>> result = critical_difference({"tree": tree, "bayes": bayes, "knn": knn})
    >>> round(result.cd, 3), result.groups
    (1.657, (('tree', 'bayes'), ('bayes', 'knn')))
    >>> result.bars
    ((1.125, 1.875), (1.875, 3.0))
    """

    names: tuple[str, ...]
    ranks: tuple[float, ...]
    cd: float
    groups: tuple[tuple[str, ...], ...]
    rows: int
    alpha: float
    method: str
    control: str | None = None
    notes: tuple[str, ...] = ()
    test: DeclaredTest | None = field(default=None, repr=False)
    variant: str = ""

    @property
    def title(self) -> str:
        return f"{self.method}: critical difference {number(self.cd)} at {self.alpha:g}, {self.rows} rows"

    @property
    def bars(self) -> tuple[tuple[float, float], ...]:
        """Lowest and highest mean rank of each group of two or more."""
        rank = dict(zip(self.names, self.ranks, strict=True))
        joined = (sorted(rank[name] for name in group) for group in self.groups if len(group) > 1)
        return tuple((ranks[0], ranks[-1]) for ranks in joined)

    def records(self) -> list[Record]:
        """Return the classifiers, best first, with the numbers of their groups."""

        def groups(name: str) -> str:
            return " ".join(str(index) for index, group in enumerate(self.groups, start=1) if name in group)

        ranked = sorted(zip(self.ranks, self.names, strict=True))
        return [{"classifier": name, "mean_rank": rank, "groups": groups(name)} for rank, name in ranked]

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable({**self.__dict__, "bars": self.bars, "test": self.test and self.test.name}))

    def text(self) -> str:
        ranks = ", ".join(f"{record['classifier']} {number(record['mean_rank'])}" for record in self.records())
        notes = (f"  note: {note}" for note in self.notes)
        return "\n".join([self.title, f"  mean ranks {ranks}", f"  groups {lines(self.groups, self.names)}", *notes])


def lines(groups: tuple[tuple[str, ...], ...], names: tuple[str, ...]) -> str:
    if all(len(name) == 1 for name in names):
        return " ".join("".join(group) for group in groups)
    return " ".join(f"{{{', '.join(group)}}}" for group in groups)


@dataclass(frozen=True)
class Fit:
    """Means or mean ranks with their standard error.

    ``shape`` describes the scores, and ``reasons`` states why there is no standard error.
    """

    names: tuple[str, ...]
    values: Array
    spread: float
    df: float
    better: str
    shape: str
    reasons: tuple[str, ...] = ()

    @property
    def has_spread(self) -> bool:
        return self.spread > 0

    @property
    def order(self) -> list[str]:
        sign = -1 if self.better == "higher" else 1
        return [self.names[index] for index in np.argsort(sign * self.values, kind="stable")]


def compare_two(
    fit: Fit, a: int, b: int, tail: Tail | None, critical: float, alpha: float, unit: float = 1.0
) -> PairwiseDifference:
    """Compare two values using q = difference / spread, shown in ``unit``."""
    difference = float(fit.values[a] - fit.values[b])
    q = difference / fit.spread if tail else (math.nan if difference else 0.0)
    p = tail(abs(q)) if tail else (math.nan if difference else 1.0)
    return PairwiseDifference(fit.names[a], fit.names[b], difference, q / unit, p, critical * fit.spread, p < alpha)


def all_pairs(method: str, fit: Fit, tail: Tail | None, alpha: float) -> Pairwise:
    critical = point(tail, alpha) if tail else math.nan
    indices = combinations(range(len(fit.names)), 2)
    pairs = tuple(compare_two(fit, a, b, tail, critical, alpha) for a, b in indices)
    groups, notes = groups_of(fit.order, pairs), (*fit.reasons, fit.shape)
    return Pairwise(method, fit.names, tuple(fit.values.tolist()), pairs, groups, alpha, notes=notes)


def with_control(method: str, fit: Fit, tail: Tail | None, critical: float, control: str, alpha: float) -> Pairwise:
    one_of("control", control, fit.names)
    index = fit.names.index(control)
    rest = [column for column in range(len(fit.names)) if column != index]
    pairs = tuple(compare_two(fit, index, column, tail, critical, alpha, math.sqrt(2)) for column in rest)
    different = {pair.b for pair in pairs if pair.different}
    groups, notes = (tuple(name for name in fit.order if name not in different),), (*fit.reasons, fit.shape)
    values = tuple(fit.values.tolist())
    return Pairwise(method, fit.names, values, pairs, groups, alpha, control=control, notes=notes)


def groups_of(order: list[str], pairs: tuple[PairwiseDifference, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the maximal runs of classifiers without a significant difference."""
    different = {frozenset((pair.a, pair.b)) for pair in pairs if pair.different}
    spans: list[tuple[int, int]] = []
    for start in range(len(order)):
        end = start + 1
        while end < len(order) and not any(
            frozenset(pair) in different for pair in combinations(order[start : end + 1], 2)
        ):
            end += 1
        if not spans or end > spans[-1][1]:
            spans.append((start, end))
    return tuple(tuple(order[start:end]) for start, end in spans)
