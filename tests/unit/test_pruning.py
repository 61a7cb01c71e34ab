"""Pessimistic pruning: the bounds, the comparisons, the estimator, its text and pictures."""

from __future__ import annotations

import itertools
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from matplotlib.text import Text
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from howsure import HowsureError
from howsure.learners.tree.bounds import BOUNDS, upper_error
from howsure.learners.tree.pessimistic import OWN, PessimisticTree, prune
from howsure.learners.tree.pruning import NodeCounts, prune_nodes, whole
from howsure.learners.tree.smoothing import smooth
from howsure.present.charts.series import muted

X, Y = load_breast_cancer(return_X_y=True)
NAMED = np.array(["malignant", "benign"])[Y]
RNG = np.random.default_rng(0)
NOISY = np.where(RNG.random(len(Y)) < 0.2, 1 - Y, Y)
GROWN = DecisionTreeClassifier(min_samples_leaf=3, random_state=0).fit(X, NOISY)


@parametrize_with_checks([PessimisticTree(), PessimisticTree(bound="exact", smoothing="m")])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


# ---- bounds


@pytest.mark.parametrize("bound", BOUNDS)
@example(n=1.5, share=0.9999999999999999, confidence=0.125, factor=0.5)  # rounding led past 1
@given(n=st.floats(1, 1e6), share=st.floats(0, 1), confidence=st.floats(0.001, 0.499), factor=st.floats(0.1, 0.99))
def test_bound_lies_above_the_rate_and_grows_as_confidence_falls(bound, n, share, confidence, factor):
    errors = share * n
    result = upper_error(errors, n, confidence, bound)
    assert errors / n - 1e-9 <= result <= 1  # solvers and square roots round
    assert upper_error(errors, n, confidence * factor, bound) >= result - 1e-9


@pytest.mark.parametrize("bound", BOUNDS)
def test_bound_of_arrays_is_the_bound_of_each(bound):
    errors, n = np.array([[0, 0.4, 1], [2, 3.5, 6]]), np.array([6.0, 6, 6])
    result = upper_error(errors, n, 0.1, bound)
    assert result.shape == (2, 3)
    assert result[1, 2] == 1  # all wrong
    each = [[upper_error(e, m, 0.1, bound) for e, m in zip(row, n, strict=True)] for row in errors]
    np.testing.assert_array_equal(result, each)
    assert isinstance(each[0][0], float)


@pytest.mark.parametrize("bound", BOUNDS)
def test_no_case_has_no_bound(bound):
    assert np.isnan(upper_error(0, 0, bound=bound))
    np.testing.assert_array_equal(np.isnan(upper_error([0, 1], [0, 2], bound=bound)), [True, False])


@pytest.mark.parametrize("bound", BOUNDS)
def test_any_real_number_is_a_confidence(bound):
    quarter = Fraction(1, 4)
    np.testing.assert_array_equal(upper_error([0, 1], [6, 6], quarter, bound), upper_error([0, 1], [6, 6], 0.25, bound))
    assert prune(GROWN, quarter, bound).trace_.to_dict() == prune(GROWN, 0.25, bound).trace_.to_dict()


def test_wilson_bound_is_the_root_of_its_equation():
    errors, n, z = np.array([0, 1, 2, 5, 40.5]), np.array([3, 16, 6, 14, 200]), 0.6744897501960817
    e = upper_error(errors, n)
    np.testing.assert_allclose((e - errors / n) ** 2, z**2 * e * (1 - e) / n, rtol=1e-10)  # squares lose digits
    below = upper_error(errors, n, 0.75)  # the same equation, its other root
    np.testing.assert_allclose((below - errors / n) ** 2, z**2 * below * (1 - below) / n, rtol=1e-10, atol=1e-15)


