"""Planning a comparison: power by enumeration, simulation and peers, and that solving agrees with it."""

from __future__ import annotations

import copy
import json
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri
from scipy.stats import binom, multinomial, multivariate_normal
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import power_proportions_2indep, samplesize_confint_proportion

import howsure
from howsure import HowsureError
from howsure.significance import (
    corrected_paired_t,
    delong,
    iman_davenport,
    mcnemar,
    plan_auc,
    plan_auc_half_width,
    plan_corrected_t,
    plan_friedman,
    plan_half_width,
    plan_mcnemar,
    plan_non_inferiority,
    plan_proportions,
    plan_repeats,
)
from howsure.significance.power import formulas as powers

SIDES = ["two-sided", "less", "greater"]
PLANS = {
    "mcnemar": (plan_mcnemar, {"discordant": 0.1}, 0.03),
    "mcnemar, most discordant": (plan_mcnemar, {"discordant": 0.95}, 0.4),
    "proportions": (plan_proportions, {"proportion": 0.8}, 0.06),
    "auc": (plan_auc, {"auc": 0.8, "correlation": 0.4, "positives": 0.3}, 0.06),
    "corrected t": (plan_corrected_t, {"sd": 0.02, "ratio": 1 / 9}, 0.025),
    "paired t": (plan_corrected_t, {"sd": 0.02, "ratio": 0}, 0.01),
    "friedman": (plan_friedman, {"classifiers": 5}, 1.5),
    "friedman, even": (plan_friedman, {"classifiers": 5, "pattern": "even"}, 1.5),
}


def near(share, runs):
    """Four standard errors of a simulated share: a seeded run that fails is no accident."""
    return 4 * math.sqrt(share * (1 - share) / runs)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize(
    ("n", "difference", "discordant", "alpha"),
    [(12, 0.3, 0.5, 0.05), (40, 0.2, 0.7, 0.05), (40, -0.25, 0.6, 0.01), (30, 0, 0.9, 0.1)],
)
def test_mcnemar_is_what_counting_all_outcomes_gives(n, difference, discordant, alpha, alternative):
    """Both rules of "auto" take part: with 40 cases there are fewer than 25 discordant ones, and more."""
    p10 = (discordant + difference) / 2
    expected = 0.0
    for m in range(n + 1):
        for gain in range(m + 1):
            if mcnemar(m - gain, gain, alternative=alternative).pvalue <= alpha:
                expected += binom.pmf(m, n, discordant) * binom.pmf(gain, m, p10 / discordant)
    result = plan_mcnemar(n, difference=difference, discordant=discordant, alpha=alpha, alternative=alternative)
    assert result.power == pytest.approx(expected, rel=1e-9)  # sums of products of gamma functions


def test_mcnemar_by_simulation():
    """Cases are drawn, not counts; the Monte Carlo error is 0.006."""
    rng, runs, n = np.random.default_rng(0), 5000, 300
    draws = rng.choice(3, p=[0.05, 0.1, 0.85], size=(runs, n))
    counts = zip((draws == 0).sum(1).tolist(), (draws == 1).sum(1).tolist(), strict=True)
    rejected = np.mean([mcnemar(loss, gain).pvalue <= 0.05 for loss, gain in counts])
    power = plan_mcnemar(n, difference=0.05, discordant=0.15).power
    assert rejected == pytest.approx(power, abs=near(power, runs))


def test_mcnemar_beside_the_normal_formula():
    result = plan_mcnemar(power=0.8, difference=0.02, discordant=0.1)
    by_hand = math.ceil(((1.959963985 * math.sqrt(0.1) + 0.841621234 * math.sqrt(0.1 - 0.02**2)) / 0.02) ** 2)
    assert result.notes == (f"Connor's normal formula (1987) gives {by_hand} cases",)
    assert result.n == pytest.approx(by_hand, rel=0.01)  # an approximation beside the exact power
    power = plan_mcnemar(1_000_000, difference=0.001, discordant=0.1)
    rough = powers.of_mcnemar_normal(1_000_000, 0.001, 0.1, 0.05, "two-sided")
    assert power.power == pytest.approx(rough, rel=1e-4)  # with so many cases they meet
    assert power.notes[0] == f"Connor's normal formula (1987) gives power {rough:.3f}"
    assert power.notes[1:] == ("with this many discordant cases, the power is accurate to 1e-6",)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize(("n", "proportion", "difference"), [(50, 0.5, 0.25), (200, 0.9, -0.05), (1000, 0.7, 0.02)])
def test_proportions_as_in_statsmodels(n, proportion, difference, alternative):
    peer = {"two-sided": "two-sided", "less": "smaller", "greater": "larger"}[alternative]
    expected = power_proportions_2indep(difference, proportion, n, alternative=peer, return_results=False)
    result = plan_proportions(n, difference=difference, proportion=proportion, alternative=alternative)
    assert result.power == pytest.approx(float(expected), rel=1e-9)


def test_proportions_as_in_the_manual_of_r():
    """The examples of `?power.prop.test` in R: n = 76.7 for a power of 0.9, and 0.740 with n = 50."""
    assert plan_proportions(power=0.9, difference=0.25, proportion=0.5).n == 77
    assert plan_proportions(50, difference=0.25, proportion=0.5).power == pytest.approx(0.740, abs=5e-4)


def test_proportions_by_simulation():
    """The Monte Carlo error is 0.003; the whole counts of the test add up to 0.01 to it."""
    rng, runs, n = np.random.default_rng(1), 20000, 300
    first, second = rng.binomial(n, 0.88, runs) / n, rng.binomial(n, 0.8, runs) / n
    pooled = (first + second) / 2
    rejected = np.mean(np.abs(first - second) > 1.959963985 * np.sqrt(2 * pooled * (1 - pooled) / n))
    power = plan_proportions(n, difference=0.08, proportion=0.8).power
    assert rejected == pytest.approx(power, abs=near(power, runs) + 0.01)


@pytest.mark.parametrize("correlation", [-0.9, -0.3, 0.0, 0.5, 0.99])
@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (1.2, 0.3), (2.5, -1.0)])
def test_covariance_of_two_normal_events(x, y, correlation):
    both = multivariate_normal([0, 0], [[1, correlation], [correlation, 1]]).cdf([x, y])
    expected = both - ndtr(x) * ndtr(y)
    assert powers.indicator_covariance(x, y, correlation) == pytest.approx(expected, abs=1e-9)  # SciPy's own error


