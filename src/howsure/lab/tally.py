"""Count the rejections of tests, and put them in rows as they are stored."""

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
    """Give a row for each test, as it is stored.

    A test without an answer, a p-value of NaN, does not count as a sample of it.

    Parameters
    ----------
    results
        The results of the tests of each sample.
    measure, design, pair, cell, seed
        What the row says of them.
    variants
        Variants that are kept apart by their names; of others, which a test chose itself, the variant is "auto".

    Yields
    ------
    TestRow
        The share of rejections at the 5 % level, and of samples with an answer.

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
            chosen = "auto" if getattr(result.test, "variants", {}) else ""
            variant = result.variant if result.variant in variants else chosen
            count = counts.setdefault((result.test.name, variant), [0, 0, 0])
            count[0] += 1
            count[1] += not math.isnan(result.pvalue)
            count[2] += result.pvalue <= LEVEL
    for (test, variant), (rounds, answers, rejected) in counts.items():
        rate = rejected / answers if answers else math.nan
        yield TestRow(test, variant, measure, design, pair, cell, rate, answers / rounds, math.nan, rounds, seed)
