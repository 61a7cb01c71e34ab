"""Bayesian hierarchical test of two classifiers on several data sets.

The model of Corani et al. (2017): with x_i the differences on the splits of data set i,

    x_i ~ normal with mean delta_i, standard deviation sigma_i and correlation rho between any two splits,
    delta_i ~ Student's t with nu degrees of freedom, location delta_0 and scale sigma_0,
    delta_0, sigma_0, sigma_i ~ uniform, up to bounds far beyond the data,
    nu - 1 ~ gamma(alpha, beta), with alpha uniform on [1, 2] and beta uniform on [0.01, 0.1].

The likelihood depends only on the mean and the sum of squares of each data set. Student's t is written as a normal
distribution with a random precision factor: delta_i ~ normal(delta_0, sigma_0² / lambda_i), where lambda_i is
gamma(nu / 2, nu / 2). All full conditionals except that of sigma_0 are then standard distributions, and a Gibbs sampler
draws from them. sigma_0 is drawn with Metropolis steps that have several proposals (Tjelmeland 2004), with delta_0 and
the delta_i integrated out.
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
STEPS = (0.3, 1.0, 2.0)  # step widths of the random walk on log sigma_0; at least one is suitable for any data
PROPOSALS = 8  # number of proposals in each step for sigma_0
MOVES = 2  # number of steps in each iteration for sigma_0, which mixes slowest
NAME = "Bayesian hierarchical test"


@bayesian_test(
    NAME,
    designs=("datasets",),
    assumes="data sets from one population; approximately normal differences with the correlation rho within each",
)
def bayesian_hierarchical(
    differences: ArrayLike | Sequence[ArrayLike], *, rho: float, rope: float, replicates: int = 16_000, seed: int = 0
) -> BayesianResult:
    """Bayesian hierarchical test of two classifiers on several data sets.

    The differences on the splits of each data set are normal, with the correlation ``rho`` between any two, and the
    mean differences of the data sets follow Student's t distribution (Corani et al. 2017). Means of data sets with few
    or variable splits are shrunk towards the others. The result holds the probabilities that, on a new data set, the
    difference is most likely below, within or above the region of practical equivalence. ``mean`` and the interval
    refer to the centre of the mean differences.

    The posterior is simulated with 32 Markov chains. The notes state whether they agree (R-hat near 1), and how many
    independent draws would have the same precision (effective sample size).

    Parameters
    ----------
    differences : table or list of rows
        Differences a - b on the splits, with a row for each of at least 3 data sets. With only two, the prior would
        dominate.
    rho : float
        Correlation between the differences on two splits: the share of cases used for testing, 1 / 10 for ten folds.
    rope : float
        Largest difference that does not matter.
    replicates, seed : int
        Number of posterior draws, after 100 warm-up draws per chain, and random seed.

    Returns
    -------
    BayesianResult
        The probabilities that b is better, that both are practically equivalent, and that a is better.

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
    decimal = [rounded(values, values) for values in rows]
    spreads = np.array(
        [float(values.std(ddof=1)) if np.ptp(own) else 0.0 for values, own in zip(rows, decimal, strict=True)]
    )
    if not spreads.any():
        return without_spread(NAME, np.concatenate(decimal), rope)
    flat = int((spreads == 0).sum())
    spreads[spreads == 0] = spreads[spreads > 0].min()
    unit = float(spreads.mean())
    data = Data.of([values / unit for values in rows], spreads / unit, float(rho))
    draws = sample(data, max(4, math.ceil(replicates / CHAINS)), np.random.default_rng(seed))
    centre, scale, nu = (np.concatenate(part)[:replicates] for part in (draws.centre, draws.scale, draws.nu))
    from scipy.special import stdtr

    with np.errstate(over="ignore"):  # the bounds of a very wide region may be infinite
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
    """Summary statistics of the data sets, and bounds of the uniform priors.

    ``means`` and ``squares`` may have a row for each chain, to run several analyses at once.
    """

    means: Array
    squares: Array  # sums of squared deviations from the mean
    sizes: Array
    rho: float
    centre_bound: float
    scale_bound: float
    sigma_bound: float

    @classmethod
    def of(cls, rows: list[Array], spreads: Array, rho: float) -> Data:
        """Summarise scaled rows, with the same bounds as in the authors' program."""
        means, sizes = np.array([values.mean() for values in rows]), np.array([len(values) for values in rows], float)
        largest = max(float(np.abs(values).max()) for values in rows)
        return cls(means, spreads**2 * (sizes - 1), sizes, rho, largest, 1000 * (float(means.std()) or 1.0), 1000.0)


