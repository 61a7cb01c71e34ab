"""How often intervals hold the truth: read from what the lab measured.

The file beside this one is written by ``python -m lab --write``. For each measure and method it holds columns: the
``cell`` of the grid, the samples drawn (``rounds``) and those with an interval (``given``), the intervals that lie
wholly ``below`` and ``above`` the truth, and their median ``width``; for each measure also its true value in each cell.
The same again of cases that come in clusters, apart: what was measured of independent cases says nothing about them.
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
LIKE = ("classes", "weighted", "spread", "slope")  # factors in which a cell must be as the setting is
SCALED = ("n", "prevalence")
IN_CLUSTERS = ("clusters", *SCALED)
FAR = 0.15  # from the true values measured: nearer ones count as alike, of bounded measures
TIMES = 2.0  # of unbounded ones the ratio
NOT_TOLD = "it is not known how many cases of which classes are behind it"


@dataclass(frozen=True)
class Held:
    """What became of the intervals of one method in the samples of one cell."""

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
        """Standard error of the coverage; half a miss is added, so that none at all has an error, too."""
        if not self.given:
            return math.nan
        missed = (self.below + self.above + 0.5) / (self.given + 1)
        return math.sqrt(missed * (1 - missed) / self.given)


@dataclass(frozen=True)
class MeasuredCoverage:
    """How often 95 % intervals held the truth in samples like the one at hand; or the reason why it is not known.

    ``below`` and ``above`` are the shares of intervals that lay wholly on that side of the truth, ``given`` is the
    share of samples that had an interval, and ``cell`` the setting, with the true value there. Of clusters it is the
    worst of several ``settings``, as how alike their cases are is not known.
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
            return f"outside what was measured: {self.reason}"
        where = ", ".join(f"{name} {value:g}" for name, value in self.cell.items())
        if not self.given:
            return f"no interval by {self.method} in any of {self.rounds:,} samples like this one ({where})"
        often = f"{100 * self.coverage:.1f} % ± {100 * self.error:.1f}"
        sides = f"{100 * self.below:.1f} % lay below it, {100 * self.above:.1f} % above"
        none = f"; {few_percent(1 - self.given)} of the samples had none" if self.given < 1 else ""
        what = f"{100 * LEVEL:g} % intervals by {self.method}"
        worst = f"; the worst of {self.settings} correlations within clusters" if self.settings > 1 else ""
        return (
            f"{what} held the truth in {often} of {self.rounds:,} samples like this one ({where}{worst}); {sides}{none}"
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
    """The file as it is: ``about``, ``cells`` and ``measures``, and these again, ``clustered``."""
    return dict(json.loads(gzip.decompress(files("howsure.measured").joinpath(FILE).read_bytes())))


@cache
def held(measure: str, method: str, *, clustered: bool = False) -> tuple[Held, ...]:
    """Give all cells in which a method was measured for a measure, the default where ``method`` is "auto"."""
    content = stored()["clustered"] if clustered else stored()
    known = content["measures"].get(measure, {"methods": {}})
    name = known.get("default", method) if method == "auto" else method
    columns = known["methods"].get(name, {"cell": []})
    return tuple(
        Held(content["cells"][cell], known["truth"][str(cell)], *rest)
        for cell, *rest in zip(*columns.values(), strict=True)
    )


def measured(measure: str, method: str, value: float, setting: Mapping[str, Any]) -> MeasuredCoverage:
    """Give what was measured of a method in the nearest cell: in size, in prevalence, then in the value itself.

    Examples
    --------
    >>> from howsure.measured.intervals import measured
    >>> print(measured("a measure of my own", "wilson", 0.9, {"n": 100, "prevalence": 0.5}))
    outside what was measured: a measure of my own by wilson
    """
    if not setting:
        return MeasuredCoverage(reason=NOT_TOLD)
    if "clusters" in setting:
        return _of_clusters(measure, method, value, setting)
    every = held(measure, method)
    if not every:
        return MeasuredCoverage(reason=f"{measure} by {method}")
    like = [one for one in every if all(one.cell.get(name) == _usual(name, setting) for name in LIKE)]
    if not like:
        return MeasuredCoverage(reason=f"{measure} by {method} of {_unusual(setting)}")
    for name in SCALED:
        if reason := _beyond(name, setting[name], [one.cell[name] for one in like]):
            return MeasuredCoverage(reason=reason)
    near = _nearest(like, setting, SCALED)
    if not near:
        return MeasuredCoverage(reason=f"no cell near n = {setting['n']:g}, prevalence {setting['prevalence']:.3g}")
    best = min(near, key=lambda one: abs(one.truth - value))
    if not _is_near(best.truth, value):
        return MeasuredCoverage(reason=f"the value {value:.3g}, where the nearest true value is {best.truth:.3g}")
    return _told(best, method)


def _of_clusters(measure: str, method: str, value: float, setting: Mapping[str, Any]) -> MeasuredCoverage:
    """Give the worst that was measured near by, over how alike the cases of a cluster may be."""
    every, unusual = held(measure, method, clustered=True), setting.get("classes", 2) != 2 or setting.get("weighted")
    if not every or unusual:
        which = f"{_unusual(setting)} in clusters" if every else "cases in clusters"
        return MeasuredCoverage(reason=f"{measure} by {method} of {which}")
    if reason := _beyond("clusters", setting["clusters"], [one.cell["clusters"] for one in every]):
        return MeasuredCoverage(reason=reason)
    near = _nearest(every, setting, IN_CLUSTERS)
    if not near:
        where = f"n = {setting['n']:g} in {setting['clusters']} clusters, prevalence {setting['prevalence']:.3g}"
        return MeasuredCoverage(reason=f"no cell near {where}")
    truth = min((one.truth for one in near), key=lambda truth: abs(truth - value))
    if not _is_near(truth, value):
        return MeasuredCoverage(reason=f"the value {value:.3g}, where the nearest true value is {truth:.3g}")
    like = [one for one in near if one.truth == truth]
    worst = min(like, key=lambda one: one.coverage)
    return replace(_told(worst, method, (*IN_CLUSTERS, "icc")), settings=len(like))


def _told(one: Held, method: str, names: Sequence[str] = SCALED) -> MeasuredCoverage:
    cell = {**{name: one.cell[name] for name in names}, "true value": one.truth}
    made = max(one.given, 1)
    sides = (one.below / made, one.above / made) if one.given else (math.nan, math.nan)
    return MeasuredCoverage(one.coverage, one.error, *sides, one.given / one.rounds, one.rounds, method, cell)


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
    return f"{shown}, where {low:g} to {high:g} was measured"


def _nearest(like: Sequence[Held], setting: Mapping[str, Any], names: Sequence[str]) -> list[Held]:
    distances = [[abs(SCALES[name](one.cell[name]) - SCALES[name](setting[name])) for name in names] for one in like]
    least = min(math.hypot(*one) for one in distances)
    return [
        one
        for one, distance in zip(like, distances, strict=True)
        if max(distance) <= REACH and math.hypot(*distance) <= least + 1e-9
    ]


def _is_near(truth: float, value: float) -> bool:
    if max(abs(truth), abs(value)) <= 1:
        return abs(truth - value) <= FAR
    return truth * value > 0 and 1 / TIMES <= truth / value <= TIMES
