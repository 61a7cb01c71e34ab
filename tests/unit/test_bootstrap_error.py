"""The bootstrap estimators of the error rate, against their definition."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure import Bootstrap
from howsure.data.rows import count_rows, take
from howsure.intervals import wilson
from howsure.resampling import bootstrap_error
from howsure.resampling.error.bootstrap import combine, leave_one_out_error, no_information, overfitting, standard_error

NAN = np.nan
NEAREST = KNeighborsClassifier(1)


class Always:
    """Predicts one label, whatever it is shown."""

    def __init__(self, label):
        self.label = label

    def fit(self, X, y):
        return self

    def predict(self, X):
        return [self.label] * len(X)


class Scores(Always):
    def predict(self, X):
        return np.full(len(X), self.label)


class Memory:
    """Knows the rows it was shown by heart, and takes all others for the other class."""

    def fit(self, X, y):
        self.known = dict(zip(X[:, 0], y, strict=True))
        return self

    def predict(self, X):
        return [self.known.get(row, "b" if row % 2 == 0 else "a") for row in X[:, 0]]


class Choosy:
    """Cannot learn from a sample without the first row."""

    def fit(self, X, y):
        if 0 not in X[:, 0]:
            raise RuntimeError("I need\n   the first row.")
        return self

    def predict(self, X):
        return ["a"] * len(X)


ROWS = np.arange(20)[:, None]
LETTERS = np.array(["a", "b"] * 10)  # what Memory takes an unknown row for is never right


# By hand


def test_worked_by_hand():
    errors = np.array([[NAN, 1, 0, NAN], [1, NAN, 0, NAN], [0, NAN, NAN, 1.0]])
    counts = np.array([[2, 0, 0, 2], [0, 2, 0, 2], [0, 2, 2, 0]])
    # By case 1/2, 1, 0 and 1; on average 5/8. By round it would be 1/2, 1/2 and 1/2.
    assert leave_one_out_error(errors) == 5 / 8
    assert combine(errors, counts, 0.25, 0.75, "oob")[0] == 5 / 8
    assert combine(errors, counts, 0.25, 0.75, "632")[0] == pytest.approx(0.368 * 0.25 + 0.632 * 0.625, rel=1e-14)
    # R = (5/8 - 1/4) / (3/4 - 1/4) = 3/4; the weight is 0.632 / (1 - 0.368 * 3/4) = 0.632 / 0.724.
    assert overfitting(0.625, 0.25, 0.75) == 0.75
    expected = (1 - 0.632 / 0.724) * 0.25 + 0.632 / 0.724 * 0.625
    assert combine(errors, counts, 0.25, 0.75, "632+")[0] == pytest.approx(expected, rel=1e-14)
    # The other form it is written in: 0.632 plus what overfitting adds to it.
    added = (0.625 - 0.25) * 0.368 * 0.632 * 0.75 / (1 - 0.368 * 0.75)
    assert expected == pytest.approx(0.368 * 0.25 + 0.632 * 0.625 + added, rel=1e-14)


def test_no_information_rate_by_hand():
    # Shares 1/2, 1/4, 1/4; predicted 1/4, 3/4, 0: 1/2 * 3/4 + 1/4 * 1/4 + 1/4 * 1.
    assert no_information(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 1])) == 0.375 + 0.0625 + 0.25
    assert no_information(np.array([0, 1]), np.array([0, 1])) == 0.5
    assert no_information(np.array([0, 0]), np.array([0, 0])) == 0
    assert no_information(np.array([0, 0, 0, 1]), np.array([-1, -1, 0, 1])) == 0.75 * 0.75 + 0.25 * 0.75


@pytest.mark.parametrize(
    ("out_of_bag", "training", "gamma", "rate", "value"),
    [
        (0.5, 0.0, 0.5, 1.0, 0.5),  # nothing learnt
        (0.7, 0.0, 0.5, 1.0, 0.5),  # worse than nothing: gamma takes its place
        (0.2, 0.2, 0.5, 0.0, 0.2),  # no overfitting
        (0.1, 0.2, 0.5, 0.0, 0.368 * 0.2 + 0.632 * 0.1),  # better out of bag
        (0.6, 0.4, 0.3, 0.0, 0.368 * 0.4 + 0.632 * 0.3),  # worse than chance already in training
        (0.3, 0.3, 0.3, 0.0, 0.3),  # gamma equals the training error: no division by 0
        (0.0, 0.0, 0.0, 0.0, 0.0),
    ],
)
def test_overfitting_rate_is_between_0_and_1(out_of_bag, training, gamma, rate, value):
    assert overfitting(out_of_bag, training, gamma) == rate
    errors = np.full((2, 1000), out_of_bag)
    estimate, error = combine(errors, np.zeros((2, 1000), int), training, gamma, "632+")
    assert estimate == pytest.approx(value, rel=1e-12)
    assert error == 0


def test_worthless_memory():
    """1-NN and labels that have nothing to do with x: the case that 0.632+ was made for."""
    errors = np.array([[0.0, 1, 0, 1]])
    assert combine(errors, np.zeros((1, 4), int), 0.0, 0.5, "632")[0] == pytest.approx(0.316, rel=1e-14)
    assert combine(errors, np.zeros((1, 4), int), 0.0, 0.5, "632+")[0] == pytest.approx(0.5, rel=1e-14)

    n = 1000
    X, y = np.random.default_rng(17).normal(size=(n, 2)), np.repeat([0, 1], n // 2)
    oob, plain, plus = (bootstrap_error(NEAREST, X, y, method=m, rounds=50, seed=0) for m in ("oob", "632", "632+"))
    # Of the other rows, n / 2 of n - 1 are of the other class. The values of a sample spread as a share of n cases
    # does; four standard errors are exceeded 1 time in 16,000.
    error = np.sqrt(0.25 / n)
    assert abs(oob.value - n / 2 / (n - 1)) < 4 * error
    assert abs(plain.value - 0.316) < 4 * 0.632 * error
    assert abs(plus.value - 0.5) < 4 * 1.59 * error  # 0.632 / 0.632², the slope of 0.632+ there
    assert plain.value == pytest.approx(0.632 * oob.value, rel=1e-14)


def test_a_constant_learner():
    truth = ["a"] * 13 + ["b"] * 7  # training error, out-of-bag error and gamma are all 7 / 20
    for method in ("oob", "632", "632+"):
        estimate = bootstrap_error(Always("a"), ROWS, truth, method=method, rounds=40, seed=0)
        assert estimate.value == pytest.approx(0.35, rel=1e-14)


def test_a_learner_that_only_remembers():
    values = [bootstrap_error(Memory(), ROWS, LETTERS, method=m, rounds=40).value for m in ("oob", "632", "632+")]
    assert values == pytest.approx([1, 0.632, 0.5], rel=1e-14)  # gamma is 1/2


# The definition, in plain loops


@pytest.mark.parametrize("grouped", [False, True])
def test_iris_by_the_definition(grouped):
    X, y = load_iris(return_X_y=True)
    n, rounds = len(y), 30
    groups = np.arange(n) // 2 if grouped else None
    right = {row: [] for row in range(n)}
    for split in Bootstrap(rounds).splits(y, groups=groups, seed=5):
        model = KNeighborsClassifier(1).fit(X[split.train], y[split.train])
        for row, answer in zip(split.test, model.predict(X[split.test]), strict=True):
            right[row].append(answer == y[row])
    rates = [1 - sum(estimate) / len(estimate) for estimate in right.values() if estimate]
    out_of_bag = sum(rates) / len(rates)
    predicted = KNeighborsClassifier(1).fit(X, y).predict(X)
    training = sum(predicted != y) / n
    gamma = sum(sum(y == label) / n * (1 - sum(predicted == label) / n) for label in range(3))
    rate = (min(out_of_bag, gamma) - training) / (gamma - training)
    weight = 0.632 / (1 - 0.368 * rate)
    expected = {
        "oob": out_of_bag,
        "632": 0.368 * training + 0.632 * out_of_bag,
        "632+": (1 - weight) * training + weight * min(out_of_bag, gamma),
    }
    assert training == 0
    for method, value in expected.items():
        estimate = bootstrap_error(KNeighborsClassifier(1), X, y, method=method, rounds=rounds, seed=5, groups=groups)
        assert estimate.value == pytest.approx(value, rel=1e-12)  # rounding only


# The standard error


def nearest_out_of_bag(X, y, counts):
    """Errors of 1-NN in every round at once: the first neighbour that was drawn, in the order of distance."""
    order = ((X[:, None] - X[None]) ** 2).sum(-1).argsort(1)
    first = (counts[:, order] > 0).argmax(2)
    wrong = y[order[np.arange(len(y)), first]] != y
    return np.where(counts == 0, wrong, NAN)


def centre_out_of_bag(X, y, counts):
    """Errors of the learner of nearest centres, in every round at once."""
    distances = []
    for label in (0, 1):
        weight = counts * (y == label)
        centre = weight @ X / weight.sum(1, keepdims=True)
        distances.append(((X[None] - centre[:, None]) ** 2).sum(-1))
    wrong = (distances[1] < distances[0]) != y
    return np.where(counts == 0, wrong, NAN)


@pytest.mark.parametrize("learn", [nearest_out_of_bag, centre_out_of_bag])
@pytest.mark.parametrize("rounds", [50, 200])
def test_standard_error_is_the_spread_over_fresh_samples(learn, rounds):
    """Within 25 %: 5 % is the Monte Carlo error of a standard deviation from 200 samples, the rest is the method's."""
    rng = np.random.default_rng(1)
    n, values, errors = 60, [], []
    for _ in range(200):
        y = np.arange(n) % 2
        X = rng.normal(size=(n, 2)) + y[:, None]
        counts = rng.multinomial(n, np.full(n, 1 / n), size=rounds)
        predictions = learn(X, y, counts)
        values.append(leave_one_out_error(predictions))
        errors.append(standard_error(predictions, counts))
    assert np.sqrt(np.mean(np.square(errors))) / np.std(values, ddof=1) == pytest.approx(1, abs=0.25)


