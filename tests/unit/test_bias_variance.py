"""Noise, bias and variance: terms that add up, labels of any kind, theory where there is some, and what is refused."""

from __future__ import annotations

import itertools
import json
import math
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Perceptron, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from howsure import ExperimentResult, HowsureError
from howsure.theory.bias_variance.decomposition import decompose
from howsure.theory.bias_variance.refits import bias_variance, bias_variance_curve
from howsure.theory.bias_variance.training_sets import TrainingSets

RTOL = 1e-12  # sums of a few thousand terms of one sign, each good to 1e-16
X, Y = load_iris(return_X_y=True)
NAMED = np.array(["setosa", "versicolor", "virginica"])[Y]
W20 = [[0, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1], [0, 1, 1, 0]], [0, 0, 1, 1]


@st.composite
def rounds(draw):
    """Predicted codes, true codes, number of classes, and P(y|x) or None."""
    k, n, R = draw(st.integers(1, 5)), draw(st.integers(1, 6)), draw(st.integers(1, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    predicted, truth = rng.integers(k, size=(R, n)), rng.integers(k, size=n)
    if not draw(st.booleans()):
        return predicted, truth, k, None
    weights = rng.integers(0, draw(st.sampled_from([2, 5, 1000])), size=(n, k)) + np.eye(k)[truth]
    return predicted, truth, k, weights / weights.sum(1, keepdims=True)


def adds_up(result):
    noise = 0 if math.isnan(result.noise) else result.noise_effect
    np.testing.assert_allclose(noise + result.bias + result.net_variance, result.loss, rtol=RTOL, atol=1e-300)
    for name in ("loss", "bias", "variance"):
        column = [row[result.cases().columns.index(name)] for row in result.cases().rows]
        np.testing.assert_allclose(np.mean(column), getattr(result, name), rtol=RTOL)


@given(rounds())
@settings(max_examples=80, deadline=None)
def test_zero_one_terms_add_up_and_are_what_they_are_defined_to_be(case):
    predicted, truth, k, conditional = case
    labels = list(range(k))
    result = decompose(predicted, truth, probabilities=conditional, labels=labels)
    adds_up(result)
    adds_up(result.by("kohavi-wolpert"))
    p = np.eye(k)[truth] if conditional is None else conditional
    votes = np.array([[(column == label).mean() for label in labels] for column in predicted.T])
    expected = np.mean([1 - p[case, code] for row in predicted for case, code in enumerate(row)])
    # Differences from 1 here, which cost a few units of 1e-16 each.
    np.testing.assert_allclose(result.loss, expected, rtol=RTOL, atol=1e-15)
    main = votes.argmax(1)
    assert result.bias == pytest.approx((p[np.arange(len(p)), main] < p.max(1)).mean(), rel=RTOL)
    assert result.variance == pytest.approx((1 - votes.max(1)).mean(), rel=RTOL, abs=1e-15)
    other = result.by("kohavi-wolpert")
    assert other.variance == pytest.approx((1 - (votes**2).sum(1)).mean() / 2, rel=RTOL, abs=1e-15)
    assert other.bias == pytest.approx(((p - votes) ** 2).sum(1).mean() / 2, rel=RTOL, abs=1e-15)
    if conditional is not None:
        assert result.noise == pytest.approx((1 - p.max(1)).mean(), rel=RTOL, abs=1e-15)
        assert other.noise == pytest.approx((1 - (p**2).sum(1)).mean() / 2, rel=RTOL, abs=1e-15)


@given(rounds(), st.sampled_from(["numbers", "text"]))
@settings(max_examples=80, deadline=None)
def test_squared_terms_add_up(case, kind):
    predicted, truth, k, conditional = case
    labels = np.array([-3, 10**8, 7, 10**8 + 1, 0][:k] if kind == "numbers" else list("abcde"[:k]))
    result = decompose(labels[predicted], labels[truth], "squared", probabilities=conditional, labels=labels.tolist())
    adds_up(result)
    if kind == "text":  # half the sum over the indicators: a crisp prediction costs what it costs by zero-one
        crisp = decompose(predicted, truth, probabilities=conditional, labels=list(range(k))).by("kohavi-wolpert")
        assert (result.loss, result.bias, result.variance) == (crisp.loss, crisp.bias, crisp.variance)
    elif conditional is None:
        errors = (labels[predicted] - labels[truth]).astype(float) ** 2
        np.testing.assert_allclose(result.loss, errors.mean(), rtol=RTOL)


@given(rounds())
@settings(max_examples=80, deadline=None)
def test_brier_terms_add_up(case):
    codes, truth, k, conditional = case
    rng = np.random.default_rng(codes.sum())
    predicted = rng.dirichlet(np.ones(k), size=codes.shape)
    result = decompose(predicted, truth, "brier", probabilities=conditional, labels=list(range(k)))
    adds_up(result)
    p = np.eye(k)[truth] if conditional is None else conditional
    every = ((predicted[..., None, :] - np.eye(k)) ** 2).sum(-1) / 2  # rounds x cases x true class
    np.testing.assert_allclose(result.loss, (every * p).sum(-1).mean(), rtol=RTOL, atol=1e-30)
    if k == 2:
        one = (p[:, 1] * (1 - predicted[..., 1]) ** 2 + p[:, 0] * predicted[..., 1] ** 2).mean()
        np.testing.assert_allclose(result.loss, one, rtol=RTOL)


def test_domingos_with_many_classes_counts_only_the_variance_that_mends():
    # One case, truth 0; votes 1, 1, 1, 0, 2: main 1 is wrong, variance 2/5, of which only the vote for 0 mends.
    result = decompose([[1], [1], [1], [0], [2]], [0])
    assert (result.bias, result.variance) == (1, pytest.approx(0.4, rel=RTOL))
    assert (result.unbiased_variance, result.biased_variance) == (0, pytest.approx(0.2, rel=RTOL))
    assert result.loss == pytest.approx(0.8, rel=RTOL)


def test_noise_with_many_classes_by_hand():
    # P = (.6, .3, .1); votes (1/4, 1/2, 1/4). Loss 1 - (.15 + .15 + .025) = .675. Best 0, main 1: bias 1, mended 1/4.
    # Noise .4; its effect .25 * .4 - (.5 * .3 + .25 * .1) = -.075; 1 - .25 - .075 = .675.
    result = decompose([[0], [1], [1], [2]], [0], probabilities=[[0.6, 0.3, 0.1]])
    assert result.loss == pytest.approx(0.675, rel=RTOL)
    assert result.noise == pytest.approx(0.4, rel=RTOL)
    assert result.noise_effect == pytest.approx(-0.075, rel=RTOL)
    assert (result.bias, result.biased_variance) == (1, 0.25)


def test_a_main_prediction_that_is_as_likely_as_any_other_is_not_wrong():
    for code in (0, 1, 2):
        result = decompose([[code], [code]], [0], probabilities=[[1 / 3, 1 / 3, 1 / 3]], labels=[0, 1, 2])
        assert (result.bias, result.variance) == (0, 0)
        assert result.loss == result.noise == result.noise_effect == pytest.approx(2 / 3, rel=RTOL)


def test_ties_go_to_the_first_label():
    assert decompose([["b"], ["a"]], ["a"]).bias == 0
    assert decompose([["b"], ["a"]], ["a"], labels=["b", "a"]).bias == 1


def test_terms_keep_their_digits_where_noise_is_tiny():
    p = np.array([[1e-20, 1 - 1e-20, 0]])
    for loss in ("zero-one", "squared"):
        result = decompose([[1], [1]], [1], loss, probabilities=p, labels=[0, 1, 2])
        assert result.loss == pytest.approx(1e-20, rel=RTOL)
        assert result.noise == pytest.approx(1e-20, rel=RTOL)


def test_squares_of_real_numbers_far_from_zero():
    rng = np.random.default_rng(0)
    predicted, truth = 1e9 + rng.normal(size=(20, 30)), 1e9 + rng.normal(size=30)
    result = decompose(predicted, truth, "squared")
    adds_up(result)
    np.testing.assert_allclose(result.variance, predicted.var(axis=0).mean(), rtol=1e-6)  # 1e9 leaves seven digits
    assert result.notes[0] == "squared differences of the labels as numbers"
    assert decompose([[0.5], [1.5]], [1], "squared").loss == 0.25


@pytest.mark.parametrize("labels", [[-1, 1], ["<script>", "no"], [False, True], [7, 9], ["a$b", "\u00e9"]])
@pytest.mark.parametrize("as_list", [True, False])
def test_labels_of_any_kind(labels, as_list):
    predicted, truth = np.array(labels)[np.array(W20[0])], np.array(labels)[W20[1]]
    if as_list:
        predicted, truth = predicted.tolist(), truth.tolist()
    result = decompose(predicted, truth)
    assert (result.loss, result.bias, result.variance) == (0.4375, 0.5, 0.1875)
    assert result.labels == tuple(labels)
    assert [row[1] for row in result.cases().rows] == [labels[code] for code in W20[1]]
    assert [row[2] for row in result.cases().rows] == [labels[code] for code in (0, 1, 1, 0)]
    assert "<script>" not in result.cases().to_html()


def test_squared_loss_of_minus_and_plus_one_is_four_times_the_error():
    result = decompose(2 * np.array(W20[0]) - 1, 2 * np.array(W20[1]) - 1, "squared")
    assert (result.loss, result.bias, result.variance) == (4 * 0.4375, 4 * 0.296875, 4 * 0.140625)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, list])