def scores(rng, n_p, n_q, areas, correlation):
    noise = rng.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], n_p + n_q)
    noise[:n_p] += math.sqrt(2) * ndtri(areas)
    return noise.T


@pytest.mark.parametrize(("positives", "correlation"), [(0.5, 0.0), (0.25, 0.6)])
def test_auc_by_simulation(positives, correlation):
    """The Monte Carlo error is 0.012; that of the normal distribution with 200 cases is as large."""
    rng, runs, n = np.random.default_rng(2), 1500, 200
    n_p = round(n * positives)
    truth = np.arange(n) < n_p
    result = [delong(truth, *scores(rng, n_p, n - n_p, [0.88, 0.8], correlation)) for _ in range(runs)]
    plan = plan_auc(n, difference=0.08, auc=0.8, correlation=correlation, positives=positives)
    assert np.mean([one.pvalue <= 0.05 for one in result]) == pytest.approx(plan.power, abs=near(0.5, runs))
    first, second, both = powers.auc_variances(n, 0.08, 0.8, correlation, positives)
    spread = np.std([one.difference for one in result])
    assert spread == pytest.approx(math.sqrt(first + second - 2 * both), rel=4 / math.sqrt(2 * runs))


@pytest.mark.parametrize("a", [0.7, 0.9])
def test_auc_variance_by_simulation(a):
    """The Monte Carlo error is 1.6 %. Hanley and McNeil's exponential model (1982) gives 13 % more at 0.9."""
    rng, runs = np.random.default_rng(5), 8000
    above = rng.normal(size=(runs, 20, 1)) + math.sqrt(2) * ndtri(a) > rng.normal(size=(runs, 1, 30))
    result = powers.auc_variances(50, 0, a, 0, 0.4)[0]
    assert np.var(above.mean((1, 2))) == pytest.approx(result, rel=4 * math.sqrt(2 / runs))


@pytest.mark.parametrize(("n", "effect"), [(5, 0.8), (20, 0.5), (200, 0.2)])
def test_paired_t_as_in_statsmodels(n, effect):
    for alternative, peer in (("two-sided", "two-sided"), ("greater", "larger")):
        expected = TTestPower().power(effect, n, 0.05, alternative=peer)
        result = plan_corrected_t(n, difference=effect, sd=1, ratio=0, alternative=alternative)
        assert result.power == pytest.approx(float(expected), rel=1e-6)


def test_corrected_t_by_simulation():
    """Differences with the correlation that the test assumes; the Monte Carlo error is 0.007."""
    rng, runs, n, ratio = np.random.default_rng(3), 5000, 10, 1 / 9
    rho = ratio / (1 + ratio)
    sigma = 0.02 / math.sqrt(1 - rho)  # so that the sd to be seen is 0.02
    common, own = rng.normal(size=(runs, 1)), rng.normal(size=(runs, n))
    d = 0.025 + sigma * (math.sqrt(rho) * common + math.sqrt(1 - rho) * own)
    rejected = np.mean([corrected_paired_t(row, np.zeros(n), ratio).pvalue <= 0.05 for row in d])
    power = plan_corrected_t(n, difference=0.025, sd=0.02, ratio=ratio).power
    assert rejected == pytest.approx(power, abs=near(power, runs))


@pytest.mark.parametrize(("pattern", "means"), [("pair", [-0.6, 0, 0, 0.6]), ("even", [-0.6, -0.2, 0.2, 0.6])])
def test_friedman_by_simulation(pattern, means):
    """The Monte Carlo error is 0.013; the approximation is to be within 0.03."""
    rng, runs, n, k = np.random.default_rng(4), 1500, 15, 4
    gaps = np.subtract.outer(means, means)
    ranks = 1 + ndtr(gaps / math.sqrt(2)).sum(1) - 0.5
    tables = rng.normal(size=(runs, n, k)) + means
    rejected = np.mean([iman_davenport(table).pvalue <= 0.05 for table in tables])
    result = plan_friedman(n, difference=np.ptp(ranks), classifiers=k, pattern=pattern)
    assert rejected == pytest.approx(result.power, abs=near(result.power, runs) + 0.03)


@pytest.mark.parametrize("k", [3, 5, 9])
def test_concordance_of_the_two_patterns(k):
    for pattern, d in (("pair", 1.2), ("even", 1.2)):
        middle = np.full(k, (k + 1) / 2)
        ranks = (
            middle + np.r_[-d / 2, np.zeros(k - 2), d / 2] if pattern == "pair" else middle + np.linspace(-d, d, k) / 2
        )
        w = 12 * ((ranks - (k + 1) / 2) ** 2).sum() / (k * (k * k - 1))
        result = plan_friedman(20, difference=d, classifiers=k, pattern=pattern)
        assert result.notes == (f"Kendall's W of the mean ranks is {w:.3f}",)
        assert plan_friedman(20, w=w, classifiers=k).power == pytest.approx(result.power, rel=1e-9)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("name", PLANS)
def test_solving_agrees_with_power(name, alternative):
    plan, options, difference = PLANS[name]
    if plan is not plan_friedman:
        options = {**options, "alternative": alternative}
        difference = -difference if alternative == "less" else difference
    for asked in (0.5, 0.8, 0.95):
        result = plan(power=asked, difference=difference, **options)
        assert result.solved_for == "n"
        assert result.power == plan(result.n, difference=difference, **options).power >= asked
        assert plan(result.n - 1, difference=difference, **options).power < asked
        smallest = plan(result.n, asked, **options)
        assert smallest.solved_for == "difference"
        assert smallest.power == pytest.approx(asked, abs=1e-6)
        assert abs(smallest.difference) <= abs(difference) * (1 + 1e-9)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("name", PLANS)
def test_without_a_difference_the_power_is_the_level(name, alternative):
    plan, options, _ = PLANS[name]
    if plan is not plan_friedman:
        options = {**options, "alternative": alternative}
    # The counts of McNemar's test are whole, so that it keeps its level only about.
    tolerance = 0.006 if plan is plan_mcnemar else 1e-9
    for alpha in (0.01, 0.05):
        assert plan(200, difference=0, alpha=alpha, **options).power == pytest.approx(alpha, abs=tolerance)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(name=st.sampled_from(sorted(PLANS)), n=st.integers(12, 400), part=st.floats(0.05, 1), more=st.floats(1.02, 2))
