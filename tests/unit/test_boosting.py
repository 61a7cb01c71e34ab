"""AdaBoost: its defining equations, its ends, its relation to bagging, and what scikit-learn asks of a classifier."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from howsure.errors import HowsureError
from howsure.learners.ensemble.bagging import Bagging
from howsure.learners.ensemble.boosting import AdaBoost

NOISY = make_classification(200, 6, n_informative=4, flip_y=0.2, n_classes=3, random_state=1)
STUMP = DecisionTreeClassifier(max_depth=1)


@pytest.mark.parametrize("sampling", ["auto", "resample"])
def test_is_an_estimator(sampling):
    check_estimator(AdaBoost(n_estimators=20, sampling=sampling), on_skip=None)


@pytest.mark.parametrize("sampling", ["reweight", "resample"])
@pytest.mark.parametrize("rate", [1.0, 0.5])
def test_defining_equations(sampling, rate):
    X, y = NOISY
    model = AdaBoost(n_estimators=8, sampling=sampling, learning_rate=rate, random_state=0).fit(X, y)
    weight = np.full(len(y), 1 / len(y))
    votes = np.zeros((len(y), 3))
    after = list(model.staged_weights(X, y))
    stages = list(model.staged_predict(X))
    for index, member in enumerate(model.estimators_):
        wrong = member.predict(X) != y
        epsilon = weight[wrong].sum()
        alpha = rate * (np.log((1 - epsilon) / epsilon) + np.log(2))
        record = model.trace_[index]
        # rtol: weights are rounded to 2**-51 of their sum, once a round
        assert record["epsilon"] == pytest.approx(epsilon, rel=1e-11)
        assert record["alpha"] == pytest.approx(alpha, rel=1e-11)
        assert record["largest_weight"] == pytest.approx(weight.max(), rel=1e-11)
        assert record["smallest_weight"] == pytest.approx(weight.min(), rel=1e-11)
        assert record["effective_cases"] == pytest.approx(1 / (weight**2).sum(), rel=1e-11)
        votes[np.arange(len(y)), member.predict(X)] += alpha
        assert (stages[index] == votes.argmax(axis=1)).all()
        assert record["training_error"] == (votes.argmax(axis=1) != y).mean()
        weight = weight * np.exp(alpha * wrong)
        weight /= weight.sum()
        np.testing.assert_allclose(after[index], weight, rtol=1e-10)
    np.testing.assert_allclose(model.votes(X), votes, rtol=1e-11)
    np.testing.assert_allclose(model.predict_proba(X), votes / votes.sum(axis=1, keepdims=True), rtol=1e-11)
    assert ("distinct_cases" in model.trace_.columns) == (sampling == "resample")


def test_after_a_round_its_member_would_be_at_chance():
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoost(n_estimators=10, random_state=0).fit(X, y)
    for member, weight in zip(model.estimators_, model.staged_weights(X, y), strict=True):
        assert weight[member.predict(X) != y].sum() == pytest.approx(0.5, rel=1e-11)  # rtol: rounding of the weights


@pytest.mark.parametrize("learner", [STUMP, GaussianNB(), KNeighborsClassifier(3)])
def test_bagging_is_a_special_case(learner):
    X, y = NOISY
    bagged = Bagging(learner, 10, random_state=5).fit(X, y)
    model = AdaBoost(learner, 10, sampling="resample", adapt=False, random_state=5).fit(X, y)
    assert (model.votes(X) == bagged.votes(X)).all()
    assert (model.predict(X) == bagged.predict(X)).all()
    assert model.estimator_weights_.tolist() == [1.0] * 10
    assert all((weight == 1 / 200).all() for weight in model.staged_weights(X, y))
    adaptive = AdaBoost(learner, 10, sampling="resample", random_state=5).fit(X, y)
    assert (adaptive.votes(X) != bagged.votes(X)).any()


def test_a_member_without_error_decides_alone():
    X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    y = np.array(["no", "no", "yes", "yes"])
    model = AdaBoost(random_state=0).fit(X, y)
    assert model.stopped_ == "the member of round 1 makes no errors, so it decides alone."
    assert model.trace_.notes == ("stopped: the member of round 1 makes no errors, so it decides alone.",)
    assert model.estimator_weights_.tolist() == [np.inf]
    assert model.predict_proba(X).tolist() == [[1, 0], [1, 0], [0, 1], [0, 1]]
    assert next(model.staged_weights(X, y)).tolist() == [0.25] * 4
    assert model.trace_.to_dict()["records"][0]["alpha"] == "inf"


class Later(DecisionTreeClassifier):
    """A stump at first; a full tree once the weights are not equal. It stands for a learner of changing luck."""

    def fit(self, X, y, sample_weight=None, check_input=True):
        self.max_depth = 1 if np.ptp(sample_weight) == 0 else None
        return super().fit(X, y, sample_weight, check_input)


class Worse(DecisionTreeClassifier):
    """A stump at first; then one that takes each class for the next."""

    def fit(self, X, y, sample_weight=None, check_input=True):
        if np.ptp(sample_weight) > 0:
            y = (y + 1) % 3
        return super().fit(X, y, sample_weight, check_input)


def test_an_infinite_vote_beats_all_before():
    X, y = NOISY
    model = AdaBoost(Later(), random_state=0).fit(X, y)
    assert len(model.estimators_) == 2
    assert model.stopped_ == "the member of round 2 makes no errors, so it decides alone."
    assert (model.predict(X) == y).all()
    assert set(model.predict_proba(X).ravel()) == {0.0, 1.0}
    assert np.isfinite(model.votes(X)).any()


def test_a_member_at_chance_is_dropped():
    X, y = NOISY
    model = AdaBoost(Worse(max_depth=1), random_state=0).fit(X, y)
    assert len(model.estimators_) == 1
    assert len(model.trace_) == 2
    assert model.stopped_.startswith("the member of round 2 is no better than chance (epsilon 0.")
    assert model.stopped_.endswith(", chance 0.667) and was dropped.")
    assert model.trace_[1]["training_error"] == model.trace_[0]["training_error"]
    assert np.ptp(next(model.staged_weights(X, y))) > 0  # the first member did change them


def test_exactly_chance_is_chance():
    X, y = np.zeros((6, 1)), np.array([0, 1, 2, 0, 1, 2])  # epsilon is 2/3, which has no exact number
    model = AdaBoost(random_state=0).fit(X, y)
    reason = "the member of round 1 is no better than chance (epsilon 0.667, chance 0.667)"
    assert model.stopped_ == f"{reason}, but is the only one."
    assert model.estimator_weights_.tolist() == [1.0]
    assert model.predict(X).tolist() == [0] * 6


def test_wrong_on_every_case():
    class Contrary(DummyClassifier):
        def predict(self, X):
            return 1 - np.arange(2).repeat(2)

    model = AdaBoost(Contrary(), sampling="reweight").fit(np.zeros((4, 1)), [0, 0, 1, 1])
    assert model.estimator_errors_.tolist() == [1.0]
    assert "epsilon 1, chance 0.5" in model.stopped_


def test_one_class():
    model = AdaBoost(LogisticRegression()).fit([[1.0], [2.0]], ["a", "a"])
    assert model.predict([[5.0]]).tolist() == ["a"]
    assert model.predict_proba([[5.0]]).tolist() == [[1.0]]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["reweight", "resample"]))
def test_weights_are_copies_and_order_does_not_matter(seed, sampling):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 3, (14, 4)).astype(float), rng.integers(0, 3, 14)  # many ties between splits
    times = rng.integers(0, 4, 14)
    times[:3], y[:3] = 1, [0, 1, 2]
    order = rng.permutation(np.repeat(np.arange(14), times))
    model = AdaBoost(n_estimators=12, sampling=sampling, random_state=0)
    weighted = clone(model).fit(X, y, sample_weight=times)
    repeated = clone(model).fit(X[order], y[order])
    assert (weighted.predict(X) == repeated.predict(X)).all()
    assert weighted.estimator_weights_.tolist() == repeated.estimator_weights_.tolist()  # to the last bit


@pytest.mark.parametrize("scale", [1e-300, 1e-6, 0.3, 1e9, 1e300])
def test_the_scale_of_the_weights_does_not_matter(scale):
    X, y = NOISY
    weight = np.random.default_rng(0).integers(1, 4, 200)
    model = AdaBoost(n_estimators=10, random_state=0).fit(X, y, sample_weight=weight)
    scaled = AdaBoost(n_estimators=10, random_state=0).fit(X, y, sample_weight=weight * scale)
    # rtol: weights are rounded to 2**-30 of their mean at worst
    np.testing.assert_allclose(scaled.estimator_weights_, model.estimator_weights_, rtol=1e-6)


def test_weights_grow_without_overflow():
    X, y = NOISY
    model = AdaBoost(n_estimators=30, learning_rate=500.0, random_state=0).fit(X, y)
    assert np.isfinite(model.trace_["largest_weight"].astype(float)).all()
    assert np.isfinite(model.predict_proba(X)).all()


def test_a_class_without_weight_does_not_count():
    X, y = load_iris(return_X_y=True)
    model = AdaBoost(n_estimators=5, random_state=0).fit(X, y, sample_weight=(y < 2).astype(float))
    two = AdaBoost(n_estimators=5, random_state=0).fit(X[y < 2], y[y < 2])
    assert model.estimator_weights_.tolist() == two.estimator_weights_.tolist()
    assert model.predict_proba(X).shape == (150, 3)


def test_learners_with_a_penalty_see_as_many_cases_as_there_are():
    X, y = load_iris(return_X_y=True)
    model = AdaBoost(LogisticRegression(max_iter=1000), 1).fit(X, y)
    alone = LogisticRegression(max_iter=1000).fit(X, y, sample_weight=np.ones(150))
    assert (model.estimators_[0].coef_ == alone.coef_).all()


def test_learners_that_take_no_weights_are_given_samples():
    model = AdaBoost(KNeighborsClassifier(15), 4, random_state=0).fit(*NOISY)
    assert model.trace_["distinct_cases"].max() < 200
    message = "`sampling` must be 'resample', since the `fit` of KNeighborsClassifier has no `sample_weight`."
    with pytest.raises(HowsureError, match=f"^{message}$"):
        AdaBoost(KNeighborsClassifier(), sampling="reweight").fit(*NOISY)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_estimators": 0}, "`n_estimators` must be at least 1, not 0."),
        ({"n_estimators": 2.5}, "`n_estimators` must be a whole number, not 2.5."),
        ({"estimator": LinearRegression()}, "`estimator` must be a classifier, not LinearRegression()."),
        ({"learning_rate": 0}, "`learning_rate` must be a number above 0, not 0."),
        ({"learning_rate": float("nan")}, "`learning_rate` must be a number above 0, not nan."),
        ({"adapt": "no"}, "`adapt` must be True or False, not 'no'."),
        (
            {"sampling": "resampling"},
            "`sampling` must be one of 'auto', 'reweight', 'resample', not 'resampling'; did you mean 'resample'?",
        ),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(HowsureError) as refused:
        AdaBoost(**arguments).fit(*NOISY)
    assert str(refused.value) == message


def test_weights_of_rounds_take_a_column_of_labels():
    X, y = NOISY
    model = AdaBoost(n_estimators=3, random_state=0).fit(X, y)
    column = np.asarray(y)[:, None]
    for one, other in zip(model.staged_weights(X, y), model.staged_weights(X, column), strict=True):
        assert np.array_equal(one, other)


def test_not_fitted():
    for ask in (AdaBoost().predict, AdaBoost().predict_proba, AdaBoost().votes):
        with pytest.raises(NotFittedError):
            ask([[0.0]])


def test_sparse_frames_pickles_and_missing_values():
    X, y = NOISY
    labels = np.array(["<script>", "b", "c"])[y]
    model = AdaBoost(n_estimators=5, random_state=0).fit(X, labels)
    thin = AdaBoost(n_estimators=5, random_state=0).fit(sparse.csr_matrix(X), labels)
    framed = AdaBoost(n_estimators=5, random_state=0).fit(pd.DataFrame(X, columns=list("abcdef")), pd.Series(labels))
    again = pickle.loads(pickle.dumps(model))
    assert (model.votes(X) == thin.votes(sparse.csc_matrix(X))).all()
    assert (model.votes(X) == framed.votes(pd.DataFrame(X, columns=list("abcdef")))).all()
    assert (model.votes(X) == again.votes(X)).all()
    assert framed.feature_names_in_.tolist() == list("abcdef")
    holes = X.copy()
    holes[::7, 0] = np.nan
    assert AdaBoost(n_estimators=5).fit(holes, labels).predict(holes).shape == (200,)


def test_pipelines_of_named_columns():
    frame = pd.DataFrame({"colour": ["red", "blue", "red", "green"] * 10, "size": np.arange(40.0)})
    y = np.where(frame["size"] > 20, "big", "small")
    inside = make_pipeline(make_column_transformer((OneHotEncoder(), ["colour"]), remainder="passthrough"), STUMP)
    model = AdaBoost(inside, 5, random_state=0).fit(frame, y)
    assert (model.predict(frame) == y).mean() > 0.9
    outside = make_pipeline(StandardScaler(), AdaBoost(n_estimators=5)).set_params(adaboost__estimator=STUMP)
    assert outside.fit(*NOISY).score(*NOISY) > 0.4
