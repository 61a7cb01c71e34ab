"""A tree before or after pruning, as text and charts show it: which nodes it has, and how they are labelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.arrays import Array, IntArray
from assay.learners.tree.pruning import Flags
from assay.present.format import one_line

if TYPE_CHECKING:
    from assay.learners.tree.pessimistic import PessimisticTree


@dataclass(frozen=True, eq=False)
class TreeView:
    """Nodes by their number in the grown tree, in arrays; ``remaining`` says which of them this tree has."""

    title: str
    left: list[int]
    right: list[int]
    depth: IntArray
    is_leaf: Flags
    remaining: Flags
    made_by_pruning: Flags  # leaves that stand for a subtree
    pruned: Flags  # nodes that pruning removes or makes a leaf, in the tree before it
    features: list[str]
    thresholds: list[float]
    answers: list[str]  # the class that each node predicts as a leaf
    n: list[Any]
    errors: list[Any]

    @classmethod
    def of(cls, tree: PessimisticTree, after: bool) -> TreeView:
        """Take a fitted tree as it is after pruning, or before."""
        grown, nodes, pruning = tree.grown_.tree_, tree.nodes_, tree.pruning_
        names = getattr(tree, "feature_names_in_", None)
        remaining, none = pruning.remaining(), np.zeros(len(nodes.left), bool)
        leaves = tree.get_n_leaves() if after else int(nodes.is_leaf.sum())
        labels = [one_line(str(label)) for label in tree.classes_.tolist()]
        answers = tree._answers if after else tree._grown_answers
        return cls(
            f"{'after' if after else 'before'} pruning: {leaves} {'leaf' if leaves == 1 else 'leaves'}",
            nodes.left.tolist(),
            nodes.right.tolist(),
            nodes.depth,
            nodes.is_leaf | pruning.pruned if after else nodes.is_leaf,
            remaining if after else ~none,
            pruning.pruned if after else none,
            none if after else pruning.pruned | ~remaining,
            [f"x[{index}]" if names is None else one_line(str(names[index])) for index in grown.feature.tolist()],
            grown.threshold.tolist(),
            [labels[code] for code in answers.tolist()],
            whole_numbers(nodes.n),
            whole_numbers(nodes.errors),
        )

    def branches(self, node: int) -> tuple[str, str]:
        """Give the conditions of the two branches of a split."""
        name, threshold = self.features[node], self.thresholds[node]
        if threshold == np.inf:  # how scikit-learn separates missing values from the others
            return f"{name} is not missing", f"{name} is missing"
        limit = format_threshold(threshold)
        return f"{name} <= {limit}", f"{name} > {limit}"

    def leaf(self, node: int) -> str:
        """Give the class of a leaf, its cases and, after a stroke, its errors."""
        errors = f"/{self.errors[node]:g}" if self.errors[node] else ""
        return f"{self.answers[node]} ({self.n[node]:g}{errors})"

    def text(self) -> str:
        """Write the tree as rules."""
        if self.is_leaf[0]:
            return self.leaf(0)
        lines = []
        stack: list[tuple[int, int, str]] = [(0, -1, "")]  # no recursion: trees may be deep
        while stack:
            node, depth, condition = stack.pop()
            answer = f": {self.leaf(node)}" if self.is_leaf[node] else ""
            if depth >= 0:
                lines.append(f"{'|   ' * depth}{condition}{answer}")
            if not self.is_leaf[node]:
                yes, no = self.branches(node)
                stack += [(self.right[node], depth + 1, no), (self.left[node], depth + 1, yes)]
        return "\n".join(lines)


def format_threshold(threshold: float) -> str:
    """Write a threshold with six digits, and large ones with all before the point: 250001.5 is not 250002."""
    if 1e5 <= abs(threshold) < 1e15:
        return f"{threshold:.2f}".rstrip("0").rstrip(".")
    return f"{threshold:.6g}"


def whole_numbers(values: Array) -> list[Any]:
    """Give whole numbers as such where all of them are."""
    whole = (values == np.rint(values)).all() and values.max() < 2**53  # above, every float is whole
    return list((values.astype(np.int64) if whole else values).tolist())
