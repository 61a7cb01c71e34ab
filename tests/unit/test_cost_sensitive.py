"""Cost-sensitive learning: what each method does with costs, by hand; what it is worth; what is refused."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from howsure import Costs, Experiment, HowsureError, KFold, assess
from howsure.learners.cost.class_costs import ClassCosts
from howsure.learners.cost.cost_sensitive import CostSensitive, cost_methods
from howsure.learners.cost.methods import METHODS
from howsure.learners.cost.out_of_fold import cost_folds
from howsure.tuning.cost_comparison import compare_cost_methods

RTOL = 1e-12  # the same arithmetic in another order
COSTS = Costs(false_negative=10, false_positive=1)
THREE = [[0, 1, 2], [4, 0, 1], [10, 3, 0]]


class AsGiven(ClassifierMixin, BaseEstimator):
    """A learner whose probabilities are its features, so that every decision can be checked by hand."""

    def fit(self, X, y, sample_weight=None):
        self.classes_, self.y_, self.weight_ = np.unique(y), np.asarray(y), sample_weight
        return self

    def predict_proba(self, X):
        return np.asarray(X)

    def predict(self, X):
        return self.classes_[np.argmax(X, axis=1)]


def overlapping(n=1000, seed=0, names=(0, 1)):
    """Two classes that overlap, 15 % of them positive."""
    rng = np.random.default_rng(seed)
    hit = rng.random(n) < 0.15
    return rng.normal(size=(n, 2)) + hit[:, None], np.array(names)[hit.astype(int)]


def class_costs(costs, totals, positive=None, labels=None):
    labels = list(range(len(totals))) if labels is None else labels
    return ClassCosts.of(costs, positive, labels, np.array(totals, float))


# --- what costs say -----------------------------------------------------------------------------------------------


cost = st.floats(0, 100, allow_nan=False).map(lambda value: round(value, 3))


@settings(deadline=None, max_examples=60)
@given(cost, cost, cost, cost)
def test_the_threshold_of_two_classes_is_the_closed_form(fn, fp, tp, tn):
    if not (fn > tp and fp > tn):
        return
    result = class_costs(Costs(false_negative=fn, false_positive=fp, true_positive=tp, true_negative=tn), [30, 70])
    assert result.threshold == pytest.approx((fp - tn) / ((fp - tn) + (fn - tp)), rel=RTOL)
    reference = Costs(false_negative=fn, false_positive=fp, true_positive=tp, true_negative=tn)
    assert result.threshold == pytest.approx(reference.trade([0, 1], 1, 0.7)[2], rel=RTOL)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(2, 5), st.booleans())
def test_the_decision_is_of_least_expected_cost(seed, k, with_prior):
    """The definition, summed in a loop: sum over true classes of P'(j) C(j, i), P' as if training had the prior."""
    rng = np.random.default_rng(seed)
    matrix = rng.random((k, k)) + 2 * (1 - np.eye(k))  # an error costs more, and the right decision costs too
    totals, shares = rng.integers(1, 50, k).astype(float), rng.dirichlet(np.ones(k))
    costs = Costs(matrix, prior=shares if with_prior else None)
    P = rng.dirichlet(np.ones(k), size=20)
    result = class_costs(costs, totals).decide(P)
    for p, chosen in zip(P, result, strict=True):
        observed = p * shares / (totals / totals.sum()) if with_prior else p
        observed = observed / observed.sum()
        expected = [sum(observed[j] * matrix[j, i] for j in range(k)) for i in range(k)]
        assert expected[chosen] <= min(expected) + 1e-12  # of equals any; a sum of five products near 1


def test_three_classes_by_hand():
    # Expected costs of predicting 0, 1, 2: 0.3 x 4 + 0.2 x 10 = 3.2; 0.5 + 0.2 x 3 = 1.1; 0.5 x 2 + 0.3 = 1.3.
    model = CostSensitive(AsGiven(), THREE, "threshold").fit(np.eye(3), [0, 1, 2])
    assert model.predict([[0.5, 0.3, 0.2], [0.95, 0.05, 0.0]]).tolist() == [1, 0]
    assert model.estimator_.predict([[0.5, 0.3, 0.2]]).tolist() == [0]
    assert model.threshold_ is None
    # Row sums 3, 5, 13.
    np.testing.assert_allclose(class_costs(THREE, [2, 3, 5]).weights("weights"), [1, 5 / 3, 13 / 3], rtol=RTOL)


def test_costs_of_right_decisions_count():
    # C(FP) - C(TN) = 3 - 1 = 2, C(FN) - C(TP) = 12 - 4 = 8: the threshold is 2 / 10.
    costs = Costs(false_negative=12, false_positive=3, true_positive=4, true_negative=1)
    assert class_costs(costs, [1, 1]).threshold == pytest.approx(0.2, rel=RTOL)
    np.testing.assert_allclose(class_costs(costs, [8, 2]).weights("weights"), [1, 4], rtol=RTOL)


def test_the_positive_class_from_the_threshold_on():
    X = np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3]])
    costs = Costs(false_negative=4, false_positive=1)
    fitted = CostSensitive(AsGiven(), costs, "threshold").fit(X, ["a", "b", "b"])
    assert fitted.threshold_ == 0.2
    assert fitted.predict(X).tolist() == ["a", "b", "b"]
    other = CostSensitive(AsGiven(), costs, "threshold", positive="a").fit(X, ["a", "b", "b"])
    assert other.predict([[0.19, 0.81], [0.2, 0.8]]).tolist() == ["b", "a"]


def test_a_prior_moves_the_threshold_and_the_weights():
    # 2 of 10 positive, half in use: positives count 2.5 times, negatives 0.625 times; 0.625 / 3.125 = 0.2.
    costs = Costs(false_negative=1, false_positive=1, prior=0.5)
    result = class_costs(costs, [8, 2])
    assert result.threshold == pytest.approx(0.2, rel=RTOL)
    np.testing.assert_allclose(result.weights("weights"), [1, 4], rtol=RTOL)
    assert class_costs(costs, [2, 8], positive=0).threshold == pytest.approx(0.2, rel=RTOL)


def test_classes_are_found_by_equality():
    # Slope 2 x 0.7 / (5 x 0.3), the probability cost 1.5 / 2.9, the threshold 2 / 7.
    result = Costs(false_negative=5, false_positive=2).trade([0.0, 1.0], 0, 0.3)
    assert result == pytest.approx((1.4 / 1.5, 1.5 / 2.9, 2 / 7), rel=RTOL)


@pytest.mark.parametrize("names", [list, np.array, tuple])
def test_costs_with_labels_in_another_order(names):
    costs = Costs([[0, 5], [1, 0]], labels=names(["yes", "no"]))
    assert class_costs(costs, [1, 1], labels=["no", "yes"]).threshold == pytest.approx(1 / 6, rel=RTOL)
    assert repr(costs) == "Costs([[0.0, 5.0], [1.0, 0.0]], labels=['yes', 'no'])"


def test_a_data_frame_names_its_classes():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[0, 5], [1, 0]], index=["yes", "no"], columns=["yes", "no"])
    assert class_costs(frame, [1, 1], labels=["no", "yes"]).threshold == pytest.approx(1 / 6, rel=RTOL)
    bare = pandas.DataFrame([[0, 1], [5, 0]])  # places are no names
    assert class_costs(bare, [1, 1], labels=["no", "yes"]).threshold == pytest.approx(1 / 6, rel=RTOL)


def test_named_costs_serve_where_a_class_is_missing():
    costs = Costs(THREE, labels=["a", "b", "c"])
    np.testing.assert_array_equal(costs.matrix(["a", "c"]), [[0, 2], [10, 0]])
    X, y = overlapping(60, names=("a", "c"))
    assert CostSensitive(GaussianNB(), costs, "threshold").fit(X, y).threshold_ == pytest.approx(2 / 12, rel=RTOL)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"matrix": [[0, float("nan")], [1, 0]]}, "`costs` must be finite numbers."),
        (
            {"matrix": [[0, 1, 2], [1, 0, 2]]},
            "`matrix` must be a square table of numbers, not an array of shape (2, 3).",
        ),
        (
            {"false_negative": "a", "false_positive": 1},
            "`costs` must be a number, or numbers, not [[0.0, 1], ['a', 0.0]].",
        ),
        ({"matrix": np.eye(2), "prior": "x"}, "`prior` must be a number, or numbers, not 'x'."),
        (
            {"matrix": np.eye(2), "prior": [[1, 0]]},
            "`prior` must be a share, or a share for each class, not an array of shape (1, 2).",
        ),
        ({"matrix": np.eye(2), "labels": ["a", "a"]}, "`labels` must name each class once, not ['a', 'a']."),
        (
            {"matrix": np.eye(2), "true_positive": 1},
            "`true_positive` and `true_negative` cannot be combined with a matrix.",
        ),
        (
            {"false_negative": 1, "labels": ["a", "b"]},
            "`labels` needs a matrix; without one, a false negative is an error on the positive class.",
        ),
    ],
)
def test_costs_that_are_none(arguments, sentence):
    with pytest.raises(HowsureError) as error:
        Costs(**arguments)
    assert str(error.value) == sentence


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.booleans())
def test_no_cut_costs_less_than_the_cheapest(seed, n, tied):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 5, n) / 4 if tied else rng.random(n)
    codes, weight = rng.integers(0, 2, n), rng.integers(0, 4, n).astype(float)
    result = class_costs(Costs(false_negative=3, false_positive=1), [5, 5])

    def total(cut):
        called = scores >= cut
        return float(weight @ np.where(codes == 1, 3 * ~called, called))

    cut = result.cheapest_cut(scores, codes, weight, 0.25)
    tries = [-np.inf, *scores, *np.nextafter(scores, 2), np.inf]
    assert total(cut) == min(map(total, tries))


def test_of_equally_cheap_cuts_the_nearest():
    # 0.1 n, 0.2 n, 0.6 n, 0.7 y: any cut above 0.6 up to 0.7 is free of cost, and 0.65 lies half-way.
    result = class_costs(None, [3, 1])
    cut = result.cheapest_cut(np.array([0.1, 0.2, 0.6, 0.7]), np.array([0, 0, 0, 1]), np.ones(4), 0.5)
    assert cut == pytest.approx(0.65, rel=RTOL)
    neighbours = np.array([0.5, np.nextafter(0.5, 1)])  # nothing lies between them
    assert result.cheapest_cut(neighbours, np.array([0, 1]), np.ones(2), 0.5) == neighbours[1]


# --- training -----------------------------------------------------------------------------------------------------


def test_weights_are_those_of_classes():
    X, y = overlapping(400)
    costed = CostSensitive(DecisionTreeClassifier(max_depth=4, random_state=0), COSTS).fit(X, y)
    reference = DecisionTreeClassifier(max_depth=4, random_state=0, class_weight={0: 1, 1: 10}).fit(X, y)
    np.testing.assert_array_equal(costed.predict_proba(X), reference.predict_proba(X))
    assert costed.trace_["weight"].tolist() == [1, 10]


@pytest.mark.parametrize("sample_weight", [None, np.arange(400) % 3])
def test_weights_and_duplicates_grow_the_same_tree(sample_weight):
    X, y = overlapping(400)
    models = [
        CostSensitive(DecisionTreeClassifier(max_depth=5), COSTS, method, random_state=0).fit(X, y, sample_weight)
        for method in ("weights", "duplicate")
    ]
    one, other = (model.predict_proba(X) for model in models)
    np.testing.assert_array_equal(one, other)  # sums of whole numbers are exact
    assert models[1].trace_["copies"].tolist() == [1, 10]


def test_duplicates_are_rounded_and_say_so():
    X, y = overlapping(100)
    fitted = CostSensitive(AsGiven(), [[0, 1], [2.6, 0]], "duplicate").fit(X, y)
    positives = int(y.sum())
    assert np.bincount(fitted.estimator_.y_).tolist() == [100 - positives, 3 * positives]
    assert fitted.trace_["in training"].tolist() == [100 - positives, 3 * positives]
    assert fitted.trace_.notes == ("class 1 is repeated 3 times, rounded from 2.600",)
    exact = CostSensitive(AsGiven(), [[0, 1], [3, 0]], "duplicate").fit(X, y)
    assert exact.trace_.notes == ()


def test_whole_weights_are_copies_where_a_learner_takes_none():
    X, y = overlapping(60)
    weight = np.arange(60) % 3
    one = CostSensitive(KNeighborsClassifier(3), COSTS, "duplicate").fit(X, y, weight)
    rows = np.repeat(np.arange(60), weight)
    other = CostSensitive(KNeighborsClassifier(3), COSTS, "duplicate").fit(X[rows], y[rows])
    np.testing.assert_array_equal(one.predict(X), other.predict(X))


def test_draws_follow_the_weights():
    X, y = overlapping(4000)
    fitted = CostSensitive(AsGiven(), COSTS, "resample", random_state=0).fit(X, y)
    drawn = fitted.trace_["drawn"]
    assert drawn.sum() == 4000
    share = 10 * y.sum() / (10 * y.sum() + (1 - y).sum())
    four = 4 * np.sqrt(share * (1 - share) / 4000)  # standard deviations of a share of 4000 draws
    assert drawn[1] / 4000 == pytest.approx(share, abs=four)
    assert np.bincount(fitted.estimator_.y_).tolist() == drawn.tolist()


def test_a_sample_does_not_depend_on_the_order_of_rows():
    X, y = overlapping(200)
    order = np.random.default_rng(1).permutation(200)
    models = [
        CostSensitive(KNeighborsClassifier(1), COSTS, "resample", random_state=0).fit(*data).estimator_
        for data in ((X, y), (X[order], y[order]))
    ]
    np.testing.assert_array_equal(*(model.kneighbors(X)[1] for model in models))  # positions in the sample


def test_relabelling_by_hand():
    # The threshold is 1 / 11: cases of probability 0.1 and above become positive, whatever they were.
    p = np.array([0.05, 0.1, 0.5, 0.0, 0.05, 0.2])
    y = np.array(["no", "no", "no", "no", "yes", "yes"])
    X = np.column_stack([1 - p, p])
    fitted = CostSensitive(AsGiven(), COSTS, "relabel", cv=2, random_state=0).fit(X, y)
    assert fitted.estimator_.y_.tolist() == ["no", "yes", "yes", "no", "no", "yes"]
    assert fitted.trace_[0] == {"class": "no", "cases": 4, "kept": 2, "to no": None, "to yes": 2}
    assert fitted.trace_[1] == {"class": "yes", "cases": 2, "kept": 1, "to no": 1, "to yes": None}
    weighted = CostSensitive(AsGiven(), COSTS, "relabel", cv=2, random_state=0).fit(X, y, [1, 2, 0.5, 1, 1, 1])
    assert weighted.trace_[0] == {"class": "no", "cases": 4.5, "kept": 2, "to no": None, "to yes": 2.5}


def test_relabelling_is_out_of_fold():
    """Against scikit-learn's own out-of-fold probabilities, on the same splits."""
    X, y = overlapping(300)
    splits = list(StratifiedKFold(5).split(X, y))
    fitted = CostSensitive(GaussianNB(), COSTS, "relabel", cv=splits).fit(X, y)
    p = cross_val_predict(GaussianNB(), X, y, cv=splits, method="predict_proba")[:, 1]
    again = GaussianNB().fit(X, (p >= 1 / 11).astype(int))
    np.testing.assert_array_equal(fitted.predict_proba(X), again.predict_proba(X))
    by_splitter = CostSensitive(GaussianNB(), COSTS, "relabel", cv=StratifiedKFold(5)).fit(X, y)
    np.testing.assert_array_equal(fitted.predict(X), by_splitter.predict(X))


