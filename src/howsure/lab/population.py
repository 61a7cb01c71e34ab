"""Populations with known true values, from which samples are drawn.

A population is a table of proportions, so the kernel of a measure gives its true value, and a sample is drawn from the
cells of the table. Scores have so many cells that samples have hardly any ties; the true value is exact because it is
computed from the cells, not from the continuous distributions that they approximate.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.docstrings import shared_texts
from howsure.measures import registry
from howsure.measures.estimate.classes import class_basis
from howsure.measures.estimate.labels import label_basis
from howsure.tables import ClassScores, Confusion, ScoreRows, ScoreTable

CELLS = 1 << 19  # number of distinct scores in a population
REACH = 6.0  # range of the scores on either side of the mean, in standard deviations
MIN_WEIGHT, MAX_WEIGHT = 0.2, 3.0
LARGE, LARGE_SEED = 400_000, 14  # size and seed of the sample used in place of a population of more than two classes


@dataclass(frozen=True, eq=False)
class LabelPopulation:
    """Population of true and predicted labels.

    Attributes
    ----------
    shares
        Proportions of cases by true class (rows) and predicted class (columns), which sum to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from howsure.lab import LabelPopulation
    >>> population = LabelPopulation.of_rates(prevalence=0.2, recall=0.9, specificity=0.8)
    >>> round(population.truth("precision", label=1), 3)
    0.529
    >>> rng = np.random.default_rng(0)
    >>> population.draw(rng, 100, 3).shape, int(population.sample(rng, 100).n)
    ((3, 2, 2), 100)
    """

    shares: Array

    @classmethod
    def of_rates(cls, prevalence: float, recall: float, specificity: float) -> LabelPopulation:
        """Build a population of two classes, the second being the positive one.

        Parameters
        ----------
        prevalence
            Proportion of the positive class.
        recall, specificity
            Proportions of positives and negatives that are classified correctly.
        """
        negative, positive = 1 - prevalence, prevalence
        return cls(
            np.array(
                [
                    [negative * specificity, negative * (1 - specificity)],
                    [positive * (1 - recall), positive * recall],
                ]
            )
        )

    @classmethod
    def of_recalls(cls, prevalences: Any, recalls: Any) -> LabelPopulation:
        """Build a population in which errors are spread evenly over classes.

        Parameters
        ----------
        prevalences
            Proportion of each class.
        recalls
            Recall of each class.

        Examples
        --------
        >>> from howsure.lab import LabelPopulation
        >>> LabelPopulation.of_recalls([0.5, 0.3, 0.2], [0.9, 0.8, 0.7]).truth("accuracy")
        0.83
        """
        prevalences, recalls = np.asarray(prevalences, float), np.asarray(recalls, float)
        k = len(prevalences)
        missed = (1 - recalls) / (k - 1)
        rates = np.where(np.eye(k, dtype=bool), recalls[:, None], missed[:, None])
        return cls(prevalences[:, None] * rates)

    def draw(self, rng: np.random.Generator, n: int, size: int) -> Array:
        """Draw the confusion matrices of ``size`` samples of ``n`` cases.

        Parameters
        ----------
        rng
            Random number generator.
        n
            Number of cases in a sample.
        size
            Number of samples.
        """
        k = len(self.shares)
        return rng.multinomial(n, self.shares.ravel() / self.shares.sum(), size).reshape(size, k, k)

    def sample(self, rng: np.random.Generator, n: int, *, weighted: bool = False) -> Confusion:
        """Draw the confusion matrix of one sample.

        Parameters
        ----------
        rng
            Random number generator.
        n
            Number of cases in the sample.
        weighted
            Whether cases have random weights.
        """
        k = len(self.shares)
        if not weighted:
            return Confusion(self.draw(rng, n, 1)[0], tuple(range(k)))
        cells = rng.choice(k * k, n, p=self.shares.ravel() / self.shares.sum())
        weight = rng.uniform(MIN_WEIGHT, MAX_WEIGHT, n)
        sums, squares = (np.bincount(cells, values, k * k).reshape(k, k) for values in (weight, weight**2))
        return Confusion(sums, tuple(range(k)), squares)

    @shared_texts
    def truth(self, measure: str, label: int | None = None, average: str | None = None, **parameters: Any) -> float:
        """Return the value of a measure in the population.

        Parameters
        ----------
        measure
            Name or alias of a measure.
        label
            Index of the class, for a measure of one class.
        average
            "macro", "micro" or "weighted".
        {measure_parameters}
        """
        table = Confusion(self.shares, tuple(range(len(self.shares))))
        return label_basis(table, registry[measure], label, average, parameters)[0].value


@dataclass(frozen=True, eq=False)
class ScorePopulation:
    """Population of true labels and scores.

    Attributes
    ----------
    scores
        Distinct scores in increasing order.
    positives, negatives
        Proportions of all cases that are positives or negatives with each score.
    table
        The population as a `ScoreTable`.

    Examples
    --------
    >>> import numpy as np
    >>> from howsure.lab import ScorePopulation
    >>> population = ScorePopulation.binormal(prevalence=0.3, separation=1.5)
    >>> round(population.truth("auc"), 3)
    0.856
    >>> rng = np.random.default_rng(0)
    >>> positive, scores = population.cases(rng, 50)
    >>> len(scores), population.sample(rng, 50).n
    (50, 50.0)
    """

    scores: Array
    positives: Array
    negatives: Array

    @classmethod
    def binormal(
        cls,
        prevalence: float,
        separation: float,
        spread: float = 1.0,
        *,
        slope: float | None = None,
        cells: int = CELLS,
    ) -> ScorePopulation:
        """Build a population with normal scores or the resulting probabilities.

        Parameters
        ----------
        prevalence
            Proportion of positives.
        separation, spread
            Mean and standard deviation of the scores of positives; for negatives, they are 0 and 1.
        slope
            If given, scores are probabilities, and this is the slope of the predicted log odds against the true log
            odds: 1 is calibrated, above 1 is overconfident, and below 1 is underconfident.
        cells
            Number of distinct scores that approximate the normal distributions.
        """
        from scipy.special import expit, logit, ndtr

        ends = np.linspace(-REACH * max(1, spread), separation + REACH * max(1, spread), cells + 1)
        negatives = (1 - prevalence) * np.diff(ndtr(ends))
        positives = prevalence * np.diff(ndtr((ends - separation) / spread))
        keep = positives + negatives > 0
        scores = ((ends[1:] + ends[:-1]) / 2)[keep]
        positives, negatives = positives[keep], negatives[keep]
        if slope is not None:
            scores = expit(slope * logit(positives / (positives + negatives)))
        total = positives.sum() + negatives.sum()
        return cls(scores, positives / total, negatives / total)

    @cached_property
    def table(self) -> ScoreTable:
        flags = np.repeat([True, False], len(self.scores))
        return ScoreTable.from_scores(flags, np.tile(self.scores, 2), np.concatenate([self.positives, self.negatives]))

    @cached_property
    def _cumulated(self) -> Array:
        return np.cumsum(np.concatenate([self.positives, self.negatives]))

    def cases(self, rng: np.random.Generator, n: int) -> tuple[Array, Array]:
        """Draw cases; return flags for positives, and the scores of all cases.

        Parameters
        ----------
        rng
            Random number generator.
        n
            Number of cases.
        """
        cell = np.searchsorted(self._cumulated, rng.random(n) * self._cumulated[-1], side="right")
        return cell < len(self.scores), self.scores[cell % len(self.scores)]

    def sample(self, rng: np.random.Generator, n: int, *, weighted: bool = False) -> ScoreTable:
        """Draw the score table of one sample.

        Parameters
        ----------
        rng
            Random number generator.
        n
            Number of cases in the sample.
        weighted
            Whether cases have random weights.
        """
        weight = rng.uniform(MIN_WEIGHT, MAX_WEIGHT, n) if weighted else None
        return ScoreTable.from_scores(*self.cases(rng, n), weight)

    def truth(self, measure: str, **parameters: Any) -> float:
        """Return the value of a measure in the population.

        Parameters
        ----------
        measure
            Name or alias of a measure of scores.
        **parameters
            Parameters of the measure, such as ``depth``.
        """
        return float(registry[measure].value(self.table.counts, **parameters))


@dataclass(frozen=True)
class ClassPopulation:
    """Population of more than two classes with probabilities.

    A case has a normal score for each class; the score for its true class is ``separation`` higher. The classifier
    predicts the posterior probabilities given these scores. The true value of a measure is approximated by its value
    in a sample of `LARGE` cases, with an error of about 0.001.
    """

    prevalences: tuple[float, ...]
    separation: float

    def sample(self, rng: np.random.Generator, n: int, *, weighted: bool = False) -> ClassScores:
        """Draw a sample of ``n`` cases."""
        k = len(self.prevalences)
        truth = rng.choice(k, n, p=np.array(self.prevalences) / sum(self.prevalences))
        latent = rng.standard_normal((n, k)) + self.separation * (np.arange(k) == truth[:, None])
        log_odds = np.log(self.prevalences) + self.separation * latent
        probabilities = np.exp(log_odds - log_odds.max(1, keepdims=True))
        probabilities /= probabilities.sum(1, keepdims=True)
        weight = rng.uniform(MIN_WEIGHT, MAX_WEIGHT, n) if weighted else np.ones(n)
        return ClassScores(ScoreRows(truth, probabilities, weight), tuple(range(k)), weight**2 if weighted else None)

    @cached_property
    def _large(self) -> ClassScores:
        return self.sample(np.random.default_rng(LARGE_SEED), LARGE)

    def truth(self, measure: str, **parameters: Any) -> float:
        """Return the value of a measure in the population."""
        return class_basis(self._large, registry[measure], None, parameters).value
