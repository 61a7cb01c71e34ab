"""Criteria against statsmodels and against numbers worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from howsure import KFold
from howsure.theory.information.capacity import tree_capacity, vc_bound
from howsure.theory.information.criteria_table import criteria
from howsure.theory.information.description_length import leaf_bits, tree_code
from howsure.theory.information.fitted_models import tree_of

FITTED = 1e-6  # two optimisers stop at different places near the maximum, where the likelihood is flat
RTOL = 1e-12  # the same sums in another order


def mixed(classes, n=240, seed=0):
    """Classes that overlap, so that the likelihood has a maximum."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % classes
    return rng.normal(size=(n, 3)) + 0.7 * codes[:, None] * [1, -0.5, 0], np.array(list("abc"))[codes], codes


def only(learner, X, y, **more):
    (record,) = criteria({"it": learner}, X, y, resampling=KFold(2), **more).records()
    return record


@pytest.mark.filterwarnings("ignore:Setting penalty=None will ignore the C")  # of scikit-learn 1.8
@pytest.mark.parametrize("classes", [2, 3])
def test_logistic_regression_is_that_of_statsmodels(classes):
    """Fitted by statsmodels 0.15.0 in this test: Logit and MNLogit, llf, aic, bic and df_model."""
    discrete = pytest.importorskip("statsmodels.discrete.discrete_model")
    X, y, codes = mixed(classes)
    model = discrete.Logit if classes == 2 else discrete.MNLogit
    fit = model(codes, np.column_stack([np.ones(len(X)), X])).fit(disp=0, tol=1e-12)
    record = only(LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000), X, y)
    assert record["log_likelihood"] == pytest.approx(fit.llf, rel=FITTED)
    assert record["aic"] == pytest.approx(fit.aic, rel=FITTED)
    assert record["bic"] == pytest.approx(fit.bic, rel=FITTED)
    assert record["parameters"] == (classes - 1) * 4 == fit.params.size
    k, n = record["parameters"], len(X)
    assert record["aicc"] == pytest.approx(fit.aic + 2 * k * (k + 1) / (n - k - 1), rel=FITTED)
    assert record["mdl_bits"] == pytest.approx(fit.bic / (2 * math.log(2)), rel=FITTED)  # BIC in bits, halved


def test_naive_bayes_is_the_one_worked_out():
    """P(class | x) from normal densities with the means and variances of each class, and class shares as priors."""
    from scipy.stats import norm

    X, y, codes = mixed(3)
    joint = np.zeros((len(X), 3))
    for c in range(3):
        rows = X[codes == c]
        joint[:, c] = np.log(len(rows) / len(X)) + norm.logpdf(X, rows.mean(0), rows.std(0)).sum(1)
    likelihood = (joint[np.arange(len(X)), codes] - np.logaddexp.reduce(joint, axis=1)).sum()
    record = only(GaussianNB(var_smoothing=0), X, y)
    assert record["log_likelihood"] == pytest.approx(likelihood, rel=1e-9)  # another order of sums and of variances
    assert record["parameters"] == 2 + 2 * 3 * 3
    assert record["aic"] == pytest.approx(40 - 2 * likelihood, rel=1e-9)


@pytest.mark.parametrize(
    ("learner", "count"),
    [
        (LinearDiscriminantAnalysis(), 2 + 9 + 6),  # 2 priors, 3 means of 3, a symmetric 3 x 3
        (QuadraticDiscriminantAnalysis(), 2 + 9 + 18),
    ],
)
def test_discriminant_analysis_has_these_parameters(learner, count):
    X, y, _ = mixed(3)
    assert only(learner, X, y)["parameters"] == count


def test_a_stump_in_bits():
    """By hand: cut x at 3.5 of 1..6; the leaves hold aaa and bba."""
    X = np.column_stack([np.arange(1, 7), np.zeros(6)])
    codes = np.array([0, 0, 0, 1, 1, 0])
    stump = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, codes)
    record = tree_code(tree_of(stump), 2, X, codes, 2)
    nodes, attribute, cut, classes = 3, 1, math.log2(5), 2
    assert record.model_bits == pytest.approx(nodes + attribute + cut + classes, rel=RTOL)
    pure, mixed_leaf = math.log2(3 + 1), math.log2(3 + 1) + math.log2(3)  # C(3, 1) places of the exception
    assert record.data_bits == pytest.approx(pure + mixed_leaf, rel=RTOL)
    assert record.bits == pytest.approx(10 + math.log2(15), rel=RTOL)  # 13.907 bits, where the classes alone have 6


def test_a_leaf_of_three_classes_in_bits():
    """By hand: 2, 1 and 1 of 4 cases: 15 possible counts, and 4! / 2! = 12 orders."""
    assert leaf_bits(np.array([2, 1, 1])) == pytest.approx(math.log2(15 * 12), rel=RTOL)


@pytest.mark.parametrize(
    ("arguments", "bound"),
    [
        # 10 (ln(2000/10) + 1) = 62.983174; - ln(0.05 / 4) = 4.382027; sum 67.365200; / 1000; root 0.2595481
        ((0.1, 1000, 10), 0.3595481),
        # 3 (ln(200/3) + 1) = 15.599116; + 4.382027 = 19.981142; / 100; root 0.4470027
        ((0.0, 100, 3), 0.4470027),
        # the same at 99 %: -ln(0.01 / 4) = 5.991465; 21.590580 / 100; root 0.4646566
        ((0.0, 100, 3, 0.99), 0.4646566),
    ],
)
def test_vapniks_bound_by_hand(arguments, bound):
    assert vc_bound(*arguments) == pytest.approx(bound, abs=5e-8)  # half a unit of the last digit worked out


@pytest.mark.parametrize(("inner", "attributes", "h"), [(0, 7, 1), (1, 1, 4), (1, 2, 5)])
def test_capacity_of_small_trees_by_hand(inner, attributes, h):
    """No inner node: 2 >= 2^m. One, of 1 attribute: 4m >= 2^m up to m = 4. Of 2: 8m >= 2^m up to m = 5."""
    assert tree_capacity(inner, attributes) == h