def test_power_grows_with_n_and_with_the_difference(name, n, part, more):
    plan, options, difference = PLANS[name]
    low = plan(n, difference=part * difference, **options).power
    # Whole counts let the power of McNemar's test fall a little from one n to the next.
    slack = 0.02 if "most" in name else 1e-3 if plan is plan_mcnemar else 1e-9
    assert plan(math.ceil(n * more), difference=part * difference, **options).power >= low - slack
    assert plan(n, difference=min(more * part, 1.2) * difference, **options).power >= low - 1e-9
    assert 0 <= low <= 1


def test_plans_have_a_namespace_of_their_own():
    for name in set(howsure.plan.__all__) - {"labels"}:  # which plans no test
        assert getattr(howsure.plan, name) is getattr(howsure.significance, f"plan_{name}")
    plan = howsure.plan.mcnemar(power=0.8, difference=0.02, discordant=0.1)
    assert plan.test is howsure.significance.declare.registry["mcnemar"]
    for name, (function, options, difference) in PLANS.items():
        plan = function(power=0.8, difference=difference, **options)
        for copied in (copy.deepcopy(plan), pickle.loads(pickle.dumps(plan))):
            assert copied == plan, name
            assert copied.records() == plan.records()
    clusters = {"icc": 0.1, "cluster_size": 20}
    for plan in (
        plan_mcnemar(power=0.8, difference=0.05, discordant=0.2, **clusters),
        plan_non_inferiority(power=0.8, margin=0.05, discordant=0.2, **clusters),
        plan_half_width(0.9, 0.03, prevalence=0.2, **clusters),
        plan_auc_half_width(0.8, 0.05, **clusters),
        plan_repeats(0.1, 0.1, budget=100),
    ):
        for copied in (copy.deepcopy(plan), pickle.loads(pickle.dumps(plan))):
            assert copied == plan
            assert copied.records() == plan.records()


def test_a_plan_in_words_numbers_and_a_sheet():
    result = plan_friedman(power=0.8, difference=1.5, classifiers=4)
    assert str(result) == (
        "Friedman test: 14 data sets detect a difference of 1.500 with power 0.805 at\n"
        "  the 5 % level (two-sided, classifiers 4, mean ranks pair).\n"
        "  note: Kendall's W of the mean ranks is 0.225"
    )
    kept = json.loads(json.dumps(result.to_dict()))
    assert kept.pop("power") == result.power
    assert kept == {
        "test": "iman_davenport",
        "method": "Friedman test",
        "n": 14,
        "difference": 1.5,
        "alpha": 0.05,
        "alternative": "two-sided",
        "solved_for": "n",
        "unit": "data sets",
        "assumptions": {"classifiers": 4, "mean_ranks": "pair"},
        "notes": ["Kendall's W of the mean ranks is 0.225"],
    }
    sheet = result.sheet()
    assert sheet.columns == ["data sets", "power"]
    assert [14, result.power] in sheet.rows
    assert result.frame("pandas").shape == (7, 2)
    assert "\n" not in repr(result)
    assert [row[0] for row in sheet.rows] == [4, 7, 11, 14, 18, 21, 28]
    assert [row[0] for row in result.sheet([10, 20]).rows] == [10, 20]
    with pytest.raises(AttributeError):
        result.n = 3
    few = plan_friedman(5, difference=1.5, classifiers=4)
    assert few.notes[1] == "with fewer than 10 data sets the approximation is rough"


def test_the_largest_difference_can_be_given():
    """In binary 1 - 0.9 is less than 0.1."""
    assert plan_proportions(100, difference=0.1, proportion=0.9).difference == pytest.approx(0.1, rel=1e-12)
    assert 0.9 < plan_auc(400, difference=0.1, auc=0.9, correlation=0.5).power <= 1
    assert plan_friedman(10, w=1, classifiers=6).power == 1


@pytest.mark.parametrize("n", [3, 10, 1000, 10_000_000])
@pytest.mark.parametrize("effect", [1e-3, 1, 30, 45, 1e6])
def test_far_out_there_is_still_a_power(n, effect):
    """SciPy's noncentral distributions give NaN where a probability is too close to 0."""
    for alternative in SIDES:
        assert 0 <= plan_corrected_t(n, difference=effect, sd=1, ratio=0, alternative=alternative).power <= 1
    for k in (3, 10, 30):
        assert 0 <= plan_friedman(n, w=effect / (1 + effect), classifiers=k).power <= 1


@pytest.mark.parametrize(("k", "least"), [(3, 3), (4, 2), (6, 2)])
def test_the_fewest_data_sets_with_which_the_friedman_test_can_reject(k, least):
    alike = np.tile(np.arange(k), (least, 1))
    assert iman_davenport(alike).pvalue <= 0.05
    if least > 2:
        assert iman_davenport(alike[1:]).pvalue > 0.05
    assert plan_friedman(power=0.8, w=1, classifiers=k).n == least
    assert plan_friedman(least, w=1, classifiers=k).sheet().rows[0][0] == least


def in_clusters(rng, clusters, size, icc, shares):
    """Draw kinds of cases, of which two in a cluster are one draw with the probability ``icc``, and the clusters."""
    of = np.repeat(np.arange(clusters), size)
    common, own = rng.choice(len(shares), p=shares, size=clusters)[of], rng.choice(len(shares), p=shares, size=len(of))
    return np.where(rng.random(len(of)) < math.sqrt(icc), common, own), of


@pytest.mark.parametrize("plan", ["mcnemar", "proportions", "auc"])
@pytest.mark.parametrize("icc", [0, 0.3, 1])
def test_clusters_of_one_case_are_independent_cases(plan, icc):
    function, options, difference = PLANS[plan]
    alone = function(power=0.8, difference=difference, **options)
    assert function(power=0.8, difference=difference, **options, icc=icc, cluster_size=1) == alone
    arguments = {"power": 0.8, "margin": 0.03, "discordant": 0.1}
    assert plan_non_inferiority(**arguments, icc=icc, cluster_size=1) == plan_non_inferiority(**arguments)
    assert plan_half_width(0.9, 0.03, icc=icc, cluster_size=1) == plan_half_width(0.9, 0.03)
    assert plan_auc_half_width(0.8, 0.05, icc=icc, cluster_size=1) == plan_auc_half_width(0.8, 0.05)


