"""Simulated coverage of confidence intervals.

The data file is written by ``python -m lab --write``. For each measure and method it has these columns: the ``cell`` of
the grid, the number of samples (``rounds``) and of those with an interval (``given``), the numbers of intervals
``below`` and ``above`` the true value, and their median ``width``. For each measure it has the true value in each cell.
Clustered cases have a section of their own.
"""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

from howsure.measured.scales import REACH, SCALES
from howsure.present.value_text import few_percent

FILE = "intervals.json.gz"
LEVEL = 0.95
SAME = ("classes", "weighted", "spread", "slope")  # factors that must be the same in the cell and the setting
SCALED = ("n", "prevalence")
IN_CLUSTERS = ("clusters", *SCALED)
FAR = 0.15  # largest distance from a simulated true value, for values up to 1
TIMES = 2.0  # largest ratio to a simulated true value, for larger values
UNKNOWN_DATA = "the numbers of cases in the classes are unknown"


@dataclass(frozen=True)
class Held:
    """Simulated intervals by one method in one cell."""

    cell: Mapping[str, Any]
    truth: float
    rounds: int
    given: int
    below: int
    above: int
    width: float

    @property
    def coverage(self) -> float:
        return 1 - (self.below + self.above) / self.given if self.given else math.nan

    @property
    def error(self) -> float:
        """The standard error of the coverage, with half a miss added."""
        if not self.given:
            return math.nan
        missed = (self.below + self.above + 0.5) / (self.given + 1)
        return math.sqrt(missed * (1 - missed) / self.given)


@dataclass(frozen=True)
class MeasuredCoverage:
    """Simulated coverage of 95 % intervals for similar data, or a reason.

    ``below`` and ``above`` are the shares of intervals on that side of the true value, ``given`` is the share of
    samples with an interval, and ``cell`` is the setting, with the true value. For clustered cases, the coverage is the
    lowest in several ``settings``, since the correlation within clusters is unknown.
    """

    coverage: float = math.nan
    error: float = math.nan
    below: float = math.nan
    above: float = math.nan
    given: float = math.nan
    rounds: int = 0
    method: str = ""
    cell: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    settings: int = 1

    @property
    def is_known(self) -> bool:
        return not self.reason

    @property
    def text(self) -> str:
        if self.reason:
            return f"not simulated: {self.reason}"
        where = ", ".join(f"{name} {value:g}" for name, value in self.cell.items())
        if not self.given:
            return f"no interval by {self.method} in any of {self.rounds:,} simulated samples ({where})"
        coverage = f"{100 * self.coverage:.1f} % ± {100 * self.error:.1f} %"
        sides = f"{100 * self.below:.1f} % were below it, {100 * self.above:.1f} % above"
        none = f"; {few_percent(1 - self.given)} of the samples had no interval" if self.given < 1 else ""
        worst = f"; worst of {self.settings} correlations within clusters" if self.settings > 1 else ""
        return (
            f"{100 * LEVEL:g} % intervals by {self.method} contained the true value in {coverage} of {self.rounds:,} "
            f"simulated samples ({where}{worst}); {sides}{none}"
        )

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        if self.reason:
            return {"coverage": None, "reason": self.reason}
        numbers = {name: getattr(self, name) for name in ("coverage", "error", "below", "above", "given", "rounds")}
        return {**numbers, "method": self.method, "cell": dict(self.cell)}


@cache
def stored() -> dict[str, Any]:
    """Read the data file: about, cells, measures and clustered."""
    return dict(json.loads(gzip.decompress(files("howsure.measured").joinpath(FILE).read_bytes())))


def held(measure: str, method: str, *, clustered: bool = False) -> tuple[Held, ...]:
    """Return all cells for a measure and a method ("auto": the default)."""
    content = stored()["clustered"] if clustered else stored()
    simulated = content["measures"].get(measure, {"methods": {}})
    name = simulated.get("default", method) if method == "auto" else method
    columns = simulated["methods"].get(name, {"cell": []})
    return tuple(
        Held(content["cells"][cell], simulated["truth"][str(cell)], *rest)
        for cell, *rest in zip(*columns.values(), strict=True)
    )


