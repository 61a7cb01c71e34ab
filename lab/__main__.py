"""Measure the grid of the lab, or go on with it.

What is measured is kept part by part in lab/results, so that a run that was stopped goes on where it was. `make lab`
does all of it: the measuring, --write, and the page docs/evidence/coverage.md.
"""

from __future__ import annotations

import argparse

from howsure.measured.intervals import stored
from lab import shipped, shipped_tests
from lab.agreement import PARTS as AGREEMENT
from lab.clusters import PARTS as CLUSTERS
from lab.intervals import PARTS as INTERVALS
from lab.parts import run
from lab.shipped_tests import PARTS as TESTS

EXAMPLES = """examples:
  python -m lab                       all that is missing
  python -m lab --part labels-200     only parts whose name has this in it
  python -m lab --part clusters       cases that come in clusters
  python -m lab --part agreement      the agreement of raters
  python -m lab --again recall        a measure anew, in every part that has it, and what is missing
  python -m lab --write               what the package ships, from what is there
"""


def main(arguments: list[str] | None = None) -> None:
    options = parser().parse_args(arguments)
    parts = [part for part in (*INTERVALS, *CLUSTERS, *AGREEMENT, *TESTS) if options.part in part.name]
    if options.write:
        shipped.write()
        shipped_tests.write()
    elif options.list:
        for part in parts:
            print(f"{part.name}: {len(part.items) - len(part.missing())} of {len(part.items)}")
    else:
        run(parts, jobs=options.jobs, again=options.again)


def parser() -> argparse.ArgumentParser:
    took = f"What the package ships of intervals took {stored()['about']['minutes']:,.0f} minutes of processor time."
    made = argparse.ArgumentParser(
        prog="python -m lab",
        description=f"{__doc__}{took}",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--part", default="", metavar="TEXT", help="only parts whose name has this in it")
    made.add_argument(
        "--again", action="append", default=[], metavar="ITEM", help="an item, such as a measure, to measure anew"
    )
    made.add_argument("--jobs", type=int, default=2, help="processes, 2 unless told otherwise")
    made.add_argument("--list", action="store_true", help="measure nothing, and say how much of each part is there")
    made.add_argument("--write", action="store_true", help="measure nothing, and write what the package ships")
    return made


if __name__ == "__main__":
    main()