def test_where_every_case_costs_least_as_one_class_nothing_is_learned():
    X, y = overlapping(100)
    fitted = CostSensitive(LogisticRegression(), Costs(false_negative=1e6, false_positive=1), "relabel").fit(X, y)
    assert set(fitted.predict(X)) == {1}
    np.testing.assert_array_equal(fitted.predict_proba(X[:1]), [[0, 1]])
    assert fitted.trace_.notes == ("1 costs least for every case, so it is always predicted",)


def test_pairs_may_be_truth_values_and_empty():
    X, y = overlapping(60)
    first = np.arange(60) < 40
    pairs = [(np.flatnonzero(first), np.flatnonzero(~first)), (np.arange(60), [])]
    models = [CostSensitive(GaussianNB(), COSTS, "relabel", cv=cv).fit(X, y) for cv in (pairs, [(first, ~first)])]
    assert models[0].trace_.to_dict() == models[1].trace_.to_dict()


def test_cases_that_are_never_tested_keep_their_class():
    p = np.array([0.5, 0.5, 0.5, 0.5])
    fitted = CostSensitive(AsGiven(), COSTS, "relabel", cv=[([1, 3], [0, 2])])
    fitted.fit(np.column_stack([p, p]), ["no", "no", "no", "yes"])
    assert fitted.estimator_.y_.tolist() == ["yes", "no", "yes", "yes"]
    assert fitted.trace_.notes == ("2 cases were in no test fold and kept the label",)


