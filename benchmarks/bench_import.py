"""What starting costs, in fresh interpreters."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.measure import Comparison, compare, peer

COMMAND = "import sys; sys.argv = ['assay', *sys.argv[1:]]; from assay.__main__ import program; program()"
LINES = ["y,p", *["a,a", "b,a", "b,b", "a,a"] * 25]


def run() -> list[Comparison]:
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder, "small.csv")
        small.write_text("\n".join(LINES))

        def start(code: str, *arguments: str) -> None:
            command = [sys.executable, "-c", code, *arguments]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

        sklearn = partial(start, "import sklearn.metrics")
        name = f"import {peer('scikit-learn')} metrics"
        assess = ("assess", str(small), "--truth", "y", "--predicted", "p")
        return [
            compare("import assay", partial(start, "import assay"), sklearn, name, 4),
            compare("assay --help", partial(start, COMMAND, "--help"), sklearn, name, 4),
            compare("assay assess, of a small file", partial(start, COMMAND, *assess), sklearn, name, 1),
        ]
