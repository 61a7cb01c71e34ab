"""Two classifiers on the same cases: mirror images, degenerate cases, mistakes, and agreement with the intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import howsure
from howsure import HowsureError
from howsure.intervals import tango
from howsure.measures import registry as measures
from howsure.measures.estimate.difference import difference_of, differences
from howsure.significance import (
    bootstrap_difference,
    decide,
    delong,
    delong_unpaired,
    equivalence,
    mcnemar,
    non_inferiority,
    paired_delta,
    permutation,
    sign_test,
)
from howsure.significance.declare import registry

MIRRORED = {"two-sided": "two-sided", "less": "greater", "greater": "less"}
METHODS = ("auto", "exact", "mid-p", "chi2", "chi2-corrected")
SAME = "the classifiers give the same answer for every case, so there is no difference to test"
SCORES = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=30)
LABELS = st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=25)
SOME_MEASURES = st.sampled_from(["accuracy", "f1", "mcc", "kappa", "recall"])


def same_p(one, other, rel=1e-12):
    return other.pvalue == pytest.approx(one.pvalue, rel=rel, nan_ok=True)


def test_degrees_of_freedom_are_shown_in_one_way():
    rng = np.random.default_rng(0)
    truth, scores = np.arange(25) % 2, rng.random((3, 25)).round(2)
    of_two, of_many = delong(truth, *scores[:2], method="student"), delong(truth, *scores, method="student")
    assert not of_two.df.is_integer()
    assert f", df {of_two.df:.4g}, p = " in str(of_two)
    assert f", df (2, {of_many.df[1]:.4g}), p = " in str(of_many)
    assert of_many.sheet().records()[0]["df"] == f"(2, {of_many.df[1]:.4g})"
    assert of_many.records()[0]["df"] == f"(2, {of_many.df[1]})"  # with every digit
    for whole in (
        mcnemar(25, 15),
        howsure.significance.t_test([1, 2], 0),
        howsure.significance.paired_t([1, 2], [3, 5]),
    ):
        assert ", df 1, p = " in str(whole)
        assert "| 1 |" in whole.to_markdown()
        assert str(whole.records()[0]["df"]) == "1"


def test_delong_of_several_has_no_sides():
    truth, scores = np.arange(24) % 2, np.random.default_rng(0).random((3, 24))
    for method in ("normal", "student"):
        assert delong(truth, *scores, method=method).alternative == ""
        assert "sided" not in str(delong(truth, *scores, method=method))
        assert str(delong(truth, *scores[:2], method=method)).endswith("(two-sided)")


def test_they_are_declared():
    assert registry["delong"].function is delong
    assert registry["delong"].classifiers == "two or more"
    assert registry["tost"].function is equivalence
    assert registry["delong_unpaired"].designs == ("unpaired",)
    for name in ("mcnemar", "sign_test", "permutation", "bootstrap_difference", "non_inferiority"):
        assert "cases" in registry[name].designs
        assert registry[name].classifiers == "two"
        assert registry[name].assumes


@given(
    st.integers(0, 80), st.integers(0, 80), st.integers(0, 50), st.sampled_from(METHODS), st.sampled_from([*MIRRORED])
)
def test_mcnemar_mirrored(e01, e10, right, method, side):
    n = max(1, e01 + e10 + right)
    first, second = mcnemar(e01, e10, method, side, n=n), mcnemar(e10, e01, method, MIRRORED[side], n=n)
    assert 0 < first.pvalue <= 1
    assert same_p(first, second)
    assert second.difference == -first.difference
    assert second.statistic == first.statistic


@given(st.integers(0, 80), st.integers(0, 80), st.integers(0, 50))
def test_mcnemar_rejects_what_tango_leaves_out(e01, e10, right):
    n = max(1, e01 + e10 + right)
    result, interval = mcnemar(e01, e10, "chi2", n=n), tango(e01, e10, n)
    assert result.difference in interval
    assume(abs(result.pvalue - 0.05) > 1e-9)  # at the very edge either may say yes
    assert (0 not in interval) == (result.pvalue < 0.05)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mid_p_is_half_of_what_was_seen_below_exact(e01, e10):
    assume(e01 + e10)
    for side in ("less", "greater"):
        exact, mid = (mcnemar(e01, e10, method, side).pvalue for method in ("exact", "mid-p"))
        observed = math.comb(e01 + e10, e01) / 2 ** (e01 + e10)
        assert mid == pytest.approx(exact - observed / 2, rel=1e-9, abs=1e-15)
    assert mcnemar(e01, e10, method="mid-p").pvalue <= mcnemar(e01, e10, method="exact").pvalue


def test_which_is_which():
    """The second alone is wrong more often, so the first is the better one."""
    result = mcnemar(e01=2, e10=12, n=50, alternative="greater")
    assert result.difference == 0.2
    assert result.pvalue < 0.01
    alone = mcnemar(2, 12)
    assert math.isnan(alone.difference)
    assert alone.notes == (
        "pass `n=`, the total number of cases, for the difference in accuracy and its standard error; "
        "`intervals.tango` computes its interval",
    )
    assert not result.notes


def test_the_method_by_default():
    assert mcnemar(10, 14).method == "McNemar's test (mid-p)"
    assert mcnemar(10, 15).method == "McNemar's test (chi2)"
    assert mcnemar(10, 15).df == 1


@pytest.mark.parametrize("method", METHODS)
def test_nothing_discordant(method):
    result = mcnemar(0, 0, method, n=10)
    assert (result.statistic, result.pvalue, result.difference) == (0, 1, 0)
    assert result.notes == ("the classifiers get the same cases wrong, so there is no difference to test",)


def test_a_very_small_p_value():
    for method in METHODS:
        result = mcnemar(0, 3000, method, n=4000)
        assert 0 < result.pvalue < 1e-300
        assert result.notes == ("the p-value is below 2.2e-308, the smallest positive number that can be represented",)


@given(SCORES, st.integers(-50, 50), st.sampled_from([*MIRRORED]))
def test_sign_test_mirrored_and_shifted(rows, shift, side):
    """Tenths, whose differences are equal in decimal and not in binary."""
    a, b = (np.array(column) / 10 for column in zip(*rows, strict=True))
    first, second = sign_test(a, b, side), sign_test(b, a, MIRRORED[side])
    assert 0 < first.pvalue <= 1
    assert same_p(first, second)
    assert second.difference == -first.difference
    moved = sign_test(a + shift / 10, b + shift / 10, side)
    assert (moved.statistic, moved.pvalue, moved.notes) == (first.statistic, first.pvalue, first.notes)


def test_ties_of_the_sign_test():
    result = sign_test([1, 2, 3, 4], [1, 2, 2, 3])
    assert (result.statistic, result.pvalue, result.difference) == (2, 0.5, 0.5)
    assert result.notes == ("2 of 4 pairs are ties and are left out",)
    nothing = sign_test([89.8, 0.3], [89.8, 0.1 + 0.2])
    assert (nothing.statistic, nothing.pvalue) == (0, 1)
    assert nothing.notes == ("all pairs are ties, so there is no difference to test",)


@given(SCORES, SCORES, st.sampled_from([*MIRRORED]))
def test_unpaired_delong_mirrored(first, second, side):
    sides = []
    for rows in (first, second):
        scores, classes = zip(*rows, strict=True)
        sides.append((np.array(classes) > 10, np.array(scores)))
    assume(all(0 < truth.sum() < len(truth) for truth, _ in sides))
    item = delong_unpaired(*sides[0], *sides[1], side)
    rest = delong_unpaired(*sides[1], *sides[0], MIRRORED[side])
    assert same_p(item, rest)
    assert rest.difference == -item.difference
    assert math.isnan(item.pvalue) or 0 < item.pvalue <= 1
    assert not math.isnan(item.pvalue) or item.notes


def test_unpaired_delong_without_spread():
    truth, perfect = [1, 1, 0, 0], [4, 3, 2, 1]
    same = delong_unpaired(truth, perfect, truth, perfect)
    assert (same.statistic, same.pvalue, same.difference) == (0, 1, 0)
    assert same.notes == ("the placements do not vary, and there is no difference to test",)
    apart = delong_unpaired(truth, perfect, truth, [1, 2, 3, 4])
    assert math.isnan(apart.pvalue)
    assert apart.difference == 1
    assert apart.notes == ("the placements do not vary, so the uncertainty of the difference cannot be estimated",)
    alone = delong_unpaired([1, 0, 0], [3, 2, 1], truth, perfect)
    assert math.isnan(alone.pvalue)
    assert alone.notes == ("with a single case of a class, the AUC has no variance",)


@settings(max_examples=40, deadline=None)
@given(LABELS, SOME_MEASURES, st.sampled_from([*MIRRORED]))
def test_permutation_mirrored(rows, name, side):
    """To the last digit, because a seed draws the same swaps whichever classifier comes first."""
    truth, a, b = zip(*rows, strict=True)
    options = {"labels": [0, 1, 2], "replicates": 200}
    first = permutation(truth, a, b, name, alternative=side, **options)
    second = permutation(truth, b, a, name, alternative=MIRRORED[side], **options)
    assert same_p(first, second)
    assert second.difference == pytest.approx(-first.difference, abs=1e-15, nan_ok=True)
    assert math.isnan(first.pvalue) or 0 < first.pvalue <= 1
    assert not math.isnan(first.pvalue) or first.notes
    assert first.to_dict() == permutation(truth, a, b, name, alternative=side, **options).to_dict()


@settings(max_examples=25, deadline=None)
@given(SCORES, st.sampled_from([*MIRRORED]))
def test_permutation_of_scores_mirrored(rows, side):
    a, b = zip(*rows, strict=True)
    truth = np.arange(len(a)) % 2
    first = permutation(truth, a, b, "auc", labels=[0, 1], alternative=side, replicates=200)
    second = permutation(truth, b, a, "auc", labels=[0, 1], alternative=MIRRORED[side], replicates=200)
    assert same_p(first, second)
    moved = permutation(truth, np.add(a, 100), np.add(b, 100), "auc", labels=[0, 1], alternative=side, replicates=200)
    assert moved.pvalue == pytest.approx(first.pvalue, nan_ok=True)


def test_ranks_are_exchanged_where_scores_are_on_different_scales():
    """Breast cancer data, ten folds: naive Bayes says 0 or 1 nearly always, which logistic regression does not.

    Its scores are not exchangeable with the others, and exchanging them hides the difference that DeLong's test finds.
    Of 400,000 swaps of ranks, 0.70 % have as large a difference, by `exchanged_areas` of the calibration of type-I
    errors, which shares no code with the test.
    """
    x, truth = load_breast_cancer(return_X_y=True)
    a, b = (
        cross_val_predict(learner, x, truth, cv=StratifiedKFold(10), method="predict_proba")[:, 1]
        for learner in (make_pipeline(StandardScaler(), LogisticRegression()), GaussianNB())
    )
    observed = difference_of(*(howsure.Predictions.of(truth, scores=scores) for scores in (a, b)), measures["auc"])
    area, replicates = measures["auc"].value, 4000
    swaps = observed.table.swapped(np.random.default_rng(0), replicates)  # of the scores themselves
    raw = np.mean(np.abs(differences((area(first), area(second)) for first, second in swaps)) >= observed.value)
    ranks = permutation(truth, a, b, "auc", replicates=replicates)
    assert ranks.difference == pytest.approx(0.00741, abs=2e-4)  # probabilities of other versions differ a little
    assert delong(truth, a, b).pvalue == pytest.approx(0.0148, abs=0.003)
    assert ranks.pvalue == pytest.approx(0.0070, abs=0.0053)  # four Monte Carlo errors
    assert raw == pytest.approx(0.366, abs=0.031)  # the same
    order = np.unique(b, return_inverse=True)[1]
    assert permutation(truth, a, order, "auc", replicates=replicates).pvalue == ranks.pvalue


def three_classes(seed=0, n=60):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    raw = [np.eye(3)[truth] * strength + rng.random((n, 3)) for strength in (1.0, 0.4)]
    return truth, *(scores / scores.sum(1, keepdims=True) for scores in raw)


@pytest.mark.parametrize("test", [permutation, bootstrap_difference])
@pytest.mark.parametrize("name", ["auc", "log_loss", "auc_hand_till"])
def test_scores_of_three_classes(name, test):
    truth, a, b = three_classes()
    for side, second in MIRRORED.items():
        result = test(truth, a, b, name, alternative=side, replicates=60)
        apart = howsure.assess(truth, scores=a)[name].value - howsure.assess(truth, scores=b)[name].value
        assert result.difference == pytest.approx(apart, rel=1e-12)
        assert 1 / 61 <= result.pvalue <= 1
        assert same_p(result, test(truth, b, a, name, alternative=second, replicates=60))
    chosen = test(truth, a, b, "auc", positive=2, replicates=60)
    column = test(truth == 2, a[:, 2], b[:, 2], "auc", replicates=60)
    assert (chosen.difference, chosen.pvalue) == (column.difference, column.pvalue)
    assert test(truth, a, a, name, replicates=60).notes == (SAME,)


@pytest.mark.parametrize(
    "name", [n for n, m in measures.items() if m.scope in ("class", "overall") and not m.on_request]
)
def test_any_measure_of_labels(name):
    """Of two classes and of three, of the same class or average as an assessment; drawn tables give the same values."""
    rng = np.random.default_rng(8)
    for k in (2, 3):
        truth, a, b = rng.integers(0, k, (3, 80))
        if k > 2 and not measures[name].averaged and measures[name].scope == "class":
            continue
        observed = difference_of(
            *(howsure.Predictions.of(truth, one, labels=range(k)) for one in (a, b)), measures[name]
        )
        first, second = (howsure.assess(truth, predicted)[name] for predicted in (a, b))
        assert (observed.first.value, observed.second.value) == pytest.approx((first.value, second.value), rel=1e-12)
        swapped = [one - two for one, two in observed.swapped(np.random.default_rng(1), 200)]
        values = np.concatenate(swapped)  # around 0, whatever the two are
        assert np.abs(np.nanmean(values)) <= 0.2 * np.nanmax(np.abs(values))
        for test in (permutation, bootstrap_difference):
            assert 0 < test(truth, a, b, name, replicates=50).pvalue <= 1


@pytest.mark.parametrize("name", [n for n, m in measures.items() if m.scope == "score" and not m.on_request])
def test_any_measure_of_scores(name):
    rng = np.random.default_rng(9)
    truth = rng.integers(0, 2, 50)
    a, b = (np.clip(truth * 0.2 + rng.random(50) * 0.8, 0, 1).round(1) for _ in range(2))
    observed = difference_of(*(howsure.Predictions.of(truth, scores=one) for one in (a, b)), measures[name])
    for result, scores in ((observed.first, a), (observed.second, b)):
        assert result.value == pytest.approx(howsure.assess(truth, scores=scores)[name].value, rel=1e-12)
    for test in (permutation, bootstrap_difference):
        assert 0 < test(truth, a, b, name, replicates=50).pvalue <= 1


def test_parameters_averages_and_classes():
    rng = np.random.default_rng(10)
    truth, a, b = rng.integers(0, 3, (3, 50))
    assert permutation(truth, a, b, "f_beta", beta=2, replicates=9).method == (
        "permutation test of f_beta(beta=2) (macro average)"
    )
    assert permutation(truth, a, b, "f1", average="weighted", replicates=9).method == (
        "permutation test of f1 (weighted average)"
    )
    assert permutation(truth, a, b, "f1", positive=2, replicates=9).method == "permutation test of f1 (2)"
    costs = [[0, 1, 2], [3, 0, 4], [5, 6, 0]]
    for name, scale in (("mean_cost", 1), ("total_cost", 50)):
        result = permutation(truth, a, b, name, costs=costs, replicates=9)
        apart = np.take(costs, truth * 3 + a).sum() - np.take(costs, truth * 3 + b).sum()
        assert result.difference == pytest.approx(scale * apart / 50, rel=1e-12)


@pytest.mark.parametrize("test", [permutation, bootstrap_difference])
def test_degenerate_comparisons(test):
    same = test([0, 1, 1], [0, 1, 0], [0, 1, 0])
    assert (same.statistic, same.pvalue, same.difference) == (0, 1, 0)
    assert same.notes == (SAME,)
    nowhere = test([0, 0, 0], [0, 0, 0], [0, 1, 0], "recall")
    assert math.isnan(nowhere.pvalue)
    assert nowhere.notes == ("undefined for `a`, because no case belongs to this class",)
    assert decide(nowhere).startswith("not decided at the 5 % level: undefined for `a`")
    same_scores = test([0, 1, 1], [1, 2, 3], [1, 2, 3], "auc")
    assert (same_scores.pvalue, same_scores.notes) == (1, (SAME,))


def test_replicates_without_spread_or_value():
    result = bootstrap_difference([1, 1], [1, 1], [0, 0])
    assert math.isnan(result.pvalue)
    assert result.difference == 1
    assert result.notes == ("the replicates do not vary, so the uncertainty of the difference cannot be estimated",)
    some = permutation([1, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 1], "precision", replicates=400)
    assert some.notes[0].startswith("undefined in ")
    assert some.notes[0].endswith(" of 400 replicates, which count as extreme")
    assert some.pvalue <= 1


def test_equivalence_in_words():
    yes, no = equivalence(0.004, 0.006, 0.02), equivalence(0.015, 0.006, 0.02, alpha=0.01)
    assert yes.alternative == "equivalence"
    assert yes.notes == ("equivalent at the 5 % level: a difference of 0.020 or more in either direction is excluded",)
    assert no.notes == (
        "not shown to be equivalent at the 1 % level: a difference of 0.020 or more in either direction is still "
        "possible",
    )
    better, worse = non_inferiority(0.004, 0.006, 0.01), non_inferiority(0.004, 0.006, 0.01, better="lower")
    assert (better.alternative, worse.alternative) == ("greater", "less")
    assert better.notes == ("non-inferior at the 5 % level: a loss of 0.010 or more is excluded",)
    assert worse.notes == ("not shown to be non-inferior at the 5 % level: a loss of 0.010 or more is still possible",)
    assert (worse.difference, worse.error) == (0.004, 0.006)


@given(st.floats(-1, 1), st.floats(1e-3, 1), st.floats(1e-3, 1), st.one_of(st.none(), st.integers(1, 30)))
def test_equivalence_mirrored(difference, error, margin, df):
    first, second = equivalence(difference, error, margin, df), equivalence(-difference, error, margin, df)
    assert same_p(first, second)
    assert 0 < first.pvalue <= 1
    higher, lower = (
        non_inferiority(sign * difference, error, margin, df, better) for sign, better in ((1, "higher"), (-1, "lower"))
    )
    assert same_p(higher, lower)
    # equivalent is what is not inferior from either side
    both = max(higher.pvalue, non_inferiority(-difference, error, margin, df).pvalue)
    assert first.pvalue == pytest.approx(both, rel=1e-9)


@pytest.mark.parametrize(("difference", "error"), [(0.0, 0.0), (0.1, 0.0), (math.nan, 0.1), (0.1, math.nan)])
def test_a_difference_without_error(difference, error):
    for result in (equivalence(difference, error, 0.1), non_inferiority(difference, error, 0.1)):
        assert math.isnan(result.pvalue)
        assert result.notes == (
            "the standard error is not positive, so the uncertainty of the difference cannot be estimated",
        )


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: mcnemar(-1, 2), "`e01` must be a whole number, 0 or above, not -1."),
        (lambda: mcnemar(1, 2.5), "`e10` must be a whole number, 0 or above, not 2.5."),  # type: ignore[arg-type]
        (lambda: mcnemar(1, 2, n=2), "`e01` and `e10` must add up to at most `n`, but 1 + 2 is more than 2."),
        (
            lambda: mcnemar(1, 2, method="midp"),
            "`method` must be one of 'auto', 'exact', 'mid-p', 'chi2', 'chi2-corrected', not 'midp'; "
            "did you mean 'mid-p'?",
        ),
        (lambda: sign_test([1, 2], [1]), "`a` has 2 values and `b` has 1; both must have the same length."),
        (
            lambda: delong_unpaired([1, 0], [1, 2], [1, 1], [1, 2]),
            "`truth_b` must hold positives and negatives; all cases are of one class.",
        ),
        (
            lambda: delong_unpaired([1], [1, 2], [1, 0], [1, 2]),
            "`truth_a` must have a class for each of the 2 scores in `a`.",
        ),
        (lambda: equivalence("0.1", 1, 1), "`difference` must be a number, not '0.1'."),  # type: ignore[arg-type]
        (lambda: equivalence(0.1, -1, 1), "`error` must be a number, 0 or above, not -1."),
        (lambda: equivalence(0.1, 1, 0), "`margin` must be a number above 0, not 0."),
        (lambda: equivalence(0.1, 1, 1, df=0), "`df` must be a number above 0, not 0."),
        (
            lambda: non_inferiority(0.1, 1, 1, better="more"),
            "`better` must be one of 'higher', 'lower', not 'more'.",
        ),
        (
            lambda: permutation([0, 1], [0, 1], [0, 1, 1]),
            "`truth` has 2 rows and `b` has 3; they must be of equal length.",
        ),
        (
            lambda: permutation([0, 1], [0, None], [0, 1]),
            "`a` has no label at index 1; drop these rows or give them a label.",
        ),
        (
            lambda: permutation([0, 1], [0, 1], [0, 1], "acuracy"),
            "`measure` must be the name of a measure, not 'acuracy'; did you mean 'accuracy'?",
        ),
        (
            lambda: permutation([0, 1], [0, 1], [0, 1], replicates=0),
            "`replicates` must be a whole number above 0, not 0.",
        ),
        (
            lambda: permutation([0, 1], [0.2, 0.7], [0.2], "auc"),
            "`truth` has 2 rows and `b` has 1; they must be of equal length.",
        ),
        (
            lambda: permutation([0, 1], [0.2, 0.7], [0.2, 0.1], "auc", average="macro"),
            "`auc` is of one class here, and has no average.",
        ),
        (
            lambda: permutation([0, 1], [0.2, 0.7], [0.2, 0.1], "auc_hand_till"),
            "`auc_hand_till` needs a column of scores for each of more than two classes.",
        ),
        (
            lambda: permutation([0, 1, 2], np.eye(3), [0.2, 0.1, 0.1], "auc", positive=1),
            "`a` and `b` must both be one column of scores, or both have a column for each class.",
        ),
        (
            lambda: permutation([0, 1], [0, 1], [0, 1], "accuracy", average="macro"),
            "`accuracy` is a measure of all classes at once; it takes neither `label` nor `average`.",
        ),
    ],
)
def test_mistakes(ask, sentence):
    with pytest.raises(HowsureError) as caught:
        ask()
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("measure", "mean"),
    [
        ("root_mean_squared_error", "brier"),
        ("root_relative_squared_error", "brier"),
        ("relative_absolute_error", "mean_absolute_error"),
    ],
)
def test_functions_of_a_mean_loss_are_tested_by_that_mean(measure, mean):
    """On the same cases two are equal by the one where they are equal by the other."""
    rng = np.random.default_rng(5)
    truth = rng.random(30) < 0.4
    a, b = (1 / (1 + np.exp(-rng.normal(3 * truth - 1.5))) for _ in range(2))
    by_measure, by_mean = (paired_delta(truth, a, b, name) for name in (measure, mean))
    assert by_measure.pvalue == pytest.approx(by_mean.pvalue, rel=1e-9)
    assert by_measure.difference * by_mean.difference > 0


def test_areas_near_1_are_tested_with_more_caution_than_their_ranks_show():
    rng = np.random.default_rng(2)
    truth = np.arange(200) < 20
    near, middling = ([rng.normal(apart * truth) for _ in range(2)] for apart in (3.5, 0.5))
    for (a, b), raised in ((near, True), (middling, False)):
        plain, cautious = (delong(truth, a, b, method=name) for name in ("normal", "student"))
        assert cautious.difference == plain.difference
        assert (cautious.error > 1.02 * plain.error) == raised
        assert cautious.error < 2 * plain.error
        interval = howsure.compare(truth, scores={"a": a, "b": b}).difference.interval()
        assert (interval.high - interval.low) / 2 > plain.error * 1.96  # the interval turns the same test round


def test_tests_of_very_many_scores_draw_fewer_replicates_and_say_so(monkeypatch):
    from howsure.measures.estimate import difference as made
    from howsure.significance.two.permutation import permute, resample

    rng = np.random.default_rng(0)
    truth, scores = rng.random(3000) < 0.4, {"a": rng.random(3000), "b": rng.random(3000)}

    def notes(draw, **options):
        basis = howsure.compare(truth, **options).difference.basis
        return draw(getattr(basis, "basis", basis), None).notes

    monkeypatch.setattr(made, "MAX_DRAWN", 4_000_000)
    labels = {name: column > 0.5 for name, column in scores.items()}
    for draw in (permute, resample):
        assert "only 1333 replicates, because each draws 3000 cases" in notes(draw, scores=scores)
        assert notes(draw, predicted=labels, measure="f1") == ()
    monkeypatch.setattr(made, "MAX_DRAWN", 1000)
    assert "only 1000 replicates, because each draws 3000 cases" in notes(permute, scores=scores)
