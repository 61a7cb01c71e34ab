"""Criteria without a test set: what each learner gets, why some get nothing, and what is chosen."""

from __future__ import annotations

import itertools
import json
import math
import pickle
import time
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.text import Text
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier, SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from howsure import Experiment, HowsureError, KFold
from howsure.theory.information.capacity import find_capacity, tree_capacity, vc_bound
from howsure.theory.information.criteria_table import criteria
from howsure.theory.information.description_length import count_thresholds, leaf_bits, tree_code, walk
from howsure.theory.information.fitted_models import tree_of
from howsure.theory.information.likelihood import aic, aicc, bic, log_likelihood
from howsure.theory.information.parameter_counts import PENALIZED, count_parameters
from howsure.theory.shell import plot_shell_volume, shell_volume

# scikit-learn 1.8 warns of an infinite C, which is how a fit without a penalty is asked for from 1.9 on
pytestmark = pytest.mark.filterwarnings("ignore:Setting penalty=None will ignore the C")

RTOL = 1e-12  # the same sums in another order
IRIS, SPECIES = load_iris(return_X_y=True)
TWO_FOLDS = KFold(2)


def two_classes(n=60, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3 == 0
    return rng.normal(size=(n, 3)) + truth[:, None], np.where(truth, "yes", "no")


X, Y = two_classes()
CODES = (Y == "yes").astype(int)


class Fixed(ClassifierMixin, BaseEstimator):
    """Gives the probabilities it was made with, whatever it is asked."""

    def __init__(self, first=0.5):
        self.first = first

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        first = np.resize(np.asarray(self.first, float), len(X))
        return np.column_stack([first, 1 - first])

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


# Formulas


def test_the_criteria_are_their_formulas():
    assert aic(-100, 3) == 206
    assert bic(-100, 3, 50) == pytest.approx(200 + 3 * math.log(50), rel=RTOL)
    assert aicc(-100, 3, 50) == pytest.approx(206 + 2 * 3 * 4 / 46, rel=RTOL)


def test_the_correction_goes_with_many_cases():
    assert aicc(-100, 3, 10**9) == pytest.approx(aic(-100, 3), rel=1e-9)  # 24 / 10^9 of 206


def test_no_correction_with_as_few_cases_as_parameters():
    assert math.isnan(aicc(-1, 3, 4))
    assert not math.isnan(aicc(-1, 3, 5))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: vc_bound(1.2, 10, 2), "`training_error` must be a share, from 0 to 1, not 1.2."),
        (lambda: vc_bound(0.2, 10.5, 2), "`n` must be a whole number of cases, 1 or above, not 10.5."),  # type: ignore[arg-type]
        (lambda: vc_bound(0.2, 10, 0), "`h` must be a number above 0, not 0."),
        (lambda: vc_bound(0.2, 10, 2, 1), "`confidence` must be a number between 0 and 1, not 1."),
    ],
)
def test_what_formulas_refuse(call, message):
    with pytest.raises(HowsureError) as refused:
        call()
    assert str(refused.value) == message


@settings(max_examples=50, deadline=None)
@given(n=st.integers(1, 10_000), h=st.floats(0.5, 1e6), error=st.floats(0, 1))
def test_the_bound_grows_with_capacity_and_confidence_and_is_above_the_training_error(n, h, error):
    bound = vc_bound(error, n, h)
    assert bound > error
    assert vc_bound(error, n, 1.5 * h) >= bound
    assert vc_bound(error, n, h, 0.99) > bound
    if h >= n:
        assert bound > 1


# Capacity


@pytest.mark.parametrize(("inner", "attributes"), [(0, 1), (1, 1), (3, 5), (20, 30)])
def test_capacity_of_trees_is_the_largest_number_of_points_not_ruled_out(inner, attributes):
    shapes = math.comb(2 * inner, inner) // (inner + 1)
    every = [m for m in range(1, 1000) if shapes * (attributes * m) ** inner * 2 ** (inner + 1) >= 2**m]
    assert tree_capacity(inner, attributes) == max(every)


