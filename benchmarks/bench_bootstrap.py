"""1,000 bootstrap replicates of four label measures at n = 100,000."""

from __future__ import annotations

import numpy as np
from sklearn import metrics
from sklearn.utils import resample

import assay
from benchmarks.measure import Comparison, best, peer

N = 100_000
REPLICATES = 1000
MEASURES = ("accuracy", "f1", "kappa", "mcc")
PEERS = (metrics.accuracy_score, metrics.f1_score, metrics.cohen_kappa_score, metrics.matthews_corrcoef)


def run() -> list[Comparison]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, N)
    predicted = np.where(rng.random(N) < 0.8, truth, 1 - truth)

    def ours() -> list[assay.Interval]:
        result = assay.assess(truth, predicted)
        return [result[name].interval(method="bootstrap", replicates=REPLICATES) for name in MEASURES]

    def loop(replicates: int) -> object:
        drawn = []
        for seed in range(replicates):
            t, p = resample(truth, predicted, random_state=seed)
            drawn.append([score(t, p) for score in PEERS])
        return np.quantile(drawn, [0.025, 0.975], axis=0)

    part = 20  # the loop is the same work every time; 1,000 rounds of it are 50 times 20
    return [
        Comparison(
            "1,000 replicates of accuracy, F1, kappa, MCC; n = 100,000",
            best(ours),
            best(lambda: loop(part), 1) * REPLICATES / part,
            f"{peer('scikit-learn')} resample loop ({part} rounds x {REPLICATES // part})",
            1000,
        )
    ]