def test_frames_are_taken(kind):
    assert decompose(kind(np.array(W20[0])), pd.Series(W20[1])).bias == 0.5


def test_one_round_has_no_variance_and_no_correction():
    result = decompose([[0, 1]], [0, 0]).by("kohavi-wolpert")
    assert (result.loss, result.bias, result.variance) == (0.5, 0.5, 0)
    assert math.isnan(result.bias_corrected)
    assert math.isnan(result.variance_corrected)
    assert all(math.isnan(value) for value in result.standard_errors.values())


def test_one_class():
    for loss in ("zero-one", "squared"):
        result = decompose([["a", "a"]] * 3, ["a", "a"], loss, probabilities=[[1], [1]])
        assert (result.loss, result.bias, result.variance, result.noise) == (0, 0, 0, 0)


def leave_one_out(predicted, truth, loss, method=None):
    rounds = len(predicted)
    jackknife = [decompose(np.delete(predicted, r, axis=0), truth, loss, method=method) for r in range(rounds)]
    values = np.array([[one.loss, one.bias, one.variance] for one in jackknife])
    return np.sqrt((rounds - 1) * values.var(axis=0))


@pytest.mark.parametrize("loss", ["zero-one", "squared", "brier"])
def test_standard_errors_are_those_of_the_jackknife(loss):
    rng = np.random.default_rng(3)
    predicted, truth = rng.integers(3, size=(9, 12)), np.r_[rng.integers(3, size=9), 0, 1, 2]
    if loss == "brier":
        predicted = rng.dirichlet(np.ones(3), size=(9, 12))
    method = "kohavi-wolpert" if loss == "zero-one" else None
    result = decompose(predicted, truth, loss, method=method)
    # Differences of leave-one-out values: two digits are lost to the mean.
    np.testing.assert_allclose(
        list(result.standard_errors.values()), leave_one_out(predicted, truth, loss, method), rtol=1e-10
    )


