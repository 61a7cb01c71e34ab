"""Run fuzz tests: ``python -m fuzz files --count 2000``, or ``python -m fuzz full`` for a full, recorded run."""

from __future__ import annotations

import argparse
import sys

from fuzz.case import Case, opened, run_case, run_fuzzer
from fuzz.fuzzers import FUZZERS
from fuzz.record import add_to_record


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("fuzzer", choices=[*FUZZERS, "all", "full"], help="one, all, or all with their full counts")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, help="run only this case, and print its steps")
    parser.add_argument("--count", type=int, help="number of cases (default: 5 %% of the full count)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, help="time limit of each fuzzer")
    parser.add_argument("--record", action="store_true", help="add the counts to fuzz/record.json")
    options = parser.parse_args()
    if options.case is not None:
        return run_single(options.fuzzer, options.seed, options.case)
    full, failed = options.fuzzer == "full", False
    for name in FUZZERS if full or options.fuzzer == "all" else [options.fuzzer]:
        fuzzer = FUZZERS[name]
        count = options.count or (fuzzer.full if full else max(1, fuzzer.full // 20))
        report = run_fuzzer(fuzzer, options.seed, count, jobs=options.jobs, seconds=options.seconds)
        print(report.text(), flush=True)
        failed |= bool(report.failures)
        if full or options.record:
            add_to_record(report)
    return int(failed)


def run_single(name: str, seed: int, number: int) -> int:
    with opened(FUZZERS[name]) as fuzzer:
        case = Case(name, seed, number)
        _, failure = run_case(fuzzer, case)
        print(*case.steps, sep="\n")
        print("passed" if failure is None else failure.fault)
    return int(failure is not None)


if __name__ == "__main__":
    sys.exit(main())
