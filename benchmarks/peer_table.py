"""What other programs say of the same samples, as tables of docs/evidence/coverage.md."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from statistics import median
from textwrap import fill
from typing import Any

from howsure.present.value_text import spoken

RESULTS = Path(__file__).with_name("peer_intervals.json")
OURS = "Howsure"
FLOOR, LEVEL, ERRORS, ENOUGH = 0.925, 0.05, 2, 30
NARROWER, MORE = 0.97, 0.002  # from so much on, intervals are called narrower, and given more often
WIDTH = 120
BETTER = """
Where another program does better than Howsure: under 92.5 % in no more of the cells in which both are judged, and

"""
Row = dict[str, Any]
TITLE = "\n## Other programs on the same samples\n\n"
HEAD = """
{programs} were given the same samples as Howsure, drawn from {cells} cells (n {sizes}, prevalence {prevalences}, a poor
and a good classifier). Each is called by its defaults; `benchmarks/peers/` says what had to be told. Seed {seed},
{rounds} samples of each cell, {slow} at most where a program bootstraps. The Monte Carlo error of a coverage of 95 % is
{error:.1f} % with {rounds} samples and {slow_error:.1f} % with {slow}. Only cells with {enough} intervals or more are
judged, and one is under 92.5 % where it is by more than two errors, so that fewer samples find fewer such cells. The
width is the median over cells of the program's median width over that of Howsure. Measured on {date} by
`python -m benchmarks.peer_intervals`.
"""
COLUMNS = """

| measure | program | least coverage | where | cells under 92.5 % | samples without an interval | width / Howsure's |
|---|---|---:|---|---:|---:|---:|
"""
TESTS = """
Rejections at the 5 % level, of classifiers and learners that are equally good. A sample without a p-value rejects
nothing; a rate is beyond 5 % where it is by more than two Monte Carlo errors.