def test_a_majority_has_no_jackknife():
    result = decompose(*W20)
    assert result.standard_errors["loss"] == pytest.approx(
        result.by("kohavi-wolpert").standard_errors["loss"], rel=RTOL
    )
    assert math.isnan(result.standard_errors["bias"])


def test_what_is_shown():
    result = decompose(*W20)
    assert repr(result) == (
        "BiasVariance(loss=0.4375, noise=nan, bias=0.5, variance=0.1875, net_variance=-0.0625, "
        "'zero-one', 'domingos', rounds=4)"
    )
    assert result.text(width=120).splitlines() == [
        "bias and variance, zero-one loss: 4 rounds, 4 test cases",
        "method           loss  noise   bias  variance  net variance",
        "--------------  -----  -----  -----  --------  ------------",
        "domingos        0.438    n/a  0.500     0.188        -0.062",
        "kohavi-wolpert  0.438    n/a  0.297     0.141         0.141",
        "domingos: loss = bias + unbiased variance - biased variance: 0.4375 = 0.5 + 0.0625 - 0.125",
        "kohavi-wolpert: loss = bias^2 + variance: 0.4375 = 0.296875 + 0.140625",
        "noise cannot be estimated without P(y|x), and is part of bias",
    ]
    assert result.to_html().startswith("<table><caption>bias and variance, zero-one loss")
    assert result.frame("pandas")["bias"].tolist() == [0.5, 0.296875]
    assert result.by("kohavi-wolpert").frame("pandas")["bias"].tolist() == [0.296875, 0.5]
    values = json.loads(json.dumps(result.to_dict()))
    assert values["noise"] is None
    assert values["bias"] == 0.5
    assert [row["method"] for row in values["methods"]] == ["domingos", "kohavi-wolpert"]