@pytest.mark.parametrize("plan", ["mcnemar", "proportions", "auc"])
def test_clusters_take_the_design_effect_more_cases(plan):
    """With many clusters, neither Student's quantile nor the leaving out of one shows: what is left is below 1 %."""
    function, options, difference = PLANS[plan]
    alone = function(power=0.8, difference=difference / 10, **options).n
    for icc, variation, effect in ((0, 0, 1), (0.2, 0, 1.8), (0.2, 0.5, 2.05), (1, 0, 5)):
        clusters = {"icc": icc, "cluster_size": 5, "size_variation": variation}
        result = function(power=0.8, difference=difference / 10, **options, **clusters)
        assert result.design_effect == pytest.approx(effect, rel=1e-12)
        assert result.n == pytest.approx(effect * alone, rel=0.01)
        assert result.n == 5 * result.clusters  # whole clusters
        one_less = function(result.n - 5, difference=difference / 10, **options, **clusters)
        assert one_less.power < 0.8 <= result.power
        assert one_less.to_dict()["clusters"] == result.clusters - 1


@pytest.mark.parametrize(("clusters", "size", "icc", "difference"), [(24, 20, 0.1, 0.1), (100, 10, 0.2, 0.05)])
def test_mcnemar_of_clusters_by_simulation(clusters, size, icc, difference):
    """By the test that `compare` chooses for clusters; the Monte Carlo error is 0.025."""
    rng, runs, rejections = np.random.default_rng(6), 400, 0
    for _ in range(runs):
        kinds, of = in_clusters(rng, clusters, size, icc, [0.1 - difference / 2, 0.1 + difference / 2, 0.8])
        truth = np.arange(len(kinds)) % 2
        first, second = np.where(kinds == 0, 1 - truth, truth), np.where(kinds == 1, 1 - truth, truth)
        rejections += howsure.compare(truth, {"a": first, "b": second}, cluster=of).pairs[0].test.pvalue <= 0.05
    options = {"difference": difference, "discordant": 0.2}
    power = plan_mcnemar(clusters * size, **options, icc=icc, cluster_size=size).power
    assert rejections / runs == pytest.approx(power, abs=near(power, runs))
    assert plan_mcnemar(clusters * size, **options).power > power + near(power, runs)  # which is not the same


def test_unequal_clusters_by_simulation():
    """Sizes are 1 and a negative binomial number; the Monte Carlo error is 0.025."""
    rng, runs, rejections = np.random.default_rng(11), 400, 0
    for _ in range(runs):
        sizes = 1 + rng.negative_binomial(1.5, 1 / 7, 60)  # of mean 10 and variance 63
        kinds, of = in_clusters(rng, 60, sizes, 0.2, [0.065, 0.135, 0.8])
        truth = np.arange(len(kinds)) % 2
        first, second = np.where(kinds == 0, 1 - truth, truth), np.where(kinds == 1, 1 - truth, truth)
        rejections += howsure.compare(truth, {"a": first, "b": second}, cluster=of).pairs[0].test.pvalue <= 0.05
    options = {"difference": 0.07, "discordant": 0.2, "icc": 0.2, "cluster_size": 10}
    power = plan_mcnemar(600, **options, size_variation=math.sqrt(63) / 10).power
    assert rejections / runs == pytest.approx(power, abs=near(power, runs))
    assert plan_mcnemar(600, **options).power > power + near(power, runs)


def test_auc_of_clusters_by_simulation():
    """Cases of a cluster are copies, so that the correlation is 1; the Monte Carlo error is 0.025."""
    rng, runs, rejections, of = np.random.default_rng(12), 400, 0, np.repeat(np.arange(80), 4)
    for _ in range(runs):
        first, second = scores(rng, 40, 40, [0.9, 0.8], 0.5)
        both = {"a": first[of], "b": second[of]}
        rejections += howsure.compare(of < 40, scores=both, measure="auc", cluster=of).pairs[0].test.pvalue <= 0.05
    options = {"difference": 0.1, "auc": 0.8, "correlation": 0.5}
    power = plan_auc(320, **options, icc=1, cluster_size=4).power
    assert rejections / runs == pytest.approx(power, abs=near(power, runs))
    assert plan_auc(320, **options).power > power + near(power, runs)


@pytest.mark.parametrize(
    ("n", "margin", "difference", "discordant", "alpha"),
    [(20, 0.1, 0, 0.3, 0.05), (30, 0.15, 0.05, 0.2, 0.05), (25, 0, 0.2, 0.4, 0.05), (40, 0.05, -0.02, 0.1, 0.1)],
)
def test_non_inferiority_is_what_counting_all_outcomes_gives(n, margin, difference, discordant, alpha):
    """By the bound that a gate decides by."""
    shares = [(discordant + difference) / 2, (discordant - difference) / 2, 1 - discordant]
    expected = sum(
        multinomial.pmf([gain, loss, n - gain - loss], n, shares)
        for gain in range(n + 1)
        for loss in range(n + 1 - gain)
        if howsure.intervals.tango(loss, gain, n, 1 - alpha, "lower").low > -margin
    )
    result = plan_non_inferiority(n, margin=margin, difference=difference, discordant=discordant, alpha=alpha)
    assert result.power == pytest.approx(expected, rel=1e-9)  # sums of products of gamma functions


@pytest.mark.parametrize("clusters", [{}, {"icc": 0.1, "cluster_size": 20}])
def test_non_inferiority_by_simulated_gates(clusters):
    """The Monte Carlo error is 0.022."""
    rng, runs, passed = np.random.default_rng(7), 400, 0
    for _ in range(runs):
        kinds, of = in_clusters(rng, 25, 20, clusters.get("icc", 0), [0.075, 0.075, 0.85])
        truth = np.arange(len(kinds)) % 2
        new, old = np.where(kinds == 0, 1 - truth, truth), np.where(kinds == 1, 1 - truth, truth)
        passed += howsure.gate(truth, new, old, margin=0.05, cluster=of if clusters else None).passed
    power = plan_non_inferiority(500, margin=0.05, discordant=0.15, **clusters).power
    assert passed / runs == pytest.approx(power, abs=near(power, runs))


def test_non_inferiority_beside_normal_formulas():
    """R's statpsych has `size.supinf.prop.ps(.05, .9, .35, .20, .45, .05)` = 227, with the spread as it is in truth.

    Its test of two sides at 5 % is one of one side at 2.5 %, and asks for a gain of 0.05: the margin is -0.05. Nam's
    formula, with the spread that the margin implies, is to be close, and the exact number close to that.
    """
    apart = 0.35 * 0.65 + 0.2 * 0.8 - 2 * 0.45 * math.sqrt(0.35 * 0.65 * 0.2 * 0.8) + 0.15**2
    assert powers.non_inferiority_cases(0.9, -0.05, 0.15, apart, 0.025) == pytest.approx(227, rel=0.01)
    by_hand = (2.575829304 + 1.281551566) ** 2 * (apart - 0.15**2) / 0.1**2
    assert powers.non_inferiority_cases(0.9, -0.05, 0.15, apart, 0.005) == pytest.approx(by_hand, rel=0.01)
    for margin, difference, apart in ((0.02, 0, 0.1), (0.05, 0.01, 0.2), (0.03, -0.01, 0.08), (0, 0.04, 0.15)):
        result = plan_non_inferiority(power=0.8, margin=margin, difference=difference, discordant=apart)
        rough = powers.non_inferiority_cases(0.8, margin, difference, apart, 0.05)
        assert result.notes[0] == f"Nam's normal formula (1997) gives {math.ceil(rough)} cases"
        assert result.n == pytest.approx(rough, rel=0.04)


