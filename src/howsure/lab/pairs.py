"""Populations of two classifiers on the same cases, with a known difference in a measure.

"exchangeable" classifiers have the same rates. "equal" classifiers have the same value of the measure but make
different errors. In a pair that is "apart", the second classifier has the next lower quality.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.checks import check_number, check_share, check_whole, one_of
from howsure.errors import HowsureError, must
from howsure.lab.clusters import ClusterDesign, join_rates
from howsure.lab.design import (
    MAX_CASES,
    QUALITIES,
    Quality,
    check_clusters,
    describe_clusters,
    describe_quality,
    quality_of,
    without_clusters,
)
from howsure.lab.population import LabelPopulation
from howsure.lab.samples import ParsedMeasure, label_of
from howsure.lab.scorers import Scorer
from howsure.tables import PairedScores, PairedTable

PAIRS = ("exchangeable", "equal", "apart")
REDUCTIONS = (2 / 3, 0.8, 0.9, 0.95)  # factors for the recall or specificity of an equal classifier
EQUAL_SPREAD, EQUAL_SLOPE = 2.0, 2.0  # spread of the scores and slope of the log odds of an equal classifier
ROUNDING = 1e-7  # smaller differences are attributed to rounding
NO_EQUAL = "no classifier with different errors has the same `{}` in this setting."


@dataclass(frozen=True)
class PairCell:
    """Setting of a simulation of two classifiers.

    Attributes
    ----------
    n
        Number of cases in a sample.
    prevalence
        Proportion of the positive class.
    quality
        Quality of the first classifier: a name in `QUALITIES`, or a number.
    pair
        The second classifier: "exchangeable", "equal" or "apart", as in `rejections`.
    correlation
        Correlation of the predictions given the truth, from 0 to 1.
    clusters, icc
        Number of clusters of cases, and correlation within them.
    title
        Description of the setting.

    Examples
    --------
    >>> from howsure.lab import PairCell
    >>> cell = PairCell(n=50, pair="apart")
    >>> cell.title
    'n = 50, prevalence 0.5, good classifiers, apart'
    >>> cell.to_dict()["pair"], cell.rng(seed=1).random() == cell.rng(seed=1).random()
    ('apart', True)
    """

    n: int = 100
    prevalence: float = 0.5
    quality: str | float = "good"
    pair: str = "exchangeable"
    correlation: float = 0.0
    clusters: int | None = None
    icc: float = 0.0

    def __post_init__(self) -> None:
        check_whole("n", self.n, 1, MAX_CASES)
        check_share("prevalence", self.prevalence)
        quality_of(self.quality)
        check_clusters(self.clusters, self.icc, self.n)
        one_of("pair", self.pair, PAIRS)
        if not 0 <= check_number(self.correlation, "correlation") <= 1:
            must("correlation", "a number from 0 to 1", given=self.correlation)
        if self.pair == "apart" and self.quality not in list(QUALITIES)[1:]:
            must("quality", "the name of a quality above 'chance' if `pair` is 'apart'", given=self.quality)

    @property
    def worse(self) -> Quality:
        """Next lower quality."""
        grades = list(QUALITIES)
        return QUALITIES[grades[grades.index(str(self.quality)) - 1]]

    def population(self, measure: ParsedMeasure) -> LabelPair | ScorePair:
        """Return the population of this pair for a measure.

        Parameters
        ----------
        measure
            A parsed measure.

        Examples
        --------
        >>> from howsure.lab import PairCell
        >>> from howsure.lab.samples import ParsedMeasure
        >>> PairCell(pair="equal").population(ParsedMeasure.of("accuracy")).shares.shape
        (2, 2, 2)
        """
        return _label_pair(self, measure) if measure.kind == "labels" else _score_pair(self, measure)

    def rng(self, seed: int) -> np.random.Generator:
        """Return this cell's random generator, independent of the grid.

        Parameters
        ----------
        seed
            Seed of the whole simulation.
        """
        return np.random.default_rng([seed, *repr(sorted(self.to_dict().items())).encode()])

    def to_dict(self) -> dict[str, Any]:
        """Return the setting as plain values that can be written as JSON."""
        return without_clusters({name: getattr(self, name) for name in self.__dataclass_fields__})

    @property
    def title(self) -> str:
        cases = f"n = {self.n}{describe_clusters(self.clusters, self.icc)}, prevalence {self.prevalence:g}"
        setting = f"{cases}, {describe_quality(self.quality, 'classifiers')}, {self.pair}"
        return f"{setting}, correlation {self.correlation:g}" if self.correlation else setting

    def clustered(self, measure: ParsedMeasure, rounds: int, seed: int) -> list[PairedTable] | list[PairedScores]:
        """Draw samples of clustered cases.

        Parameters
        ----------
        measure
            A parsed measure.
        rounds, seed
            Number of samples, and seed of the random numbers.

        Examples
        --------
        >>> from howsure.lab import PairCell
        >>> from howsure.lab.samples import ParsedMeasure
        >>> len(PairCell(n=50, clusters=10, icc=0.2).clustered(ParsedMeasure.of("accuracy"), rounds=2, seed=0))
        2
        """
        assert self.clusters is not None
        design, rng = ClusterDesign(self.n, self.clusters, self.icc), self.rng(seed)
        population = self.population(measure)
        if isinstance(population, LabelPair):
            return [*map(design.paired_table, design.pair_tables(population.each, self.correlation, rng, rounds))]
        scorers = population.first, population.second
        return list(design.score_pairs(scorers, self.prevalence, self.correlation, rng, rounds))


@dataclass(frozen=True, eq=False)
class LabelPair:
    """Population of true labels and the labels that two classifiers predict."""

    shares: Array  # axes: truth, first prediction, second prediction

    @classmethod
    def of_two(cls, first: LabelPopulation, second: LabelPopulation, correlation: float) -> LabelPair:
        """Join two populations of the same classes."""
        truth = first.shares.sum(1)
        first_rates, second_rates = (
            population.shares / population.shares.sum(1, keepdims=True) for population in (first, second)
        )
        return cls(join_rates(truth, first_rates, second_rates, correlation))

    @property
    def each(self) -> tuple[LabelPopulation, LabelPopulation]:
        """Population of each classifier."""
        return LabelPopulation(self.shares.sum(2)), LabelPopulation(self.shares.sum(1))

    def truth(self, measure: ParsedMeasure) -> float:
        """Return the difference in a measure between the two classifiers."""
        name, label = measure.measure.name, label_of(measure.measure, len(self.shares))
        return _difference(*(population.truth(name, label, **measure.parameters) for population in self.each))

    def draw(self, rng: np.random.Generator, n: int, size: int) -> Array:
        """Draw the counts of ``size`` samples of ``n`` cases."""
        return rng.multinomial(n, self.shares.ravel() / self.shares.sum(), size).reshape(size, *self.shares.shape)


@dataclass(frozen=True)
class ScorePair:
    """Population of two classifiers whose scores are correlated within each class."""

    prevalence: float
    first: Scorer
    second: Scorer
    correlation: float

    def truth(self, measure: ParsedMeasure) -> float:
        """Return the difference in a measure between the two classifiers."""
        populations = (scorer.population(self.prevalence) for scorer in (self.first, self.second))
        name = measure.measure.name
        return _difference(*(population.truth(name, **measure.parameters) for population in populations))

    def draw(self, rng: np.random.Generator, n: int) -> PairedScores:
        """Draw a sample of ``n`` cases."""
        flags = rng.random(n) < self.prevalence
        deviates, independent = rng.standard_normal((2, n))
        correlated = self.correlation * deviates + math.sqrt(1 - self.correlation**2) * independent
        first = self.first.scores(flags, deviates, self.prevalence)
        second = self.second.scores(flags, correlated, self.prevalence)
        return PairedScores(flags.astype(np.int64), first, second, (0, 1), 1)


def _difference(first: float, second: float) -> float:
    """Return the difference between two values, or 0 if it is only due to rounding."""
    return first - second if abs(first - second) > ROUNDING * max(1.0, abs(first)) else 0.0


def _label_pair(cell: PairCell, measure: ParsedMeasure) -> LabelPair:
    quality = quality_of(cell.quality)
    rates = quality.recall, quality.specificity
    if cell.pair == "exchangeable":
        second_rates = rates
    elif cell.pair == "apart":
        second_rates = cell.worse.recall, cell.worse.specificity
    else:
        second_rates = _equal_rates(cell.prevalence, *rates, measure)
    first, second = (LabelPopulation.of_rates(cell.prevalence, *each) for each in (rates, second_rates))
    return LabelPair.of_two(first, second, cell.correlation)


def _equal_rates(prevalence: float, recall: float, specificity: float, measure: ParsedMeasure) -> tuple[float, float]:
    """Find a classifier with lower recall and a specificity that makes the measure equal, or vice versa."""

    def value(recall: float, specificity: float) -> float:
        population = LabelPopulation.of_rates(prevalence, recall, specificity)
        return population.truth(measure.measure.name, label_of(measure.measure, 2), **measure.parameters)

    target = value(recall, specificity)

    def by_specificity(lower_recall: float, rate: float) -> float:
        return value(lower_recall, rate) - target

    def by_recall(lower_specificity: float, rate: float) -> float:
        return value(rate, lower_specificity) - target

    for reduction in REDUCTIONS:
        if (rate := _root(partial(by_specificity, reduction * recall))) is not None:
            return reduction * recall, rate
        if (rate := _root(partial(by_recall, reduction * specificity))) is not None:
            return rate, reduction * specificity
    raise HowsureError(NO_EQUAL.format(measure.spec))


def _score_pair(cell: PairCell, measure: ParsedMeasure) -> ScorePair:
    quality, slope = quality_of(cell.quality), 1.0 if measure.kind == "probabilities" else None
    first = Scorer(quality.separation, slope=slope)
    if cell.pair == "exchangeable":
        second = first
    elif cell.pair == "apart":
        second = Scorer(cell.worse.separation, slope=slope)
    else:
        second = _equal_scorer(cell.prevalence, first, measure)
    return ScorePair(cell.prevalence, first, second, cell.correlation)


def _equal_scorer(prevalence: float, first: Scorer, measure: ParsedMeasure) -> Scorer:
    """Find the separation at which a scorer with a different spread or slope has the same value of the measure."""

    def scorer(separation: float) -> Scorer:
        if measure.kind == "probabilities":
            return Scorer(separation, slope=EQUAL_SLOPE)
        return Scorer(separation, EQUAL_SPREAD)

    def value(scorer: Scorer) -> float:
        return scorer.population(prevalence).truth(measure.measure.name, **measure.parameters)

    target = value(first)
    separation = _root(lambda separation: value(scorer(separation)) - target, 0.0, 12.0)
    if separation is None:
        raise HowsureError(NO_EQUAL.format(measure.spec))
    return scorer(separation)


def _root(function: Callable[[float], float], low: float = 0.01, high: float = 0.999) -> float | None:
    """Find a root; return None unless the function changes sign between ``low`` and ``high``."""
    from scipy.optimize import brentq

    ends = function(low), function(high)
    if not (math.isfinite(ends[0]) and math.isfinite(ends[1])) or ends[0] * ends[1] >= 0:
        return None
    return float(brentq(function, low, high, xtol=1e-12))