def test_capacity_of_a_huge_tree_takes_no_time():
    """Shapes are counted to the last digit up to 10,000 inner nodes, and by logarithms from there on."""
    start = time.perf_counter()
    huge = tree_capacity(300_000, 20)
    assert time.perf_counter() - start < 1  # some 5 s with all digits, 1 ms without
    assert huge == 9_133_365  # with all digits
    assert 0 < tree_capacity(10_001, 20) - tree_capacity(10_000, 20) < 40  # log2 of d m, of 4 shapes, and more


@pytest.mark.parametrize(
    ("learner", "h"),
    [
        (LogisticRegression(), 4),
        (LogisticRegression(fit_intercept=False), 3),
        (Perceptron(), 4),
        (LinearDiscriminantAnalysis(), 4),
        (GaussianNB(), 7),
        (QuadraticDiscriminantAnalysis(), 1 + 3 + 6),
        (DummyClassifier(), 1),
        (DecisionTreeClassifier(max_depth=1), tree_capacity(1, 3)),
        (make_pipeline(PCA(2), LogisticRegression()), 3),
    ],
)
def test_capacity_of_the_families(learner, h):
    result = find_capacity(learner.fit(X, Y), 2)
    assert result == (h, "")


def test_no_capacity_without_a_reason():
    assert find_capacity(DummyClassifier(strategy="uniform").fit(X, Y), 2).note == (
        "the VC dimension of DummyClassifier is unknown; set it with `capacity`"
    )
    assert find_capacity(LogisticRegression(max_iter=1000).fit(IRIS, SPECIES), 3).note == (
        "no VC bound, because it needs two classes but there are 3"
    )


# Parameters


@pytest.mark.parametrize(
    ("learner", "two", "three"),
    [
        (LogisticRegression(C=np.inf, max_iter=10_000), 5, 10),
        (LogisticRegression(C=np.inf, max_iter=10_000, fit_intercept=False), 4, 8),
        (SGDClassifier(loss="log_loss", alpha=0, learning_rate="constant", eta0=0.01), 5, 15),
        (RidgeClassifier(alpha=0), 5, 15),
        (LinearDiscriminantAnalysis(), 1 + 8 + 10, 2 + 12 + 10),
        (QuadraticDiscriminantAnalysis(), 1 + 8 + 20, 2 + 12 + 30),
        (GaussianNB(), 1 + 16, 2 + 24),
        (GaussianNB(priors=[0.5, 0.5]), 16, None),
        (BernoulliNB(binarize=2), 1 + 8, 2 + 12),
        (MultinomialNB(), 1 + 6, 2 + 9),
        (MultinomialNB(fit_prior=False), 6, 9),
        (DummyClassifier(), 1, 2),
        (DummyClassifier(strategy="uniform"), 0, 0),
        (DecisionTreeClassifier(max_depth=1), 2 + 2 * 1, 2 + 2 * 2),
        (make_pipeline(StandardScaler(), PCA(2), GaussianNB()), 1 + 8, 2 + 12),
        (GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-6]}, cv=2), 1 + 16, 2 + 24),
    ],
)
def test_parameters_of_the_families(learner, two, three):
    some = SPECIES > 0
    assert count_parameters(learner.fit(IRIS[some], SPECIES[some])) == (two, "")
    if three is not None:
        assert count_parameters(learner.fit(IRIS, SPECIES)) == (three, "")


def test_parameters_of_a_network_are_its_weights():
    with pytest.warns(UserWarning, match="Maximum iterations"):
        model = MLPClassifier((5,), max_iter=3, random_state=0).fit(X, Y)
    result = count_parameters(model)
    assert result == ((3 + 1) * 5 + (5 + 1) * 1, PENALIZED)


