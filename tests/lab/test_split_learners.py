"""The learners of simulated splits: many training sets at once give what fitting them one by one gives."""

from __future__ import annotations

import numpy as np
import pytest

from howsure import KFold
from howsure.lab.split_learners import LEARNERS, NEED_NUMBA, by_fitting
from howsure.lab.split_rounds import Sample

EXACT = [name for name in LEARNERS if name not in NEED_NUMBA]


def folds_of(sample: Sample, folds: int = 10) -> np.ndarray:
    train = np.ones((folds, sample.n))
    for row, entry in zip(train, KFold(folds).splits(sample.y, seed=1).entries, strict=True):
        row[entry.test] = 0
    return train


def both(name: str, sample: Sample, train: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the learner says of the cases that are not trained on, and what its estimator does."""
    ways = (LEARNERS[name].right, by_fitting(LEARNERS[name].estimator()))
    return tuple(way(sample.blocks[0], sample.y, train, np.random.default_rng(2))[train == 0] for way in ways)


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("n", [60, 300])
def test_many_at_once_are_the_same_as_one_by_one(name, n):
    sample = Sample.draw(np.random.default_rng(n), n, 1, 0.0)
    at_once, in_turn = both(name, sample, folds_of(sample))
    assert 0.5 < at_once.mean() < 0.95
    assert (at_once == in_turn).mean() > 0.995  # logistic regression stops a little before the maximum


def test_a_tree_of_one_feature_is_the_same_tree():
    """Only features that do equally well are chosen among at random, so with one feature there is no choice."""
    pytest.importorskip("numba")
    sample = Sample.draw(np.random.default_rng(0), 100, 1, 0.0)
    sample = Sample(sample.n, sample.y, sample.blocks[:, :, :1])
    at_once, in_turn = both("tree", sample, folds_of(sample))
    np.testing.assert_array_equal(at_once, in_turn)


@pytest.mark.parametrize("name", NEED_NUMBA)
def test_trees_and_forests_are_as_good_and_agree_as_much_as_two_of_the_library(name):
    pytest.importorskip("numba")
    sample = Sample.draw(np.random.default_rng(3), 150, 1, 0.0)
    train = folds_of(sample, 3)
    own, of_library = both(name, sample, train)
    another = by_fitting(LEARNERS[name].estimator())(sample.blocks[0], sample.y, train, np.random.default_rng(5))
    alike = (of_library == another[train == 0]).mean()
    assert abs((own == of_library).mean() - alike) < 0.1
    assert abs(own.mean() - of_library.mean()) < 0.06
