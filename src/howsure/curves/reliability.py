"""Calibration curve, and decomposition of the Brier score."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import Array
from howsure.checks import check_flag, one_of
from howsure.curves.consistency import REPLICATES, consistency_band
from howsure.curves.curve import Curve, Line
from howsure.curves.declare import curve
from howsure.curves.ranking import UNIT
from howsure.curves.separation import check_bins
from howsure.errors import HowsureError
from howsure.intervals.declare import Request
from howsure.intervals.proportion import wilson_interval
from howsure.measures.declare import divide
from howsure.measures.probability import bin_of, expected_calibration_error
from howsure.present.result import Result
from howsure.present.value_text import jsonable
from howsure.tables import ScoreTable

if TYPE_CHECKING:
    from howsure.present.sheet import Record

STRATEGIES = ("uniform", "quantile", "isotonic")
POINTS = 201  # number of points of the consistency band, in addition to the ends of the steps
DEFAULT_BINS, MIN_CASES = 10, 20  # the default number of bins, and the smallest number of cases per bin


@dataclass(frozen=True, eq=False, repr=False)
class CalibrationCurve(Curve):
    """Share of positives against the predicted probability.

    The columns ``low`` and ``high`` are the interval of each share, or the consistency band of the isotonic regression.
    The column ``n`` is the number of cases.

    Attributes
    ----------
    isotonic
        Whether the curve is an isotonic regression without bins.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess([0, 1] * 20, scores=[0.2, 0.8] * 20)
    >>> curve = a.calibration()
    >>> curve.x.round(2).tolist(), curve.y.tolist(), sorted(curve.extra)
    ([0.2, 0.8], [0.0, 1.0], ['high', 'low', 'n'])
    """

    isotonic: bool = False


def _bin_starts(table: ScoreTable, bins: int | None, strategy: str) -> NDArray[np.intp]:
    """Return the first row of each bin in the table."""
    n_bins = DEFAULT_BINS if bins is None else bins
    check_bins(n_bins)
    total = (table.positives + table.negatives).astype(float)
    if strategy == "uniform":
        index = bin_of(table.scores, n_bins)
    else:
        index = np.minimum((np.cumsum(total) - total) * n_bins / total.sum() + 1e-9, n_bins - 1).astype(np.int64)
    starts = np.flatnonzero(np.append(True, index[1:] != index[:-1]))
    return starts if bins is not None else _join(starts, np.add.reduceat(_effective(table), starts))


def _effective(table: ScoreTable) -> Array:
    """Return the effective number of cases at each score."""
    effective = table.effective()
    return np.asarray(effective.positives + effective.negatives, float)


def _join(starts: NDArray[np.intp], n: Array) -> NDArray[np.intp]:
    """Join bins with too few cases to the next bin (at the end, to the previous one)."""
    joined: list[int] = []
    total = 0.0
    for start, cases in zip(starts.tolist(), n.tolist(), strict=True):
        if not joined or total >= MIN_CASES:
            joined.append(start)
            total = 0.0
        total += cases
    return np.array(joined[:-1] if total < MIN_CASES and len(joined) > 1 else joined)


@curve(
    "Calibration", "mean probability", "share of positives", needs="probabilities",
    lines=(Line("perfect calibration", UNIT, UNIT),), aliases=("reliability_diagram",),
    short="calibration", measure=expected_calibration_error, measure_title="calibration error",
)  # fmt: skip
def calibration(
    table: ScoreTable,
    bins: int | None = None,
    strategy: str = "uniform",
    confidence: float = 0.95,
    simultaneous: bool = False,
) -> Curve:
    """Share of positives against the mean predicted probability, by bins.

    ``strategy`` is "uniform" for bins of equal width, "quantile" for bins with equal numbers of cases, or "isotonic"
    for an isotonic regression without bins, with a band for such fits if probabilities are correct (Dimitriadis,
    Gneiting and Jordan 2021). By default there are ten bins, and neighbours are joined until each has 20 cases.
    ``simultaneous`` widens the intervals to hold for all bins at once (Bonferroni).
    """
    simultaneous = check_flag("simultaneous", simultaneous)
    if one_of("strategy", strategy, STRATEGIES) == "isotonic":
        return _isotonic(table, bins, confidence, simultaneous)
    starts = _bin_starts(table, bins, strategy)
    total = table.positives + table.negatives
    n, hits = (np.add.reduceat(column, starts)[::-1].astype(float) for column in (total, table.positives))
    mean = np.add.reduceat(total * table.scores.astype(float), starts)[::-1] / n
    level = 1 - (1 - confidence) / len(n) if simultaneous else confidence
    squares = total if table.squares is None else table.squares[0] + table.squares[1]
    effective_n = n**2 / np.add.reduceat(squares, starts)[::-1]  # differs from n only for real-valued weights
    band = wilson_interval(np.minimum(hits / n, 1) * effective_n, effective_n, Request(level))
    extra = {"low": np.asarray(band.low), "high": np.asarray(band.high), "n": n}
    kind = "simultaneous" if simultaneous else "pointwise"
    notes = (f"{kind} {confidence:.0%} band",)
    title = f"{100 * confidence:g} % interval{', simultaneous' if simultaneous else ''}"
    return CalibrationCurve(mean, divide(hits, n), mean, extra=extra, notes=notes, band=title)


def _isotonic(table: ScoreTable, bins: int | None, confidence: float, simultaneous: bool) -> Curve:
    """Fit an isotonic regression, with points between its steps for the band."""
    from scipy.optimize import isotonic_regression

    if bins is not None or simultaneous:
        raise HowsureError("`strategy` 'isotonic' has no bins; leave out `bins` and `simultaneous`.")
    total = (table.positives + table.negatives).astype(float)[::-1]
    scores = table.scores.astype(float)[::-1]
    used = total > 0
    fit = isotonic_regression(divide(table.positives[::-1], total)[used], weights=total[used])
    starts, ends = fit.blocks[:-1], fit.blocks[1:] - 1
    between = np.linspace(0, len(fit.x) - 1, min(len(fit.x), POINTS)).astype(int)
    rows = np.unique(np.concatenate([starts, ends, between]))
    block = np.searchsorted(starts, rows, side="right") - 1
    x = scores[used][rows]
    n = np.add.reduceat(total[used], starts)[block]
    request = Request(confidence, replicates=REPLICATES)
    low, high = consistency_band(table, x, request)
    simulated = f"{REPLICATES} simulations, seed {request.seed}"
    notes = (f"pointwise {confidence:.0%} band of isotonic fits if probabilities are correct, from {simulated}",)
    band = f"{100 * confidence:g} % of lines if probabilities are correct"
    extra = {"low": low, "high": high, "n": n}
    return CalibrationCurve(x, fit.x[rows], x, extra=extra, notes=notes, band=band, isotonic=True)


@dataclass(frozen=True)
class BrierParts(Result):
    """Decomposition of the Brier score (Murphy 1973).

    The Brier score is reliability - resolution + uncertainty, plus a part within bins.

    Attributes
    ----------
    reliability
        The mean squared difference between the probabilities and the shares of positives in their bins; lower is
        better.
    resolution
        The variance of these shares between bins; higher is better.
    uncertainty
        The Brier score of always predicting the share of positives.
    within
        The part of the Brier score that is lost within bins.
    brier
        The Brier score, which is the sum of the parts.

    Examples
    --------
    >>> import howsure
    >>> parts = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.8, 0.2, 0.8]).brier_parts()
    >>> round(parts.reliability, 3), round(parts.resolution, 3), round(parts.uncertainty, 3)
    (0.04, 0.25, 0.25)
    """

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
        within = f"{abs(self.within):.4f}"
        sign = "-" if self.within < 0 < float(within) else "+"
        return f"Brier score {self.brier:.4f} = {parts} {sign} {within} within bins"


def brier_parts(table: ScoreTable, bins: int | None = None) -> BrierParts:
    """Decompose the Brier score into reliability, resolution and uncertainty.

    Parameters
    ----------
    table
        Scores that are probabilities.
    bins
        The number of bins of equal width. Default: one bin for each distinct probability.

    Returns
    -------
    BrierParts
        The parts of the Brier score.

    Examples
    --------
    >>> from howsure import ScoreTable
    >>> from howsure.curves import brier_parts
    >>> print(brier_parts(ScoreTable.from_scores([1, 1, 0, 0], [0.9, 0.6, 0.6, 0.1])))
    Brier score 0.1350 = 0.0100 - 0.1250 + 0.2500 + 0.0000 within bins
    """
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
