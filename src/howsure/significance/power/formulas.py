"""Power of tests as functions of sample size and true difference."""

from __future__ import annotations

import math

import numpy as np
from numpy.polynomial.legendre import leggauss
from scipy.special import fdtri, gammaln, ncfdtr, nctdtr, ndtr, ndtri, stdtrit, xlog1py, xlogy

from howsure.arrays import Array
from howsure.intervals.proportion import beta_below, z_value
from howsure.significance.two.mcnemar import FEW

NODES, WEIGHTS = leggauss(64)
EXACT = 10_000  # for up to this many discordant cases of each kind, power is exact; for more, it is accurate to 1e-6
MAX_COUNTS = 20_000  # maximum number of discordant counts summed one by one; for more, power is accurate to 1e-4
NEAR_ONE = 1 - 1e-12  # an AUC or a concordance of 1 has no variance to divide by


def critical_z(alpha: float, alternative: str) -> float:
    return z_value(alpha / 2 if alternative == "two-sided" else alpha)


def normal(shift: float, beyond: float, spread: float, alternative: str) -> float:
    """Probability that a normal variable is beyond the critical value."""
    above, below = float(ndtr((shift - beyond) / spread)), float(ndtr((-shift - beyond) / spread))
    return {"two-sided": above + below, "greater": above, "less": below}[alternative]


def of_mcnemar(n: int, difference: float, discordant: float, alpha: float, alternative: str) -> float:
    """Power of `mcnemar` with its default method.

    The number m of discordant cases is binomial(n, discordant). Given m, the number that the first classifier gets
    right is binomial(m, gained), and the test rejects if it is large enough. The power is the sum over m.
    """
    gained = (discordant + difference) / 2 / discordant  # share of the discordant cases that the first gets right
    tail = alpha / 2 if alternative == "two-sided" else alpha
    m, chance, are_whole = _discordant_counts(n, discordant)
    least = _least(m, tail) if are_whole else (m + z_value(tail) * np.sqrt(m)) / 2 + 0.5
    sides = {"two-sided": (gained, 1 - gained), "greater": (gained,), "less": (1 - gained,)}[alternative]
    return min(1.0, float(sum(chance @ _at_least(least, m, side) for side in sides)))