def test_standard_error_is_that_of_efron_and_tibshirani():
    """Their formula written out, for very many rounds; with 100,000 its Monte Carlo error is about 1 %."""
    rng = np.random.default_rng(4)
    n, rounds = 10, 100_000
    y = np.arange(n) % 2
    X = rng.normal(size=(n, 2)) + y[:, None]
    counts = rng.multinomial(n, np.full(n, 1 / n), size=rounds)
    errors = nearest_out_of_bag(X, y, counts)
    out = counts == 0
    by_case = np.nansum(errors, axis=0) / out.sum(0)
    by_round = np.nansum(errors, axis=1) / n
    often = (1 - 1 / n) ** -n
    influence = (2 + 1 / (n - 1)) * (by_case - by_case.mean()) / n
    influence += often * ((counts - counts.mean(0)) * by_round[:, None]).sum(0) / rounds
    assert standard_error(errors, counts) == pytest.approx(np.sqrt((influence**2).sum()), rel=0.03)


def test_copies_of_a_case_tell_nothing_new():
    """Each case three times, as a group: the value and its standard error are those of the cases."""
    rng = np.random.default_rng(2)
    counts = rng.multinomial(30, np.full(30, 1 / 30), size=80)
    errors = np.where(counts == 0, rng.random(counts.shape) < 0.3, NAN)
    thrice, often = np.repeat(errors, 3, axis=1), np.repeat(counts, 3, axis=1)
    groups = np.repeat(np.arange(30), 3)
    expected = combine(errors, counts, 0.1, 0.5)
    shuffled = rng.permutation(90)
    assert combine(thrice, often, 0.1, 0.5, groups=groups) == pytest.approx(expected, rel=1e-12)
    again = combine(thrice[:, shuffled], often[:, shuffled], 0.1, 0.5, groups=7 * groups[shuffled])
    assert again == pytest.approx(expected, rel=1e-12)


