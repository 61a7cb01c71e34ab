"""Cast the nets: ``python -m fuzz files --count 2000``, or ``python -m fuzz full`` for everything, on record."""

from __future__ import annotations

import argparse
import sys

from fuzz.case import Case, opened, run_case, run_net
from fuzz.nets import NETS
from fuzz.record import add_to_record


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("net", choices=[*NETS, "all", "full"], help="a net, all of them, or all with their full counts")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, help="only this case, with what it does")
    parser.add_argument("--count", type=int, help="how many to try; without it, a twentieth of the full count")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, help="stop each net after so long")
    parser.add_argument("--record", action="store_true", help="add the counts to fuzz/record.json")
    options = parser.parse_args()
    if options.case is not None:
        return one(options.net, options.seed, options.case)
    full, failed = options.net == "full", False
    for name in NETS if full or options.net == "all" else [options.net]:
        net = NETS[name]
        count = options.count or (net.full if full else max(1, net.full // 20))
        report = run_net(net, options.seed, count, jobs=options.jobs, seconds=options.seconds)
        print(report.text(), flush=True)
        failed |= bool(report.failures)
        if full or options.record:
            add_to_record(report)
    return int(failed)


def one(name: str, seed: int, number: int) -> int:
    with opened(NETS[name]) as net:
        case = Case(name, seed, number)
        _, failure = run_case(net, case)
        print(*case.steps, sep="\n")
        print("kept" if failure is None else failure.fault)
    return int(failure is not None)


if __name__ == "__main__":
    sys.exit(main())
