"""Learning curves, complexity curves and noise curves: what is varied, what is measured, what is refused."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from howsure import Experiment, HowsureError, KFold
from howsure.selection import NoisyLabels, complexity_curve, learning_curve, nested, noise_curve
from howsure.tuning.derived_schemes import TrainingSizes, stratified_order
from howsure.tuning.slope import log_slope

RTOL = 1e-12  # the same counts, divided in another order
X, Y = load_iris(return_X_y=True)
NAMED = np.array(["setosa", "versicolor", "virginica"])[Y]


def two_classes(n=60, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3 == 0
    return rng.normal(size=(n, 3)) + truth[:, None], np.where(truth, "yes", "no")


@pytest.mark.parametrize("power", [-0.5, 1.0, 2.3])
def test_the_slope_of_a_power_is_its_exponent(power):
    n = np.array([10, 30, 90, 270])
    slope = log_slope(n, 7 * n**power, "time")
    assert slope.value == pytest.approx(power, rel=1e-12)
    assert slope.error == pytest.approx(0, abs=1e-12)
    assert float(slope) == slope.value
    assert slope.points == 4


def test_the_standard_error_of_a_slope_is_that_of_a_regression():
    from scipy.stats import linregress

    rng = np.random.default_rng(0)
    n = np.geomspace(10, 1000, 8)
    seconds = n**1.5 * np.exp(rng.normal(0, 0.2, 8))
    slope, expected = log_slope(n, seconds, "time"), linregress(np.log(n), np.log(seconds))
    assert slope.value == pytest.approx(expected.slope, rel=1e-10)
    assert slope.error == pytest.approx(expected.stderr, rel=1e-10)


@pytest.mark.parametrize(
    ("n", "values", "reason"),
    [
        ([10, 20], [0.1, 0.0], "the error is 0 at n = 20, which has no logarithm"),
        ([10, 20], [np.nan, 0.1], "the error is undefined at n = 10"),
        ([10], [0.1], "a slope needs at least two sizes"),
    ],
)
def test_no_slope_without_a_reason(n, values, reason):
    slope = log_slope(n, values, "error")
    assert np.isnan(slope.value)
    assert slope.undefined == reason
    assert str(slope) == f"undefined, because {reason}"
    assert slope.to_dict()["value"] is None


def test_values_without_an_interval_say_why():
    curve = complexity_curve(DummyClassifier(), X, Y, "strategy", ["most_frequent", "prior"], resampling=KFold(5))
    why = "no interval, because all values are equal, so the standard error is unknown"
    assert [record["note"] for record in curve.records()] == [why, why]
    assert curve.sheet().notes[-1] == f"strategy most_frequent, strategy prior: {why}"
    result = nested(DummyClassifier(), {"strategy": ["most_frequent", "prior"]}, X, Y, outer=KFold(5), inner=KFold(3))
    assert result.sheet().notes[-1] == why


@pytest.mark.parametrize("seed", range(3))
def test_every_beginning_of_the_order_is_stratified(seed):
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.repeat([0, 1, 2], [50, 9, 41]))
    order = stratified_order(codes, rng)
    assert sorted(order) == list(range(100))
    shares = np.bincount(codes) / 100
    for n in range(1, 101):
        assert (abs(np.bincount(codes[order[:n]], minlength=3) - n * shares) <= 1).all()


def test_smaller_training_sets_lie_within_larger_ones():
    base = KFold(4, repeats=2)
    splits, whole = TrainingSizes(base, (10, 20, 90)).splits(NAMED, seed=3), base.splits(NAMED, seed=3)
    assert len(splits) == 3 * len(whole)
    for index, one in enumerate(whole):
        few, more, most = splits[3 * index : 3 * index + 3]
        assert set(few.train) < set(more.train) < set(most.train) < set(one.train)
        assert [len(part.train) for part in (few, more, most)] == [10, 20, 90]
        for part in (few, more, most):
            np.testing.assert_array_equal(part.test, one.test)
            assert (part.repeat, part.fold) == (one.repeat, one.fold)
    orders = {tuple(splits[3 * index].train) for index in range(len(whole))}
    assert len(orders) == len(whole)  # each split draws its own


def test_a_learning_curve_by_hand(tmp_path):
    curve = learning_curve(GaussianNB(), X, NAMED, sizes=[120, 15, 45], resampling=KFold(5), seed=1)
    assert curve.values == (15, 45, 120)
    splits = TrainingSizes(KFold(5), (15, 45, 120)).splits(NAMED, seed=1)
    test, training = np.empty((5, 3)), np.empty((5, 3))
    for index, split in enumerate(splits):
        model = GaussianNB().fit(X[split.train], NAMED[split.train])
        test.flat[index] = (model.predict(X[split.test]) != NAMED[split.test]).mean()
        training.flat[index] = (model.predict(X[split.train]) != NAMED[split.train]).mean()
    np.testing.assert_allclose(curve.table.values, test, rtol=RTOL)
    np.testing.assert_array_equal(curve.training_errors, training)
    np.testing.assert_allclose(curve.test_error, test.mean(0), rtol=RTOL)
    # all training cases: the same as without a curve, interval and all
    plain = Experiment({"bayes": GaussianNB()}, {"iris": (X, NAMED)}, KFold(5), 1).run(tmp_path, progress=False)
    full, expected = curve.table.estimate("120"), plain.scores("error_rate").estimate("bayes")
    assert full.value == pytest.approx(expected.value, rel=RTOL)
    assert full.interval().width == pytest.approx(expected.interval().width, rel=1e-9)
    assert curve.fit_seconds.min() > 0
    assert curve.predict_seconds.min() > 0
    assert np.isfinite(curve.time_exponent.value)
    by_hand = log_slope(curve.values, test.mean(0), "error rate")
    assert curve.error_exponent.value == pytest.approx(by_hand.value, rel=1e-9)
    assert curve.title == "learning curve of GaussianNB, KFold(folds=5, repeats=1, stratified=True)"
    assert "exponent of n in the fit time" in curve.text(width=1000)
    assert curve.frame().shape == (3, 9)
    assert json.loads(json.dumps(curve.to_dict(), allow_nan=False))["points"][0]["n"] == 15
    assert "<table>" in curve._repr_html_()


def test_default_sizes():
    features, truth = two_classes(100)
    curve = learning_curve(GaussianNB(), features, truth, resampling=KFold(2), measure="auc", positive="yes")
    assert curve.values == (20, 23, 26, 30, 34, 38, 44, 50)
    assert curve.error_exponent.undefined == "`auc` is not an error"
    assert "auc goes" not in str(curve)


def test_jobs_and_folders_make_no_difference(tmp_path):
    """Bit by bit, with learners that draw by chance."""
    features, truth = two_classes()
    learner = DecisionTreeClassifier(max_features=1)
    options = {"sizes": [10, 30], "resampling": KFold(3), "seed": 5}
    one = learning_curve(learner, features, truth, **options)
    two = learning_curve(learner, features, truth, **options, n_jobs=2, folder=tmp_path / "run")
    again = learning_curve(learner, features, truth, **options, folder=tmp_path / "run")
    for other in (two, again):
        np.testing.assert_array_equal(one.table.values, other.table.values)
        np.testing.assert_array_equal(one.training_errors, other.training_errors)
    np.testing.assert_array_equal(two.fit_times, again.fit_times)  # nothing was fitted again
    noisy = {"shares": [0, 0.3], "resampling": KFold(3), "seed": 5}
    one, two = (noise_curve(learner, features, truth, **noisy, n_jobs=jobs) for jobs in (1, 2))
    np.testing.assert_array_equal(one.table.values, two.table.values)
    np.testing.assert_array_equal(one.training_errors, two.training_errors)


def test_a_complexity_curve_by_hand():
    values = [1, 5, 15, 75]
    curve = complexity_curve(KNeighborsClassifier(), X, Y, "n_neighbors", values, resampling=KFold(5))
    splits = KFold(5).splits(Y)
    by_hand = np.array(
        [
            [
                (KNeighborsClassifier(k).fit(X[one.train], Y[one.train]).predict(X[one.test]) != Y[one.test]).mean()
                for k in values
            ]
            for one in splits
        ]
    )
    np.testing.assert_allclose(curve.table.values, by_hand, rtol=RTOL)
    means = by_hand.mean(0)
    best = int(np.flatnonzero(means <= means.min() + 1e-12)[0])
    assert curve.best_value == values[best]
    error = by_hand[:, best].std(ddof=1) / np.sqrt(5)
    assert curve.standard_error == pytest.approx(error, rel=1e-9)
    near = [value for value, mean in zip(values, means, strict=True) if mean <= means[best] + error]
    assert curve.training_error[-1] > curve.training_error[0]
    assert curve.one_standard_error == max(near)  # more neighbours fit the training cases less
    back = complexity_curve(KNeighborsClassifier(), X, Y, "n_neighbors", values[::-1], resampling=KFold(5))
    assert (back.best_value in near, back.one_standard_error) == (True, max(near))
    assert curve.to_dict()["best_value"] == curve.best_value
    marked = {row[0]: row[-1] for row in curve.sheet().rows}
    assert marked[curve.best_value].startswith("best")
    assert marked[curve.one_standard_error].endswith("one standard error")


def test_parameters_of_a_pipeline_and_measures_to_raise():
    learner = make_pipeline(StandardScaler(), LogisticRegression())
    curve = complexity_curve(
        learner, X, Y, "logisticregression__C", np.array([1e-4, 1.0]), measure="accuracy", resampling=KFold(3)
    )
    assert curve.best_value == 1.0
    assert curve.learner == "StandardScaler > LogisticRegression"
    np.testing.assert_allclose(curve.comparable_training, 1 - curve.training_error)
    assert curve.values == (1e-4, 1.0)
    assert learner.get_params()["logisticregression__C"] == 1.0


def test_simpler_is_where_the_training_error_is_higher():
    depths = [1, 2, 3, 5, None]
    tree = DecisionTreeClassifier(random_state=0)
    curve = complexity_curve(tree, X, Y, "max_depth", depths, resampling=KFold(5))
    assert curve.training_error[0] > curve.training_error[-1]
    limit = curve.test_error.min() + curve.standard_error + 1e-12
    near = [depth for depth, error in zip(depths, curve.test_error, strict=True) if error <= limit]
    assert curve.one_standard_error == near[0]
    same = complexity_curve(tree, X, Y, "max_leaf_nodes", [200, 100], resampling=KFold(5))
    assert same.one_standard_error == same.best_value == 200  # no value is simpler: the first of equals


def test_values_that_fail_are_reported_and_never_best():
    curve = complexity_curve(KNeighborsClassifier(), X, Y, "n_neighbors", [5, 1000], resampling=KFold(3))
    assert curve.best_value == curve.one_standard_error == 5
    assert np.isnan(curve.test_error[1])
    assert "3 of 6 fits failed; the first: ValueError" in curve.text(width=1000)
    assert curve.records()[1]["note"].startswith("ValueError")


def test_a_mean_over_fewer_splits_is_not_compared():
    """The second value is best in the two splits that it has, and the fourth has none."""
    curve = complexity_curve(KNeighborsClassifier(), X, Y, "n_neighbors", [1, 5, 25, 75], resampling=KFold(3))
    values = np.array([[0.2, 0.0, 0.3, np.nan], [0.2, 0.0, 0.1, np.nan], [0.2, np.nan, 0.3, np.nan]])
    training = np.array([[0.0, 0.1, 0.2, np.nan]] * 3)
    changed = replace(curve, table=replace(curve.table, values=values), training_errors=training)
    assert changed.best_value == 1
    assert changed.one_standard_error == 1


@pytest.mark.parametrize("share", [0, 0.05, 0.2, 0.333, 0.9])
@pytest.mark.parametrize("classes", [2, 3])
def test_exactly_the_share_is_flipped(share, classes):
    learner = NoisyLabels(KNeighborsClassifier(1), share, random_state=4)
    selected = classes > Y
    features, truth = (
        X[selected] + np.arange(selected.sum())[:, None],
        NAMED[selected],
    )  # no two cases alike: predicted as taught
    model = learner.fit(features, truth)
    changed = np.flatnonzero(model.predict(features) != truth)
    assert len(changed) == round(share * len(truth))
    np.testing.assert_array_equal(changed, model.flipped_)


def test_flips_are_nested_and_go_to_every_other_class():
    features = np.arange(3000.0)[:, None]
    truth = np.arange(3000) % 3
    taught = {
        share: NoisyLabels(KNeighborsClassifier(1), share, 7).fit(features, truth).predict(features)
        for share in (0.1, 0.4)
    }
    few = np.flatnonzero(taught[0.1] != truth)
    np.testing.assert_array_equal(taught[0.4][few], taught[0.1][few])
    pairs = np.bincount(truth * 3 + taught[0.4], minlength=9).reshape(3, 3)
    away = pairs[~np.eye(3, dtype=bool)]
    assert away.sum() == 1200
    assert (abs(away - 200) < 60).all()  # 1200 flips over six ways: sd 13, so this is beyond four of them


def test_the_wrapper_is_a_learner_of_scikit_learn():
    learner = NoisyLabels(LogisticRegression(C=2), 0.2)
    copy = clone(learner).set_params(estimator__C=3, random_state=1)
    assert (learner.estimator.C, copy.estimator.C, copy.share) == (2, 3, 0.2)
    model = pickle.loads(pickle.dumps(copy.fit(X, NAMED)))
    np.testing.assert_array_equal(model.predict(X), copy.predict(X))
    np.testing.assert_array_equal(model.classes_, np.unique(NAMED))
    assert model.predict_proba(X).shape == model.decision_function(X).shape == (150, 3)
    assert model.score(X, NAMED) > 0.5
    assert not hasattr(NoisyLabels(Perceptron()), "predict_proba")
    assert not hasattr(NoisyLabels(GaussianNB()), "decision_function")
    assert not hasattr(copy.estimator, "classes_")  # the learner passed in is left alone


def test_a_noise_curve_is_tested_on_clean_labels(tmp_path):
    curve = noise_curve(KNeighborsClassifier(1), X, NAMED, shares=[0.2, 0, 0.2], resampling=KFold(5))
    assert curve.values == (0.0, 0.2)
    plain = Experiment({"1-nn": KNeighborsClassifier(1)}, {"iris": (X, NAMED)}, KFold(5)).run(tmp_path, progress=False)
    np.testing.assert_array_equal(curve.table["0.0"], plain.scores("error_rate")["1-nn"])
    assert curve.test_error[1] > curve.test_error[0]
    assert curve.training_error[1] == pytest.approx(0.2, abs=0.02)  # twins among the cases may outvote a flip


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (
            lambda: learning_curve(GaussianNB(), X, Y, sizes=[50, 200]),
            "`sizes` must be at most the number of training cases, 135, not 200.",
        ),
        (
            lambda: learning_curve(GaussianNB(), X, Y, sizes=[2]),
            "`sizes` must be whole numbers, at least the number of classes, 3, not 2.",
        ),
        (
            lambda: learning_curve(GaussianNB(), X, Y, sizes=[0.5]),  # type: ignore[list-item]
            "`sizes` must be whole numbers, at least the number of classes, 3, not 0.5.",
        ),
        (lambda: learning_curve(GaussianNB(), X, Y, sizes=[]), "`sizes` must be a list of one or more values, not []."),
        (lambda: learning_curve(GaussianNB(), X, Y, sizes=7), "`sizes` must be a list of one or more values, not 7."),  # type: ignore[arg-type]
        (
            lambda: learning_curve(GaussianNB(), X, Y, measure="acuracy"),
            "`measure` must be the name of a measure, not 'acuracy'; did you mean 'accuracy'?",
        ),
        (
            lambda: learning_curve(Silent(), X, Y, measure="auc"),
            "`auc` is a measure of scores, and the learner has no `predict_proba` or `decision_function`.",
        ),
        (lambda: noise_curve("tree", X, Y), "`learner` must be an object with `fit` and `predict`, not 'tree'."),
        (
            lambda: noise_curve(GaussianNB(), X, Y, shares=[0, 1]),
            "`shares` must be a share of at least 0 and below 1, not 1.",
        ),
        (
            lambda: noise_curve(GaussianNB(), X, Y, shares=[-0.1]),
            "`shares` must be a share of at least 0 and below 1, not -0.1.",
        ),
        (
            lambda: complexity_curve(KNeighborsClassifier(), X, Y, "n_neighbours", [1]),
            "`parameter` must be one of 'algorithm', 'leaf_size', 'metric', 'metric_params', 'n_jobs', 'n_neighbors', "
            "'p', 'weights', not 'n_neighbours'; did you mean 'n_neighbors'?",
        ),
        (
            lambda: complexity_curve(KNeighborsClassifier(), X, Y, "n_neighbors", [1, 1]),
            "`values` must be different from each other, not [1, 1].",
        ),
        (
            lambda: complexity_curve(KNeighborsClassifier(), X, Y, "n_neighbors", []),
            "`values` must be a list of one or more values, not [].",
        ),
        (
            lambda: complexity_curve(GaussianNB(), X, Y, "var_smoothing", [1], measure="prevalence"),
            "`prevalence` has no better or worse values, so it cannot be used to choose.",
        ),
        (
            lambda: complexity_curve(KNeighborsClassifier(), X, Y, "n_neighbors", [500, 1000], resampling=KFold(2)),
            "`error_rate` is undefined for every value of 'n_neighbors': ValueError: Expected n_neighbors <= "
            "n_samples_fit, but n_neighbors = 500, n_samples_fit = 75, n_samples = 75.",
        ),
    ],
)
def test_mistakes(ask, sentence):
    with pytest.raises(HowsureError) as caught:
        ask()
    assert str(caught.value) == sentence


class Silent:
    """A learner that has no scores, and is not of scikit-learn."""

    def fit(self, X, y):
        self.label = y[0]
        return self

    def predict(self, X):
        return np.full(len(X), self.label)


def test_learners_of_one_s_own():
    curve = learning_curve(Silent(), X, NAMED, sizes=[9, 90], resampling=KFold(3))
    np.testing.assert_allclose(curve.test_error, 2 / 3)
    noisy = noise_curve(Silent(), X, NAMED, shares=[0.1], resampling=KFold(3))
    assert noisy.learner == "Silent"
    with pytest.raises(HowsureError, match="must be an estimator with `set_params`"):
        complexity_curve(Silent(), X, NAMED, "label", [1])


@pytest.mark.parametrize(
    ("parameter", "values"),
    [("n_neighbors", [5, 1, 25]), ("weights", ["uniform", "distance"]), ("n_neighbors", [1])],
)
def test_pictures(parameter, values):
    """Numbers in any order, words, and a single value; lines go from left to right."""
    curve = complexity_curve(KNeighborsClassifier(), X, Y, parameter, values, resampling=KFold(3))
    for ax in (curve.plot(), curve.plot(kind="times")):
        ax.figure.draw_without_rendering()
        for line in ax.lines[:2]:
            assert (np.diff(line.get_xdata()) > 0).all()
            assert len(line.get_xdata()) == len(values)
        assert ax.get_xlabel() == parameter
    legend = [text.get_text() for text in curve.plot().get_legend().get_texts()]
    assert legend[:3] == ["test", "95 % interval", "training"]


def test_two_curves_on_one_axes_say_whose_lines_they_are():
    shares = {"shares": [0, 0.2], "resampling": KFold(3)}
    tree, bayes = (noise_curve(one, X, Y, **shares) for one in (DecisionTreeClassifier(random_state=0), GaussianNB()))
    ax = tree.plot(label="tree")
    assert ax.get_title() == "noise curve of DecisionTreeClassifier"
    bayes.plot(ax, label="bayes")
    assert ax.get_title() == "noise curve"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "test (tree)",
        "95 % interval",
        "true training labels (tree)",
        "test (bayes)",
        "true training labels (bayes)",
    ]
    lines = [line for line in ax.get_lines() if line.get_label() != "_"]
    np.testing.assert_array_equal(lines[3].get_ydata(), bayes.training_error)
    assert [line.get_color() for line in lines[::2]] == [line.get_color() for line in lines[1::2]]
    assert len({line.get_color() for line in lines}) == 2
    ax = tree.plot(kind="times", label="tree")
    bayes.plot(ax, kind="times")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "fit (tree)",
        "prediction of the test cases (tree)",
        "fit (GaussianNB)",
        "prediction of the test cases (GaussianNB)",
    ]
