"""Could a default be narrower? Where it holds the truth almost always, this says why, or that it could.

Each sample tells how many times its arm an interval needs to reach the truth, so that one run measures all intervals
that are so many times as wide. With the arms so short that no more than 99 % of a cell's intervals hold, others of the
same method may fall under 92.5 % in a cell one step of the grid away, whose samples look much the same: then nothing
narrower of this kind is to be had.
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

LARGE = 50  # cases, from which on intervals are asked to hold no more than 99 %
EDGE = 0.05  # of the range, at its ends
OFTEN = 0.05  # of the samples, in which a class is found whole or not at all
AT_END, SEEN_THERE, CERTAIN, NEEDED, WIDE = "at an end", "seen there", "certain", "needed nearby", "could be narrower"
Factors = Mapping[str, Mapping[Facts, tuple[float, float]]]


@dataclass(frozen=True)
class Over:
    """A cell in which a default holds the truth in more than 99 %, beyond two Monte Carlo errors of that, and why.

    ``factor`` is the least one by which its arms may be multiplied so that 92.5 % are held there and one step away;
    NaN where that was not measured.
    """

    measure: str
    held: Held
    why: str
    factor: float


def factors(parts: Iterable[Part] = PARTS, seed: int = SHOWING) -> Factors:
    """Gather the two factors of every default's cell: with which enough intervals hold, and almost all."""
    found: dict[str, dict[Facts, tuple[float, float]]] = {}
    for part in parts:
        for item, kept in part.kept().items():
            for row in kept["rows"]:
                if row["seed"] == seed and row["default"] and row.get("factors"):
                    least, sure = row["factors"]
                    found.setdefault(key_of(item, row), {})[tuple(facts_of(row).items())] = least, sure
    return found


def over(measured: Mapping[str, Measured], known: Factors) -> list[Over]:
    """Give the cells in which defaults hold too often, each with the reason."""
    return [one for name, each in measured.items() for one in _over(each, known.get(name, {}))]


def _over(measured: Measured, known: Mapping[Facts, tuple[float, float]]) -> Iterable[Over]:
    for held, around in neighbourhoods(measured.every):
        if held.cell["n"] >= LARGE and is_over(held):
            every = [known[_facts(one)][0] for one in around if _facts(one) in known]
            least, (own, sure) = max(every, default=math.nan), known.get(_facts(held), (math.nan, math.inf))
            yield Over(
                measured.name, held, _why(measured.name, held, least, sure), math.nan if math.isnan(own) else least
            )


def is_over(held: Held) -> bool:
    """Tell whether a coverage is above 99 % by more than two of the errors that 99 % has in as many samples."""
    return held.coverage > SURE + ERRORS * math.sqrt(SURE * (1 - SURE) / held.given)


def _why(name: str, held: Held, least: float, sure: float) -> str:
    if at_an_end(name, held):
        return AT_END
    if is_certain(name, held.cell):
        return CERTAIN
    if least >= sure:
        return NEEDED
    return SEEN_THERE if whole_or_none(held.cell) > OFTEN else WIDE


def at_an_end(name: str, held: Held) -> bool:
    """Tell whether the true value is near an end of the range; a ratio x without an upper end as x / (1 + x)."""
    measure, parameters = read_spec(name.removeprefix("macro "))
    low, high = registry[measure].span(held.cell["n"], parameters)
    value = held.truth
    if low == 0 and math.isinf(high):
        value, high = value / (1 + value), 1.0
    margin = EDGE * (high - low if math.isfinite(high - low) else 1.0)
    return not low + margin <= value <= high - margin


def is_certain(name: str, cell: Mapping[str, Any]) -> bool:
    """Tell whether all cases of the population have the same loss, so that every sample has the true mean."""
    measure = registry[read_spec(name.removeprefix("macro "))[0]]
    is_mean = measure.of_mean is None or measure.rises_with_mean
    if measure.loss is None or not is_mean or cell["classes"] > 2:
        return False
    population = Cell(**cell).scores(probabilities=True)
    losses = measure.loss(population.scores)
    seen = [loss[of > 0] for loss, of in zip(losses, (population.positives, population.negatives), strict=True)]
    return float(np.ptp(np.concatenate(seen))) < SLACK


def whole_or_none(cell: Mapping[str, Any]) -> float:
    """Give the chance that all cases of a class are found, or none of those that there are, of the likelier class.

    Then a rate that the measure is made of is seen at an end of its range, and its interval cannot miss on that side.
    """
    n, prevalence, quality = cell["n"], cell["prevalence"], quality_of(cell["quality"])
    classes = (prevalence, quality.recall), (1 - (cell["classes"] - 1) * prevalence, quality.specificity)
    chances = ((1 - share * (1 - rate)) ** n + (1 - share * rate) ** n for share, rate in classes)
    return float(max(chances))


def _facts(held: Held) -> Facts:
    return tuple(held.cell.items())
