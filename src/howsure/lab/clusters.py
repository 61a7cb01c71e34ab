"""Simulation of clustered cases, such as several lesions per patient.

Each cluster has a random effect, a standard normal deviate. For labels, it is mapped to the cluster's rate of correct
predictions, which has a beta distribution around the population's rate; the intraclass correlation (ICC) of correctness
is then exact within each true class. For scores, the effect is part of each case's deviation from its class mean.
Cluster sizes have a coefficient of variation of about 0.8 and do not depend on the effects.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from howsure.arrays import Array, Floats
from howsure.data.predictions import Key
from howsure.lab.population import LabelPopulation
from howsure.lab.scorers import Scorer
from howsure.tables import Clusters, Confusion, PairedScores, PairedTable, ScoreTable

VARIATION = 0.9  # coefficient of variation of the log-normal cluster sizes; about 0.8 with tens of clusters
TINY_RATE = 1e-12  # avoids division by 0 where all cases of a class are correct


@dataclass(frozen=True)
class ClusterDesign:
    """Number of cases, number of clusters, and intraclass correlation."""

    n: int
    clusters: int
    icc: float

    @property
    def names(self) -> tuple[int, ...]:
        return tuple(range(self.clusters))

    def sizes(self, rng: np.random.Generator, samples: int) -> Array:
        """Draw cluster sizes (columns) for each sample (rows): at least one case per cluster, summing to ``n``."""
        spread = math.sqrt(math.log(1 + VARIATION**2))
        shares = rng.lognormal(0, spread, (samples, self.clusters))
        return np.asarray(1 + rng.multinomial(self.n - self.clusters, shares / shares.sum(1, keepdims=True)))

    def effects(self, rng: np.random.Generator, samples: int) -> Floats:
        return rng.standard_normal((samples, self.clusters))

    def rates(self, population: LabelPopulation, effects: Floats) -> Floats:
        """Return P(predicted | truth) given the cluster effects, with shape (..., truth, predicted)."""
        shares = population.shares / population.shares.sum(1, keepdims=True)
        k = len(shares)
        correct = np.stack([self._correct_rates(float(shares[i, i]), effects) for i in range(k)], axis=-1)
        wrong = np.where(np.eye(k, dtype=bool), 0, shares / np.maximum(1 - shares.diagonal(), TINY_RATE)[:, None])
        return np.asarray(correct[..., None] * np.eye(k) + (1 - correct)[..., None] * wrong)

    def _correct_rates(self, rate: float, effects: Floats) -> Floats:
        """Return quantiles of Beta(rate m, (1 - rate) m), m = (1 - ICC) / ICC, whose intraclass correlation is ICC."""
        from scipy.special import betaincinv, ndtr

        if not self.icc or not 0 < rate < 1:
            return np.full(effects.shape, rate)
        m = (1 - self.icc) / self.icc
        return np.asarray(np.clip(betaincinv(rate * m, (1 - rate) * m, ndtr(effects)), 0, 1))

    def deviates(self, rng: np.random.Generator, effects: Floats) -> Floats:
        """Draw the standard normal deviates of cases, given the effects of their clusters."""
        residuals = rng.standard_normal(len(effects))
        return math.sqrt(self.icc) * effects + math.sqrt(1 - self.icc) * residuals

    def label_tables(self, population: LabelPopulation, rng: np.random.Generator, samples: int) -> Array:
        """Draw confusion matrices of shape (samples, clusters, truth, predicted)."""
        sizes = self.sizes(rng, samples)
        shares = population.shares.sum(1)[:, None] * self.rates(population, self.effects(rng, samples))
        return draw_cells(rng, sizes, shares, 2)

    def confusion(self, tables: Array) -> Confusion:
        """Return the confusion matrix of one sample with its clusters."""
        k = tables.shape[-1]
        clusters = Clusters.of_tables(self.names, tables.reshape(len(tables), -1))
        return Confusion(tables.sum(0), tuple(range(k)), clusters=clusters)

    def pair_tables(
        self, each: tuple[LabelPopulation, LabelPopulation], correlation: float, rng: np.random.Generator, samples: int
    ) -> Array:
        """Draw paired tables of shape (samples, clusters, truth, first, second).

        ``correlation`` applies both to the cluster effects on the two classifiers and to predictions within clusters.
        """
        sizes, effects, residuals = self.sizes(rng, samples), self.effects(rng, samples), self.effects(rng, samples)
        second_effects = correlation * effects + math.sqrt(1 - correlation**2) * residuals
        first, second = self.rates(each[0], effects), self.rates(each[1], second_effects)
        return draw_cells(rng, sizes, join_rates(each[0].shares.sum(1), first, second, correlation), 3)

    def paired_table(self, tables: Array) -> PairedTable:
        """Return the paired table of one sample with its clusters."""
        k = tables.shape[-1]
        counts = tables.sum(0)
        cells = np.argwhere(counts > 0)
        clusters = Clusters.of_tables(self.names, tables.reshape(len(tables), -1)[:, counts.ravel() > 0])
        return PairedTable(cells, counts[tuple(cells.T)], tuple(range(k)), clusters)

    def score_tables(
        self, scorer: Scorer, prevalence: float, rng: np.random.Generator, samples: int
    ) -> Iterator[ScoreTable]:
        """Draw the score table of each sample."""
        for sizes, effects in zip(self.sizes(rng, samples), self.effects(rng, samples), strict=True):
            flags, key = rng.random(self.n) < prevalence, self._key(sizes)
            scores = scorer.scores(flags, self.deviates(rng, effects[key.codes]), prevalence)
            yield ScoreTable.from_scores(flags, scores).clustered(key, flags, scores)

    def score_pairs(
        self,
        each: tuple[Scorer, Scorer],
        prevalence: float,
        correlation: float,
        rng: np.random.Generator,
        samples: int,
    ) -> Iterator[PairedScores]:
        """Draw the scores of two classifiers whose cluster effects and residuals are correlated."""
        complement = math.sqrt(1 - correlation**2)
        effects = self.effects(rng, samples), self.effects(rng, samples)
        for sizes, *sample_effects in zip(self.sizes(rng, samples), *effects, strict=True):
            flags, key = rng.random(self.n) < prevalence, self._key(sizes)
            first, independent = (self.deviates(rng, by_cluster[key.codes]) for by_cluster in sample_effects)
            deviates = first, correlation * first + complement * independent
            scores = [scorer.scores(flags, column, prevalence) for scorer, column in zip(each, deviates, strict=True)]
            yield PairedScores(flags.astype(np.int64), scores[0], scores[1], (0, 1), 1, key)

    def _key(self, sizes: Array) -> Key:
        return Key(np.repeat(np.arange(self.clusters), sizes), self.names)


def join_rates(truth: Array, first: Array, second: Array, correlation: float) -> Array:
    """Return the joint proportions of truth, first and second prediction from the rates of two classifiers.

    They are a mixture: with weight ``correlation`` the classifiers agree as often as their rates allow; otherwise,
    their predictions are independent given the truth.
    """
    agree = np.minimum(first, second)
    disagree = 1 - agree.sum(-1)[..., None, None]
    remainder = (first - agree)[..., :, None] * (second - agree)[..., None, :]
    dependent = agree[..., :, None] * np.eye(len(truth)) + remainder / np.where(disagree > 1e-12, disagree, 1)
    independent = first[..., :, None] * second[..., None, :]
    return np.asarray(truth[:, None, None] * ((1 - correlation) * independent + correlation * dependent))


def draw_cells(rng: np.random.Generator, sizes: Array, shares: Array, axes: int) -> Array:
    """Draw multinomial counts for each cluster; the last ``axes`` axes of ``shares`` are the cells of a table."""
    cells = shares.shape[-axes:]
    flat = shares.reshape(*shares.shape[:-axes], -1)
    return rng.multinomial(sizes, flat / flat.sum(-1, keepdims=True)).reshape(*sizes.shape, *cells)
