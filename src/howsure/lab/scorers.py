"""Classifiers with normal scores, or with the probabilities that follow from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from howsure.arrays import Array, Floats
from howsure.lab.population import ScorePopulation

CELLS = 1 << 14  # scores of a population that is only evaluated: the truth is off by less than a millionth


@dataclass(frozen=True)
class Scorer:
    """A classifier with normal scores, or with the probabilities that follow from them where it has a slope."""

    separation: float
    spread: float = 1.0
    slope: float | None = None

    def population(self, prevalence: float) -> ScorePopulation:
        return population_of(prevalence, self)

    def scores(self, flags: Array, deviates: Array, prevalence: float) -> Floats:
        """Give the scores of cases from standard normal deviates."""
        from scipy.special import expit

        x = np.where(flags, self.separation + self.spread * deviates, deviates)
        if self.slope is None:
            return x
        of_positive = -0.5 * ((x - self.separation) / self.spread) ** 2 - math.log(self.spread)
        odds = math.log(prevalence / (1 - prevalence)) + of_positive + 0.5 * x**2
        return np.asarray(expit(self.slope * odds))


@lru_cache(64)
def population_of(prevalence: float, scorer: Scorer) -> ScorePopulation:
    """Give the population of what a scorer says, once."""
    return ScorePopulation.binormal(prevalence, scorer.separation, scorer.spread, slope=scorer.slope, cells=CELLS)