def test_a_tuned_cut_repairs_bad_probabilities():
    """Probabilities squeezed into 0.45 to 0.55 are of no use at 1 / 11, and of full use to a tuned cut."""
    X, y = overlapping(600)
    p = 0.45 + 0.1 * LogisticRegression().fit(X, y).predict_proba(X)[:, 1]
    squeezed = np.column_stack([1 - p, p])
    plain = CostSensitive(AsGiven(), COSTS, "threshold").fit(squeezed, y)
    tuned = CostSensitive(AsGiven(), COSTS, "threshold", tune=True, random_state=0).fit(squeezed, y)
    assert set(plain.predict(squeezed)) == {1}
    assert 0.45 < tuned.threshold_ < 0.5
    costs = [assess(y, model.predict(squeezed), costs=COSTS)["mean_cost"].value for model in (plain, tuned)]
    assert costs[1] < 0.9 * costs[0]
    assert tuned.trace_.notes[0].endswith("cheapest on 600 out-of-fold scores")


@pytest.mark.parametrize(("missed", "text"), [(50, "always predicts 1, "), (0.02, "never predicts 1, ")])
def test_a_cut_beyond_all_scores_is_stated_in_words(missed, text):
    X, _ = overlapping(100)
    chance = np.random.default_rng(1).integers(0, 2, 100)  # a full tree gets half of the cases wrong, and is sure
    costs = [[0, 1], [missed, 0]]
    model = CostSensitive(DecisionTreeClassifier(), costs, "threshold", tune=True, random_state=0).fit(X, chance)
    assert model.trace_.notes == (f"{text}the cheapest on 100 out-of-fold scores",)
    assert np.isinf(model.threshold_)