def test_parameters_of_categories():
    values = np.array([[0, 0], [1, 1], [0, 2], [1, 0]])
    assert count_parameters(CategoricalNB().fit(values, [0, 0, 1, 1])) == (1 + 2 * (1 + 2), "")


@pytest.mark.parametrize(
    ("learner", "reason"),
    [
        (LogisticRegression(C=np.inf), ""),
        (LogisticRegression(), PENALIZED),
        (SGDClassifier(loss="log_loss"), PENALIZED),
        (SGDClassifier(loss="log_loss", penalty=None), ""),
        (LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1), PENALIZED),
        (QuadraticDiscriminantAnalysis(reg_param=0.1), PENALIZED),
        (RidgeClassifier(), PENALIZED),
    ],
)
def test_a_penalized_fit_has_fewer_parameters_than_counted(learner, reason):
    assert count_parameters(learner.fit(X, Y)).note == reason


def test_a_pruned_tree_is_what_is_left_of_it():
    from howsure.learners.tree.pessimistic import PessimisticTree

    noise = np.random.default_rng(2).integers(0, 2, 300)
    noise[:150] = 0
    some = np.column_stack([np.arange(300), np.random.default_rng(3).normal(size=300)])
    pruned = PessimisticTree(random_state=0).fit(some, noise)
    leaves = pruned.get_n_leaves()
    assert 1 < leaves < pruned.grown_.get_n_leaves()
    assert count_parameters(pruned) == (2 * (leaves - 1) + leaves, "")
    assert find_capacity(pruned, 2) == (tree_capacity(leaves - 1, 2), "")
    ours = sorted(rows.tolist() for rows, column in walk(tree_of(pruned), some) if column is None)
    at = pruned.apply(some)
    assert ours == sorted(np.flatnonzero(at == leaf).tolist() for leaf in np.unique(at))


# Likelihood


def test_the_likelihood_of_a_tree_is_that_of_its_leaves():
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, Y)
    by_hand = 0.0
    for leaf in np.unique(model.apply(X)):
        counts = np.bincount(CODES[model.apply(X) == leaf], minlength=2)
        by_hand += sum(c * math.log(c / counts.sum()) for c in counts if c)
    assert log_likelihood(model, X, CODES, ("no", "yes")).value == pytest.approx(by_hand, rel=RTOL)


def test_a_logistic_likelihood_does_not_underflow():
    """1 - expit(40) is 0 in double precision; its logarithm is -40 all the same."""
    model = LogisticRegression(C=np.inf).fit([[0.0], [1.0], [0.0], [1.0]], [0, 0, 1, 1])
    model.coef_, model.intercept_ = np.array([[40.0]]), np.array([0.0])
    result = log_likelihood(model, [[1.0]], np.array([0]), (0, 1))
    assert result.value == pytest.approx(-40, rel=RTOL)


def test_probability_0_of_what_happened_is_said():
    result = criteria({"sure": Fixed([0.0, 1.0]), "half": Fixed()}, X, Y, parameters={"sure": 1, "half": 0})
    sure, half = result.values.values()
    assert sure["log_likelihood"] == -math.inf
    assert sure["aic"] == sure["bic"] == sure["mdl_bits"] == math.inf
    never = int((np.resize([0.0, 1.0], 60) == CODES).sum())
    reason = f"the true class of {never} cases (the first at index 2) has probability 0"
    assert result.reasons["sure"][0] == f"log-likelihood -inf, because {reason}"
    assert half["log_likelihood"] == pytest.approx(-60 * math.log(2), rel=RTOL)
    assert half["mdl_bits"] == pytest.approx(60, rel=RTOL)  # a bit for each case, none for the model
    assert result.best_by["aic"] == "half"
    assert result.to_dict()["learners"][0]["log_likelihood"] == "-inf"


def test_a_probability_that_is_no_number_is_said():
    result = log_likelihood(Fixed([0.5, np.nan]).fit(X, Y), X, CODES, ("no", "yes"))
    assert math.isnan(result.value)
    assert result.note == "no likelihood, because the probability is NaN at index 1"