def test_weka_adds_along_a_line_below_one_error():
    at = [upper_error(e, 10, 0.25, "c45") * 10 for e in (0, 0.25, 0.5, 1 - 1e-12, 1)]
    np.testing.assert_allclose(np.interp([0.25, 0.5], [0, 1], [at[0], at[4]]), at[1:3], rtol=1e-12)
    np.testing.assert_allclose(at[3], at[4], rtol=1e-10)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((7, 6), "`errors` must be between 0 and `n`, not 7 for n = 6."),
        ((np.arange(3000), 1500), "`errors` must be between 0 and `n`, not 1501 for n = 1500."),
        (([1, 2], [3, 4, 5]), "`errors` and `n` must have shapes that can be broadcast, not (2,) and (3,)."),
        ((-1, 6), "`errors` must be between 0 and `n`, not -1 for n = 6."),
        ((float("nan"), 6), "`errors` must be between 0 and `n`, not nan for n = 6."),
        (("a", 6), "`errors` must be a number, or numbers, not 'a'."),
        ((1, 6, 0), "`confidence` must be a number between 0 and 1, not 0."),
        ((1, 6, None), "`confidence` must be a number between 0 and 1, not None."),
        ((1, 6, True), "`confidence` must be a number between 0 and 1, not True."),
        ((1, 6, 0.6, "c45"), "`confidence` must be at most 0.5 for the bound 'c45', not 0.6."),
        (
            (1, 6, 0.25, "wilsn"),
            "`bound` must be one of 'wilson', 'exact', 'c45', not 'wilsn'; did you mean 'wilson'?",
        ),
        ((1, 6, 0.25, ["c45"]), "`bound` must be one of 'wilson', 'exact', 'c45', not ['c45']; did you mean 'c45'?"),
    ],
)
def test_bad_arguments_of_a_bound(arguments, message):
    with pytest.raises(HowsureError) as caught:
        upper_error(*arguments)
    assert str(caught.value) == message


# ---- comparing subtrees with leaves


def by_hand(tree, confidence, bound):
    """Prune by recursion over scikit-learn's arrays, and give the leaf of each node."""
    t = tree.tree_
    counts = t.value[:, 0, :] * t.weighted_n_node_samples[:, None]
    cost = [c.sum() * upper_error(round(c.sum() - c.max(), 6), round(c.sum(), 6), confidence, bound) for c in counts]
    leaves = {}

    def visit(node):
        if t.children_left[node] < 0:
            leaves[node] = [node]
            return cost[node]
        below = visit(t.children_left[node]) + visit(t.children_right[node])
        if cost[node] <= below + 1e-7:
            leaves[node] = [node]
            return cost[node]
        leaves[node] = leaves[t.children_left[node]] + leaves[t.children_right[node]]
        return below

    visit(0)
    return sorted(leaves[0])


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("confidence", [0.01, 0.25, 0.5])
@pytest.mark.parametrize("settings", [{}, {"min_samples_leaf": 4}, {"max_leaf_nodes": 30}, {"splitter": "random"}])
def test_leaves_are_those_of_a_plain_recursion(bound, confidence, settings):
    grown = DecisionTreeClassifier(random_state=1, **settings).fit(X, NOISY)
    pruned = prune(grown, confidence, bound)
    expected = by_hand(grown, confidence, bound)
    assert np.unique(pruned.pruning_.replaced_by[pruned.nodes_.is_leaf]).tolist() == expected
    assert pruned.get_n_leaves() == len(expected)
    assert set(pruned.apply(X)) <= set(expected)
    path = grown.decision_path(X).toarray()[:, expected]  # each case passes exactly one of them
    assert (path.sum(axis=1) == 1).all()
    assert (np.array(expected)[path.argmax(axis=1)] == pruned.apply(X)).all()
    assert pruned.get_depth() == max((grown.tree_.compute_node_depths() - 1)[expected])


def test_a_split_that_changes_no_error_goes_although_sums_round():
    # With one half left above, Wilson's bound is the error rate itself: both sides are 1.
    counts = np.array([[0.9, 0.3], [0.6, 0.2], [0.3, 0.1]])
    assert 0.3 != 0.2 + 0.1
    result = prune_nodes(NodeCounts(np.array([1, -1, -1]), np.array([2, -1, -1]), counts), 0.5, "wilson")
    assert result.pruned.tolist() == [True, False, False]