def test_standard_error_of_the_mixed_forms_is_in_proportion():
    rng = np.random.default_rng(3)
    counts = rng.multinomial(30, np.full(30, 1 / 30), size=80)
    errors = np.where(counts == 0, rng.random(counts.shape) < 0.3, NAN)
    value, error = combine(errors, counts, 0.1, 0.5, "oob")
    for method in ("632", "632+"):
        mixed, its_error = combine(errors, counts, 0.1, 0.5, method)
        assert its_error == pytest.approx(error * mixed / value, rel=1e-12)


def test_cases_never_out_of_bag_are_left_out():
    estimate = bootstrap_error(Always("a"), ROWS, LETTERS, method="oob", rounds=2, seed=0)
    splits = Bootstrap(2).splits(20, seed=0)
    seen = np.union1d(splits[0].test, splits[1].test)
    unseen = 20 - len(seen)
    assert estimate.value == (LETTERS[seen] == "b").mean()
    assert estimate.notes == (
        f"{unseen} of 20 cases {'was' if unseen == 1 else 'were'} never out of bag and therefore left out; "
        "use more rounds",
    )
    assert estimate.interval().width > 0
    assert np.isnan(combine(np.full((2, 3), NAN), np.ones((2, 3), int), 0.0, 0.5)).all()


