"""Are the probabilities right? The calibration curve, and the parts of the Brier score."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.checks import one_of
from assay.curves.curve import Curve, Line
from assay.curves.declare import curve
from assay.curves.ranking import UNIT
from assay.curves.separation import check_bins
from assay.intervals.declare import Request
from assay.intervals.proportion import wilson_interval
from assay.measures.declare import divide
from assay.measures.probability import bin_of
from assay.present.result import Result
from assay.present.value_text import jsonable
from assay.tables import ScoreTable

if TYPE_CHECKING:
    from assay.present.sheet import Record

STRATEGIES = ("uniform", "quantile")


def _bin_starts(table: ScoreTable, bins: int, strategy: str) -> NDArray[np.intp]:
    """Give where each bin begins in the table, which runs from high scores to low."""
    one_of("strategy", strategy, STRATEGIES)
    check_bins(bins)
    if strategy == "uniform":
        index = bin_of(table.scores, bins)
    else:
        total = (table.positives + table.negatives).astype(float)
        index = np.minimum((np.cumsum(total) - total) * bins / total.sum() + 1e-9, bins - 1).astype(np.int64)
    return np.flatnonzero(np.append(True, index[1:] != index[:-1]))


@curve(
    "Calibration", "mean probability", "share of positives", needs="probabilities",
    lines=(Line("right", UNIT, UNIT),), aliases=("reliability_diagram",),
)  # fmt: skip
def calibration(
    table: ScoreTable, bins: int = 10, strategy: str = "uniform", confidence: float = 0.95, simultaneous: bool = False
) -> Curve:
    """Share of positives against the mean probability, by bins, with Wilson's band.

    ``strategy`` is "uniform", bins of equal width, or "quantile", bins of equally many cases. ``simultaneous`` widens
    the band so that it holds for all bins at once (Bonferroni).
    """
    starts = _bin_starts(table, bins, strategy)
    total = table.positives + table.negatives
    n, hits = (np.add.reduceat(column, starts)[::-1].astype(float) for column in (total, table.positives))
    mean = np.add.reduceat(total * table.scores.astype(float), starts)[::-1] / n
    level = 1 - (1 - confidence) / len(n) if simultaneous else confidence
    squares = total if table.squares is None else table.squares[0] + table.squares[1]
    effective_n = n**2 / np.add.reduceat(squares, starts)[::-1]  # other than n for real-valued weights only
    band = wilson_interval(np.minimum(hits / n, 1) * effective_n, effective_n, Request(level))
    extra = {"low": np.asarray(band.low), "high": np.asarray(band.high), "n": n}
    notes = (f"{'simultaneous' if simultaneous else 'pointwise'} {confidence:.0%} band",)
    return Curve(mean, divide(hits, n), mean, extra=extra, notes=notes, marker="o")


@dataclass(frozen=True)
class BrierParts(Result):
    """Murphy's parts of the Brier score: reliability - resolution + uncertainty (+ what happens inside bins)."""

    reliability: float
    resolution: float
    uncertainty: float
    within: float
    brier: float

    def records(self) -> list[Record]:
        return [asdict(self)]

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable(asdict(self)))

    def text(self) -> str:
        parts = f"{self.reliability:.4f} - {self.resolution:.4f} + {self.uncertainty:.4f}"
        return f"Brier score {self.brier:.4f} = {parts} + {self.within:.4f} inside the bins"


def brier_parts(table: ScoreTable, bins: int | None = None) -> BrierParts:
    """Take the Brier score apart; without ``bins``, by distinct probability, where nothing is left inside bins."""
    calibration.check(table)
    scores, total = table.scores.astype(float), (table.positives + table.negatives).astype(float)
    starts = np.arange(len(table)) if bins is None else _bin_starts(table, bins, "uniform")
    n, hits = np.add.reduceat(total, starts), np.add.reduceat(table.positives.astype(float), starts)
    mean = np.add.reduceat(total * scores, starts) / n
    share, base, cases = hits / n, table.n_positive / table.n, table.n
    reliability = float((n * (mean - share) ** 2).sum() / cases)
    resolution = float((n * (share - base) ** 2).sum() / cases)
    uncertainty = base * (1 - base)
    brier = float((table.positives * (1 - scores) ** 2 + table.negatives * scores**2).sum() / cases)
    return BrierParts(reliability, resolution, uncertainty, brier - (reliability - resolution + uncertainty), brier)
