"""The learners of simulated splits predict what scikit-learn's estimators predict."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

from howsure import KFold
from howsure.lab.split_learners import LEARNERS, by_fitting
from howsure.lab.split_rounds import Sample
from lab.batch_learners import BATCH_LEARNERS

ESTIMATORS = {
    "nearest_mean": NearestCentroid(),
    "naive_bayes": GaussianNB(),
    "logistic_regression": LogisticRegression(),
    "nearest_neighbour": KNeighborsClassifier(1),
}
TREES = ("tree", "forest")


def folds_of(sample: Sample, folds: int = 10) -> np.ndarray:
    train = np.ones((folds, sample.n))
    for row, entry in zip(train, KFold(folds).splits(sample.y, seed=1).entries, strict=True):
        row[entry.test] = 0
    return train


def correct(learner, sample: Sample, train: np.ndarray, seed: int = 2) -> np.ndarray:
    """Which cases outside the training sets are classified correctly."""
    return learner(sample.blocks[0], sample.y, train, np.random.default_rng(seed))[train == 0]


@pytest.mark.parametrize("learners", [LEARNERS, BATCH_LEARNERS], ids=["package", "grid"])
@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("n", [60, 300])
def test_learners_predict_what_estimators_do(learners, name, n):
    sample = Sample.draw(np.random.default_rng(n), n, 1, 0.0)
    train = folds_of(sample)
    predicted = correct(learners[name], sample, train)
    expected = correct(by_fitting(ESTIMATORS[name]), sample, train)
    assert 0.5 < predicted.mean() < 0.95
    assert (predicted == expected).mean() > 0.995  # logistic regression stops a little before the maximum


def test_both_have_the_same_names():
    assert list(LEARNERS) == list(BATCH_LEARNERS)
    assert set(LEARNERS) == {*ESTIMATORS, *TREES}


def test_a_tree_of_one_feature_is_the_same_tree():
    """Ties between features are broken at random, so a tree of one feature is deterministic."""
    pytest.importorskip("numba")
    sample = Sample.draw(np.random.default_rng(0), 100, 1, 0.0)
    sample = Sample(sample.n, sample.y, sample.blocks[:, :, :1])
    train = folds_of(sample)
    np.testing.assert_array_equal(
        correct(BATCH_LEARNERS["tree"], sample, train), correct(LEARNERS["tree"], sample, train)
    )


@pytest.mark.parametrize("name", TREES)
def test_compiled_trees_agree_with_scikit_learn_as_much_as_it_does_with_itself(name):
    pytest.importorskip("numba")
    sample = Sample.draw(np.random.default_rng(3), 150, 1, 0.0)
    train = folds_of(sample, 3)
    compiled = correct(BATCH_LEARNERS[name], sample, train)
    first, second = (correct(LEARNERS[name], sample, train, seed) for seed in (2, 5))
    assert abs((compiled == first).mean() - (first == second).mean()) < 0.1
    assert abs(compiled.mean() - first.mean()) < 0.06
