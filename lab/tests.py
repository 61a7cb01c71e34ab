"""Measure tests: how often they reject, on the grid whose results are shipped in src/assay/measured/tests.json.

``python -m lab.tests`` measures all parts and stores them; with names of parts, only these, and ``--list`` names them.
A part gives rows (`assay.measured.tests.TestRow`); those stored before, with the same identity and cell, are replaced.
"""

from __future__ import annotations

import json
import math
import platform
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from assay.measured.tests import LEVEL, TestRow, rows, stored
from lab import datasets, enumerated, splits

FILE = Path(__file__).parents[1] / "src/assay/measured/tests.json"
GROUP = ("test", "variant", "measure", "design", "pair", "rounds", "seed")


def key(row: TestRow) -> str:
    """What makes two rows the same setting: all but what came out, and how long was drawn."""
    facts = (row.test, row.variant, row.measure, row.design, row.pair, sorted(row.cell.items(), key=str))
    return json.dumps(facts, sort_keys=True)


def merged(before: Iterable[TestRow], now: Iterable[TestRow]) -> list[TestRow]:
    """Let new rows take the place of old ones of the same setting."""
    return list({key(row): row for row in (*before, *now)}.values())


def grouped(rows: Iterable[TestRow]) -> list[dict[str, Any]]:
    """Put rows of one identity together, in an order that does not depend on that in which they were measured."""
    groups: dict[str, dict[str, Any]] = {}
    for row in sorted(rows, key=_order):
        head: dict[str, Any] = {name: getattr(row, name) for name in GROUP}
        head["factors"] = [name for name, value in row.cell.items() if not isinstance(value, Mapping)]
        head["always"] = {name: value for name, value in row.cell.items() if isinstance(value, Mapping)}
        group = groups.setdefault(json.dumps(head), {**head, "rows": []})
        coverage = None if math.isnan(row.coverage) else round(row.coverage, 5)
        results = (round(row.rate, 6), round(row.given, 5), coverage)
        group["rows"].append([*(row.cell[name] for name in head["factors"]), *results])
    return list(groups.values())


def _order(row: TestRow) -> tuple[Any, ...]:
    cell = [(name, value if isinstance(value, int | float) else -1, str(value)) for name, value in row.cell.items()]
    return row.design, row.test, row.variant, row.measure, row.pair, str(row.seed), cell


def written(rows: Iterable[TestRow], about: Mapping[str, Any]) -> str:
    """JSON with a line for each row, so that a change can be read."""
    blocks = []
    for group in grouped(rows):
        head = json.dumps({name: value for name, value in group.items() if name != "rows"})[:-1]
        lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in group["rows"])
        blocks.append(f'{head}, "rows": [\n{lines}\n]}}')
    return f'{{"about": {json.dumps(about)},\n"groups": [\n' + ",\n".join(blocks) + "\n]}\n"


def about(minutes: Mapping[str, float]) -> dict[str, Any]:
    """How the file was made; ``minutes`` tells what each part took."""
    versions = {name: version(name) for name in ("numpy", "scipy")}
    return {
        "alpha": LEVEL,
        "made_by": "python -m lab.tests",
        "error": "sqrt(rate * (1 - rate) / rounds), at most 0.5 % with 2,000 rounds and a rate of 5 %",
        "versions": {"python": platform.python_version(), **versions},
        "minutes": {name: round(value, 2) for name, value in sorted(minutes.items())},
    }


PARTS: dict[str, Callable[[], Iterable[TestRow]]] = {
    "enumerated": enumerated.rows,
    "datasets": datasets.rows,
    "splits": splits.rows,  # what `python -m lab splits` measured
}


def main(names: list[str]) -> None:
    """Measure the named parts, or all, and store each as it comes."""
    if names == ["--list"]:
        print("\n".join(PARTS))
        return
    minutes = dict(stored()["about"]["minutes"])
    every = list(rows())
    for name in names or list(PARTS):
        start = time.process_time()
        every = merged(every, PARTS[name]())
        minutes[name] = (time.process_time() - start) / 60
        FILE.write_text(written(every, about(minutes)), "utf-8")
        print(f"{name}: {60 * minutes[name]:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
