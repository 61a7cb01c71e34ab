"""Tests of two classifiers against worked examples, scikit-learn's example, and SciPy.

Printed values are compared at their printed digits; SciPy to 1e-10, the rounding of other orders of summation.
"""

import itertools

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.svm import SVC

from howsure.significance import (
    bayesian_correlated_t,
    corrected_paired_t,
    five_by_two_f,
    five_by_two_t,
    paired_t,
    wilcoxon,
)

RTOL = 1e-10
FIVE_BY_TWO = [[0.02, 0.01], [-0.01, 0.03], [0, 0.02], [0.03, 0.01], [0.01, -0.02]]
ALTERNATIVES = ("two-sided", "less", "greater")


def test_the_paired_t_of_the_seeds():
    """Barsky's slides: ten folds. The slide has k - 2 degrees of freedom; k - 1 is right."""
    d = np.array([-0.4, -0.4, -0.5, -0.6, -0.5, -0.4, -0.4, -0.5, -0.6, -0.5])
    result = paired_t(d, np.zeros(10))
    assert result.difference == pytest.approx(-0.48, rel=1e-12)
    assert result.error == pytest.approx(0.0249444, abs=5e-8)
    assert result.statistic == pytest.approx(-19.24281, abs=5e-6)
    assert result.pvalue == pytest.approx(1.2758e-8, rel=5e-5)
    assert result.df == 9
    d[7] = -0.6  # what the row says: 87.7 against 88.3
    result = paired_t(d, np.zeros(10))
    assert result.difference == pytest.approx(-0.49, rel=1e-12)
    assert result.statistic == pytest.approx(-17.69672, abs=5e-6)
    assert result.pvalue == pytest.approx(2.6637e-8, rel=5e-5)


def test_five_by_two():
    """By hand, and as mlxtend gives."""
    t, f = five_by_two_t(FIVE_BY_TWO), five_by_two_f(FIVE_BY_TWO)
    assert (t.statistic, t.pvalue) == pytest.approx((1.0846523, 0.3275825), abs=5e-8)
    assert (f.statistic, f.pvalue) == pytest.approx((1.0, 0.5348806), abs=5e-8)
    assert (t.df, f.df) == (5, (10, 5))


def test_the_same_ten_values_as_ten_folds():
    d = np.ravel(FIVE_BY_TWO)
    naive, corrected = paired_t(d, 0 * d), corrected_paired_t(d, 0 * d, ratio=1 / 9)
    assert (naive.statistic, naive.pvalue) == pytest.approx((1.9364917, 0.0847852), abs=5e-8)
    assert (corrected.statistic, corrected.pvalue) == pytest.approx((1.3327850, 0.2153571), abs=5e-8)
    assert wilcoxon(d, 0 * d).pvalue == 0.125


@pytest.fixture(scope="module")
def moons():
    """scikit-learn's example plot_grid_search_stats: areas of four machines on 10 x 10 folds."""
    x, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    splits = list(RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0).split(x, y))
    machines = {
        "rbf": SVC(random_state=0),
        "linear": SVC(kernel="linear", random_state=0),
        "poly3": SVC(kernel="poly", degree=3, random_state=0),
        "poly2": SVC(kernel="poly", degree=2, random_state=0),
    }
    return {name: cross_val_score(m, x, y, scoring="roc_auc", cv=splits) for name, m in machines.items()}


def test_scikit_learns_example(moons):
    rbf, linear = moons["rbf"], moons["linear"]
    corrected = corrected_paired_t(rbf, linear, ratio=1 / 9, alternative="greater")
    assert (corrected.statistic, corrected.pvalue) == pytest.approx((0.7503127, 0.2274230), abs=5e-8)
    naive = paired_t(rbf, linear, alternative="greater")
    assert (naive.statistic, naive.pvalue) == pytest.approx((2.6111648, 0.0052130), abs=5e-8)
    posterior = bayesian_correlated_t(rbf, linear, rho=1 / 10, rope=0.01)
    assert bayesian_correlated_t(rbf, linear, rho=1 / 10, rope=0).right == pytest.approx(0.772577, abs=5e-7)
    assert posterior.rope == pytest.approx(0.431682, abs=5e-7)
    interval = posterior.interval(0.95)
    assert (interval.low, interval.high) == pytest.approx((-0.0164452, 0.0364452), abs=5e-8)


