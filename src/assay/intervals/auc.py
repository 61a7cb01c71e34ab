"""Intervals for the area under the ROC curve."""

from __future__ import annotations

import math
from dataclasses import replace

from numpy.typing import ArrayLike

from assay.arrays import Array
from assay.checks import check_scores
from assay.errors import AssayError
from assay.intervals.declare import Basis, Ranks, Request, method
from assay.intervals.delta import NO_SPREAD, delta
from assay.intervals.proportion import wilson_interval
from assay.kernels.ranking import Block, blocks, concordant, rank
from assay.results import Interval


def delong(truth: ArrayLike, scores: ArrayLike, confidence: float = 0.95, side: str = "two-sided") -> Interval:
    """DeLong's interval (1988) of the AUC, on the logit scale; ``truth`` tells which cases are positive.

    Examples
    --------
    >>> from assay.intervals import delong
    >>> print(delong([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.3]))
    [0.261, 0.995]
    """
    flags, values = check_scores(truth, scores)
    _, positives, negatives = rank(values, flags)
    if not (positives.any() and negatives.any()):
        raise AssayError("`truth` must hold positives and negatives; all cases are of one class.")
    return auc_interval(auc_error(positives, negatives), Request(confidence, side), "delong")


@method("delong", title="DeLong's interval", needs="placements", source="DeLong, DeLong and Clarke-Pearson 1988")
def _delong(basis: Basis, request: Request) -> Interval:
    """Take the variance of the placements of each class, on the logit scale near the ends of the range."""
    return basis.from_placements(request)


@method("hanley-mcneil", title="Hanley and McNeil's interval", needs="ranks", source="Hanley and McNeil 1982")
def _hanley_mcneil(basis: Basis, request: Request) -> Interval:
    """Take the variance that exponential scores with this area would have, on the logit scale."""
    ranks = basis.ranks
    error = hanley_mcneil_error(ranks.area, ranks.n_positive, ranks.n_negative)
    return auc_interval(replace(ranks, error=error), request, "hanley-mcneil")


def auc_error(positives: Array, negatives: Array, squares: tuple[Array, Array] | None = None) -> Ranks:
    """Give the AUC and DeLong's standard error of it, in one pass over counts by falling score.

    All positives at one score have the same placement (the share of negatives below), so the variance of the
    placements is a sum over distinct scores.
    """
    n_p, n_q = float(positives.sum()), float(negatives.sum())
    pairs = concordant(positives, negatives)
    if pairs is None:
        pairs = sum(float((b.negatives * (b.tp - b.positives / 2)).sum()) for b in blocks(positives, negatives))
    area = pairs / (n_p * n_q)
    variances = squares or (positives, negatives)

    def spread(block: Block) -> tuple[float, float]:
        below = block.negatives * (0.5 / n_q)  # to be the share of negatives below, less its mean
        below -= block.fp * (1 / n_q)
        below += 1 - area
        above = block.positives * (-0.5 / n_p)  # to be the share of positives above, less its mean
        above += block.tp * (1 / n_p)
        above -= area
        below *= below
        above *= above
        return float((variances[0][block.part] * below).sum()), float((variances[1][block.part] * above).sum())

    spreads = map(spread, blocks(positives, negatives))
    of_positives, of_negatives = (sum(column) for column in zip(*spreads, strict=True))
    if squares is None:
        error = math.sqrt(of_positives / max(n_p * (n_p - 1), 1) + of_negatives / max(n_q * (n_q - 1), 1))
    else:
        error = math.sqrt(of_positives / n_p**2 + of_negatives / n_q**2)
    return Ranks(area, error, n_p, n_q)


def hanley_mcneil_error(area: float, n_positive: float, n_negative: float) -> float:
    """Standard error of an AUC from its value alone (Hanley and McNeil 1982), for exponential scores."""
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    spread = area * (1 - area) + (n_positive - 1) * (q1 - area**2) + (n_negative - 1) * (q2 - area**2)
    return math.sqrt(max(spread, 0) / (n_positive * n_negative))


def auc_interval(ranks: Ranks, request: Request, name: str) -> Interval:
    """Give the interval on the logit scale; without visible error, that of as many pairs as are independent.

    min(positives, negatives) pairs share no case, so their concordance is a proportion of that many trials.
    """
    area = ranks.area
    if ranks.error > NO_SPREAD and 0 < area < 1:
        reach = delta(0.0, ranks.error / (area * (1 - area)), (-math.inf, math.inf), request)
        odds = math.log(area / (1 - area))
        low = 0.0 if request.side == "upper" else 1 / (1 + math.exp(min(-odds - reach.low, 700)))
        high = 1.0 if request.side == "lower" else 1 / (1 + math.exp(max(-odds - reach.high, -700)))
        interval = request.close(low, high, name, (0.0, 1.0))
    else:
        pairs = min(ranks.n_positive, ranks.n_negative)
        note = f"no sampling error is visible in the ranks, so this is Wilson's interval of {pairs:g} independent pairs"
        interval = replace(wilson_interval(area * pairs, pairs, request), method=f"{name}-wilson", notes=(note,))
    return replace(
        interval, low=ranks.slope * interval.low + ranks.offset, high=ranks.slope * interval.high + ranks.offset
    )
