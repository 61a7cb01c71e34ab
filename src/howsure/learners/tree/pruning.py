"""Pessimistic pruning: each subtree of a grown tree is compared with a single leaf, from the bottom up."""

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

# Both sides of a comparison are sums of rounded products. Where a split changes nothing they are equal by algebra, and
# the leaf must win; the rounding of a sum over a thousand leaves stays well below this share of it.
ROUNDING = 1e-10
WHOLE = 1e-9  # counts come as shares times weights: this near to a whole number they are that number


@dataclass(frozen=True, eq=False)
class NodeCounts:
    """Children and class counts of the nodes of a grown tree, numbered so that children come after their parent."""

    left: IntArray  # -1 in a leaf
    right: IntArray
    counts: Array  # node x class

    @classmethod
    def of(cls, tree: Any) -> NodeCounts:
        """Read a fitted ``DecisionTreeClassifier``."""
        grown = tree.tree_
        n = np.asarray(grown.weighted_n_node_samples, float)[:, None]
        shares = np.asarray(grown.value[:, 0, :], float)
        if (n <= 0).any() or (shares < 0).any():
            raise HowsureError(
                "`tree` must be grown with sample weights of 0 or more; some of its counts are negative."
            )
        return cls(grown.children_left, grown.children_right, whole(shares * n))

    @cached_property
    def n(self) -> Array:
        return np.asarray(whole(self.counts.sum(axis=1)), float)

    @cached_property
    def errors(self) -> Array:
        """Cases that are not of the most frequent class."""
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
    """Take off the rounding of numbers that should be whole; small weights are far from 0 all the same."""
    near = np.rint(values)
    return np.where(np.abs(values - near) <= WHOLE * near, near, values)


@dataclass(frozen=True, eq=False)
class Pruning:
    """What became of each node of a grown tree.

    ``as_leaf`` is n times the upper bound of the node's own error rate, ``as_subtree`` the sum of that over the leaves
    below it as they were when the two were compared. ``replaced_by`` is the node that answers for cases that come to
    this one: itself, or the ancestor that was made a leaf.
    """

    bound: Array
    as_leaf: Array
    as_subtree: Array
    pruned: Flags  # splits that were no better than a leaf
    replaced_by: IntArray

    def remaining(self) -> Flags:
        """Say which nodes are left."""
        return np.asarray(self.replaced_by == np.arange(len(self.pruned)))


def prune_nodes(nodes: NodeCounts, confidence: float | None, bound: str) -> Pruning:
    """Compare each subtree with a leaf, or with ``confidence=None`` leave all as they are."""
    e = np.full(len(nodes.n), np.nan) if confidence is None else node_bounds(nodes, confidence, bound)
    as_leaf = nodes.n * e
    inner = np.flatnonzero(~nodes.is_leaf)
    splits = list(zip(*(part.tolist() for part in (inner, nodes.left[inner], nodes.right[inner])), strict=True))
    leaf, below, pruned = as_leaf.tolist(), as_leaf.tolist(), [False] * len(as_leaf)
    best = as_leaf.tolist()  # of the subtree as pruned so far
    # One plain loop over the splits: it takes a millisecond or two for 10,000 nodes, whatever the shape of the tree,
    # where NumPy level by level would crawl on a tree that is a long chain.
    for node, left, right in reversed(splits):
        below[node] = best[node] = best[left] + best[right]
        if leaf[node] <= below[node] * (1 + ROUNDING):
            pruned[node], best[node] = True, leaf[node]
    replaced_by = list(range(len(as_leaf)))
    for node, left, right in splits:  # parents come first, so what replaces them is settled
        if pruned[node] or replaced_by[node] != node:
            replaced_by[left] = replaced_by[right] = replaced_by[node]
    return Pruning(e, as_leaf, np.array(below), np.array(pruned), np.array(replaced_by, np.intp))


def node_bounds(nodes: NodeCounts, confidence: float, bound: str) -> Array:
    """Bound each node; the many small nodes with equal counts are computed once."""
    pairs, index = np.unique(nodes.errors + 1j * nodes.n, return_inverse=True)
    return bound_kernel(confidence, bound)(pairs.real, pairs.imag, float(confidence))[index]
