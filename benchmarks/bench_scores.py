"""Scores: 10 million of two classes, with and without the compiled kernels."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from functools import partial
from typing import Any

import numpy as np
from sklearn import metrics

import assay
from assay.kernels import ranking
from benchmarks.measure import Comparison, best, peer

N = 10_000_000


def data(n: int, dtype: Any = np.float64) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    truth = (rng.random(n) < 0.3).astype(np.int64)
    return truth, (1 / (1 + np.exp(-rng.normal(size=n) - 1.2 * truth))).astype(dtype)


def whole(truth: Any, scores: Any) -> object:
    """Everything that an assessment of two classes gives, with intervals where we have them."""
    a = assay.assess(truth, scores=scores)
    values = assay.measures.values(a.confusion)
    ranked = [a[name] for name in ("auc", "average_precision", "brier", "log_loss")]
    return (
        values,
        [estimate.value for estimate in ranked],
        ranked[0].interval(),
        a.roc(),
        a.precision_recall(),
        a.lift(),
    )


def whole_of_peer(truth: Any, scores: Any) -> object:
    """The scikit-learn calls that give the same values, without intervals; lift from the sorted labels."""
    predicted = scores >= 0.5
    table = metrics.confusion_matrix(truth, predicted)
    rates = metrics.precision_recall_fscore_support(truth, predicted)
    beyond = (
        metrics.accuracy_score(truth, predicted),
        metrics.balanced_accuracy_score(truth, predicted),
        metrics.cohen_kappa_score(truth, predicted),
        metrics.matthews_corrcoef(truth, predicted),
        metrics.jaccard_score(truth, predicted),
    )
    ranked = (
        metrics.roc_auc_score(truth, scores),
        metrics.average_precision_score(truth, scores),
        metrics.brier_score_loss(truth, scores),
        metrics.log_loss(truth, scores),
    )
    curves = metrics.roc_curve(truth, scores), metrics.precision_recall_curve(truth, scores)
    return table, rates, beyond, ranked, curves, np.cumsum(truth[np.argsort(-scores)])


def auc(truth: Any, scores: Any) -> float:
    return assay.assess(truth, scores=scores)["auc"].value


def run() -> list[Comparison]:
    truth, scores = data(N)
    assert abs(auc(truth, scores) - metrics.roc_auc_score(truth[:], scores)) < 1e-12
    slow = best(partial(metrics.roc_auc_score, truth, scores), 2)
    slow_whole = best(partial(whole_of_peer, truth, scores), 1)
    rows = []
    for name, on, wanted in (("with fast", True, (20, 30)), ("NumPy only", False, (5, 8))):
        os.environ["ASSAY_FAST"] = "1" if on else "0"
        ranking.compiled.cache_clear()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ranking.SlowPathWarning)
            fast, fast_whole = best(partial(auc, truth, scores)), best(partial(whole, truth, scores))
        rows.append(Comparison(f"AUC of 10 million scores, {name}", fast, slow, peer("scikit-learn"), wanted[0]))
        what = f"whole assessment of 10 million scores, {name}"
        rows.append(Comparison(what, fast_whole, slow_whole, peer("scikit-learn"), wanted[1]))
    os.environ["ASSAY_FAST"] = "1"
    ranking.compiled.cache_clear()
    rows.append(_bootstrap())
    rows.append(_delong())
    rows.append(_growth())
    rows.append(_memory())
    return rows


def _bootstrap() -> Comparison:
    truth, scores = data(100_000)
    a = assay.assess(truth, scores=scores)
    rng = np.random.default_rng(0)

    def loop(rounds: int) -> object:
        drawn = []
        for _ in range(rounds):
            rows = rng.integers(0, len(truth), len(truth))
            drawn.append(metrics.roc_auc_score(truth[rows], scores[rows]))
        return np.quantile(drawn, [0.025, 0.975])

    ours = best(lambda: a["auc"].interval(method="bootstrap", replicates=1000))
    theirs = best(lambda: loop(20), 1) * 50
    return Comparison(
        "1,000 bootstrap replicates of AUC, n = 100,000", ours, theirs, f"{peer('scikit-learn')} loop", 60
    )


def _delong() -> Comparison:
    truth, scores = data(1_000_000)
    other = scores + np.random.default_rng(1).normal(0, 0.1, len(scores))
    ours = best(lambda: assay.significance.delong(truth, scores, other))
    theirs = best(partial(metrics.roc_auc_score, truth, scores))
    return Comparison("DeLong test of two classifiers, n = 1 million", ours, theirs, "one roc_auc_score", 1)


def _growth() -> Comparison:
    """Time per row from 100 thousand to 100 million scores: the "peer" is 1.5 times the smaller one's."""
    small, large = data(100_000, np.float32), data(100_000_000, np.float32)
    first = best(partial(auc, *small), 20) / len(small[0])
    last = best(partial(auc, *large), 1) / len(large[0])
    return Comparison("time per row, 100 million against 100 thousand float32", last, 1.5 * first, "1.5 times", 1)


def _memory() -> Comparison:
    """Peak memory of an assessment with its AUC, interval and one curve at a time, against 3 times the input."""
    code = (
        "import resource, numpy as np, assay\n"
        "from benchmarks.bench_scores import data\n"
        f"truth, scores = data({N})\n"
        "assay.assess(truth[:300_000], scores=scores[:300_000])['auc'].interval()\n"
        "size = truth.nbytes + scores.nbytes\n"
        "def peak():\n"
        "    return int(open('/proc/self/status').read().split('VmHWM:')[1].split()[0]) * 1024\n"
        "def now():\n"
        "    return int(open('/proc/self/status').read().split('VmRSS:')[1].split()[0]) * 1024\n"
        "open('/proc/self/clear_refs', 'w').write('5')\n"
        "before = now()\n"
        "a = assay.assess(truth, scores=scores)\n"
        "a['auc'].interval(), a['average_precision'].value, a['brier'].value, a['log_loss'].value\n"
        "first = peak() - before\n"
        "for curve in (a.roc, a.precision_recall, a.lift):\n"
        "    curve()\n"
        "print((size + first) / size, (size + peak() - before) / size)\n"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    measures, with_curves = map(float, told)
    print(f"  peak memory as a multiple of the input: {measures:.2f} for all measures, {with_curves:.2f} with curves")
    return Comparison("peak memory / input, all measures (limit 3)", measures, 3.0, "3 times the input", 1)