def test_weighted_classes_are_said():
    result = criteria({"it": LogisticRegression(C=np.inf, class_weight="balanced")}, X, Y, resampling=TWO_FOLDS)
    *_, text = result.reasons["it"]  # scikit-learn 1.8 warns of an infinite C, which stands before it
    assert text == "classes are weighted, so the fit does not maximize the likelihood, which the criteria assume"


class Odd(Fixed):
    """Answers in a way of its own when it is asked for probabilities."""

    def __init__(self, answer="fails"):
        self.answer = answer

    def predict(self, X):
        return np.resize(self.classes_, len(X))

    def predict_proba(self, X):
        if self.answer == "fails":
            raise RuntimeError("no\nway")
        if self.answer == "warns":
            warnings.warn("beware", stacklevel=1)
            return np.full((len(X), 2), 0.5)
        return np.tile([1.5, -0.5] if self.answer == "negative" else [1.5, 1.5], (len(X), 1))


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("fails", "no likelihood, because predicting probabilities failed: RuntimeError: no"),
        ("negative", "no likelihood, because the probability is NaN at index 0"),
        ("large", "no likelihood, because its probabilities do not sum to 1 at index 0"),
    ],
)
def test_a_learner_without_probabilities_does_not_stop_the_others(answer, reason):
    result = criteria({"odd": Odd(answer), "half": Fixed()}, X, Y, parameters={"odd": 0, "half": 0})
    assert result.reasons["odd"][0] == reason
    assert math.isnan(result.records()[0]["aic"])
    assert result.best_by["aic"] == "half"


def test_a_warning_on_probabilities_is_reported():
    result = criteria({"it": Odd("warns")}, X, Y, parameters={"it": 0}, resampling=TWO_FOLDS)
    assert result.reasons["it"][0] == "while predicting probabilities: UserWarning: beware"
    assert result.records()[0]["log_likelihood"] == pytest.approx(-60 * math.log(2), rel=RTOL)


def test_no_likelihood_without_classes():
    model = Fixed().fit(X, Y)
    del model.classes_
    assert log_likelihood(model, X, CODES, ("no", "yes")).note == "no likelihood, because it has no `classes_`"


@pytest.mark.parametrize("label", [0, 1, True, "a"])
def test_a_class_that_does_not_occur_needs_no_probability(label):
    """Of 0 and 1 the other one is a class too, though no case has it and the learner has not seen it."""
    result = criteria({"it": GaussianNB()}, X, np.array([label] * 60), resampling=TWO_FOLDS)
    assert result.records()[0]["log_likelihood"] == 0


# Description length


@pytest.mark.parametrize(("n", "classes"), [(3, 2), (5, 2), (4, 3), (0, 2), (3, 1)])
def test_the_code_of_a_leaf_is_one(n, classes):
    """Kraft: over all messages that there can be, 2 to minus their length adds up to 1."""
    every = itertools.product(range(classes), repeat=n)
    total = sum(2 ** -leaf_bits(np.bincount(np.array(one, int), minlength=classes)) for one in every)
    assert total == pytest.approx(1, rel=1e-10)  # sums of rounded logarithms


@pytest.mark.parametrize("kind", ["dense", "sparse", "missing", "frame"])
def test_cases_go_where_the_tree_sends_them(kind):
    import pandas as pd
    from scipy.sparse import csr_array

    rng = np.random.default_rng(1)
    some = rng.normal(size=(80, 4)).round(1) * (rng.random((80, 4)) < 0.6)
    if kind == "missing":
        some[rng.random(some.shape) < 0.2] = np.nan
    codes = rng.integers(0, 3, 80)
    nullable_frame = {"sparse": csr_array, "frame": pd.DataFrame}.get(kind, np.asarray)(some)
    model = DecisionTreeClassifier(random_state=0).fit(nullable_frame, codes)
    ours = sorted(rows.tolist() for rows, column in walk(tree_of(model), nullable_frame) if column is None)
    at = model.apply(nullable_frame)
    assert ours == sorted(np.flatnonzero(at == leaf).tolist() for leaf in np.unique(at))
    if kind != "missing":
        assert tree_code(tree_of(model), 4, nullable_frame, codes, 3) == tree_code(tree_of(model), 4, some, codes, 3)


