"""Simulated type-I error and power of significance tests.

The data file is written by ``python -m lab --write``. It has a group of rows for each test, and each row is one setting
of a simulation, or of an enumeration of all outcomes:

``test``, ``variant``, ``measure``  the test; the variant is "auto" if the test chooses it
``design``   "cases": predictions for the same cases; "clusters": predictions for clustered cases; "splits": values for
             splits of one data set; "datasets": values for several data sets
``pair``     "exchangeable": both classifiers have the same distribution of errors; "equal": they have the same value
             but different errors; "apart": they have different values, so the rate is the power
``cell``     the setting. Cases: ``n``, ``prevalence``, ``quality``, ``correlation`` and other factors, and ``pairs``,
             the number of adjusted comparisons, any of which may be rejected. Clusters: also ``clusters`` and ``icc``.
             Splits: ``cases``, ``learner`` and the parameters of the ``scheme``. Data sets: ``datasets``
``rate``     the share of rejections at the 5 % level, among the samples with a p-value
``given``    the share of samples with a p-value
``coverage`` the coverage of the interval for the difference
``rounds``, ``seed``  the number of samples and the seed of the simulation; missing for enumerations
"""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from howsure.measured.scales import REACH, SCALES

FILE = "tests.json.gz"
LEVEL = 0.05
EQUALS = ("exchangeable", "equal")
RESULTS = ("rate", "given", "coverage")
DEFAULTS = {"classes": 2, "classifiers": 2}  # for rows and settings that lack these factors
UNKNOWN_DATA = "the test received only numbers, without information on the data"
NOT_TWO_SIDED = "one-sided tests"


@dataclass(frozen=True)
class TestRow:
    """The simulation results for a test in one setting."""

    __test__ = False  # pytest must not collect it

    test: str
    variant: str
    measure: str
    design: str
    pair: str
    cell: Mapping[str, Any]
    rate: float
    given: float = 1.0
    coverage: float = math.nan
    rounds: int | None = None
    seed: int | None = None

    @property
    def identity(self) -> tuple[str, str, str]:
        return self.test, self.variant, self.measure

    @property
    def error(self) -> float:
        """The standard error of the rate, with half a rejection added."""
        if self.rounds is None:
            return 0.0
        n = self.rounds * self.given
        share = (self.rate * n + 0.5) / (n + 1) if n else math.nan
        return math.sqrt(share * (1 - share) / n) if n else math.nan


@dataclass(frozen=True)
class MeasuredRate:
    """Simulated type-I error of a test for similar data, or a reason.

    It is the largest error among the nearest ``settings``, and ``worst`` is the setting with this error.
    """

    rate: float = math.nan
    error: float = math.nan
    worst: Mapping[str, Any] = field(default_factory=dict)
    settings: int = 0
    reason: str = ""

    @property
    def is_known(self) -> bool:
        return not self.reason

    @property
    def text(self) -> str:
        if self.reason:
            return f"not simulated: {self.reason}"
        rate = f"{100 * self.rate:.1f} %" + (f" ± {100 * self.error:.1f} %" if self.error else "")
        which = f"worst of {self.settings} similar settings" if self.settings > 1 else "in a similar setting"
        return f"simulated type-I error at the {100 * LEVEL:g} % level: {rate} ({which}: {in_words(self.worst)})"

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        if self.reason:
            return {"rate": None, "reason": self.reason}
        return {"rate": self.rate, "error": self.error, "worst": dict(self.worst), "settings": self.settings}


@cache
def stored() -> dict[str, Any]:
    """Read the data file: ``about`` and ``groups``."""
    return dict(json.loads(gzip.decompress(files("howsure.measured").joinpath(FILE).read_bytes())))


def rows() -> Iterator[TestRow]:
    """Iterate over all simulated settings."""
    return (row for group in stored()["groups"] for row in _rows_of(group))


def _rows_of(group: Mapping[str, Any]) -> Iterator[TestRow]:
    facts = (group["test"], group["variant"], group["measure"], group["design"], group["pair"])
    for values in group["rows"]:
        *factors, rate, given, coverage = (math.nan if value is None else value for value in values)
        cell = {**dict(zip(group["factors"], factors, strict=True)), **group["always"]}
        yield TestRow(*facts, cell, rate, given, coverage, group["rounds"], group["seed"])