# The estimate


def test_the_estimate_and_its_interval():
    X, y = load_iris(return_X_y=True)
    estimate = bootstrap_error(NEAREST, X[:, :2], y, method="632+", rounds=60, seed=0)
    assert (estimate.measure, estimate.of, estimate.n) == ("error_rate", "0.632+ bootstrap, 60 rounds", 150)
    interval = estimate.interval()
    assert interval == estimate.interval(method="delta")
    assert interval.method == "delta"
    assert 0 < interval.low < estimate.value < interval.high < 1
    assert interval.low + interval.high == pytest.approx(2 * estimate.value, rel=1e-12)
    assert estimate.interval(0.975, side="lower").low == pytest.approx(interval.low, rel=1e-12)
    assert estimate.interval(side="lower").high == 1
    assert pickle.loads(pickle.dumps(estimate)).interval() == interval
    assert str(estimate).startswith("error_rate (0.632+ bootstrap, 60 rounds): 0.2")


def test_no_error_at_all_has_the_interval_of_a_share():
    X = np.repeat([[0.0], [9.0]], 15, axis=0)
    y = np.repeat([0, 1], 15)
    interval = bootstrap_error(NEAREST, X, y, rounds=20).interval(0.9)
    expected = wilson(0, 30, 0.9)
    assert (interval.low, interval.high, interval.method) == (0, expected.high, "wilson")
    assert interval.notes == ("the standard error is 0, so this is the interval of a proportion of 30 cases",)
    grouped = bootstrap_error(NEAREST, X, y, rounds=20, groups=np.arange(30) % 10).interval(0.9)
    assert grouped.high == wilson(0, 10, 0.9).high
    assert grouped.notes == ("the standard error is 0, so this is the interval of a proportion of 10 groups",)


# What it takes


def test_labels_of_any_type():
    X, y = load_iris(return_X_y=True)
    expected = bootstrap_error(NEAREST, X, y, rounds=5).value
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    columns = [names, list(names), names.astype(object), pd.Series(names), pl.Series(names), pd.Categorical(names)]
    for labels in [*columns, y.astype(float), 10 - y, pa.array(names)]:
        assert bootstrap_error(NEAREST, X, labels, rounds=5).value == expected
    assert (
        bootstrap_error(NEAREST, X, y == 2, rounds=5).value == bootstrap_error(NEAREST, X, (y == 2) * 1, rounds=5).value
    )