def test_noise_is_shown_where_it_is_known():
    result = decompose(*W20, probabilities=[0.1, 0.2, 0.7, 0.9])
    assert result.identity == (
        "domingos: loss = noise effect + bias + unbiased variance - biased variance: "
        "0.4625 = 0.025 + 0.5 + 0.0625 - 0.125"
    )
    assert result.by("kohavi-wolpert").identity == (
        "kohavi-wolpert: loss = noise + bias^2 + variance: 0.4625 = 0.1375 + 0.184375 + 0.140625"
    )
    assert result.notes == ("loss is the expected loss under P(y|x), not that on the observed labels",)
    both = decompose(*W20, probabilities=np.column_stack([[0.9, 0.8, 0.3, 0.1], [0.1, 0.2, 0.7, 0.9]]))
    assert both.loss == pytest.approx(result.loss, rel=RTOL)


P3 = np.full((4, 3), 1 / 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: decompose(*W20, "hinge"),
            "`loss` must be one of 'zero-one', 'squared', 'brier', not 'hinge'.",
        ),
        (
            lambda: decompose(*W20, method="domingo"),
            "`method` must be one of 'domingos', 'kohavi-wolpert', not 'domingo'; did you mean 'domingos'?",
        ),
        (
            lambda: decompose(*W20, "squared", method="domingos"),
            "`method` must be left out for the loss 'squared', which has one decomposition.",
        ),
        (
            lambda: decompose(*W20).by("mlxtend"),
            "`method` must be one of 'domingos', 'kohavi-wolpert', not 'mlxtend'.",
        ),
        (
            lambda: decompose([0, 1], [0, 1]),
            "`predicted` must be an array of shape (rounds, cases), not (2,).",
        ),
        (
            lambda: decompose([["a", "b"], ["a"]], ["a", "b"]),
            "`predicted` must be an array of shape (rounds, cases), not ().",
        ),
        (
            lambda: decompose([[0, 1]], [0, 1, 1]),
            "`predicted` and `truth` must have the same number of cases, not 2 and 3.",
        ),
        (
            lambda: decompose(np.empty((0, 2), int), [0, 1]),
            "`predicted` must have at least one round; it is empty.",
        ),
        (lambda: decompose(np.empty((2, 0), int), []), "`truth` must have at least one case; it is empty."),
        (
            lambda: decompose([["a", None]], ["a", "b"]),
            "`predicted` has no label at index 1; drop such cases.",
        ),
        (
            lambda: decompose([["a", "b"]], ["a", None]),
            "`truth` has no label at index 1; drop such cases.",
        ),
        (
            lambda: decompose([["a", 1]], ["a", "b"]),
            "`predicted` mixes text such as 'a' with whole numbers such as 1; give all labels in one form.",
        ),
        (
            lambda: decompose([[0.0, np.nan]], [0, 1], "squared"),
            "`predicted` must have finite numbers only.",
        ),
        (
            lambda: decompose([[10**20], [10**20 + 1]], [10**20], "squared"),
            "the loss 'squared' needs labels that are exact as floats, but 100000000000000000001 is not; use a smaller "
            "number for this class, or the loss 'zero-one'.",
        ),
        (
            lambda: decompose(*W20, probabilities=P3),
            "`probabilities` must be a table of cases by classes with 2 columns (0, 1), not of shape (4, 3).",
        ),
        (
            lambda: decompose(*W20, probabilities=[0.5]),
            "`probabilities` must have one row per case, not 1 row for 4 cases.",
        ),
        (
            lambda: decompose(*W20, probabilities=[0.5, 0.5, 0.5, np.nan]),
            "`probabilities` must be probabilities from 0 to 1 that sum to 1 over the classes.",
        ),
        (
            lambda: decompose(*W20, probabilities=np.full((4, 2), 0.6)),
            "`probabilities` must be probabilities from 0 to 1 that sum to 1 over the classes.",
        ),
        (
            lambda: decompose(*W20, "brier"),
            "`predicted` must be an array of shape (rounds, cases, classes), not (4, 4).",
        ),
        (
            lambda: decompose([P3], W20[1], "brier"),
            "`predicted` must have one probability for each of 2 classes, not 3; name all classes in this order with "
            "`labels`.",
        ),
        (
            lambda: decompose([2 * P3], W20[1], "brier", labels=[0, 1, 2]),
            "`predicted` must be probabilities from 0 to 1 that sum to 1 over the classes.",
        ),
        (
            lambda: bias_variance(GaussianNB(), X, Y, rounds=0),
            "`rounds` must be a whole number, 1 or above, not 0.",
        ),
        (
            lambda: bias_variance(GaussianNB(), X, Y, sampling="jackknife"),
            "`sampling` must be one of 'bootstrap', 'subset', not 'jackknife'.",
        ),
        (
            lambda: bias_variance(GaussianNB(), X, Y, loss=["zero-one"]),  # type: ignore[arg-type]
            "`loss` must be one of 'zero-one', 'squared', 'brier', not ['zero-one']; did you mean 'zero-one'?",
        ),
        (lambda: bias_variance(GaussianNB(), X, Y, test=1.5), "`test` must be a share between 0 and 1, not 1.5."),
        (lambda: bias_variance(GaussianNB(), X, Y, test=None), "`test` must be a share between 0 and 1, not None."),  # type: ignore[arg-type]
        (
            lambda: bias_variance(GaussianNB(), X, Y, X_test=X),
            "`X_test` and `y_test` must be given together.",
        ),
        (
            lambda: bias_variance(GaussianNB(), X, Y, X_test=csr_matrix(X), y_test=Y),
            "`X` and `X_test` must both be arrays, both sparse matrices, or both data frames of pandas.",
        ),
        (
            lambda: bias_variance(GaussianNB(), X, Y, X_test=X[:, :2], y_test=Y),
            "`X` and `X_test` must have rows of the same shape, not (4,) and (2,).",
        ),
        (
            lambda: bias_variance(GaussianNB(), csr_matrix(X), Y, X_test=csr_matrix(X[:, :2]), y_test=Y),
            "`X` and `X_test` must have rows of the same shape, not (4,) and (2,).",
        ),
        (
            lambda: bias_variance(GaussianNB(), pd.DataFrame(X), Y, X_test=pd.DataFrame(X)[[1, 0, 2, 3]], y_test=Y),
            "`X` and `X_test` must have the same columns in the same order.",
        ),
        (
            lambda: bias_variance(Perceptron(), X, Y, loss="brier"),
            "the loss 'brier' needs probabilities, and the learner has no `predict_proba`.",
        ),
        (
            lambda: bias_variance_curve(GaussianNB(), X, Y, "var_smoothing", [1, 1]),
            "`values` must be different from each other, not [1, 1].",
        ),
        (
            lambda: bias_variance(GaussianNB(), X, Y, probabilities=lambda rows: P3),
            "`probabilities` must have one row per case, not 4 rows for 50 cases.",
        ),
        (
            lambda: bias_variance(GaussianNB(), X, Y, probabilities=lambda rows: None),
            "`probabilities` must be an array, or a function that returns one, not None.",
        ),
        (
            lambda: bias_variance(GaussianNB(), np.where(X > 3, np.nan, X), Y, rounds=2),
            "GaussianNB could not be fitted: 2 of 2 rounds failed and were left out; the first: ValueError: Input X "
            "contains NaN.",
        ),
    ],
)
def test_refusals(call, message):
    with pytest.raises(HowsureError, match=f"^{re.escape(message)}$"):
        call()


