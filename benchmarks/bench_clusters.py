"""Clusters: 10 million cases in 100,000 of them, labels and scores, against the same cases taken for independent."""

from __future__ import annotations

import statistics
import time
from functools import partial
from typing import Any

import numpy as np

import assay
from benchmarks.measure import Comparison

N, CLUSTERS, ROUNDS = 10_000_000, 100_000, 5
SLOWER = 1.5  # times that clusters may take


def data(n: int = N, clusters: int = CLUSTERS) -> tuple[Any, Any, Any, Any]:
    rng = np.random.default_rng(0)
    cluster = rng.integers(0, clusters, n)
    truth = (rng.random(n) < 0.3).astype(np.int64)
    scores = 1 / (1 + np.exp(-rng.normal(size=n) - 0.3 * rng.normal(size=clusters)[cluster] - 1.2 * truth))
    return truth, (scores >= 0.6).astype(np.int64), scores, cluster


def told(cluster: Any, truth: Any, **answers: Any) -> str:
    """Assess, and print all that is shown."""
    return str(assay.assess(truth, cluster=cluster, **answers))


def medians(works: dict[str, Any], rounds: int = ROUNDS) -> dict[str, float]:
    """Give the median times of works that are done in turn."""
    spent: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            spent[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in spent.items()}


def run() -> list[Comparison]:
    truth, predicted, scores, cluster = data()
    rows = []
    for what, answers in (("labels", {"predicted": predicted}), ("scores", {"scores": scores})):
        works = {name: partial(told, given, truth, **answers) for name, given in (("in", cluster), ("free", None))}
        works["in"](), works["free"]()
        times = medians(works)
        name = f"assess and print {what} of 10 million in 100,000 clusters"
        rows.append(Comparison(name, times["in"], times["free"], "the same, independent", 1 / SLOWER))
    return rows
