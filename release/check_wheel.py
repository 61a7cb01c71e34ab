"""Install the wheel into an empty environment, and test it outside of the repository.

``make dist`` runs it: it uses the library, the command line and a report, and checks the types of the public API with
mypy and pyright.
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
    print(f"{wheel.name} works in an empty environment, and its types are complete.")


def check_types(python: Path, work: Path) -> None:
    """Run both type checkers on code that uses the public API."""
    surface = work / "surface.py"
    surface.write_text((ROOT / "release" / "surface.py").read_text(encoding="utf-8"), encoding="utf-8")
    checkers = Path(sys.executable).parent
    run([checkers / "mypy", "--strict", "--python-executable", python, surface], work)
    if (checkers / "pyright").exists():
        run([checkers / "pyright", "--pythonpath", python, surface], work)


def run(command: list[str | Path], work: Path) -> None:
    """Run a command in a folder outside of this repository."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(list(map(str, command)), cwd=work, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
