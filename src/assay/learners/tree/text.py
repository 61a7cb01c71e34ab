"""A pruned tree in words: its rules, and the trace of how it was pruned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.learners.common.trace import Trace
from assay.present.format import one_line

if TYPE_CHECKING:
    from assay.learners.tree.pessimistic import PessimisticTree


class Words:
    """How the nodes of a tree are called: splits by their features, leaves by their classes."""

    def __init__(self, tree: PessimisticTree) -> None:
        grown = tree.grown_.tree_
        names = getattr(tree, "feature_names_in_", None)
        features = grown.feature.tolist()
        self.features = [f"x[{place}]" if names is None else one_line(str(names[place])) for place in features]
        self.thresholds = grown.threshold.tolist()
        self.labels = tree.classes_.tolist()
        self.n, self.errors = plain(tree.nodes_.n), plain(tree.nodes_.errors)

    def branches(self, node: int) -> tuple[str, str]:
        """Name the two ways out of a split."""
        name, threshold = self.features[node], self.thresholds[node]
        if threshold == np.inf:  # how scikit-learn parts what is missing from what is not
            return f"{name} is there", f"{name} is missing"
        limit = limit_of(threshold)
        return f"{name} <= {limit}", f"{name} > {limit}"

    def leaf(self, node: int, answer: int) -> str:
        wrong = f"/{self.errors[node]:g}" if self.errors[node] else ""
        return f"{one_line(str(self.labels[answer]))} ({self.n[node]:g}{wrong})"


def answers(tree: PessimisticTree, pruned: bool) -> list[int]:
    """Give the class each node answers as a leaf; before pruning, each for itself."""
    return list((tree._answers if pruned else tree._grown_answers).tolist())


def ends_of(tree: PessimisticTree, pruned: bool) -> NDArray[np.bool_]:
    """Say which nodes are leaves, after pruning or before."""
    return tree.nodes_.is_leaf | tree.judgement_.cut if pruned else tree.nodes_.is_leaf


def limit_of(threshold: float) -> str:
    """Write a threshold with six digits, and large ones with all before the point: 250001.5 is not 250002."""
    if 1e5 <= abs(threshold) < 1e15:
        return f"{threshold:.2f}".rstrip("0").rstrip(".")
    return f"{threshold:.6g}"


def text_of(tree: PessimisticTree, pruned: bool) -> str:
    words, answered, ends = Words(tree), answers(tree, pruned), ends_of(tree, pruned)
    left, right = tree.nodes_.left.tolist(), tree.nodes_.right.tolist()
    if ends[0]:
        return words.leaf(0, answered[0])
    lines = []
    ahead: list[tuple[int, int, str]] = [(0, -1, "")]  # no recursion: trees may be deep
    while ahead:
        node, depth, way = ahead.pop()
        told = f": {words.leaf(node, answered[node])}" if ends[node] else ""
        if depth >= 0:
            lines.append(f"{'|   ' * depth}{way}{told}")
        if not ends[node]:
            yes, no = words.branches(node)
            ahead += [(right[node], depth + 1, no), (left[node], depth + 1, yes)]
    return "\n".join(lines)


def trace_of(tree: PessimisticTree) -> Trace:
    confidence, rule = tree._judged_by
    if confidence is None:
        return Trace([], "grown without pruning")
    nodes, judged, words = tree.nodes_, tree.judgement_, Words(tree)
    majority = nodes.counts.argmax(axis=1).tolist()
    columns = [c.tolist() for c in (nodes.depth, judged.bound, judged.as_leaf, judged.as_subtree, judged.cut)]
    records: list[dict[str, Any]] = []
    for node in np.flatnonzero(~nodes.is_leaf)[::-1].tolist():
        depth, bound, as_leaf, as_subtree, cut = (column[node] for column in columns)
        records.append(
            {
                "node": node,
                "depth": depth,
                "split": words.branches(node)[0],
                "class": words.labels[majority[node]],
                "n": words.n[node],
                "errors": words.errors[node],
                "f": float(words.errors[node] / words.n[node]),
                "e": bound,
                "leaf": as_leaf,
                "subtree": as_subtree,
                "decision": "prune" if cut else "keep",
            }
        )
    splits = len(records)
    left = int((judged.kept() & ~nodes.is_leaf & ~judged.cut).sum())
    return Trace(
        records,
        f"pessimistic pruning, {rule} bound, confidence {float(confidence):.4g}",
        (
            f"{splits} splits, {left} of them left; {int(nodes.is_leaf.sum())} leaves, now {tree.get_n_leaves()}",
            "leaf is n e, subtree the sum of n e over its leaves; a leaf that is not larger takes its place",
        ),
    )


def plain(values: Any) -> list[Any]:
    """Give whole numbers as such where all of them are."""
    whole = (values == np.rint(values)).all() and values.max() < 2**53  # above, every float is whole
    return list((values.astype(np.int64) if whole else values).tolist())
