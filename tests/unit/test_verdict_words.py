"""What a verdict says, word for word, and how numbers are said."""

import math

import numpy as np
import pytest

import howsure
from howsure.comparison import compare_folds
from howsure.comparison.words import Unit, p_text, spoken
from howsure.tables import Design, FoldTable

POINTS, PLAIN = Unit(True), Unit(False)


def discordant(won, lost, n, **options):
    """Two classifiers, of which the first alone is right on ``won`` cases and the second alone on ``lost``."""
    truth = np.zeros(n, int)
    a, b = truth.copy(), truth.copy()
    b[:won] = 1
    a[won : won + lost] = 1
    a[-5:] = b[-5:] = 1  # both are wrong
    return howsure.compare(truth, {"new": a, "old": b}, labels=[0, 1], **options)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            lambda: discordant(40, 4, 569),
            "new is better than old: accuracy 98.4 % against 92.1 %, +6.3 points [4.3, 8.8]. The difference is "
            "statistically significant (p < 0.001) and larger than the 1 point that matters.",
        ),
        (
            lambda: discordant(40, 4, 569, measure="error_rate"),
            "new is better than old: error rate 1.6 % against 7.9 %, -6.3 points [-8.8, -4.3]. The difference is "
            "statistically significant (p < 0.001) and larger than the 1 point that matters.",
        ),
        (
            lambda: discordant(15, 5, 200),
            "new is better than old: accuracy 95.0 % against 90.0 %, +5.0 points [0.7, 9.9]. The difference is "
            "statistically significant (p = 0.0266), but may be smaller than the 1 point that matters.",
        ),
        (
            lambda: discordant(15, 5, 200, rope=0),
            "new is better than old: accuracy 95.0 % against 90.0 %, +5.0 points [0.7, 9.9]. The difference is "
            "statistically significant (p = 0.0266).",
        ),
        (
            lambda: discordant(40, 10, 10_000),
            "new is better than old, but by less than 1 point: accuracy 99.9 % against 99.6 %, +0.3 points "
            "[0.2, 0.5] (p < 0.001). A difference of 1 point or more is ruled out.",
        ),
        (
            lambda: discordant(30, 10, 2020),
            "new is better than old, but by less than 1 point: accuracy 99.3 % against 98.3 %, +0.99 points "
            "[0.4, 1.7] (p = 0.00157). A difference of 1 point or more is still possible.",
        ),
        (
            lambda: discordant(4, 0, 30),
            "No significant difference between new and old: accuracy 83.3 % against 70.0 %, +13.3 points [0.0, 29.7] "
            "(p = 0.0625). A difference of 1 point or more is still possible.",
        ),
        (
            lambda: discordant(5, 6, 4000),
            "old and new are practically equal: accuracy 99.8 % against 99.7 %, +0.025 points "
            "[-0.2, 0.2] (p = 0.774). The difference is smaller than the 1 point that matters (90 % interval "
            "[-0.1, 0.2]).",
        ),
    ],
)
def test_two_classifiers(found, said):
    assert found().verdict == said


def three(values, better="higher", **options):
    folds = len(values)
    design = Design(howsure.KFold(folds), 100, folds, 1, 90.0, 10.0, 0.9, 1.0)
    zeros = np.zeros(folds, int)
    return compare_folds(FoldTable(values, ("a", "b", "c"), "x", "kappa", design, zeros, zeros), better, **options)


def test_three_classifiers():
    noise = np.array([[1, -1, 1], [-1, 1, 1], [1, 1, -1], [-1, -1, -1]] * 3) / 1000
    apart = three(np.array([0.9, 0.8, 0.7]) + noise)
    assert apart.verdict == (
        "a has the best kappa, 0.900: it is ahead of b by 0.100 [0.098, 0.102] and of c by 0.200 [0.198, 0.202]. "
        "b is ahead of c by 0.100 [0.098, 0.102]."
    )
    assert apart.ranking().tiers == (("a",), ("b",), ("c",))
    close = three(np.array([0.9, 0.8, 0.8]) + noise, rope=0)
    assert close.verdict == (
        "a has the best kappa, 0.900: it is ahead of b by 0.100 [0.098, 0.102] and of c by 0.100 [0.098, 0.102]. "
        "No significant difference between b and c (0.000 [-0.002, 0.002])."
    )
    assert close.ranking().tiers == (("a",), ("b", "c"))
    equal = three(np.array([0.9, 0.9, 0.9]) + noise)
    assert equal.verdict == (
        "a is practically equal to b (0.000 [-0.002, 0.002]) and c (0.000 [-0.002, 0.002]) in kappa: the differences "
        "are smaller than the 0.01 that matters (96.67 % intervals). b and c are practically equal (0.000 "
        "[-0.002, 0.002]): the difference is smaller than the 0.01 that matters (96.67 % interval)."
    )
    assert equal.ranking().tiers == (("a", "b", "c"),)
    against = three(np.array([0.9, 0.8, 0.7]) + noise, baseline="b", adjust="holm")
    assert against.verdict == "Compared with b in kappa: a is better by 0.100; c is worse by 0.100."
    lower = three(np.array([0.9, 0.8, 0.7]) + noise, "lower")
    assert lower.ranking().names == ("c", "b", "a")
    assert lower.verdict.startswith(
        "c has the best kappa, 0.700: it is ahead of b by 0.100 [0.098, 0.102] and of a by "
    )