def measured(test: str, setting: Mapping[str, Any]) -> MeasuredRate:
    """Return the largest type-I error of a test in the nearest settings.

    ``setting`` has the ``variant``, ``measure`` and ``design`` of a row, and the factors of its cell. Distances to grid
    points are measured in log sizes and log odds of the prevalence; all other factors may vary.
    """
    if not setting:
        return MeasuredRate(reason=UNKNOWN_DATA)
    every = _of_equals(test, setting.get("variant", ""), setting["measure"], setting["design"])
    if not every:
        return MeasuredRate(reason=f"{test}, by {setting['measure']} on {setting['design']}")
    same = [row for row in every if _has_design_of(row.cell, setting)]
    if not same:
        return MeasuredRate(reason=f"{test}, by {setting['measure']} with {_other(setting)}")
    bounded = ("clusters",) if "clusters" in setting else SCALES  # few sizes were simulated for clustered samples
    reason = next(filter(None, (_beyond(name, setting, same) for name in bounded)), "")
    near = [] if reason else _nearest(same, setting)
    if not near:
        return MeasuredRate(reason=reason or in_words(_scaled(setting)))
    worst = max(near, key=lambda row: row.rate)
    return MeasuredRate(worst.rate, worst.error, {"pair": worst.pair, **worst.cell}, len(near))


def _of_equals(test: str, variant: str, measure: str, design: str) -> tuple[TestRow, ...]:
    identity = (test, variant, measure, design)
    return tuple(
        row
        for group in stored()["groups"]
        if group["pair"] in EQUALS
        and tuple(group[name] for name in ("test", "variant", "measure", "design")) == identity
        for row in _rows_of(group)
        if row.given
    )


def _has_design_of(cell: Mapping[str, Any], setting: Mapping[str, Any]) -> bool:
    """Return whether a cell has the requested classes, classifiers and scheme."""
    scheme, facts = cell.get("scheme"), setting.get("scheme", {})
    if scheme is not None and any(facts.get(name) != value for name, value in scheme.items()):
        return False
    return all(cell.get(name, default) == setting.get(name, default) for name, default in DEFAULTS.items())


def _other(setting: Mapping[str, Any]) -> str:
    unusual = {name: setting[name] for name, default in DEFAULTS.items() if setting.get(name, default) != default}
    return in_words(unusual) or "this resampling scheme"


def _scaled(setting: Mapping[str, Any]) -> dict[str, float]:
    return {name: setting[name] for name in SCALES if name in setting}


def _beyond(name: str, setting: Mapping[str, Any], rows: Sequence[TestRow]) -> str:
    """Return a reason if a size or prevalence is outside the simulated range."""
    values = [row.cell[name] for row in rows if name in row.cell]
    if name not in setting or not values or min(values) <= setting[name] <= max(values):
        return ""
    return f"{in_words({name: setting[name]})}, outside the simulated range {min(values):g} to {max(values):g}"


def _nearest(rows: Sequence[TestRow], setting: Mapping[str, Any]) -> list[TestRow]:
    """Return the rows of the nearest point in each grid of factors."""
    near: list[TestRow] = []
    for scales in dict.fromkeys(tuple(name for name in SCALES if name in row.cell) for row in rows):
        grid = [row for row in rows if tuple(name for name in SCALES if name in row.cell) == scales]
        distances = [
            [abs(scale(row.cell[name]) - scale(setting[name])) for name, scale in SCALES.items() if name in scales]
            if all(name in setting for name in scales)
            else [math.inf]
            for row in grid
        ]
        least = min(math.hypot(*distance) for distance in distances)
        near += [
            row
            for row, distance in zip(grid, distances, strict=True)
            if max(distance, default=0.0) <= REACH and math.hypot(*distance) <= least + 1e-9
        ]
    return near


PAIRS = {
    "exchangeable": "exchangeable classifiers",
    "equal": "equal classifiers with different errors",
    "apart": "unequal classifiers",
}
WORDS: dict[str, Callable[[Any], str]] = {
    "pair": PAIRS.__getitem__,
    "quality": lambda name: f"{name} classifiers" if isinstance(name, str) else f"quality {name:g}",
    "clusters": "{:g} clusters".format,
    "icc": "ICC {:g}".format,
    "cases": "{:g} cases".format,
    "datasets": "{:g} data sets".format,
    "classes": "{:g} classes".format,
    "classifiers": "{:g} classifiers".format,
    "pairs": "any of {:g} pairs".format,
    "discordant": lambda share: f"{100 * share:g} % discordant",
    "n": "n = {:g}".format,
    "learner": lambda name: str(name).replace("_", " "),
    "scheme": lambda facts: _scheme_words(facts),
}


def in_words(cell: Mapping[str, Any]) -> str:
    """Describe a setting, without its default values."""
    unusual = {name: value for name, value in cell.items() if DEFAULTS.get(name) != value}
    return ", ".join(
        WORDS[name](value) if name in WORDS else f"{name.replace('_', ' ')} {value:g}"
        for name, value in unusual.items()
    )


def _scheme_words(facts: Mapping[str, Any]) -> str:
    rest = ", ".join(f"{name}={value:g}" for name, value in facts.items() if name != "scheme")
    return f"{facts['scheme']}({rest})"
