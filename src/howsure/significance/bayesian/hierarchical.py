"""The hierarchical comparison of two classifiers over data sets, each measured on its own splits.

The model of Corani et al. (2017). The differences of data set i are normal around delta_i, with standard deviation
sigma_i and correlation rho of each two; delta_i is Student's around delta_0 with scale sigma_0 and nu degrees of
freedom. Flat priors on delta_0, sigma_0 and sigma_i up to bounds far from the data; nu - 1 is gamma(alpha, beta) with
alpha from 1 to 2 and beta from 0.01 to 0.1.

Their likelihood needs no more of a data set than its mean and sum of squares. Student's distribution is taken as a
normal one with a random precision (lambda_i), so that every quantity but sigma_0 can be drawn outright: a Gibbs
sampler, with steps of several proposals for sigma_0 (Tjelmeland 2004) in which delta_0 and the delta_i are integrated
out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from howsure.arrays import Array
from howsure.errors import HowsureError
from howsure.present.value_text import number
from howsure.significance.bayesian.result import (
    BayesianResult,
    bayesian_test,
    check_rho,
    check_simulation,
    likeliest,
    without_spread,
)
from howsure.significance.inputs import rounded, row

CHAINS = 32
WARM_UP = 100
STEPS = (0.3, 1.0, 2.0)  # of the walk of log sigma_0: one of these fits, whatever the data say
PROPOSALS = 8  # for sigma_0, in each of its steps
MOVES = 2  # of sigma_0, the slowest to move, in a round
NAME = "Bayesian hierarchical test"


@bayesian_test(
    NAME,
    designs=("datasets",),
    assumes="data sets drawn from one population, differences close to normal, correlated by rho within each",
)
def bayesian_hierarchical(
    differences: ArrayLike | Sequence[ArrayLike], *, rho: float, rope: float, replicates: int = 16_000, seed: int = 0
) -> BayesianResult:
    """Compare two classifiers over several data sets from the differences on all their splits (Corani et al. 2017).

    Data sets of few or scattered differences borrow from the others. Given is the probability that on the next data set
    the difference is likeliest to the left, within or to the right of the rope; ``mean`` and the interval are of
    delta_0, the centre of the data sets. The draws are of 32 chains; the notes say whether they agree (R-hat, near 1)
    and how many independent draws they are worth.

    Parameters
    ----------
    differences : table or list of rows
        Differences a - b, a row for each of 3 data sets or more. Of two, the prior would decide.
    rho : float
        Correlation of the differences of two splits, the share of the cases that is tested: 1 / 10 for ten folds.
    rope : float
        The largest difference that does not matter.
    replicates, seed : int
        Draws from the posterior, after 100 to warm up each chain.

    Returns
    -------
    BayesianResult
        The probabilities that b is better, that the two are alike, and that a is better.

    Examples
    --------
    >>> from howsure.significance import bayesian_hierarchical
    >>> differences = [[0.03, 0.02, 0.04, 0.03], [0.02, 0.05, 0.03, 0.02], [0.04, 0.02, 0.01, 0.04]]
    >>> result = bayesian_hierarchical(differences, rho=1 / 4, rope=0.01, replicates=1600)
    >>> result.right > 0.8
    True
    """
    rope, replicates = check_simulation(rope, replicates, seed)
    check_rho(rho)
    rows = _rows(differences)
    even = [rounded(values, values) for values in rows]
    spreads = np.array([float(values.std(ddof=1)) if np.ptp(e) else 0.0 for values, e in zip(rows, even, strict=True)])
    if not spreads.any():
        # each data set is a point: known only where all are 0
        return without_spread(NAME, np.concatenate(even), rope)
    flat = int((spreads == 0).sum())
    spreads[spreads == 0] = spreads[spreads > 0].min()
    unit = float(spreads.mean())
    data = Data.of([values / unit for values in rows], spreads / unit, float(rho))
    draws = sample(data, max(4, math.ceil(replicates / CHAINS)), np.random.default_rng(seed))
    centre, scale, nu = (np.concatenate(part)[:replicates] for part in (draws.centre, draws.scale, draws.nu))
    from scipy.special import stdtr

    with np.errstate(over="ignore"):  # a region so wide that its ends are beyond all numbers holds everything
        left, right = stdtr(nu, (-rope / unit - centre) / scale), stdtr(nu, (centre - rope / unit) / scale)
    return BayesianResult(
        *likeliest(left, right, rope),
        NAME,
        float(centre.mean()) * unit,
        rope,
        replicates,
        seed,
        _notes(draws, flat),
        quantile=partial(np.quantile, centre * unit),
    )


@dataclass(frozen=True)
class Data:
    """What the sampler needs of the data sets, one value for each, and the ends of the flat priors.

    ``means`` and ``squares`` may have a row for each chain, to run many analyses at once.
    """

    means: Array
    squares: Array  # sums of squared distances from the mean
    sizes: Array
    rho: float
    centre_bound: float
    scale_bound: float
    sigma_bound: float

    @classmethod
    def of(cls, rows: list[Array], spreads: Array, rho: float) -> Data:
        """Set the bounds as the authors' program does, for rows of a spread of 1 on average."""
        means, sizes = np.array([values.mean() for values in rows]), np.array([len(values) for values in rows], float)
        largest = max(float(np.abs(values).max()) for values in rows)
        return cls(means, spreads**2 * (sizes - 1), sizes, rho, largest, 1000 * (float(means.std()) or 1.0), 1000.0)


