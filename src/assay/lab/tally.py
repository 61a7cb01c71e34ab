"""Count the rejections of tests, and put them in rows as they are stored."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assay.measured.tests import LEVEL, TestRow
from assay.results import TestResult


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
    """Give a row for each test: ``results`` has those of each sample.

    A test without an answer, a p-value of NaN, does not count as a sample of it. The variant of a test that chose it
    itself is "auto"; those of ``variants`` are kept apart by their names.
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
