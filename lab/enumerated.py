"""Tests of counts, enumerated: how often McNemar's test rejects, from the chance of every outcome."""

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

DISCORDANT = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)  # 40 % is what two classifiers of accuracy 0.8 can reach
SIZES = (20, 50, 100, 200, 1000)
COUNTED: dict[str, Callable[[int, int], TestResult]] = {
    name: partial(mcnemar, method=name) for name in ("auto", "exact", "mid-p", "chi2", "chi2-corrected")
}


@cache
def rejecting(variant: str, m: int) -> float:
    """Chance to reject when m cases are discordant and either classifier is as likely to be the one that is wrong."""
    test = COUNTED[variant]
    # The p-value rises with the smaller count, so the counts that reject are the first ones.
    few = bisect_right(range(m // 2 + 1), LEVEL, key=lambda smaller: test(smaller, m - smaller).pvalue) if m else 0
    return min(1.0, 2 * float(binom.cdf(few - 1, m, 0.5)))


def rate(variant: str, n: int, discordant: float) -> float:
    """How often the test rejects with n cases, of which a share is discordant on average."""
    m = np.arange(n + 1)
    likely = binom.pmf(m, n, discordant)
    counts = m[likely > 1e-12]  # the others add up to nothing
    return float(likely[counts] @ [rejecting(variant, int(one)) for one in counts])


def measure(items: Iterable[str], sizes: list[int], shares: list[float]) -> dict[str, list[Row]]:
    """Give the rows of each variant."""
    return {item: [asdict(row) for row in rows(item, sizes, shares)] for item in items}


def rows(variant: str, sizes: Iterable[int], shares: Iterable[float]) -> Iterator[TestRow]:
    for n, share in product(sizes, shares):
        cell = {"n": n, "discordant": share}
        yield TestRow("mcnemar", variant, "accuracy", "cases", "exchangeable", cell, rate(variant, n, share))


SETTINGS = {"sizes": list(SIZES), "shares": list(DISCORDANT)}
PARTS = (Part("enumerated", measure, tuple(COUNTED), SETTINGS),)
