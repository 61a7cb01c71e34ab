"""Write docs/evidence/coverage.md, and its pictures, from what the package ships; run by ``make`` of that name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import isnan
from pathlib import Path
from statistics import median
from textwrap import fill
from typing import Any

from benchmarks.peer_table import section as peers
from howsure.lab.interval_coverage import ERRORS, FLOOR, SURE
from howsure.measured.intervals import Held, stored
from howsure.measured.tests import EQUALS, LEVEL, TestRow, in_words
from howsure.measured.tests import rows as test_rows
from howsure.measured.tests import stored as stored_tests
from howsure.measures import registry
from howsure.measures.spec import read_spec
from lab.choice import EXCEPTIONS, SHORT, Known
from lab.cluster_table import section as clusters
from lab.narrower import AT_END, CERTAIN, LARGE, NEEDED, OFTEN, SEEN_THERE, WIDE, Over, over
from lab.narrower import factors as narrower_factors
from lab.pictures import Picture, of_defaults, of_measures, write
from lab.summary import ENOUGH, USUAL, Measured, read, rivals, where

DOCS = Path(__file__).parents[1]
FOLDER = DOCS / "pictures"
REASONS = (AT_END, SEEN_THERE, CERTAIN, NEEDED)
HEAD = """# How sure is 95 %?

Written from what the lab measured by `make docs/evidence/coverage.md`; do not edit.

"""
TABLE = f"""
## The default of each measure

Over all cells of the grid ([what they are](../how-to/lab.md)). Coverage is of the intervals that are given, in cells
with {ENOUGH} of them or more. "Least" is the cell that is surest to be low, with its Monte Carlo error; "under" are the
cells below 92.5 % by more than two such errors. "None" is the share of samples without an interval: where a class has
too few cases for any method that holds, the reason stands in its place. "Over" are the cells above 99 % among those
from n = {LARGE}, in which intervals could be narrower. The last column is the narrowest of the other methods that
were measured and fall under 92.5 % nowhere (proportions: under 90 % nowhere, and under 94 % nowhere on average over
neighbouring cells), and the median, over the cells that both were measured in, of the default's width over its own:
above 1 the default is the wider one. Few cells and samples prove little of methods that draw replicates.

| measure | default | least | where | mean | under | none | over | narrowest other that holds |
|---|---|---:|---|---:|---:|---:|---:|---|
"""
KNOWN = """
Where defaults are known to fall short of what is asked of them, or to be wider than a tenth above the narrowest that
holds, how far, and why; `tests/lab/test_choice.py` fails if others do, if these do so further, or if they do no more.
Asked for is what the last column above asks of other methods.

| default of | how far | because |
|---|---|---|
"""
OVER = f"""
## Where intervals hold more often than they say

Cells from n = {LARGE} in which the default holds the truth in more than 99 % of the samples, by more than two of the
Monte Carlo errors that 99 % has in as many samples, and why.

- At an end: the true value is within a twentieth of the range of an end (of a ratio x from 0 to infinity, x / (1 + x)
  is), so that the interval cannot miss on that side.
- Seen there: in more than {100 * OFTEN:.0f} % of the samples all cases of a class are found, or none, so that the rate
  that the measure is made of is seen at an end of its range, and its interval cannot miss on that side. The chance of
  it is (1 - s (1 - r))^n + (1 - s r)^n for a class with a share s of the cases, of which a share r is found.
- Certain: every sample has the true value itself, as a loss that is the same of all cases, so that any interval holds.
- Needed nearby: each sample tells how many times its arms an interval needs to reach the truth, which measures all
  intervals that are so many times as wide. With arms so short that 99 % or fewer hold, intervals of a cell one step of
  the grid away (in n, prevalence or quality), whose samples look much the same, would hold in less than 92.5 %, beyond
  two errors.
- Otherwise they could be narrower, by the factor in the last column: with it 92.5 % are held there and one step away.

| default of | of cells | over 99 % | at an end | seen there | certain | needed nearby | could be narrower |
|---|---:|---:|---:|---:|---:|---:|---|
"""
FACTORS = """
## What else was varied

