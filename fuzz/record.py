"""Counts of the last runs, shown in docs/evidence/reliability.md."""

from __future__ import annotations

import json
import platform
import subprocess
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fuzz.case import Report

RECORD = Path(__file__).with_name("record.json")
LIBRARIES = ("numpy", "scipy", "duckdb", "scikit-learn", "pyarrow")


def read_record() -> dict[str, Any]:
    return dict(json.loads(RECORD.read_text())) if RECORD.exists() else {}


def add_to_record(report: Report) -> None:
    """Add a run to those of the same source code with other seeds; runs of older code are removed."""
    record, source = read_record(), _git("rev-parse", "HEAD:src")
    runs = record.get(report.fuzzer, {})
    runs = runs if runs.get("source") == source else {}
    seeds = runs.get("seeds", {}) | {
        str(report.seed): {
            "cases": report.cases, "failures": len(report.failures), "seconds": round(report.seconds),
        }
    }  # fmt: skip
    record[report.fuzzer] = {
        "title": report.title,
        "source": source,
        "commit": _git("rev-parse", "--short", "HEAD"),
        "date": date.today().isoformat(),
        "versions": {"python": platform.python_version(), **{name: version(name) for name in LIBRARIES}},
        "seeds": seeds,
    }
    RECORD.write_text(json.dumps(record, indent=2) + "\n")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=RECORD.parent, capture_output=True, text=True, check=False)
    return done.stdout.strip()