def test_a_long_chain_is_no_trouble():
    n = np.arange(600)
    grown = DecisionTreeClassifier(splitter="best").fit(n[:, None] ** 2.0, n % 2)
    depth = prune(grown, None).get_depth()
    assert depth == grown.get_depth()
    assert len(prune(grown).text().splitlines()) >= 2
    left = np.where(np.arange(4001) % 2 == 0, np.arange(4001) + 1, -1)
    left[-1] = -1
    right = np.where(left >= 0, left + 1, -1)
    counts = np.column_stack([np.arange(4001, 0, -1.0) // 2 + 1, np.ones(4001)])
    chain = NodeCounts(left, right, counts)
    assert chain.depth.max() == 2000
    assert prune_nodes(chain, 0.25, "wilson").replaced_by[-1] == 0


def test_smaller_confidence_prunes_more():
    leaves = [prune(GROWN, c, "exact").get_n_leaves() for c in (None, 0.5, 0.25, 0.05, 0.001)]
    assert leaves == sorted(leaves, reverse=True)
    assert leaves[0] == GROWN.get_n_leaves() > leaves[2] > leaves[4]


@pytest.mark.parametrize("bound", BOUNDS)
def test_whole_weights_are_repetitions(bound):
    times = RNG.integers(0, 4, len(Y))
    weighted = PessimisticTree(0.2, bound, "m", random_state=0).fit(X, NOISY, times)
    repeated = PessimisticTree(0.2, bound, "m", random_state=0).fit(np.repeat(X, times, 0), np.repeat(NOISY, times))
    np.testing.assert_array_equal(weighted.predict_proba(X), repeated.predict_proba(X))
    assert str(weighted.trace_) == str(repeated.trace_)
    assert all(isinstance(n, int) for n in weighted.trace_["n"].tolist())


# ---- prune


def test_prune_leaves_the_tree_as_it_is():
    before = pickle.dumps(GROWN)
    prune(GROWN, 0.01)
    assert pickle.dumps(GROWN) == before


def test_fitting_the_first_tree_again_does_not_reach_the_pruned_one():
    grown = clone(GROWN).fit(X, NOISY)
    pruned = prune(grown)
    expected = pruned.predict(X)
    grown.fit(X[:, ::-1], 1 - NOISY)
    np.testing.assert_array_equal(pruned.predict(X), expected)


def test_prune_is_what_the_estimator_does():
    fitted = PessimisticTree(0.1, "c45", min_samples_leaf=3, random_state=0).fit(X, NOISY)
    pruned = prune(GROWN, 0.1, "c45")
    assert pruned.get_params() == fitted.get_params()
    np.testing.assert_array_equal(pruned.predict_proba(X), fitted.predict_proba(X))
    again = clone(pruned).fit(X, NOISY)
    np.testing.assert_array_equal(again.apply(X), pruned.apply(X))


def test_a_pruned_tree_is_pruned_anew_from_the_grown_one():
    hard = PessimisticTree(0.001, smoothing="laplace", min_samples_leaf=3, random_state=0).fit(X, NOISY)
    soft = prune(hard, None)
    assert hard.get_n_leaves() < soft.get_n_leaves() == GROWN.get_n_leaves()
    assert soft.smoothing == "laplace"


def test_without_pruning_the_numbers_are_those_of_scikit_learn():
    ours = PessimisticTree(None, min_samples_leaf=3, random_state=0).fit(X, NOISY)
    np.testing.assert_array_equal(ours.predict_proba(X), GROWN.predict_proba(X))
    np.testing.assert_array_equal(ours.predict(X), GROWN.predict(X))
    np.testing.assert_array_equal(ours.apply(X), GROWN.apply(X))
    assert len(ours.trace_) == 0
    assert ours.text() == ours.text(pruned=False)


def test_every_parameter_of_the_tree_passes_through():
    ours = set(PessimisticTree().get_params()) - set(OWN)
    assert ours == set(DecisionTreeClassifier().get_params()) - {"monotonic_cst"}
    defaults = DecisionTreeClassifier().get_params()
    assert {name: PessimisticTree().get_params()[name] for name in ours} == {name: defaults[name] for name in ours}


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (
            DecisionTreeClassifier(),
            "`tree` must be a fitted DecisionTreeClassifier or PessimisticTree, not DecisionTreeClassifier().",
        ),
        (
            PessimisticTree(),
            "`tree` must be a fitted DecisionTreeClassifier or PessimisticTree, not PessimisticTree().",
        ),
        (
            DecisionTreeRegressor().fit(X, Y),
            "`tree` must be a fitted DecisionTreeClassifier or PessimisticTree, not DecisionTreeRegressor().",
        ),
        (
            DecisionTreeClassifier(max_depth=1).fit(X, np.column_stack([Y, Y])),
            "`tree` must have one output, not 2; grow one tree per output.",
        ),
        (
            DecisionTreeClassifier(max_depth=1, monotonic_cst=[1] * 30).fit(X, Y),
            "`tree` must be grown without `monotonic_cst`, since its nodes must store class counts.",
        ),
        (
            DecisionTreeClassifier(max_depth=1).fit(X, Y, np.where(np.arange(len(Y)) < 400, -1.0, 0.5)),
            "`tree` must be fitted with non-negative sample weights; some of its counts are negative.",
        ),
    ],
)
def test_what_cannot_be_pruned(tree, message):
    with pytest.raises(HowsureError) as caught:
        prune(tree)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"confidence": 2}, "`confidence` must be a number between 0 and 1, not 2; did you mean 0.02?"),
        ({"confidence": None, "bound": "x"}, "`bound` must be one of 'wilson', 'exact', 'c45', not 'x'."),
        (
            {"smoothing": "laplce"},
            "`smoothing` must be one of None, 'laplace', 'm', not 'laplce'; did you mean 'laplace'?",
        ),
        ({"m": -1}, "`m` must be a number of cases, 0 or more, not -1."),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(HowsureError) as caught:
        PessimisticTree(**settings).fit(X, Y)
    assert str(caught.value) == message


