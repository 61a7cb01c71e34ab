"""Intervals for the area under the ROC curve (AUC).

The AUC A is a mean of placements: the placement of a positive is the share of negatives with lower scores. DeLong,
DeLong and Clarke-Pearson (1988) estimate its variance from the variances of the placements V of the m positives and n
negatives, var(V_pos) / m + var(V_neg) / n, and intervals are computed on the logit scale, logit A ± z s / (A (1 - A)).

With few cases of a class this is too narrow, for two reasons. The variance is estimated, so the default uses Student's
quantile with Satterthwaite's degrees of freedom. If A is far from 1/2, the sample may lack the rare cases with low
placements, so the default is the wider of DeLong's interval and Newcombe's, whose variance follows from A alone. The
coverage is in docs/decisions/2026-11-18-score-intervals.md.
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

MIN_OF_A_CLASS = 3  # with fewer cases in a class, no method had 95 % coverage in simulations
FEW_CASES = 5  # with fewer cases in a class, Newcombe's interval for a perfect AUC is too narrow
MAX_SKEW = 0.4  # with a skewness |2A - 1| / sqrt(least A (1 - A)) of at least this, low placements may be missing


@shared_texts
def delong(truth: ArrayLike, scores: ArrayLike, confidence: float = 0.95, side: str = "two-sided") -> Interval:
    """DeLong's interval for the AUC, on the logit scale.

    The standard error is that of DeLong, DeLong and Clarke-Pearson (1988).

    Parameters
    ----------
    truth
        Whether each case is positive.
    scores
        The score of each case.
    {confidence}
    {side}

    Returns
    -------
    Interval
        The interval for the AUC, within [0, 1].

    Examples
    --------
    >>> from howsure.intervals import delong
    >>> print(delong([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.3]))
    [0.261, 0.995]
    """
    flags, values = check_scores(truth, scores)
    _, positives, negatives = rank(values, flags)
    if not (positives.any() and negatives.any()):
        raise HowsureError("`truth` must contain positives and negatives; all cases are of one class.")
    return auc_interval(auc_error(positives, negatives), Request(confidence, side), "delong")


@method("delong", title="DeLong's interval", needs="placements", source="DeLong, DeLong and Clarke-Pearson 1988")
def _delong(basis: Basis, request: Request) -> Interval:
    """DeLong's standard error, on the logit scale."""
    return basis.from_placements(request)


@method("delong-t", title="DeLong's interval with Student's quantile", needs="ranks", source="Brunner and Munzel 2000")
def _delong_t(basis: Basis, request: Request) -> Interval:
    """DeLong's standard error with Student's quantile, on the logit scale."""
    return auc_interval(basis.ranks, request, "delong-t", student(basis.ranks.freedom, request))


@method("newcombe-auc", title="Newcombe's score interval for the AUC", needs="ranks", source="Newcombe 2006, method 5")
def _newcombe_auc(basis: Basis, request: Request) -> Interval:
    """Invert Newcombe's score test: all AUCs that the data do not reject."""
    return _in_units(newcombe_auc(basis.ranks, request), basis.ranks)


@method("delong-newcombe", title="DeLong's or Newcombe's interval, the wider one for an AUC near 0 or 1", needs="ranks")
def _delong_newcombe(basis: Basis, request: Request) -> Interval:
    """DeLong's interval with Student's quantile, or Newcombe's if wider."""
    ranks = basis.ranks
    least = min(ranks.n_positive, ranks.n_negative)
    if (least if ranks.least is None else ranks.least) < MIN_OF_A_CLASS:
        return request.undefined(too_few(ranks.n_positive, ranks.n_negative), "delong-newcombe")
    plain = replace(ranks, slope=1.0, offset=0.0)
    spread = math.sqrt(max(least * ranks.area * (1 - ranks.area), 0.0))
    is_skewed, is_small = abs(2 * ranks.area - 1) >= MAX_SKEW * spread, least < FEW_CASES
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
    """A mean of AUCs; the estimate is ``slope * mean + offset``."""

    mean: float
    error: float
    sizes: tuple[tuple[float, float], ...]  # numbers of positives and negatives for each area
    shares: tuple[float, ...]  # weights of the areas in the mean
    slope: float = 1.0
    offset: float = 0.0

    @property
    def freedom(self) -> float:
        """Satterthwaite's degrees of freedom, with variances ~ 1 / positives."""
        variances = [share**2 / size[0] for share, size in zip(self.shares, self.sizes, strict=True)]
        parts = (v**2 / max(size[0] - 1, 1.0) for v, size in zip(variances, self.sizes, strict=True))
        return sum(variances) ** 2 / sum(parts)

    @property
    def pairs(self) -> float:
        """Effective number of independent pairs."""
        return 1 / sum(share**2 / min(size) for share, size in zip(self.shares, self.sizes, strict=True))


@method("delong-newcombe-mean", title="DeLong's or Newcombe's interval for a mean of AUCs", needs="areas")
def _delong_newcombe_mean(basis: Basis, request: Request) -> Interval:
    """DeLong's interval with Student's quantile, or Newcombe's if wider."""
    areas: Areas = basis.areas
    name = "delong-newcombe-mean"
    rarest = min(areas.sizes, key=min)
    if min(rarest) < MIN_OF_A_CLASS:
        return request.undefined(too_few(*rarest, "an average of AUCs"), name)
    z, mean = z_value(request.alpha), areas.mean
    is_skewed = abs(2 * mean - 1) >= MAX_SKEW * math.sqrt(max(areas.pairs * mean * (1 - mean), 0.0))
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


