"""Which classifiers differ: the result of comparing pairs of them, and what a diagram of ranks shows."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

from assay.errors import AssayError
from assay.present.format import jsonable, number
from assay.present.sheet import Sheet
from assay.results import DeclaredTest


@dataclass(frozen=True, slots=True)
class Pair:
    """Two classifiers: ``difference`` is a - b, and they differ where it is beyond ``critical``.

    ``different`` can be False beside a small p-value where a procedure by steps stopped before this pair.
    """

    a: str
    b: str
    difference: float
    statistic: float
    pvalue: float
    critical: float
    different: bool


@dataclass(frozen=True)
class Pairwise:
    """Pairs of classifiers compared at the level ``alpha``.

    ``values`` are the means or mean ranks compared, by ``names``. ``groups`` hold those that cannot be told apart, best
    first; a classifier may be in several. With a ``control`` there is one group, of those not told apart from it.
    ``simultaneous`` says that the p-values already allow for the number of pairs.
    """

    method: str
    names: tuple[str, ...]
    values: tuple[float, ...]
    pairs: tuple[Pair, ...]
    groups: tuple[tuple[str, ...], ...]
    alpha: float
    simultaneous: bool = True
    control: str | None = None
    notes: tuple[str, ...] = ()
    test: DeclaredTest | None = field(default=None, repr=False)
    variant: str = ""

    def __getitem__(self, names: tuple[str, str]) -> Pair:
        """Give the pair of two names, in either order; its difference is a - b as it was compared."""
        for pair in self.pairs:
            if {pair.a, pair.b} == set(names):
                return pair
        raise AssayError(f"{' and '.join(map(repr, names))} were not compared; the names are {', '.join(self.names)}.")

    def lines(self) -> str:
        """Write groups as textbooks underline them: "145 23", or "{tree, bayes} {knn}" where names are longer.

        Examples
        --------
        >>> from assay.significance import tukey
        >>> tukey([[71, 60, 72], [73, 61, 71], [72, 63, 72]]).lines()
        '13 2'
        """
        return lines(self.groups, self.names)

    def sheet(self) -> Sheet:
        rows = [[p.a, p.b, p.difference, p.critical, p.statistic, p.pvalue, p.different] for p in self.pairs]
        told = f"groups that cannot be told apart at {self.alpha:g}: {self.lines()}"
        if self.control is not None:
            told = f"not told apart from {self.control} at {self.alpha:g}: {self.lines()}"
        columns = ["a", "b", "difference", "critical", "statistic", "p", "different"]
        return Sheet(columns, rows, self.method, (told, *(f"note: {note}" for note in self.notes)))

    def frame(self, like: Any = None) -> Any:
        return self.sheet().frame(like)

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable({**self.__dict__, "pairs": [asdict(pair) for pair in self.pairs], **_named(self.test)}))

    def __str__(self) -> str:
        return self.sheet().text()

    def _repr_html_(self) -> str:
        return self.sheet().to_html()


@dataclass(frozen=True)
class CriticalDifference:
    """What a critical difference diagram shows: mean ranks, the difference that counts, and who is joined by a bar.

    ``groups`` are the largest sets of classifiers of which no two differ, best first. With a ``control`` there is one,
    of those not told apart from it.
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
    def bars(self) -> tuple[tuple[float, float], ...]:
        """The first and the last mean rank that each bar joins."""
        rank = dict(zip(self.names, self.ranks, strict=True))
        joined = (sorted(rank[name] for name in group) for group in self.groups if len(group) > 1)
        return tuple((found[0], found[-1]) for found in joined)

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable({**self.__dict__, "bars": self.bars, **_named(self.test)}))

    def __str__(self) -> str:
        ranked = sorted(zip(self.ranks, self.names, strict=True))
        told = ", ".join(f"{name} {number(rank)}" for rank, name in ranked)
        head = f"{self.method}: critical difference {number(self.cd)} at {self.alpha:g}, {self.rows} rows"
        notes = (f"  note: {note}" for note in self.notes)
        return "\n".join([head, f"  mean ranks {told}", f"  groups {lines(self.groups, self.names)}", *notes])


def _named(test: DeclaredTest | None) -> dict[str, str | None]:
    return {"test": None if test is None else test.name}


def lines(groups: tuple[tuple[str, ...], ...], names: tuple[str, ...]) -> str:
    if all(len(name) == 1 for name in names):
        return " ".join("".join(group) for group in groups)
    return " ".join(f"{{{', '.join(group)}}}" for group in groups)


def runs(order: list[str], pairs: tuple[Pair, ...]) -> tuple[tuple[str, ...], ...]:
    """Find the longest runs, in order of value, of which no two differ; none lies within another."""
    apart = {frozenset((pair.a, pair.b)) for pair in pairs if pair.different}
    found: list[tuple[int, int]] = []
    for start in range(len(order)):
        end = start + 1
        while end < len(order) and not any(
            frozenset(both) in apart for both in combinations(order[start : end + 1], 2)
        ):
            end += 1
        if not found or end > found[-1][1]:
            found.append((start, end))
    return tuple(tuple(order[start:end]) for start, end in found)
