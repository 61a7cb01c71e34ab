"""Why some defaults have a coverage above 99 %, and whether they could be narrower.

For each sample, the simulation stores the factor by which the arm of the interval must be multiplied to reach the true
value, which describes all narrower and wider intervals of the method. If arms that reduce the coverage of a cell to
99 % give less than 92.5 % in a neighbouring cell of the grid, whose samples look much the same, the method cannot be
made narrower.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.lab.design import Cell, quality_of
from howsure.lab.interval_coverage import ERRORS, SLACK, SURE
from howsure.measured.intervals import Held
from howsure.measures import registry
from howsure.measures.spec import read_spec
from lab.intervals import PARTS, SHOWING
from lab.parts import Part
from lab.shipped import facts_of, key_of
from lab.summary import Facts, Measured, neighbourhoods

LARGE = 50  # number of cases from which on coverage should not exceed 99 %
EDGE = 0.05  # share of the range that is near an end
OFTEN = 0.05  # share of samples in which the recall of a class is 0 or 1
AT_END, SEEN_THERE, CERTAIN, NEEDED, WIDE = "at an end", "seen there", "certain", "needed nearby", "could be narrower"
Factors = Mapping[str, Mapping[Facts, tuple[float, float]]]


@dataclass(frozen=True)
class Over:
    """A cell in which the coverage of a default is significantly above 99 %, and the reason.

    ``factor`` is the smallest one by which the arms can be multiplied with a coverage of 92.5 % there and in
    neighbouring cells; NaN if it was not measured.
    """

    measure: str
    held: Held
    why: str
    factor: float


def factors(parts: Iterable[Part] = PARTS, seed: int = SHOWING) -> Factors:
    """Return for each cell of a default the factors with a coverage of 92.5 % and of 99 %."""
    result: dict[str, dict[Facts, tuple[float, float]]] = {}
    for part in parts:
        for item, kept in part.kept().items():
            for row in kept["rows"]:
                if row["seed"] == seed and row["default"] and row.get("factors"):
                    least, sure = row["factors"]
                    result.setdefault(key_of(item, row), {})[tuple(facts_of(row).items())] = least, sure
    return result


def over(measured: Mapping[str, Measured], known: Factors) -> list[Over]:
    """Return the cells in which coverage is above 99 %, with the reasons."""
    return [cell for name, of_measure in measured.items() for cell in _over(of_measure, known.get(name, {}))]


def _over(measured: Measured, known: Mapping[Facts, tuple[float, float]]) -> Iterable[Over]:
    for held, around in neighbourhoods(measured.every):
        if held.cell["n"] >= LARGE and is_over(held):
            nearby = [known[_facts(neighbour)][0] for neighbour in around if _facts(neighbour) in known]
            least, (own, sure) = max(nearby, default=math.nan), known.get(_facts(held), (math.nan, math.inf))
            reason = _reason(measured.name, held, least, sure)
            yield Over(measured.name, held, reason, math.nan if math.isnan(own) else least)


def is_over(held: Held) -> bool:
    """Return whether a coverage is significantly above 99 %."""
    return held.coverage > SURE + ERRORS * math.sqrt(SURE * (1 - SURE) / held.given)


def _reason(name: str, held: Held, least: float, sure: float) -> str:
    if at_an_end(name, held):
        return AT_END
    if is_certain(name, held.cell):
        return CERTAIN
    if least >= sure:
        return NEEDED
    return SEEN_THERE if whole_or_none(held.cell) > OFTEN else WIDE


def at_an_end(name: str, held: Held) -> bool:
    """Return whether the true value is near an end of the range; ratios x are mapped to x / (1 + x)."""
    measure, parameters = read_spec(name.removeprefix("macro "))
    low, high = registry[measure].span(held.cell["n"], parameters)
    value = held.truth
    if low == 0 and math.isinf(high):
        value, high = value / (1 + value), 1.0
    margin = EDGE * (high - low if math.isfinite(high - low) else 1.0)
    return not low + margin <= value <= high - margin


def is_certain(name: str, cell: Mapping[str, Any]) -> bool:
    """Return whether all cases of the population have the same loss, so that the measure has no variance."""
    measure = registry[read_spec(name.removeprefix("macro "))[0]]
    is_mean = measure.of_mean is None or measure.increases_with_mean
    if measure.loss is None or not is_mean or cell["classes"] > 2:
        return False
    population = Cell(**cell).scores(probabilities=True)
    losses = measure.loss(population.scores)
    shares = population.positives, population.negatives
    values = [loss[share > 0] for loss, share in zip(losses, shares, strict=True)]
    return float(np.ptp(np.concatenate(values))) < SLACK


def whole_or_none(cell: Mapping[str, Any]) -> float:
    """Return the probability that the observed recall of a class is 0 or 1, for the class where it is larger.

    A rate at an end of its range has an interval that cannot miss on that side.
    """
    n, prevalence, quality = cell["n"], cell["prevalence"], quality_of(cell["quality"])
    classes = (prevalence, quality.recall), (1 - (cell["classes"] - 1) * prevalence, quality.specificity)
    chances = ((1 - share * (1 - rate)) ** n + (1 - share * rate) ** n for share, rate in classes)
    return float(max(chances))


def _facts(held: Held) -> Facts:
    return tuple(held.cell.items())
