"""Coverage of intervals, measured in samples from a population with a known true value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.checks import check_whole, names_of
from howsure.errors import HowsureError
from howsure.intervals.declare import Request, Span
from howsure.lab.design import Cell, describe_clusters, describe_quality
from howsure.lab.label_intervals import Bounds, label_intervals
from howsure.lab.samples import ParsedMeasure, Samples
from howsure.present.result import Result, check_width
from howsure.present.sheet import Record
from howsure.present.value_text import few_percent, spoken
from howsure.present.words import wrapped

ROUNDS, MAX_ROUNDS = 2000, 1_000_000
REPLICATES = 1000
SLACK = 1e-12  # rounding tolerance when a limit equals the true value
FLOOR, SURE = 0.925, 0.99  # coverage below FLOOR is too low, coverage above SURE needlessly high
ERRORS = 2  # deviations from FLOOR or SURE by more than this number of Monte Carlo errors are significant


@dataclass(frozen=True)
class MethodCoverage:
    """Coverage of the intervals of one method.

    ``given`` is the proportion of samples with an interval; ``below`` and ``above`` are the proportions of these
    intervals that lie entirely below or above the true value. The two factors rescale the arms of the intervals:
    with a factor of ``least_factor``, coverage is not significantly below `FLOOR`; with a factor of ``sure_factor`` or
    more, it is significantly above `SURE`.
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
        """Monte Carlo error of the coverage; half a miss is added so that it is positive even without misses."""
        intervals = self.rounds * self.given
        missed = ((1 - self.coverage) * intervals + 0.5) / (intervals + 1)
        return math.sqrt(missed * (1 - missed) / intervals) if intervals else math.nan


@dataclass(frozen=True, eq=False, repr=False)
class Coverage(Result):
    """Coverage of the intervals of a measure, by method.

    Attributes
    ----------
    measure
        Name of the measure.
    truth
        Value of the measure in the population.
    cell
        Setting of the simulation.
    confidence
        Confidence level of the intervals.
    seed
        Seed of the random numbers.
    methods
        Coverage of each interval method.

    Examples
    --------
    >>> from howsure.lab import coverage
    >>> result = coverage("recall", n=50, prevalence=0.2, methods=["wilson", "wald"], rounds=200)
    >>> round(result.truth, 2), [row.method for row in result.methods]
    (0.9, ['wilson', 'wald'])
    >>> result.methods[0].coverage > result.methods[1].coverage
    True
    """

    measure: str
    truth: float
    cell: Cell
    confidence: float
    seed: int
    methods: tuple[MethodCoverage, ...]

    def __getitem__(self, method: str) -> MethodCoverage:
        for row in self.methods:
            if row.method == method or (method == "auto" and row.is_default):
                return row
        raise HowsureError(f"`method` must be one of {', '.join(row.method for row in self.methods)}, not {method!r}.")

    @property
    def title(self) -> str:
        cell = self.cell
        cases = f"n = {cell.n}{describe_clusters(cell.clusters, cell.icc)}"
        setting = f"{cases}, prevalence {cell.prevalence:g}, {describe_quality(cell.quality)}"
        return f"{spoken(self.measure)} {self.truth:.3f} ({setting})"

    @property
    def headline(self) -> str:
        """Sentence that states the coverage of the first method."""
        first, interval = self.methods[0], f"{100 * self.confidence:g} % interval of {spoken(self.measure)}"
        if not first.given:
            return f"The {interval} is undefined in all samples ({first.method})."
        share = f"{100 * first.coverage:.1f} % ± {100 * first.error:.1f}"
        undefined = f"; it is undefined in {few_percent(1 - first.given)} of them" if first.given < 1 else ""
        default = ", the default" if first.is_default else ""
        return f"The {interval} covers the true value in {share} of samples ({first.method}{default}){undefined}."

    def records(self) -> list[Record]:
        return [
            {
                "method": row.method,
                "coverage": row.coverage,
                "error": row.error,
                "below": row.below,
                "above": row.above,
                "width": row.width,
                "given": row.given,
                "rounds": row.rounds,
            }
            for row in self.methods
        ]

    def text(self, width: int | None = None) -> str:
        width = check_width(width)
        return f"{wrapped(self.headline, width)}\n\n{self.sheet().text(width)}"

    def to_dict(self) -> dict[str, Any]:
        header = {"measure": self.measure, "truth": self.truth, "confidence": self.confidence, "seed": self.seed}
        return {**header, "cell": self.cell.to_dict(), "methods": self.records()}

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
    """Measure the coverage of the interval of a measure in simulated samples.

    For a given seed, the samples are the same for every measure and method.

    Parameters
    ----------
    measure
        Name or alias of a measure.
    n, prevalence, quality
        Number of cases in a sample, proportion of the positive class, and quality of the classifier: a name in
        `QUALITIES`, or a number used as the recall, the specificity and the area under the ROC curve.
    methods
        Names of interval methods, or "all"; by default, the method that `Estimate.interval` uses.
    confidence
        Confidence level of the intervals.
    rounds
        Number of samples.
    seed
        Seed of the random numbers.
    **factors
        Further settings of a `Cell`: ``spread``, ``slope``, ``classes``, ``weighted``, ``clusters`` and ``icc``.

    Returns
    -------
    Coverage
        Proportion of intervals that cover the true value, with its Monte Carlo error.

    Examples
    --------
    >>> from howsure.lab import coverage
    >>> print(coverage("recall", n=50, prevalence=0.2, rounds=500).headline)
    The 95 % interval of recall covers the true value in 98.6 % ± 0.5 of samples (modified-wilson, the default).
    >>> print(coverage("accuracy", n=100, quality=0.8, clusters=10, icc=0.3, rounds=200).headline)
    The 95 % interval of accuracy covers the true value in 95.0 % ± 1.6 of samples (modified-wilson, the default).
    """
    cell = Cell(n, prevalence, quality, **factors)
    return coverages([measure], cell, methods=methods, confidence=confidence, rounds=rounds, seed=seed)[0]


