"""Tests of one and of two classifiers against published values, SciPy, statsmodels, and all swaps one by one."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

import howsure
from howsure.measures import registry
from howsure.significance import (
    binomial_test,
    bootstrap_difference,
    delong,
    delong_unpaired,
    equivalence,
    mcnemar,
    non_inferiority,
    permutation,
    sign_test,
    t_test,
    z_test,
)

RTOL = 1e-10  # the same tails, added up in another way
SIDES = ("two-sided", "less", "greater")
SHOWN = 5e-7  # the published values have seven decimals


@pytest.mark.parametrize(
    ("counts", "method", "statistic", "pvalue"),
    [
        # [[9945, 25], [15, 15]], the example of mlxtend's documentation
        ((25, 15), "chi2-corrected", 2.025, 0.1547289),
        ((25, 15), "chi2", 2.5, 0.1138463),
        ((25, 15), "exact", 15, 0.1538599),
        ((25, 15), "mid-p", 15, 0.1172752),
        # 11 and 1, the other example there
        ((11, 1), "exact", 1, 0.0063477),
        ((11, 1), "mid-p", 1, 0.0034180),
        ((11, 1), "chi2-corrected", 6.75, 0.0093748),
    ],
)
def test_published_mcnemar(counts, method, statistic, pvalue):
    for e01, e10 in (counts, counts[::-1]):
        result = mcnemar(e01, e10, method=method)
        assert result.statistic == pytest.approx(statistic, rel=1e-12)
        assert result.pvalue == pytest.approx(pvalue, abs=SHOWN)


def test_agresti_on_approval_ratings():
    """Agresti, Categorical Data Analysis, 10.1: 86 and 150 of 1600 changed their minds."""
    assert mcnemar(86, 150, method="chi2").statistic == pytest.approx(17.3559, abs=5e-5)
    assert mcnemar(86, 150).pvalue == pytest.approx(3.0993e-5, rel=5e-5)
    assert mcnemar(86, 150, method="chi2-corrected").statistic == pytest.approx(16.8178, abs=5e-5)
    assert mcnemar(86, 150, method="exact").pvalue == pytest.approx(3.7159e-5, rel=5e-5)
    result = mcnemar(86, 150, n=1600)
    assert (result.difference, result.error) == pytest.approx((0.04, 0.0095), abs=5e-5)  # as given there


def test_equal_counts_differ_by_nothing():
    """Edwards' correction must not make a distance of 0 one of 1."""
    result = mcnemar(5, 5, method="chi2-corrected")
    assert (result.statistic, result.pvalue) == (0, 1)


def test_sign_test_by_hand():
    """7 : 2 of 9: 2 (1 + 9 + 36) / 512."""
    result = sign_test([1] * 7 + [0] * 2, [0] * 7 + [1] * 2)
    assert result.pvalue == pytest.approx(0.1796875, rel=1e-14)
    assert result.statistic == 7


def test_mcnemar_agrees_with_statsmodels():
    rng = np.random.default_rng(1)
    for e01, e10 in rng.integers(0, 60, (60, 2)).tolist():
        if e01 + e10 == 0:
            continue
        table = [[100, e01], [e10, 7]]
        exact = statsmodels_mcnemar(table, exact=True)
        assert mcnemar(e01, e10, method="exact").pvalue == pytest.approx(exact.pvalue, rel=RTOL)
        assert mcnemar(e01, e10, method="exact").statistic == exact.statistic
        plain = statsmodels_mcnemar(table, exact=False, correction=False)
        assert mcnemar(e01, e10, method="chi2").statistic == pytest.approx(plain.statistic, rel=RTOL)
        assert mcnemar(e01, e10, method="chi2").pvalue == pytest.approx(plain.pvalue, rel=RTOL)
        if e01 != e10:  # there statsmodels corrects a distance of 0 to 1
            corrected = statsmodels_mcnemar(table, exact=False, correction=True)
            result = mcnemar(e01, e10, method="chi2-corrected")
            assert result.statistic == pytest.approx(corrected.statistic, rel=RTOL)
            assert result.pvalue == pytest.approx(corrected.pvalue, rel=RTOL)


@pytest.mark.parametrize("side", SIDES)
def test_binomial_and_sign_tests_agree_with_scipy(side):
    rng = np.random.default_rng(2)
    for _ in range(150):
        n = int(rng.choice([1, 2, 7, 40, 333, 5000]))
        p0 = float(rng.choice([0.5, 0.1, rng.uniform(0.01, 0.99)]))
        errors = int(rng.binomial(n, np.clip(p0 + rng.normal(0, 0.1), 0, 1)))
        theirs = stats.binomtest(errors, n, p0, side).pvalue
        if theirs > 1e-300:
            assert binomial_test(errors, n, p0, side).pvalue == pytest.approx(theirs, rel=RTOL)
        signs = np.repeat([1, -1], [errors, n - errors])
        fair = stats.binomtest(errors, n, 0.5, side).pvalue
        if fair > 1e-300:
            assert sign_test(signs, np.zeros(n), side).pvalue == pytest.approx(fair, rel=RTOL)
            greater = mcnemar(n - errors, errors, method="exact", alternative=side)
            assert greater.pvalue == pytest.approx(fair, rel=RTOL)