def test_negative_weights_are_refused():
    with pytest.raises(HowsureError) as caught:
        PessimisticTree().fit(X, Y, -np.ones(len(Y)))
    assert str(caught.value) == "`sample_weight` must be finite and non-negative, not -1.0 at index 0."


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("scale", [1e-300, 1e-20, 1e-10, 1e20, 1e300])
def test_weights_far_from_one_are_no_trouble(bound, scale):
    tree = PessimisticTree(0.25, bound, min_samples_leaf=3, random_state=0).fit(X, NOISY, np.full(len(Y), scale))
    assert np.isfinite([tree.trace_["e"], tree.trace_["f"]]).all()
    assert tree.text()


def test_small_weights_are_counted_beside_large_ones():
    # AdaBoost leaves easy cases weights like these; they must not be taken for rounding.
    nodes = NodeCounts(np.array([-1]), np.array([-1]), whole(np.array([[3.0 + 4e-16, 2e-10]])))
    assert (nodes.n[0], nodes.errors[0]) == pytest.approx((3, 2e-10), rel=1e-5)  # a difference of 3 and 3 + 2e-10
    assert whole(np.array([1e-12, 2 + 4e-16, 0.3])).tolist() == [1e-12, 2, 0.3]


@pytest.mark.parametrize("name", ["get_n_leaves", "get_depth", "text", "plot"])
def test_an_unfitted_tree_says_so(name):
    with pytest.raises(NotFittedError):
        getattr(PessimisticTree(), name)()
    assert not hasattr(PessimisticTree(), "trace_")


# ---- data of all kinds


def test_strings_sparse_frames_pipelines_and_pickles():
    tree = PessimisticTree(0.1, min_samples_leaf=5, random_state=0).fit(X, NAMED)
    expected = tree.predict(X)
    assert set(expected) == {"benign", "malignant"}
    scarce = PessimisticTree(0.1, min_samples_leaf=5, random_state=0).fit(sparse.csc_matrix(X), NAMED)
    np.testing.assert_array_equal(scarce.predict(sparse.csr_matrix(X)), expected)
    np.testing.assert_array_equal(scarce.predict(sparse.coo_array(X)), expected)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(tree)).predict_proba(X), tree.predict_proba(X))
    frame = load_breast_cancer(as_frame=True).data
    framed = clone(tree).fit(frame, NAMED)
    np.testing.assert_array_equal(framed.predict(frame), expected)
    with pytest.raises(ValueError, match="feature names should match"):
        framed.predict(frame.iloc[:, ::-1])
    assert not hasattr(framed.fit(X, NAMED), "feature_names_in_")
    result = GridSearchCV(
        make_pipeline(StandardScaler(), PessimisticTree(random_state=0)),
        {"pessimistictree__confidence": [0.01, 0.25, None], "pessimistictree__bound": list(BOUNDS)},
        cv=3,
    ).fit(X, NAMED)
    assert result.best_score_ > 0.85


