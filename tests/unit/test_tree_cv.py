"""Recursive halving: the predictions of refitting, at the cost of a few passes."""

from __future__ import annotations

import math
import tracemalloc
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import howsure
from howsure import FiveByTwo, KFold, LeaveOneOut
from howsure.resampling.halving import tree_cv as tree
from howsure.resampling.halving.tree_cv import is_exact, tree_predictions

N, D = 31, 4
RTOL = 1e-9  # sums are taken in another order: 1e-15 of joint log likelihoods, which are below 1e6 or lead to a refit
ATOL = 1e-300  # below this numbers have fewer digits
ALPHAS = [0.1, 1.0, 2.0, 0.5]

LEARNERS = [
    GaussianNB(),
    GaussianNB(var_smoothing=0.1),
    GaussianNB(priors=[0.2, 0.5, 0.3]),
    GaussianNB(priors=[0.0, 0.5, 0.5], var_smoothing=1e-4),
    MultinomialNB(),
    MultinomialNB(alpha=ALPHAS),
    MultinomialNB(alpha=1e-3, fit_prior=False),
    MultinomialNB(class_prior=[0.2, 0.5, 0.3]),
    ComplementNB(),
    ComplementNB(norm=True, alpha=0.3),
    ComplementNB(alpha=ALPHAS, fit_prior=False),
    BernoulliNB(),
    BernoulliNB(binarize=1.5, alpha=0.2),
    BernoulliNB(fit_prior=False),
    BernoulliNB(class_prior=[0.2, 0.5, 0.3]),
    CategoricalNB(),
    CategoricalNB(min_categories=2),
    CategoricalNB(min_categories=6, alpha=0.3),
    CategoricalNB(min_categories=[6, 7, 8, 9], fit_prior=False),
    CategoricalNB(class_prior=[0.2, 0.5, 0.3]),
]