@pytest.mark.parametrize("side", SIDES)
def test_mean_tests_agree_with_scipy(side):
    rng = np.random.default_rng(3)
    for k in (2, 3, 10, 100):
        values, mean = rng.normal(0.8, 0.03, k), rng.normal(0.8, 0.03)
        theirs = stats.ttest_1samp(values, mean, alternative=side)
        ours = t_test(values, mean, side)
        assert (ours.statistic, ours.pvalue) == pytest.approx((theirs.statistic, theirs.pvalue), rel=RTOL)
        z = (values.mean() - mean) / (0.03 / math.sqrt(k))
        tail = {"two-sided": 2 * stats.norm.sf(abs(z)), "less": stats.norm.cdf(z), "greater": stats.norm.sf(z)}[side]
        assert z_test(values, mean, 0.03, side).pvalue == pytest.approx(tail, rel=RTOL)


def test_equivalence_and_non_inferiority_by_hand():
    """TOST is the larger p-value of two t tests, each against one end of the margin."""
    low, high = stats.t.sf((0.01 + 0.03) / 0.012, 9), stats.t.cdf((0.01 - 0.03) / 0.012, 9)
    assert equivalence(0.01, 0.012, 0.03, df=9).pvalue == pytest.approx(max(low, high), rel=RTOL)
    assert equivalence(-0.01, 0.012, 0.03, df=9).pvalue == pytest.approx(max(low, high), rel=RTOL)
    assert equivalence(0.01, 0.012, 0.03).pvalue == pytest.approx(stats.norm.sf(0.02 / 0.012), rel=RTOL)
    assert non_inferiority(0.01, 0.012, 0.03, df=9).pvalue == pytest.approx(low, rel=RTOL)
    assert non_inferiority(0.01, 0.012, 0.03, df=9, better="lower").pvalue == pytest.approx(high, rel=RTOL)


def test_unpaired_delong_by_hand():
    """Compare all pairs of a positive and a negative, as DeLong et al. write it."""
    rng = np.random.default_rng(4)
    parts = []
    for n in (40, 60):
        truth = rng.random(n) < 0.4
        scores = (rng.normal(truth, 1) * 2).round() / 2
        wins = (np.sign(scores[truth][:, None] - scores[~truth]) + 1) / 2
        variance = wins.mean(1).var(ddof=1) / truth.sum() + wins.mean(0).var(ddof=1) / (~truth).sum()
        parts.append((truth, scores, wins.mean(), variance))
    (truth_a, a, area_a, var_a), (truth_b, b, area_b, var_b) = parts
    result = delong_unpaired(truth_a, a, truth_b, b)
    assert result.difference == pytest.approx(area_a - area_b, rel=RTOL)
    assert result.error == pytest.approx(math.sqrt(var_a + var_b), rel=RTOL)
    df = (var_a + var_b) ** 2 / (var_a**2 / 39 + var_b**2 / 59)  # as pROC's `roc.test` has it
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(result.statistic), df), rel=RTOL)
    normal = delong_unpaired(truth_a, a, truth_b, b, method="normal")
    assert normal.pvalue == pytest.approx(2 * stats.norm.sf(abs(result.statistic)), rel=RTOL)


def labelled(seed, n, labels=("no", "yes")):
    rng = np.random.default_rng(seed)
    truth = rng.choice(labels, n)
    truth[: len(labels)] = labels

    def answers(right):
        return np.where(rng.random(n) < right, truth, rng.choice(labels, n))

    return truth, answers(0.8), answers(0.4)


def value(truth, predicted, name, labels=None):
    return howsure.assess(truth, predicted, labels=labels)[name].value


def p_of_all_swaps(truth, a, b, measure, side):
    """Swap every subset of the cases."""
    observed, count, total = measure(truth, a) - measure(truth, b), 0, 0
    for swaps in itertools.product([False, True], repeat=len(truth)):
        x, y = np.where(swaps, b, a), np.where(swaps, a, b)
        drawn = measure(truth, x) - measure(truth, y)
        extreme = {"two-sided": abs(drawn) >= abs(observed) - 1e-12, "greater": drawn >= observed - 1e-12}
        count, total = count + (extreme | {"less": drawn <= observed + 1e-12})[side], total + 1
    return count / total


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    ("name", "labels"), [("accuracy", ("no", "yes")), ("f1", ("no", "yes")), ("kappa", "abc"), ("f1", "abc")]
)
def test_permutation_against_all_swaps(name, labels, side):
    """Within 4 standard errors of 20 000 draws."""
    truth, a, b = labelled(7, 8, list(labels))
    exact = p_of_all_swaps(truth, a, b, lambda t, p: value(t, p, name, list(labels)), side)
    result = permutation(truth, a, b, name, labels=list(labels), alternative=side, replicates=20_000)
    assert result.pvalue == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 20_000) + 1e-4)
    assert result.difference == pytest.approx(
        value(truth, a, name, list(labels)) - value(truth, b, name, list(labels)), rel=1e-12
    )