@pytest.mark.parametrize("positive", ["no", "yes"])
def test_scores_of_a_learner_without_probabilities_are_cut(positive):
    X, y = overlapping(600, names=("no", "yes"))
    costs = COSTS if positive == "yes" else Costs(false_negative=1, false_positive=10)  # the same, stated the other way
    fitted = CostSensitive(RidgeClassifier(), costs, "threshold", positive=positive, random_state=0).fit(X, y)
    assert not hasattr(fitted, "predict_proba")
    assert 0.05 < (fitted.predict(X) == "yes").mean() < 0.95
    scores = fitted.decision_function(X) if positive == "yes" else -fitted.decision_function(X)
    np.testing.assert_array_equal(fitted.predict(X) == positive, scores >= fitted.threshold_)
    result = [
        assess(y, model.predict(X), positive=positive, costs=costs)["mean_cost"].value
        for model in (fitted, RidgeClassifier().fit(X, y))
    ]
    assert result[0] < result[1]


def test_weights_and_threshold_agree_for_a_true_model():
    """A logistic model that is right shifts its intercept by the log of the cost ratio, as the threshold does."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 2))
    y = (rng.random(20_000) < 1 / (1 + np.exp(2 - X @ [1.5, -1]))).astype(int)
    base = LogisticRegression(C=1e6)
    one, other = (CostSensitive(base, COSTS, method).fit(X, y).predict(X) for method in ("weights", "threshold"))
    assert (one == other).mean() > 0.98  # in kind: both estimate the same line


def test_equal_costs_change_nothing():
    X, y = overlapping(300)
    plain = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y).predict_proba(X)
    for method in ("weights", "duplicate", "threshold"):
        model = CostSensitive(DecisionTreeClassifier(max_depth=4, random_state=0), method=method).fit(X, y)
        np.testing.assert_array_equal(model.predict_proba(X), plain)


# --- what it is worth ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", [DecisionTreeClassifier(max_depth=4), GaussianNB()], ids=["tree", "bayes"])
def test_every_method_lowers_the_cost_on_other_cases(learner):
    X, y = overlapping(2000, seed=1)
    new, truth = overlapping(4000, seed=2)
    result = {
        name: assess(truth, one.set_params(random_state=0).fit(X, y).predict(new), costs=COSTS)["mean_cost"].value
        for name, one in cost_methods(learner, COSTS).items()
        if name != "plain"
    }
    plain = assess(truth, clone(learner).fit(X, y).predict(new), costs=COSTS)["mean_cost"].value
    assert set(result) == set(METHODS)
    # By chance the means of 4000 costs of 0, 1 or 10 differ by some 0.05; the methods save 0.4 and more.
    assert all(cost < 0.75 * plain for cost in result.values()), (plain, result)


def test_a_prior_lowers_the_cost_where_shares_differ():
    X, y = overlapping(2000, seed=1)
    rng = np.random.default_rng(3)
    truth = (rng.random(4000) < 0.6).astype(int)
    new = rng.normal(size=(4000, 2)) + truth[:, None]
    for method in METHODS:
        informed, uninformed = (
            CostSensitive(GaussianNB(), Costs(false_negative=1, false_positive=1, prior=prior), method, random_state=0)
            for prior in (0.6, None)
        )
        errors = [(model.fit(X, y).predict(new) != truth).mean() for model in (informed, uninformed)]
        assert errors[0] < errors[1] - 0.1, method


# --- scikit-learn -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_scikit_learns_own_checks(method):
    check_estimator(CostSensitive(method=method, random_state=0), on_skip=None)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_neither_the_order_of_rows_nor_the_way_of_repeating_them_matters(method, kind):
    X, y = overlapping(90, names=("no", "yes"))
    X = np.round(X, 1)
    weight = np.arange(90) % 4
    dressed = csr_array if kind == "sparse" else np.asarray
    rng = np.random.default_rng(0)
    rows = rng.permutation(np.repeat(np.arange(90), weight))

    def fitted_probabilities(X, y, weight=None):
        base = DecisionTreeClassifier(max_depth=4, random_state=0)
        return CostSensitive(base, COSTS, method, random_state=0).fit(dressed(X), y, weight).predict_proba(dressed(new))

    new = overlapping(50, seed=9)[0]
    weighted, repeated = fitted_probabilities(X, y, weight), fitted_probabilities(X[rows], y[rows])
    np.testing.assert_array_equal(weighted, repeated)  # sums of whole numbers are exact


@pytest.mark.parametrize("method", METHODS)
def test_text_labels_pickles_copies_and_pipelines(method):
    X, y = overlapping(120, names=("<script>", "yes"))
    base = make_pipeline(StandardScaler(), LogisticRegression())
    model = CostSensitive(base, COSTS, method, random_state=0).fit(X, y)
    assert model.classes_.tolist() == ["<script>", "yes"]
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(model.predict(X), again.predict(X))
    np.testing.assert_array_equal(model.predict(X), clone(model).fit(X, y).predict(X))
    inside = make_pipeline(StandardScaler(), CostSensitive(LogisticRegression(), COSTS, method)).fit(X, y)
    assert set(inside.predict(X)) <= {"<script>", "yes"}
    assert "<script>" not in model.trace_._repr_html_()
    assert json.loads(json.dumps(model.trace_.to_dict()))["records"][0]["class"] == "<script>"
    assert model.trace_.frame().shape[0] == 2


def test_a_pipelines_last_step_gets_the_weights():
    X, y = overlapping(200)
    model = CostSensitive(make_pipeline(StandardScaler(), LogisticRegression()), COSTS).fit(X, y)
    weight = model.trace_["weight"][y]
    scaled = StandardScaler().fit_transform(X)
    reference = LogisticRegression().fit(scaled, y, sample_weight=weight)
    np.testing.assert_allclose(model.predict_proba(X), reference.predict_proba(scaled), rtol=1e-6)  # an iterative fit


@pytest.mark.parametrize("method", METHODS)
def test_data_frames_keep_their_columns(method):
    pandas = pytest.importorskip("pandas")
    X, y = overlapping(80, names=(False, True))
    frame = pandas.DataFrame(X, columns=["a", "b"])
    model = CostSensitive(GaussianNB(), COSTS, method, random_state=0).fit(frame, pandas.Series(y, index=y + 1))
    assert model.feature_names_in_.tolist() == ["a", "b"]
    reference = CostSensitive(GaussianNB(), COSTS, method, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict(frame), reference.predict(X))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("costs", [None, COSTS, THREE, Costs(THREE, prior=[0.1, 0.2, 0.7])], ids=repr)
def test_one_class_is_predicted_always(method, costs):
    model = CostSensitive(costs=costs, method=method, positive="other", random_state=0)
    fitted = model.fit([[1.0], [2.0]], ["only", "only"])
    assert fitted.predict([[5.0]]).tolist() == ["only"]
    assert fitted.trace_[0]["cases"] == 2


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("base", [GaussianNB(), RidgeClassifier()], ids=["bayes", "ridge"])
def test_a_class_without_weight_is_not_there(method, base):
    if method == "relabel" and not hasattr(base, "predict_proba"):
        return
    X, y = overlapping(50, names=("no", "yes"))
    model = CostSensitive(base, COSTS, method, random_state=0).fit(X, y, y == "yes")
    assert set(model.predict(X)) == {"yes"}
    assert model.classes_.tolist() == ["no", "yes"]


def test_the_seed_reaches_the_learner_inside_unless_it_has_its_own():
    X, y = overlapping(100)
    inside = [
        CostSensitive(DecisionTreeClassifier(random_state=own), random_state=seed).fit(X, y).estimator_.random_state
        for own, seed in ((None, 0), (None, 0), (None, 1), (7, 0), (None, None))
    ]
    assert inside[0] == inside[1] != inside[2]
    assert inside[3:] == [7, None]


def test_folds_hold_copies_together_and_spread_classes():
    X, y = overlapping(103)
    doubled, codes = np.vstack([X, X]), np.append(y, y)
    splits = cost_folds(5, doubled, codes, np.ones(206), np.random.default_rng(0))
    tested = np.concatenate([test for _, test in splits])
    assert sorted(tested) == list(range(206))
    for train, test in splits:
        assert set(test % 103).isdisjoint(train % 103)
        assert 40 <= len(test) <= 44
        assert abs(codes[test].mean() - codes.mean()) < 0.05
    lonely = cost_folds(5, X[:6], np.array([0, 0, 0, 0, 0, 1]), np.ones(6), np.random.default_rng(0))
    assert all(5 in train for train, _ in lonely)


# --- what is refused ----------------------------------------------------------------------------------------------

ALONE = make_pipeline(StandardScaler(), KNeighborsClassifier())


@pytest.mark.parametrize(
    ("arguments", "y", "sentence"),
    [
        (
            {"method": "weigths"},
            [0, 1],
            "`method` must be one of 'duplicate', 'resample', 'weights', 'threshold', 'relabel', not 'weigths'; "
            "did you mean 'weights'?",
        ),
        (
            {"method": ["weights"]},
            [0, 1],
            "`method` must be one of 'duplicate', 'resample', 'weights', 'threshold', 'relabel', not ['weights']; "
            "did you mean 'weights'?",
        ),
        ({"estimator": LinearRegression()}, [0, 1], "`estimator` must be a classifier, not LinearRegression()."),
        *(
            (
                {"method": "relabel", "cv": cv},
                [0, 1],
                f"`cv` must be a whole number, a scheme, a splitter or pairs of training and test rows, not {cv}.",
            )
            for cv in ([1, 2, 3], [([0.5], [1])], [([True], [False])])
        ),
        ({"method": "relabel", "cv": [([0, 7], [8])]}, [0, 1], "`cv` must have rows from 0 to 7, not 8."),
        ({"method": "relabel", "cv": [([0, 7], [-1])]}, [0, 1], "`cv` must have rows from 0 to 7, not -1."),
        (
            {"estimator": KNeighborsClassifier()},
            [0, 1],
            "`method` must not be 'weights', since KNeighborsClassifier has no `sample_weight`; "
            "use 'resample' or 'duplicate'.",
        ),
        (
            {"estimator": ALONE},
            [0, 1],
            "`method` must not be 'weights', since StandardScaler > KNeighborsClassifier has no `sample_weight`; "
            "use 'resample' or 'duplicate'.",
        ),
        (
            {"estimator": LinearSVC(), "method": "relabel"},
            [0, 1],
            "`method` must not be 'relabel', since LinearSVC has no `predict_proba`; "
            "use CalibratedClassifierCV around it.",
        ),
        (
            {"estimator": LinearSVC(), "method": "threshold"},
            [0, 2],
            "`method` must not be 'threshold', since LinearSVC has no `predict_proba` and there are 3 classes; "
            "use CalibratedClassifierCV around it.",
        ),
        (
            {"costs": [[0, 1], [-1, 0]]},
            [0, 1],
            "`costs` must not make an error cheaper than the correct decision, as for predicting 0 instead of 1.",
        ),
        (
            {"costs": [[1, 1], [1, 1]]},
            [0, 1],
            "`costs` must make at least one error more expensive than the correct decision.",
        ),
        (
            {"costs": Costs(false_negative=1, false_positive=0)},
            [0, 1],
            "`method` must be 'threshold' or 'relabel' with these costs, not 'weights': errors on class 0 cost "
            "nothing, so the class would not be learned.",
        ),
        (
            {"costs": Costs(false_negative=5000, false_positive=1), "method": "duplicate"},
            [0, 1],
            "`method` must not be 'duplicate' if a class is repeated 5000 times, more than 1000; "
            "use 'weights' or 'resample'.",
        ),
        (
            {"costs": COSTS},
            [0, 2],
            "`Costs` of false negatives and false positives need two classes, not 3; give a matrix.",
        ),
        (
            {"estimator": "tree"},
            [0, 1],
            "`estimator` must be an estimator with `fit`, `predict` and `get_params`, not 'tree'.",
        ),
        ({"positive": "y"}, [0, 1], "`positive` must be one of 0, 1, not 'y'."),
        ({"method": "threshold", "tune": True}, [0, 2], "`tune` must be False with 3 classes; a threshold needs two."),
        ({"tune": True}, [0, 1], "`tune` must be False with method 'weights'; only 'threshold' can be tuned."),
        ({"tune": "yes"}, [0, 1], "`tune` must be True or False, not 'yes'."),
        ({"method": "relabel", "cv": 1}, [0, 1], "`cv` must be at least 2, not 1."),
        (
            {"method": "relabel", "cv": "five"},
            [0, 1],
            "`cv` must be a whole number, a scheme, a splitter or pairs of training and test rows, not 'five'.",
        ),
        (
            {"method": "relabel", "cv": []},
            [0, 1],
            "`cv` must have at least one pair of training and test rows; it is empty.",
        ),
        (
            {"method": "relabel", "cv": [([0, 1], [2, 3])]},
            [0, 1],
            "`cv` must have cases of at least two classes in each training set.",
        ),
    ],
)
def test_what_is_refused_is_said(arguments, y, sentence):
    X = np.arange(8.0).reshape(-1, 1)
    with pytest.raises(HowsureError) as error:
        CostSensitive(**arguments).fit(X, np.sort(np.resize(np.arange(y[0], y[1] + 1), 8)))
    assert str(error.value) == sentence


def test_weights_that_a_learner_cannot_take_are_refused():
    X, y = overlapping(20)
    for method in ("threshold", "relabel", "duplicate"):
        with pytest.raises(HowsureError) as error:
            CostSensitive(KNeighborsClassifier(3), method=method, cv=2).fit(X, y, np.linspace(0.1, 1, 20))
        assert str(error.value) == ("`sample_weight` is not supported by KNeighborsClassifier; use method 'resample'.")
    CostSensitive(KNeighborsClassifier(3), method="resample", random_state=0).fit(X, y, np.linspace(0.1, 1, 20))


# --- all methods side by side -------------------------------------------------------------------------------------


def test_the_methods_of_a_learner():
    models = cost_methods(GaussianNB(), COSTS, "yes")
    assert list(models) == ["plain", *METHODS]
    assert models["relabel"].get_params(deep=False) | {"estimator": None, "costs": None} == CostSensitive(
        method="relabel", positive="yes"
    ).get_params(deep=False)
    assert list(cost_methods(GaussianNB(), COSTS, methods=["threshold"])) == ["plain", "threshold"]
    with pytest.raises(HowsureError) as error:
        cost_methods(KNeighborsClassifier(), COSTS, methods=["weights"])
    assert str(error.value) == (
        "`methods` must not name 'weights', since KNeighborsClassifier has no `sample_weight`; "
        "use 'resample' or 'duplicate'."
    )
    with pytest.raises(HowsureError, match=r"`methods` must be one of 'duplicate', .*, not 'sometimes'"):
        cost_methods(GaussianNB(), COSTS, methods=["sometimes"])
    with pytest.raises(HowsureError, match=r"`methods` must be one or more different methods, not \[\]"):
        cost_methods(GaussianNB(), COSTS, methods=[])
    with pytest.raises(HowsureError, match=r"`methods` must be one or more different methods, not 5"):
        cost_methods(GaussianNB(), COSTS, methods=5)
    with pytest.raises(HowsureError, match=r"`methods` must be one of 'duplicate', .*, not \['weights'\]"):
        cost_methods(GaussianNB(), COSTS, methods=[["weights"]])


@pytest.fixture(scope="module")
def compared():
    return compare_cost_methods(GaussianNB(), *overlapping(600, names=("<b>no", "yes")), COSTS, resampling=KFold(5))


def test_all_methods_on_the_same_splits(compared):
    assert compared.methods == ("plain", *METHODS)
    assert compared.comparison.names == compared.methods
    assert {pair.b for pair in compared.comparison.pairs} == {"plain"}
    records = {record["method"]: record for record in compared.records()}
    for method, record in records.items():
        table = compared.experiment.assess(method, costs=COSTS)
        counts = table.confusion.counts
        assert record["false negatives"] == pytest.approx(100 * counts[1, 0] / 600, rel=RTOL)
        assert record["false positives"] == pytest.approx(100 * counts[0, 1] / 600, rel=RTOL)
        # Five folds of 120 cases: the mean of splits is the pooled value.
        assert record["mean_cost"] == pytest.approx((10 * counts[1, 0] + counts[0, 1]) / 600, rel=RTOL)
        assert record["error_rate"] == pytest.approx((counts[1, 0] + counts[0, 1]) / 600, rel=RTOL)
        assert record["low"] < record["mean_cost"] < record["high"]
    assert np.isnan(records["plain"]["adjusted"])
    assert records["threshold"]["mean_cost"] < records["plain"]["mean_cost"]
    assert compared.best_method != "plain"


def test_the_comparison_shows_itself(compared):
    assert repr(compared) == "CostMethods(learner='GaussianNB')"
    text = str(compared)
    assert text.startswith("GaussianNB, KFold(folds=5, repeats=1, stratified=True); positive: yes\n")
    assert compared.verdict in " ".join(text.split())
    assert compared.verdict.startswith("Compared with plain in ")
    assert "<b>" not in compared._repr_html_()
    assert compared.frame().shape == (6, 8)
    content = json.loads(json.dumps(compared.to_dict()))
    assert content["methods"][0]["adjusted"] is None
    assert content["best_method"] == compared.best_method


def test_a_folder_is_resumed(tmp_path):
    X, y = overlapping(100)
    options = {"methods": ["resample", "relabel"], "resampling": KFold(3), "folder": tmp_path / "runs"}
    first = compare_cost_methods(DecisionTreeClassifier(), X, y, COSTS, **options)
    written = {path: path.stat().st_mtime_ns for path in (tmp_path / "runs").rglob("*.parquet")}
    again = compare_cost_methods(DecisionTreeClassifier(), X, y, COSTS, **options, n_jobs=1)
    assert again.records()[1:] == first.records()[1:]
    assert {path: path.stat().st_mtime_ns for path in written} == written


def test_three_classes_count_the_errors_on_each():
    rng = np.random.default_rng(0)
    y = np.arange(150) % 3
    X = rng.normal(size=(150, 2)) + y[:, None]
    methods = (name for name in ("threshold", "weights"))  # which can be read once
    result = compare_cost_methods(GaussianNB(), X, y, THREE, resampling=KFold(3), methods=methods)
    record = result.records()[1]
    counts = result.experiment.assess("threshold").confusion.counts
    for label in range(3):
        wrong = counts[label].sum() - counts[label, label]
        assert record[f"errors on {label}"] == pytest.approx(100 * wrong / 150, rel=RTOL)
    assert result.positive is None


def test_methods_that_cannot_be_used_are_left_out_and_named():
    X, y = overlapping(60)
    result = compare_cost_methods(KNeighborsClassifier(3), X, y, COSTS, resampling=KFold(2))
    assert result.left_out == {"weights": "KNeighborsClassifier has no `sample_weight`"}
    assert "left out: weights, since KNeighborsClassifier has no `sample_weight`" in result.text(width=1000)
    free = compare_cost_methods(GaussianNB(), X, y, Costs(false_negative=1, false_positive=0), resampling=KFold(2))
    assert free.left_out == dict.fromkeys(("duplicate", "resample", "weights"), "errors on class 0 cost nothing")
    assert free.records()[1]["mean_cost"] == 0  # always positive costs nothing
    with pytest.raises(HowsureError) as error:
        compare_cost_methods(KNeighborsClassifier(3), X, y, COSTS, methods=["threshold", "weights"])
    assert str(error.value) == "`methods` must not name 'weights', since KNeighborsClassifier has no `sample_weight`."
    with pytest.raises(HowsureError, match=r"`learner` must be an estimator with .*, not 'tree'"):
        compare_cost_methods("tree", X, y, COSTS)
    with pytest.raises(HowsureError, match="`Costs` must have a row and a column for each of the 2 classes, not 3"):
        compare_cost_methods(GaussianNB(), X, y, THREE)


def test_the_methods_fit_an_experiment():
    X, y = overlapping(200)
    learners = cost_methods(DummyClassifier(), COSTS, methods=["threshold"])
    result = Experiment(learners, {"data": (X, y)}, KFold(3)).run(progress=False)
    # A share of 15 % of positives is above 1 / 11, so all are called positive: the cost is the share of negatives.
    assert result.assess("threshold", costs=COSTS)["mean_cost"].value == pytest.approx(1 - y.mean(), rel=RTOL)
    assert result.assess("plain", costs=COSTS)["mean_cost"].value == pytest.approx(10 * y.mean(), rel=RTOL)


def test_the_trace_says_whose_errors_are_false_negatives():
    X, y = np.arange(8.0)[:, None], np.array(["leave", "stay"] * 4)
    costs = Costs(false_negative=5, false_positive=1)
    silent = CostSensitive(DecisionTreeClassifier(), costs).fit(X, y)
    assert silent.trace_.title == "costs used by weights; positive: stay, the second class by default"
    explicit = CostSensitive(DecisionTreeClassifier(), costs, positive="leave").fit(X, y)
    assert explicit.trace_.title == "costs used by weights; positive: leave"
    free = CostSensitive(DecisionTreeClassifier()).fit(X, y)
    assert free.trace_.title == "costs used by weights: all errors cost the same"


def test_a_class_that_a_training_part_lacks_does_not_stop_the_comparison():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.array(["a", "b"] * 30)
    y[7] = "odd"
    result = compare_cost_methods(DecisionTreeClassifier(max_depth=2), X, y, [[0, 5, 1], [1, 0, 1], [1, 1, 0]])
    assert result.experiment.failures().rows == []
    assert np.isfinite(result.costs_by_split.values).all()
    assert min(record["low"] for record in result.records()) >= 0
    assert "p against plain, bonferroni" in result.sheet().columns


def test_a_scheme_says_which_cases_are_left_out():
    X, y = overlapping(120)
    costs = Costs(false_negative=4, false_positive=1)
    for cv in (KFold(3), StratifiedKFold(3)):
        model = CostSensitive(GaussianNB(), costs, "relabel", cv=cv, random_state=0).fit(X, y)
        for record in model.trace_:
            others = [value for name, value in record.items() if name.startswith("to ") and value is not None]
            assert record["kept"] + sum(others) == record["cases"]
        assert any(record["kept"] < record["cases"] for record in model.trace_)
