"""Printed comparisons of scores by all measures of scores, and by all tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn import metrics

import howsure
from benchmarks.bench_scores import without_numba
from benchmarks.measure import Comparison, first_call, peer, rounds_of

MEASURES = (
    "auc", "average_precision", "brier", "log_loss", "ks_distance", "equal_error_rate", "partial_auc(high=0.2)",
    "lift(depth=0.1)", "gain(depth=0.1)", "expected_calibration_error",
)  # fmt: skip
LIMITS = {10_000: 2.0, 100_000: 2.0, 1_000_000: 10.0}  # seconds
LOOP = 5  # rounds of the loop of the peer, scaled to 1,000


def data(n: int) -> tuple[Any, dict[str, Any]]:
    rng = np.random.default_rng(0)
    truth = (rng.random(n) < 0.3).astype(np.int64)
    common = rng.normal(size=n) + 1.2 * truth
    return truth, {
        name: 1 / (1 + np.exp(-common - noise * rng.normal(size=n))) for name, noise in (("a", 0.3), ("b", 0.5))
    }


def compared(truth: Any, scores: Any, measure: str, *, tests: bool = False) -> str:
    c = howsure.compare(truth, scores=scores, measure=measure)
    return f"{c}\n{c.tests()}" if tests else str(c)


def run() -> list[Comparison]:
    rows = []
    for n, limit in LIMITS.items():
        cases, rounds = data(n), 1 if n > 100_000 else 3
        works: dict[str, Callable[[], object]] = {}
        for measure in MEASURES:
            works[measure] = partial(compared, *cases, measure)
            if n <= 100_000:
                works[f"{measure}, NumPy only"] = partial(without_numba, works[measure])
        for name, times in rounds_of(works, rounds).items():
            rows.append(Comparison.of(f"compare by {name}, n = {n:,}", times, limit, f"limit {limit:g} s", 1))
    truth, scores = data(100_000)
    for measure in ("auc", "average_precision", "ks_distance"):
        both = partial(compared, truth, scores, measure, tests=True)
        what = f"compare and all tests by {measure}"
        both_times = rounds_of({"fast": both, "plain": partial(without_numba, both)}, 3)
        rows.append(Comparison.of(f"{what}, n = 100,000", both_times["fast"], 2.0, "limit 2 s", 1))
        name = "limit 4 s, of two calls"
        rows.append(Comparison.of(f"{what}, NumPy only, n = 100,000", both_times["plain"], 4.0, name, 1))
    works = {"ours": partial(compared, truth, scores, "ks_distance"), "peer": partial(loop_of_peer, truth, scores)}
    in_turn = rounds_of(works, 3)
    name = f"{peer('scikit-learn')} loop of 1,000 ({LOOP} rounds scaled)"
    whole = in_turn["peer"].scaled(1000 / LOOP)
    rows.append(Comparison.of("compare by KS distance, n = 100,000", in_turn["ours"], whole, name, 10))
    return [*rows, *_first()]


def loop_of_peer(truth: Any, scores: Any) -> list[float]:
    """Return bootstrap replicates of the difference in the KS distance."""
    rng, drawn = np.random.default_rng(0), []
    for _ in range(LOOP):
        rows = rng.integers(0, len(truth), len(truth))
        distances = []
        for column in scores.values():
            fpr, tpr, _ = metrics.roc_curve(truth[rows], column[rows])
            distances.append(float(np.abs(tpr - fpr).max()))
        drawn.append(distances[0] - distances[1])
    return drawn


def _first() -> list[Comparison]:
    code = (
        "from benchmarks.bench_comparing import compared, data\ntruth, scores = data(100_000)\n---\n"
        "compared(truth, scores, 'ks_distance')"
    )
    return first_call("first comparison of a process", code, {"all to compile": 20.0, "compiled before": 4.0})