@pytest.mark.parametrize(
    ("values", "cuts"), [([1, 2, 2, 5], 2), ([1, 1], 1), ([1, 2, np.nan], 3), ([np.nan, np.nan], 1), ([], 1)]
)
def test_the_number_of_cuts(values, cuts):
    assert count_thresholds(np.array(values, float)) == cuts


def test_missing_values_of_pandas_are_missing_values():
    import pandas as pd

    holes = X.copy()
    holes[::7, 0] = np.nan
    nullable_frame = pd.DataFrame(holes).astype("Float64")
    assert nullable_frame.isna().to_numpy().any()
    learners = {"tree": DecisionTreeClassifier(max_depth=3)}
    plain, nullable = (
        criteria(learners, some, Y, resampling=TWO_FOLDS).records()[0] for some in (holes, nullable_frame)
    )
    assert nullable["mdl_bits"] == plain["mdl_bits"]


def test_a_sparse_column_is_read_in_parts():
    """Unsorted, with a row that is empty and one that is not asked for."""
    from scipy.sparse import csc_array

    matrix = csc_array((np.array([3.0, 1.0]), np.array([4, 1]), np.array([0, 2])), shape=(6, 1))
    tree = DecisionTreeClassifier(random_state=0).fit(matrix.toarray(), [0, 1, 0, 0, 1, 0])
    result = [column.tolist() for _, column in walk(tree_of(tree), matrix) if column is not None]
    assert result == [[0, 1, 0, 0, 3, 0]]
    assert matrix.indices.tolist() == [4, 1]


def test_a_large_tree_costs_more_than_it_explains():
    noise = np.random.default_rng(0).integers(0, 2, 60)
    result = criteria({"none": DummyClassifier(), "tree": DecisionTreeClassifier()}, X, noise, resampling=TWO_FOLDS)
    none, tree = result.values.values()
    assert tree["training_error"] == 0
    assert tree["mdl_bits"] == tree["model_bits"] + tree["data_bits"] > 60 > none["data_bits"]
    assert result.best_by["mdl_bits"] == result.best_by["srm_bound"] == "none"


def test_a_tree_in_a_pipeline_is_coded_by_what_reaches_it():
    pipe, tree = make_pipeline(PCA(2), DecisionTreeClassifier(max_depth=2)), DecisionTreeClassifier(max_depth=2)
    whole = criteria({"it": pipe}, X, Y, resampling=TWO_FOLDS)
    part = criteria({"it": tree}, PCA(2).fit_transform(X), Y, resampling=TWO_FOLDS)
    assert whole.values["it"]["mdl_bits"] == part.values["it"]["mdl_bits"]
    assert whole.codings == {
        "it": "nodes, features, thresholds and classes of the tree, then the exceptions in each leaf"
    }


# The table


@pytest.fixture(scope="module")
def table():
    learners = {
        "bayes": GaussianNB(),
        "<b>tree": DecisionTreeClassifier(max_depth=2),
        "knn": KNeighborsClassifier(),
        "plane": Perceptron(),
    }
    return criteria(learners, X, Y, resampling=TWO_FOLDS)


def test_each_learner_has_a_record_and_reasons(table):
    assert table.learners == ("bayes", "<b>tree", "knn", "plane")
    assert table.reasons["knn"] == (
        "the number of parameters of KNeighborsClassifier is unknown; set it with `parameters`",
        "the VC dimension of KNeighborsClassifier is unknown; set it with `capacity`",
    )
    assert table.reasons["plane"] == (
        "no likelihood, because it has no `predict_proba`",
        "no CV log loss, because the scores are not probabilities: some are outside the range from 0 to 1",
    )
    knn, plane = table.values["knn"], table.values["plane"]
    assert all(math.isnan(knn[name]) for name in ("aic", "aicc", "bic", "mdl_bits", "srm_bound"))
    assert knn["log_likelihood"] < 0
    assert plane["srm_bound"] == vc_bound(plane["training_error"], 60, 4)