# Of learners


def test_training_sets_differ_and_the_test_cases_do_not():
    splits = TrainingSets(5, 1 / 3, 0, "bootstrap").splits(NAMED, seed=4)
    assert all(np.array_equal(one.test, splits[0].test) for one in splits)
    assert np.bincount(Y[splits[0].test]).tolist() in ([17, 17, 16], [17, 16, 17], [16, 17, 17])
    assert len({one.train.tobytes() for one in splits}) == 5
    assert all(len(one.train) == 100 and not np.isin(one.train, one.test).any() for one in splits)
    longer = TrainingSets(7, 1 / 3, 0, "bootstrap").splits(NAMED, seed=4)
    assert all(np.array_equal(one.train, other.train) for one, other in zip(splits, longer, strict=False))
    halves = TrainingSets(3, 1 / 3, 0, "subset").splits(NAMED, seed=4)
    assert all(len(np.unique(one.train)) == 50 for one in halves)


@pytest.mark.parametrize("sampling", ["bootstrap", "subset"])
def test_the_splits_are_those_of_the_experiment_and_are_not_read_again(sampling, monkeypatch):
    """From the folder they take seconds and hundreds of MB where cases are many."""
    with monkeypatch.context() as patched:
        patched.setattr(ExperimentResult, "splits", lambda *_: pytest.fail("read"))
        result = bias_variance(GaussianNB(), X, NAMED, rounds=3, sampling=sampling, seed=4)
    for entry in result.experiment.splits():
        assert entry.test.tolist() == list(result.rows)
        assert len(entry.train) == result.n_train


