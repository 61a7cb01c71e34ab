"""Cases that come in clusters, as several lesions of a patient do: of unequal sizes, and alike within.

Each cluster has an effect, a normal deviate. Of labels it sets how often the cluster's cases are right, with the mean
that the population has and beta-distributed around it, so that the correlation of being right within a class of a
cluster is the ICC exactly. Of scores it is a share of each case's deviation from the mean of its class. The sizes
vary by four fifths of their mean, and do not depend on the effects.
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

VARIATION = 0.9  # of the sizes of clusters, over their mean; of a few tens of clusters it comes to four fifths
LEAST_RATE = 1e-12  # of clusters whose cases are all right, or all wrong


@dataclass(frozen=True)
class InClusters:
    """How many cases come in how many clusters, and how alike they are there."""

    n: int
    clusters: int
    icc: float

    @property
    def names(self) -> tuple[int, ...]:
        return tuple(range(self.clusters))

    def sizes(self, rng: np.random.Generator, samples: int) -> Array:
        """Draw the sizes of clusters (columns) in each sample (rows): log-normal, at least a case, ``n`` in all."""
        spread = math.sqrt(math.log(1 + VARIATION**2))
        shares = rng.lognormal(0, spread, (samples, self.clusters))
        return np.asarray(1 + rng.multinomial(self.n - self.clusters, shares / shares.sum(1, keepdims=True)))

    def effects(self, rng: np.random.Generator, samples: int) -> Floats:
        return rng.standard_normal((samples, self.clusters))

    def rates(self, population: LabelPopulation, effects: Floats) -> Floats:
        """Give how often each class is predicted as each in clusters of these effects: what is right is beta."""
        shares = population.shares / population.shares.sum(1, keepdims=True)
        k = len(shares)
        right = np.stack([self._right(float(shares[i, i]), effects) for i in range(k)], axis=-1)
        wrong = np.where(np.eye(k, dtype=bool), 0, shares / np.maximum(1 - shares.diagonal(), LEAST_RATE)[:, None])
        return np.asarray(right[..., None] * np.eye(k) + (1 - right)[..., None] * wrong)

    def _right(self, rate: float, effects: Floats) -> Floats:
        from scipy.special import betaincinv, ndtr

        if not self.icc or not 0 < rate < 1:
            return np.full(effects.shape, rate)
        cases = (1 - self.icc) / self.icc
        return np.asarray(np.clip(betaincinv(rate * cases, (1 - rate) * cases, ndtr(effects)), 0, 1))

    def deviates(self, rng: np.random.Generator, effects: Floats) -> Floats:
        """Draw standard normal deviates of cases whose clusters have these effects, one for each case."""
        own = rng.standard_normal(len(effects))
        return math.sqrt(self.icc) * effects + math.sqrt(1 - self.icc) * own

    def label_tables(self, population: LabelPopulation, rng: np.random.Generator, samples: int) -> Array:
        """Draw the tables of all clusters of each sample, of shape (samples, clusters, truth, predicted)."""
        sizes = self.sizes(rng, samples)
        shares = population.shares.sum(1)[:, None] * self.rates(population, self.effects(rng, samples))
        return drawn(rng, sizes, shares, 2)

    def confusion(self, tables: Array) -> Confusion:
        """Give the table of one sample."""
        k = tables.shape[-1]
        clusters = Clusters.of_tables(self.names, tables.reshape(len(tables), -1))
        return Confusion(tables.sum(0), tuple(range(k)), clusters=clusters)

    def pair_tables(
        self, each: tuple[LabelPopulation, LabelPopulation], correlation: float, rng: np.random.Generator, samples: int
    ) -> Array:
        """Draw tables of two classifiers, of shape (samples, clusters, truth, first, second).

        The correlation is that of the effects that clusters have on the two, and that of answers within clusters.
        """
        sizes, one, other = self.sizes(rng, samples), self.effects(rng, samples), self.effects(rng, samples)
        second = correlation * one + math.sqrt(1 - correlation**2) * other
        first, last = self.rates(each[0], one), self.rates(each[1], second)
        return drawn(rng, sizes, joined(each[0].shares.sum(1), first, last, correlation), 3)

    def paired_table(self, tables: Array) -> PairedTable:
        """Give the paired table of one sample."""
        k = tables.shape[-1]
        counts = tables.sum(0)
        cells = np.argwhere(counts > 0)
        of_clusters = tables.reshape(len(tables), -1)[:, counts.ravel() > 0]
        clusters = Clusters.of_tables(self.names, of_clusters)
        return PairedTable(cells, counts[tuple(cells.T)], tuple(range(k)), clusters)

    def score_tables(
        self, scorer: Scorer, prevalence: float, rng: np.random.Generator, samples: int
    ) -> Iterator[ScoreTable]:
        """Draw the scores of one sample after the other."""
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
        """Draw the scores of two classifiers, whose clusters' effects and cases' own deviates are correlated."""
        rest = math.sqrt(1 - correlation**2)
        both = self.effects(rng, samples), self.effects(rng, samples)
        for sizes, first, other in zip(self.sizes(rng, samples), *both, strict=True):
            flags, key = rng.random(self.n) < prevalence, self._key(sizes)
            one, two = (self.deviates(rng, effects[key.codes]) for effects in (first, other))
            columns = zip(each, (one, correlation * one + rest * two), strict=True)
            scores = [scorer.scores(flags, deviates, prevalence) for scorer, deviates in columns]
            yield PairedScores(flags.astype(np.int64), scores[0], scores[1], (0, 1), 1, key)

    def _key(self, sizes: Array) -> Key:
        return Key(np.repeat(np.arange(self.clusters), sizes), self.names)


def joined(truth: Array, first: Array, second: Array, correlation: float) -> Array:
    """Join the rates of two classifiers to shares of truth, first and second; with 1 they agree wherever they can."""
    alike = np.minimum(first, second)
    apart = 1 - alike.sum(-1)[..., None, None]
    rest = (first - alike)[..., :, None] * (second - alike)[..., None, :] / np.where(apart > 1e-12, apart, 1)
    together = alike[..., :, None] * np.eye(len(truth)) + rest
    alone = first[..., :, None] * second[..., None, :]
    return np.asarray(truth[:, None, None] * ((1 - correlation) * alone + correlation * together))


def drawn(rng: np.random.Generator, sizes: Array, shares: Array, axes: int) -> Array:
    """Draw the cells of clusters of these sizes, whose shares are on the last ``axes``."""
    shape = shares.shape[-axes:]
    flat = shares.reshape(*shares.shape[:-axes], -1)
    return rng.multinomial(sizes, flat / flat.sum(-1, keepdims=True)).reshape(*sizes.shape, *shape)
