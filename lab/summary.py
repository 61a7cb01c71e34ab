"""What the grid says of the intervals of a measure: where they fall short of the truth, and how wide they are.

It is read from what is gathered of one seed (`lab.shipped.content`), or from the same as the package ships it. A cell
that has fewer than `ENOUGH` intervals says nothing, and one falls short only beyond `ERRORS` Monte Carlo errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from statistics import median
from typing import Any

from howsure.lab.interval_coverage import ERRORS, FLOOR
from howsure.measured.intervals import Held
from howsure.measures import registry
from howsure.measures.spec import read_spec

LEAST_RATIO, MEAN_RATIO = 0.90, 0.94  # counts are discrete: of proportions in a cell, and on average around it
ENOUGH = 30
Facts = tuple[tuple[str, Any], ...]
Cells = Mapping[Facts, Held]
SCALES: dict[str, Callable[[Any], Any]] = {
    "n": int,
    "prevalence": float,
    "quality": lambda name: ("chance", "poor", "fair", "good", "near-perfect").index(name),
}
USUAL = {"spread": 1.0, "slope": 1.0, "classes": 2, "weighted": False}


@dataclass(frozen=True)
class Measured:
    """All methods of one measure, by cell; ``default`` is empty where that was not measured yet.

    ``default_of_many`` is that of more than two classes, where it is another one.
    """

    name: str
    default: str
    methods: Mapping[str, Cells]
    default_of_many: str = ""

    @cached_property
    def is_ratio(self) -> bool:
        """Tell whether it is the share of a count, so that its coverage goes up and down with the number of cases."""
        return not self.name.startswith("macro ") and registry[read_spec(self.name)[0]].is_ratio

    @property
    def every(self) -> Cells:
        """All cells in which the default was measured."""
        of_many = self.methods.get(self.default_of_many, {})
        return {
            **self.methods.get(self.default, {}),
            **{facts: one for facts, one in of_many.items() if one.cell["classes"] > 2},
        }

    @property
    def cells(self) -> list[Held]:
        """Those of them that have enough intervals to be judged."""
        return told(self.every)


@dataclass(frozen=True)
class Short:
    """A cell in which intervals hold the truth too rarely, or around which they do on average."""

    held: Held
    coverage: float
    error: float
    floor: float
    cells: int = 1

    @property
    def text(self) -> str:
        around = f" on average over {self.cells} cells around" if self.cells > 1 else " in"
        often = f"{100 * self.coverage:.1f} % ± {100 * self.error:.1f}"
        return f"{often}{around} {where(self.held.cell)}, where {100 * self.floor:g} % is asked for"


@dataclass(frozen=True)
class Rival:
    """Another method that holds where the default gives intervals.

    ``ratio`` is the median, over the cells in which both give intervals, of the default's median width over its own.
    """

    method: str
    ratio: float
    cells: int


def read(content: Mapping[str, Any]) -> dict[str, Measured]:
    """Read what was gathered, or shipped, by measure."""
    facts = [tuple(cell.items()) for cell in content["cells"]]
    return {
        name: Measured(
            name,
            known.get("default", ""),
            {m: _cells(c, known, facts) for m, c in known["methods"].items()},
            known.get("default_of_many", ""),
        )
        for name, known in content["measures"].items()
    }


def _cells(columns: Mapping[str, list[Any]], known: Mapping[str, Any], facts: list[Facts]) -> Cells:
    return {
        facts[cell]: Held(dict(facts[cell]), known["truth"][str(cell)], *rest)
        for cell, *rest in zip(*columns.values(), strict=True)
    }


def told(cells: Cells) -> list[Held]:
    return [one for one in cells.values() if one.given >= ENOUGH]


def shortfalls(cells: Cells, is_ratio: bool) -> list[Short]:
    """Give the cells in which intervals fall short of what is asked of such a measure."""
    floor = LEAST_RATIO if is_ratio else FLOOR
    single = [Short(one, one.coverage, one.error, floor) for one in told(cells)]
    around = [_mean(*one) for one in neighbourhoods(cells)] if is_ratio else []
    return [one for one in (*single, *around) if one.coverage < one.floor - ERRORS * one.error]


def _mean(middle: Held, around: list[Held]) -> Short:
    size = len(around)
    coverage = sum(one.coverage for one in around) / size
    error = math.sqrt(sum(one.error**2 for one in around)) / size
    return Short(middle, coverage, error, MEAN_RATIO, size)


def neighbourhoods(cells: Cells) -> Iterator[tuple[Held, list[Held]]]:
    """Give each cell with those at most one step of the grid away in each of `SCALES`, and alike in all else."""
    groups: dict[Facts, dict[tuple[Any, ...], Held]] = {}
    for one in told(cells):
        rest = tuple(item for item in one.cell.items() if item[0] not in SCALES)
        groups.setdefault(rest, {})[tuple(scale(one.cell[name]) for name, scale in SCALES.items())] = one
    for group in groups.values():
        steps = [sorted(set(values)) for values in zip(*group, strict=True)]
        for place, one in group.items():
            near = [_near(*pair) for pair in zip(steps, place, strict=True)]
            among = product(*near)
            yield one, [group[other] for other in among if other in group]


def _near(values: list[Any], value: Any) -> list[Any]:
    place = values.index(value)
    return values[max(place - 1, 0) : place + 2]


def rivals(chosen: Measured, shown: Measured) -> list[Rival]:
    """Give the other methods that hold on one seed where the default has intervals, with widths on the other seed.

    The narrowest is first. One that was not measured where methods are chosen, or gives no interval in a cell where the
    default does, is none.
    """
    found = []
    for method, cells in chosen.methods.items():
        both = {facts: cells[facts] for facts, one in chosen.every.items() if one.given >= ENOUGH and facts in cells}
        if method == shown.default or not both or any(not one.given for one in both.values()):
            continue
        if not shortfalls(both, shown.is_ratio) and (ratios := list(_ratios(shown, method, both))):
            found.append(Rival(method, median(ratios), len(ratios)))
    return sorted(found, key=lambda rival: -rival.ratio)


def _ratios(shown: Measured, method: str, among: Iterable[Facts]) -> Iterator[float]:
    for facts in among:
        default, other = shown.every.get(facts), shown.methods.get(method, {}).get(facts)
        if default and other and default.given and other.given and other.width and math.isfinite(other.width):
            yield default.width / other.width


def where(cell: Mapping[str, Any]) -> str:
    """Say which cell it is; what is as usual goes without saying."""
    words = [f"n = {cell['n']:,}", f"prevalence {cell['prevalence']:g}", str(cell["quality"])]
    if cell["classes"] != USUAL["classes"]:
        words.append(f"{cell['classes']} classes")
    words += [f"{name} {cell[name]:g}" for name in ("spread", "slope") if cell[name] != USUAL[name]]
    return ", ".join(words + (["weighted"] if cell["weighted"] else []))
