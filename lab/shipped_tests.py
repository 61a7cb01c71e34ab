"""Write what the package ships of the grid of tests: one compact file of rows, in groups of one identity."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from howsure.measured.tests import FILE, LEVEL, TestRow
from howsure.output import whole_file
from lab import clusters, datasets, enumerated, many, pairs, splits
from lab.parts import Part, minutes, versions

PARTS = (*enumerated.PARTS, *pairs.PARTS, *many.PARTS, *clusters.TESTS, *splits.PARTS, *datasets.PARTS)
TARGET = Path(__file__).parents[1] / "src/howsure/measured" / FILE
GROUP = ("test", "variant", "measure", "design", "pair", "rounds", "seed")
FIELDS = frozenset(TestRow.__dataclass_fields__)


def rows(parts: Iterable[Part] = PARTS) -> Iterator[TestRow]:
    """Give what is kept of tests; a setting that two parts have, once, from the first of them."""
    known = set()
    for part in parts:
        for row in part.rows():
            if "test" in row:
                stored = TestRow(**{name: value for name, value in row.items() if name in FIELDS})
                if (key := setting_of(stored)) not in known:
                    known.add(key)
                    yield stored


def setting_of(row: TestRow) -> str:
    """What makes two rows the same setting: all but what came out, and how long was drawn."""
    return json.dumps([*row.identity, row.design, row.pair, row.cell], sort_keys=True)


def grouped(rows: Iterable[TestRow]) -> list[dict[str, Any]]:
    """Put rows of one identity together, in an order that does not depend on that in which they were measured."""
    groups: dict[str, dict[str, Any]] = {}
    for row in sorted(rows, key=_order):
        head: dict[str, Any] = {name: getattr(row, name) for name in GROUP}
        head["factors"] = [name for name, value in row.cell.items() if not isinstance(value, Mapping)]
        head["always"] = {name: value for name, value in row.cell.items() if isinstance(value, Mapping)}
        group = groups.setdefault(json.dumps(head), {**head, "rows": []})
        results = [None if math.isnan(value) else round(value, 5) for value in (row.rate, row.given, row.coverage)]
        group["rows"].append([*(row.cell[name] for name in head["factors"]), *results])
    return list(groups.values())


def _order(row: TestRow) -> tuple[Any, ...]:
    cell = [(name, value if isinstance(value, int | float) else -1, str(value)) for name, value in row.cell.items()]
    return row.design, row.test, row.variant, row.measure, row.pair, str(row.seed), cell


def about(parts: Iterable[Part] = PARTS) -> dict[str, Any]:
    """How the file was made."""
    return {
        "alpha": LEVEL,
        "made_by": "python -m lab --write",
        "error": "sqrt(rate * (1 - rate) / rounds): 0.3 % at 5 % with 4,000 rounds, 1 % with 500",
        "minutes": minutes(parts),
        "versions": versions(),
    }


def write() -> None:
    """Write the file, to the same bytes for the same parts."""
    text = json.dumps({"about": about(), "groups": grouped(rows())}, separators=(",", ":"))
    with whole_file(TARGET) as path:
        Path(path).write_bytes(gzip.compress(text.encode(), mtime=0))
