"""Run all benchmarks, or the one named: ``python -m benchmarks [name]``.

The last three runs of each are kept in results.json, of which ``make docs/evidence/speed.md`` tells the medians.
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
RUNS = 3  # that are kept


def main(only: str | None) -> int:
    names = [module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name.startswith("bench_")]
    wanted = [name for name in names if only in (None, name.removeprefix("bench_"))]
    if not wanted:
        print(f"there is no benchmark {only!r}; there are {', '.join(n.removeprefix('bench_') for n in names)}")
        return 2
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # what starts anew has its bytecode, as an installed package has
    if only is None:  # each in a process of its own, so that what one leaves in memory does not slow the next
        return max(
            subprocess.run([sys.executable, "-m", "benchmarks", n.removeprefix("bench_")]).returncode for n in names
        )
    print(machine())
    print(f"{'benchmark':58} {'howsure':>11} {'peer':>11} {'ratio':>9} {'wanted':>8}  peer")
    for name in wanted:
        load = os.getloadavg()[0]  # of this machine, before we add to it
        rows: list[Comparison] = importlib.import_module(f"benchmarks.{name}").run()
        for row in rows:
            print(row.line(), flush=True)
        known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}  # another one may have ended meanwhile
        runs = known.get(name.removeprefix("bench_"), [])
        runs.append({"machine": machine(), "load": round(load, 1), "rows": [row.to_dict() for row in rows]})
        known[name.removeprefix("bench_")] = runs[-RUNS:]
        RESULTS.write_text(json.dumps(known, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else None))