def test_cross_validation_is_that_of_an_experiment_on_the_same_splits(table):
    alone = Experiment({"bayes": GaussianNB()}, {"data": (X, Y)}, TWO_FOLDS).run(progress=False)
    error = alone.estimate("error_rate", "bayes")
    record = table.values["bayes"]
    assert record["cv_error"] == error.value
    assert (record["cv_low"], record["cv_high"]) == (error.interval().low, error.interval().high)
    assert record["cv_log_loss"] == alone.estimate("log_loss", "bayes").value
    assert record["training_error"] == np.mean(GaussianNB().fit(X, Y).predict(X) != Y)


def test_the_best_is_the_lowest_of_each_column(table):
    for criterion, name in table.best_by.items():
        values = {name: record[criterion] for name, record in table.values.items()}
        assert values[name] == np.nanmin(list(values.values()))
    assert set(table.best_by) == {"aic", "aicc", "bic", "mdl_bits", "srm_bound", "cv_error", "cv_log_loss"}


def test_equals_are_all_best_and_agree():
    result = criteria({"one": GaussianNB(), "two": GaussianNB()}, X, Y, resampling=TWO_FOLDS)
    assert result.choices["aic"] == ("one", "two")
    assert result.best_by["aic"] == "one"
    assert result.agree
    assert result.notes[0] == (
        "the criteria agree; best learner: one and two by AIC, AICc, BIC, MDL, SRM, CV error, CV log loss"
    )


def test_what_is_shown(table):
    assert repr(table) == (
        "Criteria(4 learners, 60 cases; best by AIC: <b>tree, AICc: <b>tree, BIC: <b>tree, MDL: <b>tree, SRM: plane, "
        "CV error: <b>tree, CV log loss: bayes)"
    )
    assert (
        str(table).splitlines()[0] == "criteria for 60 cases, compared with KFold(folds=2, repeats=1, stratified=True)"
    )
    assert "<b>" not in table._repr_html_()
    assert "&lt;b&gt;tree" in table._repr_html_()
    values = json.loads(json.dumps(table.to_dict()))
    assert values["learners"][2]["aic"] is None
    assert values["best_by"] == table.best_by
    assert table.frame("pandas")["bic"].tolist()[:2] == [record["bic"] for record in table.records()[:2]]
    assert table.frame("polars").height == 4


def test_amounts_may_be_given():
    result = criteria(
        {"knn": KNeighborsClassifier(), "tree": DecisionTreeClassifier(max_depth=2)},
        X,
        Y,
        parameters={"knn": 12.5, "tree": lambda model: model.get_n_leaves() + 1},
        capacity={"knn": lambda model: 100},
        resampling=TWO_FOLDS,
    )
    knn, tree = result.values.values()
    assert (knn["parameters"], tree["parameters"]) == (12.5, 4)
    assert knn["aic"] == pytest.approx(25 - 2 * knn["log_likelihood"], rel=RTOL)
    assert result.reasons["knn"] == (
        "the SRM bound is above 1 and uninformative, since the VC dimension 100 is not below the number of cases",
    )


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"parameters": 7}, "`parameters` must be a mapping of names of learners, such as {'forest': 7}, not 7."),
        ({"parameters": {"byes": 7}}, "`parameters` must be 'bayes', not 'byes'; did you mean 'bayes'?"),
        (
            {"parameters": {"bayes": -1}},
            "`parameters of bayes` must be a number, 0 or above, or a function that returns one, not -1.",
        ),
        (
            {"capacity": {"bayes": lambda model: 0}},
            "`capacity of GaussianNB` must be a number, above 0, or a function that returns one, not 0.",
        ),
        ({"confidence": 95}, "`confidence` must be a number between 0 and 1, not 95; did you mean 0.95?"),
    ],
)
def test_what_is_refused(more, message):
    with pytest.raises(HowsureError) as refused:
        criteria({"bayes": GaussianNB()}, X, Y, **more)
    assert str(refused.value) == message