def test_a_constant_learner_has_no_variance():
    result = bias_variance(DummyClassifier(strategy="constant", constant="setosa"), X, NAMED, rounds=5)
    share = np.mean([row[1] != "setosa" for row in result.cases().rows])
    for one in (result, result.by("kohavi-wolpert")):
        assert (one.variance, one.net_variance) == (0, 0)
        assert one.loss == one.bias == pytest.approx(share, rel=RTOL)
    assert (result.rounds, result.n_train, result.n_test, result.seed) == (5, 100, 50, 0)
    assert result.title == (
        "bias and variance of DummyClassifier, zero-one loss: 5 rounds of 100 cases (bootstrap), 50 test cases"
    )


def test_the_nearest_neighbour_on_pure_noise_is_as_theory_says():
    # y is 1 with chance q whatever x. In a bootstrap sample the j-th neighbour in the pool is the nearest one with
    # chance (1 - a) a^(j-1), a = 1/e. So the share of rounds that predict 1 has mean q, and over pools the variance
    # q (1 - q) c with c = (1 - a) / (1 + a): that is bias^2, and q (1 - q) (1 - c) is variance.
    q, c = 0.3, (1 - math.exp(-1)) / (1 + math.exp(-1))
    rng = np.random.default_rng(11)
    points, labels = rng.random((1200, 1)), (rng.random(1200) < q).astype(int)
    result = bias_variance(
        KNeighborsClassifier(1), points, labels, rounds=60, probabilities=lambda rows: np.full(len(rows), q)
    ).by("kohavi-wolpert")
    assert result.noise == pytest.approx(q * (1 - q), rel=RTOL)
    adds_up(result)
    # The pool of 800 has some 400 independent shares; their squares spread by 0.1, so 0.02 is four standard errors.
    assert result.bias_corrected == pytest.approx(q * (1 - q) * c, abs=0.02)
    assert result.variance_corrected == pytest.approx(q * (1 - q) * (1 - c), abs=0.02)
    assert result.loss == pytest.approx(2 * q * (1 - q), abs=0.03)


def wavy(n=450, seed=2):
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1, 1, (n, 2))
    p = 1 / (1 + np.exp(-6 * np.sin(3 * points[:, 0]) + 2 * points[:, 1]))
    return points, (rng.random(n) < p).astype(int), p


@pytest.fixture(scope="module")
def depths():
    points, labels, p = wavy()
    options = {"rounds": 30, "probabilities": p, "seed": 1}
    return bias_variance_curve(DecisionTreeClassifier(), points, labels, "max_depth", [1, 3, 9], **options)


def test_deeper_trees_have_less_bias_and_more_variance(depths):
    curve = depths.by("kohavi-wolpert")
    noise = np.unique(curve.noise)
    assert len(noise) == 1
    assert curve.bias[0] > curve.bias[1]
    assert (np.diff(curve.variance) > 0).all()
    np.testing.assert_allclose(curve.noise + curve.bias + curve.variance, curve.loss, rtol=RTOL)
    for one in depths.results:
        adds_up(one)


def test_a_curve_is_its_single_results(depths):
    points, labels, p = wavy()
    single = bias_variance(DecisionTreeClassifier(max_depth=3), points, labels, rounds=30, probabilities=p, seed=1)
    assert repr(single.records()) == repr(depths.results[1].records())  # NaN is not itself
    assert single.cases().rows == depths.results[1].cases().rows
    assert depths.records()[1]["loss"] == single.loss
    assert depths.frame("pandas")["max_depth"].tolist() == [1, 3, 9]
    values = json.loads(json.dumps(depths.to_dict()))
    assert values["points"][1]["bias"] == single.bias
    lines = depths.text(width=200).splitlines()
    assert lines[0] == (
        "bias and variance of DecisionTreeClassifier, zero-one loss by domingos: 30 rounds of 300 cases (bootstrap), "
        "150 test cases"
    )
    assert lines[1].split("  ")[0] == "max_depth"
    assert "bias^2" in str(depths.by("kohavi-wolpert"))
    assert "<table>" in depths._repr_html_()


