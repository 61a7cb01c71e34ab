"""What starting costs, in fresh interpreters."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.measure import Comparison, best, peer


def run() -> list[Comparison]:
    def start(code: str) -> float:
        def once() -> None:
            subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)

        once()
        return best(once, 5)

    bare = start("pass")
    sklearn = start("import sklearn.metrics") - bare
    shown = "import sys; sys.argv = ['assay', '--help']; from assay.cli import main; main()"
    return [
        Comparison("import assay", start("import assay") - bare, sklearn, f"import {peer('scikit-learn')} metrics", 4),
        Comparison("assay --help", start(shown) - bare, sklearn, f"import {peer('scikit-learn')} metrics", 4),
    ]
