"""Write the file with the rejection rates of tests in the package."""

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
    """Yield the stored rows of tests; a setting in two parts is taken from the first."""
    settings = set()
    for part in parts:
        for row in part.rows():
            if "test" in row:
                stored = TestRow(**{name: value for name, value in row.items() if name in FIELDS})
                if (key := setting_of(stored)) not in settings:
                    settings.add(key)
                    yield stored


def setting_of(row: TestRow) -> str:
    """Return a key for the setting of a row, without its results and number of rounds."""
    return json.dumps([*row.identity, row.design, row.pair, row.cell], sort_keys=True)


def grouped(rows: Iterable[TestRow]) -> list[dict[str, Any]]:
    """Group rows with the same header, independently of the order in which they were measured."""
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
    """Return the header of the file."""
    return {
        "alpha": LEVEL,
        "made_by": "python -m lab --write",
        "error": "sqrt(rate * (1 - rate) / rounds): 0.3 % at 5 % with 4,000 rounds, 1 % with 500",
        "minutes": minutes(parts),
        "versions": versions(),
    }


def write() -> None:
    """Write the file; the same parts give the same bytes."""
    text = json.dumps({"about": about(), "groups": grouped(rows())}, separators=(",", ":"))
    with whole_file(TARGET) as path:
        Path(path).write_bytes(gzip.compress(text.encode(), mtime=0))
