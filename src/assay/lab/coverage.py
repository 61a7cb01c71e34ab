"""How often intervals hold the truth: samples are drawn from a population whose truth is known, and intervals made."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.arrays import Array
from assay.checks import names_of, whole_between
from assay.errors import AssayError
from assay.intervals.declare import Request
from assay.lab.design import Cell
from assay.lab.label_intervals import Bounds, label_intervals, label_of
from assay.measures import Measure, estimate_scores, registry
from assay.measures.estimate.labels import estimate
from assay.measures.spec import read_spec
from assay.present.result import Result, check_width
from assay.present.sheet import Record
from assay.present.value_text import spoken
from assay.present.words import wrapped
from assay.tables import Confusion, ScoreTable

ROUNDS, MOST_ROUNDS = 2000, 1_000_000
REPLICATES = 1000
SLACK = 1e-12  # by which rounding may put a bound on the wrong side of the truth that it equals


@dataclass(frozen=True)
class Held:
    """What became of the intervals of one method: shares of all samples in which there was one.

    ``below`` and ``above`` are the shares of intervals that lie wholly below or above the truth; ``given`` is the share
    of samples with an interval.
    """

    method: str
    rounds: int
    given: float
    below: float
    above: float
    width: float
    is_default: bool = False

    @property
    def coverage(self) -> float:
        return 1 - self.below - self.above

    @property
    def error(self) -> float:
        """Standard error of the coverage by simulation."""
        made = self.rounds * self.given
        return math.sqrt(self.coverage * (1 - self.coverage) / made) if made else math.nan


@dataclass(frozen=True, eq=False, repr=False)
class Coverage(Result):
    """How often the intervals of a measure held the truth, by method."""

    measure: str
    truth: float
    cell: Cell
    confidence: float
    seed: int
    methods: tuple[Held, ...]

    def __getitem__(self, method: str) -> Held:
        for one in self.methods:
            if one.method == method or (method == "auto" and one.is_default):
                return one
        raise AssayError(f"`method` must be one of {', '.join(one.method for one in self.methods)}, not {method!r}.")

    @property
    def title(self) -> str:
        cell = self.cell
        about = f"n = {cell.n}, prevalence {cell.prevalence:g}, {cell.quality} classifier"
        return f"{spoken(self.measure)} {self.truth:.3f} ({about})"

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        first, what = self.methods[0], f"{100 * self.confidence:g} % interval of {spoken(self.measure)}"
        if not first.given:
            return f"No {what} is given there ({first.method})."
        often = f"{100 * first.coverage:.1f} % ± {100 * first.error:.1f}"
        none = f"; in {100 * (1 - first.given):.1f} % of the samples there is none" if first.given < 1 else ""
        who = ", the default" if first.is_default else ""
        return f"The {what} holds the truth in {often} ({first.method}{who}){none}."

    def records(self) -> list[Record]:
        return [
            {
                "method": one.method,
                "coverage": one.coverage,
                "error": one.error,
                "below": one.below,
                "above": one.above,
                "width": one.width,
                "given": one.given,
                "rounds": one.rounds,
            }
            for one in self.methods
        ]

    def text(self, width: int | None = None) -> str:
        width = check_width(width)
        return f"{wrapped(self.headline, width)}\n\n{self.sheet().text(width)}"

    def to_dict(self) -> dict[str, Any]:
        about = {"measure": self.measure, "truth": self.truth, "confidence": self.confidence, "seed": self.seed}
        return {**about, "cell": self.cell.to_dict(), "methods": self.records()}

    def __repr__(self) -> str:
        return f"Coverage({self.measure}, {self.cell!r}, {len(self.methods)} methods)"


def coverage(
    measure: str,
    n: int = 100,
    prevalence: float = 0.5,
    quality: str = "good",
    *,
    methods: str | Sequence[str] = "auto",
    confidence: float = 0.95,
    rounds: int = ROUNDS,
    seed: int = 0,
    **factors: Any,
) -> Coverage:
    """Measure how often the interval of a measure holds the truth, in samples from a population where that is known.

    ``methods`` are names, or "all"; the default is what `Estimate.interval` uses. ``factors`` are those of a `Cell`:
    ``spread``, ``slope``, ``classes``. The same seed gives the same samples for every measure and method.

    Examples
    --------
    >>> from assay.lab import coverage
    >>> print(coverage("recall", n=50, prevalence=0.2, rounds=500).headline)
    The 95 % interval of recall holds the truth in 96.6 % ± 0.8 (wilson, the default).
    """
    name, parameters = read_spec(measure)
    declared = registry[name]
    declared.check(parameters)
    cell, request = Cell(n, prevalence, quality, **factors), Request(confidence, replicates=REPLICATES)
    whole_between("rounds", rounds, 1, MOST_ROUNDS)
    whole_between("seed", seed, 0, 2**63 - 1)
    if declared.matrix is not None or declared.scope == "rows" or (parameters and declared.scope != "score"):
        raise AssayError(f"`{declared.name}` is not simulated: it takes what only its user knows.")
    if declared.scope == "score" and cell.classes > 2:
        raise AssayError(f"`{declared.name}` is simulated for two classes only.")
    truth, samples = _samples(declared, parameters, cell, rounds, seed)
    default, every = _known_methods(declared, parameters, samples)
    asked = [default] if isinstance(methods, str) and methods == "auto" else names_of("methods", methods)
    asked = [default, *(one for one in every if one != default)] if asked == ["all"] else asked
    held = []
    for method in asked:
        found = _intervals(declared, parameters, samples, method, request)
        held.append(replace(judged(method, truth, found), is_default=method == default))
    return Coverage(measure, truth, cell, request.confidence, seed, tuple(held))


def judged(method: str, truth: float, found: Bounds) -> Held:
    """Count the intervals that hold the truth, and those that lie below or above it."""
    _, low, high = found
    made = ~(np.isnan(low) | np.isnan(high))
    if not made.any():
        return Held(method, len(low), 0.0, math.nan, math.nan, math.nan)
    below, above = (high[made] < truth - SLACK).mean(), (low[made] > truth + SLACK).mean()
    width = float(np.median(high[made] - low[made]))
    return Held(method, len(low), float(made.mean()), float(below), float(above), width)


Samples = Array | list[ScoreTable]


def _samples(
    declared: Measure, parameters: dict[str, Any], cell: Cell, rounds: int, seed: int
) -> tuple[float, Samples]:
    """Give the truth, and samples: tables of labels, or tables of scores."""
    rng = cell.rng(seed)
    if declared.scope == "score":
        population = cell.scores(probabilities=declared.probability)
        return population.truth(declared.name, **parameters), [population.draw(rng, cell.n) for _ in range(rounds)]
    labels = cell.labels
    return labels.truth(declared.name, label_of(declared, cell.classes)), labels.draw(rng, cell.n, rounds)


def _known_methods(declared: Measure, parameters: dict[str, Any], samples: Samples) -> tuple[str, tuple[str, ...]]:
    """Give the default method and all that apply, of the first sample that has a value."""
    for sample in samples:
        if isinstance(sample, ScoreTable):
            found = estimate_scores(sample, declared, **parameters)
        else:
            k = len(sample)
            found = estimate(Confusion(sample, tuple(range(k))), declared, label=label_of(declared, k))
        if found.methods and not found.undefined:
            return found.methods[0], found.methods
    raise AssayError(f"`{declared.name}` is undefined in every sample of this cell.")


def _intervals(
    declared: Measure, parameters: dict[str, Any], samples: Samples, method: str, request: Request
) -> Bounds:
    if isinstance(samples, np.ndarray):
        return label_intervals(samples, declared, method, request)
    values, low, high = np.array(list(_of_scores(declared, parameters, samples, method, request)), float).T
    return values, low, high


def _of_scores(
    declared: Measure, parameters: dict[str, Any], samples: Any, method: str, request: Request
) -> Iterator[tuple[float, float, float]]:
    for table in samples:
        found = estimate_scores(table, declared, **parameters)
        interval = found.interval(request.confidence, method, replicates=request.replicates, seed=request.seed)
        yield found.value, interval.low, interval.high