def test_a_learner_that_cannot_be_fitted_has_no_criteria():
    result = criteria({"bayes": GaussianNB(), "bad": GaussianNB(priors=[1.0])}, X, Y, resampling=TWO_FOLDS)
    reason = "ValueError: Number of priors must match number of classes"
    assert result.reasons["bad"] == (
        f"no criteria, because the fit failed: {reason}",
        f"no CV error and no CV log loss, because {reason}",
    )
    assert set(result.best_by.values()) == {"bayes"}


def test_a_failure_is_reported_in_one_line():
    result = criteria({"it": GaussianNB()}, np.where(X > 0, np.nan, X), Y, resampling=TWO_FOLDS)
    reason = "ValueError: Input X contains NaN"
    assert result.reasons["it"] == (
        f"no criteria, because the fit failed: {reason}",
        f"no CV error and no CV log loss, because {reason}",
    )


def test_a_warning_of_the_fit_is_reported():
    result = criteria({"it": LogisticRegression(max_iter=1)}, X, Y, resampling=TWO_FOLDS)
    assert result.reasons["it"][0].startswith("while fitting: ConvergenceWarning: lbfgs failed to converge")


def test_few_cases_for_the_parameters():
    result = criteria({"it": GaussianNB()}, X[:10], Y[:10], resampling=TWO_FOLDS)
    assert result.reasons["it"] == (
        "no AICc, because 13 parameters need more than 14 cases",
        "the SRM bound is above 1 and uninformative",
    )
    assert [finding.code for finding in result.findings] == ["A013"]
    assert result.notes[-1].startswith("A013: 10 cases with 3 attributes are fewer than 10 cases per attribute")


def test_one_class_is_learnt_at_no_cost():
    result = criteria({"none": DummyClassifier()}, X, np.array(["a"] * 60), resampling=TWO_FOLDS)
    record = result.values["none"]
    assert record["log_likelihood"] == record["mdl_bits"] == record["parameters"] == 0


def test_sparse_data_and_data_frames_give_the_same():
    import pandas as pd
    from scipy.sparse import csr_array

    learners = {"tree": DecisionTreeClassifier(max_depth=3), "line": LogisticRegression(solver="liblinear")}
    kinds = (np.asarray, csr_array, pd.DataFrame)
    result = [criteria(learners, kind(X), Y, resampling=TWO_FOLDS).values.values() for kind in kinds]
    for other in result[1:]:
        for one, same in zip(result[0], other, strict=True):
            for name in one:
                assert same[name] == pytest.approx(one[name], rel=1e-9, nan_ok=True)  # sums over another layout


def test_the_same_bits_for_any_number_of_jobs_and_from_a_folder(tmp_path):
    learners = {"tree": DecisionTreeClassifier(splitter="random"), "bayes": GaussianNB()}
    one = criteria(learners, X, Y, resampling=TWO_FOLDS, seed=3)
    two = criteria(learners, X, Y, resampling=TWO_FOLDS, seed=3, n_jobs=2, folder=tmp_path)
    again = criteria(learners, X, Y, resampling=TWO_FOLDS, seed=3, folder=tmp_path)
    assert pickle.dumps(one.records()) == pickle.dumps(two.records()) == pickle.dumps(again.records())


def test_the_learner_is_left_as_it_was():
    learner = DecisionTreeClassifier()
    criteria({"it": learner}, X, Y, resampling=TWO_FOLDS)
    assert not hasattr(learner, "tree_")
    assert learner.random_state is None


