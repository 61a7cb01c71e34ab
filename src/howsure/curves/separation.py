"""Curves that show how well the scores separate the two classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.arrays import Array
from howsure.curves.curve import Curve
from howsure.curves.declare import curve
from howsure.errors import must
from howsure.measures.declare import divide
from howsure.measures.probability import BINS
from howsure.measures.ranking import ks_distance
from howsure.tables import ScoreTable


@dataclass(frozen=True, eq=False, repr=False)
class DistanceCurve(Curve):
    """Difference between the columns ``tpr`` and ``fpr``, by threshold.

    Examples
    --------
    >>> import howsure
    >>> curve = howsure.assess([0, 1, 0, 1, 1], scores=[0.2, 0.7, 0.4, 0.9, 0.3]).ks()
    >>> round(float(curve.y.max()), 3), sorted(curve.extra)
    (0.667, ['fpr', 'tpr'])
    """

    drawn_columns = ("tpr", "fpr")


@dataclass(frozen=True, eq=False, repr=False)
class DensityCurve(Curve):
    """Density of the scores of positives, and of ``negatives``.

    Examples
    --------
    >>> import howsure
    >>> curve = howsure.assess([0, 1, 0, 1, 1], scores=[0.2, 0.7, 0.4, 0.9, 0.3]).densities(bins=4)
    >>> sorted(curve.extra)
    ['negatives']
    """


@curve(
    "Kolmogorov-Smirnov distance", "threshold", "recall minus false positive rate", aliases=("kolmogorov_smirnov",),
    short="distance", measure=ks_distance, measure_title="largest",
)  # fmt: skip
def ks(table: ScoreTable) -> Curve:
    """Difference between the true and the false positive rate, by threshold."""
    fpr, tpr = (column[1:] for column in table.rates)
    scores = table.scores.astype(float)
    return DistanceCurve(scores, tpr - fpr, scores, extra={"tpr": tpr, "fpr": fpr}, steps="previous")


@curve("Scores of the two classes", "score", "density", short="scores")
def densities(table: ScoreTable, bins: int = 40) -> Curve:
    """Densities of the scores of both classes, in bins of equal width."""
    check_bins(bins)
    scores = table.scores.astype(float)
    finite = np.isfinite(scores)
    low, high = (float(scores[finite].min()), float(scores[finite].max())) if finite.any() else (0.0, 1.0)
    edges = np.linspace(low, high if high > low else low + 1, bins + 1)
    width = edges[1] - edges[0]

    def density(counts: Array) -> Array:
        binned = np.histogram(scores[finite], edges, weights=counts[finite].astype(float))[0]
        return divide(binned, np.asarray(counts.sum() * width))

    middle = (edges[1:] + edges[:-1]) / 2
    return DensityCurve(middle, density(table.positives), middle, extra={"negatives": density(table.negatives)})


def check_bins(bins: int) -> None:
    expected, holds = BINS
    if not holds(bins):
        must("bins", expected, given=bins)