def test_features_of_any_type():
    X, y = load_iris(return_X_y=True)
    expected = bootstrap_error(NEAREST, X, y, rounds=5).value
    names = list("abcd")
    frame = pd.DataFrame(X, columns=names, index=np.arange(150)[::-1])
    for features in (frame, pl.DataFrame(X, schema=names), X.tolist(), sparse.csr_matrix(X), sparse.coo_array(X)):
        assert bootstrap_error(NEAREST, features, y, rounds=5).value == expected
    by_name = make_pipeline(make_column_transformer(("passthrough", names)), KNeighborsClassifier(1))
    assert bootstrap_error(by_name, frame, pd.Series(y, index=frame.index), rounds=5).value == expected
    texts = ["good film", "bad film"] * 10
    spam = bootstrap_error(make_pipeline(CountVectorizer(), MultinomialNB()), texts, LETTERS, rounds=5)
    assert spam.value == 0


def test_rows_of_anything():
    rows = np.array([2, 0, 2])
    array = np.arange(6).reshape(3, 2)
    assert take(array, rows).tolist() == [[4, 5], [0, 1], [4, 5]]
    assert take(sparse.dia_matrix(array), rows).toarray().tolist() == take(array, rows).tolist()
    assert take(pd.DataFrame(array, index=[5, 2, 0]), rows).to_numpy().tolist() == take(array, rows).tolist()
    assert take(pl.DataFrame(array), rows).to_numpy().tolist() == take(array, rows).tolist()
    assert take(pa.table({"a": [1, 2, 3]}), rows).column("a").to_pylist() == [3, 1, 3]
    assert take(["x", "y", "z"], rows) == take(("x", "y", "z"), rows) == ["z", "x", "z"]
    for X in (array, sparse.coo_matrix(array), pd.DataFrame(array), pl.DataFrame(array), array.tolist(), ("x",) * 3):
        assert count_rows(X) == 3
    for nothing in (5, "text", None, np.array(3)):
        with pytest.raises(howsure.HowsureError, match="`X` must be an array, a sparse matrix, a data frame or a list"):
            count_rows(nothing)


def test_a_training_sample_without_a_class():
    y = np.array(["rare", *["common"] * 19])
    estimate = bootstrap_error(NEAREST, ROWS, y, method="oob", rounds=60)
    assert 1 / 20 <= estimate.value <= 3 / 20  # the rare one is always wrong, its two neighbours may be


def test_a_label_that_is_no_class_is_wrong():
    class Half(Always):
        def predict(self, X):
            return [self.label if row % 4 else "c" for row in X[:, 0]]

    # Row 0, 4, ... are told as "c"; of the rest, "a" is right for the rows 2, 6, ...
    estimate = bootstrap_error(Half("a"), ROWS, LETTERS, method="oob", rounds=60)
    assert estimate.value == pytest.approx(15 / 20, rel=1e-14)


# Chance


def test_the_same_for_any_number_of_jobs():
    X, y = load_iris(return_X_y=True)
    learner = make_pipeline(StandardScaler(), DecisionTreeClassifier(max_features=1))  # without a random state
    state = np.random.get_state()[1].copy()  # noqa: NPY002 - the global one is what must stay as it is
    one, again, two = (bootstrap_error(learner, X, y, rounds=8, seed=3, n_jobs=jobs) for jobs in (1, 1, 2))
    assert one.value == again.value == two.value
    assert one.interval() == again.interval() == two.interval()
    assert (np.random.get_state()[1] == state).all()  # noqa: NPY002
    assert learner.get_params()["decisiontreeclassifier__random_state"] is None
    other = bootstrap_error(learner, X, y, rounds=8, seed=4)
    assert other.value != one.value


