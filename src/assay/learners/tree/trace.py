"""The trace of pruning: both sides of each comparison, and the decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.learners.common.trace import Trace
from assay.learners.tree.view import TreeView

if TYPE_CHECKING:
    from assay.learners.tree.pessimistic import PessimisticTree
    from assay.present.sheet import Record


def pruning_trace(tree: PessimisticTree) -> Trace:
    """Give a record for each split, children before parents."""
    confidence, bound = tree._pruned_by
    if confidence is None:
        return Trace([], "grown without pruning")
    nodes, pruning, view = tree.nodes_, tree.pruning_, TreeView.of(tree, after=False)
    majority = tree.classes_[nodes.counts.argmax(axis=1)].tolist()
    columns = [
        column.tolist() for column in (nodes.depth, pruning.bound, pruning.as_leaf, pruning.as_subtree, pruning.pruned)
    ]
    records: list[Record] = []
    for node in np.flatnonzero(~nodes.is_leaf)[::-1].tolist():
        depth, e, as_leaf, as_subtree, pruned = (column[node] for column in columns)
        records.append(
            {
                "node": node,
                "depth": depth,
                "split": view.branches(node)[0],
                "class": majority[node],
                "n": view.n[node],
                "errors": view.errors[node],
                "f": float(view.errors[node] / view.n[node]),
                "e": e,
                "leaf": as_leaf,
                "subtree": as_subtree,
                "decision": "prune" if pruned else "keep",
            }
        )
    left = int((pruning.remaining() & ~nodes.is_leaf & ~pruning.pruned).sum())
    return Trace(
        records,
        f"pessimistic pruning, {bound} bound, confidence {float(confidence):.4g}",
        (
            f"{len(records)} splits, {left} of them left; {int(nodes.is_leaf.sum())} leaves, now {tree.get_n_leaves()}",
            "leaf is n e, subtree the sum of n e over its leaves; a leaf that is not larger takes its place",
        ),
    )