| samples | program | rejections, most | where | on average | settings beyond 5 % | without a p-value |
|---|---|---:|---|---:|---:|---:|
"""


def section() -> str:
    """Write the section, or nothing where the programs were not measured."""
    if not RESULTS.exists():
        return ""
    found = json.loads(RESULTS.read_text("utf-8"))
    intervals, tests = found["intervals"], found["tests"]
    told = fill(head(found).strip(), WIDTH, break_on_hyphens=False)
    rows = "".join(interval_rows(intervals))
    return TITLE + told + COLUMNS + rows + better(intervals) + TESTS + "".join(test_rows(tests))


def head(found: Row) -> str:
    intervals, rounds = found["intervals"], found["rounds"]
    programs = [f"{name} {version}" for name, version in found["versions"].items() if name not in ("howsure", "numpy")]
    error = [100 * (0.95 * 0.05 / rounds[name]) ** 0.5 for name in ("cases", "slow")]
    return HEAD.format(
        programs=_listed(programs),
        cells=len({_cell(row) for row in intervals}),
        sizes=_listed(f"{n:,}" for n in sorted({row["n"] for row in intervals})),
        prevalences=_listed(f"{p:g}" for p in sorted({row["prevalence"] for row in intervals}, reverse=True)),
        seed=found["seed"],
        rounds=rounds["cases"],
        slow=rounds["slow"],
        fitted=rounds["fitted"],
        error=error[0],
        slow_error=error[1],
        enough=ENOUGH,
        date=found["date"],
    )


def grouped(rows: Iterable[Row], *names: str) -> Iterator[tuple[tuple[Any, ...], list[Row]]]:
    """Put rows together that agree in these, in the order in which they first appear; our own come first."""

    def key(row: Row) -> tuple[Any, ...]:
        return tuple(row[name] for name in names)

    rows = list(rows)
    order = list(dict.fromkeys(map(key, sorted(rows, key=lambda row: not row["program"].startswith(OURS)))))
    for found, group in groupby(sorted(rows, key=lambda row: order.index(key(row))), key=key):
        yield found, list(group)


def interval_rows(rows: list[Row]) -> Iterator[str]:
    for (measure,), of_measure in grouped(rows, "measure"):
        for (program,), group in grouped(of_measure, "program"):
            judged = [row for row in group if is_judged(row)]
            if not judged:
                yield f"| {spoken(measure)} | {program} | too few intervals | | | {100 * without(group):.1f} % | |\n"
                continue
            least = min(judged, key=lambda row: row["coverage"])
            often = f"{100 * least['coverage']:.1f} % ± {100 * error(least):.1f}"
            under = f"{shortfalls(judged)} of {len(judged)}"
            none = f"{100 * without(group):.1f} %"
            ratio = "" if program == OURS else f"{width_ratio(group, of_measure):.2f}"
            cells = (spoken(measure), program, often, _where(least), under, none, ratio)
            yield f"| {' | '.join(cells)} |\n"


def test_rows(rows: list[Row]) -> Iterator[str]:
    by_design = ((design, *one) for (design,), many in grouped(rows, "design") for one in grouped(many, "program"))
    for design, (program,), group in by_design:
        most = max(group, key=lambda row: row["rejected"])
        often = f"{100 * most['rejected']:.1f} % ± {100 * most['error']:.1f}"
        beyond = sum(row["rejected"] > LEVEL + ERRORS * row["error"] for row in group)
        mean = sum(row["rejected"] for row in group) / len(group)
        none = sum(1 - row["given"] for row in group) / len(group)
        counts = (f"{100 * mean:.1f} %", f"{beyond} of {len(group)}", f"{100 * none:.1f} %")
        yield f"| {design} | {program} | {often} | {_where(most)} | {' | '.join(counts)} |\n"


def is_judged(row: Row) -> bool:
    return bool(row["given"] * row["rounds"] >= ENOUGH)


def error(row: Row) -> float:
    """Give the standard error of a coverage; half a miss is added, so that none at all has an error, too."""
    made = row["given"] * row["rounds"]
    missed = ((1 - row["coverage"]) * made + 0.5) / (made + 1)
    return math.sqrt(missed * (1 - missed) / made)


def shortfalls(group: Iterable[Row]) -> int:
    """Count the cells in which intervals hold the truth too rarely."""
    return sum(row["coverage"] < FLOOR - ERRORS * error(row) for row in group if is_judged(row))


def without(group: Sequence[Row]) -> float:
    """Give the share of samples without an interval."""
    given, drawn = (float(sum(numbers)) for numbers in zip(*map(_samples, group), strict=True))
    return 1 - given / drawn


def _samples(row: Row) -> tuple[float, float]:
    return row["given"] * row["rounds"], row["rounds"]


def width_ratio(group: Iterable[Row], of_measure: Iterable[Row]) -> float:
    ours = {_cell(row): row["width"] for row in of_measure if row["program"] == OURS}
    ratios = [float(row["width"]) / ours[_cell(row)] for row in group if row["width"] and ours.get(_cell(row))]
    return float(median(ratios))


def better(rows: list[Row]) -> str:
    """Say where another program does better than Howsure, in the cells that both were judged in."""
    lines = []
    for (measure,), of_measure in grouped(rows, "measure"):
        groups = {program: group for (program,), group in grouped(of_measure, "program")}
        ours = groups.pop(OURS)
        for program, group in groups.items():
            if reasons := list(advantages(group, ours)):
                lines.append(f"- {spoken(measure)}, {program}: {_listed(reasons)}{drawback(group, ours)}\n")
    return BETTER + ("".join(lines) or "- nowhere\n")


def advantages(theirs: list[Row], ours: list[Row]) -> Iterator[str]:
    """Give what speaks for another program, if it falls short in no more cells than Howsure does."""
    cells = {_cell(row) for row in ours if is_judged(row)} & {_cell(row) for row in theirs if is_judged(row)}
    short, our_short = (shortfalls(row for row in group if _cell(row) in cells) for group in (theirs, ours))
    if short > our_short:
        return
    if short < our_short:
        yield f"fewer cells under 92.5 % ({short}, Howsure {our_short})"
    none, our_none = without_both(theirs, ours)
    if none < our_none - MORE:
        yield f"intervals in more samples ({100 * none:.1f} % without, Howsure {100 * our_none:.1f} %)"
    if (ratio := width_ratio(theirs, ours)) < NARROWER:
        yield f"narrower intervals ({ratio:.2f} times the width)"


def drawback(theirs: list[Row], ours: list[Row]) -> str:
    """Say that a program is silent about more samples; what it says of the others may be narrower for that reason."""
    none, our_none = without_both(theirs, ours)
    told = f"; but none in {100 * none:.1f} % of the samples (Howsure {100 * our_none:.1f} %)"
    return told if none > our_none + MORE else ""


def without_both(theirs: list[Row], ours: list[Row]) -> tuple[float, float]:
    """Give the shares of samples without an interval, in the cells that the other program was given."""
    drawn = {_cell(row) for row in theirs}
    return without(theirs), without([row for row in ours if _cell(row) in drawn])


def _cell(row: Row) -> tuple[Any, ...]:
    return row["n"], row["prevalence"], row["quality"]


def _where(row: Row) -> str:
    if "n" in row:
        return f"n = {row['n']:,}, prevalence {row['prevalence']:g}, {row['quality']}"
    return str(row.get("learner", "")).replace("-", " ")


def _listed(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