@pytest.mark.parametrize(
    ("a", "b", "t", "bonferroni"),
    [
        ("rbf", "poly3", 1.657, 0.302),
        ("rbf", "poly2", 4.565, 0.000),
        ("linear", "poly3", 1.111, 0.807),
        ("linear", "poly2", 4.276, 0.000),
        ("poly3", "poly2", 3.851, 0.001),
    ],
)
def test_scikit_learns_pairs(moons, a, b, t, bonferroni):
    """The example multiplies one-sided p-values by six."""
    result = corrected_paired_t(moons[a], moons[b], ratio=1 / 9, alternative="greater")
    assert result.statistic == pytest.approx(t, abs=5e-4)
    assert min(1, 6 * result.pvalue) == pytest.approx(bonferroni, abs=5e-4)


# Mean accuracies of nbc, aode, hnb, j48 and j48gr over 10 x 10 folds of 54 data sets (Benavoli et al. 2017)
ACCURACIES = """
95.9459 97.8848 98.1966 98.6423 98.6534 | 71.3952 71.6561 73.1482 77.2214 77.2688
83.3377 82.8710 81.9506 77.1957 77.2280 | 49.9859 50.7051 51.7104 49.4983 49.5323
76.1667 74.1667 61.0000 83.5001 83.5001 | 86.2174 86.6812 84.8841 86.2899 86.4059
84.4493 85.4638 84.3043 85.0580 85.1450 | 81.8725 82.0232 80.1230 80.2121 80.4198
52.8114 60.0802 63.3982 64.2067 64.1928 | 75.0400 75.8300 75.6500 72.1700 72.1700
71.9350 74.5346 73.7705 72.3117 72.3138 | 50.1250 45.7625 38.6667 39.6625 40.0459
72.0312 72.6453 72.3194 71.5098 71.5764 | 60.0000 60.0000 56.9375 60.0000 60.0000
83.6875 84.3125 85.5500 78.5709 79.0875 | 84.3609 84.4299 84.8034 80.5173 80.5862
98.3112 98.5233 99.0562 99.1861 99.1756 | 89.4024 91.0858 91.4810 90.1159 90.1452
93.3332 93.0666 92.0665 93.5999 93.5999 | 87.7909 91.0325 92.3469 99.4370 99.3994
87.5999 88.4333 91.5999 85.8000 85.4000 | 56.8472 56.8472 56.6187 56.8472 56.8472
85.1000 86.8619 85.5714 76.3714 77.2476 | 62.6653 64.5279 66.2437 64.0936 64.0769
74.6364 84.6380 100.0000 97.8023 97.8023 | 96.3893 96.7322 97.9956 98.9173 98.9173
95.7607 99.9508 99.9631 100.0000 100.0000 | 90.2994 92.7330 94.2477 97.1814 97.1899
92.1690 96.9164 96.2135 78.5925 80.3825 | 93.3748 96.9230 96.6727 96.6051 96.5466
80.4167 79.8334 83.1667 73.1667 73.6667 | 87.7200 97.7627 97.6681 88.6162 89.5625
75.2600 75.7035 74.5697 74.3234 74.3106 | 68.1114 66.7781 65.1114 69.7781 69.7781
47.1979 47.8717 47.8458 41.0079 40.9491 | 91.1471 95.0692 96.4719 94.1428 94.0909
85.5937 88.3693 88.6145 88.9546 88.9546 | 86.6222 87.3106 87.4631 89.9792 90.0105
93.8144 97.8107 97.3164 97.8410 97.8410 | 76.7118 77.0500 76.1285 74.6761 74.8642
92.1958 93.3082 94.6709 92.6345 93.0305 | 89.8262 93.1103 92.2735 92.8516 93.2275
79.2193 80.9031 81.8048 81.0597 81.5128 | 95.4169 96.1160 96.1317 94.1661 94.1566
59.0333 59.4000 57.4667 63.5000 63.5000 | 62.0667 67.6667 71.8000 77.6667 77.5000
46.3209 46.7208 43.9333 46.7833 46.7833 | 58.7878 75.6969 84.6060 76.5353 76.6869
79.9680 85.0080 84.8740 74.8720 75.5220 | 64.9286 66.7381 77.9048 60.9525 60.9525
98.7058 98.2058 97.5881 90.7286 90.9443 | 97.1964 97.0538 96.3678 95.0368 95.2803
57.6143 57.8166 57.7352 57.0753 57.0888 | 93.9818 94.6636 99.6000 92.6091 92.6091
"""
NAMES = ("nbc", "aode", "hnb", "j48", "j48gr")
# SciPy's p-values; the paper prints .000 .001 .463 .394 .654 .077 .106 .067 .084, with a continuity correction
WILCOXON = {
    ("nbc", "aode"): (1.5919e-6, 5e-11),
    ("nbc", "hnb"): (5.290e-4, 5e-8),
    ("nbc", "j48"): (0.4607, 5e-5),
    ("nbc", "j48gr"): (0.3920, 5e-5),
    ("aode", "hnb"): (0.6512, 5e-5),
    ("aode", "j48"): (0.0758, 5e-5),
    ("aode", "j48gr"): (0.1050, 5e-5),
    ("hnb", "j48"): (0.0660, 5e-5),
    ("hnb", "j48gr"): (0.0827, 5e-5),
    ("j48", "j48gr"): (8.52e-4, 5e-7),
}


