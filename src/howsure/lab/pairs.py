"""Two classifiers on the same cases, in populations where it is known by how much they differ in a measure.

"exchangeable": they are alike in all. "equal": they have the same value by other errors. "apart": the second is of the
next lower quality. Given the truth, their answers are independent, or as alike as the correlation says.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.checks import check_number, check_share, one_of, whole_between
from howsure.errors import HowsureError, must
from howsure.lab.clusters import InClusters, joined
from howsure.lab.design import (
    MOST_CASES,
    QUALITIES,
    Quality,
    check_clusters,
    in_cluster_words,
    of_quality,
    quality_of,
    without_clusters,
)
from howsure.lab.population import LabelPopulation
from howsure.lab.samples import Asked, Kind, label_of
from howsure.lab.scorers import Scorer, population_of
from howsure.tables import PairedScores, PairedTable

PAIRS = ("exchangeable", "equal", "apart")
FEWER = (2 / 3, 0.8, 0.9, 0.95)  # of its recall is what an equal classifier has, or of its specificity
WIDER, BOLDER = 2.0, 2.0  # the spread of an equal classifier's positives, and the slope of its log odds
ROUNDING = 1e-7  # a difference that is none
NO_EQUAL = "no classifier with other errors has the same `{}` there."


@dataclass(frozen=True)
class PairCell:
    """One setting of a simulation of two classifiers.

    Attributes
    ----------
    n
        Cases in a sample.
    prevalence
        The share of the positive class.
    quality
        Of the first classifier: a name out of `QUALITIES`, or a number.
    pair
        What the second one is: "exchangeable", "equal" or "apart", as `rejections` takes it.
    correlation
        How alike the answers of the two are, beyond what the truth makes alike: 0 to 1.
    clusters, icc
        So many clusters that the cases come in, and the correlation within them.
    title
        The setting, in words.

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
        whole_between("n", self.n, 1, MOST_CASES)
        check_share("prevalence", self.prevalence)
        quality_of(self.quality)
        check_clusters(self.clusters, self.icc, self.n)
        one_of("pair", self.pair, PAIRS)
        if not 0 <= check_number(self.correlation, "correlation") <= 1:
            must("correlation", "a number from 0 to 1", given=self.correlation)
        if self.pair == "apart" and self.quality not in list(QUALITIES)[1:]:
            must("quality", "above chance, and given by name, for a pair that is apart", given=self.quality)

    @property
    def worse(self) -> Quality:
        """The next lower quality."""
        grades = list(QUALITIES)
        return QUALITIES[grades[grades.index(str(self.quality)) - 1]]

    def population(self, asked: Asked) -> LabelPair | ScorePair:
        """Give the population in which the pair is what it is called by this measure.

        Parameters
        ----------
        asked
            The measure, as an `Asked` of `howsure.lab.paired_tests`.

        Examples
        --------
        >>> from howsure.lab import PairCell
        >>> from howsure.lab.paired_tests import Asked
        >>> PairCell(pair="equal").population(Asked.of("accuracy")).shares.shape
        (2, 2, 2)
        """
        return _label_pair(self, asked) if asked.kind == "labels" else _score_pair(self, asked)

    def rng(self, seed: int) -> np.random.Generator:
        """Random numbers of this cell alone, so that a cell gives the same in any grid and order.

        Parameters
        ----------
        seed
            Of the whole simulation.
        """
        return np.random.default_rng([seed, *repr(sorted(self.to_dict().items())).encode()])

    def to_dict(self) -> dict[str, Any]:
        """Give plain values, ready for JSON."""
        return without_clusters({name: getattr(self, name) for name in self.__dataclass_fields__})

    @property
    def title(self) -> str:
        about = f"n = {self.n}{in_cluster_words(self.clusters, self.icc)}, prevalence {self.prevalence:g}"
        about = f"{about}, {of_quality(self.quality, 'classifiers')}, {self.pair}"
        return f"{about}, correlation {self.correlation:g}" if self.correlation else about

    def clustered(self, asked: Asked, rounds: int, seed: int) -> list[PairedTable] | list[PairedScores]:
        """Draw samples whose cases come in clusters.

        Parameters
        ----------
        asked
            The measure, as an `Asked` of `howsure.lab.paired_tests`.
        rounds, seed
            Samples drawn, and the seed of the random numbers.

        Examples
        --------
        >>> from howsure.lab import PairCell
        >>> from howsure.lab.paired_tests import Asked
        >>> len(PairCell(n=50, clusters=10, icc=0.2).clustered(Asked.of("accuracy"), rounds=2, seed=0))
        2
        """
        assert self.clusters is not None
        within, rng, population = InClusters(self.n, self.clusters, self.icc), self.rng(seed), self.population(asked)
        if isinstance(population, LabelPair):
            return [*map(within.paired_table, within.pair_tables(population.each, self.correlation, rng, rounds))]
        scorers = population.first, population.second
        return list(within.score_pairs(scorers, self.prevalence, self.correlation, rng, rounds))