# Shell


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 300), st.floats(0, 1))
def test_shell_and_core_make_the_ball(dimension, epsilon):
    # 1 - x loses what is below the last digit of 1, so the tolerance is absolute.
    assert shell_volume(dimension, epsilon) == pytest.approx(1 - (1 - epsilon) ** dimension, abs=1e-12)


def test_a_thin_shell_is_exact():
    """To first order D epsilon, where 1 - (1 - epsilon)^D itself would be 0."""
    assert shell_volume(7, 1e-20) == pytest.approx(7e-20, rel=1e-12)


def test_shells_of_many_dimensions_at_once():
    result = shell_volume([[1], [2]], [0, 0.5, 1])
    assert result.tolist() == [[0, 0.5, 1], [0, 0.75, 1]]
    assert isinstance(shell_volume(3, 0.1), float)
    assert math.copysign(1, shell_volume(3, 0)) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: shell_volume(0), "`dimension` must be a whole number, 1 or above, not 0."),
        (lambda: shell_volume(2.5), "`dimension` must be a whole number, 1 or above, not 2.5."),
        (lambda: shell_volume(math.inf), "`dimension` must be a whole number, 1 or above, not inf."),
        (lambda: shell_volume("ten"), "`dimension` must be a number, or numbers, not 'ten'."),
        (lambda: shell_volume(2, 1.5), "`epsilon` must be a share of the radius, from 0 to 1, not 1.5."),
        (lambda: shell_volume(2, math.nan), "`epsilon` must be a share of the radius, from 0 to 1, not nan."),
        (lambda: plot_shell_volume([]), "`dimensions` must be a list of one or more whole numbers, not []."),
        (lambda: plot_shell_volume(5), "`dimensions` must be a list of one or more whole numbers, not 5."),  # type: ignore[arg-type]
        (
            lambda: plot_shell_volume([[1, 2]]),  # type: ignore[list-item]
            "`dimensions` must be a list of one or more whole numbers, not [[1, 2]].",
        ),
    ],
)
def test_what_shells_refuse(call, message):
    with pytest.raises(HowsureError) as refused:
        call()
    assert str(refused.value) == message


def test_the_picture_has_a_named_line_for_each_dimension():
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    assert plot_shell_volume((20, 1, 2), ax) is ax
    assert [text.get_text() for text in ax.texts] == ["D = 1", "D = 2", "D = 20"]
    for line, dimension in zip(ax.lines, (1, 2, 20), strict=True):
        assert np.allclose(line.get_ydata(), shell_volume(dimension, line.get_xdata()), rtol=RTOL)


@pytest.mark.parametrize("dimensions", [(1, 2, 5, 20), (1, 2, 5, 20, 100), (50, 100, 200), (1, 3, 10, 50, 100, 1000)])
def test_no_name_covers_a_line_and_one_away_from_its_own_has_a_leader(dimensions):
    ax = plot_shell_volume(dimensions)
    ax.figure.canvas.draw()
    for text, line in zip(ax.texts, ax.lines, strict=True):
        box = Text.get_window_extent(text)  # without its leader
        for other in ax.lines:
            dots = ax.transData.transform(other.get_xydata())
            assert not ((dots > box.min) & (dots < box.max)).all(axis=1).any(), text.get_text()
        assert text.get_bbox_patch() is None
        assert np.interp(text.xy[0], *line.get_data()) == pytest.approx(text.xy[1], rel=1e-3)  # between two corners
        between = [
            text.xy[0] < np.interp(text.xy[1], *other.get_data()[::-1]) < text.get_position()[0]
            for other in ax.lines
            if other is not line
        ]
        assert (text.arrow_patch is not None) == any(between)


def test_of_many_lines_some_are_named_and_no_name_covers_another():
    ax = plot_shell_volume(range(1, 31))
    ax.figure.canvas.draw()
    assert len(ax.lines) == 30
    assert [text.get_text() for text in ax.texts] == [f"D = {d}" for d in (2, 6, 10, 14, 18, 22, 26, 30)]
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
