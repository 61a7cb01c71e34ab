"""Classifiers with normal scores or with probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from howsure.arrays import Array, Floats
from howsure.lab.population import ScorePopulation

CELLS = 1 << 14  # distinct scores of a population that is only evaluated: its truth has an error below one millionth


@dataclass(frozen=True)
class Scorer:
    """A classifier with normal scores; with a slope, with the probabilities that follow from them."""

    separation: float
    spread: float = 1.0
    slope: float | None = None

    def population(self, prevalence: float) -> ScorePopulation:
        return ScorePopulation.binormal(prevalence, self.separation, self.spread, slope=self.slope, cells=CELLS)

    def scores(self, flags: Array, deviates: Array, prevalence: float) -> Floats:
        """Return the scores of cases from standard normal deviates."""
        from scipy.special import expit

        x = np.where(flags, self.separation + self.spread * deviates, deviates)
        if self.slope is None:
            return x
        # log odds = logit(prevalence) + log of the density of positives - log of the density of negatives
        log_density = -0.5 * ((x - self.separation) / self.spread) ** 2 - math.log(self.spread)
        log_odds = math.log(prevalence / (1 - prevalence)) + log_density + 0.5 * x**2
        return np.asarray(expit(self.slope * log_odds))
