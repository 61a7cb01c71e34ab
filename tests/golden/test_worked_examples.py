"""Worked examples from books and papers: numbers that were printed before this program was written.

Every value must agree within half a unit of the last digit printed, written here as the number of decimals.
"""

from statistics import NormalDist

import numpy as np
import pytest

from howsure import Confusion
from howsure.intervals import clopper_pearson, mean_t, newcombe, newcombe_paired, tango, wald, wald_n_1, wilson
from howsure.measures import estimate

Z_95 = 1.959964


def printed(value, expected, decimals):
    """Agree with a number that was printed with so many decimals.

    The hair on top of the half unit is for numbers that were printed from an exact tie.
    """
    np.testing.assert_allclose(value, expected, rtol=0, atol=0.5 * 10.0**-decimals * (1 + 1e-9))


def standard_error(found):
    interval = found.interval(method="delta")
    assert interval.method == "delta"
    return (interval.high - interval.low) / 2 / Z_95


# Cohen (1968), Psychological Bulletin 70, table 1: 200 cases, rows truth.
COHEN = Confusion([[88, 14, 18], [10, 40, 10], [2, 6, 12]], labels=["a", "b", "c"])


def test_cohen_kappa():
    kappa = estimate(COHEN, "kappa")
    printed(kappa.value, 0.4915254, 7)  # 58 / 118
    printed(standard_error(kappa), 0.0510018, 7)  # Fleiss, Cohen and Everitt (1969), as statsmodels and R's vcd
    interval = kappa.interval(method="delta")
    printed(interval.low, 0.3916, 4)  # statsmodels; R's psych prints .39 .49 .59
    printed(interval.high, 0.5915, 4)


def test_cohen_chance():
    printed(estimate(COHEN, "accuracy").value, 0.70, 2)
    printed(np.diag(COHEN.chance().counts).sum(), 82, 6)


def test_cohen_weighted_kappa():
    weights = [[0, 1, 3], [1, 0, 6], [3, 6, 0]]
    weighted = estimate(COHEN, "weighted_kappa", weights=weights)
    printed(weighted.value, 0.3478, 4)  # Cohen (1968): 1 - .90 / 1.38


@pytest.mark.parametrize(
    ("name", "average", "value", "error"),
    [  # delta method with the multinomial covariance; R gives the same from numerical derivatives
        ("precision", "macro", 0.615556, 0.033350),
        ("recall", "macro", 0.666667, 0.043885),
        ("f1", "macro", 0.622222, 0.037810),
        ("mcc", None, 0.501193, 0.050443),
    ],
)
def test_cohen_delta_method(name, average, value, error):
    found = estimate(COHEN, name, average=average)
    printed(found.value, value, 6)
    printed(standard_error(found), error, 6)


# Witten and Frank, Data Mining, section on predicting performance: z = 1.28 for 80 %, so the confidence
# that goes with this rounded z is asked for. They print 73.2-76.7 and 69.1-80.1.
C_128 = 2 * NormalDist().cdf(1.28) - 1


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(750, 1000, 0.7321, 0.7671), (75, 100, 0.6908, 0.8011), (7.5, 10, 0.5486, 0.8810)],
)
def test_witten_and_frank(successes, n, low, high):
    interval = wilson(successes, n, C_128)
    printed(interval.low, low, 4)
    printed(interval.high, high, 4)


def test_textbook_interval_with_n_less_1():
    interval = wald_n_1(75, 100, C_128)  # a lecture on evaluation: .69-.805, the variance with n - 1
    printed(interval.low, 0.6943, 4)
    printed(interval.high, 0.8057, 4)


