"""Populations whose truth is known: a table of shares, from which samples are drawn.

A population is a table like any other, so that the kernel of a measure gives its true value, and a sample is a draw of
cases from its cells. Scores have so many cells that a sample hardly holds a tie, and yet the truth is exact: it is that
of the cells, not of the curve behind them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.docstrings import shared_texts
from howsure.measures import registry
from howsure.measures.estimate.classes import class_basis
from howsure.measures.estimate.labels import label_basis
from howsure.tables import ClassScores, Confusion, ScoreRows, ScoreTable

CELLS = 1 << 19  # scores that a population has
REACH = 6.0  # standard deviations to either side that it covers
LEAST_WEIGHTS, MOST_WEIGHTS = 0.2, 3.0
LARGE, LARGE_SEED = 400_000, 14  # cases whose value stands for the truth where the cells would be too many


@dataclass(frozen=True, eq=False)
class LabelPopulation:
    """Shares of every pair of true and predicted class; rows are the truth.

    Attributes
    ----------
    shares
        A row for each true class and a column for each predicted one; all add up to 1.

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
        """Two classes; the second is the positive one.

        Parameters
        ----------
        prevalence
            The share of the positive class.
        recall, specificity
            The shares of either class that are predicted right.
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
        """Any number of classes; what a class misses goes to the others alike.

        Parameters
        ----------
        prevalences
            The share of each class.
        recalls
            The share of each class that is predicted right.

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
        """Draw the counts of ``size`` samples of ``n`` cases.

        Parameters
        ----------
        rng
            A generator of random numbers.
        n
            Cases in a sample.
        size
            How many samples.
        """
        k = len(self.shares)
        return rng.multinomial(n, self.shares.ravel() / self.shares.sum(), size).reshape(size, k, k)

    def sample(self, rng: np.random.Generator, n: int, *, weighted: bool = False) -> Confusion:
        """Draw the table of one sample of ``n`` cases, with random weights where they are wanted.

        Parameters
        ----------
        rng
            A generator of random numbers.
        n
            Cases in the sample.
        weighted
            Whether cases have random weights.
        """
        k = len(self.shares)
        if not weighted:
            return Confusion(self.draw(rng, n, 1)[0], tuple(range(k)))
        cells = rng.choice(k * k, n, p=self.shares.ravel() / self.shares.sum())
        weight = rng.uniform(LEAST_WEIGHTS, MOST_WEIGHTS, n)
        sums, squares = (np.bincount(cells, one, k * k).reshape(k, k) for one in (weight, weight**2))
        return Confusion(sums, tuple(range(k)), squares)

    @shared_texts
    def truth(self, measure: str, label: int | None = None, average: str | None = None, **parameters: Any) -> float:
        """Give the value of a measure in the population.

        Parameters
        ----------
        measure
            A name or alias.
        label
            The class it is of, by its number.
        average
            "macro", "micro" or "weighted".
        {measure_parameters}
        """
        table = Confusion(self.shares, tuple(range(len(self.shares))))
        return label_basis(table, registry[measure], label, average, parameters)[0].value


@dataclass(frozen=True, eq=False)
class ScorePopulation:
    """Shares of positives and negatives at each score, from low to high.

    Attributes
    ----------
    scores
        The scores, from low to high.
    positives, negatives
        The share of all cases that are positives, or negatives, with this score.
    table
        The same as a `ScoreTable`.

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
        """Normal scores, those of positives ``separation`` higher and ``spread`` times as wide.

        With a ``slope`` the scores are probabilities: right ones with 1, overconfident above and underconfident below,
        as the slope is that of their log odds against the true ones.

        Parameters
        ----------
        prevalence
            The share of positives.
        separation, spread
            Of the scores of positives, in standard deviations of those of negatives.
        slope
            Of the log odds stated against the true ones.
        cells
            How many scores stand for the normal distributions.
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
        """Draw ``n`` cases: which of them are positive, and their scores.

        Parameters
        ----------
        rng
            A generator of random numbers.
        n
            How many cases.
        """
        cell = np.searchsorted(self._cumulated, rng.random(n) * self._cumulated[-1], side="right")
        return cell < len(self.scores), self.scores[cell % len(self.scores)]

    def sample(self, rng: np.random.Generator, n: int, *, weighted: bool = False) -> ScoreTable:
        """Draw the table of a sample of ``n`` cases, with random weights where they are wanted.

        Parameters
        ----------
        rng
            A generator of random numbers.
        n
            Cases in the sample.
        weighted
            Whether cases have random weights.
        """
        weight = rng.uniform(LEAST_WEIGHTS, MOST_WEIGHTS, n) if weighted else None
        return ScoreTable.from_scores(*self.cases(rng, n), weight)

    def truth(self, measure: str, **parameters: Any) -> float:
        """Give the value of a measure in the population.

        Parameters
        ----------
        measure
            A name or alias of a measure of scores.
        **parameters
            Parameters of the measure, such as ``depth``.
        """
        return float(registry[measure].value(self.table.counts, **parameters))


@dataclass(frozen=True)
class ClassPopulation:
    """Classes with normal scores, of which that of a case's own class is ``separation`` higher.

    The classifier states the probabilities that follow from them. The truth is the value of `LARGE` cases, which is
    off by less than a thousandth or so.
    """

    prevalences: tuple[float, ...]
    separation: float

    def sample(self, rng: np.random.Generator, n: int, *, weighted: bool = False) -> ClassScores:
        """Draw ``n`` cases with the probabilities of their classes, with random weights where they are wanted."""
        k = len(self.prevalences)
        truth = rng.choice(k, n, p=np.array(self.prevalences) / sum(self.prevalences))
        latent = rng.standard_normal((n, k)) + self.separation * (np.arange(k) == truth[:, None])
        odds = np.log(self.prevalences) + self.separation * latent
        stated = np.exp(odds - odds.max(1, keepdims=True))
        stated /= stated.sum(1, keepdims=True)
        weight = rng.uniform(LEAST_WEIGHTS, MOST_WEIGHTS, n) if weighted else np.ones(n)
        return ClassScores(ScoreRows(truth, stated, weight), tuple(range(k)), weight**2 if weighted else None)

    def truth(self, measure: str, **parameters: Any) -> float:
        """Give the value of a measure in the population."""
        return _value_of_many(self, measure, tuple(sorted(parameters.items())))


@cache
def _value_of_many(population: ClassPopulation, measure: str, parameters: tuple[tuple[str, Any], ...]) -> float:
    return class_basis(_large(population), registry[measure], None, dict(parameters)).value


@lru_cache(1)
def _large(population: ClassPopulation) -> ClassScores:
    return population.sample(np.random.default_rng(LARGE_SEED), LARGE)
