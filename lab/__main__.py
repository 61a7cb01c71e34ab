"""Measure the full grid, or go on with it: ``python -m lab``, then ``python -m lab --write`` what the package ships."""

from __future__ import annotations

import argparse

from lab.intervals import PARTS as INTERVALS
from lab.parts import run
from lab.splits import PARTS as SPLITS

GRIDS = {"intervals": INTERVALS, "splits": SPLITS}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m lab", description=__doc__)
    parser.add_argument("grid", nargs="*", choices=[*GRIDS, []], help="one of the grids; all without it")
    parser.add_argument("--part", default="", help="only parts whose name has this in it")
    parser.add_argument("--again", action="append", default=[], help="an item, such as a measure, to measure anew")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    parts = [part for name in options.grid or GRIDS for part in GRIDS[name] if options.part in part.name]
    run(parts, jobs=options.jobs, again=options.again)


if __name__ == "__main__":
    main()