def too_few(n_positive: float, n_negative: float, what: str = "the AUC", least: int = MIN_OF_A_CLASS) -> str:
    """Return the reason why there is no interval."""
    n, name = min((n_positive, "positive"), (n_negative, "negative"))
    cases = f"{n:g} {name} case is" if n == 1 else f"{n:.3g} {name} cases are"
    return f"{cases} too few for an interval of {what}; at least {least} of each class are needed"


@method("hanley-mcneil", title="Hanley and McNeil's interval", needs="ranks", source="Hanley and McNeil 1982")
def _hanley_mcneil(basis: Basis, request: Request) -> Interval:
    """Standard error based on the AUC alone, as for exponential scores."""
    ranks = basis.ranks
    error = hanley_mcneil_error(ranks.area, ranks.n_positive, ranks.n_negative)
    return auc_interval(replace(ranks, error=error), request, "hanley-mcneil")


def auc_error(positives: Array, negatives: Array, squares: tuple[Array, Array] | None = None) -> Ranks:
    """Return the AUC and DeLong's standard error; scores are descending."""
    # All positives with one score have the same placement (the share of negatives below it, ties counting half), so the
    # variance of the placements is a sum over distinct scores.
    n_p, n_q = float(positives.sum()), float(negatives.sum())
    pairs = concordant(positives, negatives)
    if pairs is None:
        pairs = sum(float((b.negatives * (b.tp - b.positives / 2)).sum()) for b in blocks(positives, negatives))
    area = min(pairs / (n_p * n_q), 1.0)  # sums of real-valued weights may exceed 1 by rounding
    variances = squares or (positives, negatives)

    def spread(block: Block) -> tuple[float, float]:
        below = block.negatives * (0.5 / n_q)  # in place, to save memory: share of negatives below, minus its mean
        below -= block.fp * (1 / n_q)
        below += 1 - area
        above = block.positives * (-0.5 / n_p)  # in place, to save memory: share of positives above, minus its mean
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
    """Return the degrees of freedom for a sum of variances (Satterthwaite 1946)."""
    total = sum(variances)
    if not total > 0:
        return math.inf
    parts = ((variance / total) ** 2 / max(freedom, 1.0) for variance, freedom in zip(variances, freedoms, strict=True))
    return 1 / sum(parts)


def student(freedom: float, request: Request) -> float:
    """Return Student's quantile, or the normal one for infinite freedom."""
    from scipy.special import stdtrit

    return z_value(request.alpha) if math.isinf(freedom) else -float(stdtrit(max(freedom, 1.0), request.alpha))


def newcombe_auc(ranks: Ranks, request: Request) -> Interval:
    """Return the AUCs that lie z standard errors from the estimate, with the standard error evaluated at that AUC."""
    z = z_value(request.alpha)

    def is_outside(area: float) -> bool:
        return abs(area - ranks.area) > z * error_by_area(area, ranks.n_positive, ranks.n_negative)

    low = bisect(is_outside, 0.0, ranks.area)
    high = bisect(lambda area: not is_outside(area), ranks.area, 1.0)
    return request.close(low, high, "newcombe-auc", (0.0, 1.0))


def error_by_area(area: float, n_positive: float, n_negative: float) -> float:
    """Return the standard error of method 5 in Newcombe (2006)."""
    # It is Hanley and McNeil's, with both class sizes replaced by their mean.
    q1, q2 = (1 - area) / (2 - area), area / (1 + area)
    spread = area * (1 - area) * (1 + ((n_positive + n_negative) / 2 - 1) * (q1 + q2))
    return math.sqrt(spread / (n_positive * n_negative))


def hanley_mcneil_error(area: float, n_positive: float, n_negative: float) -> float:
    """Return Hanley and McNeil's (1982) standard error for exponential scores."""
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    spread = area * (1 - area) + (n_positive - 1) * (q1 - area**2) + (n_negative - 1) * (q2 - area**2)
    return math.sqrt(max(spread, 0) / (n_positive * n_negative))


def auc_interval(ranks: Ranks, request: Request, name: str, quantile: float | None = None) -> Interval:
    """Return the logit-scale interval, by default with the normal quantile."""
    # If the standard error is 0: min(positives, negatives) pairs share no case, so the AUC is at least as precise as a
    # proportion estimated from that many trials.
    area = ranks.area
    if ranks.error > NO_SPREAD and 0 < area < 1:
        reach = (z_value(request.alpha) if quantile is None else quantile) * ranks.error / (area * (1 - area))
        odds = math.log(area / (1 - area))
        low, high = (1 / (1 + math.exp(min(max(-odds - move, -700), 700))) for move in (-reach, reach))
        interval = request.close(low, high, name, (0.0, 1.0))
    else:
        pairs = min(ranks.n_positive, ranks.n_negative)
        note = f"the ranks show no sampling error, so this is Wilson's interval for {pairs:g} independent pairs"
        interval = replace(wilson_interval(area * pairs, pairs, request), method=f"{name}-wilson", notes=(note,))
    return _in_units(interval, ranks)


def _in_units(interval: Interval, ranks: Ranks) -> Interval:
    """Transform an interval for the area to ``slope * area + offset``."""
    return replace(
        interval, low=ranks.slope * interval.low + ranks.offset, high=ranks.slope * interval.high + ranks.offset
    )
