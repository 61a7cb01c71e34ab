"""Tables of other programs on the same samples, for docs/evidence/coverage.md."""

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
NARROWER, MORE = 0.97, 0.002  # minimum differences in width and in the share of samples with an interval
WIDTH = 120
BETTER = """
Advantages of other programs over Howsure, without more cells under 92.5 % among those in which both are judged:

"""
Row = dict[str, Any]
TITLE = "\n## Other programs on the same samples\n\n"
HEAD = """
{programs} were run on the same samples as Howsure, drawn from {cells} cells (n {sizes}, prevalence {prevalences}, a
poor and a good classifier), with their defaults; `benchmarks/peers/` lists the arguments that had to be set. Seed
{seed}, {rounds} samples per cell, at most {slow} for programs that use a bootstrap. The Monte Carlo error of a coverage
of 95 % is {error:.1f} % with {rounds} samples and {slow_error:.1f} % with {slow}. Only cells with at least {enough}
intervals are judged. A cell is under 92.5 % if it is by more than two errors, so fewer samples detect fewer such cells.
The width is the median over cells of the program's median width divided by that of Howsure. Measured on {date} by
`python -m benchmarks.peer_intervals`.
"""
COLUMNS = """

| measure | program | lowest coverage | in | cells under 92.5 % | samples without an interval | width / Howsure's |
|---|---|---:|---|---:|---:|---:|
"""
TESTS = """
Type I error rates at the 5 % level for equal classifiers and learners. A missing p-value counts as no rejection; a rate
is above 5 % if it is by more than two Monte Carlo errors.

| samples | program | highest rate | in | mean | settings above 5 % | without a p-value |
|---|---|---:|---|---:|---:|---:|
"""


def section() -> str:
    """Return the section, or "" if there are no results."""
    if not RESULTS.exists():
        return ""
    results = json.loads(RESULTS.read_text("utf-8"))
    intervals, tests = results["intervals"], results["tests"]
    text = fill(head(results).strip(), WIDTH, break_on_hyphens=False)
    rows = "".join(interval_rows(intervals))
    return TITLE + text + COLUMNS + rows + better(intervals) + TESTS + "".join(test_rows(tests))


def head(results: Row) -> str:
    intervals, rounds = results["intervals"], results["rounds"]
    versions = {name: number for name, number in results["versions"].items() if name not in ("howsure", "numpy")}
    programs = [f"{name} {number}" for name, number in versions.items()]
    error = [100 * (0.95 * 0.05 / rounds[name]) ** 0.5 for name in ("cases", "slow")]
    return HEAD.format(
        programs=_listed(programs),
        cells=len({_cell(row) for row in intervals}),
        sizes=_listed(f"{n:,}" for n in sorted({row["n"] for row in intervals})),
        prevalences=_listed(f"{p:g}" for p in sorted({row["prevalence"] for row in intervals}, reverse=True)),
        seed=results["seed"],
        rounds=rounds["cases"],
        slow=rounds["slow"],
        fitted=rounds["fitted"],
        error=error[0],
        slow_error=error[1],
        enough=ENOUGH,
        date=results["date"],
    )


def grouped(rows: Iterable[Row], *names: str) -> Iterator[tuple[tuple[Any, ...], list[Row]]]:
    """Yield groups of rows with equal values, in order of appearance; those of Howsure come first."""

    def key(row: Row) -> tuple[Any, ...]:
        return tuple(row[name] for name in names)

    rows = list(rows)
    order = list(dict.fromkeys(map(key, sorted(rows, key=lambda row: not row["program"].startswith(OURS)))))
    for values, group in groupby(sorted(rows, key=lambda row: order.index(key(row))), key=key):
        yield values, list(group)


