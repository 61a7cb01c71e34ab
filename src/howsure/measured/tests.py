"""How often each test finds a difference where there is none: read from what the lab measured.

The file beside this one is written by ``python -m lab --write``. It holds groups of rows of one identity, and each
row is one setting of a simulation, or of an enumeration of all outcomes:

``test``, ``variant``, ``measure``  what was tested by what; the variant is "auto" where the test itself chooses it
``design``   "cases": predictions of the same cases; "clusters": of cases that come in clusters; "splits": values of
             splits of one data set; "datasets"
``pair``     "exchangeable": the classifiers are alike in all; "equal": they have the same value by other errors;
             "apart": their values differ, so that the rate is the power
``cell``     the setting: of cases ``n``, ``prevalence``, ``quality``, ``correlation`` and what else was varied, with
             ``pairs`` where any difference among so many counts, adjusted as `compare` does; of
             clusters also ``clusters`` and ``icc``, of splits ``cases``, ``learner`` and the facts of the ``scheme``,
             of data sets ``datasets``
``rate``     the share of rejections at the 5 % level, among the samples in which the test has an answer
``given``    the share of samples with an answer, and ``coverage``, how often the interval of the difference held it
``rounds``, ``seed``  of the simulation; none where all outcomes were enumerated
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
DEFAULTS = {"classes": 2, "classifiers": 2}  # where a row, or a result, does not say
NOT_TOLD = "the test was given numbers that do not tell what they are from"
NOT_TWO_SIDED = "one-sided tests"


@dataclass(frozen=True)
class TestRow:
    """One setting in which a test was measured."""

    __test__ = False  # its name is not that of a test for pytest to run

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
        """Standard error of the rate; half a rejection is added, so that none at all has an error, too."""
        if self.rounds is None:
            return 0.0
        answers = self.rounds * self.given
        share = (self.rate * answers + 0.5) / (answers + 1) if answers else math.nan
        return math.sqrt(share * (1 - share) / answers) if answers else math.nan


@dataclass(frozen=True)
class MeasuredRate:
    """The measured type-I error of a test in settings near its own, the worst of them; or the reason why none is known.

    ``worst`` is that setting, and ``settings`` how many there are near.
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
            return f"outside what was measured: {self.reason}"
        rate = f"{100 * self.rate:.1f} %" + (f" ± {100 * self.error:.1f} %" if self.error else "")
        where = in_words(self.worst)
        among = f"in the worst of {self.settings} settings near these" if self.settings > 1 else "in a setting near"
        return f"measured type-I error of this procedure at the {100 * LEVEL:g} % level: {rate} {among} ({where})"

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        if self.reason:
            return {"rate": None, "reason": self.reason}
        return {"rate": self.rate, "error": self.error, "worst": dict(self.worst), "settings": self.settings}


@cache
def stored() -> dict[str, Any]:
    """The file as it is: ``about`` and ``groups``."""
    return dict(json.loads(gzip.decompress(files("howsure.measured").joinpath(FILE).read_bytes())))


def rows() -> Iterator[TestRow]:
    """All settings that were measured."""
    return (row for group in stored()["groups"] for row in _rows_of(group))


def _rows_of(group: Mapping[str, Any]) -> Iterator[TestRow]:
    facts = (group["test"], group["variant"], group["measure"], group["design"], group["pair"])
    for values in group["rows"]:
        *factors, rate, given, coverage = (math.nan if value is None else value for value in values)
        cell = {**dict(zip(group["factors"], factors, strict=True)), **group["always"]}
        yield TestRow(*facts, cell, rate, given, coverage, group["rounds"], group["seed"])