def _discordant_counts(n: int, discordant: float) -> tuple[Array, Array, bool]:
    """Return numbers of discordant cases and their probabilities.

    If there are too many, an even grid with normal weights represents them.
    """
    spread = 12 * math.sqrt(n * discordant * (1 - discordant)) + 12  # others have a probability below 1e-20
    middle = n * discordant
    low, high = max(0, math.floor(middle - spread)), min(n, math.ceil(middle + spread))
    if high - low >= MAX_COUNTS:
        m: Array = np.linspace(low, high, MAX_COUNTS // 10)
        chance = np.exp(-((m - middle) ** 2) / (2 * middle * (1 - discordant)))
        return m, chance / chance.sum(), False
    m = np.arange(low, high + 1)
    log_choose = gammaln(n + 1) - gammaln(m + 1) - gammaln(n - m + 1)
    chance = np.exp(log_choose + xlogy(m, discordant) + xlog1py(n - m, -discordant))
    if n > EXACT:  # large logarithms have noticeable rounding errors
        chance /= chance.sum()
    return m, chance, True


def mcnemar_accuracy(n: int, discordant: float) -> tuple[str, ...]:
    """Return a note on the accuracy of the power, unless it is exact."""
    if 24 * math.sqrt(n * discordant * (1 - discordant)) + 24 >= MAX_COUNTS:
        return ("with this many cases, the power is accurate to 1e-4",)
    return ("with this many discordant cases, the power is accurate to 1e-6",) if n * discordant > 2 * EXACT else ()


def of_mcnemar_normal(n: float, difference: float, discordant: float, alpha: float, alternative: str) -> float:
    """Power of McNemar's test from Connor's normal formula (1987)."""
    beyond = critical_z(alpha, alternative) * math.sqrt(discordant)
    spread = math.sqrt(max(discordant - difference**2, 1e-300))
    return normal(math.sqrt(n) * difference, beyond, spread, alternative)


def _least(m: Array, tail: float) -> Array:
    """Fewest wins in m discordant cases for which `mcnemar` rejects."""
    many = np.ceil((m + z_value(tail) * np.sqrt(m)) / 2)
    return np.where(m < FEW, _least_of_few(tail)[np.minimum(m, FEW - 1)], many)


def _least_of_few(tail: float) -> Array:
    """Fewest wins in m discordant cases for which the mid-p test rejects."""
    wins, m = np.arange(FEW + 1)[:, None], np.arange(FEW)
    mid_p = (_at_least(wins, m, 0.5) + _at_least(wins + 1, m, 0.5)) / 2
    return np.asarray((mid_p > tail).sum(0))


def _at_least(x: Array, n: Array, p: float) -> Array:
    """P(X >= x) for X binomial(n, p)."""
    inside = np.clip(x, 1, n)
    return np.where(x > n, 0.0, np.where(x <= 0, 1.0, beta_below(p, inside, n - inside + 1, many=EXACT)))


def of_non_inferiority(n: int, margin: float, difference: float, discordant: float, alpha: float) -> float:
    """Probability that Tango's lower bound of the gain is above -margin.

    As in `of_mcnemar`, it is a sum over the number m of discordant cases. For each m, bisection finds the least number
    of gains with which Tango's score test rejects a difference of -margin.
    """
    gained = (discordant + difference) / 2 / discordant
    m, chance, are_whole = _discordant_counts(n, discordant)
    beyond = z_value(alpha)
    # ``low`` gains are too few, and ``high`` gains are enough; m + 1 means that no number is enough.
    low, high = np.full(m.shape, -1.0 if are_whole else 0.0), m + 1.0
    tolerance = 1.0 if are_whole else 1e-4 * np.sqrt(np.maximum(m, 1))
    while (high - low > tolerance).any():
        middle = np.floor((low + high) / 2) if are_whole else (low + high) / 2
        passes = tango_score(middle, m - middle, n, -margin) > beyond
        low, high = np.where(passes, low, middle), np.where(passes, middle, high)
    none = m == 0  # the only outcome is no gains and no losses
    least = np.where(none, np.where(tango_score(m, m, n, -margin) > beyond, 0, 1), high if are_whole else high + 0.5)
    return min(1.0, float(chance @ _at_least(least, m, gained)))


def tango_score(gain: Array, loss: Array, n: float, delta: float) -> Array:
    """Tango's score statistic for a difference of ``delta``.

    (gain - loss - n delta) / sqrt(n (2 q + delta (1 - delta))), with q the maximum likelihood estimate of the share of
    losses for a difference of delta (Tango 1998).
    """
    lost = _constrained_loss(gain / n, loss / n, delta)
    variance, excess = n * (2 * lost + delta * (1 - delta)), gain - loss - n * delta
    positive = variance > 0
    far = np.where(excess == 0, 0.0, np.copysign(np.inf, excess))
    return np.where(positive, excess / np.sqrt(np.where(positive, variance, 1.0)), far)


def _constrained_loss(gain: Array, loss: Array, delta: float) -> Array:
    """Maximum likelihood estimate of the share of losses, given ``delta``.

    It is the larger root of 2 q² + linear q + constant = 0 (Tango 1998).
    """
    linear, constant = -gain - loss + (2 - gain + loss) * delta, -loss * delta * (1 - delta)
    root = np.sqrt(np.maximum(linear**2 - 8 * constant, 0))
    below = np.where(root + linear > 0, root + linear, 1.0)
    return np.where(linear <= 0, (root - linear) / 4, -2 * constant / below)  # this form avoids cancellation


def non_inferiority_cases(power: float, margin: float, difference: float, discordant: float, alpha: float) -> float:
    """Sample size of Tango's test from the normal approximation (Nam 1997).

    n = ((z_alpha s_0 + z_beta s_1) / (difference + margin))², with s_0 and s_1 the standard deviations per case under
    the null hypothesis and the true difference. It is infinite if the true loss is the margin or more.
    """
    if not difference + margin > 0:
        return math.inf
    gain, loss = np.array((discordant + difference) / 2), np.array((discordant - difference) / 2)
    null_variance = 2 * float(_constrained_loss(gain, loss, -margin)) - margin * (1 + margin)
    null_spread, spread = math.sqrt(max(null_variance, 0.0)), math.sqrt(max(discordant - difference**2, 0.0))
    return ((z_value(alpha) * null_spread + z_value(1 - power) * spread) / (difference + margin)) ** 2


def of_proportions(n: int, difference: float, share: float, alpha: float, alternative: str) -> float:
    """Power of the pooled normal test of two proportions with n cases each."""
    first = share + difference
    pooled = (share + first) / 2
    beyond = critical_z(alpha, alternative) * math.sqrt(2 * pooled * (1 - pooled))
    spread = math.sqrt(max(share * (1 - share) + first * (1 - first), 1e-300))
    return normal(math.sqrt(n) * difference, beyond, spread, alternative)


def of_auc(
    n: float, difference: float, auc: float, correlation: float, positives: float, alpha: float, alternative: str
) -> float:
    """Power of DeLong's test under the binormal model."""
    first, second, covariance = auc_variances(n, difference, auc, correlation, positives)
    error = math.sqrt(max(first + second - 2 * covariance, 1e-300))
    return normal(difference / error, critical_z(alpha, alternative), 1.0, alternative)


def auc_variances(
    n: float, difference: float, auc: float, correlation: float, positives: float
) -> tuple[float, float, float]:
    """Variances and covariance of two AUCs under the binormal model.

    They are those of the Mann-Whitney statistic: Var(AUC) = (A (1 - A) + (n_p - 1) C + (n_q - 1) C) / (n_p n_q), where
    C is the covariance of the comparisons of two pairs of cases that share one case. The score differences of two such
    pairs have half the correlation of the scores.
    """
    a, b = (min(max(area, 1 - NEAR_ONE), NEAR_ONE) for area in (auc + difference, auc))
    x, y = float(ndtri(a)), float(ndtri(b))
    n_p, n_q = n * positives, n * (1 - positives)

    def covariance(u: float, v: float, of_same_pair: float, half_correlation: float) -> float:
        return (of_same_pair + (n_p + n_q - 2) * indicator_covariance(u, v, half_correlation)) / (n_p * n_q)

    return (
        covariance(x, x, a * (1 - a), 0.5),
        covariance(y, y, b * (1 - b), 0.5),
        covariance(x, y, indicator_covariance(x, y, correlation), correlation / 2),
    )


def indicator_covariance(x: float, y: float, correlation: float) -> float:
    """Covariance of 1(X <= x) and 1(Y <= y) for correlated normal X, Y.

    It is the integral of the bivariate normal density at (x, y) over the correlation, starting at 0 (Plackett 1954);
    here, correlation = sin(angle).
    """
    half = math.asin(correlation) / 2
    angles = half * (NODES + 1)
    density = np.exp(-(x * x - 2 * x * y * np.sin(angles) + y * y) / (2 * np.cos(angles) ** 2))
    return float(half * (WEIGHTS @ density) / (2 * math.pi))


def of_corrected_t(n: int, difference: float, sd: float, ratio: float, alpha: float, alternative: str) -> float:
    """Power of the corrected paired t test, from the noncentral t."""
    error = sd * math.sqrt(1 / n + ratio)
    df, shift = n - 1, difference / error if error else math.copysign(math.inf, difference)  # the error may underflow
    if alternative == "less":
        shift = -shift
    beyond = float(stdtrit(df, 1 - (alpha / 2 if alternative == "two-sided" else alpha)))
    above = _above(float(nctdtr(df, shift, beyond)), shift)
    return min(1.0, above + _above(float(nctdtr(df, -shift, beyond)), -shift)) if alternative == "two-sided" else above


def concordance(difference: float, k: int, pattern: str) -> float:
    """Kendall's W of k mean ranks with this range and pattern."""
    even = (difference / (k - 1)) ** 2
    return even if pattern == "even" else even * 6 * (k - 1) / (k * (k + 1))


def of_friedman(n: int, difference: float, k: int, pattern: str, alpha: float) -> float:
    """Power of the Iman-Davenport test, from the noncentral F.

    A share W of the variance of the ranks is between classifiers, and 1 - W is within them, so the noncentrality is
    n (k - 1) W / (1 - W).
    """
    df, w = (k - 1, (k - 1) * (n - 1)), min(concordance(difference, k, pattern), NEAR_ONE)
    shift = n * (k - 1) * w / (1 - w)
    return _above(float(ncfdtr(*df, shift, float(fdtri(*df, 1 - alpha)))), shift)


def _above(below: float, shift: float) -> float:
    """Return 1 - below, with SciPy's NaN in the far tails replaced by 0 or 1."""
    return float(shift > 0) if math.isnan(below) else 1 - below