One factor at a time, for the defaults: cells under 92.5 % beyond two Monte Carlo errors, of those with enough
intervals.

| what | cells | under | least | of | where |
|---|---:|---:|---:|---|---|
"""
PICTURES = """
## By method, size and prevalence

In each cell is the least coverage over the qualities of the classifier, in percent and rounded down, of two classes
and calibrated scores of equal spread. In brackets where fewer than half of the samples have an interval; a dash where
hardly any has; empty where it was not measured. Methods that draw replicates were measured on few samples, so that
their numbers are rough. The least of several numbers lies below the truth by chance, too: by one or two Monte Carlo
errors.
"""
TESTS = """
## Tests that find what is not there

Rejections at the 5 % level of classifiers and learners that are equally good: the worst setting of each test,
which is the one that is surest to be high. "Beyond" are the settings above 5 % by more than two Monte Carlo errors.
Tests that are not valid for a design are here, too, to show what becomes of them; which are is in
[significance](../reference/tests/index.md).

| on | test | of | worst | where | beyond |
|---|---|---|---:|---|---:|
"""
VARIED: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "weighted cases": lambda cell: cell["weighted"],
    "3 classes": lambda cell: cell["classes"] == 3,
    "10 classes": lambda cell: cell["classes"] == 10,
    "scores of positives spread half as much": lambda cell: cell["spread"] == 0.5,
    "scores of positives spread twice as much": lambda cell: cell["spread"] == 2,
    "underconfident probabilities": lambda cell: cell["slope"] == 0.5,
    "overconfident probabilities": lambda cell: cell["slope"] == 2,
    "a positive class that is the more frequent one": lambda cell: cell["classes"] == 2 and cell["prevalence"] > 0.5,
}


def page() -> str:
    measured = read(stored())
    known = {name: one for name, one in measured.items() if one.default}
    parts = (
        HEAD,
        answer(known),
        TABLE,
        *map(measure_row, known.values()),
        KNOWN,
        *map(known_row, EXCEPTIONS),
        *over_rows(known),
        *factors(known),
        PICTURES,
        *picture_lines(measured),
        clusters(list(test_rows())),
        TESTS,
        *type_one_rows(test_rows()),
        peers(),
        how(known),
    )
    return "".join(parts)


def answer(known: Mapping[str, Measured]) -> str:
    """Say in a few sentences how sure 95 % is."""
    cells = {name: one.cells for name, one in known.items()}
    every = [one for many in cells.values() for one in many]
    short = {name: sum(map(is_under, many)) for name, many in cells.items()}
    worst = min(known, key=lambda name: min(map(surely, cells[name]), default=1.0))
    least = min(cells[worst], key=surely)
    drawn = [one for each in known.values() for one in each.every.values()]
    none = sum(one.given == 0 for one in drawn)
    few = len(drawn) - none - len(every)
    holding = sum(one.coverage >= FLOOR for one in every)
    sentences = (
        f"In {holding:,} of {len(every):,} cells ({percent(holding / len(every))}) the default 95 % interval of a "
        f"measure holds the truth in at least 92.5 % of the samples; {sum(short.values()):,} cells fall short of that "
        f"by more than two Monte Carlo errors, of {sum(map(bool, short.values()))} of {len(known)} measures. The worst "
        f"is `{worst}`: {often(least)} ({where(least.cell)}). In {none:,} of {len(drawn):,} cells "
        f"({percent(none / len(drawn))}) no interval is given in any sample, and the reason is said instead; in "
        f"{few:,} more there are too few to judge."
    )
    return fill(sentences, 120) + "\n"


def surely(one: Held) -> float:
    """Give what a coverage is at most, beyond doubt: few samples prove little."""
    return one.coverage + ERRORS * one.error


def is_under(one: Held) -> bool:
    return surely(one) < FLOOR


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def often(one: Held) -> str:
    return f"{percent(one.coverage)} ± {100 * one.error:.1f}"


def measure_row(one: Measured) -> str:
    cells = one.cells
    large = [cell for cell in cells if cell.cell["n"] >= LARGE]
    drawn = sum(cell.rounds for cell in one.every.values())
    none = percent(1 - sum(cell.given for cell in one.every.values()) / drawn)
    if not cells:
        return f"| `{one.name}` | {one.default} | | | | | {none} | | |\n"
    least = min(cells, key=surely)
    others = rivals(one, one)
    narrowest = f"{others[0].method}, {others[0].ratio:.2f} in {others[0].cells} cells" if others else ""
    texts = (
        f"`{one.name}`",
        one.default,
        often(least),
        where(least.cell),
        percent(sum(cell.coverage for cell in cells) / len(cells)),
        f"{sum(map(is_under, cells))} of {len(cells)}",
        none,
        f"{sum(cell.coverage > SURE for cell in large)} of {len(large)}",
        narrowest,
    )
    return f"| {' | '.join(texts)} |\n"


def known_row(one: Known) -> str:
    names = ", ".join(f"`{name}`" for name in one.names)
    far = f"{percent(one.bound)}, up to n = {one.most:,}" if one.kind == SHORT else f"{one.bound:.2f} times as wide"
    return f"| {names} | {far} | {one.reason} |\n"


def over_rows(known: Mapping[str, Measured]) -> list[str]:
    """Give the table of cells in which intervals hold too often, by measure, and the sum of all."""
    every = over(known, narrower_factors())
    rows = []
    for name, one in known.items():
        found = [cell for cell in every if cell.measure == name]
        if found:
            rows.append(f"| `{name}` | {_large(one):,} | {_counts(found)} | {_wide(found)} |\n")
    wide = sum(cell.why == WIDE for cell in every)
    least = [cell.factor for cell in every if cell.why == SEEN_THERE and not isnan(cell.factor)]
    text = f"Where rates are seen at an end, such factors are {{:.2f}} (median of {len(least)} cells)."
    share = f"\n{text.format(median(least))}\n" if least else ""
    whole = f"| all | {sum(map(_large, known.values())):,} | {_counts(every)} | {wide} cells |\n"
    return [OVER, *rows, whole, share]


def _large(one: Measured) -> int:
    return sum(cell.cell["n"] >= LARGE for cell in one.cells)


def _counts(found: list[Over]) -> str:
    return " | ".join(str(number) for number in (len(found), *(sum(c.why == w for c in found) for w in REASONS)))


def _wide(found: list[Over]) -> str:
    """Name the cells in which intervals could be narrower, those first that could most."""
    wide = sorted((cell for cell in found if cell.why == WIDE), key=lambda cell: cell.factor)
    return "; ".join(f"{where(cell.held.cell)}: {cell.factor:.2f}" for cell in wide)


def factors(known: Mapping[str, Measured]) -> list[str]:
    """Give the table of what else was varied, if anything was."""
    rows = list(factor_rows(known))
    return [FACTORS, *rows] if rows else []


def factor_rows(known: Mapping[str, Measured]) -> Iterable[str]:
    """Give a line for each factor that was measured."""
    for name, has in VARIED.items():
        cells = [(one, measure) for measure in known for one in known[measure].cells if has(one.cell)]
        if cells:
            under = sum(is_under(one) for one, _ in cells)
            least, measure = min(cells, key=lambda pair: surely(pair[0]))
            yield f"| {name} | {len(cells):,} | {under} | {often(least)} | `{measure}` | {where(least.cell)} |\n"


def family(measure: str) -> str:
    one = registry[read_spec(measure.removeprefix("macro "))[0]]
    if one.scope in ("class", "overall"):
        return "Labels: proportions" if one.is_ratio else "Labels: other measures"
    return {"ranking": "Scores: ranks"}.get(one.group, "Scores: probabilities")


def families(measured: Mapping[str, Measured]) -> dict[str, list[Measured]]:
    found: dict[str, list[Measured]] = {}
    for name, one in measured.items():
        if any(is_usual(cell.cell) for cells in one.methods.values() for cell in cells.values()):
            found.setdefault(family(name), []).append(one)
    return found


def is_usual(cell: Mapping[str, object]) -> bool:
    return all(cell[name] == value for name, value in USUAL.items())


def overview(name: str, many: Iterable[Measured]) -> Picture:
    short = name.lower().replace(": ", "-").replace(" ", "-")
    return of_defaults(f"defaults-{short}", f"{name}, the default of each measure", many)


def pictures(measured: Mapping[str, Measured]) -> dict[str, list[tuple[list[str], Picture]]]:
    """Give the pictures of each family: first that of the defaults, then one for each measure."""
    return {name: [([], overview(name, many)), *of_measures(many)] for name, many in sorted(families(measured).items())}


def picture_lines(measured: Mapping[str, Measured]) -> Iterable[str]:
    for name, many in pictures(measured).items():
        yield f"\n### {name}\n"
        for measures, picture in many:
            if picture.rows:
                title = f"coverage of {', '.join(measures) or 'the defaults'}, by method, size and prevalence"
                yield f"\n![{title}](../pictures/{picture.file})\n"


def type_one_rows(rows: Iterable[TestRow]) -> Iterable[str]:
    """Give the worst setting of each test, variant, measure and design."""
    groups: dict[tuple[str, ...], list[TestRow]] = {}
    for row in rows:
        if row.pair in EQUALS and (row.rounds is None or row.given * row.rounds >= ENOUGH):
            groups.setdefault((row.design, row.test, row.variant, row.measure), []).append(row)
    for (design, test, variant, measure), group in groups.items():
        worst = max(group, key=lambda row: row.rate - ERRORS * row.error)
        rate = percent(worst.rate) + (f" ± {100 * worst.error:.1f}" if worst.error else "")
        beyond = sum(row.rate > LEVEL + ERRORS * row.error + 1e-12 for row in group)
        name = f"`{test}`, {variant}" if variant else f"`{test}`"
        place = in_words({"pair": worst.pair, **worst.cell})
        yield f"| {design} | {name} | {measure} | {rate} | {place} | {beyond} of {len(group)} |\n"


def how(known: Mapping[str, Measured]) -> str:
    about, tests = stored()["about"], stored_tests()["about"]
    rounds = sorted(
        {one.rounds for each in known.values() for cells in each.methods.values() for one in cells.values()}
    )
    seeds = about["seeds"]
    took = sum(one["minutes"] for one in (about, stored()["clustered"]["about"], tests))
    error = [100 * (0.95 * 0.05 / number) ** 0.5 for number in (rounds[-1], rounds[0])]
    intervals = (
        f"Samples are drawn from populations whose truth is known ([how](../how-to/lab.md)), {rounds[0]:,} to "
        f"{rounds[-1]:,} of each cell: few where intervals take long. The Monte Carlo error of a coverage is "
        f"sqrt(coverage * (1 - coverage) / intervals), at 95 % between {error[0]:.1f} % and {error[1]:.1f} %. "
        f"Methods are chosen on seed {seeds['choosing']}, and what is shown here is from seed {seeds['showing']}, "
        f"which took no part in it. "
        f"The whole took {took:,.0f} minutes of processor time, so {took / 2:,.0f} on two cores, with "
        f"{versions(about)}. All of it is in the package "
        "(`howsure.measured`), and `make lab` makes it anew."
    )
    return f"\n## How it was made\n\n{fill(intervals, 120, break_on_hyphens=False)}\n"


def versions(about: Mapping[str, Mapping[str, str]]) -> str:
    proper = {"python": "Python", "numpy": "NumPy", "scipy": "SciPy"}
    *first, last = (f"{proper.get(name, name)} {version}" for name, version in about["versions"].items())
    return f"{', '.join(first)} and {last}"


if __name__ == "__main__":
    (DOCS / "evidence" / "coverage.md").write_text(page(), encoding="utf-8")
    every = [one for many in pictures(read(stored())).values() for _, one in many if one.rows]
    write(every, FOLDER)