def test_solving_for_a_margin_agrees_with_power():
    for asked in (0.5, 0.8, 0.95):
        result = plan_non_inferiority(power=asked, margin=0.03, discordant=0.1)
        assert (result.solved_for, result.margin, result.difference) == ("n", 0.03, 0)
        assert plan_non_inferiority(result.n - 1, margin=0.03, discordant=0.1).power < asked <= result.power
        smallest = plan_non_inferiority(result.n, asked, discordant=0.1)
        assert smallest.solved_for == "margin"
        assert smallest.margin <= 0.03
        assert smallest.power >= asked
        assert plan_non_inferiority(result.n, margin=smallest.margin - 1e-9, discordant=0.1).power < asked
    at_margin = plan_non_inferiority(2000, margin=0.02, difference=-0.02, discordant=0.1)
    assert at_margin.power == pytest.approx(0.05, abs=0.005)  # the level, which whole counts keep only about
    assert plan_non_inferiority(200, 0.8, difference=0.1, discordant=0.1).margin == 0


def test_superiority_is_non_inferiority_without_a_margin():
    """Tango's test of no difference is McNemar's, which is exact with few discordant cases only."""
    for n in (500, 2000):
        options = {"difference": 0.03, "discordant": 0.1, "alpha": 0.05}
        one = plan_mcnemar(n, **options, alternative="greater").power
        assert plan_non_inferiority(n, margin=0, **options).power == pytest.approx(one, abs=1e-9)


@pytest.mark.parametrize(("proportion", "half_width"), [(0.5, 0.05), (0.9, 0.03), (0.2, 0.01)])
def test_half_width_beside_statsmodels(proportion, half_width):
    result, peer = plan_half_width(proportion, half_width), samplesize_confint_proportion(proportion, half_width)
    assert result.notes == (f"the textbook formula p ± z sqrt(p (1 - p) / n) needs {math.ceil(peer)} cases",)
    assert result.n == pytest.approx(peer, rel=0.02)  # Wilson's interval is a little narrower in the middle


@pytest.mark.parametrize("proportion", [0, 0.02, 0.5, 0.97, 1])
def test_half_width_is_the_mean_over_all_samples(proportion):
    n = 60
    expected = 0.0
    for successes in range(n + 1):
        low, high = howsure.intervals.modified_wilson(successes, n, 0.9)
        expected += binom.pmf(successes, n, proportion) * (high - low) / 2
    result = plan_half_width(proportion, n=n, confidence=0.9)
    assert result.half_width == pytest.approx(expected, rel=1e-9)  # sums of products of gamma functions
    enough = plan_half_width(proportion, 0.05, confidence=0.9)
    assert enough.half_width <= 0.05 < plan_half_width(proportion, n=enough.n - 1, confidence=0.9).half_width
    assert (result.solved_for, enough.solved_for) == ("half_width", "n")


def test_plans_of_very_many_cases_continue_the_exact_ones():
    from howsure.significance.power import half_widths

    with pytest.MonkeyPatch.context() as patch:
        for n in (10**5, 10**6):
            exact = plan_half_width(0.9, n=n).half_width, plan_non_inferiority(n, margin=0.0008, discordant=0.1).power
            patch.setattr(half_widths, "MAX_COUNTS", 10)
            patch.setattr(powers, "MAX_COUNTS", 1000)
            rough = plan_half_width(0.9, n=n).half_width, plan_non_inferiority(n, margin=0.0008, discordant=0.1).power
            assert rough[0] == pytest.approx(
                exact[0], rel=2 / (8 * n * 0.09)
            )  # of the root of p (1 - p), by a Taylor series
            assert rough[1] == pytest.approx(exact[1], abs=1e-3)
            assert rough[1] != exact[1]
            patch.undo()


def test_half_width_of_a_part_of_the_cases():
    alone, recall = plan_half_width(0.9, 0.03), plan_half_width(0.9, 0.03, prevalence=0.1)
    assert (recall.counted, recall.n) == (alone.n, 10 * alone.n)
    assert recall.half_width == alone.half_width
    sure = int(recall.notes[1].split()[0])
    assert recall.notes[1] == f"{sure} cases include {alone.n} or more relevant ones with probability 0.9"
    assert binom.sf(alone.n - 1, sure, 0.1) >= 0.9 > binom.sf(alone.n - 1, sure - 1, 0.1)
    assert [row["counted"] for row in recall.records([1000, 1009])] == [100, 100]


@pytest.mark.parametrize(("area", "n", "positives"), [(0.8, 828, 0.1), (0.9, 200, 0.3), (0.6, 150, 0.2)])
def test_auc_half_width_by_simulation(area, n, positives):
    """The Monte Carlo error is 0.9 % at most, and the mean of samples is not quite the interval of the mean."""
    rng, truth = np.random.default_rng(8), np.arange(n) < round(n * positives)
    halves = []
    for _ in range(200):
        low, high = howsure.assess(truth, scores=rng.normal(size=n) + math.sqrt(2) * ndtri(area) * truth)[
            "auc"
        ].interval()
        halves.append((high - low) / 2)
    result = plan_auc_half_width(area, n=n, prevalence=positives)
    assert result.half_width == pytest.approx(np.mean(halves), rel=0.03)
    assert result.counted == sum(truth) == round(n * positives)
    needed = plan_auc_half_width(area, result.half_width, prevalence=positives)
    assert needed.n == n