def test_missing_values_as_the_tree_takes_them():
    holes = X.copy()
    holes[RNG.random(X.shape) < 0.1] = np.nan
    tree = PessimisticTree(0.1, min_samples_leaf=5, random_state=0).fit(holes, Y)
    assert tree.score(holes, Y) > 0.8
    with pytest.raises(ValueError, match="Input X contains NaN"):
        tree.predict(sparse.csr_matrix(holes))
    gone = np.where(np.arange(60) % 2, np.nan, 1.0)[:, None]
    assert (
        PessimisticTree().fit(gone, np.isnan(gone[:, 0])).text()
        == "x[0] is not missing: False (30)\nx[0] is missing: True (30)"
    )


def test_one_class_is_one_leaf():
    tree = PessimisticTree(smoothing="laplace").fit(X, np.zeros(len(X)))
    assert (tree.get_n_leaves(), tree.get_depth(), len(tree.trace_)) == (1, 0, 0)
    assert tree.text() == "0.0 (569)"
    np.testing.assert_array_equal(tree.predict_proba(X[:2]), [[1], [1]])
    assert len(tree.plot(both=True)) == 2
    assert "splits: 0 before" in str(tree.trace_)


@pytest.mark.parametrize("bound", BOUNDS)
def test_noise_is_pruned_and_the_mean_error_does_not_grow(bound):
    # Single splits go either way; the claim is about the mean of 20.
    features, y = make_classification(600, 10, n_informative=4, random_state=1)
    leaves, errors = np.zeros((20, 2)), np.zeros((20, 2))
    for seed in range(20):
        rng = np.random.default_rng(seed)
        order = rng.permutation(600)
        train, test = order[:450], order[450:]
        noisy = np.where(rng.random(600) < 0.2, rng.integers(0, 2, 600), y)
        grown = DecisionTreeClassifier(min_samples_leaf=5, random_state=seed).fit(features[train], noisy[train])
        for index, confidence in enumerate((None, 0.25)):
            tree = prune(grown, confidence, bound)
            leaves[seed, index], errors[seed, index] = tree.get_n_leaves(), 1 - tree.score(features[test], y[test])
    assert (leaves[:, 1] < leaves[:, 0]).all()
    assert errors[:, 1].mean() <= errors[:, 0].mean()


# ---- smoothing


def test_smoothing_of_a_hand_worked_leaf():
    np.testing.assert_allclose(smooth([3, 1, 0], "laplace"), [4 / 7, 2 / 7, 1 / 7], rtol=1e-15)
    np.testing.assert_allclose(smooth([3, 1, 0], "m", 2, [0.5, 0.25, 0.25]), [4 / 6, 1.5 / 6, 0.5 / 6], rtol=1e-15)
    np.testing.assert_allclose(smooth([3, 1, 0], "m", 3), smooth([3, 1, 0], "laplace"), rtol=1e-15)  # m = classes
    np.testing.assert_array_equal(smooth([3, 1, 0], None), [0.75, 0.25, 0])
    np.testing.assert_array_equal(smooth([[0, 0]], "laplace"), [[0.5, 0.5]])
    np.testing.assert_array_equal(smooth([0, 0], "m", 1, [0.9, 0.1]), [0.9, 0.1])
    assert np.isnan(smooth([0, 0], None)).all()


