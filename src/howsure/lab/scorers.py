"""Classifiers with normal scores or with probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from howsure.arrays import Array, Floats
from howsure.lab.population import ScorePopulation

CELLS = 1 << 14  # number of distinct scores in a population without sampling; true values have errors below 1e-6


@dataclass(frozen=True)
class Scorer:
    """A classifier with normal scores or, if there is a slope, with the resulting probabilities."""

    separation: float
    spread: float = 1.0
    slope: float | None = None

    def population(self, prevalence: float) -> ScorePopulation:
        return ScorePopulation.binormal(prevalence, self.separation, self.spread, slope=self.slope, cells=CELLS)

    def scores(self, flags: Array, deviates: Array, prevalence: float) -> Floats:
        """Convert standard normal deviates of cases to scores."""
        from scipy.special import expit

        x = np.where(flags, self.separation + self.spread * deviates, deviates)
        if self.slope is None:
            return x
        # log odds = logit(prevalence) + log of the density of positives - log of the density of negatives
        log_density = -0.5 * ((x - self.separation) / self.spread) ** 2 - math.log(self.spread)
        log_odds = math.log(prevalence / (1 - prevalence)) + log_density + 0.5 * x**2
        return np.asarray(expit(self.slope * log_odds))
