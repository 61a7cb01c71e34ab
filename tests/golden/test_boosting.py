"""AdaBoost against a textbook's worked example and against scikit-learn."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import AdaBoostClassifier

from howsure.learners.ensemble.boosting import AdaBoost

# Li Hang, Statistical Learning Methods, example 8.1: x = 0..9 and three stumps. The book's alpha is half of ours
# (1/2 ln against ln); its third, .7514, comes from a rounded epsilon and is .7520 exactly.
X = np.arange(10.0)[:, None]
Y = np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])


def test_ten_cases_and_three_stumps():
    model = AdaBoost(n_estimators=3, random_state=0).fit(X, Y)
    # rtol, atol: half a unit of the last digit printed
    np.testing.assert_allclose(model.estimator_errors_, [0.3, 0.2142857, 0.1818182], rtol=0, atol=5e-8)
    np.testing.assert_allclose(model.estimator_weights_, [0.84730, 1.29928, 1.50408], rtol=0, atol=5e-6)
    np.testing.assert_allclose(model.estimator_weights_ / 2, [0.42365, 0.64964, 0.75204], rtol=0, atol=5e-6)
    assert model.trace_["training_error"].tolist() == [0.3, 0.3, 0.0]
    assert [tree.tree_.threshold[0] for tree in model.estimators_] == [2.5, 8.5, 5.5]
    after = next(model.staged_weights(X, Y))
    np.testing.assert_allclose(after, np.where(np.isin(np.arange(10), [6, 7, 8]), 0.1666667, 0.0714286), atol=5e-8)
    assert model.predict(X).tolist() == Y.tolist()
    assert model.stopped_ is None


@pytest.mark.parametrize("load", [load_breast_cancer, load_iris, load_wine])
def test_reweighting_is_what_scikit_learn_does(load):
    data, truth = load(return_X_y=True)
    ours = AdaBoost(random_state=0).fit(data, truth)
    theirs = AdaBoostClassifier(random_state=0).fit(data, truth)
    # rtol: weights differ by rounding, and the error of a round is made of all rounds before
    np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_, rtol=1e-9)
    np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_, rtol=1e-9)
    assert (ours.predict(data) == theirs.predict(data)).all()
    for mine, other in zip(ours.staged_predict(data), theirs.staged_predict(data), strict=True):
        assert (mine == other).all()