@dataclass(frozen=True)
class Draws:
    """Posterior draws, with a row for each chain."""

    centre: Array
    scale: Array
    nu: Array
    deltas: Array


def sample(data: Data, length: int, rng: np.random.Generator, chains: int = CHAINS, warm_up: int = WARM_UP) -> Draws:
    """Run all chains at once; each quantity has a row for each chain."""
    from scipy.special import gammaln

    m, q = data.means, data.means.shape[-1]
    of_mean = (1 + (data.sizes - 1) * data.rho) / data.sizes  # variance of a mean, divided by sigma_i²
    nus, log_prior = _nu_prior()
    log_prior = log_prior + q * (gammaln((nus + 1) / 2) - gammaln(nus / 2) - np.log(nus) / 2)
    # The starting points are overdispersed, so that R-hat shows a lack of convergence.
    scale = np.minimum(data.scale_bound / 2, np.exp(rng.normal(size=(chains, 1))) * math.sqrt(of_mean.mean()))
    centre = np.clip(m.mean(-1, keepdims=True) + scale * rng.normal(size=(chains, 1)), -data.centre_bound / 2, None)
    centre = np.minimum(centre, data.centre_bound / 2)
    variance = np.minimum(data.squares / (data.sizes - 1), (data.sigma_bound / 2) ** 2) * np.ones((chains, 1))
    precision, nu = np.ones((chains, q)), nus[rng.integers(len(nus), size=(chains, 1))]
    shape = (chains, length)
    draws = Draws(np.empty(shape), np.empty(shape), np.empty(shape), np.empty((*shape, q)))

    widths = np.array(STEPS)[rng.integers(len(STEPS), size=(warm_up + length, MOVES, chains, 1))]
    for step in range(-warm_up, length):
        spread = variance * of_mean  # variance of a mean around its delta_i
        for width in widths[step]:
            scale, centre = _draw_scale_and_centre(data, spread, precision, scale, centre, width, rng)
        own, shared = 1 / spread, precision / scale**2
        deltas = (own * m + shared * centre) / (own + shared) + rng.normal(size=(chains, q)) / np.sqrt(own + shared)
        rest = data.squares / (1 - data.rho) + (m - deltas) ** 2 / of_mean
        drawn = rest / 2 / rng.standard_gamma((data.sizes - 1) / 2, (chains, q))
        # Keeping the old value if the draw exceeds the bound is a Metropolis step for the bounded prior.
        variance = np.where(drawn < data.sigma_bound**2, drawn, variance)
        far = ((deltas - centre) / scale) ** 2
        # nu is drawn with the lambda_i integrated out, because it would hardly move given them.
        odds = log_prior - (nus + 1) / 2 * np.add.reduce(np.log1p(far[..., None] / nus), 1)
        nu = nus[(odds + rng.gumbel(size=odds.shape)).argmax(1)][:, None]
        precision = rng.standard_gamma((nu + 1) / 2, (chains, q)) / ((nu + far) / 2)
        # Scale sigma_0² and all lambda_i by a common factor, which leaves sigma_0² / lambda_i unchanged (generalised
        # Gibbs step, Liu and Sabatti 2000).
        factor = rng.standard_gamma((q * nu + 1) / 2) / (nu / 2 * precision.sum(1, keepdims=True))
        factor = np.where(scale * np.sqrt(factor) < data.scale_bound, factor, 1)
        scale, precision = scale * np.sqrt(factor), precision * factor
        if step >= 0:
            draws.centre[:, step], draws.scale[:, step], draws.nu[:, step] = centre[:, 0], scale[:, 0], nu[:, 0]
            draws.deltas[:, step] = deltas
    return draws