def test_rounds_differ_in_their_random_state_and_a_given_one_is_kept():
    seen = []

    class Tells(DecisionTreeClassifier):
        def fit(self, X, y):
            seen.append(self.random_state)
            return super().fit(X, y)

    bootstrap_error(Tells(), ROWS, LETTERS, rounds=5)
    assert len(set(seen)) == 6
    assert all(isinstance(state, int) for state in seen)
    seen.clear()
    bootstrap_error(Tells(random_state=9), ROWS, LETTERS, rounds=5)
    assert seen == [9] * 6


def test_the_learner_itself_is_left_alone():
    learner = Memory()
    bootstrap_error(learner, ROWS, LETTERS, rounds=5)
    assert not hasattr(learner, "known")


# Errors


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"method": "623"}, "`method` must be one of '632+', '632', 'oob', not '623'; did you mean '632'?"),
        ({"method": None}, "`method` must be one of '632+', '632', 'oob', not None."),
        ({"learner": "tree"}, "`learner` must be an object with `fit` and `predict`, not 'tree'."),
        ({"learner": Always}, f"`learner` must be an object with `fit` and `predict`, not {Always!r}."),
        ({"rounds": 0}, "`rounds` must be a whole number, 1 or above, not 0."),
        ({"seed": -1}, "`seed` must be a whole number, 0 or above, not -1."),
        ({"n_jobs": 0}, "`n_jobs` must be a whole number other than 0, not 0."),
        ({"y": []}, "`y` must hold at least one case, but it is empty."),
        ({"y": [None, *"ab"]}, "`y` has no value at index 0; drop such rows."),
        ({"y": LETTERS[:5]}, "`X` has 20 rows and `y` has 5; they must be of equal length."),
        ({"y": ["a", 1] * 10}, "`y` mixes text such as 'a' with whole numbers such as 1; give all labels in one form."),
        ({"groups": [1, 2]}, "`groups` has 2 rows and `y` has 20; they must be of equal length."),
        ({"groups": [1] * 20}, "a bootstrap needs at least two rows, or groups, to leave one out."),
        ({"X": 5}, "`X` must be an array, a sparse matrix, a data frame or a list, one row for each case, not 5."),
        ({"learner": Always("c")}, "Always predicts no class of `y`; do its labels have a different type?"),
        (
            {"learner": Scores(0.5)},
            "Scores fails on the whole sample: `predicted` must hold class labels, not real numbers such as 0.5; if "
            "these are scores, give them as `scores=`.",
        ),
        ({"learner": Choosy(), "X": ROWS + 1}, "Choosy fails on the whole sample: I need the first row."),
    ],
)
def test_bad_input(change, sentence):
    asked = {"learner": Memory(), "X": ROWS, "y": LETTERS, "rounds": 5, **change}
    with pytest.raises(howsure.HowsureError) as caught:
        bootstrap_error(asked.pop("learner"), asked.pop("X"), asked.pop("y"), **asked)
    assert str(caught.value) == sentence


def test_a_round_that_fails_is_named():
    without = [index for index, split in enumerate(Bootstrap(20).splits(20, seed=0)) if 0 in split.test]
    with pytest.raises(howsure.HowsureError) as caught:
        bootstrap_error(Choosy(), ROWS, LETTERS, rounds=20, seed=0)
    assert str(caught.value) == f"Choosy fails in round {without[0] + 1} of 20: I need the first row."


def test_too_few_predictions():
    class Short(Always):
        def predict(self, X):
            return ["a"]

    with pytest.raises(howsure.HowsureError) as caught:
        bootstrap_error(Short("a"), ROWS, LETTERS, rounds=5)
    assert (
        str(caught.value)
        == "Short fails on the whole sample: the learner returned predictions of shape (1,) for 20 rows."
    )


def test_an_interval_it_does_not_have():
    estimate = bootstrap_error(Memory(), ROWS, LETTERS, rounds=5)
    with pytest.raises(howsure.HowsureError) as caught:
        estimate.interval(method="bca")
    assert str(caught.value) == "`method` must be one of 'auto', 'delta-scaled', 'delta', not 'bca'."
