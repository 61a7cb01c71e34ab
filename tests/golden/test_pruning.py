"""Bounds and pruning against textbooks and Weka."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import beta
from sklearn.tree import DecisionTreeClassifier

from howsure.learners.tree.bounds import upper_error
from howsure.learners.tree.pessimistic import prune
from howsure.learners.tree.pruning import NodeCounts, prune_nodes

Z69 = 1 - ndtr(0.69)  # Witten & Frank round the quantile of 25 % to .69

# Weka 3.6.14 (Debian 3.6.14-3), weka.classifiers.trees.j48.Stats.addErrs(N, e, CF), printed by a Java program
# of one loop: (CF, N, e, errors added). Do not edit.
WEKA = [
    (0.05, 1, 0.3, 0.664999999478), (0.05, 2, 1.7, 0.3), (0.05, 3, 2, 0.930020050891), (0.05, 6, 5, 0.930650372794),
    (0.05, 9, 2, 2.95465501614), (0.05, 14, 1.7, 3.47025139146), (0.05, 16, 0.5, 3.08978779067),
    (0.05, 27.5, 0, 2.83832828041), (0.05, 27.5, 5.25, 4.63935311277), (0.05, 100, 2, 4.57736056041),
    (0.05, 100, 100, 0), (0.05, 1000, 5, 5.90110048281), (0.05, 1000, 999, 0.931254690984),
    (0.1, 2, 0.5, 1.13289870584), (0.1, 3, 1, 1.39218975667), (0.1, 6, 1.7, 2.02327482962),
    (0.1, 9, 1, 2.35957100137), (0.1, 14, 0.5, 2.35897598231), (0.1, 16, 0, 2.14457081334),
    (0.1, 16, 5.25, 3.06116332615), (0.1, 27.5, 2, 3.11499525766), (0.1, 100, 1, 3.01617944589),
    (0.1, 100, 99, 0.901668794432), (0.1, 1000, 1.7, 3.38156592949), (0.1, 1000, 99.7, 13.3318871693),
    (0.25, 2, 0, 1), (0.25, 3, 0.3, 1.09037599921), (0.25, 6, 0.5, 1.27065170103), (0.25, 9, 0.3, 1.31759651559),
    (0.25, 14, 0, 1.31986870031), (0.25, 14, 0.3, 1.36207309989), (0.25, 14, 0.5, 1.39020936627),
    (0.25, 14, 1, 1.46055003224), (0.25, 14, 1.7, 1.56750471292), (0.25, 14, 2, 1.6033442781),
    (0.25, 14, 5, 1.76111980727), (0.25, 14, 5.25, 1.76185296906), (0.25, 14, 13.6, 0.4),
    (0.25, 16, 2, 1.62992715645), (0.25, 27.5, 1, 1.52058968799), (0.25, 100, 0.3, 1.43369696528),
    (0.25, 100, 13.6, 3.01026722078), (0.25, 1000, 0.5, 1.483926571), (0.25, 1000, 50, 5.37836584336),
    (0.4, 1, 0.5, 0.29999999702), (0.4, 2, 2, 0), (0.4, 6, 0, 0.849754673614), (0.4, 6, 5.25, 0.597629453527),
    (0.4, 9, 5, 0.862191303568), (0.4, 14, 2, 0.883342768621), (0.4, 16, 1, 0.821905112153),
    (0.4, 27.5, 0.3, 0.880203031467), (0.4, 27.5, 13.6, 1.16247852652), (0.4, 100, 5, 1.10664528086),
    (0.4, 1000, 0, 0.915871050822), (0.4, 1000, 5.25, 1.13828794343), (0.5, 1, 0, 0.5), (0.5, 2, 1, 0.5),
    (0.5, 3, 1.7, 0.5), (0.5, 6, 2, 0.5), (0.5, 9, 1.7, 0.5), (0.5, 14, 1, 0.5), (0.5, 16, 0.3, 0.624843256176),
    (0.5, 16, 13.6, 0.5), (0.5, 27.5, 5, 0.5), (0.5, 100, 1.7, 0.5), (0.5, 100, 99.7, 0.3), (0.5, 1000, 2, 0.5),
    (0.5, 1000, 100, 0.5),
]  # fmt: skip


@pytest.mark.parametrize(("errors", "n", "value"), [(2, 6, 0.47399), (1, 2, 0.71925), (5, 14, 0.44886)])
def test_wilson_bound_of_witten_and_frank(errors, n, value):
    # Labor negotiations; the book prints .47, .72 and .46 (rounded upwards).
    np.testing.assert_allclose(upper_error(errors, n, Z69), value, rtol=0, atol=5e-6)  # five decimals


@pytest.mark.parametrize(
    ("errors", "n", "value"), [(0, 6, 0.206299), (0, 9, 0.142756), (0, 1, 0.75), (1, 16, 0.159611)]
)
def test_exact_bound_of_quinlan(errors, n, value):
    # C4.5: Programs for Machine Learning, section 4.2: .206, .143, .750, .157 (the last by interpolation).
    np.testing.assert_allclose(upper_error(errors, n, bound="exact"), value, rtol=0, atol=5e-7)  # six decimals


@pytest.mark.parametrize(
    ("n", "errors", "added"),
    [(6, 0, 1.2378), (9, 0, 1.2848), (1, 0, 0.75), (16, 1, 1.4757), (6, 2, 1.3213), (2, 1, 0.7915), (14, 5, 1.7611)],
)
def test_correction_of_weka_as_printed(n, errors, added):
    result = upper_error(errors, n, bound="c45") * n - errors
    np.testing.assert_allclose(result, added, rtol=0, atol=5e-5)  # four decimals


def test_correction_of_weka_on_a_grid():
    confidence, n, errors, added = np.array(WEKA).T
    for level in np.unique(confidence):
        at = confidence == level
        result = upper_error(errors[at], n[at], level, "c45") * n[at]
        # Weka keeps the confidence in single precision, with 24 bits.
        np.testing.assert_allclose(result, (errors + added)[at], rtol=2**-23)


def test_exact_bound_is_the_quantile_of_scipy():
    errors, n = (side.ravel() for side in np.meshgrid(np.arange(12), [12, 20, 333.5, 1e5]))
    for confidence in (0.01, 0.25, 0.5, 0.9):
        expected = beta.ppf(1 - confidence, errors + 1, n - errors)
        np.testing.assert_allclose(upper_error(errors, n, confidence, "exact"), expected, rtol=1e-10)  # two solvers


def labor():
    """Health plan contribution: none 4 bad 2 good, half 1 and 1, full 4 and 2; a real tree of these cases."""
    X = np.repeat([0, 1, 2], [6, 2, 6])[:, None]
    y = np.array(["bad"] * 4 + ["good"] * 2 + ["bad", "good"] + ["bad"] * 4 + ["good"] * 2)
    return DecisionTreeClassifier(random_state=0).fit(X, y), X


@pytest.mark.parametrize("bound", ["wilson", "exact", "c45"])
def test_labor_subtree_is_pruned(bound):
    grown, X = labor()
    assert grown.get_n_leaves() == 3
    pruned = prune(grown, Z69, bound)
    assert pruned.get_n_leaves() == 1
    assert set(pruned.predict(X)) == {"bad"}


def test_labor_numbers_are_in_the_trace():
    grown, _ = labor()
    pruned = prune(grown, Z69, "wilson")
    root = pruned.trace_[-1]
    assert (root["node"], root["n"], root["errors"], root["decision"], root["class"]) == (0, 14, 5, "prune", "bad")
    np.testing.assert_allclose([root["f"], root["e"]], [5 / 14, 0.44886], rtol=0, atol=5e-6)
    np.testing.assert_allclose(root["leaf"], 14 * root["e"], rtol=1e-12)
    leaves = pruned.nodes_.is_leaf
    n, bounds = pruned.nodes_.n[leaves], pruned.pruning_.bound[leaves]
    # Of the three leaves: (12 x .47399 + 2 x .71925) / 14; the book prints .51.
    np.testing.assert_allclose(n @ bounds / 14, 0.50903, rtol=0, atol=5e-6)


def test_quinlan_subtree_is_pruned():
    # Congressional voting: leaves with 6, 9 and 1 cases and no error, under a node with 1 error in 16.
    # A tree of two-way splits has the node of 9 and 1 in between.
    nodes = NodeCounts(
        np.array([1, -1, 3, -1, -1]),
        np.array([2, -1, 4, -1, -1]),
        np.array([[15.0, 1], [6, 0], [9, 1], [9, 0], [0, 1]]),
    )
    result = prune_nodes(nodes, 0.25, "exact")
    np.testing.assert_allclose(result.as_subtree[0], 3.273, rtol=0, atol=5e-4)  # as printed
    np.testing.assert_allclose(result.as_leaf[0], 16 * 0.159611, rtol=0, atol=16 * 5e-7)
    assert result.pruned.tolist() == [True, False, False, False, False]
    assert result.replaced_by.tolist() == [0, 0, 0, 0, 0]


def test_two_pure_leaves_are_never_pruned_by_wilson():
    # n z² / (n + z²) < z² = .455 for each leaf, less than the one error that a leaf in their place makes at least.
    nodes = NodeCounts(np.array([1, -1, -1]), np.array([2, -1, -1]), np.array([[50.0, 1], [50, 0], [0, 1]]))
    assert not prune_nodes(nodes, 0.25, "wilson").pruned.any()
    assert prune_nodes(nodes, 0.25, "exact").as_subtree[0] == pytest.approx(
        50 * (1 - 0.25 ** (1 / 50)) + 0.75, rel=1e-12
    )
