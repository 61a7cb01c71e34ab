"""Cases, fuzzers, and the runner. A case is determined by the fuzzer, the seed and its number, in any run."""

from __future__ import annotations

import multiprocessing
import os
import random
import re
import shutil
import signal
import tempfile
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WALL = 8  # a case hangs if it takes this many times its limit of processor time


class Fault(Exception):  # noqa: N818 (the name in the records)
    """A failed check of a case."""


class TooLong(BaseException):
    """The time limit of a case was exceeded; not caught by ``except Exception``."""


def demand(holds: object, fault: str) -> None:
    if not holds:
        raise Fault(fault)


class Case:
    """A case with its random numbers and the steps that it took."""

    def __init__(self, fuzzer: str, seed: int, number: int) -> None:
        self.name = f"{fuzzer} --seed {seed} --case {number}"
        self.number = number
        self.rng = random.Random(f"{fuzzer}/{seed}/{number}")  # the same in every process
        self.steps: list[str] = []

    def say(self, step: object) -> None:
        self.steps.append(str(step))

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability


class Fuzzer(ABC):
    """A fuzz test."""

    name: str
    title: str
    full: int  # number of cases of a full run
    limit: float  # seconds of processor time of a case

    def __init__(self, folder: Path) -> None:
        self.folder = folder  # temporary folder of this process

    @abstractmethod
    def run(self, case: Case) -> int:
        """Run a case and return the number of checks; raise `Fault` if one fails."""

    def close(self) -> None:  # noqa: B027 (most have nothing to release)
        """Release resources that are shared by all cases."""


@dataclass
class Failure:
    case: str
    fault: str
    steps: list[str]

    @property
    def kind(self) -> str:
        """The fault without numbers and names, by which failures are grouped."""
        *where, what = self.fault.splitlines()
        plain = re.sub(r"'[^']*'|[0-9.e+-]+", "_", what)[:60]
        return f"{where[:1]} {plain}"


@dataclass
class Report:
    fuzzer: str
    title: str
    seed: int
    cases: int = 0
    failures: list[Failure] = field(default_factory=list)
    seconds: float = 0.0

    def text(self) -> str:
        kinds: dict[str, list[Failure]] = {}
        for failure in self.failures:
            kinds.setdefault(failure.kind, []).append(failure)
        lines = []
        for failures in sorted(kinds.values(), key=len, reverse=True):
            first = failures[0]
            lines += [f"{len(failures)} x python -m fuzz {first.case}", *(f"    {step}" for step in first.steps)]
            lines += [f"    {line}" for line in first.fault.splitlines()[-6:]]
        rate = self.cases / self.seconds if self.seconds else 0
        lines.append(
            f"{self.fuzzer}: seed {self.seed}, {self.cases:,} cases, {len(self.failures)} failures, "
            f"{self.seconds:.0f} s ({rate:.0f} a second)"
        )
        return "\n".join(lines)


def run_case(fuzzer: Fuzzer, case: Case) -> tuple[int, Failure | None]:
    """Run a case with its time limit; any exception is a failure."""
    try:
        with clock(fuzzer.limit):
            return fuzzer.run(case), None
    except TooLong as late:
        fault = f"took longer than {late}"
    except Fault as failed:
        fault = str(failed)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        where = next((frame for frame in reversed(frames) if "howsure" in frame.filename), frames[-1])
        fault = f"{Path(where.filename).name}:{where.lineno} in {where.name}\n{type(error).__name__}: {error}"
    return 1, Failure(case.name, fault, case.steps)


@contextmanager
def clock(limit: float) -> Iterator[None]:
    def ring(number: int, _: Any) -> None:
        raise TooLong(f"{limit:g} s of processor time" if number == signal.SIGPROF else f"{WALL * limit:g} s")

    clocks = ((signal.ITIMER_PROF, signal.SIGPROF, limit), (signal.ITIMER_REAL, signal.SIGALRM, WALL * limit))
    before = [signal.signal(number, ring) for _, number, _ in clocks]
    try:
        for timer, _, seconds in clocks:
            signal.setitimer(timer, seconds)
        yield
    finally:
        for (timer, number, _), handler in zip(clocks, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


def run_fuzzer(fuzzer: type[Fuzzer], seed: int, count: int, *, jobs: int = 1, seconds: float | None = None) -> Report:
    """Run cases 0, 1, 2... until ``count`` checks are done or the time is up; each job takes every n-th case."""
    start = time.monotonic()
    end = None if seconds is None else start + seconds
    report = Report(fuzzer.name, fuzzer.title, seed)
    if jobs == 1:
        _work(fuzzer, seed, range(10**9), count, end, report)
    else:
        context = multiprocessing.get_context("fork")
        results = context.SimpleQueue()
        current = [context.Value("q", -1) for _ in range(jobs)]
        workers = [
            context.Process(target=_job, args=(fuzzer, seed, job, jobs, -(-count // jobs), end, results, current[job]))
            for job in range(jobs)
        ]
        for worker in workers:
            worker.start()
        while any(worker.is_alive() for worker in workers) or not results.empty():
            if results.empty():
                time.sleep(0.05)
                continue
            part = results.get()
            report.cases += part.cases
            report.failures += part.failures
        for worker, number in zip(workers, current, strict=True):
            worker.join()
            if worker.exitcode:
                case = f"{fuzzer.name} --seed {seed} --case {number.value}"
                report.failures.append(Failure(case, f"the process ended with code {worker.exitcode}", []))
    report.seconds = time.monotonic() - start
    return report


def _job(
    fuzzer: type[Fuzzer], seed: int, job: int, jobs: int, count: int, end: Any, results: Any, current: Any
) -> None:
    report = Report(fuzzer.name, fuzzer.title, seed)
    _work(fuzzer, seed, range(job, 10**9, jobs), count, end, report, current)
    report.failures = report.failures[:200]
    results.put(report)
    os._exit(0)  # otherwise Python waits for the idle workers of joblib


def _work(
    fuzzer: type[Fuzzer], seed: int, numbers: range, count: int, end: float | None, report: Report, current: Any = None
) -> None:
    with opened(fuzzer) as instance:
        for number in numbers:
            if report.cases >= count or (end is not None and time.monotonic() > end):
                return
            if current is not None:
                current.value = number
            checks, failure = run_case(instance, Case(fuzzer.name, seed, number))
            report.cases += checks
            if failure is not None:
                report.failures.append(failure)


@contextmanager
def opened(fuzzer: type[Fuzzer]) -> Iterator[Fuzzer]:
    folder = Path(tempfile.mkdtemp(prefix=f"howsure-fuzz-{fuzzer.name}-"))
    instance = fuzzer(folder)
    try:
        yield instance
    finally:
        instance.close()
        shutil.rmtree(folder, ignore_errors=True)
