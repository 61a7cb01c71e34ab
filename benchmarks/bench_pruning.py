"""Pruning of a tree with more than 10,000 nodes, and its predictions compared with scikit-learn's tree."""

from __future__ import annotations

from functools import partial

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks.measure import Comparison, compare, peer, rounds_of
from howsure.learners.tree.bounds import BOUNDS
from howsure.learners.tree.pessimistic import prune

PROMISE = 0.010  # seconds


def run() -> list[Comparison]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50_000, 20))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=50_000) > 0).astype(int)
    grown = DecisionTreeClassifier(random_state=0).fit(X, y)
    nodes = grown.tree_.node_count
    if nodes < 10_000:
        raise RuntimeError(f"the tree has only {nodes} nodes")
    times = rounds_of({bound: partial(prune, grown, 0.25, bound) for bound in BOUNDS}, 15)
    promise = "promise for 10,000 nodes, to which the time is scaled"
    rows = [
        Comparison.of(f"prune {nodes:,} nodes, {bound} bound", times[bound].scaled(10_000 / nodes), PROMISE, promise, 1)
        for bound in BOUNDS
    ]
    pruned = prune(grown, 0.25, "exact")
    for name in ("predict", "predict_proba"):
        ours, theirs = (partial(getattr(tree, name), X) for tree in (pruned, grown))
        what = f"{name} of the pruned tree, n = 50,000 x 20"
        rows.append(compare(what, ours, theirs, peer("scikit-learn"), 1 / 1.1, repeats=15))
    return rows
