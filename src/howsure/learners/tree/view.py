"""Text of a tree before or after pruning, and the trace of pruning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.arrays import Array
from howsure.errors import one_line
from howsure.learners.common.trace import Trace

if TYPE_CHECKING:
    from howsure.learners.tree.pessimistic import PessimisticTree
    from howsure.present.sheet import Record


class TreeView:
    """Nodes of a tree before or after pruning, indexed as in the grown tree."""

    def __init__(self, tree: PessimisticTree, pruned: bool = True) -> None:
        grown, nodes, pruning = tree.grown_.tree_, tree.nodes_, tree.pruning_
        names = getattr(tree, "feature_names_in_", None)
        leaves = tree.get_n_leaves() if pruned else int(nodes.is_leaf.sum())
        self.title = f"{'after' if pruned else 'before'} pruning: {leaves} {'leaf' if leaves == 1 else 'leaves'}"
        self.left, self.right, self.depth = nodes.left.tolist(), nodes.right.tolist(), nodes.depth
        remaining, none = pruning.remaining(), np.zeros(len(nodes.left), bool)
        self.remaining = remaining if pruned else ~none
        self.is_leaf = nodes.is_leaf | pruning.pruned if pruned else nodes.is_leaf
        self.made_by_pruning = pruning.pruned if pruned else none  # leaves that replaced a subtree
        self.to_be_pruned = none if pruned else pruning.pruned | ~remaining
        self.features = [f"x[{index}]" if names is None else one_line(str(names[index])) for index in grown.feature]
        self.thresholds = grown.threshold.tolist()
        self.classes = tree.classes_[tree._answers if pruned else tree._grown_answers].tolist()
        self.n, self.errors = whole_numbers(nodes.n), whole_numbers(nodes.errors)

    def branches(self, node: int) -> tuple[str, str]:
        """Return the conditions of the two branches of a split."""
        name, threshold = self.features[node], self.thresholds[node]
        if threshold == np.inf:  # scikit-learn splits missing values from all others in this way
            return f"{name} is not missing", f"{name} is missing"
        limit = format_threshold(threshold)
        return f"{name} <= {limit}", f"{name} > {limit}"

    def leaf(self, node: int) -> str:
        """Return the text of a leaf: its class, cases and errors."""
        errors = f"/{self.errors[node]:g}" if self.errors[node] else ""
        return f"{one_line(str(self.classes[node]))} ({self.n[node]:g}{errors})"

    def text(self) -> str:
        """Return the tree as rules."""
        if self.is_leaf[0]:
            return self.leaf(0)
        lines = []
        stack: list[tuple[int, int, str]] = [(0, -1, "")]  # used instead of recursion, since trees may be deep
        while stack:
            node, depth, condition = stack.pop()
            answer = f": {self.leaf(node)}" if self.is_leaf[node] else ""
            if depth >= 0:
                lines.append(f"{'|   ' * depth}{condition}{answer}")
            if not self.is_leaf[node]:
                yes, no = self.branches(node)
                stack += [(self.right[node], depth + 1, no), (self.left[node], depth + 1, yes)]
        return "\n".join(lines)


def pruning_trace(tree: PessimisticTree) -> Trace:
    """Return one record per split, children before parents."""
    confidence, bound = tree._pruned_by
    if confidence is None:
        return Trace([], "grown without pruning")
    nodes, pruning, view = tree.nodes_, tree.pruning_, TreeView(tree, pruned=False)
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
    kept = int((pruning.remaining() & ~nodes.is_leaf & ~pruning.pruned).sum())
    return Trace(
        records,
        f"pessimistic pruning, {bound} bound, confidence {float(confidence):.4g}",
        (
            f"splits: {len(records)} before, {kept} after pruning; leaves: {int(nodes.is_leaf.sum())} before, "
            f"{tree.get_n_leaves()} after",
            "leaf: n e; subtree: sum of n e over its leaves; the subtree is pruned unless leaf is larger",
        ),
    )


def format_threshold(threshold: float) -> str:
    """Format a threshold with 6 significant digits, or more if needed for two decimals, as in 250001.5."""
    if 1e5 <= abs(threshold) < 1e15:
        return f"{threshold:.2f}".rstrip("0").rstrip(".")
    return f"{threshold:.6g}"


def whole_numbers(values: Array) -> list[Any]:
    """Convert to int if all numbers are whole."""
    whole = (values == np.rint(values)).all() and values.max() < 2**53  # every larger float is whole
    return list((values.astype(np.int64) if whole else values).tolist())
