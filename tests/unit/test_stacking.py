"""Stacking: what the combiner sees, the folds behind it, its in-sample form, and what scikit-learn asks for."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator
from threadpoolctl import threadpool_limits

from howsure.errors import HowsureError
from howsure.learners.stacking.features import BaseData
from howsure.learners.stacking.folds import exhaustive_folds
from howsure.learners.stacking.stacking import Stacking
from howsure.resampling import KFold

IRIS = load_iris(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)
PAIR = [("tree", DecisionTreeClassifier(random_state=3)), ("bayes", GaussianNB())]
SEED = np.random.SeedSequence(0)


def test_is_an_estimator():
    with threadpool_limits(1):  # threads that wait for each other on a busy machine take most of the time
        check_estimator(Stacking(), on_skip=None)


@pytest.mark.parametrize("features", ["classes", "probabilities"])
def test_level_one_features_are_out_of_fold(features):
    X, y = IRIS
    folds = StratifiedKFold(4, shuffle=True, random_state=1)
    model = Stacking(PAIR, features=features, cv=folds, random_state=0).fit(X, y)
    method = "predict" if features == "classes" else "predict_proba"
    text = [cross_val_predict(one, X, y, cv=folds, method=method) for _, one in PAIR]
    expected = np.hstack([np.eye(3)[one] if one.ndim == 1 else one for one in text])
    np.testing.assert_allclose(model.level_one_, expected, rtol=1e-12)  # the same sums by another path
    combiner = LogisticRegression().fit(expected, y)
    np.testing.assert_allclose(model.final_estimator_.coef_, combiner.coef_, rtol=1e-9)  # an iterative solution
    errors = [(block.argmax(axis=1) != y).mean() for block in np.hsplit(expected, 2)]
    assert model.trace_["out_of_fold_error"][[0, 3]].tolist() == errors
    fitted = [clone(one).fit(X, y) for _, one in PAIR]
    assert model.trace_["in_sample_error"][[0, 3]].tolist() == [(one.predict(X) != y).mean() for one in fitted]
    assert model.level_one_names_[:3] == ["tree: 0", "tree: 1", "tree: 2"]
    assert [*model.named_estimators_] == ["tree", "bayes"]
    now = np.hstack([np.eye(3)[one.predict(X)] if features == "classes" else one.predict_proba(X) for one in fitted])
    np.testing.assert_allclose(model.level_one(X), now, rtol=1e-12)
    assert (model.predict(X) == combiner.predict(now)).all()


def test_two_classes_need_one_column():
    X, y = CANCER
    model = Stacking(dict(PAIR), random_state=0).fit(X, np.array(["<script>", "no & yes"])[y])
    assert model.level_one_names_ == ["tree: no & yes", "bayes: no & yes"]
    assert model.level_one_.shape == (569, 2)
    assert set(model.level_one_.ravel()) == {0.0, 1.0}
    assert model.trace_["coefficient"].tolist() == model.final_estimator_.coef_[0].tolist()
    assert model.findings_ == ()
    assert "<script>" not in model.trace_._repr_html_()


def test_what_the_combiner_makes_of_it():
    forms = {
        "importance": DecisionTreeClassifier(max_depth=2),
        "coefficient for 2": RidgeClassifier(),
    }
    for column, combiner in forms.items():
        model = Stacking(PAIR, combiner, random_state=0).fit(*IRIS)
        assert column in model.trace_.columns
        assert len(model.trace_) == 6
    for silent in (KNeighborsClassifier(), SVC(kernel="linear")):  # rows of the latter are pairs of classes
        model = Stacking(PAIR, silent, random_state=0).fit(*IRIS)
        assert model.trace_.columns == ["learner", "out_of_fold_error", "in_sample_error", "says"]
        assert hasattr(model, "predict_proba") == isinstance(silent, KNeighborsClassifier)


def noisy(seed):
    X, y = make_classification(600, 8, n_informative=3, flip_y=0.3, class_sep=1.0, random_state=seed)
    return X[:200], y[:200], X[200:], y[200:]


def test_in_sample_stacking_trusts_whatever_overfits():
    learners = [("nearest", KNeighborsClassifier(1)), ("logistic", LogisticRegression())]
    errors = []
    for seed in range(5):
        X, y, X_test, y_test = noisy(seed)
        honest = Stacking(learners, random_state=0).fit(X, y)
        with pytest.warns(UserWarning, match="^A012: the combiner was trained on"):
            naive = Stacking(learners, out_of_fold=False, random_state=0).fit(X, y)
        assert naive.trace_["in_sample_error"][0] == 0
        assert np.isnan(naive.trace_["out_of_fold_error"].astype(float)).all()
        nearest = naive.named_estimators_["nearest"].predict(X_test)
        assert (naive.predict(X_test) == nearest).mean() > 0.99
        errors.append([1 - one.score(X_test, y_test) for one in (honest, naive)])
    assert [one.code for one in naive.findings_] == ["A012"]
    out_of_fold, in_sample = np.mean(errors, axis=0)
    assert out_of_fold < in_sample - 0.03  # seeded; about .27 against .33


@pytest.mark.parametrize("missing", [3, np.nan])
def test_folds_keep_equal_cases_together_whatever_the_order(missing):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, (120, 2)).astype(float), rng.integers(0, 2, 120)
    X[X == 3] = missing
    everyone = np.arange(120)
    folds = exhaustive_folds(5, X, y, SEED, everyone, 120)
    fold = np.empty(120, int)
    for index, (train, test) in enumerate(folds):
        fold[test] = index
        assert sorted([*train, *test]) == list(range(120))
    cases = {}
    for row, where in zip(np.column_stack([X, y]), fold, strict=True):
        assert cases.setdefault(str(row), where) == where
    order = rng.permutation(120)
    again = exhaustive_folds(5, X[order], y[order], SEED, everyone, 120)
    thin = exhaustive_folds(5, sparse.csr_matrix(X), y, SEED, everyone, 120)
    framed = exhaustive_folds(5, pd.DataFrame(X), y, SEED, everyone, 120)
    for one, other, third, last in zip(folds, again, thin, framed, strict=True):
        assert sorted(order[other[1]]) == one[1].tolist() == last[1].tolist()
        assert not set(third[0]) & set(third[1])


def test_what_was_fitted_in_a_fold_is_not_kept():
    X, y = IRIS
    even, odd = np.arange(0, 150, 2), np.arange(1, 150, 2)
    member, features = BaseData(X, y, None, 3, "classes").fit_and_predict(GaussianNB(), (even, odd))
    assert member is None
    assert features.argmax(axis=1).tolist() == GaussianNB().fit(X[even], y[even]).predict(X[odd]).tolist()


def test_folds_are_stratified():
    y = np.repeat([0, 1, 2], [50, 30, 7])
    X = np.random.default_rng(0).random((87, 2))
    for _, test in exhaustive_folds(5, X, y, SEED, np.arange(87), 87):
        counts = np.bincount(y[test], minlength=3)
        assert np.abs(counts - [10, 6, 1.4]).max() <= 1
        assert 17 <= len(test) <= 18


def test_many_classes_of_one_case():
    X, y = np.random.default_rng(0).random((10, 2)), np.arange(10)
    sizes = [len(test) for _, test in exhaustive_folds(5, X, y, SEED, np.arange(10), 10)]
    assert sizes == [2] * 5
    model = Stacking(PAIR[:1], features="probabilities", random_state=0).fit(X, y)
    assert (model.level_one_[np.arange(10), y] == 0).all()  # nobody could know the class
    assert model.predict_proba(X).shape == (10, 10)


def test_folds_of_others():
    X, y = IRIS
    pairs = list(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y))
    by_splitter = Stacking(PAIR, cv=StratifiedKFold(3, shuffle=True, random_state=0), random_state=0).fit(X, y)
    by_pairs = Stacking(PAIR, cv=iter(pairs), random_state=0).fit(X, y)
    masks = [tuple(np.isin(np.arange(150), rows) for rows in pair) for pair in pairs]
    by_masks = Stacking(PAIR, cv=masks, random_state=0).fit(X, y)
    assert (by_splitter.level_one_ == by_pairs.level_one_).all()
    assert (by_splitter.level_one_ == by_masks.level_one_).all()
    assert Stacking(PAIR, cv=KFold(4), random_state=0).fit(X, y).score(X, y) > 0.9


def test_weight_zero_is_removal_and_whole_weights_are_copies():
    X, y = CANCER[0][:150, :5], CANCER[1][:150]
    times = np.random.default_rng(0).integers(0, 3, 150)
    weighted = Stacking(PAIR, random_state=0).fit(X, y, sample_weight=times)
    order = np.random.default_rng(1).permutation(np.repeat(np.arange(150), times))
    repeated = Stacking(PAIR, random_state=0).fit(X[order], y[order])
    assert np.isnan(weighted.level_one_[times == 0]).all()
    assert (weighted.level_one_[order] == repeated.level_one_).all()
    # rtol: both are iterative solutions to the same equations
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=1e-6)


def test_a_class_without_weight_is_never_predicted():
    X, y = IRIS
    model = Stacking(PAIR, random_state=0).fit(X, y, sample_weight=(y > 0).astype(float))
    assert set(model.predict(X)) == {1, 2}
    assert (model.predict_proba(X)[:, 0] == 0).all()


def test_one_class():
    model = Stacking().fit([[1.0], [2.0]], ["a", "a"])
    assert model.predict([[5.0]]).tolist() == ["a"]
    assert model.predict_proba([[5.0]]).tolist() == [[1.0]]


def test_the_same_for_any_number_of_jobs():
    X, y = IRIS
    one, two = (Stacking(PAIR, cv=2, n_jobs=jobs, random_state=0).fit(X, y) for jobs in (1, 2))
    assert (one.level_one_ == two.level_one_).all()
    assert (one.predict_proba(X) == two.predict_proba(X)).all()


def test_parameters_of_what_is_inside():
    model = Stacking([("tree", DecisionTreeClassifier()), ("bayes", GaussianNB())], LogisticRegression())
    model.set_params(tree__max_depth=2, final_estimator__C=3.0, cv=3)
    assert model.get_params()["tree__max_depth"] == 2
    assert model.get_params()["final_estimator__C"] == 3.0
    assert "tree" not in model.get_params(deep=False)
    other = clone(model)
    other.set_params(tree=KNeighborsClassifier(), tree__n_neighbors=7)
    assert dict(other.estimators)["tree"].n_neighbors == 7
    assert dict(model.estimators)["tree"].max_depth == 2
    assert [*dict(other.estimators)] == ["tree", "bayes"]
    mapped = Stacking({"tree": DecisionTreeClassifier()}).set_params(tree=GaussianNB())
    assert isinstance(mapped.estimators["tree"], GaussianNB)
    search = GridSearchCV(model.set_params(random_state=0), {"tree__max_depth": [1, 3]}, cv=2).fit(*IRIS)
    assert search.best_estimator_.named_estimators_["tree"].max_depth == search.best_params_["tree__max_depth"]
    with pytest.raises(ValueError, match="Invalid parameter 'shrub'"):
        model.set_params(shrub__max_depth=1)


def test_learners_keep_their_own_random_state():
    model = Stacking(PAIR, random_state=0).fit(*IRIS)
    assert model.named_estimators_["tree"].random_state == 3
    assert isinstance(Stacking(random_state=0).fit(*IRIS).named_estimators_["tree"].random_state, int)
    assert PAIR[0][1].random_state == 3


def test_class_weights_go_by_label():
    X, y = CANCER
    labels = np.array(["bad", "good"])[y]
    tree = DecisionTreeClassifier(max_depth=1, class_weight={"bad": 100.0, "good": 1.0}, random_state=0)
    model = Stacking({"tree": tree}, random_state=0).fit(X, labels)
    alone = clone(tree).fit(X, labels)
    assert (model.classes_[model.named_estimators_["tree"].predict(X)] == alone.predict(X)).all()


def test_frames_sparse_passthrough_and_pickles():
    X, y = IRIS
    model = Stacking(PAIR, passthrough=True, random_state=0)
    model.set_params(final_estimator=LogisticRegression(max_iter=1000)).fit(X, y)
    assert model.final_estimator_.n_features_in_ == 6 + 4
    assert len(model.trace_) == 6
    assert (pickle.loads(pickle.dumps(model)).predict_proba(X) == model.predict_proba(X)).all()
    thin = Stacking({"tree": PAIR[0][1]}, passthrough=True, random_state=0)
    thin.set_params(final_estimator=LogisticRegression(max_iter=1000)).fit(sparse.csr_matrix(X), y)
    assert thin.score(sparse.csc_matrix(X), y) > 0.9
    frame = pd.DataFrame({"colour": ["red", "blue", "red", "green"] * 10, "size": np.arange(40.0)})
    inside = make_pipeline(
        make_column_transformer((OneHotEncoder(), ["colour"]), remainder="passthrough"), GaussianNB()
    )
    framed_model = Stacking({"bayes": inside}, random_state=0).fit(frame, frame["size"] > 20)
    assert framed_model.feature_names_in_.tolist() == ["colour", "size"]
    assert framed_model.score(frame, frame["size"] > 20) > 0.9
    with pytest.raises(HowsureError, match=r"^`passthrough` must be False, since a feature is not numeric: "):
        framed_model.set_params(passthrough=True).fit(frame, frame["size"] > 20)


def test_not_fitted():
    for ask in (Stacking().predict, Stacking().predict_proba, Stacking().level_one):
        with pytest.raises(NotFittedError):
            ask([[0.0]])


RULE = "unique names without '__' that are not parameters of Stacking"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"features": "class"},
            "`features` must be one of 'classes', 'probabilities', not 'class'; did you mean 'classes'?",
        ),
        ({"estimators": {"line": Ridge()}}, "`estimators['line']` must be a classifier, not Ridge()."),
        ({"final_estimator": Ridge()}, "`final_estimator` must be a classifier, not Ridge()."),
        ({"out_of_fold": 1}, "`out_of_fold` must be True or False, not 1."),
        ({"cv": 1}, "`cv` must be at least 2, not 1."),
        ({"cv": "5"}, "`cv` must be a whole number, a scheme, a splitter or pairs of training and test rows, not '5'."),
        ({"cv": []}, "`cv` must test each case exactly once, but row 0 is tested 0 times."),
        ({"cv": [([0, 1], [2, 999])]}, "`cv` must have rows from 0 to 149, not 999."),
        (
            {"cv": [(range(75, 150), range(75)), (range(75), range(70, 150))]},
            "`cv` must test each case exactly once, but row 70 is tested 2 times.",
        ),
        ({"cv": [([], range(150))]}, "`cv` must have at least one training case in each fold."),
        (
            {"estimators": []},
            "`estimators` must be a mapping of names to classifiers, or (name, classifier) pairs, not [].",
        ),
        ({"estimators": [("cv", GaussianNB())]}, f"`estimators` must have {RULE}, not 'cv'."),
        ({"estimators": [("a__b", GaussianNB())]}, f"`estimators` must have {RULE}, not 'a__b'."),
        ({"estimators": [("a", GaussianNB()), ("a", GaussianNB())]}, f"`estimators` must have {RULE}, not 'a'."),
        (
            {"estimators": {"margin": LinearSVC()}, "features": "probabilities"},
            "`features` must be 'classes', since 'margin', a LinearSVC, has no `predict_proba`.",
        ),
    ],
)
def test_refusals(settings, message):
    with pytest.raises(HowsureError) as refused:
        Stacking(**settings).fit(*IRIS)
    assert str(refused.value) == message


def test_refusal_of_weights_and_of_equal_cases():
    X, y = IRIS
    with pytest.raises(HowsureError) as refused:
        Stacking({"nearest": KNeighborsClassifier()}).fit(X, y, sample_weight=np.ones(150))
    reason = "the `fit` of 'nearest', a KNeighborsClassifier, has none"
    assert str(refused.value) == f"`sample_weight` must be left out, since {reason}."
    with pytest.raises(HowsureError) as refused:
        Stacking().fit(np.zeros((3, 2)), [1, 1, 1])
    reason = "(n_samples = 3, all the same)"
    assert str(refused.value) == f"`out_of_fold` must be False unless there are two different cases {reason}."
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        assert Stacking(out_of_fold=False).fit(np.zeros((3, 2)), [1, 1, 1]).predict([[0, 0]]).tolist() == [1]