def test_a_curve_is_drawn(depths):
    ax = depths.plot()
    labels = [line.get_label() for line in ax.get_lines()][:4]
    assert labels == ["loss", "bias", "net variance", "noise"]
    np.testing.assert_array_equal(ax.get_lines()[1].get_ydata(), depths.bias)
    assert ax.get_xscale() == "linear"
    assert depths.by("kohavi-wolpert").plot(ax=ax) is ax
    ax.figure.canvas.draw()


def test_a_curve_of_wide_values_has_a_log_axis_and_one_of_names_has_none():
    wide = bias_variance_curve(KNeighborsClassifier(), X, NAMED, "n_neighbors", [50, 1, 5], rounds=3, loss="brier")
    ax = wide.plot()
    assert ax.get_xscale() == "log"
    assert ax.get_lines()[0].get_xdata().tolist() == [1, 5, 50]
    assert [line.get_label() for line in ax.get_lines()][:3] == ["loss", "bias²", "variance"]
    assert wide.method == "squared"
    assert wide.loss_function == "brier"
    for one in wide.results:
        adds_up(one)
    by_name = bias_variance_curve(
        SGDClassifier(), X, NAMED, "loss", ["hinge", "$x_1$"], rounds=3, sampling="subset", test=0.5
    )
    ax = by_name.plot()
    ax.figure.canvas.draw()
    assert [label.get_text() for label in ax.get_xticklabels()] == ["hinge", "$x_1$"]
    assert by_name.records()[0]["parameter loss"] == "hinge"
    assert math.isnan(by_name.records()[1]["loss"])
    assert by_name.records()[1]["rounds"] == 0
    assert by_name.notes[-1].startswith(
        "loss=$x_1$: 3 of 3 rounds failed and were left out; the first: InvalidParameter"
    )
    assert "of 37 cases (subset), 75 test cases" in by_name.text(width=1000)


def test_values_without_end_are_drawn_too():
    curve = bias_variance_curve(GaussianNB(), X, NAMED, "var_smoothing", [1e-9, 0.1, np.inf], rounds=2)
    ax = curve.plot()
    assert ax.get_lines()[0].get_xdata().tolist() == [0, 1, 2]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1e-09", "0.1", "inf"]


@pytest.mark.parametrize("values", [[0, 1, 1000], [100, 101, 102, 1900]])
def test_labels_do_not_cover_each_other(values):
    curve = bias_variance_curve(DecisionTreeClassifier(), X, NAMED, "ccp_alpha", values, rounds=2)
    ax = curve.plot()
    ax.figure.canvas.draw()
    boxes = [label.get_window_extent() for label in ax.get_xticklabels() if label.get_text()]
    assert not any(one.overlaps(other) for one, other in itertools.pairwise(boxes))


class Renamed(DecisionTreeClassifier):
    """Has parameters with the names of columns."""

    def __init__(self, rounds=1, note=""):
        super().__init__()
        self.rounds = rounds
        self.note = note


@pytest.mark.parametrize("parameter", ["rounds", "note"])
def test_a_parameter_called_as_a_column_keeps_its_values(parameter):
    curve = bias_variance_curve(Renamed(), X, NAMED, parameter, [7, 9], rounds=2)
    assert [row[f"parameter {parameter}"] for row in curve.records()] == [7, 9]
    assert [row["rounds"] for row in curve.records()] == [2, 2]


def test_a_curve_of_failures_is_refused():
    with pytest.raises(HowsureError, match=r"^the learner failed for every value of 'criterion': 2 of 2 rounds failed"):
        bias_variance_curve(DecisionTreeClassifier(), X, Y, "criterion", ["a", "b"], rounds=2)


class Touchy(GaussianNB):
    """Fails on every training set whose first case is drawn more than once."""

    def fit(self, X, y):
        if (X[0] == X[1]).all():
            raise RuntimeError("no twins")
        return super().fit(X, y)


