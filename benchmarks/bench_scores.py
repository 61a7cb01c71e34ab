"""Assessment of 10 million scores of two classes, with and without the compiled kernels."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn import metrics

import howsure
from benchmarks.measure import Comparison, Times, compare, compiled_or_not, first_call, peer, rounds_of
from benchmarks.radix import sort_words

N = 10_000_000


def data(n: int, dtype: Any = np.float64) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    truth = (rng.random(n) < 0.3).astype(np.int64)
    return truth, (1 / (1 + np.exp(-rng.normal(size=n) - 1.2 * truth))).astype(dtype)


def whole(truth: Any, scores: Any) -> object:
    """Compute the values, the interval of the AUC, and the curves of an assessment."""
    a = howsure.assess(truth, scores=scores)
    values = howsure.measures.values(a.confusion)
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
    """Compute the same values and curves with scikit-learn, without intervals."""
    predicted = scores >= 0.5
    table = metrics.confusion_matrix(truth, predicted)
    rates = metrics.precision_recall_fscore_support(truth, predicted)
    more_labels = (
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
    return table, rates, more_labels, ranked, curves, np.cumsum(truth[np.argsort(-scores)])


def auc(truth: Any, scores: Any) -> float:
    return howsure.assess(truth, scores=scores)["auc"].value


def without_numba(work: Callable[[], object]) -> object:
    with compiled_or_not(on=False):
        return work()


def run() -> list[Comparison]:
    truth, scores = data(N)
    assert abs(auc(truth, scores) - metrics.roc_auc_score(truth, scores)) < 1e-12
    words = scores.view(np.uint64)  # positive floats are ordered like their bits
    assert (np.diff(sort_words(words).view(np.float64)) >= 0).all()
    sklearn, rows = peer("scikit-learn"), []
    works: dict[str, Callable[[], object]] = {
        "fast": partial(auc, truth, scores),
        "NumPy only": partial(without_numba, partial(auc, truth, scores)),
        "bare": partial(sort_words, words),
        "peer": partial(metrics.roc_auc_score, truth, scores),
    }
    times = rounds_of(works, 3)
    for name, wanted in (("fast", 20), ("NumPy only", 5)):
        rows.append(Comparison.of(f"AUC of 10 million scores, {name}", times[name], times["peer"], sklearn, wanted))
    what = "AUC of 10 million scores, fast, within 1.5 times of it"
    rows.append(Comparison.of(what, times["fast"], times["bare"], "bare radix sort of the words", 1 / 1.5))
    works = {
        "fast": partial(whole, truth, scores),
        "NumPy only": partial(without_numba, partial(whole, truth, scores)),
        "printed": partial(printed, truth, scores),
        "peer": partial(whole_of_peer, truth, scores),
    }
    times = rounds_of(works, 2)
    for name, wanted in (("fast", 30), ("NumPy only", 8), ("printed", 5)):
        what = f"whole assessment of 10 million scores, {name}"
        rows.append(Comparison.of(what, times[name], times["peer"], sklearn, wanted))
    rows += [*_bootstrap(), _delong(), _growth(), _memory(), *_first()]
    return rows


def printed(truth: Any, scores: Any) -> str:
    """Return the printed assessment."""
    return str(howsure.assess(truth, scores=scores))


def _first() -> list[Comparison]:
    """Measure a first call, which compiles the kernels for later processes."""
    code = (
        "import howsure\nfrom benchmarks.bench_scores import data\ntruth, scores = data(300_000)\n---\n"
        "howsure.assess(truth, scores=scores)['auc'].value"
    )
    return first_call("first AUC of a process", code, {"all to compile": 10.0, "compiled before": 3.0})


def _bootstrap() -> list[Comparison]:
    """Compare with a loop of scikit-learn, and with a loop that sorts once and counts the draws."""
    truth, scores = data(100_000)
    n, rounds = len(truth), 10
    falling = truth[np.argsort(-scores)]  # no scores are equal

    def ours() -> object:  # a new assessment each time, since replicates are cached
        return howsure.assess(truth, scores=scores)["auc"].interval(method="bootstrap", replicates=1000)

    def naive() -> object:
        rng = np.random.default_rng(0)
        drawn = []
        for _ in range(rounds):
            rows = rng.integers(0, n, n)
            drawn.append(metrics.roc_auc_score(truth[rows], scores[rows]))
        return drawn

    def counted() -> object:
        rng, drawn = np.random.default_rng(0), []
        for _ in range(rounds):
            times = np.bincount(rng.integers(0, n, n), minlength=n)
            positives = times * falling
            negatives = times - positives
            above = np.cumsum(positives) - positives / 2
            drawn.append((negatives @ above) / (positives.sum() * negatives.sum()))
        return drawn

    times = rounds_of({"ours": ours, "naive": naive, "counted": counted}, 3)
    what = "1,000 bootstrap replicates of AUC, n = 100,000"
    peers = {"naive": (f"{peer('scikit-learn')} loop", 60), "counted": ("a loop that sorts once", 3)}
    return [
        Comparison.of(
            what, times["ours"], times[name].scaled(1000 / rounds), f"{loop} ({rounds} rounds scaled)", wanted
        )
        for name, (loop, wanted) in peers.items()
    ]


def _delong() -> Comparison:
    truth, scores = data(1_000_000)
    other = scores + np.random.default_rng(1).normal(0, 0.1, len(scores))
    ours = partial(howsure.significance.delong, truth, scores, other)
    theirs = partial(metrics.roc_auc_score, truth, scores)
    return compare("DeLong test of two classifiers, n = 1 million", ours, theirs, "one roc_auc_score", 1, repeats=3)


def _growth() -> Comparison:
    """Compare the time per row of 100 million scores with 1.5 times that of 100 thousand."""
    sizes = {"small": 100_000, "large": 100_000_000}
    works: dict[str, Callable[[], object]] = {name: partial(auc, *data(n, np.float32)) for name, n in sizes.items()}
    spent = {name: rounds_of({name: works[name]}, rounds)[name] for name, rounds in (("small", 20), ("large", 1))}
    each: dict[str, Times] = {name: times.scaled(1 / sizes[name]) for name, times in spent.items()}
    what = "time per row, 100 million against 100 thousand float32"
    return Comparison.of(what, each["large"], 1.5 * each["small"].best, "1.5 times", 1)


def _memory() -> Comparison:
    """Compare the peak memory of an assessment with 3 times the size of the input."""
    code = (
        "import resource, numpy as np, howsure\n"
        "from benchmarks.bench_scores import data\n"
        f"truth, scores = data({N})\n"
        "howsure.assess(truth[:300_000], scores=scores[:300_000])['auc'].interval()\n"
        "size = truth.nbytes + scores.nbytes\n"
        "def peak():\n"
        "    return int(open('/proc/self/status').read().split('VmHWM:')[1].split()[0]) * 1024\n"
        "def now():\n"
        "    return int(open('/proc/self/status').read().split('VmRSS:')[1].split()[0]) * 1024\n"
        "open('/proc/self/clear_refs', 'w').write('5')\n"
        "before = now()\n"
        "a = howsure.assess(truth, scores=scores)\n"
        "a['auc'].interval(), a['average_precision'].value, a['brier'].value, a['log_loss'].value\n"
        "first = peak() - before\n"
        "for curve in (a.roc, a.precision_recall, a.lift):\n"
        "    curve()\n"
        "print((size + first) / size, (size + peak() - before) / size)\n"
    )
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    measures, with_curves = map(float, output)
    print(f"  peak memory as a multiple of the input: {measures:.2f} for all measures, {with_curves:.2f} with curves")
    return Comparison("peak memory, of the size of the input, all measures", measures, 3.0, "limit", 1, unit="times")
