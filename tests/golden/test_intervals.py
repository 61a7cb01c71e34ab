"""Intervals against SciPy, statsmodels, their defining equations, and simulation.

Tolerances: formulas are compared to rounding (1e-10 relative unless a line says why not), and simulations to
four and a half standard deviations of their own error plus what the approximation leaves out, both stated.
"""

import math
from statistics import NormalDist

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.special import xlogy
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from howsure import Confusion
from howsure.intervals import (
    agresti_coull,
    bootstrap,
    clopper_pearson,
    jeffreys,
    mean_t,
    mean_z,
    mid_p,
    newcombe,
    newcombe_paired,
    tango,
    wald,
    wald_n_1,
    wilson,
)
from howsure.intervals.bootstrap import acceleration, bounds
from howsure.intervals.declare import Request
from howsure.measures import estimate
from howsure.measures.declare import registry
from howsure.tables import BinaryCounts, LabelCounts

RTOL = 1e-10  # the quantiles of the normal and the beta distribution come from different code
CONFIDENCES = (0.5, 0.8, 0.9, 0.95, 0.99, 0.9999)
GRID = [
    (successes, n)
    for n in (1, 2, 5, 10, 29, 100, 1000, 100_000)
    for successes in sorted({0, 1, n // 3, n // 2, n - 1, n})
]
ONE_SIGMA = 2 * NormalDist().cdf(1) - 1  # the confidence at which half the width is one standard error


def z_of(confidence):
    return stats.norm.ppf((1 + confidence) / 2)


def standard_error(found):
    """Half the width of the plain delta interval at one sigma, where no end of the range is in its way."""
    interval = found.interval(ONE_SIGMA, method="delta")
    np.testing.assert_allclose((interval.low + interval.high) / 2, found.value, rtol=1e-9)  # so nothing was cut off
    return (interval.high - interval.low) / 2


# ---- one proportion


@pytest.mark.parametrize(
    ("method", "name"),
    [(wilson, "wilson"), (wald, "normal"), (clopper_pearson, "beta"), (agresti_coull, "agresti_coull")],
)
@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_statsmodels_proportions(method, name, confidence):
    """statsmodels cuts off at 0 and 1 as howsure does; its Wilson bound at 0 is a rounding error away from 0."""
    for successes, n in GRID:
        found = method(successes, n, confidence)
        expected = proportion_confint(successes, n, 1 - confidence, name)
        np.testing.assert_allclose([found.low, found.high], expected, rtol=RTOL, atol=1e-16)


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_statsmodels_jeffreys(confidence):
    """At the ends Brown, Cai and DasGupta (2001) take 0 and 1, statsmodels the quantile of the posterior."""
    for successes, n in GRID:
        found = jeffreys(successes, n, confidence)
        low, high = proportion_confint(successes, n, 1 - confidence, "jeffreys")
        if successes == 0:
            assert found.low == 0 < low
        else:
            np.testing.assert_allclose(found.low, low, rtol=RTOL)
        if successes == n:
            assert found.high == 1 > high
        else:
            np.testing.assert_allclose(found.high, high, rtol=RTOL)


@pytest.mark.parametrize(
    ("method", "name", "atol"),
    [
        (wilson, "wilson", 1e-15),
        (clopper_pearson, "exact", 1e-11),  # SciPy searches for these bounds, to 2e-12
    ],
)
@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_scipy_proportions(method, name, atol, confidence):
    for successes, n in GRID:
        found = method(successes, n, confidence)
        expected = stats.binomtest(successes, n).proportion_ci(confidence, name)
        np.testing.assert_allclose([found.low, found.high], [expected.low, expected.high], rtol=RTOL, atol=atol)


@pytest.mark.parametrize("side", ["lower", "upper"])
@pytest.mark.parametrize(("method", "name"), [(wilson, "wilson"), (clopper_pearson, "exact")])
def test_scipy_one_sided_proportions(method, name, side):
    alternative = {"lower": "greater", "upper": "less"}[side]
    for successes, n in GRID:
        found = method(successes, n, 0.95, side)
        expected = stats.binomtest(successes, n, alternative=alternative).proportion_ci(0.95, name)
        np.testing.assert_allclose([found.low, found.high], [expected.low, expected.high], rtol=RTOL, atol=1e-11)


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_mid_p_solves_its_equation(confidence):
    """Half the probability of what was seen, and all of what is further out, is what is left out on each side.

    A bound near 1 is a number with a gap of 1e-16 to the next, and n = 100,000 of those move the probability by 1e-11.
    """
    alpha = (1 - confidence) / 2
    for successes, n in GRID:
        found = mid_p(successes, n, confidence)
        seen = stats.binom.pmf(successes, n, [found.low, found.high])
        if successes == 0:
            assert found.low == 0
        else:
            above = stats.binom.sf(successes, n, found.low) + seen[0] / 2
            np.testing.assert_allclose(above, alpha, rtol=1e-9, atol=2e-11)
        if successes == n:
            assert found.high == 1
        else:
            below = stats.binom.cdf(successes - 1, n, found.high) + seen[1] / 2
            np.testing.assert_allclose(below, alpha, rtol=1e-9, atol=2e-11)


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_wilson_solves_the_score_equation(confidence):
    for successes, n in GRID:
        found = wilson(successes, n, confidence)
        for bound, sign in ((found.low, 1), (found.high, -1)):
            if 0 < bound < 1:
                score = (successes / n - bound) / math.sqrt(bound * (1 - bound) / n)
                np.testing.assert_allclose(
                    score, sign * z_of(confidence), rtol=1e-8
                )  # near 1 the bound has few digits left


def test_wald_with_n_less_1():
    """The second form of the textbooks is the first with n - 1 in the variance."""
    for successes, n in GRID:
        if n > 1:
            found = wald_n_1(successes, n)
            p = successes / n
            reach = z_of(0.95) * math.sqrt(p * (1 - p) / (n - 1))
            expected = np.clip([p - reach, p + reach], 0, 1)
            np.testing.assert_allclose([found.low, found.high], expected, rtol=RTOL, atol=1e-16)


@pytest.mark.parametrize("method", [wilson, wald, wald_n_1, clopper_pearson, agresti_coull, jeffreys, mid_p])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.975])
def test_one_sided_bounds_are_two_sided_ones_at_twice_the_tail(method, confidence):
    for successes, n in GRID:
        if method is wald_n_1 and n == 1:
            continue  # no variance with n - 1
        both = method(successes, n, 2 * confidence - 1)
        upper, lower = method(successes, n, confidence, "upper"), method(successes, n, confidence, "lower")
        np.testing.assert_allclose([lower.low, upper.high], [both.low, both.high], rtol=RTOL, atol=1e-15)
        assert (upper.low, lower.high) == (0, 1)


