"""Learners at work on real data: what out-of-bag, bagging and pruning promise, each an experiment with its verdict.

Each is one test, so that its experiment is run once whatever the number of workers.
"""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure.learners import Bagging, PessimisticTree, RandomForest
from howsure.selection import NoisyLabels

LOADERS = {"cancer": load_breast_cancer, "wine": load_wine, "iris": load_iris, "digits": load_digits}
DATA = {name: load(return_X_y=True) for name, load in LOADERS.items()}
SEEDS = 20


@pytest.mark.slow
def test_out_of_bag_agrees_with_ten_folds_and_bagging_is_better_than_its_tree():
    learners = {"tree": DecisionTreeClassifier(), "bagging": Bagging(n_estimators=50), "forest": RandomForest(100)}
    folds = howsure.Experiment(learners, DATA, howsure.KFold(10), seed=0, training_error=False).run()
    sure = []
    for name, (X, y) in DATA.items():
        for learner in ("bagging", "forest"):
            model = learners[learner].set_params(random_state=0).fit(X, y)
            out_of_bag = howsure.assess(model.oob_predictions_)["error_rate"]
            assert folds.assess(learner, name)["error_rate"].value in out_of_bag.interval()
        comparison = folds.compare("error_rate", name, baseline="tree")
        pair = comparison.pair("bagging", "tree")
        assert pair.difference.value < 0
        if pair.adjusted < 0.05:
            assert comparison.verdict.startswith("Compared with tree in accuracy: bagging is better by ")
            sure.append(name)
    assert sure == ["cancer", "wine", "digits"]  # of the 150 irises the tree errs on ten: too few to tell


def test_pruned_trees_have_fewer_leaves_and_no_more_errors_on_noisy_data():
    """A fifth of the training labels are wrong; the labels of the test cases are right."""
    learners = {"unpruned": NoisyLabels(PessimisticTree(None), 0.2), "pruned": NoisyLabels(PessimisticTree(), 0.2)}
    three = {name: DATA[name] for name in ("cancer", "wine", "digits")}
    noisy = howsure.Experiment(learners, three, howsure.RepeatedHoldout(SEEDS), seed=0).run()
    for name in three:
        mine = noisy.tasks["dataset"] == name
        before, after = (noisy.tasks["complexity"][mine & (noisy.tasks["learner"] == which)] for which in learners)
        assert len(before) == len(after) == SEEDS
        assert (after <= before).all()
        assert np.mean(after) < 0.85 * np.mean(before)
        comparison = noisy.compare("error_rate", name, baseline="unpruned", test="corrected_paired_t")
        assert comparison.difference.value < -0.01
        assert comparison.difference.interval().high < 0.015  # not worse by more than this, at 95 %
        assert ("pruned is better than unpruned" in comparison.verdict) == (name == "digits")
