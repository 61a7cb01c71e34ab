"""Exact type I error rates of McNemar's test, by enumeration of all outcomes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from functools import cache, partial
from itertools import product

import numpy as np
from scipy.stats import binom

from howsure.measured.tests import LEVEL, TestRow
from howsure.results import TestResult
from howsure.significance import mcnemar
from lab.parts import Part, Row

DISCORDANT = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)  # 40 % is the maximum for two classifiers of accuracy 0.8
SIZES = (20, 50, 100, 200, 1000)
COUNTED: dict[str, Callable[[int, int], TestResult]] = {
    name: partial(mcnemar, method=name) for name in ("auto", "exact", "mid-p", "chi2", "chi2-corrected")
}


@cache
def rejecting(variant: str, m: int) -> float:
    """Return the probability to reject equal classifiers with m discordant cases."""
    test = COUNTED[variant]
    # The p-value increases with the smaller count, so the test rejects for the smallest counts.
    few = bisect_right(range(m // 2 + 1), LEVEL, key=lambda smaller: test(smaller, m - smaller).pvalue) if m else 0
    return min(1.0, 2 * float(binom.cdf(few - 1, m, 0.5)))


def rate(variant: str, n: int, discordant: float) -> float:
    """Return the rejection rate with n cases, a share of which is discordant on average."""
    m = np.arange(n + 1)
    probability = binom.pmf(m, n, discordant)
    counts = m[probability > 1e-12]
    return float(probability[counts] @ [rejecting(variant, int(count)) for count in counts])


def measure(items: Iterable[str], sizes: list[int], shares: list[float]) -> dict[str, list[Row]]:
    """Return the rows of each variant."""
    return {item: [asdict(row) for row in rows(item, sizes, shares)] for item in items}


def rows(variant: str, sizes: Iterable[int], shares: Iterable[float]) -> Iterator[TestRow]:
    for n, share in product(sizes, shares):
        cell = {"n": n, "discordant": share}
        yield TestRow("mcnemar", variant, "accuracy", "cases", "exchangeable", cell, rate(variant, n, share))


SETTINGS = {"sizes": list(SIZES), "shares": list(DISCORDANT)}
PARTS = (Part("enumerated", measure, tuple(COUNTED), SETTINGS),)
