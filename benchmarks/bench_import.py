"""Start-up times in new interpreters."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.measure import Comparison, peer, rounds_of

COMMAND = "import sys; sys.argv = ['howsure', *sys.argv[1:]]; from howsure.cli import main; main(prog_name='howsure')"
ASSESS, LIMIT = "howsure assess, of a small file", 0.3  # seconds
ROUNDS = 10
LINES = ["y,p", *["a,a", "b,a", "b,b", "a,a"] * 25]


def run() -> list[Comparison]:
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder, "small.csv")
        small.write_text("\n".join(LINES))

        def start(code: str, *arguments: str) -> None:
            command = [sys.executable, "-c", code, *arguments]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

        assess = ("assess", str(small), "--truth", "y", "--predicted", "p")
        works = {
            "import howsure": (partial(start, "import howsure"), 4),
            "howsure --help": (partial(start, COMMAND, "--help"), 4),
            ASSESS: (partial(start, COMMAND, *assess), 1),
        }
        peers = {
            f"import {peer('scikit-learn')} metrics": partial(start, "import sklearn.metrics"),
            f"import {peer('numpy', 'duckdb', 'click')}": partial(start, "import numpy, duckdb, click"),
        }
        times = rounds_of({**{what: work for what, (work, _) in works.items()}, **peers}, ROUNDS)
        sklearn, parts = peers
        rows = [Comparison.of(what, times[what], times[sklearn], sklearn, least) for what, (_, least) in works.items()]
        rows.append(Comparison.of(ASSESS, times[ASSESS], times[parts], parts, 0.6))
        return [*rows, Comparison.of(ASSESS, times[ASSESS], LIMIT, f"limit {LIMIT:g} s", 1)]