# Selects from the applicable methods, of which the default comes first.
Choice = Callable[[tuple[str, ...]], Sequence[str]]


def coverages(
    measures: Sequence[str],
    cell: Cell,
    *,
    methods: str | Sequence[str] | Choice = "auto",
    confidence: float = 0.95,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> list[Coverage]:
    """Measure the coverage of the intervals of several measures on the same samples from one cell."""
    request = Request(confidence, replicates=REPLICATES)
    check_whole("rounds", rounds, 1, MAX_ROUNDS)
    check_whole("seed", seed, 0, 2**63 - 1)
    choose = methods if callable(methods) else _choice(methods)
    parsed = [ParsedMeasure.of(measure) for measure in measures]
    samples = {kind: Samples(cell, kind, rounds, seed) for kind in dict.fromkeys(measure.kind for measure in parsed)}
    results: dict[str, tuple[float, tuple[MethodCoverage, ...]]] = {}
    for kind, of_kind in samples.items():
        results |= _method_coverages([measure for measure in parsed if measure.kind == kind], of_kind, choose, request)
    return [
        Coverage(spec, truth, cell, request.confidence, seed, rows)
        for spec, (truth, rows) in ((spec, results[spec]) for spec in measures)
    ]


def method_coverage(method: str, truth: float, bounds: Bounds, span: Span = (-math.inf, math.inf)) -> MethodCoverage:
    """Count the intervals that cover the true value of a measure with the range ``span``."""
    values, low, high = bounds
    defined = ~(np.isnan(low) | np.isnan(high))
    if not defined.any():
        return MethodCoverage(method, len(low), 0.0, math.nan, math.nan, math.nan)
    below, above = (high[defined] < truth - SLACK).mean(), (low[defined] > truth + SLACK).mean()
    width = float(np.median(high[defined] - low[defined]))
    factors = np.sort(factors_needed(truth, (values[defined], low[defined], high[defined]), span))
    least, sure = (_factor_for(factors, level, sign) for level, sign in ((FLOOR, -1), (SURE, 1)))
    return MethodCoverage(
        method, len(low), float(defined.mean()), float(below), float(above), width, least_factor=least, sure_factor=sure
    )


def factors_needed(truth: float, bounds: Bounds, span: Span) -> Array:
    """Return the factor by which each interval's arm must be multiplied to reach the true value.

    Values of a measure without an upper limit are first mapped to x / (1 + x).
    """
    values, low, high = bounds
    if span[0] == 0 and math.isinf(span[1]):
        with np.errstate(invalid="ignore"):
            values, low, high = (np.where(np.isfinite(part), part / (1 + part), 1.0) for part in bounds)
        truth = truth / (1 + truth)
    deviation = truth - values
    arm = np.where(deviation < 0, values - low, high - values)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.abs(deviation) <= SLACK, 0.0, np.abs(deviation) / arm)


