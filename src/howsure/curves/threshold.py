"""Measures of labels against the threshold, and the best threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array, Floats
from howsure.checks import check_shares, check_type
from howsure.curves.curve import Curve
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError
from howsure.measures import Measure, registry
from howsure.tables import BinaryCounts, LabelCounts, ScoreCounts, ScoreTable


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdCurve(Curve):
    """A measure against the threshold.

    Attributes
    ----------
    best
        The index of the best value, or None for a measure without a better direction.

    Examples
    --------
    >>> import howsure
    >>> curve = howsure.assess([0, 1, 0, 1, 1], scores=[0.2, 0.7, 0.4, 0.9, 0.3]).by_threshold("f1")
    >>> curve.thresholds[curve.best].item(), round(curve.y[curve.best].item(), 3)
    (0.3, 0.857)
    """

    best: int | None = None


def values_at_thresholds(counts: ScoreCounts, measure: Measure, parameters: dict[str, Any]) -> Array:
    """Evaluate a measure at every threshold; the first exceeds all scores."""
    start = np.zeros((*counts.positives.shape[:-1], 1))
    tp, fp = (np.concatenate([start, column], -1) for column in (counts.tp, counts.fp))
    fn, tn = tp[..., -1:] - tp, fp[..., -1:] - fp
    with np.errstate(all="ignore"):
        if measure.scope == "class":
            return measure.value(BinaryCounts(tp, fp, fn, tn), **parameters)
        cells = np.stack([np.stack([tn, fp], -1), np.stack([fn, tp], -1)], -2)
        return measure.value(LabelCounts.of(cells), **parameters)


def reweighed(counts: ScoreCounts, shares: Floats | None) -> ScoreCounts:
    """Scale negatives and positives to other class proportions."""
    if shares is None:
        return counts
    n, p, q = counts.n, counts.n_positive, counts.n_negative
    up, down = (share * n / total if total else 0.0 for share, total in ((shares[1], p), (shares[0], q)))
    return ScoreCounts(counts.positives * up, counts.negatives * down, counts.scores)


@shared_texts
def by_threshold(table: ScoreTable, measure: str, *, shares: Floats | None = None, **parameters: Any) -> ThresholdCurve:
    """Evaluate a measure of labels at every threshold.

    Parameters
    ----------
    table
        The scores.
    measure
        The name of a measure of labels. A measure of one class is computed for the positive class.
    shares
        The proportions of negatives and positives in deployment, if they differ from those in the sample.
    {measure_parameters}

    Returns
    -------
    ThresholdCurve
        The measure at every threshold, with the best one.

    Examples
    --------
    >>> from howsure import ScoreTable
    >>> from howsure.curves import by_threshold
    >>> curve = by_threshold(ScoreTable.from_scores([1, 1, 0, 0], [0.9, 0.6, 0.7, 0.1]), "accuracy")
    >>> curve.y.tolist()
    [0.5, 0.75, 0.5, 0.75, 0.5]
    """
    check_type("table", table, ScoreTable, "a ScoreTable")
    declared = registry[measure]
    if declared.scope not in ("class", "overall"):
        raise HowsureError(f"`{declared.name}` does not depend on a threshold.")
    declared.check(parameters)
    shares = None if shares is None else check_shares("shares", shares, 2)
    values = values_at_thresholds(reweighed(table.counts, shares), declared, parameters)
    best = None if declared.better is None or np.isnan(values).all() else best_index(values, declared.better)
    return ThresholdCurve(
        table.thresholds, values, table.thresholds, name=declared.name, title=f"{declared.title} by threshold",
        x_title="threshold", y_title=declared.title, short=declared.title, n=round(table.effective().n, 9), best=best,
        steps="previous",
    )  # fmt: skip


def best_index(values: Array, better: str | None) -> int:
    """Return the index of the best value; ties go to the highest threshold."""
    sign = -1.0 if better == "lower" else 1.0
    return int(np.where(np.isnan(values), -np.inf, sign * values).argmax())
