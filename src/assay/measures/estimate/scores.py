"""From a score table and a measure to an `Estimate`: intervals from ranks, from losses, or from the bootstrap."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from assay.arrays import Array
from assay.checks import check_replicates, tail
from assay.errors import AssayError, must_be_one_of
from assay.intervals.auc import auc_error, auc_interval, hanley_mcneil_error
from assay.intervals.delta import delta
from assay.intervals.proportion import z_value
from assay.intervals.resampling import METHODS as RESAMPLED
from assay.intervals.resampling import MOST_NUMBERS, acceleration, bounds
from assay.measures.declare import Measure, registry
from assay.present.format import number
from assay.registry import canonical
from assay.results import Estimate, Interval, Made
from assay.tables import ScoreCounts, ScoreTable

GROUPS = 1024  # a bootstrap of the table joins neighbouring scores into at most this many groups
STRATIFIED = "bootstrap-stratified"
REPLICATES = 1000  # where "auto" means the bootstrap


@dataclass(frozen=True)
class ScoreTarget:
    """A measure of one score table."""

    measure: Measure
    table: ScoreTable
    parameters: dict[str, Any]
    original: ScoreTable | None = None  # before weights were scaled to the effective number of cases

    def values(self, counts: ScoreCounts) -> Array:
        return self.measure.value(counts, **self.parameters)

    @cached_property
    def value(self) -> float:
        """The value; what rounding puts outside the range by a last bit is at its end."""
        with np.errstate(all="ignore"):
            value = float(self.values(self.original.counts if self.original is not None else self.table.counts))
        if not np.isfinite(value):
            return np.nan
        low, high = self.span
        return min(max(value, low), high) if low - 1e-9 < value < high + 1e-9 else value

    @cached_property
    def span(self) -> tuple[float, float]:
        return self.measure.span(self.table.n, self.parameters)


def estimate_scores(table: ScoreTable, measure: str | Measure, *, of: str = "", **parameters: Any) -> Estimate:
    """Estimate a measure of scores.

    Examples
    --------
    >>> from assay import ScoreTable
    >>> from assay.measures import estimate_scores
    >>> table = ScoreTable.from_scores([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.3])
    >>> print(estimate_scores(table, "auc"))
    auc: 0.889, 95 % interval [0.261, 0.995] (delong), n = 6
    """
    declared = registry[measure] if isinstance(measure, str) else measure
    if declared.scope != "score":
        raise AssayError(f"`{declared.name}` is a measure of labels, not of scores.")
    declared.check(parameters)
    if declared.probability and not is_probability(table):
        reason = "the scores are not probabilities: they leave the range from 0 to 1"
        return Estimate(declared.name, np.nan, table.n, reason, of, basis=Made(partial(_no_interval, reason)))
    target = ScoreTarget(declared, table.effective(), parameters, table)
    table = target.table
    undefined = None if not np.isnan(target.value) else declared.undefined_when
    notes: tuple[str, ...] = ()
    if declared.of_auc is not None and undefined is None:
        slope, offset = declared.of_auc
        if target.value < slope / 2 + offset:
            better = number(slope + 2 * offset - target.value)
            notes = (f"worse than random: inverting the scores gives {better}",)
    return Estimate(
        declared.name,
        target.value,
        round(table.n, 9),
        undefined,
        of,
        notes,
        parameters=parameters,
        basis=Made(partial(score_interval, target)),
    )


def is_probability(table: ScoreTable) -> bool:
    return bool(table.scores[0] <= 1 and table.scores[-1] >= 0)


def _no_interval(reason: str, confidence: float, method: str, side: str, **_: Any) -> Interval:
    tail(confidence, side)
    return Interval(np.nan, np.nan, confidence, "none", side, notes=(reason,))


def methods_of(target: ScoreTarget) -> list[str]:
    own = ["delong", "hanley-mcneil"] if target.measure.of_auc else []
    return ["auto", *own, *(["delta"] if _losses(target) is not None else []), *RESAMPLED, STRATIFIED]


def score_interval(
    target: ScoreTarget, confidence: float, method: str, side: str, *, replicates: int, seed: int
) -> Interval:
    """Give the interval of a measure of scores by a named method; "auto" picks one that suits the measure."""
    tail(confidence, side)
    method = canonical(method).replace("_", "-") if isinstance(method, str) else method
    known = methods_of(target)
    if method not in known:
        must_be_one_of("method", known, given=method)
    if np.isnan(target.value):
        return _no_interval(target.measure.undefined_when, confidence, method, side)
    if method in (*RESAMPLED, STRATIFIED):
        return _resampled(target, confidence, method, side, replicates, seed)
    if target.measure.of_auc is not None:
        return _ranked(target, confidence, "delong" if method == "auto" else method, side)
    if _losses(target) is not None:
        return _mean_loss(target, confidence, side)
    return _resampled(target, confidence, "bca", side, REPLICATES, seed)


def _ranked(target: ScoreTarget, confidence: float, method: str, side: str) -> Interval:
    slope, offset = target.measure.of_auc or (1.0, 0.0)
    area, error = auc_error(target.table)
    if method == "hanley-mcneil":
        error = hanley_mcneil_error(area, target.table.n_positive, target.table.n_negative)
    found = auc_interval(target.table, area, error, confidence, side, method)
    return replace(found, low=slope * found.low + offset, high=slope * found.high + offset)


def _losses(target: ScoreTarget) -> tuple[Array, Array] | None:
    """Loss of a positive and of a negative at each score, for measures that are a mean of losses; else None."""
    if target.measure.loss is None:
        return None
    return target.measure.loss(target.table.scores.astype(float))


def _mean_loss(target: ScoreTarget, confidence: float, side: str) -> Interval:
    """Normal interval of a mean; where all losses are equal, that of a sample with z² cases of extreme loss added."""
    of_positive, of_negative = _losses(target) or (np.empty(0), np.empty(0))
    table, value = target.table, target.value
    squares = table.squares or (table.positives, table.negatives)
    total = table.n
    variance = (squares[0] * (of_positive - value) ** 2).sum() + (squares[1] * (of_negative - value) ** 2).sum()
    error = float(np.sqrt(variance)) / total
    if error > 1e-12 and target.span[0] < value < target.span[1]:
        return delta(value, error, target.span, confidence, side)
    added = z_value(tail(confidence, "two-sided")) ** 2
    worst = min(target.span[1], 2 * max(value, float(np.log(2))))
    mean = (total * value + added * worst / 2) / (total + added)
    spread = (total * (value - mean) ** 2 + added / 2 * (mean**2 + (worst - mean) ** 2)) / (total + added)
    found = delta(mean, float(np.sqrt(spread / (total + added))), target.span, confidence, side)
    note = "no sampling error is visible, so z² cases, half of them with no loss and half with a large one, were added"
    low, high = min(found.low, value), max(found.high, value)
    return Interval(low, high, confidence, "delta-smoothed", side, notes=(note,))


def _resampled(target: ScoreTarget, confidence: float, method: str, side: str, replicates: int, seed: int) -> Interval:
    check_replicates(replicates, seed)
    table = target.table.thinned(GROUPS)
    thinned = replace(target, table=table, original=None)
    notes: tuple[str, ...] = ()
    if len(table) < len(target.table):
        notes = (f"the scores were joined into {len(table)} groups for the bootstrap",)
    drawn = replicate_scores(thinned, replicates, seed, stratified=method == STRATIFIED)
    kept = drawn[np.isfinite(drawn)]
    if not len(kept) or np.ptp(kept) < 1e-12:
        notes = (*notes, "every replicate is equal, so z² cases spread over all scores were added")
        smooth = replace(thinned, table=table.smoothed(z_value(tail(confidence, "two-sided")) ** 2))
        drawn = replicate_scores(smooth, replicates, seed)
        low, high, more = bounds(drawn, target.value, confidence, side, "bootstrap")
        low, high, method = min(low, target.value), max(high, target.value), f"{method}-smoothed"
        if low == high:  # half of the replicates are at the end of the range; the next one tells the width
            low, high = (float(drawn[drawn < low].max(initial=low)), float(drawn[drawn > high].min(initial=np.inf)))
            high = low if np.isinf(high) else high
    else:
        drawn = drawn + (target.value - thinned.value)  # joining scores moves the value a little: move it back
        kind = "bootstrap" if method == STRATIFIED else method
        low, high, more = bounds(drawn, target.value, confidence, side, kind, _acceleration(thinned, kind))
        if kind == "bca":  # a measure that is a maximum may lie outside the middle of its replicates
            low, high = min(low, target.value), max(high, target.value)
    lowest, highest = target.span
    low = lowest if side == "upper" else max(low, lowest)
    high = highest if side == "lower" else min(high, highest)
    return Interval(low, high, confidence, method, side, replicates, seed, (*notes, *more))


def replicate_scores(target: ScoreTarget, replicates: int, seed: int, *, stratified: bool = False) -> Array:
    """Draw bootstrap values, the same for a seed however the work is divided."""
    table, rng = target.table, np.random.default_rng(seed)
    block = max(1, MOST_NUMBERS // (2 * len(table)))
    values = []
    for start in range(0, replicates, block):
        drawn = table.resample(rng, min(block, replicates - start), stratified=stratified)
        with np.errstate(all="ignore"):
            values.append(target.values(ScoreCounts(*drawn, table.scores)))
    return np.concatenate(values)


def _acceleration(target: ScoreTarget, method: str) -> float:
    """BCa's acceleration from leaving out one case of each group of a coarser table."""
    if method != "bca":
        return 0.0
    table = target.table.thinned(256)
    counts = np.concatenate([table.positives, table.negatives]).astype(float)
    there, m = np.flatnonzero(counts), len(table)
    left = np.tile(counts, (len(there), 1))
    left[np.arange(len(there)), there] -= np.minimum(1, counts[there])
    with np.errstate(all="ignore"):
        values = target.values(ScoreCounts(left[:, :m], left[:, m:], table.scores))
    good = np.isfinite(values)
    centre = np.average(values[good], weights=counts[there][good])
    return acceleration(centre - values[good], counts[there][good])
