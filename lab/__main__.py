"""Measure the full grid, or go on with it: ``python -m lab``, then ``python -m lab --write`` what the package ships."""

from __future__ import annotations

import argparse

from lab.intervals import PARTS as INTERVALS
from lab.parts import run
from lab.shipped import write
from lab.splits import PARTS as SPLITS


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m lab", description=__doc__)
    parser.add_argument("--part", default="", help="only parts whose name has this in it")
    parser.add_argument("--again", action="append", default=[], help="an item, such as a measure, to measure anew")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="measure nothing, and write what the package ships")
    options = parser.parse_args()
    if options.write:
        write()
    else:
        parts = [part for part in (*INTERVALS, *SPLITS) if options.part in part.name]
        run(parts, jobs=options.jobs, again=options.again)


if __name__ == "__main__":
    main()
