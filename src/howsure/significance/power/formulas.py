"""How often tests reject, from what is true: the formulas behind planning. They check nothing."""

from __future__ import annotations

import math
from bisect import bisect_left
from functools import lru_cache

import numpy as np
from numpy.polynomial.legendre import leggauss
from scipy.special import fdtri, gammaln, ncfdtr, nctdtr, ndtr, ndtri, stdtrit, xlog1py, xlogy

from howsure.arrays import Array
from howsure.intervals.proportion import beta_below, z_value
from howsure.intervals.roots import MOST_HALVINGS
from howsure.significance.two.mcnemar import FEW, mcnemar

NODES, WEIGHTS = leggauss(64)
EXACT = 10_000  # discordant cases of each kind up to which binomial probabilities are exact; beyond, to 1e-6
MOST_COUNTS = 20_000  # numbers of discordant cases that are gone through one by one; beyond, power is good to 1e-4
NEAR_ONE = 1 - 1e-12  # an AUC or a concordance of 1 leaves no spread to divide by


def reach(alpha: float, alternative: str) -> float:
    return z_value(alpha / 2 if alternative == "two-sided" else alpha)


def normal(shift: float, beyond: float, spread: float, alternative: str) -> float:
    """Probability that a normal variable around ``shift`` is further than ``beyond`` from 0, on the side asked for."""
    above, below = float(ndtr((shift - beyond) / spread)), float(ndtr((-shift - beyond) / spread))
    return {"two-sided": above + below, "greater": above, "less": below}[alternative]


def of_mcnemar(n: int, difference: float, discordant: float, alpha: float, alternative: str) -> float:
    """Power of `mcnemar` as it is by default: the mean over the numbers of discordant cases that may come."""
    gained = (discordant + difference) / 2 / discordant  # share of the discordant cases that the first gets right
    tail = alpha / 2 if alternative == "two-sided" else alpha
    m, chance, are_whole = _discordant_counts(n, discordant)
    least = _least(m, tail) if are_whole else (m + z_value(tail) * np.sqrt(m)) / 2 + 0.5
    sides = {"two-sided": (gained, 1 - gained), "greater": (gained,), "less": (1 - gained,)}[alternative]
    return min(1.0, float(sum(chance @ _at_least(least, m, side) for side in sides)))


