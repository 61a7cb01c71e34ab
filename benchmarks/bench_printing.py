"""`print(assess(...))` and `assess(...).frame()`: all measures with intervals, and findings if printed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn import metrics

import howsure
from benchmarks.bench_scores import data, printed, whole_of_peer, without_numba
from benchmarks.measure import Comparison, peer, rounds_of

ROUNDS = 7
LIMITS = {1_000: 0.02, 1_000_000: 0.15}  # seconds, for scores of two classes
MANY = (100_000, 10, 1.0)  # cases, classes, seconds


def of_classes(n: int, k: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    truth, values = rng.integers(0, k, n), rng.normal(size=(n, k))
    values[np.arange(n), truth] += 1.5
    shares = np.exp(values)
    return truth, shares / shares.sum(1, keepdims=True)


def classes_of_peer(truth: Any, scores: Any) -> object:
    """Compute most of the values with scikit-learn, without intervals."""
    predicted, codes = scores.argmax(1), np.arange(scores.shape[1])
    indicator = truth[:, None] == codes
    return (
        metrics.classification_report(truth, predicted, output_dict=True),
        metrics.cohen_kappa_score(truth, predicted),
        metrics.matthews_corrcoef(truth, predicted),
        metrics.roc_auc_score(truth, scores, multi_class="ovr"),
        metrics.roc_auc_score(truth, scores, multi_class="ovo"),
        metrics.average_precision_score(indicator, scores),
        metrics.log_loss(truth, scores),
    )


def run() -> list[Comparison]:
    rows = []
    for n, limit in LIMITS.items():
        rows += compare(f"two classes, n = {n:,}", data(n), whole_of_peer, limit)
    n, k, limit = MANY
    return rows + compare(f"{k} classes, n = {n:,}", of_classes(n, k), classes_of_peer, limit)


def framed(truth: Any, scores: Any) -> object:
    return howsure.assess(truth, scores=scores).frame()


def compare(what: str, cases: tuple[Any, Any], theirs: Callable[..., object], limit: float) -> list[Comparison]:
    works: dict[str, Callable[[], object]] = {
        "fast": partial(printed, *cases),
        "NumPy only": partial(without_numba, partial(printed, *cases)),
        "as a frame": partial(framed, *cases),
        "peer": partial(theirs, *cases),
    }
    times = rounds_of(works, ROUNDS)
    name = f"{peer('scikit-learn')}, values only"
    return [
        *(
            Comparison.of(f"print, {what}, {way}", times[way], limit, f"limit {limit:g} s", 1)
            for way in list(works)[:2]
        ),
        Comparison.of(f"print, {what}, fast", times["fast"], times["peer"], name, 0.5),
        Comparison.of(f"every measure as a frame, {what}, fast", times["as a frame"], times["peer"], name, 0.5),
    ]