def measured(test: str, setting: Mapping[str, Any]) -> MeasuredRate:
    """Give the worst type-I error that was measured of a test near a setting.

    ``setting`` has what a row has: ``variant``, ``measure``, ``design``, and what is known of the cell. The nearest
    point of the grid counts, in the logarithms of sizes and of the odds of the prevalence, and there the worst of all
    that was varied besides.

    Examples
    --------
    >>> from howsure.measured.tests import measured
    >>> print(measured("a test of my own", {"design": "cases", "measure": "accuracy"}))
    outside what was measured: a test of my own, by accuracy on cases
    """
    if not setting:
        return MeasuredRate(reason=NOT_TOLD)
    every = _of_equals(test, setting.get("variant", ""), setting["measure"], setting["design"])
    if not every:
        return MeasuredRate(reason=f"{test}, by {setting['measure']} on {setting['design']}")
    like = [row for row in every if _is_like(row.cell, setting)]
    if not like:
        return MeasuredRate(reason=f"{test}, by {setting['measure']} with {_other(setting)}")
    bounded = ("clusters",) if "clusters" in setting else SCALES  # of clusters, few sizes and shares were simulated
    reason = next(filter(None, (_beyond(name, setting, like) for name in bounded)), "")
    near = [] if reason else _nearest(like, setting)
    if not near:
        return MeasuredRate(reason=reason or f"no setting near {in_words(_scaled(setting))}")
    worst = max(near, key=lambda row: row.rate)
    return MeasuredRate(worst.rate, worst.error, {"pair": worst.pair, **worst.cell}, len(near))


@cache
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


def _is_like(cell: Mapping[str, Any], setting: Mapping[str, Any]) -> bool:
    """Tell whether a cell has as many classes and classifiers, and a scheme with what was simulated of it."""
    scheme, facts = cell.get("scheme"), setting.get("scheme", {})
    if scheme is not None and any(facts.get(name) != value for name, value in scheme.items()):
        return False
    return all(cell.get(name, usual) == setting.get(name, usual) for name, usual in DEFAULTS.items())


def _other(setting: Mapping[str, Any]) -> str:
    unusual = {name: setting[name] for name, usual in DEFAULTS.items() if setting.get(name, usual) != usual}
    return in_words(unusual) or "such splits"


def _scaled(setting: Mapping[str, Any]) -> dict[str, float]:
    return {name: setting[name] for name in SCALES if name in setting}


def _beyond(name: str, setting: Mapping[str, Any], like: Sequence[TestRow]) -> str:
    """Say that a size or a prevalence is beyond all that were measured; nothing where it is not."""
    values = [row.cell[name] for row in like if name in row.cell]
    if name not in setting or not values or min(values) <= setting[name] <= max(values):
        return ""
    return f"{in_words({name: setting[name]})}, where {min(values):g} to {max(values):g} was measured"


def _nearest(like: Sequence[TestRow], setting: Mapping[str, Any]) -> list[TestRow]:
    """Give the rows of the nearest point; those that leave the prevalence open are a grid of their own."""
    near: list[TestRow] = []
    for scales in dict.fromkeys(tuple(name for name in SCALES if name in row.cell) for row in like):
        grid = [row for row in like if tuple(name for name in SCALES if name in row.cell) == scales]
        distances = [
            [abs(scale(row.cell[name]) - scale(setting[name])) for name, scale in SCALES.items() if name in scales]
            if all(name in setting for name in scales)
            else [math.inf]
            for row in grid
        ]
        least = min(math.hypot(*one) for one in distances)
        near += [
            row
            for row, one in zip(grid, distances, strict=True)
            if max(one, default=0.0) <= REACH and math.hypot(*one) <= least + 1e-9
        ]
    return near


PAIRS = {
    "exchangeable": "classifiers alike in all",
    "equal": "classifiers equal by other errors",
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
    """Describe a setting; what is as usual goes without saying."""
    unusual = {name: value for name, value in cell.items() if DEFAULTS.get(name) != value}
    return ", ".join(
        WORDS[name](value) if name in WORDS else f"{name.replace('_', ' ')} {value:g}"
        for name, value in unusual.items()
    )


def _scheme_words(facts: Mapping[str, Any]) -> str:
    rest = ", ".join(f"{name}={value:g}" for name, value in facts.items() if name != "scheme")
    return f"{facts['scheme']}({rest})"
