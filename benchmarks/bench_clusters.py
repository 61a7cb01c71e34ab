"""10 million cases in 100,000 clusters, labels and scores, compared with independent cases."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import howsure
from benchmarks.measure import Comparison, compare

N, CLUSTERS = 10_000_000, 100_000
SLOWER = 1.5  # factor that clusters may take longer


def data(n: int = N, clusters: int = CLUSTERS) -> tuple[Any, Any, Any, Any]:
    rng = np.random.default_rng(0)
    cluster = rng.integers(0, clusters, n)
    truth = (rng.random(n) < 0.3).astype(np.int64)
    scores = 1 / (1 + np.exp(-rng.normal(size=n) - 0.3 * rng.normal(size=clusters)[cluster] - 1.2 * truth))
    return truth, (scores >= 0.6).astype(np.int64), scores, cluster


def printed(cluster: Any, truth: Any, **predictions: Any) -> str:
    """Return the printed assessment."""
    return str(howsure.assess(truth, cluster=cluster, **predictions))


def run() -> list[Comparison]:
    truth, predicted, scores, cluster = data()
    rows = []
    for what, predictions in (("labels", {"predicted": predicted}), ("scores", {"scores": scores})):
        ours, theirs = (partial(printed, column, truth, **predictions) for column in (cluster, None))
        name = f"assess and print {what} of 10 million in 100,000 clusters"
        rows.append(compare(name, ours, theirs, "the same, independent", 1 / SLOWER, repeats=3))
    return rows