@pytest.mark.parametrize("pair", list(itertools.combinations(NAMES, 2)))
def test_wilcoxon_over_54_data_sets(pair):
    table = np.array(ACCURACIES.replace("|", " ").split(), float).reshape(54, 5)
    a, b = (table[:, NAMES.index(name)] for name in pair)
    p, places = WILCOXON[pair]
    result = wilcoxon(a, b, exact=False)
    assert result.pvalue == pytest.approx(p, abs=places)
    d = np.round(a - b, 4)
    theirs = stats.wilcoxon(d, method="asymptotic")
    assert (result.statistic, result.pvalue) == pytest.approx((theirs.statistic, theirs.pvalue), rel=RTOL)


def test_differences_equal_in_decimal_tie():
    """89.4 - 89.8 and 88.3 - 88.7 differ in the last bits, and so would their ranks."""
    a, b = [89.4, 88.3, 88.0, 87.0], [89.8, 88.7, 87.0, 85.0]
    assert a[0] - b[0] != a[1] - b[1]
    result = wilcoxon(a, b)
    assert result.statistic == 3  # ranks 1.5 and 1.5
    assert result.pvalue == 2 * 5 / 16  # of the subsets of {1.5, 1.5, 3, 4}, five have a sum of 3 or below


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("seed", range(5))
def test_the_paired_t_of_scipy(seed, alternative):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(0.1, 1, (2, int(rng.integers(2, 60))))
    result, theirs = paired_t(a, b, alternative), stats.ttest_rel(a, b, alternative=alternative)
    assert (result.statistic, result.pvalue) == pytest.approx((theirs.statistic, theirs.pvalue), rel=RTOL)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [1, 2, 5, 13, 30, 50, 70])
def test_the_exact_wilcoxon_of_scipy(n, alternative):
    """Without ties and zeros."""
    a, b = np.random.default_rng(n).normal(0.1, 1, (2, n))
    result = wilcoxon(a, b, exact=True, alternative=alternative)
    theirs = stats.wilcoxon(a, b, method="exact", alternative=alternative)
    assert result.pvalue == pytest.approx(theirs.pvalue, rel=RTOL)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("zeros", "theirs"), [("drop", "wilcox"), ("pratt", "pratt"), ("split", "zsplit")])
@pytest.mark.parametrize("n", [12, 40, 200])
def test_the_normal_wilcoxon_of_scipy(n, zeros, theirs, alternative):
    """With many ties and zeros."""
    a, b = np.random.default_rng(n).integers(0, 9, (2, n))
    result = wilcoxon(a, b, zeros=zeros, exact=False, alternative=alternative)
    expected = stats.wilcoxon(a, b, zero_method=theirs, method="asymptotic", alternative=alternative)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=RTOL)
    if alternative == "two-sided":
        assert result.statistic == expected.statistic


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zeros", ["drop", "pratt", "split"])
@pytest.mark.parametrize("seed", range(4))
def test_the_exact_wilcoxon_with_ties_by_brute_force(seed, zeros, alternative):
    """All signs of all differences, each as likely."""
    rng = np.random.default_rng(seed)
    d = rng.integers(-4, 6, 9).astype(float)
    kept = d[d != 0] if zeros == "drop" else d
    ranks = stats.rankdata(np.abs(kept))[kept != 0]
    sums = np.array([ranks @ signs for signs in itertools.product([0, 1], repeat=len(ranks))])
    above = ranks[kept[kept != 0] > 0].sum()
    up, down = (sums >= above).mean(), (sums <= above).mean()
    expected = {"greater": up, "less": down, "two-sided": min(1, 2 * min(up, down))}[alternative]
    result = wilcoxon(d, np.zeros(9), zeros=zeros, exact=True, alternative=alternative)
    assert result.pvalue == pytest.approx(expected, rel=RTOL)
