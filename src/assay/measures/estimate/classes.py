"""Scores of more than two classes: averages over one-versus-rest tables, and measures of whole rows."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from assay.arrays import Array
from assay.checks import check_replicates, tail
from assay.data.encode import Label
from assay.errors import listing, must_be_one_of
from assay.intervals.delta import delta
from assay.intervals.proportion import methods as proportions
from assay.intervals.proportion import wilson
from assay.intervals.resampling import METHODS as RESAMPLED
from assay.intervals.resampling import bounds
from assay.kernels.resample import draw_counts
from assay.measures.declare import Measure, Ratio
from assay.registry import canonical
from assay.results import Estimate, Interval, Made
from assay.tables import ClassScores, ScoreCounts, ScoreRows

AVERAGES = ("macro", "micro", "weighted")
GROUPS = 512
BOOTSTRAP = 200  # replicates where "auto" has to draw them


def _average(values: Array, support: Array, average: str) -> float:
    weight = np.where(np.isnan(values), 0, 1.0 if average == "macro" else support)
    return float((weight * np.nan_to_num(values)).sum() / weight.sum()) if weight.sum() else np.nan


def averaged(
    scores: ClassScores, measure: Measure, average: str, parameters: dict[str, Any]
) -> tuple[float, list[Label]]:
    """Average a measure over the classes that have a value, and tell which have none."""
    if average == "micro":
        return float(measure.value(scores.pooled.counts, **parameters)), []
    values = np.array([float(measure.value(table.counts, **parameters)) for table in scores.tables])
    support = np.array([table.n_positive for table in scores.tables])
    return _average(values, support, average), [
        label for label, value in zip(scores.labels, values, strict=True) if np.isnan(value)
    ]


def estimate_classes(
    scores: ClassScores, measure: Measure, *, average: str | None = None, **parameters: Any
) -> Estimate:
    """Estimate a measure of scores of many classes: an average of classes against the rest, or of whole rows."""
    measure.check(parameters)
    if measure.probability and not probabilities(scores.rows.scores):
        reason = (
            "the scores are not probabilities: they leave the range from 0 to 1, or do not add up to 1 within 0.001"
        )
        return _estimate(measure, np.nan, scores, reason, "", partial(_none, reason))
    if average is None and measure.row_loss is not None:
        losses = measure.row_loss(scores.rows)
        value = float(np.average(losses, weights=scores.rows.weight))
        return _estimate(measure, value, scores, None, "", partial(_loss_interval, scores, measure, losses, value))
    if measure.scope == "rows":
        return _of_rows(scores, measure, parameters)
    average = average or "macro"
    if average not in AVERAGES:
        must_be_one_of("average", AVERAGES, given=average)
    value, left_out = averaged(scores, measure, average, parameters)
    notes: tuple[str, ...] = ()
    if left_out and not np.isnan(value):
        kept = len(scores.labels) - len(left_out)
        named = listing([repr(label) for label in left_out])
        notes = (f"averaged over {kept} of {len(scores.labels)} classes; left out: {named} ({measure.undefined_when})",)
    undefined = measure.undefined_when if np.isnan(value) else None
    make = partial(_average_interval, scores, measure, average, parameters, value)
    return _estimate(measure, value, scores, undefined, f"{average} average", make, notes, parameters)


def _estimate(
    measure: Measure,
    value: float,
    scores: ClassScores,
    undefined: str | None,
    of: str,
    make: Any,
    notes: Any = (),
    parameters: Any = None,
) -> Estimate:
    n = round(scores.n, 9)
    return Estimate(measure.name, value, n, undefined, of, notes, parameters=parameters or {}, basis=Made(make))


def _none(reason: str, confidence: float, method: str, side: str, **_: Any) -> Interval:
    tail(confidence, side)
    return Interval(np.nan, np.nan, confidence, "none", side, notes=(reason,))


def probabilities(matrix: Array, tolerance: float = 1e-3) -> bool:
    """Tell whether all rows are probabilities that add up to 1 within the tolerance."""
    inside = matrix.min() >= 0 and matrix.max() <= 1
    return bool(inside and np.abs(matrix.sum(1) - 1).max() <= tolerance)


def _of_rows(scores: ClassScores, measure: Measure, parameters: dict[str, Any]) -> Estimate:
    result = measure.kernel(scores.rows, **parameters)
    if isinstance(result, Ratio):
        value = float(result.numerator) / float(result.denominator)
        return _estimate(measure, value, scores, None, "", partial(_ratio_interval, value, scores.n), (), parameters)
    value = float(result)
    reason = measure.undefined_when if np.isnan(value) else None
    make = partial(_row_interval, scores, measure, parameters, value)
    empty = [repr(label) for label, table in zip(scores.labels, scores.tables, strict=True) if not table.n_positive]
    notes = (f"no case belongs to {listing(empty)}, which is left out",) if empty and reason is None else ()
    return _estimate(measure, value, scores, reason, "", make, notes, parameters)


def _ratio_interval(value: float, n: float, confidence: float, method: str, side: str, **_: Any) -> Interval:
    method = canonical(method).replace("_", "-")
    if method != "auto" and method not in proportions:
        must_be_one_of("method", ["auto", *proportions], given=method)
    return proportions["wilson" if method == "auto" else method](value * n, n, confidence, side)


def _loss_interval(
    scores: ClassScores, measure: Measure, losses: Array, value: float, confidence: float, method: str, side: str,
    *, replicates: int, seed: int,
) -> Interval:  # fmt: skip
    """Normal interval of a mean of losses."""
    if canonical(method) not in ("auto", "delta"):
        must_be_one_of("method", ("auto", "delta"), given=method)
    top = 2.0 if measure.range[1] == 1 else measure.range[1]  # the Brier score of many classes goes to 2
    squares = scores.rows.weight if scores.square is None else scores.square
    error = float(np.sqrt((squares * (losses - value) ** 2).sum()) / scores.rows.weight.sum())
    if error > 1e-12 and 0 < value < top:
        return delta(value, error, (0.0, top), confidence, side)
    share = wilson(scores.n * min(value / min(top, 2), 1), scores.n, confidence, side)
    scale = min(top, 2.0) if value <= 2 else value
    note = "all losses are equal, so this is Wilson's interval of a share of the largest loss"
    low, high = min(share.low * scale, value), max(share.high * scale, value)
    return Interval(low, high, confidence, "wilson-scaled", side, notes=(note,))


def _average_interval(
    scores: ClassScores, measure: Measure, average: str, parameters: dict[str, Any], value: float,
    confidence: float, method: str, side: str, *, replicates: int, seed: int,
) -> Interval:  # fmt: skip
    method = canonical(method).replace("_", "-")
    ranked = measure.of_auc is not None and average != "micro"
    known = ["auto", *(["delong"] if ranked else []), "bootstrap", "percentile", "basic"]
    if method not in known:
        must_be_one_of("method", known, given=method)
    if np.isnan(value):
        return _none(measure.undefined_when, confidence, method, side)
    if ranked and method in ("auto", "delong"):
        slope, offset = measure.of_auc or (1.0, 0.0)
        error = slope * _auc_error(scores, average)
        if error > 1e-12 and measure.range[0] < value < measure.range[1]:
            found = delta(value, error, measure.range, confidence, side)
            return Interval(found.low, found.high, confidence, found.method.replace("delta", "delong"), side)
        least = min(min(table.n_positive, table.n_negative) for table in scores.tables if table.n_positive)
        share = wilson(least * (value - offset) / slope, least, confidence, side)
        note = f"no sampling error is visible, so this is Wilson's interval of the {least:g} cases of the rarest class"
        return Interval(
            slope * share.low + offset, slope * share.high + offset, confidence, "delong-wilson", side, notes=(note,)
        )

    grouped = _grouped(scores, pooled=average == "micro")

    def evaluate(weight: Array) -> float:
        counted = []
        for place, (group, thin) in enumerate(grouped):
            is_class = scores.rows.truth == place
            parts = [np.bincount(group[rows], weight[rows], len(thin)) for rows in (is_class, ~is_class)]
            counted.append(ScoreCounts(parts[0], parts[1], thin))
        if average == "micro":
            positives, negatives = np.sum([[c.positives, c.negatives] for c in counted], axis=0)
            return float(measure.value(ScoreCounts(positives, negatives, counted[0].scores), **parameters))
        values = np.array([float(measure.value(c, **parameters)) for c in counted])
        return _average(values, np.array([c.positives.sum() for c in counted]), average)

    return _drawn(scores, evaluate, measure, value, confidence, method, side, replicates, seed)


def _grouped(scores: ClassScores, pooled: bool) -> list[tuple[Array, Array]]:
    """Give each case its group in the thinned table of each class, or of all classes together."""
    found = []
    for place, own in enumerate(scores.tables):
        thin = (scores.pooled if pooled else own).thinned(GROUPS)
        group = np.searchsorted(-thin.scores, -scores.rows.scores[:, place], side="left")
        found.append((np.minimum(group, len(thin) - 1), thin.scores))
    return found


def _row_interval(
    scores: ClassScores, measure: Measure, parameters: dict[str, Any], value: float,
    confidence: float, method: str, side: str, *, replicates: int, seed: int,
) -> Interval:  # fmt: skip
    method = canonical(method).replace("_", "-")
    if method not in ("auto", "bootstrap", "percentile", "basic"):
        must_be_one_of("method", ("auto", "bootstrap", "percentile", "basic"), given=method)
    if np.isnan(value):
        return _none(measure.undefined_when, confidence, method, side)

    def evaluate(weight: Array) -> float:
        return float(measure.value(ScoreRows(scores.rows.truth, scores.rows.scores, weight), **parameters))

    return _drawn(scores, evaluate, measure, value, confidence, method, side, replicates, seed)


def _drawn(
    scores: ClassScores, evaluate: Any, measure: Measure, value: float, confidence: float, method: str, side: str,
    replicates: int, seed: int,
) -> Interval:  # fmt: skip
    """Bootstrap the cases: each replicate weighs them by how often they are drawn."""
    if method == "auto":
        method, replicates = "bootstrap", BOOTSTRAP
    check_replicates(replicates, seed)
    rng, base = np.random.default_rng(seed), scores.rows.weight.astype(float)
    centre = evaluate(base)  # of the grouped scores, which may differ a little from the exact value
    with np.errstate(all="ignore"):
        drawn = np.array([evaluate(draw_counts(base, scores.square, rng, 1)[0]) for _ in range(replicates)])
    drawn = drawn + (value - centre)
    kept = drawn[np.isfinite(drawn)]
    if not len(kept) or np.ptp(kept) < 1e-12:
        found = wilson(
            scores.n * (value - measure.range[0]) / (measure.range[1] - measure.range[0]), scores.n, confidence, side
        )
        width = measure.range[1] - measure.range[0]
        note = "every replicate is equal, so this is Wilson's interval of as many cases"
        low, high = (measure.range[0] + width * end for end in (found.low, found.high))
        return Interval(low, high, confidence, f"{method}-wilson", side, notes=(note,))
    low, high, notes = bounds(drawn, value, confidence, side, "bootstrap" if method not in RESAMPLED else method)
    low = measure.range[0] if side == "upper" else max(min(low, value), measure.range[0])
    high = measure.range[1] if side == "lower" else min(max(high, value), measure.range[1])
    return Interval(low, high, confidence, method, side, replicates, seed, notes)


def _auc_error(scores: ClassScores, average: str) -> float:
    """Standard error of an average of one-versus-rest AUCs, from each case's influence on all of them at once.

    The classes' areas share the cases, so their errors are not independent; adding up a case's influences is
    DeLong's covariance without the matrix.
    """
    truth, weight = scores.rows.truth, scores.rows.weight.astype(float)
    total = np.zeros(len(truth))
    areas, shares = [], []
    placements = []
    for place, table in enumerate(scores.tables):
        if not (table.n_positive and table.n_negative):
            continue
        p, q = table.positives.astype(float), table.negatives.astype(float)
        above, below = (np.cumsum(p) - p / 2) / p.sum(), 1 - (np.cumsum(q) - q / 2) / q.sum()
        where = np.searchsorted(-table.scores, -scores.rows.scores[:, place], side="left")
        is_class = truth == place
        area = float((q * above).sum() / q.sum())
        influence = np.where(is_class, (below[where] - area) / p.sum(), (above[where] - area) / q.sum())
        areas.append(area)
        shares.append(p.sum())
        placements.append((influence, is_class))
    weights = np.ones(len(areas)) if average == "macro" else np.array(shares)
    mean = float(np.average(areas, weights=weights))
    for (influence, is_class), area, share in zip(placements, areas, weights / weights.sum(), strict=True):
        total += share * influence
        if average == "weighted":
            total += is_class * (area - mean) / sum(shares)
    squares = weight if scores.square is None else scores.square
    return float(np.sqrt((squares * total**2).sum()))