def test_against_a_baseline_what_is_not_shown_keeps_its_sign():
    noise = np.array([[1, -1, 0], [-1, 1, 0], [1, 1, 0], [-1, -1, 0]] * 3) / 50
    values = np.array([0.82, 0.795, 0.8]) + noise
    said = (
        "Compared with c in kappa: a is not significantly different (+0.020 [-0.004, 0.044]); b is not significantly "
        "different (-0.005 [-0.029, 0.019])."
    )
    assert three(values, baseline="c", rope=0).verdict == said
    assert three(values, "lower", baseline="c", rope=0).verdict == said
    assert three(values, baseline="c", rope=0, adjust="holm").verdict == (
        "Compared with c in kappa: a is not significantly different (+0.020); b is not significantly different "
        "(-0.005)."
    )
    assert three(values, baseline="c", rope=0.05).verdict == (
        "Compared with c in kappa: a is practically equal (+0.020 [-0.004, 0.044]); b is practically equal "
        "(-0.005 [-0.029, 0.019]). Practically equal: the difference is smaller than the 0.05 that matters "
        "(95 % intervals)."
    )


def test_the_best_may_be_equal_to_one_and_no_better_than_the_other():
    noise = np.array([[1, -1, 0], [-1, 1, 0], [1, 1, 0], [-1, -1, 0]] * 3) / 50
    values = np.array([0.82, 0.795, 0.8]) + noise
    assert three(values).verdict == (
        "a has the best kappa, 0.820, but is not significantly better than c (0.020 [-0.006, 0.046]) or b (0.025 "
        "[-0.012, 0.062]). No significant difference between c and b (0.005 [-0.021, 0.031])."
    )
    assert three(values, rope=0.05).verdict.startswith(
        "a has the best kappa, 0.820, but is not significantly better than b (0.025 [-0.012, 0.062]). a is practically "
        "equal to c (0.020 [-0.006, 0.046]) in kappa: the difference is smaller than the 0.05 that matters (96.67 % "
        "interval)."
    )


def test_points_and_pairs_agree_with_their_verbs():
    assert discordant(40, 4, 569, rope=0.02).verdict.endswith("and larger than the 2 points that matter.")
    assert discordant(15, 5, 200, rope=0.015).verdict.endswith(", but may be smaller than the 1.5 points that matter.")
    assert (POINTS.relevant(0.01), PLAIN.relevant(0.02)) == ("1 point that matters", "0.02 that matters")
    truth = np.arange(200) % 2
    names = {f"m{i}": np.where(np.arange(200) < wrong, 1 - truth, truth) for i, wrong in enumerate([10, 13, 15, 19])}
    said = howsure.compare(truth, names, rope=0).verdict
    assert said.endswith("1 of 6 pairs differs significantly, in 2 tiers: m0, m1 and m2; then m3.")


def test_of_many_the_first_is_named_and_the_rest_are_counted():
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=2000)
    many = {f"m{i}": np.where(rng.random(2000) < 0.98 - 0.07 * i, truth, 1 - truth) for i in range(7)}
    found = howsure.compare(truth, many)
    assert found.verdict.startswith("m0 has the best accuracy, 98.0 %: it is ahead of m1 by ")
    assert " and of 5 others. 21 of 21 pairs differ significantly, in 7 tiers." in found.verdict
    assert howsure.compare(truth, many, baseline="m3").verdict == (
        "Compared with m3 in accuracy: 3 better (m0, m1, m2), 3 worse (m4, m5, m6)."
    )


def test_numbers_are_said_so_that_they_claim_nothing():
    assert POINTS.value(0.98) == "98.0 %"
    assert POINTS.value(1.0) == "100.0 %"
    assert POINTS.value(0.99996) == "99.996 %"
    assert POINTS.value(0.0) == POINTS.value(-0.0) == "0.0 %"
    assert POINTS.value(math.nan) == PLAIN.value(math.nan) == "n/a"
    assert PLAIN.value(0.99996) == "1.000"
    assert POINTS.change(-0.0) == "0.0 points"
    assert POINTS.change(0.0004) == "+0.04 points"
    assert POINTS.size(0.00996, below=0.01) == "0.996 points"
    assert PLAIN.size(0.00999, below=0.01) == "0.00999"
    assert (POINTS.region(0.01), POINTS.region(0.025), PLAIN.region(0.01)) == ("1 point", "2.5 points", "0.01")
    assert POINTS.interval(5e-308, 0.02) == "(0.0, 2.0]"
    assert POINTS.interval(-math.inf, math.inf) == ""
    assert (spoken("auc"), spoken("error_rate"), spoken("f_beta(beta=2)")) == ("AUC", "error rate", "f_beta(beta=2)")


def test_p_values_stay_on_their_side_of_the_level():
    assert p_text(0.04999, 0.05) == "0.04999"
    assert p_text(0.05, 0.05) == "0.05"
    assert p_text(0.0500001, 0.05) == "0.05"
    assert p_text(1e-9, 0.05) == "< 0.001"
    assert p_text(0.0005, 0.0001) == "0.0005"
    assert p_text(math.nan, 0.05) == "n/a"
