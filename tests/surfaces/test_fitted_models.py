"""Fitted classifiers in the place of columns: `assess(model, X, y)` and `compare({name: model}, X, y)`."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure import HowsureError

CANCER = load_breast_cancer(as_frame=True)
NAMES = pd.Series(CANCER.target_names[CANCER.target], CANCER.data.index, dtype=object)
X_TRAIN, X, Y_TRAIN, Y = train_test_split(CANCER.data, NAMES, random_state=0)
IRIS = load_iris(as_frame=True)
FLOWERS = np.array(IRIS.target_names)[IRIS.target]
LEAVES_TRAIN, LEAVES, F_TRAIN, F = train_test_split(IRIS.data, FLOWERS, random_state=0)

TWO = {
    "probabilities": GaussianNB(),
    "pipeline": make_pipeline(StandardScaler(), LogisticRegression()),
    "search": GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [2, 3]}, cv=3),
    "decision function": make_pipeline(StandardScaler(), RidgeClassifier()),
}


@pytest.mark.parametrize("positive", [None, "benign"])
@pytest.mark.parametrize("kind", TWO)
def test_two_classes(kind, positive):
    model = TWO[kind].fit(X_TRAIN, Y_TRAIN)
    a = howsure.assess(model, X, Y, positive=positive)
    assert a.labels == ("benign", "malignant")
    assert a.positive == (positive or "malignant")
    assert a["accuracy"].value == pytest.approx(accuracy_score(Y, model.predict(X)), rel=1e-12)
    if kind == "decision function":
        scores = model.decision_function(X) * (1 if positive is None else -1)
        assert a.threshold == 0
    else:
        scores = model.predict_proba(X)[:, list(model.classes_).index(a.positive)]
        assert a.threshold == 0.5
    assert a["auc"].value == pytest.approx(roc_auc_score(a.positive == Y, scores), rel=1e-12)
    assert a.at(a.threshold - 0.3)["recall"].value >= a["recall"].value
    assert type(a.frame()).__module__.startswith("pandas")


def test_a_threshold_decides_by_the_scores():
    model = GaussianNB().fit(X_TRAIN, Y_TRAIN)
    scores = model.predict_proba(X)[:, 1]
    low = howsure.assess(model, X, Y, threshold=1e-6)
    assert low.threshold == 1e-6
    assert (low.confusion.counts == howsure.assess(Y, scores=scores, threshold=1e-6).confusion.counts).all()


def test_labels_are_what_the_model_predicts():
    """Where a model does not decide at one half, as one that was tuned, its own decisions are assessed."""

    class Careful(GaussianNB):
        def predict(self, X):
            return np.where(self.predict_proba(X)[:, 1] >= 1e-9, "malignant", "benign")

    model = Careful().fit(X_TRAIN, Y_TRAIN)
    a = howsure.assess(model, X, Y)
    assert a.threshold is None
    assert a["accuracy"].value == (model.predict(X) == Y).mean()
    assert a["accuracy"].value != howsure.assess(model, X, Y, threshold=0.5)["accuracy"].value
    assert a["auc"].value == howsure.assess(model, X, Y, threshold=0.5)["auc"].value


def test_more_classes_in_the_order_of_the_model():
    model = RandomForestClassifier(20, random_state=0).fit(LEAVES_TRAIN, F_TRAIN)
    a = howsure.assess(model, LEAVES, F)
    assert a.labels == ("setosa", "versicolor", "virginica")
    assert a["accuracy"].value == accuracy_score(F, model.predict(LEAVES))
    wanted = roc_auc_score(F, model.predict_proba(LEAVES), multi_class="ovr")
    assert a["auc"].value == pytest.approx(wanted, rel=1e-12)
    turned = howsure.assess(model, LEAVES, F, labels=["virginica", "setosa", "versicolor"])
    assert turned.labels == ("virginica", "setosa", "versicolor")
    assert turned["auc"].value == pytest.approx(wanted, rel=1e-12)
    one = howsure.assess(model, LEAVES, F, positive="virginica")
    assert one["recall"].value == (model.predict(LEAVES) == F)[F == "virginica"].mean()
    assert one.roc().area == pytest.approx(
        roc_auc_score(F == "virginica", model.predict_proba(LEAVES)[:, 2]), rel=1e-12
    )


def test_one_score_for_each_pair_of_classes_is_no_score():
    a = howsure.assess(SVC(decision_function_shape="ovo").fit(LEAVES_TRAIN, F_TRAIN), LEAVES, F)
    assert a.scores is None
    assert a["accuracy"].value > 0.9


def test_a_class_that_the_model_has_not_seen():
    seen = F_TRAIN != "virginica"
    model = GaussianNB().fit(LEAVES_TRAIN[seen], F_TRAIN[seen])
    a = howsure.assess(model, LEAVES, F)
    assert a.labels == ("setosa", "versicolor", "virginica")
    assert a.estimate("recall", label="virginica").value == 0


def test_cases_without_one_of_the_classes():
    model = GaussianNB().fit(X_TRAIN, Y_TRAIN)
    ill = Y == "malignant"
    assert howsure.assess(model, X[ill], Y[ill]).labels == ("benign", "malignant")


def test_groups_and_weights():
    model = GaussianNB().fit(X_TRAIN, Y_TRAIN)
    large = X["mean radius"] > 14
    groups = howsure.assess(model, X, Y, by=large)
    assert groups[True]["accuracy"].value == howsure.assess(model, X[large], Y[large])["accuracy"].value
    twice = howsure.assess(model, X, Y, weight=np.full(len(Y), 2))
    assert twice.n == 2 * len(Y)


REFUSED = {
    "not fitted": (
        lambda: howsure.assess(GaussianNB(), X, Y),
        "the model must be fitted, but GaussianNB is not; call its `fit` first.",
    ),
    "a pipeline not fitted": (
        lambda: howsure.assess(make_pipeline(StandardScaler(), GaussianNB()), X, Y),
        "the model must be fitted, but StandardScaler > GaussianNB is not; call its `fit` first.",
    ),
    "a class": (
        lambda: howsure.assess(GaussianNB, X, Y),
        "the model must be fitted, but GaussianNB is a class; fit GaussianNB(...) first.",
    ),
    "a regressor": (
        lambda: howsure.assess(LinearRegression().fit(X_TRAIN, Y_TRAIN == "benign"), X, Y),
        "the model must be a classifier, but LinearRegression is a regressor.",
    ),
    "without predictions": (
        lambda: howsure.assess(StandardScaler().fit(X_TRAIN), X, Y),
        "the model must have `predict`, but StandardScaler does not.",
    ),
    "other classes": (
        lambda: howsure.assess(GaussianNB().fit(X_TRAIN, Y_TRAIN == "benign"), X, Y),
        "`y` holds 'benign', 'malignant', but GaussianNB was fitted with False, True; give `y` in the form used for "
        "training.",
    ),
    "other features": (
        lambda: howsure.assess(GaussianNB().fit(X_TRAIN.to_numpy(), Y_TRAIN), X.to_numpy()[:, :2], Y),
        "GaussianNB cannot predict: X has 2 features, but GaussianNB is expecting 30 features as input.",
    ),
    "no truth": (
        lambda: howsure.assess(GaussianNB().fit(X_TRAIN, Y_TRAIN), X),
        "a model must come with `X` and `y`, the features and classes of cases to predict.",
    ),
    "another length": (
        lambda: howsure.assess(GaussianNB().fit(X_TRAIN, Y_TRAIN), X, Y.to_numpy()[1:]),
        "`X` has 143 rows and `y` has 142; they must be of equal length.",
    ),
    "another index": (
        lambda: howsure.assess(GaussianNB().fit(X_TRAIN, Y_TRAIN), X.reset_index(drop=True)[:2], Y.sort_index()[3:5]),
        "`X` and `y` have different indexes, (0, 1, ...) and (14, 15, ...); put both in the same order with `.loc`, "
        "or pass arrays with `.to_numpy()` to pair the rows by position.",
    ),
    "a class without a name": (
        lambda: howsure.assess(GaussianNB().fit(LEAVES_TRAIN, F_TRAIN), LEAVES, F, labels=["setosa", "virginica"]),
        "`labels` must name every class, and 'versicolor' of GaussianNB is missing.",
    ),
    "a threshold among many classes": (
        lambda: howsure.assess(GaussianNB().fit(LEAVES_TRAIN, F_TRAIN), LEAVES, F, threshold=0.5),
        "`threshold` needs scores of two classes, which GaussianNB does not have here.",
    ),
    "scores beside it": (
        lambda: howsure.assess(GaussianNB().fit(LEAVES_TRAIN, F_TRAIN), LEAVES, F, scores=F),
        "a model makes its own predictions and scores; leave out `data`, `scores` and `format`.",
    ),
    "y without a model": (
        lambda: howsure.assess(F, F, F),
        "`y` belongs to a fitted model, as in `assess(model, X, y)`; leave it out.",
    ),
    "one model to compare": (
        lambda: howsure.compare({"it": GaussianNB().fit(LEAVES_TRAIN, F_TRAIN)}, LEAVES, F),
        "`models` must be at least two, with different names, not ['it'].",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused_in_a_sentence(what):
    call, sentence = REFUSED[what]
    with pytest.raises(HowsureError) as refused:
        call()
    assert str(refused.value) == sentence


def test_models_are_compared_on_the_same_cases():
    models = {"bayes": GaussianNB().fit(X_TRAIN, Y_TRAIN), "tree": TWO["search"].fit(X_TRAIN, Y_TRAIN)}
    labels = {name: model.predict(X) for name, model in models.items()}
    scores = {name: model.predict_proba(X)[:, 1] for name, model in models.items()}
    for measure, columns in (
        ("accuracy", {"predicted": labels}),
        ("f1", {"predicted": labels}),
        ("auc", {"scores": scores}),
    ):
        c, wanted = howsure.compare(models, X, Y, measure=measure), howsure.compare(Y, **columns, measure=measure)
        assert c.difference.value == pytest.approx(wanted.difference.value, rel=1e-12)
        assert c.test.pvalue == pytest.approx(wanted.test.pvalue, rel=1e-9)
    assert howsure.compare(models, X, Y).measure == "accuracy"


def test_models_of_different_classes_are_compared_over_all():
    seen = F_TRAIN != "virginica"
    models = {
        "some": GaussianNB().fit(LEAVES_TRAIN[seen], F_TRAIN[seen]),
        "all": GaussianNB().fit(LEAVES_TRAIN, F_TRAIN),
    }
    c = howsure.compare(models, LEAVES, F)
    assert c.values["some"].value < c.values["all"].value
    assert (
        howsure.compare({**models, "dummy": DummyClassifier().fit(LEAVES_TRAIN, F_TRAIN)}, LEAVES, F).names[0] == "some"
    )