# ---- two proportions

PAIRS = [
    (56, 70, 48, 80),
    (9, 10, 3, 10),
    (5, 56, 0, 29),
    (0, 10, 0, 20),
    (10, 10, 0, 20),
    (1, 1, 0, 1),
    (300, 1000, 290, 900),
]


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("counts", PAIRS)
def test_statsmodels_newcombe(counts, confidence):
    found = newcombe(*counts, confidence)
    expected = confint_proportions_2indep(*counts, method="newcomb", compare="diff", alpha=1 - confidence)
    np.testing.assert_allclose([found.low, found.high], expected, rtol=RTOL, atol=1e-14)


TABLES = [
    (36, 12, 2, 0),
    (59, 6, 16, 80),
    (1, 1, 7, 12),
    (14, 5, 0, 22),
    (20, 0, 0, 0),
    (0, 3, 0, 0),
    (5, 4, 3, 700),
    (0, 7, 9, 0),
]


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("counts", TABLES)
def test_newcombe_paired_is_made_of_wilson_bounds(counts, confidence):
    """Newcombe (1998), method 10, with the Wilson bounds of statsmodels and the corrected phi."""
    a, b, c, d = counts
    n = sum(counts)
    p, q = (a + b) / n, (a + c) / n
    low_p, high_p = proportion_confint(a + b, n, 1 - confidence, "wilson")
    low_q, high_q = proportion_confint(a + c, n, 1 - confidence, "wilson")
    excess = a * d - b * c
    corrected = excess - n / 2 if excess > n / 2 else 0 if excess >= 0 else excess
    product = (a + b) * (c + d) * (a + c) * (b + d)
    phi = corrected / math.sqrt(product) if product else 0
    down, up = p - low_p, high_q - q
    low = p - q - math.sqrt(down**2 - 2 * phi * down * up + up**2)
    up, down = high_p - p, q - low_q
    high = p - q + math.sqrt(up**2 - 2 * phi * up * down + down**2)
    found = newcombe_paired(*counts, confidence)
    np.testing.assert_allclose([found.low, found.high], [low, high], rtol=RTOL, atol=1e-14)