@pytest.mark.parametrize(
    ("p", "clusters", "size", "icc"), [(0.9, 61, 20, 0.1), (0.8, 30, 10, 0.3), (0.95, 100, 5, 0.2)]
)
def test_half_width_of_clusters_by_simulation(p, clusters, size, icc):
    """The Monte Carlo error is 1.5 %; with few errors the design effect is unsure, and intervals 10 % wider."""
    rng, halves = np.random.default_rng(9), []
    for _ in range(150):
        wrong, of = in_clusters(rng, clusters, size, icc, [p, 1 - p])
        truth = np.arange(len(wrong)) % 2
        low, high = howsure.assess(truth, truth ^ wrong, cluster=of)["accuracy"].interval()
        halves.append((high - low) / 2)
    result = plan_half_width(p, n=clusters * size, icc=icc, cluster_size=size)
    assert result.clusters == clusters
    assert result.half_width == pytest.approx(np.mean(halves), rel=0.12)
    assert result.half_width > 1.25 * plan_half_width(p, n=clusters * size).half_width


def test_repeats_are_as_the_textbook_has_them():
    """The variance is (between + within / k) / cases; the best k is near sqrt(cost ratio * within / between)."""
    for between, within, per_case, per_sample in ((0.1, 0.1, 5, 1), (0.02, 0.2, 3, 0.5), (0.15, 0.05, 40, 1)):
        spent = {"budget": 1e6, "cost_per_case": per_case, "cost_per_sample": per_sample}
        result = plan_repeats(between, within, **spent)
        optimum = math.sqrt(per_case / per_sample * within / between)
        assert result.optimum == pytest.approx(optimum, rel=1e-12)
        assert result.samples in (math.floor(optimum), math.ceil(optimum))
        rows = {row["samples"]: row["half_width"] for row in result.records()}
        assert rows[result.samples] == min(rows.values()) == result.half_width
        assert {result.samples - 1, result.samples + 1} - {0} <= set(rows)
        assert result.cases == 1e6 // (per_case + result.samples * per_sample)
        error = math.sqrt((between + within / result.samples) / result.cases)
        assert result.standard_error == pytest.approx(error, rel=1e-12)
        assert result.half_width == pytest.approx(1.959963985 * error, rel=1e-3)  # so many cases make t normal
        assert result.cost <= 1e6


def test_repeats_at_the_edges():
    assert plan_repeats(0.1, 0, budget=1000, cost_per_case=5).samples == 1
    assert plan_repeats(0.1, 0.1, budget=1000).samples == 1  # where cases cost nothing, more of them are better
    few = plan_repeats(0.1, 0.1, budget=1000, most_cases=200)
    assert (few.samples, few.cases, few.cost) == (5, 200, 1000)
    alike = plan_repeats(0, 0.1, budget=1000, cost_per_case=5)  # Student's quantile keeps some cases
    assert (alike.samples, alike.cases, alike.notes) == (45, 20, ())
    assert plan_repeats(0.1, 0.1, budget=12, cost_per_case=5).cases == 2


def test_repeats_by_simulation():
    """The Monte Carlo error of the standard deviation is 1.6 %."""
    rng, runs = np.random.default_rng(10), 2000
    plan = plan_repeats(0.04, 0.16, budget=300, cost_per_case=2)
    shares = rng.beta(2, 2, size=(runs, plan.cases, 1))  # of variance 0.05, and mean of p (1 - p) 0.2
    means = (rng.random((runs, plan.cases, plan.samples)) < shares).mean((1, 2))
    error = plan_repeats(0.05, 0.2, budget=300, cost_per_case=2).standard_error
    assert np.std(means) == pytest.approx(error, rel=4 / math.sqrt(2 * runs))


def test_plans_of_clusters_in_words():
    result = plan_mcnemar(power=0.8, difference=0.1, discordant=0.2, icc=0.1, cluster_size=20)
    assert " ".join(str(result).split()) == (
        "McNemar's test: 520 cases in 26 clusters detect a difference of 0.100 with power 0.810 at the 5 % level "
        "(two-sided, discordant 0.200, icc 0.100, cluster size 20). "
        "note: Connor's normal formula (1987) times the design effect gives 449 cases "
        "note: the design effect is 2.900: the cases carry as much information as 165 independent cases "
        "note: with fewer than 30 clusters this is approximate, and rather optimistic"
    )
    assert result.to_dict()["design_effect"] == result.design_effect
    assert result.sheet().columns == ["cases", "clusters", "power"]
    none_lost = plan_non_inferiority(power=0.8, margin=0.02, discordant=0.1)
    assert " ".join(str(none_lost).split()) == (
        "non-inferiority by Tango's bound: 1565 cases rule out a loss of 0.020 or more with power 0.801 "
        "at the 5 % level (one-sided, true difference 0.000, discordant 0.100). "
        "note: Nam's normal formula (1997) gives 1578 cases"
    )
    assert none_lost.to_dict()["margin"] == 0.02
    assert "clusters" not in none_lost.to_dict()
    superior = plan_non_inferiority(1000, margin=0, difference=0.02, discordant=0.1)
    assert "rule out any loss with power" in " ".join(str(superior).split())
    area = plan_auc_half_width(0.8, 0.05, prevalence=0.1)
    assert " ".join(str(area).split()) == (
        "AUC 0.800: 828 cases, 83 of them positive, give a 95 % interval of ±0.050 (delong-newcombe). "
        "note: for exponential scores (Hanley and McNeil 1982), the half-width is ±0.059"
    )


