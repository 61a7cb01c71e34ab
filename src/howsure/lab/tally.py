"""Rejection rates of tests, as rows for storage."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from howsure.measured.tests import LEVEL, TestRow
from howsure.results import TestResult


def tallied(
    results: Iterable[Iterable[TestResult]],
    measure: str,
    design: str,
    pair: str,
    cell: Mapping[str, Any],
    seed: int,
    *,
    variants: Iterable[str] = (),
) -> Iterator[TestRow]:
    """Yield the rejection rate of each test over samples.

    Samples without a p-value for a test are left out of its rate.

    Parameters
    ----------
    results
        Test results of each sample.
    measure, design, pair, cell, seed
        Description of the simulation, stored in the rows.
    variants
        Variants of tests to count separately; all others are counted as "auto".

    Yields
    ------
    TestRow
        Proportion of rejections at the 5 % level, and proportion of samples with a p-value.

    Examples
    --------
    >>> from howsure.lab import tallied
    >>> from howsure.significance import mcnemar
    >>> samples = [[mcnemar(1, 11)], [mcnemar(5, 6)], [mcnemar(2, 3)], [mcnemar(4, 4)]]
    >>> [(row.test, row.rate) for row in tallied(samples, "accuracy", "cases", "equal", {"n": 50}, seed=0)]
    [('mcnemar', 0.25)]
    """
    counts: dict[tuple[str, str], list[int]] = {}
    for sample in results:
        for result in sample:
            assert result.test is not None
            default = "auto" if getattr(result.test, "variants", {}) else ""
            variant = result.variant if result.variant in variants else default
            count = counts.setdefault((result.test.name, variant), [0, 0, 0])
            count[0] += 1
            count[1] += not math.isnan(result.pvalue)
            count[2] += result.pvalue <= LEVEL
    for (test, variant), (rounds, answers, rejected) in counts.items():
        rate = rejected / answers if answers else math.nan
        yield TestRow(test, variant, measure, design, pair, cell, rate, answers / rounds, math.nan, rounds, seed)