def score_statistic(gain, loss, n, difference):
    """Tango's statistic, its nuisance parameter found by maximising the likelihood of the three cells."""
    least, most = max(0.0, -difference), (1 - difference) / 2

    def negative(lost):
        gained, rest = lost + difference, 1 - 2 * lost - difference
        with np.errstate(all="ignore"):
            cells = xlogy([gain, loss, n - gain - loss], np.clip([gained, lost, rest], 0, 1))
        return -float(np.sum(cells))

    ends = [least, most]
    inner = optimize.minimize_scalar(negative, bounds=(least, most), method="bounded", options={"xatol": 1e-13}).x
    lost = min([inner, *ends], key=negative)
    return (gain - loss - n * difference) / math.sqrt(n * (2 * lost + difference * (1 - difference)))


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize(
    ("loss", "gain", "n"), [(12, 2, 50), (16, 6, 161), (7, 1, 21), (0, 5, 41), (4, 0, 30), (40, 41, 90)]
)
def test_tango_inverts_the_score_test(loss, gain, n, confidence):
    """At both ends the statistic is z; 1e-6 because a maximum is found to the root of the rounding error only."""
    found = tango(loss, gain, n, confidence)
    assert found.low < (gain - loss) / n < found.high
    np.testing.assert_allclose(score_statistic(gain, loss, n, found.low), z_of(confidence), rtol=1e-6)
    np.testing.assert_allclose(score_statistic(gain, loss, n, found.high), -z_of(confidence), rtol=1e-6)


@pytest.mark.parametrize("n", [1, 20, 54])
def test_tango_without_disagreement(n):
    """With no discordant pair the statistic is n d / sqrt(n |d| (1 - |d|)), so d = z² / (n + z²), Wilson's bound."""
    found = tango(0, 0, n)
    edge = z_of(0.95) ** 2 / (n + z_of(0.95) ** 2)
    np.testing.assert_allclose([found.low, found.high], [-edge, edge], rtol=RTOL)


@pytest.mark.parametrize(
    ("function", "counts"), [(newcombe, (9, 10, 3, 10)), (newcombe_paired, (1, 1, 7, 12)), (tango, (7, 1, 21))]
)
def test_one_sided_differences(function, counts):
    both = function(*counts, 0.9)
    upper, lower = function(*counts, 0.95, "upper"), function(*counts, 0.95, "lower")
    np.testing.assert_allclose([lower.low, upper.high], [both.low, both.high], rtol=RTOL)
    assert (upper.low, lower.high) == (-1, 1)


# ---- means

