"""Summary of the grid for a measure: cells with a low coverage, and widths of methods.

It is read from the results of one seed (`lab.shipped.content`) or from the file in the package. Cells with fewer than
`ENOUGH` intervals are ignored. A coverage is low if it is below the required one by more than `ERRORS` Monte Carlo
errors.
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

MIN_RATIO, MEAN_RATIO = 0.90, 0.94  # required for proportions, whose coverage oscillates: in a cell, on average
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
    """Results of all methods of one measure."""

    name: str
    default: str  # "" if it was not measured yet
    methods: Mapping[str, Cells]
    default_of_many: str = ""  # default for more than two classes, if it differs

    @cached_property
    def is_ratio(self) -> bool:
        """Whether the measure is a proportion, so that coverage oscillates with the number of cases."""
        return not self.name.startswith("macro ") and registry[read_spec(self.name)[0]].is_ratio

    @property
    def every(self) -> Cells:
        """Cells in which the default was measured."""
        of_many = self.methods.get(self.default_of_many, {})
        return {
            **self.methods.get(self.default, {}),
            **{facts: held for facts, held in of_many.items() if held.cell["classes"] > 2},
        }

    @property
    def cells(self) -> list[Held]:
        """Cells with enough intervals."""
        return reliable(self.every)


@dataclass(frozen=True)
class Short:
    """A cell, or a neighbourhood of a cell, with a low coverage."""

    held: Held
    coverage: float
    error: float
    floor: float
    cells: int = 1

    @property
    def text(self) -> str:
        around = f" on average over {self.cells} cells around" if self.cells > 1 else " in"
        coverage = f"{100 * self.coverage:.1f} % ± {100 * self.error:.1f}"
        return f"{coverage}{around} {where(self.held.cell)}, where {100 * self.floor:g} % is required"


@dataclass(frozen=True)
class Rival:
    """Another valid method; ``ratio`` is the median width of the default divided by its own."""

    method: str
    ratio: float
    cells: int


def read(content: Mapping[str, Any]) -> dict[str, Measured]:
    """Read results by measure."""
    facts = [tuple(cell.items()) for cell in content["cells"]]
    return {
        name: Measured(
            name,
            results.get("default", ""),
            {method: _cells(columns, results, facts) for method, columns in results["methods"].items()},
            results.get("default_of_many", ""),
        )
        for name, results in content["measures"].items()
    }


def _cells(columns: Mapping[str, list[Any]], results: Mapping[str, Any], facts: list[Facts]) -> Cells:
    return {
        facts[cell]: Held(dict(facts[cell]), results["truth"][str(cell)], *counts)
        for cell, *counts in zip(*columns.values(), strict=True)
    }


def reliable(cells: Cells) -> list[Held]:
    return [held for held in cells.values() if held.given >= ENOUGH]


def shortfalls(cells: Cells, is_ratio: bool) -> list[Short]:
    """Return the cells and neighbourhoods with a low coverage."""
    floor = MIN_RATIO if is_ratio else FLOOR
    single = [Short(held, held.coverage, held.error, floor) for held in reliable(cells)]
    around = [_mean(*neighbourhood) for neighbourhood in neighbourhoods(cells)] if is_ratio else []
    return [short for short in (*single, *around) if short.coverage < short.floor - ERRORS * short.error]


def _mean(centre: Held, around: list[Held]) -> Short:
    size = len(around)
    coverage = sum(held.coverage for held in around) / size
    error = math.sqrt(sum(held.error**2 for held in around)) / size
    return Short(centre, coverage, error, MEAN_RATIO, size)


def neighbourhoods(cells: Cells) -> Iterator[tuple[Held, list[Held]]]:
    """Yield each cell with its neighbours: at most one step away in `SCALES`, equal in other settings."""
    groups: dict[Facts, dict[tuple[Any, ...], Held]] = {}
    for held in reliable(cells):
        other_settings = tuple(item for item in held.cell.items() if item[0] not in SCALES)
        position = tuple(scale(held.cell[name]) for name, scale in SCALES.items())
        groups.setdefault(other_settings, {})[position] = held
    for group in groups.values():
        axes = [sorted(set(values)) for values in zip(*group, strict=True)]
        for position, held in group.items():
            near = [_near(*pair) for pair in zip(axes, position, strict=True)]
            yield held, [group[neighbour] for neighbour in product(*near) if neighbour in group]


def _near(values: list[Any], value: Any) -> list[Any]:
    index = values.index(value)
    return values[max(index - 1, 0) : index + 2]


def rivals(chosen: Measured, shown: Measured) -> list[Rival]:
    """Return other methods that are valid on one seed wherever the default is, with widths on the other seed.

    The narrowest is first. Methods that were not measured on the first seed, or are undefined in a cell where the
    default is defined, are left out.
    """
    result = []
    for method, cells in chosen.methods.items():
        both = {facts: cells[facts] for facts, held in chosen.every.items() if held.given >= ENOUGH and facts in cells}
        if method == shown.default or not both or any(not held.given for held in both.values()):
            continue
        if not shortfalls(both, shown.is_ratio) and (ratios := list(_ratios(shown, method, both))):
            result.append(Rival(method, median(ratios), len(ratios)))
    return sorted(result, key=lambda rival: -rival.ratio)


def _ratios(shown: Measured, method: str, among: Iterable[Facts]) -> Iterator[float]:
    for facts in among:
        default, other = shown.every.get(facts), shown.methods.get(method, {}).get(facts)
        if default and other and default.given and other.given and other.width and math.isfinite(other.width):
            yield default.width / other.width


def where(cell: Mapping[str, Any]) -> str:
    """Describe a cell, without its default settings."""
    words = [f"n = {cell['n']:,}", f"prevalence {cell['prevalence']:g}", str(cell["quality"])]
    if cell["classes"] != USUAL["classes"]:
        words.append(f"{cell['classes']} classes")
    words += [f"{name} {cell[name]:g}" for name in ("spread", "slope") if cell[name] != USUAL[name]]
    return ", ".join(words + (["weighted"] if cell["weighted"] else []))