def _draw_scale_and_centre(
    data: Data,
    spread: Array,
    precision: Array,
    scale: Array,
    centre: Array,
    width: Array,
    rng: np.random.Generator,
) -> tuple[Array, Array]:
    """Draw sigma_0 with all deltas integrated out, then delta_0.

    All proposals, and the current log sigma_0, are normal around a common random point with the standard deviation
    ``width``. Each of them could have generated the others, so the next state is drawn from among them with
    probabilities proportional to the density (Tjelmeland 2004).
    """
    rows, m = np.arange(len(scale)), data.means[..., None]
    walk, start = width * rng.standard_normal((len(scale), 1 + PROPOSALS)), np.log(scale)
    proposed = start + walk[:, :1] + walk
    proposed[:, :1] = start
    # Axes: chains, data sets, proposals. Given sigma_0, mean i is normal(delta_0, marginal_i), delta_0 integrated out.
    marginal = spread[..., None] + np.exp(2 * proposed)[:, None, :] / precision[..., None]
    weight = 1 / marginal
    total = np.add.reduce(weight, 1)
    mean = np.add.reduce(weight * m, 1) / total
    misfit = np.add.reduce(np.log(marginal) + weight * (m - mean[:, None, :]) ** 2, 1) + np.log(total)
    # With a uniform prior on sigma_0, the density of log sigma_0 is proportional to sigma_0.
    density = np.where(proposed < math.log(data.scale_bound), proposed - misfit / 2, -np.inf)
    chosen = (density + rng.gumbel(size=density.shape)).argmax(1)
    drawn = mean[rows, chosen] + rng.standard_normal(len(scale)) / np.sqrt(total[rows, chosen])
    # Keeping the old state if the draw exceeds the bound is a Metropolis step for the bounded prior.
    inside = (np.abs(drawn) < data.centre_bound)[:, None]
    moved = np.exp(proposed[rows, chosen])[:, None]
    return np.where(inside, moved, scale), np.where(inside, drawn[:, None], centre)


def _nu_prior() -> tuple[Array, Array]:
    """Return a grid of degrees of freedom, and their log prior.

    The prior is averaged over alpha and beta.
    """
    from scipy.special import gammaln

    above_one = np.geomspace(0.05, 1500, 40)
    alpha, beta = np.linspace(1, 2, 21)[:, None, None], np.linspace(0.01, 0.1, 21)[:, None]
    # The exponent is alpha, not alpha - 1, because the steps of the geometric grid grow with the value.
    density = np.exp(alpha * np.log(beta * above_one) - gammaln(alpha) - beta * above_one).mean((0, 1))
    return 1 + above_one, np.log(density)


def diagnose(chains: Array) -> tuple[float, float]:
    """Split R-hat and effective sample size (Gelman et al. 2013, ch. 11)."""
    half = chains.shape[1] // 2
    parts = np.concatenate([chains[:, :half], chains[:, half : 2 * half]])
    within = parts.var(1, ddof=1).mean()
    total = within * (half - 1) / half + parts.mean(1).var(ddof=1)
    centred = parts - parts.mean(1, keepdims=True)
    spectrum = np.abs(np.fft.rfft(centred, 2 * half)) ** 2
    lagged = np.fft.irfft(spectrum)[:, :half].mean(0) / half
    correlation = 1 - (within - lagged) / total
    correlation[0] = 1
    paired = correlation[: half // 2 * 2].reshape(-1, 2).sum(1)  # sums of two adjacent lags, positive except for noise
    negative = np.flatnonzero(paired < 0)
    used = paired[: negative[0]] if len(negative) else paired
    return math.sqrt(total / within), min(parts.size, parts.size / max(2 * float(used.sum()) - 1, 1e-9))


def _notes(draws: Draws, flat: int) -> tuple[str, ...]:
    diagnoses = [diagnose(chains) for chains in (draws.centre, np.log(draws.scale))]
    worst, effective = max(r for r, _ in diagnoses), min(n for _, n in diagnoses)
    notes = [f"R-hat {number(worst)}, effective sample size {effective:.0f} of {draws.centre.size} draws"]
    if worst > 1.01:
        notes.append("the chains have not converged (R-hat above 1.01); use more replicates")
    if flat:
        which = "1 data set has differences" if flat == 1 else f"{flat} data sets have differences"
        notes.append(f"{which} that do not vary; the smallest standard deviation of the others is used")
    return tuple(notes)


def _rows(differences: Any) -> list[Array]:
    try:
        rows = [row(f"differences[{index}]", values, least=2) for index, values in enumerate(differences)]
    except TypeError:
        rows = []
    if len(rows) < 3:
        raise HowsureError(
            f"`differences` must have a row for each of at least 3 data sets, not {len(rows)}; "
            "for one data set use `bayesian_correlated_t`."
        )
    return rows