@dataclass(frozen=True)
class Draws:
    """What was drawn, a row for each chain."""

    centre: Array
    scale: Array
    nu: Array
    deltas: Array


def sample(data: Data, length: int, rng: np.random.Generator, chains: int = CHAINS, warm_up: int = WARM_UP) -> Draws:
    """Run chains of this length side by side: each quantity is an array with a row for each chain."""
    from scipy.special import gammaln

    m, q = data.means, data.means.shape[-1]
    of_mean = (1 + (data.sizes - 1) * data.rho) / data.sizes  # variance of a mean, over sigma_i squared
    nus, log_prior = _nu_prior()
    log_prior = log_prior + q * (gammaln((nus + 1) / 2) - gammaln(nus / 2) - np.log(nus) / 2)
    # chains start apart, for R-hat to notice where they do not come together
    scale = np.minimum(data.scale_bound / 2, np.exp(rng.normal(size=(chains, 1))) * math.sqrt(of_mean.mean()))
    centre = np.clip(m.mean(-1, keepdims=True) + scale * rng.normal(size=(chains, 1)), -data.centre_bound / 2, None)
    centre = np.minimum(centre, data.centre_bound / 2)
    variance = np.minimum(data.squares / (data.sizes - 1), (data.sigma_bound / 2) ** 2) * np.ones((chains, 1))
    precision, nu = np.ones((chains, q)), nus[rng.integers(len(nus), size=(chains, 1))]
    one = (chains, length)
    out = Draws(np.empty(one), np.empty(one), np.empty(one), np.empty((*one, q)))

    widths = np.array(STEPS)[rng.integers(len(STEPS), size=(warm_up + length, MOVES, chains, 1))]
    for step in range(-warm_up, length):
        spread = variance * of_mean  # of a mean around its delta_i
        for width in widths[step]:
            scale, centre = _draw_scale_and_centre(data, spread, precision, scale, centre, width, rng)
        own, shared = 1 / spread, precision / scale**2
        deltas = (own * m + shared * centre) / (own + shared) + rng.normal(size=(chains, q)) / np.sqrt(own + shared)
        rest = data.squares / (1 - data.rho) + (m - deltas) ** 2 / of_mean
        drawn = rest / 2 / rng.standard_gamma((data.sizes - 1) / 2, (chains, q))
        # to stay where a draw is beyond the bound is a Metropolis step towards the bounded prior
        variance = np.where(drawn < data.sigma_bound**2, drawn, variance)
        far = ((deltas - centre) / scale) ** 2
        # nu without the lambda_i, on which it would hang
        odds = log_prior - (nus + 1) / 2 * np.add.reduce(np.log1p(far[..., None] / nus), 1)
        nu = nus[(odds + rng.gumbel(size=odds.shape)).argmax(1)][:, None]
        precision = rng.standard_gamma((nu + 1) / 2, (chains, q)) / ((nu + far) / 2)
        # sigma_0 and all lambda_i along the line on which the delta_i stay as likely (Liu and Sabatti 2000)
        factor = rng.standard_gamma((q * nu + 1) / 2) / (nu / 2 * precision.sum(1, keepdims=True))
        factor = np.where(scale * np.sqrt(factor) < data.scale_bound, factor, 1)
        scale, precision = scale * np.sqrt(factor), precision * factor
        if step >= 0:
            out.centre[:, step], out.scale[:, step], out.nu[:, step] = centre[:, 0], scale[:, 0], nu[:, 0]
            out.deltas[:, step] = deltas
    return out