VALUES = np.random.default_rng(7).gamma(2.0, 1.5, 40)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("size", [2, 5, 40])
def test_scipy_mean(size, confidence):
    values = VALUES[:size]
    error = stats.sem(values)
    found = mean_t(values, confidence)
    np.testing.assert_allclose(
        [found.low, found.high], stats.t.interval(confidence, size - 1, values.mean(), error), rtol=RTOL
    )
    found = mean_z(values, confidence=confidence)
    np.testing.assert_allclose(
        [found.low, found.high], stats.norm.interval(confidence, values.mean(), error), rtol=RTOL
    )
    found = mean_z(values, 2.0, confidence)
    expected = stats.norm.interval(confidence, values.mean(), 2 / math.sqrt(size))
    np.testing.assert_allclose([found.low, found.high], expected, rtol=RTOL)


@pytest.mark.parametrize("side", ["lower", "upper"])
def test_scipy_one_sided_mean(side):
    found = mean_t(VALUES, 0.95, side)
    expected = stats.ttest_1samp(VALUES, 0, alternative={"lower": "greater", "upper": "less"}[side])
    limits = expected.confidence_interval(0.95)
    np.testing.assert_allclose([found.low, found.high], [limits.low, limits.high], rtol=RTOL)


# ---- bootstrap


@pytest.mark.parametrize("side", ["two-sided", "lower", "upper"])
@pytest.mark.parametrize(("method", "name"), [("percentile", "percentile"), ("basic", "basic"), ("bca", "BCa")])
@pytest.mark.parametrize("statistic", [np.mean, np.median, np.std])
def test_scipy_bootstrap_from_the_same_replicates(statistic, method, name, side):
    """Given the replicates that SciPy drew, the bounds are its bounds to rounding, ties and all."""
    alternative = {"two-sided": "two-sided", "lower": "greater", "upper": "less"}[side]
    peer = stats.bootstrap(
        (VALUES,), statistic, n_resamples=2000, method=name, confidence_level=0.9, alternative=alternative,
        rng=np.random.default_rng(3),
    )  # fmt: skip
    left_out = np.array([statistic(np.delete(VALUES, place)) for place in range(len(VALUES))])
    a = acceleration(left_out.mean() - left_out, np.ones(len(VALUES)))
    low, high, _ = bounds(peer.bootstrap_distribution, float(statistic(VALUES)), Request(0.9, side), method, a)
    if side != "upper":
        np.testing.assert_allclose(low, peer.confidence_interval.low, rtol=RTOL)
    if side != "lower":
        np.testing.assert_allclose(high, peer.confidence_interval.high, rtol=RTOL)


@pytest.mark.parametrize(("method", "name"), [("percentile", "percentile"), ("basic", "basic"), ("bca", "BCa")])
def test_scipy_bootstrap_from_other_replicates(method, name):
    """Of 50,000 replicates each, the 2.5 % point has a standard deviation of 0.012 standard errors.

    That is sqrt(.025 * .975 / 50000) over the normal density .0584. The difference of two has 0.017; BCa reads
    further out and shifts by its own estimate of the bias, 0.0056 each, so 4.5 of its deviations stay below 0.12.
    """
    found = bootstrap(VALUES, method=method, replicates=50_000, seed=11)
    peer = stats.bootstrap(
        (VALUES,), np.mean, n_resamples=50_000, method=name, rng=np.random.default_rng(12), batch=5000
    )
    error = VALUES.std() / math.sqrt(len(VALUES))
    expected = [peer.confidence_interval.low, peer.confidence_interval.high]
    np.testing.assert_allclose([found.low, found.high], expected, rtol=0, atol=0.12 * error)


# ---- standard errors of measures


def random_tables(number, seed):
    draw = np.random.default_rng(seed)
    for _ in range(number):
        k = int(draw.integers(2, 7))
        yield draw.multinomial(int(draw.integers(100, 2000)), draw.dirichlet(np.ones(k * k))).reshape(k, k)


def test_statsmodels_kappa():
    for counts in random_tables(100, seed=5):
        found, peer = estimate(Confusion(counts), "kappa"), cohens_kappa(counts)
        np.testing.assert_allclose(found.value, peer.kappa, rtol=RTOL, atol=1e-12)  # kappa near 0 is a difference
        np.testing.assert_allclose(standard_error(found), peer.std_kappa, rtol=RTOL)


