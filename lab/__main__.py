"""Run the simulation grid of the lab, or continue an interrupted run.

Results are stored part by part in lab/results. `make lab` runs what is missing, writes the files of the package
(--write), and the page docs/evidence/coverage.md.
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
  python -m lab                       run everything that is missing
  python -m lab --part labels-200     run only parts whose name contains this text
  python -m lab --part clusters       clustered cases
  python -m lab --part agreement      agreement of raters
  python -m lab --again recall        run a measure again in every part, and everything that is missing
  python -m lab --write               write the files of the package from the stored results
"""


def main(arguments: list[str] | None = None) -> None:
    options = make_parser().parse_args(arguments)
    parts = [part for part in (*INTERVALS, *CLUSTERS, *AGREEMENT, *TESTS) if options.part in part.name]
    if options.write:
        shipped.write()
        shipped_tests.write()
    elif options.list:
        for part in parts:
            print(f"{part.name}: {len(part.items) - len(part.missing())} of {len(part.items)}")
    else:
        run(parts, jobs=options.jobs, again=options.again)


def make_parser() -> argparse.ArgumentParser:
    time = f"The intervals in the package took {stored()['about']['minutes']:,.0f} minutes of processor time."
    parser = argparse.ArgumentParser(
        prog="python -m lab",
        description=f"{__doc__}{time}",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--part", default="", metavar="TEXT", help="only parts whose name contains this text")
    parser.add_argument(
        "--again", action="append", default=[], metavar="ITEM", help="an item, such as a measure, to run again"
    )
    parser.add_argument("--jobs", type=int, default=2, help="number of processes (default: 2)")
    parser.add_argument("--list", action="store_true", help="run nothing; show how much of each part is stored")
    parser.add_argument("--write", action="store_true", help="run nothing; write the files of the package")
    return parser


if __name__ == "__main__":
    main()