@pytest.mark.parametrize(
    ("method", "successes", "n", "low", "high"),
    [  # Newcombe (1998), Statistics in Medicine 17:857, table I: methods 1, 3 and 5
        (wald, 81, 263, 0.2522, 0.3638),
        (wilson, 81, 263, 0.2553, 0.3662),
        (clopper_pearson, 81, 263, 0.2527, 0.3676),
        (wald, 15, 148, 0.0527, 0.1500),
        (wilson, 15, 148, 0.0624, 0.1605),
        (clopper_pearson, 15, 148, 0.0578, 0.1617),
        (wilson, 0, 20, 0.0, 0.1611),
        (clopper_pearson, 0, 20, 0.0, 0.1684),
        (wilson, 1, 29, 0.0061, 0.1718),
        (clopper_pearson, 1, 29, 0.0009, 0.1776),
    ],
)
def test_newcombe_one_proportion(method, successes, n, low, high):
    interval = method(successes, n)
    printed(interval.low, low, 4)
    printed(interval.high, high, 4)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [  # Newcombe (1998), Statistics in Medicine 17:873, table II: method 10 for independent proportions
        ((56, 70, 48, 80), 0.0524, 0.3339),
        ((9, 10, 3, 10), 0.1705, 0.8090),
        ((6, 7, 2, 7), 0.0582, 0.8062),
        ((5, 56, 0, 29), -0.0381, 0.1926),
        ((0, 10, 0, 20), -0.1611, 0.2775),
        ((0, 10, 0, 10), -0.2775, 0.2775),
        ((10, 10, 0, 20), 0.6791, 1.0),
        ((10, 10, 0, 10), 0.6075, 1.0),
    ],
)
def test_newcombe_two_proportions(counts, low, high):
    interval = newcombe(*counts)
    printed(interval.low, low, 4)
    printed(interval.high, high, 4)


@pytest.mark.parametrize(
    ("counts", "low", "high", "decimals"),
    [
        ((36, 12, 2, 0), 0.0569, 0.3404, 4),  # Newcombe (1998), Statistics in Medicine 17:2635: method 10
        ((59, 6, 16, 80), -0.1186, -0.0046, 4),  # Cavo et al. (2012), as R's contingencytables 3.0.0 prints it
        ((1, 0, 0, 1), -0.5734, 0.5734, 4),  # the tests of R's contingencytables 3.0.0
    ],
)
def test_newcombe_paired_proportions(counts, low, high, decimals):
    interval = newcombe_paired(*counts)
    printed(interval.low, low, decimals)
    printed(interval.high, high, decimals)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [  # R's contingencytables 3.0.0: Cavo et al. (2012), and three pairs that all disagree
        ((16, 6, 161), -0.1240, -0.0054),
        ((0, 3, 3), -0.1230, 1.0),
        ((3, 0, 3), -1.0, 0.1230),
    ],
)
def test_tango(counts, low, high):
    interval = tango(*counts)
    printed(interval.low, low, 4)
    printed(interval.high, high, 4)


# Altman and Bland (1994), BMJ 308:1552: liver scans against pathology; also `pathology` in R's yardstick.
PATHOLOGY = Confusion([[231, 27], [32, 54]], labels=["abnormal", "normal"])


@pytest.mark.parametrize(
    ("name", "label", "value"),
    [
        ("accuracy", None, 0.828488),
        ("sensitivity", "abnormal", 0.895349),
        ("specificity", "abnormal", 0.627907),
        ("ppv", "abnormal", 0.878327),
        ("npv", "abnormal", 0.666667),
        ("f1", "abnormal", 0.886756),
        ("kappa", None, 0.533597),
        ("mcc", None, 0.534014),
    ],
)
def test_pathology(name, label, value):
    printed(estimate(PATHOLOGY, name, label=label).value, value, 6)


def test_pathology_kappa_interval():
    kappa = estimate(PATHOLOGY, "kappa")
    printed(standard_error(kappa), 0.053284, 6)  # R's vcd::Kappa
    interval = kappa.interval(method="delta")
    printed(interval.low, 0.4292, 4)
    printed(interval.high, 0.6380, 4)


# Zaki and Meira, Data Mining and Machine Learning, chapter 22: rows are the predictions there.
IRIS = Confusion([[10, 0, 0], [0, 7, 5], [0, 3, 5]], labels=["setosa", "versicolor", "virginica"]).transpose()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("precision", [1, 0.5833, 0.6250]),
        ("recall", [1, 0.7, 0.5]),
        ("f1", [1, 0.6364, 0.5556]),
    ],
)
def test_zaki_and_meira_classes(name, values):
    for label, value in zip(IRIS.labels, values, strict=True):
        printed(estimate(IRIS, name, label=label).value, value, 4)


def test_zaki_and_meira_overall():
    printed(estimate(IRIS, "accuracy").value, 0.733, 3)
    printed(estimate(IRIS, "f1", average="macro").value, 0.7306, 4)


def test_student():
    """Paired differences of two classifiers over ten folds, from a lecture: mean -.48, standard error .0249444."""
    interval = mean_t([-0.4, -0.4, -0.5, -0.6, -0.5, -0.4, -0.4, -0.5, -0.6, -0.5])
    printed((interval.low + interval.high) / 2, -0.48, 7)
    printed((interval.high - interval.low) / 2 / 2.262157163, 0.0249444, 7)  # the table's t(.975) at 9
