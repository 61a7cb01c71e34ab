"""Pessimistic pruning: each subtree of a grown tree is judged against one leaf in its place, from the bottom up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.errors import AssayError
from assay.learners.tree.bounds import chosen

Places = NDArray[np.intp]
Flags = NDArray[np.bool_]

# Both sides of a comparison are sums of rounded products. Where a split changes nothing they are equal by algebra, and
# the leaf must win; the rounding of a sum over a thousand leaves stays well below this share of it.
ROUNDING = 1e-10
WHOLE = 1e-9  # counts come as shares times weights: this near to a whole number they are that number


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of a grown tree as arrays, numbered so that children come after their parent."""

    left: Places  # -1 in a leaf
    right: Places
    counts: Array  # node x class

    @classmethod
    def of(cls, tree: Any) -> Nodes:
        """Read a fitted ``DecisionTreeClassifier``."""
        grown = tree.tree_
        n = np.asarray(grown.weighted_n_node_samples, float)[:, None]
        shares = np.asarray(grown.value[:, 0, :], float)
        if (n <= 0).any() or (shares < 0).any():
            raise AssayError("`tree` must be grown with sample weights of 0 or more; some of its counts are negative.")
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
    def depth(self) -> Places:
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
class Judgement:
    """What became of each node of a grown tree.

    ``as_leaf`` is n times the upper bound of the node's own error rate, ``as_subtree`` the sum of that over the leaves
    below it as they were when it was judged. ``stands_for`` names the node at which a case that has come to this one
    is now answered.
    """

    bound: Array
    as_leaf: Array
    as_subtree: Array
    cut: Flags  # split at first, found no better than a leaf
    stands_for: Places

    def kept(self) -> Flags:
        """Say which nodes are still there."""
        return np.asarray(self.stands_for == np.arange(len(self.cut)))


def judge(nodes: Nodes, confidence: float | None, bound: str) -> Judgement:
    """Prune, or with ``confidence=None`` keep all."""
    e = np.full(len(nodes.n), np.nan) if confidence is None else bounds_of(nodes, confidence, bound)
    own = nodes.n * e
    inner = np.flatnonzero(~nodes.is_leaf)
    splits = list(zip(*(part.tolist() for part in (inner, nodes.left[inner], nodes.right[inner])), strict=True))
    leaf, below, cut = own.tolist(), own.tolist(), [False] * len(own)
    best = own.tolist()  # of the subtree as it has become
    # One plain loop over the splits: it takes a millisecond or two for 10,000 nodes, whatever the shape of the tree,
    # where NumPy level by level would crawl on a tree that is a long chain.
    for node, left, right in reversed(splits):
        below[node] = best[node] = best[left] + best[right]
        if leaf[node] <= below[node] * (1 + ROUNDING):
            cut[node], best[node] = True, leaf[node]
    stands = list(range(len(own)))
    for node, left, right in splits:  # parents come first, so their own place is settled
        if cut[node] or stands[node] != node:
            stands[left] = stands[right] = stands[node]
    return Judgement(e, own, np.array(below), np.array(cut), np.array(stands, np.intp))


def bounds_of(nodes: Nodes, confidence: float, bound: str) -> Array:
    """Bound each node; the many small nodes with equal counts are computed once."""
    pairs, place = np.unique(nodes.errors + 1j * nodes.n, return_inverse=True)
    return chosen(confidence, bound)(pairs.real, pairs.imag, float(confidence))[place]