@pytest.mark.parametrize("weights", ["linear", "quadratic", "any"])
def test_statsmodels_weighted_kappa(weights):
    """Any scale of the weights gives the same kappa; statsmodels takes 1 - weights, and so is given them below 1."""
    draw = np.random.default_rng(8)
    for counts in random_tables(100, seed=6):
        k = len(counts)
        given = weights
        if weights == "any":
            given = draw.uniform(0.1, 1, (k, k))
            np.fill_diagonal(given, 0)
            peer = cohens_kappa(counts, weights=given)
        else:
            peer = cohens_kappa(counts, wt=weights)
        found = estimate(Confusion(counts), "weighted_kappa", weights=given)
        np.testing.assert_allclose(found.value, peer.kappa, rtol=RTOL, atol=1e-12)
        np.testing.assert_allclose(standard_error(found), peer.std_kappa, rtol=RTOL)


def test_accuracy_and_recall_have_the_binomial_standard_error():
    """The multinomial delta method gives sqrt(p (1 - p) / n); for recall, with the cases of the class as n."""
    for counts in random_tables(50, seed=9):
        table = Confusion(counts)
        for found in (estimate(table, "accuracy"), *(estimate(table, "recall", label=label) for label in table.labels)):
            if 0.01 < found.value < 0.99 and found.n > 10:
                expected = math.sqrt(found.value * (1 - found.value) / found.n)
                np.testing.assert_allclose(standard_error(found), expected, rtol=1e-9)


COUNTS = np.array([[700, 150, 80], [90, 420, 60], [40, 110, 350]])  # 2,000 cases
DRAWS = 200_000
PARAMETERS = {
    "f_beta": {"beta": 2.0},
    "weighted_kappa": {"weights": np.array([[0.0, 1.0, 3.0], [1.0, 0.0, 6.0], [3.0, 6.0, 0.0]])},
    "total_cost": {"costs": np.array([[-1.0, 2.0, 5.0], [1.0, 0.0, 3.0], [8.0, 4.0, 0.5]])},
    "mean_cost": {"costs": np.array([[-1.0, 2.0, 5.0], [1.0, 0.0, 3.0], [8.0, 4.0, 0.5]])},
}
TARGETS = [
    (name, of)
    for name, measure in registry.items()
    if measure.scope in ("class", "overall")
    for of in (
        (None,) if measure.scope == "overall" else (1, "macro", "micro", "weighted") if measure.averaged else (1,)
    )
]


@pytest.fixture(scope="module")
def drawn():
    return np.random.default_rng(13).multinomial(COUNTS.sum(), COUNTS.ravel() / COUNTS.sum(), DRAWS).reshape(-1, 3, 3)


@pytest.mark.parametrize(("name", "of"), TARGETS)
def test_delta_method_against_the_parametric_bootstrap(drawn, name, of):
    """The standard deviation over 200,000 drawn tables is known to 0.16 %; the delta method leaves out terms of 1 / n.

    So 4.5 * 0.16 % = 0.72 % and a little: 0.8 %. Measures from 0 to infinity are compared on the log scale, on which
    their intervals are; they divide by a small rate, whose square adds another 0.7 %.
    """
    measure, parameters = registry[name], PARAMETERS.get(name, {})
    if measure.scope == "overall":
        found = estimate(Confusion(COUNTS), name, **parameters)
        values = measure.value(LabelCounts.of(drawn), **parameters)
    else:
        c = BinaryCounts.of(drawn)
        options = {"average": of} if isinstance(of, str) else {"label": of}
        found = estimate(Confusion(COUNTS), name, **options, **parameters)
        if of == "micro":
            pooled = BinaryCounts(*(part.sum(-1) for part in (c.tp, c.fp, c.fn, c.tn)))
            values = measure.value(pooled, **parameters)
        else:
            by_class = measure.value(c, **parameters)
            support = drawn.sum(-1)
            values = {
                1: lambda: by_class[:, 1],
                "macro": lambda: by_class.mean(-1),
                "weighted": lambda: (by_class * support).sum(-1) / support.sum(-1),
            }[of]()
    error = standard_error(found)
    if measure.range == (0, math.inf):
        np.testing.assert_allclose(error / found.value, np.log(values).std(), rtol=0.015)
    else:
        np.testing.assert_allclose(error, values.std(), rtol=0.008)


