"""Are the probabilities right? Reliability by bins, and how the scores of the two classes are spread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.curves.curve import Curve, Line
from assay.errors import AssayError, must, must_be_one_of
from assay.intervals import wilson
from assay.measures.declare import divide
from assay.measures.probability import BINS, bin_of
from assay.tables import ScoreTable

STRATEGIES = ("uniform", "quantile")


def bin_starts(table: ScoreTable, bins: int, strategy: str) -> NDArray[np.intp]:
    """Give where each bin begins in the table, which runs from high scores to low."""
    if strategy not in STRATEGIES:
        must_be_one_of("strategy", STRATEGIES, given=strategy)
    check_bins(bins)
    if strategy == "uniform":
        place = bin_of(table.scores, bins)
    else:
        total = (table.positives + table.negatives).astype(float)
        place = np.minimum((np.cumsum(total) - total) * bins / total.sum() + 1e-9, bins - 1).astype(np.int64)
    return np.flatnonzero(np.append(True, place[1:] != place[:-1]))


def calibration(
    table: ScoreTable, bins: int = 10, strategy: str = "uniform", confidence: float = 0.95, simultaneous: bool = False
) -> Curve:
    """Give the share of positives against the mean probability, by bins, with Wilson's band.

    ``simultaneous`` widens the band so that it holds for all bins at once (Bonferroni).
    """
    check_probabilities(table)
    starts = bin_starts(table, bins, strategy)
    total = table.positives + table.negatives
    n, hits = (np.add.reduceat(column, starts)[::-1].astype(float) for column in (total, table.positives))
    mean = np.add.reduceat(total * table.scores.astype(float), starts)[::-1] / n
    level = 1 - (1 - confidence) / len(n) if simultaneous else confidence
    squares = total if table.squares is None else table.squares[0] + table.squares[1]
    worth = n**2 / np.add.reduceat(squares, starts)[::-1]  # of real-valued weights, the effective number of cases
    band = wilson(np.minimum(hits / n, 1) * worth, worth, level)
    diagonal = np.array([0.0, 1.0])
    return Curve(
        "calibration", mean, divide(hits, n), mean, float("nan"), "mean probability", "share of positives",
        "Calibration", (Line("right", diagonal, diagonal),),
        {"low": np.asarray(band.low), "high": np.asarray(band.high), "n": n},
        (f"{'simultaneous' if simultaneous else 'pointwise'} {confidence:.0%} band",),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class BrierParts:
    """Murphy's parts of the Brier score: reliability - resolution + uncertainty (+ what happens inside bins)."""

    reliability: float
    resolution: float
    uncertainty: float
    within: float
    brier: float

    def __str__(self) -> str:
        parts = f"{self.reliability:.4f} - {self.resolution:.4f} + {self.uncertainty:.4f}"
        return f"Brier score {self.brier:.4f} = {parts} + {self.within:.4f} inside the bins"


def brier_parts(table: ScoreTable, bins: int | None = None) -> BrierParts:
    """Take the Brier score apart; without ``bins``, by distinct probability, where nothing is left inside bins."""
    check_probabilities(table)
    scores, total = table.scores.astype(float), (table.positives + table.negatives).astype(float)
    starts = np.arange(len(table)) if bins is None else bin_starts(table, bins, "uniform")
    n, hits = np.add.reduceat(total, starts), np.add.reduceat(table.positives.astype(float), starts)
    mean = np.add.reduceat(total * scores, starts) / n
    share, base, cases = hits / n, table.n_positive / table.n, table.n
    reliability = float((n * (mean - share) ** 2).sum() / cases)
    resolution = float((n * (share - base) ** 2).sum() / cases)
    uncertainty = base * (1 - base)
    brier = float((table.positives * (1 - scores) ** 2 + table.negatives * scores**2).sum() / cases)
    return BrierParts(reliability, resolution, uncertainty, brier - (reliability - resolution + uncertainty), brier)


def densities(table: ScoreTable, bins: int = 40) -> Curve:
    """Give how the scores of the two classes are spread, as densities over bins of equal width."""
    check_bins(bins)
    scores = table.scores.astype(float)
    finite = np.isfinite(scores)
    low, high = (float(scores[finite].min()), float(scores[finite].max())) if finite.any() else (0.0, 1.0)
    edges = np.linspace(low, high if high > low else low + 1, bins + 1)
    width = edges[1] - edges[0]

    def density(counts: Any) -> Array:
        found = np.histogram(scores[finite], edges, weights=counts[finite].astype(float))[0]
        return divide(found, np.asarray(counts.sum() * width))

    middle = (edges[1:] + edges[:-1]) / 2
    negatives = density(table.negatives)
    return Curve(
        "densities", middle, density(table.positives), middle, float("nan"), "score", "density",
        "Scores of the two classes", (Line("negatives", middle, negatives),), {"negatives": negatives},
        label="positives",
    )  # fmt: skip


def check_bins(bins: int) -> None:
    expected, holds = BINS
    if not holds(bins):
        must("bins", expected, given=bins)


def check_probabilities(table: ScoreTable) -> None:
    if table.scores[0] > 1 or table.scores[-1] < 0:
        raise AssayError("the scores must be probabilities between 0 and 1 for this.")