def test_rounds_that_failed_are_left_out_and_reported():
    result = bias_variance(Touchy(), X, NAMED, rounds=12)
    failed = 12 - result.rounds
    assert 0 < failed < 12
    assert result.notes[-1] == f"{failed} of 12 rounds failed and were left out; the first: RuntimeError: no twins"
    adds_up(result)


@pytest.mark.parametrize("loss", ["zero-one", "squared", "brier"])
def test_the_number_of_jobs_changes_no_bit(loss):
    one, two = (
        bias_variance(DecisionTreeClassifier(max_features=1), X, NAMED, loss=loss, rounds=6, seed=5, n_jobs=jobs)
        for jobs in (1, 2)
    )
    assert repr(one.to_dict()) == repr(two.to_dict())
    assert repr(one.cases().rows) == repr(two.cases().rows)
    other = bias_variance(DecisionTreeClassifier(max_features=1), X, NAMED, loss=loss, rounds=6, seed=6)
    assert one.loss != other.loss


def test_a_run_is_resumed(tmp_path):
    options = {"rounds": 4, "folder": tmp_path / "run", "test": 0.5}
    first = bias_variance(GaussianNB(), X, NAMED, **options)
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "run").rglob("*.parquet")}
    again = bias_variance(GaussianNB(), X, NAMED, **options)
    assert repr(first.to_dict()) == repr(again.to_dict())
    assert first.experiment.tasks["fit_seconds"].tolist() == again.experiment.tasks["fit_seconds"].tolist()
    assert times
    assert {path: path.stat().st_mtime_ns for path in times} == times
    other = bias_variance(GaussianNB(), X, NAMED, loss="brier", **options)  # another loss of the same predictions
    assert other.experiment.tasks["fit_seconds"].tolist() == first.experiment.tasks["fit_seconds"].tolist()


@pytest.mark.parametrize("form", [np.asarray, csr_matrix, pd.DataFrame, list])
def test_test_cases_of_ones_own(form):
    rng = np.random.default_rng(0)
    held = rng.permutation(150)[:40]
    rest = np.setdiff1d(np.arange(150), held)
    p = np.full((40, 3), 0.1) + 0.7 * np.eye(3)[Y[held]]
    own, other = (form(part.tolist() if form is list else part) for part in (X[rest], X[held]))
    options = {"y_test": NAMED[held], "rounds": 5, "probabilities": p}
    result = bias_variance(DecisionTreeClassifier(), own, NAMED[rest], X_test=other, **options)
    assert (result.n_train, result.n_test) == (110, 40)
    rows = result.cases().rows
    assert [row[0] for row in rows] == list(range(40))
    assert [row[1] for row in rows] == NAMED[held].tolist()
    assert result.noise == pytest.approx(0.2, rel=1e-9)
    plain = bias_variance(DecisionTreeClassifier(), X[rest], NAMED[rest], X_test=X[held], **options)
    assert repr(result.records()) == repr(plain.records())


def test_probabilities_may_be_a_table_of_all_rows_or_a_function():
    points, labels, p = wavy(150)
    table = bias_variance(GaussianNB(), points, labels, rounds=3, probabilities=np.column_stack([1 - p, p]))
    of = {row.tobytes(): value for row, value in zip(points, p, strict=True)}
    called = bias_variance(
        GaussianNB(), points, labels, rounds=3, probabilities=lambda rows: [of[row.tobytes()] for row in rows]
    )
    assert called.noise == pytest.approx(table.noise, rel=RTOL)
    assert called.loss == pytest.approx(table.loss, rel=RTOL)
    held = [row[0] for row in table.cases().rows]
    assert table.noise == pytest.approx(np.minimum(p, 1 - p)[held].mean(), rel=RTOL)


def test_one_class_of_a_learner():
    for loss in ("zero-one", "squared", "brier"):
        result = bias_variance(DummyClassifier(), X[:30], ["a"] * 30, rounds=2, loss=loss)
        assert (result.loss, result.bias, result.variance) == (0, 0, 0)


def test_booleans_and_signs_as_labels():
    for labels in (Y == 2, np.where(Y == 2, 1, -1), np.where(Y == 2, "<script>", "b")):
        result = bias_variance(GaussianNB(), X, labels, rounds=3)
        adds_up(result)
        assert {row[1] for row in result.cases().rows} == set(np.unique(labels).tolist())