def test_delta_method_of_weighted_cases_against_the_bootstrap_of_cases():
    """Resample 600 weighted cases 20,000 times: 0.5 % known, so 4.5 * 0.5 %, and 1 % for the terms of 1 / n."""
    draw = np.random.default_rng(17)
    n, k, replicates = 600, 3, 20_000
    truth = draw.integers(0, k, n)
    predicted = np.where(draw.random(n) < 0.7, truth, draw.integers(0, k, n))
    weight = draw.gamma(2.0, 1.0, n) * (1 + truth)
    table = Confusion.from_labels(truth, predicted, weight=weight)
    chosen = draw.integers(0, n, (replicates, n))
    cell = truth * k + predicted
    where = cell[chosen] + k * k * np.arange(replicates)[:, None]
    drawn = np.bincount(where.ravel(), weight[chosen].ravel(), k * k * replicates).reshape(-1, k, k)
    f1 = registry["f1"].value(BinaryCounts.of(drawn)).mean(-1)
    np.testing.assert_allclose(standard_error(estimate(table, "f1", average="macro")), f1.std(), rtol=0.0325)
    for name in ("accuracy", "kappa", "mcc"):
        values = registry[name].value(LabelCounts.of(drawn))
        np.testing.assert_allclose(standard_error(estimate(table, name)), values.std(), rtol=0.0325)


@pytest.mark.parametrize("name", ["kappa", "mcc", "balanced_accuracy", "relative_improvement"])
@pytest.mark.parametrize("method", ["auto", "delta"])
def test_one_sided_bounds_of_measures(name, method):
    found = estimate(Confusion(COUNTS), name)
    both = found.interval(0.9, method)
    upper, lower = found.interval(0.95, method, "upper"), found.interval(0.95, method, "lower")
    np.testing.assert_allclose([lower.low, upper.high], [both.low, both.high], rtol=RTOL)


def test_scipy_bootstrap_of_a_measure():
    """Drawing tables is drawing cases: the percentile interval of kappa is that of SciPy's resampled cases.

    Of 20,000 replicates the 2.5 % point has 0.019 standard errors, the difference of two 0.027: 4.5 times is 0.12.
    The table is uneven enough for the acceleration to count: with the wrong sign BCa would be off by 0.3.
    """
    counts = np.array([[90, 2, 1], [3, 25, 2], [1, 2, 24]])
    rows, columns = (np.repeat(place.ravel(), counts.ravel()) for place in np.indices(counts.shape))
    cell = 3 * rows + columns

    def kappa(cells, axis=-1):
        batch = np.stack([(cells == place).sum(axis) for place in range(9)], -1)
        return registry["kappa"].value(LabelCounts.of(batch.reshape(*batch.shape[:-1], 3, 3)))

    found = estimate(Confusion(counts), "kappa")
    for method, name in (("percentile", "percentile"), ("basic", "basic"), ("bca", "BCa")):
        interval = found.interval(0.95, method, replicates=20_000, seed=1)
        draw = np.random.default_rng(2)
        peer = stats.bootstrap((cell,), kappa, n_resamples=20_000, method=name, rng=draw, batch=2000)
        expected = [peer.confidence_interval.low, peer.confidence_interval.high]
        np.testing.assert_allclose([interval.low, interval.high], expected, rtol=0, atol=0.12 * standard_error(found))
