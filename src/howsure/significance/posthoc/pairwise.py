"""Pairs of classifiers compared: what is given back, and what the procedures have in common."""

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

ONE_ROW = "one row cannot tell how sure its differences are"


@dataclass(frozen=True)
class PairwiseDifference(Result):
    """Two classifiers, and whether they differ.

    Attributes
    ----------
    a, b
        Their names.
    difference
        Of their means or mean ranks, a - b.
    statistic, pvalue
        Of the test of the pair.
    critical
        They differ where the difference is beyond this.
    different
        Whether they do. It can be False beside a small p-value where a procedure by steps stopped before this pair.

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
    """Pairs of classifiers compared at the level ``alpha``; ``result["a", "b"]`` is one of them.

    Attributes
    ----------
    method
        The procedure.
    names, values
        The classifiers, and their means or mean ranks.
    pairs
        Each pair, with its difference and p-value.
    groups
        Those that cannot be told apart, best first; a classifier may be in several. With a control there is one group,
        of those not told apart from it.
    alpha
        The level.
    simultaneous
        Whether the p-values already allow for the number of pairs.
    control
        The one that all others are compared with.
    notes
        What to know of it.
    test, variant
        The declared test, and the form in which it was computed.

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
        """Give the pair of two names, in either order; its difference is a - b as it was compared."""
        for pair in self.pairs:
            if {pair.a, pair.b} == set(names):
                return pair
        raise HowsureError(
            f"{' and '.join(map(repr, names))} were not compared; the names are {', '.join(self.names)}."
        )

    def lines(self) -> str:
        """Write groups as textbooks underline them: "145 23", or "{tree, bayes} {knn}" where names are longer.

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
        groups = f"groups that cannot be told apart at {self.alpha:g}: {self.lines()}"
        if self.control is not None:
            groups = f"not told apart from {self.control} at {self.alpha:g}: {self.lines()}"
        columns = ["a", "b", "difference", "critical", "statistic", "p", "different"]
        return Sheet(columns, rows, self.title, (groups, *(f"note: {note}" for note in self.notes)))

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable({**self.__dict__, "pairs": self.records(), "test": self.test and self.test.name}))


@dataclass(frozen=True)
class CriticalDifference(Result):
    """What a critical difference diagram shows: mean ranks, the difference that counts, and who is joined by a bar.

    Attributes
    ----------
    names, ranks
        The classifiers, and their mean ranks, 1 the best.
    cd
        The difference that counts.
    groups
        The largest sets of classifiers of which no two differ, best first. With a control there is one, of those not
        told apart from it.
    rows
        The number of data sets.
    alpha
        The level.
    method
        The procedure.
    control
        The one that all others are compared with.
    notes
        What to know of it.
    test, variant
        The declared test, and the form in which it was computed.

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
        """The first and the last mean rank that each bar joins."""
        rank = dict(zip(self.names, self.ranks, strict=True))
        joined = (sorted(rank[name] for name in group) for group in self.groups if len(group) > 1)
        return tuple((ranks[0], ranks[-1]) for ranks in joined)

    def records(self) -> list[Record]:
        """Give each classifier, best first, with the numbers of the groups that it is in."""

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
    """What is compared: values by name, their standard error, and its degrees of freedom.

    ``shape`` says how the scores were read, and ``reasons`` why there is no standard error, where there is none.
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
    """Compare two; the statistic is a studentized range with a sign, or, divided by its unit, a z or t."""
    difference = float(fit.values[a] - fit.values[b])
    q = difference / fit.spread if tail else (math.nan if difference else 0.0)
    p = tail(abs(q)) if tail else (math.nan if difference else 1.0)
    return PairwiseDifference(fit.names[a], fit.names[b], difference, q / unit, p, critical * fit.spread, p < alpha)


def all_pairs(method: str, fit: Fit, tail: Tail | None, alpha: float) -> Pairwise:
    critical = point(tail, alpha) if tail else math.nan
    both = combinations(range(len(fit.names)), 2)
    pairs = tuple(compare_two(fit, a, b, tail, critical, alpha) for a, b in both)
    groups, notes = groups_of(fit.order, pairs), (*fit.reasons, fit.shape)
    return Pairwise(method, fit.names, tuple(fit.values.tolist()), pairs, groups, alpha, notes=notes)


def with_control(method: str, fit: Fit, tail: Tail | None, critical: float, control: str, alpha: float) -> Pairwise:
    one_of("control", control, fit.names)
    index = fit.names.index(control)
    others = [other for other in range(len(fit.names)) if other != index]
    pairs = tuple(compare_two(fit, index, other, tail, critical, alpha, math.sqrt(2)) for other in others)
    apart = {pair.b for pair in pairs if pair.different}
    groups, notes = (tuple(name for name in fit.order if name not in apart),), (*fit.reasons, fit.shape)
    values = tuple(fit.values.tolist())
    return Pairwise(method, fit.names, values, pairs, groups, alpha, control=control, notes=notes)


def groups_of(order: list[str], pairs: tuple[PairwiseDifference, ...]) -> tuple[tuple[str, ...], ...]:
    """Find the longest runs, in order of value, of which no two differ; none lies within another."""
    apart = {frozenset((pair.a, pair.b)) for pair in pairs if pair.different}
    spans: list[tuple[int, int]] = []
    for start in range(len(order)):
        end = start + 1
        while end < len(order) and not any(
            frozenset(both) in apart for both in combinations(order[start : end + 1], 2)
        ):
            end += 1
        if not spans or end > spans[-1][1]:
            spans.append((start, end))
    return tuple(tuple(order[start:end]) for start, end in spans)
