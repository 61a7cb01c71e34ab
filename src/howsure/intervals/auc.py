"""Intervals for the area under the ROC curve.

An area is a mean of placements, and with few cases of a class a mean of few numbers between 0 and 1. DeLong's normal
interval takes their spread as known, and where the area is far from one half the rare bad placements may not be in the
sample at all. The default takes Student's quantile for the first, and for the second the wider of DeLong's interval and
Newcombe's, whose spread follows from the area alone. `docs/decisions/2026-11-16-score-intervals.md` has the coverage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from numpy.typing import ArrayLike

from howsure.arrays import Array
from howsure.checks import check_scores
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError
from howsure.intervals.declare import Basis, Ranks, Request, method
from howsure.intervals.delta import NO_SPREAD
from howsure.intervals.proportion import wilson_interval, z_value
from howsure.intervals.roots import bisect
from howsure.kernels.ranking import Block, blocks, concordant, rank
from howsure.results import Interval

LEAST_OF_A_CLASS = 3  # with fewer no method measured holds 95 %
FEW_CASES = 5  # of a class; below, a perfect area may be chance, and Newcombe's interval alone is too narrow
MOST_SKEW = 0.4  # of a proportion of as many pairs; above, unseen placements matter


@shared_texts
def delong(truth: ArrayLike, scores: ArrayLike, confidence: float = 0.95, side: str = "two-sided") -> Interval:
    """DeLong's interval (1988) of the AUC, on the logit scale.

    Parameters
    ----------
    truth
        Which cases are positive.
    scores
        The score of each case.
    {confidence}
    {side}

    Returns
    -------
    Interval
        Of the AUC, within 0 and 1.

    Examples
    --------
    >>> from howsure.intervals import delong
    >>> print(delong([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.3]))
    [0.261, 0.995]
    """
    flags, values = check_scores(truth, scores)
    _, positives, negatives = rank(values, flags)
    if not (positives.any() and negatives.any()):
        raise HowsureError("`truth` must hold positives and negatives; all cases are of one class.")
    return auc_interval(auc_error(positives, negatives), Request(confidence, side), "delong")


@method("delong", title="DeLong's interval", needs="placements", source="DeLong, DeLong and Clarke-Pearson 1988")
def _delong(basis: Basis, request: Request) -> Interval:
    """Take the variance of the placements of each class, on the logit scale near the ends of the range."""
    return basis.from_placements(request)


@method("delong-t", title="DeLong's interval with Student's quantile", needs="ranks", source="Brunner and Munzel 2000")
def _delong_t(basis: Basis, request: Request) -> Interval:
    """Take DeLong's error with Satterthwaite's degrees of freedom, on the logit scale."""
    return auc_interval(basis.ranks, request, "delong-t", student(basis.ranks.freedom, request))


@method("newcombe-auc", title="Newcombe's score interval of the AUC", needs="ranks", source="Newcombe 2006, method 5")
def _newcombe_auc(basis: Basis, request: Request) -> Interval:
    """Take the areas from which this one is no further than the error that they would have themselves."""
    return _in_units(newcombe_auc(basis.ranks, request), basis.ranks)


@method("delong-newcombe", title="DeLong's or Newcombe's interval, the wider where ranks are skewed", needs="ranks")
def _delong_newcombe(basis: Basis, request: Request) -> Interval:
    """Take DeLong's interval with Student's quantile; where the area is extreme for its cases, Newcombe's if wider."""
    ranks = basis.ranks
    least = min(ranks.n_positive, ranks.n_negative)
    if (least if ranks.least is None else ranks.least) < LEAST_OF_A_CLASS:
        return request.undefined(too_few(ranks.n_positive, ranks.n_negative), "delong-newcombe")
    plain = replace(ranks, slope=1.0, offset=0.0)
    spread = math.sqrt(max(least * ranks.area * (1 - ranks.area), 0.0))
    is_skewed, is_small = abs(2 * ranks.area - 1) >= MOST_SKEW * spread, least < FEW_CASES
    quantile = student(ranks.freedom, request) if is_small or not is_skewed else z_value(request.alpha)
    usual = auc_interval(plain, request, "delong-newcombe", quantile)
    if not is_skewed:
        return _in_units(usual, ranks)
    by_area = newcombe_auc(plain, request)
    if not (0 < ranks.area < 1 or is_small):
        return _in_units(replace(by_area, method="delong-newcombe"), ranks)
    low, high = min(usual.low, by_area.low), max(usual.high, by_area.high)
    return _in_units(request.close(low, high, "delong-newcombe", (0.0, 1.0)), ranks)


@dataclass(frozen=True)
class Areas:
    """A mean of areas under ROC curves; the estimate is ``slope`` times it, plus ``offset``."""

    mean: float
    error: float
    sizes: tuple[tuple[float, float], ...]  # positives and negatives of each
    shares: tuple[float, ...]  # of each in the mean
    slope: float = 1.0
    offset: float = 0.0

    @property
    def freedom(self) -> float:
        """Satterthwaite's degrees of freedom, with variances that are as the classes are rare."""
        variances = [share**2 / size[0] for share, size in zip(self.shares, self.sizes, strict=True)]
        parts = (v**2 / max(size[0] - 1, 1.0) for v, size in zip(variances, self.sizes, strict=True))
        return sum(variances) ** 2 / sum(parts)

    @property
    def pairs(self) -> float:
        """Independent pairs that the mean is worth."""
        return 1 / sum(share**2 / min(size) for share, size in zip(self.shares, self.sizes, strict=True))