ONE = "exactly one of `n`, `power` and `difference` must be left out, not "
ONE_MARGIN = "exactly one of `n`, `power` and `margin` must be left out, not "
ONE_WIDTH = "exactly one of `n` and `half_width` must be left out, not "


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: plan_mcnemar(discordant=0.1), ONE + "`n`, `power` and `difference`."),
        (lambda: plan_mcnemar(100, discordant=0.1), ONE + "`power` and `difference`."),
        (lambda: plan_mcnemar(100, 0.8, 0.1, discordant=0.1), ONE + "none."),
        (lambda: plan_mcnemar(100, 0.8, discordant=1.5), "`discordant` must be a number between 0 and 1, not 1.5."),
        (
            lambda: plan_mcnemar(100, difference=0.3, discordant=0.1),
            "`difference` must be a number from -0.1 to 0.1, not 0.3.",
        ),
        (lambda: plan_mcnemar(1.5, 0.8, discordant=0.1), "`n` must be a whole number, 2 or more, not 1.5."),  # type: ignore[arg-type]
        (
            lambda: plan_mcnemar(9, 0.03, discordant=0.1),
            "`power` must be a number between `alpha`, 0.05, and 1, not 0.03.",
        ),
        (lambda: plan_mcnemar(9, 0.8, discordant=0.1, alpha=0), "`alpha` must be a number between 0 and 1, not 0."),
        (
            lambda: plan_mcnemar(9, 0.8, discordant=0.1, alternative="both"),
            "`alternative` must be one of 'two-sided', 'less', 'greater', not 'both'.",
        ),
        (
            lambda: plan_mcnemar(power=0.8, difference=0, discordant=0.1),
            "`difference` must be other than 0, not 0, or no number of cases is enough.",
        ),
        (
            lambda: plan_mcnemar(power=0.8, difference=-0.02, discordant=0.1, alternative="greater"),
            "`difference` must be above 0, not -0.02, or no number of cases is enough.",
        ),
        (
            lambda: plan_mcnemar(power=0.8, difference=0.02, discordant=0.1, alternative="less"),
            "`difference` must be below 0, not 0.02, or no number of cases is enough.",
        ),
        (
            lambda: plan_proportions(50, 0.8, proportion=0.9),
            "a power of 0.8 is out of reach with 50 cases per classifier: the largest difference, 0.100, has "
            "power 0.634.",
        ),
        (lambda: plan_proportions(50, 0.8, proportion=1), "`proportion` must be a number between 0 and 1, not 1."),
        (lambda: plan_auc(50, 0.8, auc=1.2, correlation=0), "`auc` must be a number between 0 and 1, not 1.2."),
        (lambda: plan_auc(50, 0.8, auc=0.8, correlation=1), "`correlation` must be a number between -1 and 1, not 1."),
        (
            lambda: plan_auc(50, 0.8, auc=0.8, correlation=0, positives=0),
            "`positives` must be a number between 0 and 1, not 0.",
        ),
        (
            lambda: plan_auc(9, 0.8, auc=0.8, correlation=0, positives=0.1),
            "`n` must be a whole number, 20 or more, not 9.",
        ),
        (lambda: plan_corrected_t(9, 0.8, sd=0, ratio=0), "`sd` must be a number above 0, not 0."),
        (lambda: plan_corrected_t(9, 0.8, sd=1, ratio=-1), "`ratio` must be a number, 0 or above, not -1."),
        (lambda: plan_corrected_t(1, 0.8, sd=1, ratio=0), "`n` must be a whole number, 2 or more, not 1."),
        (
            lambda: plan_corrected_t(power=0.8, difference=0.01, sd=0.02, ratio=1 / 9),
            "a power of 0.8 is out of reach: 10000000 splits give no more than 0.323.",
        ),
        (lambda: plan_friedman(9, 0.8, classifiers=2), "`classifiers` must be a whole number, 3 or more, not 2."),
        (lambda: plan_friedman(2, w=1, classifiers=3), "`n` must be a whole number, 3 or more, not 2."),
        (lambda: plan_friedman(9, w=2, classifiers=4), "`w` must be a number from 0 to 1, not 2."),
        (lambda: plan_friedman(9, difference=-1, classifiers=4), "`difference` must be a number from 0 to 3, not -1."),
        (
            lambda: plan_friedman(9, difference=1, w=0.2, classifiers=4),
            "`w` and `difference` cannot both be given.",
        ),
        (
            lambda: plan_friedman(9, 0.8, classifiers=4, pattern="pairs"),
            "`pattern` must be one of 'pair', 'even', not 'pairs'; did you mean 'pair'?",
        ),
        (
            lambda: plan_mcnemar(100, 0.8, discordant=0.1, icc=0.1),
            "`icc` and `cluster_size` go together; give both of them, or neither.",
        ),
        (
            lambda: plan_mcnemar(100, 0.8, discordant=0.1, size_variation=0.1),
            "`size_variation` applies only to clusters; give `icc` and `cluster_size` too.",
        ),
        (
            lambda: plan_auc(100, 0.8, auc=0.8, correlation=0, icc=10, cluster_size=5),
            "`icc` must be a number from 0 to 1, not 10; did you mean 0.1?",
        ),
        (
            lambda: plan_half_width(0.9, 0.1, icc=0.1, cluster_size=0.5),
            "`cluster_size` must be a number of cases from 1 to 1e9, not 0.5.",
        ),
        (
            lambda: plan_half_width(0.9, 0.1, icc=0.1, cluster_size=1, size_variation=0.5),
            "`size_variation` must be at most 100, and 0 if clusters have one case, not 0.5.",
        ),
        (
            lambda: plan_mcnemar(30, 0.8, discordant=0.1, icc=0, cluster_size=20),
            "`n` must be a whole number, 40 or more, not 30.",
        ),
        (
            lambda: plan_mcnemar(power=0.8, difference=0.01, discordant=0.1, icc=1, cluster_size=1e6),
            "a power of 0.8 is out of reach: 10000000 cases give no more than 8.3e-07.",
        ),
        (lambda: plan_non_inferiority(100, discordant=0.1), ONE_MARGIN + "`power` and `margin`."),
        (
            lambda: plan_non_inferiority(100, margin=-0.1, discordant=0.1),
            "`margin` must be a number from 0 to 1, not -0.1.",
        ),
        (
            lambda: plan_non_inferiority(100, margin=0.1, difference=0.2, discordant=0.1),
            "`difference` must be a number from -0.1 to 0.1, not 0.2.",
        ),
        (
            lambda: plan_non_inferiority(power=0.8, margin=0, discordant=0.1),
            "`margin` must be above 0, the true loss, not 0, or no number of cases is enough.",
        ),
        (
            lambda: plan_non_inferiority(power=0.8, margin=0.01, difference=-0.02, discordant=0.1),
            "`margin` must be above 0.02, the true loss, not 0.01, or no number of cases is enough.",
        ),
        (
            lambda: plan_non_inferiority(2, 0.8, difference=-0.9, discordant=0.9),
            "a power of 0.8 is out of reach with 2 cases: the largest margin has power 0.190.",
        ),
        (lambda: plan_half_width(90, 0.03), "`proportion` must be a number from 0 to 1, not 90; did you mean 0.9?"),
        (lambda: plan_half_width(0.9), ONE_WIDTH + "both."),
        (lambda: plan_half_width(0.9, 0.1, n=9), ONE_WIDTH + "none."),
        (lambda: plan_half_width(0.9, 0.5), "`half_width` must be a number between 0 and 0.5, not 0.5."),
        (lambda: plan_half_width(0.9, 3), "`half_width` must be a number between 0 and 0.5, not 3; did you mean 0.03?"),
        (lambda: plan_half_width(0.9, 1e-5), "a half-width of 1e-05 needs more than 10,000,000 cases."),
        (lambda: plan_half_width(0.9, n=5, prevalence=0.1), "`n` must be a whole number, 10 or more, not 5."),
        (lambda: plan_half_width(0.9, 0.1, prevalence=0), "`prevalence` must be a number between 0 and 1, not 0."),
        (lambda: plan_auc_half_width(1, 0.1), "`auc` must be a number between 0 and 1, not 1."),
        (
            lambda: plan_auc_half_width(0.8, n=20, prevalence=0.1),
            "`n` must be a whole number, 30 or more, not 20.",
        ),
        (
            lambda: plan_half_width(0.9, 0.1, prevalence=0.1).sheet([5]),
            "`sizes` must be a whole number, 10 or more, not 5.",
        ),
        (
            lambda: plan_repeats(0, 0, budget=9),
            "`case_variance` and `repeat_variance` must not both be 0, or nothing varies.",
        ),
        (
            lambda: plan_repeats(0.1, 0.1, budget=1e13),
            "`budget` must be enough for at most 1,000,000,000,000 cases, not 10000000000000.0.",
        ),
        (lambda: plan_repeats(1e101, 0, budget=9), "`case_variance` must be a number from 0 to 1e+100, not 1e+101."),
        (lambda: plan_repeats(-1, 0, budget=9), "`case_variance` must be a number, 0 or above, not -1."),
        (
            lambda: plan_repeats(0.1, 0.1, budget=9, cost_per_case=5),
            "`budget` must be at least 12, enough for two cases, not 9.",
        ),
        (
            lambda: plan_repeats(0.1, 0.1, budget=9, cost_per_sample=0),
            "`cost_per_sample` must be a number above 0, not 0.",
        ),
        (
            lambda: plan_repeats(0.1, 0.1, budget=9, most_cases=1),
            "`most_cases` must be a whole number, 2 or more, not 1.",
        ),
        (
            lambda: plan_friedman(9, 0.8, classifiers=4).sheet([1]),
            "`sizes` must be a whole number, 2 or more, not 1.",
        ),
    ],
)
def test_refusals(call, words):
    with pytest.raises(HowsureError) as caught:
        call()
    assert str(caught.value) == words


