"""Write docs/evidence/speed.md from the last runs of the benchmarks; run by ``make docs/evidence/speed.md``."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

from benchmarks.measure import UNITS
from howsure.errors import counted

ROOT = Path(__file__).parents[2]
QUIET = 1.0  # processes that want a core, up to which nobody is much in the way
HEAD = """# Speed

Written from `benchmarks/results.json` by `make docs/evidence/speed.md`; do not edit. `make bench` measures it anew,
`make bench ONLY=scores` one part.

- Peers take turns with us in the same process, as often each, and the order turns from round to round; short works have
  a round before for nothing. What begins anew each time (files, experiments, the start itself) takes turns too.
- Times are by the clock, the best of the rounds of a run, then the median of the runs. Beside them are the median of
  the rounds and the processor time of all cores, to the right. A peer is done in the best way that we know.
- The ratio is the peer's time to ours: below 1 we are slower. The one by the clock is what users wait for, and what is
  promised is of it: the least that `make bench` accepts. The one of processor time suffers less from other work on the
  machine, and says less good of us where we use both cores and the peer one.
- Parts that are not here have not been run by these rules yet; `make bench` runs them.
- "NumPy only" is without the extra `fast`. What a first call compiles has rows of its own.

{machine}{busy}
"""
BUSY = """ {least:.1f} to {most:.1f} processes had wanted its cores in the minute
before a part began: the part before it, or others. As far as these went on, times by the clock are too long, for us and
for peers, limits are to be read beside processor time, and ratios of short works by the clock are worth little."""
TABLE = """
| what | peer | Howsure | peer's | ratio | promised | of CPU | Howsure, median | CPU | peer's, median | CPU |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
"""


def page() -> str:
    known: dict[str, list[dict[str, Any]]] = json.loads((ROOT / "benchmarks/results.json").read_text())
    machines = {run["machine"] for runs in known.values() for run in runs}
    if len(machines) != 1:
        raise RuntimeError(f"the runs are of different machines or versions: {machines}")
    parts = []
    for name, runs in sorted(known.items()):
        rows = zip(*(run["rows"] for run in runs), strict=True)
        parts.append(f"\n## {name.capitalize()}, {counted(len(runs), 'run')}\n{TABLE}" + "".join(map(_line, rows)))
    loads = [run["load"] for runs in known.values() for run in runs]
    busy = BUSY.format(least=min(loads), most=max(loads)) if max(loads) > QUIET else ""
    told = HEAD.format(machine=f"Here: {machines.pop()}.", busy=busy)
    return told + "".join(parts)


def _line(runs: tuple[dict[str, Any], ...]) -> str:
    """Tell of one comparison in several runs."""
    first = runs[0]
    show = UNITS[first["unit"]]

    def median(name: str) -> float:
        return float(statistics.median(run[name] for run in runs))

    def beside(name: str) -> list[str]:
        if name not in first:
            return ["", ""]
        return [
            show(statistics.median(statistics.median(run[name]["wall"]) for run in runs)),
            show(statistics.median(min(run[name]["cpu"]) for run in runs)),
        ]

    ratio, wanted = median("ratio"), first["wanted"]
    of_cpu = _short(statistics.median(map(_of_cpu, runs))) if "our_times" in first else ""
    cells = [first["what"], first["peer_name"], show(median("ours")), show(median("peer")), _short(ratio)]
    cells += [_short(wanted), of_cpu, *beside("our_times"), *beside("peer_times")]
    return f"| {' | '.join(cells)} |\n"


def _of_cpu(run: dict[str, Any]) -> float:
    theirs = min(run["peer_times"]["cpu"]) if "peer_times" in run else run["peer"]
    return float(theirs) / float(min(run["our_times"]["cpu"]))


def _short(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 20 or ratio == round(ratio) else f"{ratio:.2g}" if ratio < 2 else f"{ratio:.1f}"


if __name__ == "__main__":
    (ROOT / "docs/evidence/speed.md").write_text(page())
