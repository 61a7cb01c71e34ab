"""Do intervals cover as often as they say? Simulated, seeded, the count judged by a binomial test.

``make calibration`` runs it; what runs always is in tests/lab.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from howsure import Confusion
from howsure.measures import estimate

# A classifier's true joint distribution of truth (rows) and prediction.
GOOD = np.array([[0.40, 0.05, 0.02], [0.04, 0.25, 0.03], [0.01, 0.04, 0.16]])
SKEWED = np.array([[0.85, 0.03], [0.04, 0.08]])


def coverage(truth: np.ndarray, n: int, measure: str, rounds: int, seed: int, **kwargs) -> tuple[int, int]:
    """Count how many intervals hold the value of the true distribution, of those that exist."""
    rng = np.random.default_rng(seed)
    method = kwargs.pop("method", "auto")
    population = estimate(Confusion(truth), measure, **kwargs).value
    held = built = 0
    for counts in rng.multinomial(n, truth.ravel() / truth.sum(), rounds):
        result = estimate(Confusion(counts.reshape(truth.shape)), measure, **kwargs)
        if not result.undefined:
            held += population in result.interval(method=method)
            built += 1
    return held, built


@pytest.mark.slow
@pytest.mark.parametrize("method", ["auto", "delta", "bootstrap", "basic", "bca"])
@pytest.mark.parametrize("n", [50, 200, 1000])
@pytest.mark.parametrize("measure", ["kappa", "mcc", "balanced_accuracy", "geometric_mean"])
@pytest.mark.parametrize("truth", [GOOD, SKEWED], ids=["good", "skewed"])
def test_full_grid(truth, measure, n, method):
    """From 200 cases on, every method covers at least 90 %; with 50 the known shortfall stays above 85 %."""
    held, result = coverage(truth, n, measure, rounds=400, seed=n, method=method)
    floor = 0.85 if n == 50 else 0.90
    assert binomtest(held, result, floor, alternative="less").pvalue > 1e-3, held / result
