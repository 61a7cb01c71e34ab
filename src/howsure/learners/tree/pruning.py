"""Pessimistic pruning: subtrees are compared with a single leaf, from the bottom up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import Array, IntArray
from howsure.errors import HowsureError
from howsure.learners.tree.bounds import bound_kernel

Flags = NDArray[np.bool_]

# If a split does not change the predictions, both sides of a comparison are equal except for rounding, and the leaf
# must be preferred. The relative rounding error of a sum over 1,000 leaves is far below this tolerance.
ROUNDING = 1e-10
WHOLE = 1e-9  # relative rounding error of a count, which scikit-learn stores as a proportion times a weight


@dataclass(frozen=True, eq=False)
class NodeCounts:
    """Children and class counts of the nodes of a tree; children have higher numbers than their parent."""

    left: IntArray  # -1 for a leaf
    right: IntArray
    counts: Array  # nodes x classes

    @classmethod
    def of(cls, tree: Any) -> NodeCounts:
        """Read the nodes of a fitted ``DecisionTreeClassifier``."""
        grown = tree.tree_
        n = np.asarray(grown.weighted_n_node_samples, float)[:, None]
        shares = np.asarray(grown.value[:, 0, :], float)
        if (n <= 0).any() or (shares < 0).any():
            raise HowsureError(
                "`tree` must be fitted with non-negative sample weights; some of its counts are negative."
            )
        return cls(grown.children_left, grown.children_right, whole(shares * n))

    @cached_property
    def n(self) -> Array:
        return np.asarray(whole(self.counts.sum(axis=1)), float)

    @cached_property
    def errors(self) -> Array:
        """Number of cases outside the most frequent class."""
        return np.asarray(whole(self.counts.sum(axis=1) - self.counts.max(axis=1)), float)

    @cached_property
    def is_leaf(self) -> Flags:
        return np.asarray(self.left < 0)

    @cached_property
    def depth(self) -> IntArray:
        depth = [0] * len(self.left)
        for node, (left, right) in enumerate(zip(self.left.tolist(), self.right.tolist(), strict=True)):
            if left >= 0:
                depth[left] = depth[right] = depth[node] + 1
        return np.array(depth, np.intp)


def whole(values: Array) -> Array:
    """Round numbers that are whole except for floating-point errors."""
    near = np.rint(values)
    return np.where(np.abs(values - near) <= WHOLE * near, near, values)


@dataclass(frozen=True, eq=False)
class Pruning:
    """Decision for each node of a grown tree."""

    bound: Array  # upper bound e on the node's own error rate
    as_leaf: Array  # n e
    as_subtree: Array  # sum of n e over the leaves below, at the time of the comparison
    pruned: Flags  # splits that were replaced by a leaf
    replaced_by: IntArray  # the node that predicts: the node itself, or an ancestor that became a leaf

    def remaining(self) -> Flags:
        """Flag the nodes that remain."""
        return np.asarray(self.replaced_by == np.arange(len(self.pruned)))


def prune_nodes(nodes: NodeCounts, confidence: float | None, bound: str) -> Pruning:
    """Compare each subtree with a leaf; with ``confidence=None``, keep all subtrees."""
    if confidence is None:
        e = np.full(len(nodes.n), np.nan)
    else:
        e = bound_kernel(confidence, bound)(nodes.errors, nodes.n, float(confidence))
    as_leaf = nodes.n * e
    inner = np.flatnonzero(~nodes.is_leaf)
    splits = list(zip(*(part.tolist() for part in (inner, nodes.left[inner], nodes.right[inner])), strict=True))
    leaf, below, pruned = as_leaf.tolist(), as_leaf.tolist(), [False] * len(as_leaf)
    best = as_leaf.tolist()  # sum of n e over the leaves of the subtree pruned so far
    for node, left, right in reversed(splits):
        below[node] = best[node] = best[left] + best[right]
        if leaf[node] <= below[node] * (1 + ROUNDING):
            pruned[node], best[node] = True, leaf[node]
    replaced_by = list(range(len(as_leaf)))
    for node, left, right in splits:  # parents come before their children
        if pruned[node] or replaced_by[node] != node:
            replaced_by[left] = replaced_by[right] = replaced_by[node]
    return Pruning(e, as_leaf, np.array(below), np.array(pruned), np.array(replaced_by, np.intp))
