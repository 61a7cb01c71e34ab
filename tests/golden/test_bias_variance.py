"""Bias and variance against numbers that were there before: a worked example, and another program's."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

from howsure.theory.bias_variance.decomposition import decompose

RTOL = 1e-12  # the same counts, divided in another order

# Worked by hand: four training sets (rows) predict four cases.
PREDICTED = np.array([[0, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1], [0, 1, 1, 0]])
TRUTH = np.array([0, 0, 1, 1])


def test_worked_example_by_domingos():
    result = decompose(PREDICTED, TRUTH)
    assert result.method == "domingos"
    assert (result.loss, result.bias, result.variance) == (0.4375, 0.5, 0.1875)
    assert (result.unbiased_variance, result.biased_variance, result.net_variance) == (0.0625, 0.125, -0.0625)
    assert result.identity == (
        "domingos: loss = bias + unbiased variance - biased variance: 0.4375 = 0.5 + 0.0625 - 0.125"
    )


def test_worked_example_by_kohavi_and_wolpert():
    result = decompose(PREDICTED, TRUTH).by("kohavi-wolpert")
    assert (result.loss, result.bias, result.variance) == (0.4375, 0.296875, 0.140625)
    assert result.bias_corrected == 0.25
    assert result.variance_corrected == 0.1875
    assert result.identity == "kohavi-wolpert: loss = bias^2 + variance: 0.4375 = 0.296875 + 0.140625"


@pytest.mark.parametrize("labels", [[0, 1], ["no", "yes"], [False, True]])
def test_worked_example_with_squared_loss_is_the_same_split(labels):
    result = decompose(np.array(labels)[PREDICTED], np.array(labels)[TRUTH], "squared")
    assert (result.loss, result.bias, result.variance, result.bias_corrected) == (0.4375, 0.296875, 0.140625, 0.25)


def test_worked_example_of_probabilities_that_are_sure_is_the_same_split():
    result = decompose(np.eye(2)[PREDICTED], TRUTH, "brier")
    assert (result.loss, result.bias, result.variance, result.bias_corrected) == (0.4375, 0.296875, 0.140625, 0.25)


@pytest.fixture(scope="module")
def bayes():
    """Predictions of Gaussian naive Bayes on 200 bootstrap samples, drawn as mlxtend 0.25.0 draws them."""
    X, y = load_breast_cancer(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.3, random_state=123, stratify=y)
    rng = np.random.RandomState(123)
    drawn = (rng.choice(np.arange(len(X)), size=len(X), replace=True) for _ in range(200))
    return np.array([GaussianNB().fit(X[rows], y[rows]).predict(X_test) for rows in drawn]), y_test


def test_mlxtend_on_the_terms_that_it_has(bayes):
    # mlxtend 0.25.0, bias_variance_decomp(GaussianNB(), ..., num_rounds=200, random_seed=123), loss="0-1_loss": its
    # bias is more than its loss, because the variance that mends errors is not taken off.
    result = decompose(*bayes)
    np.testing.assert_allclose(
        (result.loss, result.bias, result.variance),
        (0.04543859649122806, 0.05263157894736842, 0.011403508771929824),
        rtol=RTOL,
    )
    assert result.bias > result.loss
    assert result.bias + result.variance == pytest.approx(0.064, abs=0.0005)  # which is not the loss
    np.testing.assert_allclose(result.bias + result.net_variance, result.loss, rtol=RTOL)


def test_mlxtend_with_squared_loss(bayes):
    # The same call with loss="mse".
    result = decompose(*bayes, "squared")
    np.testing.assert_allclose(
        (result.loss, result.bias, result.variance),
        (0.04543859649122806, 0.03808976608187135, 0.007348830409356725),
        rtol=RTOL,
    )


@pytest.mark.parametrize("labels", [[-1, 1], ["a", "b"]])
def test_labels_on_which_mlxtend_fails(bayes, labels):
    # mlxtend 0.25.0: ValueError "'list' argument must have no negative elements", "invalid literal for int()".
    predicted, truth = bayes
    plain, other = decompose(predicted, truth), decompose(np.array(labels)[predicted], np.array(labels)[truth])
    for name in ("loss", "bias", "variance", "net_variance"):
        assert getattr(other, name) == getattr(plain, name)