def test_power_of_very_many_cases_continues_the_exact_one() -> None:
    from howsure.significance.power import formulas

    for n, discordant in ((10**6, 0.1), (4 * 10**6, 0.5), (2 * 10**6, 0.9)):
        for shift in (0.5, 2.0, 3.0):
            arguments = (n, shift * (discordant / n) ** 0.5, discordant, 0.05, "two-sided")
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(formulas, "EXACT", 10**9)
                patch.setattr(formulas, "MAX_COUNTS", 10**9)
                exact = formulas.of_mcnemar(*arguments)
                patch.setattr(formulas, "EXACT", 10**4)
                assert formulas.of_mcnemar(*arguments) == pytest.approx(exact, abs=1e-6)  # as the notes say
                patch.setattr(formulas, "MAX_COUNTS", 10**4)
                assert formulas.of_mcnemar(*arguments) == pytest.approx(exact, abs=1e-4)


@pytest.mark.parametrize("n", [10**8, 10**12, 10**15])
def test_plans_and_tests_of_any_size_end_soon(n: int) -> None:
    import time

    from howsure import plan, significance

    start = time.perf_counter()
    wanted: list[dict[str, Any]] = [{"difference": 3e-4}, {"power": 0.8}]
    for asked in wanted:
        plan.mcnemar(n=n, discordant=0.1, **asked)
        plan.proportions(n=n, proportion=0.5, **asked)
        plan.auc(n=n, auc=0.8, correlation=0.5, **asked)
        plan.corrected_t(n=n, sd=0.02, ratio=0.1, **asked)
        plan.friedman(n=n, classifiers=4, **asked)
        plan.mcnemar(n=n, discordant=0.1, icc=0.1, cluster_size=50, **asked)
    for asked in ({"margin": 1e-9}, {"power": 0.8}):
        plan.non_inferiority(n=n, discordant=0.1, **asked)
    plan.half_width(0.9, n=n)
    plan.auc_half_width(0.9, n=n)
    significance.power_binomial(0.1001, n, 0.1)
    for method in ("exact", "mid-p", "chi2"):
        significance.mcnemar(n // 2, n // 2 - math.isqrt(n), method, n=2 * n)
    assert time.perf_counter() - start < 20  # some 2 s; one of them alone took half a minute


def test_binomial_probabilities_of_very_many_cases_are_those_of_the_normal() -> None:
    from scipy.special import ndtr

    from howsure.significance import binomial_test

    n = 10**14  # SciPy's incomplete beta function is off by 0.001 here
    for z in (-3.0, -1.0, -0.5, 0.5, 1.0):
        errors = n // 2 + round(z * math.sqrt(n) / 2)
        assert binomial_test(errors, n, 0.5, "less").pvalue == pytest.approx(float(ndtr(z)), abs=1e-7)


def test_sizes_that_are_no_whole_numbers_here_are_refused() -> None:
    from howsure import plan

    with pytest.raises(HowsureError, match=r"`n` must be a whole number, 2 or more and below 2\*\*53, not 1e\+18"):
        plan.mcnemar(n=1e18, difference=0.01, discordant=0.1)  # type: ignore[arg-type]


def test_with_few_discordant_cases_there_may_be_none_however_many_cases_there_are():
    def power(n):
        return howsure.plan.mcnemar(n=n, difference=5e-5, discordant=1e-4).power

    assert power(10_001) == pytest.approx(power(10_000), rel=1e-3)
    mid_p = {
        (k, x): 2 * binom.sf(x - 1, k, 0.5) - binom.pmf(x, k, 0.5)
        for k in range(1, 25)
        for x in range(k // 2 + 1, k + 1)
    }
    rejects = [(k, x) for (k, x), pvalue in mid_p.items() if pvalue <= 0.05]
    chance = (binom.pmf(k, 20_000, 1e-4) * (binom.pmf(x, k, 0.75) + binom.pmf(x, k, 0.25)) for k, x in rejects)
    assert power(20_000) == pytest.approx(sum(chance), rel=1e-6)


def test_plans_reach_up_to_the_most_cases():
    plan = howsure.plan.half_width(0.5, 0.00031)
    assert 9_900_000 < plan.n < 10_000_000
    assert plan.half_width <= 0.00031 < howsure.plan.half_width(0.5, n=plan.n - 100).half_width
    with pytest.raises(HowsureError, match="needs more than 10,000,000 cases"):
        howsure.plan.half_width(0.5, 0.0003)
