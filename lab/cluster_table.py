"""The section on clustered cases of docs/evidence/coverage.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from typing import Any

from howsure.measured.intervals import Held, stored
from howsure.measured.tests import EQUALS, TestRow
from lab.clusters import NORMAL, STUDENT, WILSON

ENOUGH_CLUSTERS, ENOUGH_ERRORS = 30, 3
FLOOR, REST = 0.93, 0.90
HEAD = f"""
## Cases in clusters

Clusters of unequal sizes with ten cases on average, half of them positive ([how](../how-to/lab.md), and
[the rule](../decisions/2026-11-18-clusters.md)): proportions, F1 and kappa of classifiers with a recall of 60, 80, 95
and 99 % in both classes, AUCs of 0.6, 0.8 and 0.95, intraclass correlations of 0, 0.1, 0.3 and 0.6, and 10, 30 and 100
clusters. "Enough" means at least {ENOUGH_CLUSTERS} clusters whose effective sample size has an expected
{ENOUGH_ERRORS} errors or more; the required coverage is {100 * FLOOR:.0f} % there, and {100 * REST:.0f} % elsewhere.
The default is compared, on the same samples, with z standard errors to either side, and with inspect_ai's `ci`
(Student's t) and `ci_wilson` for clusters. Each column has the lowest coverage, the number of cells below the
requirement in brackets, and the mean. Widths are compared by the median over the cells.

| measure | cells | default | width over `ci` | z standard errors | inspect_ai `ci` | inspect_ai `ci_wilson` |
|---|---|---|---:|---|---|---|
"""
TESTS = """
The default test of `compare` for two equal classifiers in such clusters, with 1,000 samples of each setting. The
classifiers are exchangeable, or equal with other errors, with correlated predictions and a recall or AUC of 80 or 95 %.
Type I error rates at the 5 % level:

| measure | worst of 10 clusters | of 30 | of 100 | mean | where the worst is |
|---|---:|---:|---:|---:|---|
"""


def section(rows: list[TestRow]) -> str:
    """Return the section: a table of intervals and one of tests."""
    content = stored()["clustered"]
    parts = [HEAD]
    for name, results in content["measures"].items():
        for title, are_enough in (("enough", True), ("few", False)):
            parts.append(_interval_row(name, title, results, content["cells"], are_enough))
    clustered = [row for row in rows if row.design == "clusters" and row.pair in EQUALS]
    parts += [TESTS, *(_test_row(name, clustered) for name in dict.fromkeys(row.measure for row in clustered))]
    return "".join(parts)


def _interval_row(name: str, title: str, results: Mapping[str, Any], cells: list[Any], are_enough: bool) -> str:
    def is_chosen(cell: int) -> bool:
        errors = results["worth"][str(cell)] * (1 - cells[cell]["quality"])
        return bool(cells[cell]["clusters"] >= ENOUGH_CLUSTERS and errors >= ENOUGH_ERRORS) == are_enough

    by_method = {method: _held(results, method, cells, is_chosen) for method in results["methods"]}
    default = by_method[results["default"]]
    ratios = [held.width / peer.width for held, peer in zip(default, by_method[STUDENT], strict=True) if peer.width]
    floor = FLOOR if are_enough else REST
    peers = (_summary(by_method[method], floor) if method in by_method else "" for method in (NORMAL, STUDENT, WILSON))
    texts = (f"`{name}`", f"{len(default)} {title}", _summary(default, floor), f"{median(ratios):.2f}", *peers)
    return f"| {' | '.join(texts)} |\n"


def _held(results: Mapping[str, Any], method: str, cells: list[Any], is_chosen: Callable[[int], bool]) -> list[Held]:
    return [
        Held(cells[cell], results["truth"][str(cell)], *rest)
        for cell, *rest in zip(*results["methods"][method].values(), strict=True)
        if is_chosen(cell)
    ]


def _summary(cells: list[Held], floor: float) -> str:
    coverages = [held.coverage for held in cells]
    under, mean = sum(coverage < floor for coverage in coverages), sum(coverages) / len(coverages)
    return f"{100 * min(coverages):.1f} % ({under}), mean {100 * mean:.1f} %"


def _test_row(measure: str, rows: list[TestRow]) -> str:
    of_measure = [row for row in rows if row.measure == measure]
    by_clusters = {n: max(row.rate for row in of_measure if row.cell["clusters"] == n) for n in (10, 30, 100)}
    worst = max(of_measure, key=lambda row: row.rate)
    where = (
        f"{worst.pair}, quality {worst.cell['quality']:g}, {worst.cell['clusters']} clusters, ICC {worst.cell['icc']:g}"
    )
    rates = (f"{100 * rate:.1f} %" for rate in by_clusters.values())
    mean = sum(row.rate for row in of_measure) / len(of_measure)
    return f"| {' | '.join((measure, *rates, f'{100 * mean:.1f} %', where))} |\n"
