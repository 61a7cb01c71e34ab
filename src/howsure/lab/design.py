"""Settings of a simulation: sample size, prevalence, classifier quality and clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.checks import check_number, check_share, check_type, check_whole, one_of
from howsure.errors import HowsureError, must
from howsure.lab.population import ClassPopulation, LabelPopulation, ScorePopulation

MAX_CASES, MAX_CLASSES = 1_000_000, 100
MAX_ICC = 0.99


@dataclass(frozen=True)
class Quality:
    """Quality of a classifier: its recall and specificity for labels, and the separation of its scores."""

    recall: float
    specificity: float
    separation: float


QUALITIES = {
    "chance": Quality(0.5, 0.5, 0.0),
    "poor": Quality(0.6, 0.6, 0.6),
    "fair": Quality(0.8, 0.8, 1.5),
    "good": Quality(0.9, 0.95, 2.5),
    "near-perfect": Quality(0.99, 0.99, 4.0),
}


def quality_of(quality: str | float) -> Quality:
    """Look up a quality; a number is used as the recall, the specificity and the area under the ROC curve."""
    from scipy.special import ndtri

    if isinstance(quality, str):
        one_of("quality", quality, QUALITIES)
        return QUALITIES[quality]
    rate = check_share("quality", quality)
    return Quality(rate, rate, math.sqrt(2) * float(ndtri(rate)))  # AUC = Phi(separation / sqrt(2))


def describe_quality(quality: str | float, noun: str = "classifier") -> str:
    """Return "good classifier" or "classifier of quality 0.9"."""
    return f"{quality} {noun}" if isinstance(quality, str) else f"{noun} of quality {quality:g}"


def check_clusters(clusters: int | None, icc: float, n: int) -> None:
    """Validate the number of clusters and the intraclass correlation."""
    if clusters is None:
        if icc:
            raise HowsureError("`icc` is the correlation within clusters; give `clusters` too.")
        return
    check_whole("clusters", clusters, 2, n)
    if not 0 <= check_number(icc, "icc") <= MAX_ICC:
        must("icc", f"a number from 0 to {MAX_ICC}", given=icc)


def describe_clusters(clusters: int | None, icc: float) -> str:
    return "" if clusters is None else f" in {clusters} clusters (ICC {icc:g})"


def without_clusters(facts: dict[str, Any]) -> dict[str, Any]:
    """Remove the cluster settings if there are no clusters."""
    return {name: value for name, value in facts.items() if name not in ("clusters", "icc") or facts["clusters"]}


@dataclass(frozen=True)
class Cell:
    """Setting of a simulation of one classifier.

    Attributes
    ----------
    n
        Number of cases in a sample.
    prevalence
        Proportion of the positive class; with more than two classes, of each class except the first.
    quality
        A name in `QUALITIES`, or a number used as the recall, the specificity and the area under the ROC curve.
    spread
        Standard deviation of the scores of positives, relative to that of negatives.
    slope
        Slope of the predicted log odds against the true log odds; the classifier is overconfident if it is above 1.
    classes
        Number of classes; all have the recall given by ``quality``.
    weighted
        Whether cases have random weights from 0.2 to 3.
    clusters
        Number of clusters, which have unequal sizes; by default, cases are independent.
    icc
        Intraclass correlation of correctness and of scores.

    Examples
    --------
    >>> from howsure.lab import Cell
    >>> cell = Cell(n=50, prevalence=0.2, quality=0.9)
    >>> cell.labels.shares.round(2).tolist()
    [[0.72, 0.08], [0.02, 0.18]]
    >>> round(cell.scores(probabilities=False).truth("auc"), 3)
    0.9
    >>> cell.labels.draw(cell.rng(seed=0), cell.n, 2).sum(axis=(1, 2)).tolist()
    [50, 50]
    >>> cell.to_dict()["quality"]
    0.9
    """

    n: int = 100
    prevalence: float = 0.5
    quality: str | float = "good"
    spread: float = 1.0
    slope: float = 1.0
    classes: int = 2
    weighted: bool = False
    clusters: int | None = None
    icc: float = 0.0

    def __post_init__(self) -> None:
        check_whole("n", self.n, 1, MAX_CASES)
        check_share("prevalence", self.prevalence)
        quality_of(self.quality)
        check_whole("classes", self.classes, 2, MAX_CLASSES)
        check_type("weighted", self.weighted, bool, "True or False")
        for name in ("spread", "slope"):
            if not 0.01 <= check_number(getattr(self, name), name) <= 100:
                must(name, "a number from 0.01 to 100", given=getattr(self, name))
        if self.prevalence * (self.classes - 1) >= 1:
            must("prevalence", f"below 1 / {self.classes - 1} with {self.classes} classes", given=self.prevalence)
        check_clusters(self.clusters, self.icc, self.n)
        if self.clusters is not None and self.weighted:
            raise HowsureError("`weighted` cannot be combined with `clusters`.")

    @property
    def labels(self) -> LabelPopulation:
        """Population of true and predicted labels."""
        quality = quality_of(self.quality)
        if self.classes == 2:
            return LabelPopulation.of_rates(self.prevalence, quality.recall, quality.specificity)
        return LabelPopulation.of_recalls(self.prevalences, np.full(self.classes, quality.recall))

    @property
    def prevalences(self) -> tuple[float, ...]:
        """Proportion of each class."""
        rare = (self.prevalence,) * (self.classes - 1)
        return (1 - sum(rare), *rare)

    @property
    def class_scores(self) -> ClassPopulation:
        """Population of true labels and probabilities of more than two classes."""
        return ClassPopulation(self.prevalences, quality_of(self.quality).separation)

    def scores(self, *, probabilities: bool) -> ScorePopulation:
        """Return the population of true labels and scores.

        Parameters
        ----------
        probabilities
            Whether scores are probabilities of the positive class; otherwise they are normal.
        """
        separation = quality_of(self.quality).separation
        slope = self.slope if probabilities else None
        return ScorePopulation.binormal(self.prevalence, separation, self.spread, slope=slope)

    def rng(self, seed: int) -> np.random.Generator:
        """Return this cell's random generator, independent of the grid.

        Parameters
        ----------
        seed
            Seed of the whole simulation.
        """
        text = repr(sorted(self.to_dict().items())).encode()
        return np.random.default_rng([seed, *text])

    def to_dict(self) -> dict[str, Any]:
        """Return the setting as plain values that can be written as JSON."""
        return without_clusters({name: getattr(self, name) for name in self.__dataclass_fields__})