@dataclass(frozen=True, eq=False)
class LabelPair:
    """Shares of every combination of truth, first and second prediction."""

    shares: Array

    @classmethod
    def of_two(cls, first: LabelPopulation, second: LabelPopulation, correlation: float) -> LabelPair:
        """Join two populations of the same classes; with a correlation of 1 they agree wherever they can."""
        truth = first.shares.sum(1)
        a, b = (each.shares / each.shares.sum(1, keepdims=True) for each in (first, second))
        return cls(joined(truth, a, b, correlation))

    @property
    def each(self) -> tuple[LabelPopulation, LabelPopulation]:
        """The population of each classifier by itself."""
        return LabelPopulation(self.shares.sum(2)), LabelPopulation(self.shares.sum(1))

    def truth(self, asked: Asked) -> float:
        """Give the difference of a measure in the population."""
        label = label_of(asked.measure, len(self.shares))
        return _apart(*(one.truth(asked.measure.name, label, **asked.parameters) for one in self.each))

    def draw(self, rng: np.random.Generator, n: int, size: int) -> Array:
        """Draw the counts of ``size`` samples of ``n`` cases."""
        return rng.multinomial(n, self.shares.ravel() / self.shares.sum(), size).reshape(size, *self.shares.shape)


@dataclass(frozen=True)
class ScorePair:
    """Two classifiers with scores, which are correlated within each class."""

    prevalence: float
    first: Scorer
    second: Scorer
    correlation: float

    def truth(self, asked: Asked) -> float:
        """Give the difference of a measure in the population."""
        populations = (one.population(self.prevalence) for one in (self.first, self.second))
        return _apart(*(one.truth(asked.measure.name, **asked.parameters) for one in populations))

    def draw(self, rng: np.random.Generator, n: int) -> PairedScores:
        """Draw a sample of ``n`` cases."""
        flags = rng.random(n) < self.prevalence
        one, other = rng.standard_normal((2, n))
        other = self.correlation * one + math.sqrt(1 - self.correlation**2) * other
        first, second = (
            scorer.scores(flags, deviates, self.prevalence)
            for scorer, deviates in ((self.first, one), (self.second, other))
        )
        return PairedScores(flags.astype(np.int64), first, second, (0, 1), 1)


def _apart(first: float, second: float) -> float:
    """Give a difference, and 0 where it is what is left of solving for none."""
    return first - second if abs(first - second) > ROUNDING * max(1.0, abs(first)) else 0.0


def _label_pair(cell: PairCell, asked: Asked) -> LabelPair:
    quality = quality_of(cell.quality)
    rates = quality.recall, quality.specificity
    others = {
        "exchangeable": lambda: rates,
        "equal": lambda: _equal_rates(cell.prevalence, *rates, asked),
        "apart": lambda: (cell.worse.recall, cell.worse.specificity),
    }
    first, second = (LabelPopulation.of_rates(cell.prevalence, *each) for each in (rates, others[cell.pair]()))
    return LabelPair.of_two(first, second, cell.correlation)


def _equal_rates(prevalence: float, recall: float, specificity: float, asked: Asked) -> tuple[float, float]:
    """Find a classifier of lower recall with the specificity that makes it equal, or the other way round."""

    def value(recall: float, specificity: float) -> float:
        population = LabelPopulation.of_rates(prevalence, recall, specificity)
        return population.truth(asked.measure.name, label_of(asked.measure, 2), **asked.parameters)

    def with_recall(lower: float, rate: float) -> float:
        return value(lower, rate) - aim

    def with_specificity(lower: float, rate: float) -> float:
        return value(rate, lower) - aim

    aim = value(recall, specificity)
    for share in FEWER:
        if (rate := _crossing(partial(with_recall, share * recall))) is not None:
            return share * recall, rate
        if (rate := _crossing(partial(with_specificity, share * specificity))) is not None:
            return rate, share * specificity
    raise HowsureError(NO_EQUAL.format(asked.spec))


def _score_pair(cell: PairCell, asked: Asked) -> ScorePair:
    quality, slope = quality_of(cell.quality), 1.0 if asked.kind == "probabilities" else None
    first = Scorer(quality.separation, slope=slope)
    if cell.pair == "exchangeable":
        second = first
    elif cell.pair == "apart":
        second = Scorer(cell.worse.separation, slope=slope)
    else:
        second = _equal_scorer(cell.prevalence, first, asked.spec, asked.kind)
    return ScorePair(cell.prevalence, first, second, cell.correlation)


@cache
def _equal_scorer(prevalence: float, first: Scorer, spec: str, kind: Kind) -> Scorer:
    """Find how far apart the scores of a classifier are that is wider, or bolder, and yet equal."""
    asked = Asked.of(spec)

    def scorer(separation: float) -> Scorer:
        return Scorer(separation, slope=BOLDER) if kind == "probabilities" else Scorer(separation, WIDER)

    def value(one: Scorer) -> float:
        return population_of(prevalence, one).truth(asked.measure.name, **asked.parameters)

    aim = value(first)
    separation = _crossing(lambda separation: value(scorer(separation)) - aim, 0.0, 12.0)
    if separation is None:
        raise HowsureError(NO_EQUAL.format(spec))
    return scorer(separation)


def _crossing(difference: Callable[[float], float], low: float = 0.01, high: float = 0.999) -> float | None:
    """Find where a difference is 0; None where it does not change its sign, or is 0 all the way."""
    from scipy.optimize import brentq

    ends = difference(low), difference(high)
    if not (math.isfinite(ends[0]) and math.isfinite(ends[1])) or ends[0] * ends[1] >= 0:
        return None
    return float(brentq(difference, low, high, xtol=1e-12))