@pytest.mark.parametrize("name", ["auc", "average_precision", "brier"])
def test_permutation_of_scores_against_all_swaps(name):
    """Where only the order of scores counts, it is ranks within each classifier that are swapped."""
    rng = np.random.default_rng(3)
    truth = np.array([1, 1, 1, 1, 0, 0, 0, 0])
    a = np.clip(0.3 + 0.4 * truth + rng.normal(0, 0.2, 8), 0, 1).round(1)
    b = rng.random(8).round(1)

    def measure(t, scores):
        return howsure.assess(t, scores=scores)[name].value

    exchanged = (stats.rankdata(a), stats.rankdata(b)) if registry[name].ranks else (a, b)
    exact = p_of_all_swaps(truth, *exchanged, measure, "two-sided")
    result = permutation(truth, a, b, name, replicates=20_000)
    assert result.pvalue == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 20_000) + 1e-4)
    assert result.difference == pytest.approx(measure(truth, a) - measure(truth, b), rel=1e-12)


def drawn_by_rows(truth, a, b, name, replicates, swap, seed=99):
    """Differences of cases swapped, or drawn, one by one."""
    rng, n, out = np.random.default_rng(seed), len(truth), []
    for _ in range(replicates):
        if swap:
            keep = rng.random(n) < 0.5
            t, x, y = truth, np.where(keep, a, b), np.where(keep, b, a)
        else:
            rows = rng.integers(0, n, n)
            t, x, y = truth[rows], a[rows], b[rows]
        labels = ["a", "b", "c"]
        out.append(value(t, x, name, labels) - value(t, y, name, labels))
    return np.array(out)


@pytest.mark.parametrize("name", ["f1", "mcc"])
def test_counts_drawn_are_as_cases_drawn(name):
    """Same p-value and same spread as row by row, within 4 standard errors of 1500 draws (5 % for the spread)."""
    truth, a, b = labelled(5, 60, ["a", "b", "c"])
    b[:35] = a[:35]  # not too different
    options = {"labels": ["a", "b", "c"], "replicates": 20_000}
    observed = permutation(truth, a, b, name, **options)
    rows = drawn_by_rows(truth, a, b, name, 1500, swap=True)
    p = (np.abs(rows) >= abs(observed.difference) - 1e-12).mean()
    assert observed.pvalue == pytest.approx(p, abs=4 * math.sqrt(max(p, 0.01) / 1500))
    assert observed.error == pytest.approx(rows.std(), rel=0.08)
    drawn = drawn_by_rows(truth, a, b, name, 1500, swap=False)
    assert bootstrap_difference(truth, a, b, name, **options).error == pytest.approx(drawn.std(), rel=0.08)


def test_permutation_of_accuracy_is_the_exact_mcnemar_test():
    """Swaps that change the accuracy are fair coins; 4 standard errors of 40 000 draws."""
    truth = np.zeros(60, int)
    a, b = np.zeros(60, int), np.zeros(60, int)
    a[:4], b[4:17] = 1, 1
    exact = mcnemar(4, 13, method="exact").pvalue
    result = permutation(truth, a, b, replicates=40_000)
    assert result.pvalue == pytest.approx(exact, abs=4 * math.sqrt(exact / 40_000))


def test_bootstrap_error_of_accuracy_is_the_paired_one():
    """2 % is three standard errors of a deviation of 10 000 draws."""
    truth = np.zeros(300, int)
    a, b = np.zeros(300, int), np.zeros(300, int)
    a[:40], b[20:80] = 1, 1
    result = bootstrap_difference(truth, a, b)
    assert result.error == pytest.approx(mcnemar(20, 40, n=300).error, rel=0.02)


def test_permutation_and_bootstrap_of_auc_agree_with_delong():
    """Three ways to the same question, with 400 cases."""
    rng = np.random.default_rng(12)
    truth = rng.integers(0, 2, 400)
    a, b = truth + rng.normal(0, 1, 400), truth + rng.normal(0, 1.3, 400)
    note = delong(truth, a, b)
    drawn = bootstrap_difference(truth, a, b, "auc", replicates=4000)
    assert drawn.difference == pytest.approx(note.difference, rel=1e-12)
    assert drawn.error == pytest.approx(note.error, rel=0.06)
    assert drawn.pvalue == pytest.approx(note.pvalue, abs=0.03)
    assert permutation(truth, a, b, "auc", replicates=4000).pvalue == pytest.approx(note.pvalue, abs=0.05)