def data(learner, n=N, seed=0):
    """Rows that a learner can take, and three classes that overlap."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    if isinstance(learner, GaussianNB):
        return rng.normal(size=(n, D)) * [1, 10, 1e-3, 1e3] + y[:, None] * [0.5, 1, 1e-3, 0], y
    counts = rng.poisson(1.0 + (y[:, None] == np.arange(D)), size=(n, D))
    return np.minimum(counts, 2), y


def refit(learner, X, y, parts):
    """What scikit-learn gives, fold by fold."""
    classes = np.unique(y)
    labels, probabilities = np.empty(len(y), y.dtype), np.zeros((len(y), len(classes)))
    for part in np.unique(parts):
        tested = parts == part
        with np.errstate(divide="ignore", invalid="ignore"):  # of a prior or a variance of 0
            model = clone(learner).fit(X[~tested], y[~tested])
            labels[tested] = model.predict(X[tested])
            probabilities[np.ix_(tested, np.searchsorted(classes, model.classes_))] = model.predict_proba(X[tested])
    return labels, probabilities


def check(learner, X, y, parts):
    labels, probabilities = refit(learner, X, y, parts)
    got_labels, got = tree_predictions(learner, X, y, parts)
    assert got_labels.dtype == labels.dtype
    assert (got_labels == labels).all()
    np.testing.assert_allclose(got, probabilities, rtol=RTOL, atol=ATOL)
    return got_labels, got


def parts_of(scheme, y, repeat=0):
    parts = np.full(len(y), -1)
    for split in scheme.splits(y, seed=1):
        if split.repeat == repeat:
            parts[split.test] = split.fold
    return parts


@pytest.fixture
def no_refit(monkeypatch):
    def refused(*_):
        raise AssertionError("refitted")

    monkeypatch.setattr(tree, "_refit", refused)


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: " ".join(str(one).split()))
@pytest.mark.parametrize("scheme", [KFold(2), KFold(3), KFold(10), LeaveOneOut()], ids=str)
def test_it_gives_what_refitting_gives(learner, scheme):
    X, y = data(learner)
    check(learner, X, y, parts_of(scheme, y))


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: " ".join(str(one).split()))
def test_small_blocks_change_nothing(learner, monkeypatch):
    """Blocks of one, of few and of all parts."""
    X, y = data(learner)
    _, whole = tree_predictions(learner, X, y, np.arange(N))
    for block, chunk in ((1, 1), (4000, 300)):
        monkeypatch.setattr(tree, "BLOCK", block)
        monkeypatch.setattr(tree, "CHUNK", chunk)
        np.testing.assert_allclose(tree_predictions(learner, X, y, np.arange(N))[1], whole, rtol=RTOL, atol=ATOL)


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: " ".join(str(one).split()))
def test_the_order_of_rows_changes_nothing(learner):
    X, y = data(learner)
    parts = parts_of(KFold(7), y)
    order = np.random.default_rng(3).permutation(N)
    labels, probabilities = tree_predictions(learner, X, y, parts)
    turned_labels, turned = tree_predictions(learner, X[order], y[order], parts[order])
    assert (turned_labels == labels[order]).all()
    np.testing.assert_allclose(turned, probabilities[order], rtol=RTOL, atol=ATOL)


@pytest.mark.parametrize("repeat", range(5))
def test_repeats_of_five_by_two(repeat):
    X, y = data(GaussianNB())
    check(GaussianNB(), X, y, parts_of(FiveByTwo(), y, repeat))


@pytest.mark.parametrize("learner", [GaussianNB(), MultinomialNB(), ComplementNB(), BernoulliNB(), CategoricalNB()])
def test_classes_that_a_training_set_lacks(learner):
    X, y = data(learner)
    parts = np.arange(N) % 5
    y[(y == 1) & (parts != 2)] = 0
    _, probabilities = check(learner, X, y, parts)
    assert (probabilities[parts == 2, 1] == 0).all()
    np.testing.assert_allclose(probabilities.sum(1), 1, rtol=1e-12)


@pytest.mark.parametrize("learner", [GaussianNB(), MultinomialNB(), ComplementNB(), BernoulliNB(), CategoricalNB()])
def test_training_sets_of_one_class(learner):
    X, y = data(learner)
    y = np.minimum(y, 1)
    labels, probabilities = check(learner, X, y, y)
    assert (labels == 1 - y).all()
    assert (probabilities == np.eye(2)[1 - y]).all()
    labels, probabilities = check(learner, X, np.zeros(N, int), np.arange(N))
    assert (probabilities == 1).all()


@pytest.mark.parametrize("kind", [str, object, "category"])
def test_labels_may_be_text_and_rows_a_frame(kind):
    X, codes = data(GaussianNB())
    y = pd.Series(np.array(["no", "yes", "maybe"])[codes]).astype(kind)
    labels, probabilities = tree_predictions(GaussianNB(), pd.DataFrame(X), y, list(np.arange(N) % 4))
    expected = refit(GaussianNB(), X, np.asarray(y), np.arange(N) % 4)
    assert labels.tolist() == expected[0].tolist()
    np.testing.assert_allclose(probabilities, expected[1], rtol=RTOL, atol=ATOL)


@pytest.mark.parametrize("learner", [MultinomialNB(), ComplementNB(), BernoulliNB(), BernoulliNB(binarize=1.0)])
@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csr_array, sparse.coo_array])
def test_sparse_rows(learner, form):
    X, y = data(learner)
    X = X * np.random.default_rng(5).random(X.shape)  # as of tf-idf
    X[3] = 0
    for parts in (np.arange(N) % 3, np.arange(N) % 10):
        expected = refit(learner, form(X).tocsr(), y, parts)
        labels, probabilities = tree_predictions(learner, form(X), y, parts)
        assert (labels == expected[0]).all()
        np.testing.assert_allclose(probabilities, expected[1], rtol=RTOL, atol=ATOL)


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint8, np.float32, object])
def test_types_of_rows(kind):
    X, y = data(MultinomialNB())
    check(MultinomialNB(), X.astype(kind), y, np.arange(N) % 4)


def test_parts_need_only_be_told_apart():
    X, y = data(GaussianNB())
    _, one = tree_predictions(GaussianNB(), X, y, np.arange(N) % 3)
    _, two = tree_predictions(GaussianNB(), X, y, np.array([-7, 10**15, 10**17])[np.arange(N) % 3])
    assert (one == two).all()


@pytest.mark.parametrize("seed", range(80))
def test_odd_cases_are_as_in_scikit_learn(seed):
    """Ties, variances of 0, no smoothing, constant columns: labels, zeros and NaNs alike."""
    rng = np.random.default_rng(seed)
    n, d, k = rng.integers(4, 20), rng.integers(1, 4), rng.integers(1, 4)
    X, y = rng.integers(0, 2, (n, d)), rng.integers(0, k, n)
    X[:, 0] *= rng.integers(0, 2)
    X[0] = 1  # the largest category is always known, from part 0 and part 1
    X[1] = 1
    parts = np.concatenate([[0, 1], rng.integers(0, 5, n - 2)])
    alpha = float(rng.choice([1, 1e-10, 0]))
    learner = [
        GaussianNB(var_smoothing=float(rng.choice([1e-9, 0]))),
        MultinomialNB(alpha=alpha, fit_prior=False),
        ComplementNB(alpha=alpha, norm=bool(rng.integers(2))),
        BernoulliNB(alpha=alpha),
        CategoricalNB(alpha=alpha, fit_prior=False),
    ][rng.integers(5)]
    check(learner, X * 0.1 if isinstance(learner, GaussianNB) else X, y, parts)


def test_a_tie_is_decided_by_scikit_learn(monkeypatch):
    """Rows of nothing but zeros tie; only their parts are refitted."""
    X, y = data(ComplementNB(), 100)
    X += 1
    X[[5, 77]] = 0
    refitted = []
    original = tree._refit

    def seen(learner, rows, truth, classes, tested, *rest):
        refitted.extend(np.flatnonzero(tested))
        original(learner, rows, truth, classes, tested, *rest)

    monkeypatch.setattr(tree, "_refit", seen)
    check(ComplementNB(), X, y, np.arange(100))
    assert refitted == [5, 77]


@pytest.mark.usefixtures("no_refit")
@pytest.mark.parametrize("learner", [GaussianNB(), MultinomialNB(), BernoulliNB(), CategoricalNB()])
def test_ordinary_rows_need_no_refit(learner):
    X, y = data(learner, 500)
    tree_predictions(learner, X, y, np.arange(500))


@pytest.mark.parametrize("seed", range(6))
def test_ties_that_only_rounding_breaks(seed):
    """Two classes that mirror each other, and rows that are their own mirror image."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (12, 3)).repeat(2, axis=0)
    X[1::2] = X[1::2, ::-1]
    X[:4, 0] = X[:4, 2]
    y, parts = np.arange(24) % 2, np.arange(24) // 2
    check(GaussianNB(), X * 0.1, y, parts)
    check(ComplementNB(norm=True), X, y, parts)


