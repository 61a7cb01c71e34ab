"""Nested resampling: the same as a loop written by hand, and honest where a search is not."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from howsure import HowsureError, KFold
from howsure.selection import nested
from howsure.tuning.nested import Scorer

X, Y = load_iris(return_X_y=True)
NAMED = np.array(["setosa", "versicolor", "virginica"])[Y]
TREE = DecisionTreeClassifier(random_state=0)
GRID = {"min_samples_leaf": [1, 10], "max_depth": [1, 2, None]}
OUTER, INNER = KFold(4), KFold(3)


@pytest.fixture(scope="module")
def result():
    return nested(TREE, GRID, X, NAMED, outer=OUTER, inner=INNER, seed=2)


def test_the_same_as_a_loop_by_hand(result):
    values, chosen = [], []
    for split in OUTER.splits(NAMED, seed=2):
        search = GridSearchCV(TREE, GRID, scoring="accuracy", cv=INNER.splitter(2)).fit(
            X[split.train], NAMED[split.train]
        )
        values.append(float((search.predict(X[split.test]) == NAMED[split.test]).mean()))
        chosen.append(search.best_params_)
    np.testing.assert_array_equal(result.table["search"], values)
    assert result.estimate.value == np.mean(values)
    assert result.records() == [
        {
            "repeat": 1,
            "fold": fold + 1,
            "accuracy": value,
            "max_depth": "None" if setting["max_depth"] is None else setting["max_depth"],
            "min_samples_leaf": setting["min_samples_leaf"],
        }
        for fold, (value, setting) in enumerate(zip(values, chosen, strict=True))
    ]
    on_all = GridSearchCV(TREE, GRID, scoring="accuracy", cv=INNER.splitter(2)).fit(X, NAMED)
    assert result.parameters == on_all.best_params_
    assert result.non_nested == pytest.approx(on_all.best_score_, rel=1e-12)
    assert result.optimism == pytest.approx(on_all.best_score_ - np.mean(values), rel=1e-9)
    np.testing.assert_array_equal(result.model.predict(X), on_all.predict(X))
    assert result.model.get_params() == on_all.best_estimator_.get_params()


def test_the_verdict_and_the_stability_of_a_choice(result):
    assert sum(row[1] for row in result.stability.rows) == 4
    assert sum(row[2] for row in result.stability.rows) == pytest.approx(1, rel=1e-12)
    assert result.stability.rows[0][1] == max(row[1] for row in result.stability.rows)
    values = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert values["settings"] == 6
    assert values["parameters"] == result.parameters
    assert values["estimate"]["interval"]["method"] == "corrected-t"
    text = str(result)
    assert text.splitlines()[0] == "6 settings of DecisionTreeClassifier, KFold(folds=4, repeats=1, stratified=True)"
    assert result.verdict in " ".join(text.split())
    assert result.verdict.startswith(f"expect accuracy {result.estimate.value:.3f}, 95 % interval [")
    assert result.frame().shape == (4, 5)
    assert "<table>" in result._repr_html_()


def test_jobs_and_folders_make_no_difference(tmp_path):
    """Bit by bit, with a learner that draws by chance."""
    learner, grid = DecisionTreeClassifier(max_features=1), {"max_depth": [1, 3]}
    one = nested(learner, grid, X, Y, outer=KFold(3), inner=KFold(2), n_jobs=1)
    two = nested(learner, grid, X, Y, outer=KFold(3), inner=KFold(2), n_jobs=2, folder=tmp_path)
    again = nested(learner, grid, X, Y, outer=KFold(3), inner=KFold(2), folder=tmp_path)
    for other in (two, again):
        np.testing.assert_array_equal(one.table.values, other.table.values)
        np.testing.assert_array_equal(one.candidates.values, other.candidates.values)
        assert one.records() == other.records()
        assert one.to_dict() == other.to_dict()
    np.testing.assert_array_equal(two.outer.tasks["fit_seconds"], again.outer.tasks["fit_seconds"])
    np.testing.assert_array_equal(one.model.predict(X), two.model.predict(X))
    with pytest.raises(HowsureError, match="holds another experiment"):
        nested(learner, {"max_depth": [1, 2]}, X, Y, outer=KFold(3), inner=KFold(2), folder=tmp_path)


def test_a_search_in_pure_noise_flatters_and_nesting_does_not():
    """Twenty coin tosses: the best of them looks good, and the nested estimate stays at chance."""
    rng = np.random.default_rng(0)
    features, truth = rng.normal(size=(60, 4)), np.arange(60) % 2
    learner = DecisionTreeClassifier(max_depth=1, splitter="random", max_features=1)
    grid = {"random_state": list(range(20))}
    result = nested(learner, grid, features, truth, outer=KFold(4), inner=KFold(2), measure="error_rate")
    assert result.non_nested < result.estimate.value - 0.05  # an error that flatters is too low
    assert result.optimism == result.estimate.value - result.non_nested
    assert abs(result.estimate.value - 0.5) < 0.13  # two standard errors of 60 cases
    assert f"{result.optimism:.3f} too optimistic" in result.verdict
    assert "different settings" in result.verdict


def test_the_scorer_against_scikit_learn():
    two = Y > 0
    features, truth = X[two], NAMED[two]
    model = LogisticRegression(max_iter=500).fit(features, truth)
    scores = model.predict_proba(features)[:, 1]
    labels = ("versicolor", "virginica")
    area = Scorer("auc", labels)(model, features, truth)
    assert area == pytest.approx(roc_auc_score(truth == "virginica", scores), rel=1e-12)
    brier = Scorer("brier", labels)(model, features, truth)
    assert brier == pytest.approx(-brier_score_loss(truth == "virginica", scores), rel=1e-9)  # the higher the better
    assert pickle.loads(pickle.dumps(Scorer("auc", labels))) == Scorer("auc", labels)
    machine = SVC().fit(features, truth)
    area = Scorer("auc", labels, "versicolor")(machine, features, truth)
    assert area == pytest.approx(roc_auc_score(truth == "virginica", machine.decision_function(features)), rel=1e-12)
    one_class = truth == "versicolor"
    assert np.isnan(Scorer("auc", labels)(model, features[one_class], truth[one_class]))


def test_pipelines_other_measures_and_lists_of_grids():
    learner = make_pipeline(StandardScaler(), KNeighborsClassifier())
    steps = [{"kneighborsclassifier__n_neighbors": [1, 9]}, {"kneighborsclassifier": [SVC()]}]
    result = nested(learner, steps, X, Y, outer=KFold(2), inner=KFold(2), measure="f_beta(beta=2)")
    assert len(result.candidates.learners) == 3
    assert 0.9 < result.estimate.value <= 1
    assert "kneighborsclassifier=SVC()" in result.candidates.learners


def test_settings_that_fail_are_never_chosen():
    result = nested(KNeighborsClassifier(), {"n_neighbors": [1000, 5]}, X, Y, outer=KFold(2), inner=KFold(2))
    assert result.parameters == {"n_neighbors": 5}
    assert result.stability.rows == [["n_neighbors=5", 2, 1.0]]
    assert result.verdict.endswith("the 2 outer splits chose the same setting")


@pytest.mark.parametrize(
    ("grid", "sentence"),
    [
        ({}, "`grid` must be a mapping of parameters to lists of values, such as {'C': [1, 10]}, not {}."),
        ([], "`grid` must be a mapping of parameters to lists of values, such as {'C': [1, 10]}, not []."),
        ("C", "`grid` must be a mapping of parameters to lists of values, such as {'C': [1, 10]}, not 'C'."),
        ({"max_depth": []}, "`grid['max_depth']` must be a list of one or more values, not []."),
        ({"max_depth": 3}, "`grid['max_depth']` must be a list of one or more values, not 3."),
        ({"criterion": "gini"}, "`grid['criterion']` must be a list of one or more values, not 'gini'."),
    ],
)
def test_bad_grids(grid, sentence):
    with pytest.raises(HowsureError) as caught:
        nested(TREE, grid, X, Y)
    assert str(caught.value) == sentence


def test_mistakes():
    with pytest.raises(HowsureError, match=r"not 'max_deph'; did you mean 'max_depth'\?$"):
        nested(TREE, {"max_deph": [1]}, X, Y)
    with pytest.raises(HowsureError, match=r"not 'nonsense'; `howsure measures` lists them\.$"):
        nested(TREE, GRID, X, Y, measure="nonsense")
    with pytest.raises(HowsureError, match="has no better or worse values, so it cannot be used to choose"):
        nested(TREE, GRID, X, Y, measure="prevalence")
    with pytest.raises(
        HowsureError, match="`accuracy` is undefined for every setting: ValueError: Expected n_neighbors"
    ):
        nested(KNeighborsClassifier(), {"n_neighbors": [999]}, X, Y, outer=KFold(2), inner=KFold(2))
