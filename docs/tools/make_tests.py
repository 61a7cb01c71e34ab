"""Write docs/evidence/tests.md from tests/coverage.json; run by ``make docs/evidence/tests.md``.

``make coverage`` runs the tests, and by ``make_tests.py REPORT`` keeps what coverage.py found in that file.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from howsure import __version__

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "tests" / "coverage.json"
PAGE = ROOT / "docs" / "evidence" / "tests.md"
HEAD = """# What the tests run

Written from `tests/coverage.json` by `make docs/evidence/tests.md`; do not edit. `make coverage` measures it anew.

Of Howsure {version}, the tests run **{lines} of the lines and {branches} of the branches** (coverage.py {coverage},
Python {python}; all tests but those marked `slow`).

Loops that Numba compiles are left out, since no tracer sees them: tests compare them with NumPy, bit for bit. What runs
in other processes (workers, clusters, the command line where a test kills it) is not counted, so that rooms that start
processes show less than is run. Coverage says what is run, not what is checked; for that there are the contracts of
every measure, values of other programs, and [the nets](reliability.md).

| room | lines | run | branches | run |
|---|---:|---:|---:|---:|
"""
COUNTS = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def keep(report: Path) -> None:
    """Add up the files of each room, and keep that."""
    found = json.loads(report.read_text())
    rooms: dict[str, list[int]] = defaultdict(lambda: [0] * len(COUNTS))
    for name, file in found["files"].items():
        _, _, inside = name.replace("\\", "/").rpartition("src/howsure/")
        room = inside.partition("/")[0] if "/" in inside else "(top)"
        rooms[room] = [total + file["summary"][key] for total, key in zip(rooms[room], COUNTS, strict=True)]
    python = ".".join(map(str, sys.version_info[:2]))
    about = {"version": __version__, "coverage": found["meta"]["version"], "python": python}
    KEPT.write_text(json.dumps({"about": about, "rooms": dict(sorted(rooms.items()))}, indent=1) + "\n")


def page() -> str:
    kept = json.loads(KEPT.read_text())
    lines, run, branches, taken = map(sum, zip(*kept["rooms"].values(), strict=True))
    text = HEAD.format(lines=share(run, lines), branches=share(taken, branches), **kept["about"])
    return text + "".join(row(room, counts) for room, counts in kept["rooms"].items())


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""


def row(room: str, counts: list[Any]) -> str:
    lines, run, branches, taken = counts
    return f"| `{room}` | {lines:,} | {share(run, lines)} | {branches:,} | {share(taken, branches)} |\n"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        keep(Path(sys.argv[1]))
    PAGE.write_text(page(), encoding="utf-8")
