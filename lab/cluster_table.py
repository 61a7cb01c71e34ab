"""The section of docs/evidence/coverage.md on cases in clusters, from what the package ships."""

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

Clusters of unequal sizes, ten cases on average, half of them positive ([how](../how-to/lab.md), and
[what the rule is](../decisions/2026-11-18-clusters.md)): shares, F1 and kappa of classifiers that are right in 60, 80,
95 and 99 % of both classes, areas of 0.6, 0.8 and 0.95, intraclass correlations of 0, 0.1, 0.3 and 0.6, and 10, 30 and
100 clusters. "Enough" are {ENOUGH_CLUSTERS} clusters or more in which independent cases worth as much would have
{ENOUGH_ERRORS} errors or more; there {100 * FLOOR:.0f} % are asked for, elsewhere {100 * REST:.0f} %. Beside the
default stand, on the same samples, the value and z standard errors to either side, and inspect_ai's `ci` (Student's t)
and `ci_wilson` of clusters. Each has the least coverage, in brackets the cells under what is asked for, and the mean.
Widths are compared by the median over the cells.

| measure | cells | default | width over `ci` | z standard errors | inspect_ai `ci` | inspect_ai `ci_wilson` |
|---|---|---|---:|---|---|---|
"""
TESTS = """
Two equal classifiers by the default test of `compare` in such clusters, 1,000 samples of each setting: alike in all, or
equal by other errors, with correlated answers; right in 80 or 95 %, or areas of as much; the correlations and numbers
of clusters as above. Rejections at the 5 % level:

| measure | worst of 10 clusters | of 30 | of 100 | mean | where the worst is |
|---|---:|---:|---:|---:|---|
"""


def section(rows: list[TestRow]) -> str:
    """Give the section: a table of intervals and one of tests."""
    content = stored()["clustered"]
    parts = [HEAD]
    for name, known in content["measures"].items():
        for title, chosen in (("enough", True), ("few", False)):
            parts.append(_interval_row(name, title, known, content["cells"], chosen))
    clustered = [row for row in rows if row.design == "clusters" and row.pair in EQUALS]
    parts += [TESTS, *(_test_row(name, clustered) for name in dict.fromkeys(row.measure for row in clustered))]
    return "".join(parts)


def _interval_row(name: str, title: str, known: Mapping[str, Any], cells: list[Any], chosen: bool) -> str:
    def is_chosen(cell: int) -> bool:
        errors = known["worth"][str(cell)] * (1 - cells[cell]["quality"])
        return bool(cells[cell]["clusters"] >= ENOUGH_CLUSTERS and errors >= ENOUGH_ERRORS) == chosen

    found = {method: _held(known, method, cells, is_chosen) for method in known["methods"]}
    default = found[known["default"]]
    ratios = [one.width / other.width for one, other in zip(default, found[STUDENT], strict=True) if other.width]
    floor = FLOOR if chosen else REST
    peers = (_in_short(found[method], floor) if method in found else "" for method in (NORMAL, STUDENT, WILSON))
    texts = (f"`{name}`", f"{len(default)} {title}", _in_short(default, floor), f"{median(ratios):.2f}", *peers)
    return f"| {' | '.join(texts)} |\n"


def _held(known: Mapping[str, Any], method: str, cells: list[Any], is_chosen: Callable[[int], bool]) -> list[Held]:
    return [
        Held(cells[cell], known["truth"][str(cell)], *rest)
        for cell, *rest in zip(*known["methods"][method].values(), strict=True)
        if is_chosen(cell)
    ]


def _in_short(many: list[Held], floor: float) -> str:
    coverages = [one.coverage for one in many]
    under, mean = sum(one < floor for one in coverages), sum(coverages) / len(coverages)
    return f"{100 * min(coverages):.1f} % ({under}), mean {100 * mean:.1f} %"


def _test_row(measure: str, rows: list[TestRow]) -> str:
    mine = [row for row in rows if row.measure == measure]
    by_clusters = {n: max(row.rate for row in mine if row.cell["clusters"] == n) for n in (10, 30, 100)}
    worst = max(mine, key=lambda row: row.rate)
    where = (
        f"{worst.pair}, quality {worst.cell['quality']:g}, {worst.cell['clusters']} clusters, ICC {worst.cell['icc']:g}"
    )
    rates = (f"{100 * rate:.1f} %" for rate in by_clusters.values())
    mean = sum(row.rate for row in mine) / len(mine)
    return f"| {' | '.join((measure, *rates, f'{100 * mean:.1f} %', where))} |\n"
