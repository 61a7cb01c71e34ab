"""Intervals for the area under the ROC curve."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from assay.errors import AssayError
from assay.intervals.delta import delta
from assay.intervals.proportion import wilson
from assay.kernels.ranking import concordant
from assay.results import Interval
from assay.tables import ScoreTable
from assay.tables.counts import Block


def delong(truth: ArrayLike, scores: ArrayLike, confidence: float = 0.95, side: str = "two-sided") -> Interval:
    """DeLong's interval (1988) of the AUC, on the logit scale; ``truth`` tells which cases are positive.

    Examples
    --------
    >>> from assay.intervals import delong
    >>> print(delong([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.3]))
    [0.261, 0.995]
    """
    table = ScoreTable.from_scores(np.asarray(truth), scores)
    if not (table.n_positive and table.n_negative):
        raise AssayError("`truth` must hold positives and negatives; all cases are of one class.")
    value, error = auc_error(table)
    return auc_interval(table, value, error, confidence, side)


def auc_error(table: ScoreTable) -> tuple[float, float]:
    """Give the AUC and DeLong's standard error of it, in one pass over a table already sorted.

    All positives at one score have the same placement (the share of negatives below), so the variance of the
    placements is a sum over distinct scores.
    """
    n_p, n_q = table.n_positive, table.n_negative
    pairs = concordant(table.positives, table.negatives)
    if pairs is None:
        pairs = sum(float((b.negatives * (b.tp - b.positives / 2)).sum()) for b in table.counts.blocks())
    value = pairs / (n_p * n_q)
    squares = table.squares or (table.positives, table.negatives)

    def spread(block: Block) -> tuple[float, float]:
        below = block.negatives * (0.5 / n_q)  # to be the share of negatives below, less its mean
        below -= block.fp * (1 / n_q)
        below += 1 - value
        above = block.positives * (-0.5 / n_p)  # to be the share of positives above, less its mean
        above += block.tp * (1 / n_p)
        above -= value
        below *= below
        above *= above
        return float((squares[0][block.part] * below).sum()), float((squares[1][block.part] * above).sum())

    spreads = map(spread, table.counts.blocks())
    of_positives, of_negatives = (sum(column) for column in zip(*spreads, strict=True))
    if table.squares is None:
        return value, math.sqrt(of_positives / max(n_p * (n_p - 1), 1) + of_negatives / max(n_q * (n_q - 1), 1))
    return value, math.sqrt(of_positives / n_p**2 + of_negatives / n_q**2)


def hanley_mcneil_error(value: float, n_positive: float, n_negative: float) -> float:
    """Standard error of an AUC from its value alone (Hanley and McNeil 1982), for exponential scores."""
    q1, q2 = value / (2 - value), 2 * value**2 / (1 + value)
    spread = value * (1 - value) + (n_positive - 1) * (q1 - value**2) + (n_negative - 1) * (q2 - value**2)
    return math.sqrt(max(spread, 0) / (n_positive * n_negative))


def auc_interval(
    table: ScoreTable, value: float, error: float, confidence: float, side: str, name: str = "delong"
) -> Interval:
    """Give the interval on the logit scale; without visible error, that of as many pairs as are independent.

    min(positives, negatives) pairs share no case, so their concordance is a proportion of that many trials.
    """
    if error > 1e-12 and 0 < value < 1:
        width = value * (1 - value)
        reach = delta(0.0, error / width, (-math.inf, math.inf), confidence, side)
        odds = math.log(value / (1 - value))
        low = 0.0 if side == "upper" else 1 / (1 + math.exp(min(-odds - reach.low, 700)))
        high = 1.0 if side == "lower" else 1 / (1 + math.exp(max(-odds - reach.high, -700)))
        return Interval(low, high, confidence, name, side)
    pairs = min(table.n_positive, table.n_negative)
    found = wilson(value * pairs, pairs, confidence, side)
    note = f"no sampling error is visible in the ranks, so this is Wilson's interval of {pairs:g} independent pairs"
    return Interval(found.low, found.high, confidence, f"{name}-wilson", side, notes=(note,))