def _factor_for(factors: Array, level: float, sign: int) -> float:
    """Return the factor for which coverage is `ERRORS` Monte Carlo errors below or above a level."""
    share = level + sign * ERRORS * math.sqrt(level * (1 - level) / len(factors))
    return float(factors[min(math.ceil(share * len(factors)), len(factors)) - 1])


def _choice(methods: str | Sequence[str]) -> Choice:
    if isinstance(methods, str) and methods == "auto":
        return lambda available: available[:1]
    names = names_of("methods", methods)
    return lambda available: available if names == ["all"] else names


Intervals = dict[tuple[str, str], Bounds]  # keys: measure and method


def _method_coverages(
    measures: list[ParsedMeasure], samples: Samples, choose: Choice, request: Request
) -> dict[str, tuple[float, tuple[MethodCoverage, ...]]]:
    """Return the true value of each measure, and the coverage of each method."""
    available = {measure.spec: _available_methods(measure, samples) for measure in measures}
    chosen = {measure.spec: choose(available[measure.spec]) for measure in measures}
    bounds = _intervals(measures, samples, chosen, request)
    results = {}
    for measure in measures:
        spec, truth = measure.spec, samples.truth(measure)
        span = measure.measure.span(samples.cell.n, measure.parameters)
        rows = [method_coverage(method, truth, bounds[spec, method], span) for method in chosen[spec]]
        results[spec] = truth, tuple(replace(row, is_default=row.method == available[spec][0]) for row in rows)
    return results


def _available_methods(measure: ParsedMeasure, samples: Iterable[Any]) -> tuple[str, ...]:
    """Return the methods that apply to the first sample in which the measure is defined, the default first."""
    estimates = (measure.estimate(sample) for sample in samples)
    first = next(estimates)
    defined = (estimate for estimate in chain([first], estimates) if estimate.methods and not estimate.undefined)
    return next(defined, first).methods


def _intervals(
    measures: list[ParsedMeasure], samples: Samples, chosen: dict[str, Sequence[str]], request: Request
) -> Intervals:
    pairs = [(measure, method) for measure in measures for method in chosen[measure.spec]]
    if samples.counts is not None:
        return {
            (measure.spec, method): label_intervals(samples.counts, measure, method, request)
            for measure, method in pairs
        }
    rows: dict[tuple[str, str], list[tuple[float, float, float]]]
    rows = {(measure.spec, method): [] for measure, method in pairs}
    for sample in samples:
        for measure in measures:
            estimate = measure.estimate(sample)
            for method in chosen[measure.spec]:
                interval = estimate.interval(
                    request.confidence, method, replicates=request.replicates, seed=request.seed
                )
                rows[measure.spec, method].append((estimate.value, interval.low, interval.high))
    return {pair: _columns(triples) for pair, triples in rows.items()}


def _columns(rows: list[tuple[float, float, float]]) -> Bounds:
    values, low, high = np.array(rows, float).reshape(-1, 3).T
    return values, low, high
