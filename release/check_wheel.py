"""Install the wheel, and nothing else, into an empty environment, and try it from outside the repository.

``make dist`` calls it: library, command line and page are used as on the first day, and the types of the public surface
are checked by mypy and pyright against what was installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> None:
    (wheel,) = (ROOT / "dist").glob("howsure-*.whl")
    with tempfile.TemporaryDirectory() as folder:
        environment, work = Path(folder) / "environment", Path(folder) / "work"
        venv.create(environment, with_pip=True)
        work.mkdir()
        python = environment / "bin" / "python"
        run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel], work)
        run([python, ROOT / "release" / "smoke.py"], work)
        check_types(python, work)
    print(f"{wheel.name} works in an empty environment, and its types are known from outside.")


def check_types(python: Path, work: Path) -> None:
    """Ask both type checkers what a user's editor would."""
    surface = work / "surface.py"
    surface.write_text((ROOT / "release" / "surface.py").read_text(encoding="utf-8"), encoding="utf-8")
    checkers = Path(sys.executable).parent
    run([checkers / "mypy", "--strict", "--python-executable", python, surface], work)
    if (checkers / "pyright").exists():
        run([checkers / "pyright", "--pythonpath", python, surface], work)


def run(command: list[str | Path], work: Path) -> None:
    """Run a command in a folder that knows nothing of this repository."""
    known = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(list(map(str, command)), cwd=work, env=known, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