def interval_rows(rows: list[Row]) -> Iterator[str]:
    for (measure,), of_measure in grouped(rows, "measure"):
        for (program,), group in grouped(of_measure, "program"):
            judged = [row for row in group if is_judged(row)]
            if not judged:
                yield f"| {spoken(measure)} | {program} | too few intervals | | | {100 * without(group):.1f} % | |\n"
                continue
            least = min(judged, key=lambda row: row["coverage"])
            coverage = f"{100 * least['coverage']:.1f} % ± {100 * error(least):.1f}"
            under = f"{shortfalls(judged)} of {len(judged)}"
            none = f"{100 * without(group):.1f} %"
            ratio = "" if program == OURS else f"{width_ratio(group, of_measure):.2f}"
            cells = (spoken(measure), program, coverage, _where(least), under, none, ratio)
            yield f"| {' | '.join(cells)} |\n"


def test_rows(rows: list[Row]) -> Iterator[str]:
    by_design = (
        (design, program, group)
        for (design,), of_design in grouped(rows, "design")
        for (program,), group in grouped(of_design, "program")
    )
    for design, program, group in by_design:
        most = max(group, key=lambda row: row["rejected"])
        rate = f"{100 * most['rejected']:.1f} % ± {100 * most['error']:.1f}"
        beyond = sum(row["rejected"] > LEVEL + ERRORS * row["error"] for row in group)
        mean = sum(row["rejected"] for row in group) / len(group)
        none = sum(1 - row["given"] for row in group) / len(group)
        counts = (f"{100 * mean:.1f} %", f"{beyond} of {len(group)}", f"{100 * none:.1f} %")
        yield f"| {design} | {program} | {rate} | {_where(most)} | {' | '.join(counts)} |\n"


def is_judged(row: Row) -> bool:
    return bool(row["given"] * row["rounds"] >= ENOUGH)


def error(row: Row) -> float:
    """Return the standard error of a coverage; half a miss is added so that it is positive without any miss."""
    n = row["given"] * row["rounds"]
    missed = ((1 - row["coverage"]) * n + 0.5) / (n + 1)
    return math.sqrt(missed * (1 - missed) / n)


def shortfalls(group: Iterable[Row]) -> int:
    """Count the cells with a low coverage."""
    return sum(row["coverage"] < FLOOR - ERRORS * error(row) for row in group if is_judged(row))


def without(group: Sequence[Row]) -> float:
    """Return the share of samples without an interval."""
    given, drawn = (float(sum(numbers)) for numbers in zip(*map(_samples, group), strict=True))
    return 1 - given / drawn


def _samples(row: Row) -> tuple[float, float]:
    return row["given"] * row["rounds"], row["rounds"]


def width_ratio(group: Iterable[Row], of_measure: Iterable[Row]) -> float:
    ours = {_cell(row): row["width"] for row in of_measure if row["program"] == OURS}
    ratios = [float(row["width"]) / ours[_cell(row)] for row in group if row["width"] and ours.get(_cell(row))]
    return float(median(ratios))


def better(rows: list[Row]) -> str:
    """Return a list of the advantages of other programs."""
    lines = []
    for (measure,), of_measure in grouped(rows, "measure"):
        groups = {program: group for (program,), group in grouped(of_measure, "program")}
        ours = groups.pop(OURS)
        for program, group in groups.items():
            if reasons := list(advantages(group, ours)):
                lines.append(f"- {spoken(measure)}, {program}: {_listed(reasons)}{drawback(group, ours)}\n")
    return BETTER + ("".join(lines) or "- nowhere\n")


def advantages(theirs: list[Row], ours: list[Row]) -> Iterator[str]:
    """Yield the advantages of another program, if it has no more cells with a low coverage than Howsure."""
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
    """Return whether a program has no interval in more samples, which may explain narrower ones."""
    none, our_none = without_both(theirs, ours)
    text = f"; but none in {100 * none:.1f} % of the samples (Howsure {100 * our_none:.1f} %)"
    return text if none > our_none + MORE else ""


def without_both(theirs: list[Row], ours: list[Row]) -> tuple[float, float]:
    """Return the shares of samples without an interval, in the cells of the other program."""
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
