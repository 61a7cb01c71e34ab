"""Write the file with the coverage of intervals in the package, from the results of the second seed."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from howsure.lab import Cell
from howsure.measured.intervals import FILE
from howsure.measures import registry
from howsure.measures.spec import read_spec
from howsure.output import whole_file
from lab import clusters
from lab.intervals import CHOOSING, PARTS, SHOWING
from lab.parts import Part, Row, minutes, versions

COLUMNS = ("rounds", "given", "below", "above", "width")
TARGET = Path(__file__).parents[1] / "src/howsure/measured" / FILE


def content(parts: Iterable[Part] = PARTS, seed: int = SHOWING) -> dict[str, Any]:
    """Collect the rows of one seed, as columns by measure and method."""
    cells: dict[str, int] = {}
    measures: dict[str, Any] = {}
    parts = tuple(parts)
    for part in parts:
        for item, kept in part.kept().items():
            for row in kept["rows"]:
                if row["seed"] == seed:
                    cell = cells.setdefault(json.dumps(facts_of(row)), len(cells))
                    _add(measures.setdefault(key_of(item, row), {"truth": {}, "methods": {}}), row, cell)
    for measure in measures.values():  # most measures have one default for any number of classes
        of_many = measure.pop("default_of_many", "")
        if of_many and measure.setdefault("default", of_many) != of_many:
            measure["default_of_many"] = of_many
    about = {
        "made_by": "python -m lab --write",
        "confidence": 0.95,
        "seeds": {"choosing": CHOOSING, "showing": SHOWING},
        "error": "sqrt(coverage * (1 - coverage) / given): 0.3 % at 95 % with 4,000 samples, 0.7 % with 1,000",
        "minutes": minutes(parts),
        "versions": versions(),
    }
    return {"about": about, "cells": [json.loads(text) for text in cells], "measures": measures}


def facts_of(row: Row) -> dict[str, Any]:
    """Return all settings of a cell, including the default ones."""
    return Cell(**{name: row[name] for name in Cell.__dataclass_fields__ if name in row}).to_dict()


def key_of(item: str, row: Row) -> str:
    """Return the name of an estimate; with many classes, measures of one class are macro averages."""
    measure = registry[read_spec(item)[0]]
    averaged = row.get("classes", 2) > 2 and measure.scope in ("class", "score") and measure.row_loss is None
    return f"macro {item}" if averaged else item


def _add(measure: dict[str, Any], row: Row, cell: int) -> None:
    measure["truth"][str(cell)] = row["truth"]
    if row["default"]:
        measure["default" if row.get("classes", 2) == 2 else "default_of_many"] = row["method"]
    columns = measure["methods"].setdefault(row["method"], {name: [] for name in ("cell", *COLUMNS)})
    for name, value in zip(columns, (cell, *(row[name] for name in COLUMNS)), strict=True):
        columns[name].append(value)


def clustered(parts: Iterable[Part] = clusters.PARTS) -> dict[str, Any]:
    """Collect the rows of clustered cases, with the effective sample sizes."""
    parts = tuple(parts)
    collected = content(parts, clusters.SEED)
    numbers = {json.dumps(cell): number for number, cell in enumerate(collected["cells"])}
    for part in parts:
        for item, kept in part.kept().items():
            worth = {str(numbers[json.dumps(facts_of(row))]): row["worth"] for row in kept["rows"]}
            collected["measures"][item].setdefault("worth", {}).update(worth)
    return {**collected, "about": {"seed": clusters.SEED, "minutes": minutes(parts)}}


def write() -> None:
    """Write the file; the same parts give the same bytes."""
    text = json.dumps({**content(), "clustered": clustered()}, separators=(",", ":"))
    with whole_file(TARGET) as path:
        Path(path).write_bytes(gzip.compress(text.encode(), mtime=0))