def _discordant_counts(n: int, discordant: float) -> tuple[Array, Array, bool]:
    """Give the numbers of discordant cases that may come, how likely each is, and whether they are all the whole ones.

    Where they are too many, one in many stands for them; that cases are whole does not matter any more.
    """
    spread = 12 * math.sqrt(n * discordant * (1 - discordant)) + 12  # what is left out has a probability below 1e-20
    middle = n * discordant
    low, high = max(0, math.floor(middle - spread)), min(n, math.ceil(middle + spread))
    if high - low >= MOST_COUNTS:
        m: Array = np.linspace(low, high, MOST_COUNTS // 10)
        chance = np.exp(-((m - middle) ** 2) / (2 * middle * (1 - discordant)))
        return m, chance / chance.sum(), False
    m = np.arange(low, high + 1)
    ways = gammaln(n + 1) - gammaln(m + 1) - gammaln(n - m + 1)
    chance = np.exp(ways + xlogy(m, discordant) + xlog1py(n - m, -discordant))
    if n > EXACT:  # the logarithms are so large that their last digits show
        chance /= chance.sum()
    return m, chance, True


def mcnemar_accuracy(n: int, discordant: float) -> tuple[str, ...]:
    """Say how good the power is where it is not exact."""
    if 24 * math.sqrt(n * discordant * (1 - discordant)) + 24 >= MOST_COUNTS:
        return ("for so many cases the power is good to 1e-4",)
    return ("for so many discordant cases the power is good to 1e-6",) if n * discordant > 2 * EXACT else ()


def of_mcnemar_normal(n: float, difference: float, discordant: float, alpha: float, alternative: str) -> float:
    """Power of McNemar's test by the normal formula of Connor (1987)."""
    beyond = reach(alpha, alternative) * math.sqrt(discordant)
    spread = math.sqrt(max(discordant - difference**2, 1e-300))
    return normal(math.sqrt(n) * difference, beyond, spread, alternative)


def _least(m: Array, tail: float) -> Array:
    """Fewest of m discordant cases, all for one classifier, with which the test rejects."""
    many = np.ceil((m + z_value(tail) * np.sqrt(m)) / 2)
    return np.where(m < FEW, _least_of_few(tail)[np.minimum(m, FEW - 1)], many)


@lru_cache(maxsize=64)
def _least_of_few(tail: float) -> Array:
    """Ask the test itself, so that the two agree; a two-sided p-value is twice a one-sided one."""

    def least(m: int) -> int:
        return bisect_left(range(m + 1), -tail, key=lambda x: -mcnemar(m - x, x, alternative="greater").pvalue)

    return np.array([least(m) for m in range(FEW)], float)


def _at_least(x: Array, n: Array, p: float) -> Array:
    inside = np.clip(x, 1, n)
    return np.where(x > n, 0.0, np.where(x <= 0, 1.0, beta_below(p, inside, n - inside + 1, many=EXACT)))


def of_non_inferiority(n: int, margin: float, difference: float, discordant: float, alpha: float) -> float:
    """Probability that Tango's lower bound of the gain is above -margin, over all numbers of gains and losses."""
    gained = (discordant + difference) / 2 / discordant
    m, chance, are_whole = _discordant_counts(n, discordant)
    beyond = z_value(alpha)
    low, high = (
        np.full(m.shape, -1.0 if are_whole else 0.0),
        m + 1.0,
    )  # of gains: too few, and enough; more than all cases stands for never
    for _ in range(MOST_HALVINGS):
        middle = np.floor((low + high) / 2) if are_whole else (low + high) / 2
        if (high - low <= 1).all() if are_whole else (high - low <= 1e-4 * np.sqrt(m)).all():
            break
        passes = tango_score(middle, m - middle, n, -margin) > beyond
        low, high = np.where(passes, low, middle), np.where(passes, middle, high)
    none = m == 0  # of which there is one outcome: it passes or not
    least = np.where(none, np.where(tango_score(m, m, n, -margin) > beyond, 0, 1), high if are_whole else high + 0.5)
    return min(1.0, float(chance @ _at_least(least, m, gained)))


def tango_score(gain: Array, loss: Array, n: float, delta: float) -> Array:
    """Tango's statistic of gains and losses in n cases, for a difference of ``delta``: far above 0, it is larger."""
    lost = _constrained_loss(gain / n, loss / n, delta)
    variance, excess = n * (2 * lost + delta * (1 - delta)), gain - loss - n * delta
    positive = variance > 0
    far = np.where(excess == 0, 0.0, np.copysign(np.inf, excess))
    return np.where(positive, excess / np.sqrt(np.where(positive, variance, 1.0)), far)


def _constrained_loss(gain: Array, loss: Array, delta: float) -> Array:
    """Give the most likely share of losses where the difference is ``delta``, from the shares of gains and losses."""
    linear, constant = -gain - loss + (2 - gain + loss) * delta, -loss * delta * (1 - delta)
    root = np.sqrt(np.maximum(linear**2 - 8 * constant, 0))
    below = np.where(root + linear > 0, root + linear, 1.0)
    return np.where(linear <= 0, (root - linear) / 4, -2 * constant / below)  # the form that loses no digits


def non_inferiority_cases(power: float, margin: float, difference: float, discordant: float, alpha: float) -> float:
    """Cases for a power of Tango's test by the normal distribution, with the spread that the margin implies (Nam 1997).

    Infinite where the true difference is no better than the margin.
    """
    if not difference + margin > 0:
        return math.inf
    gain, loss = np.array((discordant + difference) / 2), np.array((discordant - difference) / 2)
    at_margin = 2 * float(_constrained_loss(gain, loss, -margin)) - margin * (1 + margin)
    spread = math.sqrt(max(discordant - difference**2, 0.0))
    return (
        (z_value(alpha) * math.sqrt(max(at_margin, 0.0)) + z_value(1 - power) * spread) / (difference + margin)
    ) ** 2


def of_proportions(n: int, difference: float, share: float, alpha: float, alternative: str) -> float:
    """Power of the normal test of two proportions, n cases each, with the pooled variance in the statistic."""
    other = share + difference
    pooled = (share + other) / 2
    beyond = reach(alpha, alternative) * math.sqrt(2 * pooled * (1 - pooled))
    spread = math.sqrt(max(share * (1 - share) + other * (1 - other), 1e-300))
    return normal(math.sqrt(n) * difference, beyond, spread, alternative)


def of_auc(
    n: float, difference: float, auc: float, correlation: float, positives: float, alpha: float, alternative: str
) -> float:
    """Power of DeLong's test where scores are normal in both classes, with one variance."""
    first, second, both = auc_variances(n, difference, auc, correlation, positives)
    error = math.sqrt(max(first + second - 2 * both, 1e-300))
    return normal(difference / error, reach(alpha, alternative), 1.0, alternative)


def auc_variances(
    n: float, difference: float, auc: float, correlation: float, positives: float
) -> tuple[float, float, float]:
    """Give the variances of two AUCs of the same cases, and their covariance: those of the Mann-Whitney statistic.

    Two pairs that share a case have differences of scores that correlate by half as much as the scores do.
    """
    a, b = (min(max(area, 1 - NEAR_ONE), NEAR_ONE) for area in (auc + difference, auc))
    x, y = float(ndtri(a)), float(ndtri(b))
    n_p, n_q = n * positives, n * (1 - positives)

    def total(one: float, other: float, same: float, shared: float) -> float:
        return (same + (n_p + n_q - 2) * both_above(one, other, shared)) / (n_p * n_q)

    return (
        total(x, x, a * (1 - a), 0.5),
        total(y, y, b * (1 - b), 0.5),
        total(x, y, both_above(x, y, correlation), correlation / 2),
    )


def both_above(x: float, y: float, correlation: float) -> float:
    """Covariance of whether two standard normal variables with this correlation are below x and y (Plackett 1954)."""
    half = math.asin(correlation) / 2
    angles = half * (NODES + 1)
    density = np.exp(-(x * x - 2 * x * y * np.sin(angles) + y * y) / (2 * np.cos(angles) ** 2))
    return float(half * (WEIGHTS @ density) / (2 * math.pi))


def of_corrected_t(n: int, difference: float, sd: float, ratio: float, alpha: float, alternative: str) -> float:
    """Power of the corrected paired t test over n splits: the statistic has a noncentral t distribution."""
    error = sd * math.sqrt(1 / n + ratio)
    df, shift = n - 1, difference / error if error else math.copysign(math.inf, difference)  # smaller than any number
    if alternative == "less":
        shift = -shift
    beyond = float(stdtrit(df, 1 - (alpha / 2 if alternative == "two-sided" else alpha)))
    above = _above(float(nctdtr(df, shift, beyond)), shift)
    return min(1.0, above + _above(float(nctdtr(df, -shift, beyond)), -shift)) if alternative == "two-sided" else above


def concordance(difference: float, k: int, pattern: str) -> float:
    """Kendall's W of mean ranks of which the best and the worst differ by so much: in even steps, or a pair apart."""
    even = (difference / (k - 1)) ** 2
    return even if pattern == "even" else even * 6 * (k - 1) / (k * (k + 1))


def of_friedman(n: int, difference: float, k: int, pattern: str, alpha: float) -> float:
    """Power of Iman and Davenport's form of the Friedman test, by the noncentral F distribution.

    Ranks that differ between classifiers by a share W of their variance vary within them by 1 - W.
    """
    df, w = (k - 1, (k - 1) * (n - 1)), min(concordance(difference, k, pattern), NEAR_ONE)
    shift = n * (k - 1) * w / (1 - w)
    return _above(float(ncfdtr(*df, shift, float(fdtri(*df, 1 - alpha)))), shift)


def _above(below: float, shift: float) -> float:
    """Turn a probability round; SciPy gives NaN in place of one too close to 0 or 1, far from the centre."""
    return float(shift > 0) if math.isnan(below) else 1 - below
