"""Run one or all benchmarks: ``python -m benchmarks [name]``.

The last three runs of each are stored in results.json; ``make docs/evidence/speed.md`` shows the medians.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import benchmarks
from benchmarks.measure import Comparison, machine

RESULTS = Path(__file__).parent / "results.json"
RUNS = 3  # number of stored runs


def main(only: str | None) -> int:
    names = [module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name.startswith("bench_")]
    chosen = [name for name in names if only in (None, name.removeprefix("bench_"))]
    if not chosen:
        print(f"there is no benchmark {only!r}; choose one of {', '.join(n.removeprefix('bench_') for n in names)}")
        return 2
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # new processes have bytecode, as for an installed package
    if only is None:  # in separate processes, so that memory of one does not slow down the next
        return max(
            subprocess.run([sys.executable, "-m", "benchmarks", n.removeprefix("bench_")]).returncode for n in names
        )
    print(machine())
    print(f"{'benchmark':58} {'howsure':>11} {'peer':>11} {'ratio':>9} {'wanted':>8}  peer")
    for name in chosen:
        load = os.getloadavg()[0]  # of the machine, before this benchmark
        rows: list[Comparison] = importlib.import_module(f"benchmarks.{name}").run()
        for row in rows:
            print(row.line(), flush=True)
        # Read again for each benchmark, since another process may have written the file.
        stored = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        runs = stored.get(name.removeprefix("bench_"), [])
        runs.append({"machine": machine(), "load": round(load, 1), "rows": [row.to_dict() for row in rows]})
        stored[name.removeprefix("bench_")] = runs[-RUNS:]
        RESULTS.write_text(json.dumps(stored, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else None))
