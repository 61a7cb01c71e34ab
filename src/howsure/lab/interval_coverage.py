"""How often intervals hold the truth: samples are drawn from a population whose truth is known, and intervals made."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.checks import names_of, whole_between
from howsure.errors import HowsureError
from howsure.intervals.declare import Request, Span
from howsure.lab.design import Cell, in_cluster_words, of_quality
from howsure.lab.label_intervals import Bounds, label_intervals
from howsure.lab.samples import Asked, Samples
from howsure.present.result import Result, check_width
from howsure.present.sheet import Record
from howsure.present.value_text import few_percent, spoken
from howsure.present.words import wrapped

ROUNDS, MOST_ROUNDS = 2000, 1_000_000
REPLICATES = 1000
SLACK = 1e-12  # by which rounding may put a bound on the wrong side of the truth that it equals
FLOOR, SURE = 0.925, 0.99  # how often intervals ought to hold the truth, at least and at most
ERRORS = 2  # Monte Carlo errors beyond which they do not


@dataclass(frozen=True)
class Held:
    """What became of the intervals of one method: shares of all samples in which there was one.

    ``below`` and ``above`` are the shares of intervals that lie wholly below or above the truth; ``given`` is the share
    of samples with an interval. ``least_factor`` and ``sure_factor`` tell what narrower intervals would do: with both
    arms times the first, `FLOOR` is still held within `ERRORS` Monte Carlo errors, and from the second on more than
    `SURE` is, beyond as many.
    """

    method: str
    rounds: int
    given: float
    below: float
    above: float
    width: float
    is_default: bool = False
    least_factor: float = math.nan
    sure_factor: float = math.nan

    @property
    def coverage(self) -> float:
        return 1 - self.below - self.above

    @property
    def error(self) -> float:
        """Standard error of the coverage by simulation; half a miss is added, so that none at all has an error, too."""
        made = self.rounds * self.given
        missed = ((1 - self.coverage) * made + 0.5) / (made + 1)
        return math.sqrt(missed * (1 - missed) / made) if made else math.nan


@dataclass(frozen=True, eq=False, repr=False)
class Coverage(Result):
    """How often the intervals of a measure held the truth, by method.

    Attributes
    ----------
    measure
        What the intervals are of.
    truth
        Its value in the population.
    cell
        The setting.
    confidence
        Of the intervals.
    seed
        Of the samples.
    methods
        How often each method held the truth.

    Examples
    --------
    >>> from howsure.lab import coverage
    >>> result = coverage("recall", n=50, prevalence=0.2, methods=["wilson", "wald"], rounds=200)
    >>> round(result.truth, 2), [held.method for held in result.methods]
    (0.9, ['wilson', 'wald'])
    >>> result.methods[0].coverage > result.methods[1].coverage
    True
    """

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
        raise HowsureError(f"`method` must be one of {', '.join(one.method for one in self.methods)}, not {method!r}.")

    @property
    def title(self) -> str:
        cell = self.cell
        cases = f"n = {cell.n}{in_cluster_words(cell.clusters, cell.icc)}"
        about = f"{cases}, prevalence {cell.prevalence:g}, {of_quality(cell.quality)}"
        return f"{spoken(self.measure)} {self.truth:.3f} ({about})"

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        first, what = self.methods[0], f"{100 * self.confidence:g} % interval of {spoken(self.measure)}"
        if not first.given:
            return f"No {what} is given there ({first.method})."
        often = f"{100 * first.coverage:.1f} % ± {100 * first.error:.1f}"
        none = f"; in {few_percent(1 - first.given)} of the samples there is none" if first.given < 1 else ""
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
    quality: str | float = "good",
    *,
    methods: str | Sequence[str] = "auto",
    confidence: float = 0.95,
    rounds: int = ROUNDS,
    seed: int = 0,
    **factors: Any,
) -> Coverage:
    """Measure how often the interval of a measure holds the truth, in samples from a population where that is known.

    A seed gives the same samples for every measure and method.

    Parameters
    ----------
    measure
        A name or alias.
    n, prevalence, quality
        Cases in a sample, share of the positive class, and how good the classifier is: a name, or a number, which is
        the recall, the specificity, and the area under the ROC curve.
    methods
        Names, or "all"; the default is what `Estimate.interval` uses.
    confidence
        Of the intervals.
    rounds
        How many samples.
    seed
        Of the samples.
    **factors
        Those of a `Cell`: ``spread``, ``slope``, ``classes``, ``weighted``, and ``clusters`` with ``icc``.

    Returns
    -------
    Coverage
        The share of intervals that hold the truth, with its error by simulation.

    Examples
    --------
    >>> from howsure.lab import coverage
    >>> print(coverage("recall", n=50, prevalence=0.2, rounds=500).headline)
    The 95 % interval of recall holds the truth in 98.6 % ± 0.5 (modified-wilson, the default).
    >>> print(coverage("accuracy", n=100, quality=0.8, clusters=10, icc=0.3, rounds=200).headline)
    The 95 % interval of accuracy holds the truth in 95.0 % ± 1.6 (modified-wilson, the default).
    """
    cell = Cell(n, prevalence, quality, **factors)
    (found,) = coverages([measure], cell, methods=methods, confidence=confidence, rounds=rounds, seed=seed)
    return found


Choice = Callable[[tuple[str, ...]], Sequence[str]]  # which of the methods that apply, the default first


def coverages(
    measures: Sequence[str],
    cell: Cell,
    *,
    methods: str | Sequence[str] | Choice = "auto",
    confidence: float = 0.95,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> list[Coverage]:
    """Measure the intervals of several measures on the same samples of one cell."""
    request = Request(confidence, replicates=REPLICATES)
    whole_between("rounds", rounds, 1, MOST_ROUNDS)
    whole_between("seed", seed, 0, 2**63 - 1)
    choose = methods if callable(methods) else _choice(methods)
    asked = [Asked.of(measure) for measure in measures]
    samples = {kind: Samples(cell, kind, rounds, seed) for kind in {one.kind: None for one in asked}}
    held: dict[str, tuple[Held, ...]] = {}
    for kind, drawn in samples.items():
        held |= _held([one for one in asked if one.kind == kind], drawn, choose, request)
    truths = {one.spec: samples[one.kind].truth(one) for one in asked}
    return [Coverage(spec, truths[spec], cell, request.confidence, seed, held[spec]) for spec in measures]


def judged(method: str, truth: float, found: Bounds, span: Span = (-math.inf, math.inf)) -> Held:
    """Count the intervals that hold the truth, and those below or above it, of a measure with this range."""
    values, low, high = found
    made = ~(np.isnan(low) | np.isnan(high))
    if not made.any():
        return Held(method, len(low), 0.0, math.nan, math.nan, math.nan)
    below, above = (high[made] < truth - SLACK).mean(), (low[made] > truth + SLACK).mean()
    width = float(np.median(high[made] - low[made]))
    needed = np.sort(arms_needed(truth, (values[made], low[made], high[made]), span))
    least, sure = (_reached(needed, level, sign) for level, sign in ((FLOOR, -1), (SURE, 1)))
    return Held(
        method, len(low), float(made.mean()), float(below), float(above), width, least_factor=least, sure_factor=sure
    )


def arms_needed(truth: float, found: Bounds, span: Span) -> Array:
    """How many times its arm each interval needs to reach the truth; ratios without an upper end as x / (1 + x)."""
    values, low, high = found
    if span[0] == 0 and math.isinf(span[1]):
        with np.errstate(invalid="ignore"):
            values, low, high = (np.where(np.isfinite(part), part / (1 + part), 1.0) for part in found)
        truth = truth / (1 + truth)
    way = truth - values
    arm = np.where(way < 0, values - low, high - values)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.abs(way) <= SLACK, 0.0, np.abs(way) / arm)


def _reached(needed: Array, level: float, sign: int) -> float:
    """Give the factor with which a share of intervals holds the truth that is two errors below or above a level."""
    share = level + sign * ERRORS * math.sqrt(level * (1 - level) / len(needed))
    return float(needed[min(math.ceil(share * len(needed)), len(needed)) - 1])


def _choice(methods: str | Sequence[str]) -> Choice:
    if isinstance(methods, str) and methods == "auto":
        return lambda every: every[:1]
    asked = names_of("methods", methods)
    return lambda every: every if asked == ["all"] else asked


Intervals = dict[tuple[str, str], Bounds]  # by measure and method


def _held(asked: list[Asked], samples: Samples, choose: Choice, request: Request) -> dict[str, tuple[Held, ...]]:
    every = {one.spec: _known_methods(one, samples) for one in asked}
    wanted = {one.spec: choose(every[one.spec]) for one in asked}
    found = _intervals(asked, samples, wanted, request)
    held = {}
    for one in asked:
        truth, span = samples.truth(one), one.measure.span(samples.cell.n, one.parameters)
        rows = [judged(method, truth, found[one.spec, method], span) for method in wanted[one.spec]]
        held[one.spec] = tuple(replace(row, is_default=row.method == every[one.spec][0]) for row in rows)
    return held


def _known_methods(one: Asked, samples: Iterable[Any]) -> tuple[str, ...]:
    """Give all methods that apply, the default first, of the first sample that has a value; of any, where none has."""
    found = (one.estimate(sample) for sample in samples)
    first = next(found)
    return next((each.methods for each in chain([first], found) if each.methods and not each.undefined), first.methods)


def _intervals(asked: list[Asked], samples: Samples, wanted: dict[str, Sequence[str]], request: Request) -> Intervals:
    pairs = [(one, method) for one in asked for method in wanted[one.spec]]
    if samples.counts is not None:
        return {(one.spec, method): label_intervals(samples.counts, one, method, request) for one, method in pairs}
    rows: dict[tuple[str, str], list[tuple[float, float, float]]] = {(one.spec, method): [] for one, method in pairs}
    for sample in samples:
        for one in asked:
            found = one.estimate(sample)
            for method in wanted[one.spec]:
                interval = found.interval(request.confidence, method, replicates=request.replicates, seed=request.seed)
                rows[one.spec, method].append((found.value, interval.low, interval.high))
    return {pair: _columns(found) for pair, found in rows.items()}


def _columns(rows: list[tuple[float, float, float]]) -> Bounds:
    values, low, high = np.array(rows, float).reshape(-1, 3).T
    return values, low, high