def measured(measure: str, method: str, value: float, setting: Mapping[str, Any]) -> MeasuredCoverage:
    """Return the coverage in the cell nearest in size, prevalence and value."""
    if not setting:
        return MeasuredCoverage(reason=UNKNOWN_DATA)
    if "clusters" in setting:
        return _of_clusters(measure, method, value, setting)
    every = held(measure, method)
    if not every:
        return MeasuredCoverage(reason=f"{measure} by {method}")
    same = [row for row in every if all(row.cell.get(name) == _usual(name, setting) for name in SAME)]
    if not same:
        return MeasuredCoverage(reason=f"{measure} by {method} of {_unusual(setting)}")
    for name in SCALED:
        if reason := _beyond(name, setting[name], [row.cell[name] for row in same]):
            return MeasuredCoverage(reason=reason)
    near = _nearest(same, setting, SCALED)
    if not near:
        return MeasuredCoverage(reason=f"n = {setting['n']:g} with prevalence {setting['prevalence']:.3g}")
    best = min(near, key=lambda row: abs(row.truth - value))
    if not _is_near(best.truth, value):
        return MeasuredCoverage(reason=f"the value {value:.3g}; the nearest simulated value is {best.truth:.3g}")
    return _as_result(best, method)


def _of_clusters(measure: str, method: str, value: float, setting: Mapping[str, Any]) -> MeasuredCoverage:
    """Return the lowest coverage over correlations within clusters."""
    every, unusual = held(measure, method, clustered=True), setting.get("classes", 2) != 2 or setting.get("weighted")
    if not every or unusual:
        which = f"{_unusual(setting)} in clusters" if every else "cases in clusters"
        return MeasuredCoverage(reason=f"{measure} by {method} of {which}")
    if reason := _beyond("clusters", setting["clusters"], [row.cell["clusters"] for row in every]):
        return MeasuredCoverage(reason=reason)
    near = _nearest(every, setting, IN_CLUSTERS)
    if not near:
        where = f"n = {setting['n']:g} in {setting['clusters']} clusters with prevalence {setting['prevalence']:.3g}"
        return MeasuredCoverage(reason=where)
    truth = min((row.truth for row in near), key=lambda truth: abs(truth - value))
    if not _is_near(truth, value):
        return MeasuredCoverage(reason=f"the value {value:.3g}; the nearest simulated value is {truth:.3g}")
    same = [row for row in near if row.truth == truth]
    worst = min(same, key=lambda row: row.coverage)
    return replace(_as_result(worst, method, (*IN_CLUSTERS, "icc")), settings=len(same))


def _as_result(row: Held, method: str, names: Sequence[str] = SCALED) -> MeasuredCoverage:
    cell = {**{name: row.cell[name] for name in names}, "true value": row.truth}
    sides = (row.below / row.given, row.above / row.given) if row.given else (math.nan, math.nan)
    return MeasuredCoverage(row.coverage, row.error, *sides, row.given / row.rounds, row.rounds, method, cell)


def _usual(name: str, setting: Mapping[str, Any]) -> Any:
    return setting.get(name, {"classes": 2, "weighted": False}.get(name, 1.0))


def _unusual(setting: Mapping[str, Any]) -> str:
    words = f"{setting.get('classes', 2)} classes"
    return f"weighted cases of {words}" if setting.get("weighted") else words


def _beyond(name: str, value: float, measured_at: Sequence[float]) -> str:
    low, high = min(measured_at), max(measured_at)
    if low <= value <= high:
        return ""
    shown = f"{value:.3g} clusters" if name == "clusters" else f"{'n =' if name == 'n' else name} {value:.3g}"
    return f"{shown}, outside the simulated range {low:g} to {high:g}"


def _nearest(rows: Sequence[Held], setting: Mapping[str, Any], names: Sequence[str]) -> list[Held]:
    distances = [[abs(SCALES[name](row.cell[name]) - SCALES[name](setting[name])) for name in names] for row in rows]
    least = min(math.hypot(*distance) for distance in distances)
    return [
        row
        for row, distance in zip(rows, distances, strict=True)
        if max(distance) <= REACH and math.hypot(*distance) <= least + 1e-9
    ]


def _is_near(truth: float, value: float) -> bool:
    if max(abs(truth), abs(value)) <= 1:
        return abs(truth - value) <= FAR
    return truth * value > 0 and 1 / TIMES <= truth / value <= TIMES