@settings(max_examples=50)
@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=6), st.sampled_from(["laplace", "m"]), st.floats(0.01, 100))
def test_smoothed_shares_sum_to_one_and_none_is_zero(counts, method, m):
    result = smooth(counts, method, m)
    np.testing.assert_allclose(result.sum(), 1, rtol=1e-12)
    assert (result > 0).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2], "add-one"), "`method` must be one of None, 'laplace', 'm', not 'add-one'."),
        (([1, -2], "m"), "`counts` must be numbers of cases per class, 0 or more, not [1, -2]."),
        ((3, "m"), "`counts` must be numbers of cases per class, 0 or more, not 3."),
        (([1, 2], "m", float("inf")), "`m` must be a number of cases, 0 or more, not inf."),
        (([1, 2], "m", 2, [1, 1]), "`prior` must be 2 probabilities that sum to 1, not [1, 1]."),
        (([1, 2], "m", 2, [1]), "`prior` must be 2 probabilities that sum to 1, not [1]."),
    ],
)
def test_bad_arguments_of_smoothing(arguments, message):
    with pytest.raises(HowsureError) as caught:
        smooth(*arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize("method", ["laplace", "m"])
def test_leaves_are_smoothed_with_their_own_counts(method):
    flowers, kinds = load_iris(return_X_y=True)
    tree = PessimisticTree(smoothing=method, m=4, min_samples_leaf=5).fit(flowers, kinds)
    leaf = tree.apply(flowers)
    for index in np.unique(leaf):
        counts = np.bincount(kinds[leaf == index], minlength=3)
        expected = (counts + 1) / (counts.sum() + 3) if method == "laplace" else (counts + 4 / 3) / (counts.sum() + 4)
        np.testing.assert_allclose(tree.predict_proba(flowers[leaf == index][:1])[0], expected, rtol=1e-12)
    np.testing.assert_array_equal(tree.predict(flowers), tree.predict_proba(flowers).argmax(axis=1))


# ---- words and pictures


def test_trace_has_both_sides_of_each_comparison():
    pruned = prune(GROWN, 0.1, "c45")
    trace = pruned.trace_
    assert len(trace) == GROWN.tree_.node_count - GROWN.get_n_leaves()
    assert trace.columns == ["node", "depth", "split", "class", "n", "errors", "f", "e", "leaf", "subtree", "decision"]
    assert ((trace["leaf"] <= trace["subtree"]) == (trace["decision"] == "prune")).all()
    np.testing.assert_allclose(trace["e"], upper_error(trace["errors"], trace["n"], 0.1, "c45"), rtol=1e-12)
    index = {node: row for row, node in enumerate(trace["node"].tolist())}
    for child, parent in [(c, p) for p in index for c in GROWN.tree_.children_left[[p]] if c in index]:
        assert index[child] < index[parent]  # bottom-up
    assert len(trace.frame()) == len(trace)
    assert trace.to_dict()["records"][0]["n"] == trace[0]["n"]
    left = pruned.get_n_leaves() - 1  # a tree of two-way splits has one split less than leaves
    assert trace.notes[0].startswith(f"splits: {len(trace)} before, {left} after pruning")


FRAME = pd.DataFrame({"cost $x$": np.arange(40.0), "<b>": np.tile([0.0, 1], 20)})
KINDS = np.where(FRAME["cost $x$"] < 20, "<script>", "$a_1$\nb")


def test_text_and_trace_keep_foreign_names_harmless():
    tree = PessimisticTree().fit(FRAME, KINDS)
    assert tree.text() == "cost $x$ <= 19.5: <script> (20)\ncost $x$ > 19.5: $a_1$\\nb (20)"
    html = tree.trace_._repr_html_()
    assert "<script>" not in html
    assert "$a_1$" in html
    assert len(tree.plot().figure.axes) == 1
    tree.plot(both=True)[0].figure.draw_without_rendering()  # a dollar must not start a formula


@pytest.mark.parametrize(
    ("low", "high", "limit"),
    [(250001, 250002, "250001.5"), (20250001, 20250102, "20250051"), (-3, 1e20, "5e+19"), (0.1, 0.2, "0.15")],
)
def test_text_parts_the_cases_as_the_tree_does(low, high, limit):
    rows = np.repeat([[low], [high]], 20, axis=0)
    text = PessimisticTree().fit(rows, rows[:, 0] == high).text()
    assert text == f"x[0] <= {limit}: False (20)\nx[0] > {limit}: True (20)"
    assert low <= float(limit) < high


def test_trace_and_text_tell_of_the_fit_whatever_is_set_later():
    tree = PessimisticTree(0.1, smoothing="laplace", min_samples_leaf=3, random_state=0).fit(X, NOISY)
    before = str(tree.trace_), tree.text(), tree.text(pruned=False)
    tree.set_params(confidence=None, bound="none", smoothing="nothing")
    assert (str(tree.trace_), tree.text(), tree.text(pruned=False)) == before


def test_text_has_a_line_for_each_way_out():
    pruned = prune(GROWN, 0.1)
    for which, leaves in ((True, pruned.get_n_leaves()), (False, GROWN.get_n_leaves())):
        lines = pruned.text(pruned=which).splitlines()
        assert len(lines) == 2 * (leaves - 1)
        assert sum("(" in line for line in lines) == leaves


def test_picture_shows_what_was_removed_in_pale():
    pruned = prune(DecisionTreeClassifier(min_samples_leaf=20, random_state=0).fit(X, NOISY), 0.1)
    before, after = pruned.plot(both=True)
    shades = [text.get_color() for text in before.texts]
    assert len(shades) == pruned.grown_.tree_.node_count
    assert shades.count(muted(before)) == (~pruned.pruning_.remaining() | pruned.pruning_.pruned).sum() > 0
    assert len(after.texts) == 2 * pruned.get_n_leaves() - 1
    for ax, which, leaves, key in (
        (before, "before", pruned.grown_.get_n_leaves(), "pale: pruned"),
        (after, "after", pruned.get_n_leaves(), "bold: leaves created by pruning"),
    ):
        assert ax.get_title(loc="left") == f"{which} pruning: {leaves} leaves; the upper branch is yes; {key}"


@pytest.mark.parametrize("leaves", [1, 2, 5])
def test_titles_and_labels_fit_the_picture(leaves):
    tree = prune(DecisionTreeClassifier(max_leaf_nodes=leaves * 3, random_state=0).fit(X, NOISY), 1e-9 ** (1 / leaves))
    for figure in (tree.plot(both=True)[0].figure, tree.plot().figure):
        figure.draw_without_rendering()
        written = [text for text in figure.findobj(Text) if text.get_text()]
        assert max(text.get_window_extent().x1 for text in written) <= figure.bbox.x1
        titles = [text.get_window_extent() for text in written if " pruning: " in text.get_text()]
        assert len(titles) == len(figure.axes)
        assert not any(one.overlaps(other) for one, other in itertools.pairwise(titles))


def test_two_wide_trees_stand_one_above_the_other():
    frame = load_breast_cancer(as_frame=True).data
    wide, narrow = (PessimisticTree(max_depth=depth, random_state=0).fit(frame, Y).plot(both=True) for depth in (4, 1))
    above, below = (ax.get_position() for ax in wide)
    left, right = (ax.get_position() for ax in narrow)
    assert above.y0 > below.y0
    assert (left.y0, left.y1) == pytest.approx((right.y0, right.y1))
    assert wide[0].figure.get_size_inches()[0] < 20


def test_names_of_usual_length_are_not_cut():
    frame = load_breast_cancer(as_frame=True).data
    texts = [text.get_text() for text in PessimisticTree(max_depth=2).fit(frame, Y).plot().texts]
    assert any(text.startswith("worst concave points <= ") for text in texts)


def test_picture_of_a_large_tree_is_cut_and_says_so():
    rng = np.random.default_rng(0)
    tree = PessimisticTree(0.25, "exact").fit(rng.normal(size=(1500, 4)), rng.integers(0, 3, 1500))
    ax = tree.plot(pruned=False)
    assert "; drawn to depth " in ax.get_title(loc="left")
    assert len(ax.texts) < 70
    hidden = sum(int(text.get_text().split()[1]) for text in ax.texts if text.get_text().startswith("…"))
    assert hidden + len(ax.texts) == tree.grown_.tree_.node_count


def test_pictures_go_into_axes_of_the_user():
    from matplotlib.figure import Figure

    tree = prune(DecisionTreeClassifier(min_samples_leaf=20, random_state=0).fit(X, NOISY), 0.1)
    pair = Figure().subplots(1, 2)
    assert tree.plot(pair, both=True) is pair
    expected = tree.plot(pruned=False), tree.plot()
    for ax, alone in zip(pair, expected, strict=True):
        assert [text.get_text() for text in ax.texts] == [text.get_text() for text in alone.texts]
    one = Figure().subplots()
    assert tree.plot(one) is one