def _draw_scale_and_centre(
    data: Data,
    spread: Array,
    precision: Array,
    scale: Array,
    centre: Array,
    width: Array,
    rng: np.random.Generator,
) -> tuple[Array, Array]:
    """Draw sigma_0 with delta_0 and the delta_i integrated out, and delta_0 given sigma_0.

    Proposals lie around a point as log sigma_0 does, a step of this ``width`` away, so that each of them might have
    proposed the others: one of all is drawn by its density alone.
    """
    rows, m = np.arange(len(scale)), data.means[..., None]
    walk, start = width * rng.standard_normal((len(scale), 1 + PROPOSALS)), np.log(scale)
    proposed = start + walk[:, :1] + walk
    proposed[:, :1] = start
    # The last axis is the longest: NumPy is quickest along it, and adds up along another.
    marginal = spread[..., None] + np.exp(2 * proposed)[:, None, :] / precision[..., None]
    weight = 1 / marginal
    total = np.add.reduce(weight, 1)
    mean = np.add.reduce(weight * m, 1) / total
    misfit = np.add.reduce(np.log(marginal) + weight * (m - mean[:, None, :]) ** 2, 1) + np.log(total)
    # of log sigma_0: a flat prior of sigma_0 is sigma_0 itself for its logarithm
    density = np.where(proposed < math.log(data.scale_bound), proposed - misfit / 2, -np.inf)
    taken = (density + rng.gumbel(size=density.shape)).argmax(1)
    drawn = mean[rows, taken] + rng.standard_normal(len(scale)) / np.sqrt(total[rows, taken])
    # to stay where a draw is beyond the bound is a Metropolis step towards the bounded prior
    inside = (np.abs(drawn) < data.centre_bound)[:, None]
    moved = np.exp(proposed[rows, taken])[:, None]
    return np.where(inside, moved, scale), np.where(inside, drawn[:, None], centre)


def _nu_prior() -> tuple[Array, Array]:
    """Degrees of freedom on a grid, and the logarithm of their prior, alpha and beta averaged out."""
    from scipy.special import gammaln

    above_one = np.geomspace(0.05, 1500, 40)
    alpha, beta = np.linspace(1, 2, 21)[:, None, None], np.linspace(0.01, 0.1, 21)[:, None]
    # alpha and not alpha - 1: the steps of the grid grow with the value
    density = np.exp(alpha * np.log(beta * above_one) - gammaln(alpha) - beta * above_one).mean((0, 1))
    return 1 + above_one, np.log(density)


def diagnose(chains: Array) -> tuple[float, float]:
    """Split R-hat, and the effective number of draws (Gelman et al. 2013, 11.4 and 11.5)."""
    half = chains.shape[1] // 2
    parts = np.concatenate([chains[:, :half], chains[:, half : 2 * half]])
    within = parts.var(1, ddof=1).mean()
    total = within * (half - 1) / half + parts.mean(1).var(ddof=1)
    centred = parts - parts.mean(1, keepdims=True)
    spectrum = np.abs(np.fft.rfft(centred, 2 * half)) ** 2
    lagged = np.fft.irfft(spectrum)[:, :half].mean(0) / half
    correlation = 1 - (within - lagged) / total
    correlation[0] = 1
    paired = correlation[: half // 2 * 2].reshape(-1, 2).sum(1)  # of two lags in a row: above 0, but for noise
    below = np.flatnonzero(paired < 0)
    used = paired[: below[0]] if len(below) else paired
    return math.sqrt(total / within), min(parts.size, parts.size / max(2 * float(used.sum()) - 1, 1e-9))


def _notes(draws: Draws, flat: int) -> tuple[str, ...]:
    diagnoses = [diagnose(chains) for chains in (draws.centre, np.log(draws.scale))]
    worst, effective = max(r for r, _ in diagnoses), min(n for _, n in diagnoses)
    notes = [f"R-hat {number(worst)}, draws worth {effective:.0f} independent ones of {draws.centre.size}"]
    if worst > 1.01:
        notes.append("the chains do not agree yet (R-hat above 1.01); ask for more replicates")
    if flat:
        which = "a data set has differences that do not vary; it is"
        if flat > 1:
            which = f"{flat} data sets have differences that do not vary; they are"
        notes.append(f"{which} given the smallest spread of the others")
    return tuple(notes)


def _rows(differences: Any) -> list[Array]:
    try:
        rows = [row(f"differences[{index}]", values, least=2) for index, values in enumerate(differences)]
    except TypeError:
        rows = []
    if len(rows) < 3:
        raise HowsureError(
            f"`differences` must have a row for each of at least 3 data sets, not {len(rows)}; "
            "for one, `bayesian_correlated_t` serves."
        )
    return rows