@pytest.mark.parametrize("seed", range(3))
def test_rounding_of_large_likelihoods_leads_to_a_refit(seed):
    """A column that is constant in training and has moved in the test: an exponent of 1e7 costs seven digits."""
    X = np.column_stack([np.random.default_rng(seed).normal(size=40), np.full(40, 0.3)])
    X[:8, 1] += 0.2
    check(GaussianNB(), X, np.arange(40) % 2, np.arange(40) // 8)


@pytest.mark.parametrize("constant", [0.1, 0.3, 0.7, 1 / 3])
def test_variances_that_are_nothing_but_rounding(constant):
    X = np.column_stack([np.random.default_rng(0).normal(size=101), np.full(101, constant)])
    check(GaussianNB(var_smoothing=0.0), X, np.arange(101) % 2, np.arange(101) % 7)


def test_the_offset_of_gaussians():
    X, y = data(GaussianNB(), 200)
    check(GaussianNB(), X[:, :1] + 1e4, y, np.arange(200) % 10)


def test_smoothing_that_is_too_small_is_raised_as_told():
    X, y = data(MultinomialNB())
    learner = MultinomialNB(alpha=0, force_alpha=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(learner, X, y, np.arange(N))


def test_memory_is_bounded():
    """All statistics at once would take 96 MB, and the tree above them as much again."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2000, 1000)), rng.integers(0, 3, 2000)
    tracemalloc.start()
    tree_predictions(GaussianNB(), X, y, np.arange(2000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 32 << 20


def test_incremental_learning_of_scikit_learn_is_not_exact():
    """Why statistics are merged instead: `epsilon_` is that of the last rows."""
    X, y = data(GaussianNB())
    whole, halves = GaussianNB(var_smoothing=0.1).fit(X, y), GaussianNB(var_smoothing=0.1)
    halves.partial_fit(X[:20], y[:20], classes=[0, 1, 2]).partial_fit(X[20:], y[20:])
    assert halves.epsilon_ != pytest.approx(whole.epsilon_, rel=1e-3)


class Voter:
    """Predicts the class most frequent among rows of the same value, from whole-number counts."""

    exact_partial_fit = True
    learned = 0

    def __init__(self):
        self.counts = {}

    def partial_fit(self, X, y, classes):
        type(self).learned += len(X)
        self.classes_ = np.asarray(classes)[::-1]  # an order of its own
        for value, label in zip(X[:, 0].tolist(), y.tolist(), strict=True):
            found = self.counts.setdefault(value, dict.fromkeys(self.classes_.tolist(), 1))
            found[label] += 1
        return self

    def predict_proba(self, X):
        found = [self.counts.get(value, dict.fromkeys(self.classes_.tolist(), 1)) for value in X[:, 0].tolist()]
        counts = np.array([[one[label] for label in self.classes_.tolist()] for one in found])
        return counts / counts.sum(1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(1)]


class Silent(Voter):
    predict_proba = property()  # no such method

    def predict(self, X):
        return self.classes_[[Voter.predict_proba(self, X[i : i + 1]).argmax() for i in range(len(X))]]


def voting(n=48):
    rng = np.random.default_rng(2)
    return rng.integers(0, 5, (n, 1)), np.array(["x", "z", "y"])[rng.integers(0, 3, n)]


@pytest.mark.parametrize("parts", [2, 3, 10, 48])
def test_a_learner_that_declares_itself_exact(parts):
    X, y = voting()
    of_row = np.random.default_rng(3).permutation(np.arange(48) % parts)
    labels, probabilities = tree_predictions(Voter(), X, y, of_row)
    for part in range(parts):
        tested = of_row == part
        model = Voter().partial_fit(X[~tested], y[~tested], classes=["x", "y", "z"])
        assert (labels[tested] == model.predict(X[tested])).all()
        assert (probabilities[tested] == model.predict_proba(X[tested])[:, ::-1]).all()


@pytest.mark.parametrize("parts", range(2, 49))
def test_passes_grow_with_the_logarithm_of_parts(parts):
    """A row is learned once at each level above its part, and no part is deeper than ceil(log2 K)."""
    X, y = voting()
    Voter.learned = 0
    tree_predictions(Voter(), X, y, np.arange(48) % parts)
    assert Voter.learned <= 48 * math.ceil(math.log2(parts))
    assert Voter.learned >= 48 * math.floor(math.log2(parts))
    assert Voter.learned <= 48 * (parts - 1)  # what refitting takes
    if parts in (2, 4, 8, 16, 32):
        assert Voter.learned == 48 * math.log2(parts)


def test_the_learner_given_is_left_alone():
    X, y = voting()
    learner = Voter()
    tree_predictions(learner, X, y, np.arange(48) % 3)
    assert learner.counts == {}
    X, y = data(GaussianNB())
    fitted = GaussianNB().fit(X[:10], y[:10])
    theta = fitted.theta_.copy()
    check(fitted, X, y, np.arange(N) % 3)
    assert (fitted.theta_ == theta).all()


def test_a_learner_without_probabilities():
    X, y = voting()
    labels, probabilities = tree_predictions(Silent(), X, y, np.arange(48) % 4)
    assert (labels == tree_predictions(Voter(), X, y, np.arange(48) % 4)[0]).all()
    assert np.isnan(probabilities).all()


class Mine(GaussianNB):
    pass


class Learning:
    def partial_fit(self, X, y, classes=None):
        return self


FLOAT32 = "GaussianNB computes in float32 where `X` is float32, and its rounding then depends on the order of rows"


@pytest.mark.parametrize(
    ("learner", "X", "sentence"),
    [
        (GaussianNB(), None, None),
        (GaussianNB(), [[1.0]], None),
        (BernoulliNB(), sparse.csr_array(np.eye(2)), None),
        (Voter(), None, None),
        (SGDClassifier(), None, "SGDClassifier depends on the order of rows"),
        (MLPClassifier(), None, "MLPClassifier depends on the order of rows"),
        (make_pipeline(StandardScaler(), GaussianNB()), None, "a pipeline is fitted as a whole"),
        (
            RandomForestClassifier(),
            None,
            "RandomForestClassifier cannot learn more rows after the first: it has no `partial_fit`",
        ),
        (Mine(), None, "Mine does not declare `exact_partial_fit = True`"),
        (Learning(), None, "Learning does not declare `exact_partial_fit = True`"),
        (GaussianNB, None, "GaussianNB is a class, and a learner is an object of it"),
        (
            BernoulliNB(alpha=[1.0, 2.0]),
            None,
            "BernoulliNB of scikit-learn adds an array `alpha` to classes instead of features",
        ),
        (GaussianNB(), sparse.csr_array(np.eye(2)), "GaussianNB takes no sparse matrix"),
        (CategoricalNB(), sparse.csr_matrix(np.eye(2)), "CategoricalNB takes no sparse matrix"),
        (GaussianNB(), np.zeros((2, 1), np.float32), FLOAT32),
    ],
)
def test_why_a_learner_cannot_be_used(learner, X, sentence):
    assert is_exact(learner, X) == sentence
    if sentence is not None:
        with pytest.raises(howsure.HowsureError) as caught:
            tree_predictions(learner, np.eye(2) if X is None else X, [0, 1], [0, 1])
        assert str(caught.value) == f"recursive halving cannot be used: {sentence}."


ROWS, LABELS, PARTS = [[1.0], [2.0], [0.0], [3.0]], [0, 1, 0, 1], [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("learner", "X", "y", "parts", "sentence"),
    [
        (
            GaussianNB(),
            ROWS,
            LABELS,
            [0, 1],
            "all must have as many rows, not `X` 4, `y` 4, `parts` 2.",
        ),
        (
            GaussianNB(),
            1.0,
            LABELS,
            PARTS,
            "all must have as many rows, not `X` 0, `y` 4, `parts` 4.",
        ),
        (
            GaussianNB(),
            ROWS,
            LABELS,
            [0.5, 0, 1, 1],
            "`parts` must be one whole number for each row, not [0.5, 0, 1, 1].",
        ),
        (
            GaussianNB(),
            ROWS,
            LABELS,
            [3, 3, 3, 3],
            "`parts` must name at least two parts: one is tested and the others train.",
        ),
        (GaussianNB(), ROWS, [LABELS], PARTS, "`y` must be one column of labels, not an array of shape (1, 4)."),
        (GaussianNB(), ROWS, [0, 1, 0, np.nan], PARTS, "`y` must hold labels of one type, and none missing."),
        (
            GaussianNB(),
            ROWS,
            pd.Series(["a", "b", None, "a"]),
            PARTS,
            "`y` must hold labels of one type, and none missing.",
        ),
        (
            GaussianNB(),
            [[1.0], [2.0], [np.nan], [3.0]],
            LABELS,
            PARTS,
            "GaussianNB cannot be fitted: Input contains NaN.",
        ),
        (
            GaussianNB(priors=[0.2, 0.2]),
            ROWS,
            LABELS,
            PARTS,
            "GaussianNB cannot be fitted: The sum of the priors should be 1.",
        ),
        (
            MultinomialNB(class_prior=[0.2, 0.2, 0.6]),
            ROWS,
            LABELS,
            PARTS,
            "MultinomialNB cannot be fitted: Number of priors must match number of classes.",
        ),
        (MultinomialNB(), [[1], [2], [-3], [4]], LABELS, PARTS, "`X` must be 0 or above for MultinomialNB, not -3."),
        (
            GaussianNB(priors=[0.5, 0.5]),
            ROWS,
            LABELS,
            [0, 1, 0, 1],
            "`priors` is for 2 classes, and a training set has only 1 of them.",
        ),
        (
            ComplementNB(class_prior=[0.5, 0.5]),
            ROWS,
            LABELS,
            [0, 1, 0, 1],
            "`class_prior` is for 2 classes, and a training set has only 1 of them.",
        ),
        (
            CategoricalNB(),
            [[1], [2], [0], [3]],
            LABELS,
            PARTS,
            "row 3 has category 3 of feature 0, which is above all of its training set; set `min_categories`.",
        ),
    ],
)
def test_bad_input(learner, X, y, parts, sentence):
    with pytest.raises(howsure.HowsureError) as caught:
        tree_predictions(learner, X, y, parts)
    assert str(caught.value) == sentence