@method("delong-newcombe-mean", title="the same for a mean of areas", needs="areas")
def _delong_newcombe_mean(basis: Basis, request: Request) -> Interval:
    """Take DeLong's interval with Student's quantile; where the mean is extreme for its cases, Newcombe's if wider."""
    areas: Areas = basis.areas
    name = "delong-newcombe-mean"
    rarest = min(areas.sizes, key=min)
    if min(rarest) < LEAST_OF_A_CLASS:
        return request.undefined(too_few(*rarest, "an average of AUCs"), name)
    z, mean = z_value(request.alpha), areas.mean
    is_skewed = abs(2 * mean - 1) >= MOST_SKEW * math.sqrt(max(areas.pairs * mean * (1 - mean), 0.0))
    quantile = z if is_skewed else student(areas.freedom, request)
    ranks = Ranks(mean, areas.error, *rarest, slope=areas.slope, offset=areas.offset)
    usual = auc_interval(ranks, request, name, quantile)
    if not is_skewed:
        return usual

    def is_outside(area: float) -> bool:
        errors = (error_by_area(area, *size) for size in areas.sizes)
        variance = sum((share * error) ** 2 for share, error in zip(areas.shares, errors, strict=True))
        return abs(area - mean) > z * math.sqrt(variance)

    ends = bisect(is_outside, 0.0, mean), bisect(lambda area: not is_outside(area), mean, 1.0)
    by_area = _in_units(request.close(*ends, name, (0.0, 1.0)), ranks)
    if not 0 < mean < 1:
        return by_area
    low, high = min(usual.low, by_area.low), max(usual.high, by_area.high)
    return request.close(low, high, name, basis.span)


def too_few(n_positive: float, n_negative: float, what: str = "the AUC", least: int = LEAST_OF_A_CLASS) -> str:
    """Say why there is no interval."""
    n, name = min((n_positive, "positive"), (n_negative, "negative"))
    cases = f"{n:g} {name} case is" if n == 1 else f"{n:.3g} {name} cases are"
    return f"{cases} too few for an interval of {what}; at least {least} of each class are needed"


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
    area = min(pairs / (n_p * n_q), 1.0)  # which sums of real weights may pass by rounding
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
        parts = of_positives / max(n_p * (n_p - 1), 1), of_negatives / max(n_q * (n_q - 1), 1)
    else:
        parts = of_positives / n_p**2, of_negatives / n_q**2
    return Ranks(area, math.sqrt(sum(parts)), n_p, n_q, satterthwaite(parts, (n_p - 1, n_q - 1)))


def satterthwaite(variances: tuple[float, float], freedoms: tuple[float, float]) -> float:
    """Degrees of freedom of a sum of two variances, each estimated with its own."""
    total = sum(variances)
    if not total > 0:
        return math.inf
    parts = ((variance / total) ** 2 / max(freedom, 1.0) for variance, freedom in zip(variances, freedoms, strict=True))
    return 1 / sum(parts)


def student(freedom: float, request: Request) -> float:
    """Student's quantile, as a multiple of the standard error."""
    from scipy.special import stdtrit

    return z_value(request.alpha) if math.isinf(freedom) else -float(stdtrit(max(freedom, 1.0), request.alpha))


def newcombe_auc(ranks: Ranks, request: Request) -> Interval:
    """Find both areas whose distance from the one seen is z of their own standard errors."""
    z = z_value(request.alpha)

    def is_outside(area: float) -> bool:
        return abs(area - ranks.area) > z * error_by_area(area, ranks.n_positive, ranks.n_negative)

    low = bisect(is_outside, 0.0, ranks.area)
    high = bisect(lambda area: not is_outside(area), ranks.area, 1.0)
    return request.close(low, high, "newcombe-auc", (0.0, 1.0))


def error_by_area(area: float, n_positive: float, n_negative: float) -> float:
    """Hanley and McNeil's error with both classes as large as their mean, which makes it symmetric."""
    q1, q2 = (1 - area) / (2 - area), area / (1 + area)
    spread = area * (1 - area) * (1 + ((n_positive + n_negative) / 2 - 1) * (q1 + q2))
    return math.sqrt(spread / (n_positive * n_negative))


def hanley_mcneil_error(area: float, n_positive: float, n_negative: float) -> float:
    """Standard error of an AUC from its value alone (Hanley and McNeil 1982), for exponential scores."""
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    spread = area * (1 - area) + (n_positive - 1) * (q1 - area**2) + (n_negative - 1) * (q2 - area**2)
    return math.sqrt(max(spread, 0) / (n_positive * n_negative))


def auc_interval(ranks: Ranks, request: Request, name: str, quantile: float | None = None) -> Interval:
    """Give the interval on the logit scale; without visible error, that of as many pairs as are independent.

    min(positives, negatives) pairs share no case, so their concordance is a proportion of that many trials. The
    ``quantile`` is the normal one unless another is given.
    """
    area = ranks.area
    if ranks.error > NO_SPREAD and 0 < area < 1:
        reach = (z_value(request.alpha) if quantile is None else quantile) * ranks.error / (area * (1 - area))
        odds = math.log(area / (1 - area))
        low, high = (1 / (1 + math.exp(min(max(-odds - move, -700), 700))) for move in (-reach, reach))
        interval = request.close(low, high, name, (0.0, 1.0))
    else:
        pairs = min(ranks.n_positive, ranks.n_negative)
        note = f"no sampling error is visible in the ranks, so this is Wilson's interval of {pairs:g} independent pairs"
        interval = replace(wilson_interval(area * pairs, pairs, request), method=f"{name}-wilson", notes=(note,))
    return _in_units(interval, ranks)


def _in_units(interval: Interval, ranks: Ranks) -> Interval:
    """Turn an interval of an area into one of the straight line of it that is estimated."""
    return replace(
        interval, low=ranks.slope * interval.low + ranks.offset, high=ranks.slope * interval.high + ranks.offset
    )
