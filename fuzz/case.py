"""A case, a net of them, and the runner: case i of net X with seed s is the same alone as in a run of thousands."""

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

WALL = 8  # a case may take this many times its processor time before it counts as hanging


class Fault(Exception):  # noqa: N818 (what it is called in the records)
    """What a case found: a promise that was not kept."""


class TooLong(BaseException):
    """Raised by the clock, past every ``except Exception`` on the way."""


def demand(holds: object, fault: str) -> None:
    if not holds:
        raise Fault(fault)


class Case:
    """One case: its random numbers, and what it did, for whoever has to repeat it."""

    def __init__(self, net: str, seed: int, number: int) -> None:
        self.name = f"{net} --seed {seed} --case {number}"
        self.number = number
        self.rng = random.Random(f"{net}/{seed}/{number}")  # text is hashed alike in every process
        self.steps: list[str] = []

    def say(self, step: object) -> None:
        self.steps.append(str(step))

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability


class Net(ABC):
    """Cases of one kind. ``full`` is how many a full run has, ``limit`` the seconds of processor time of each."""

    name: str
    title: str
    full: int
    limit: float

    def __init__(self, folder: Path) -> None:
        self.folder = folder  # of this process, and empty at first

    @abstractmethod
    def run(self, case: Case) -> int:
        """Run a case, raise a `Fault` where a promise is broken, and give how many things it tried."""

    def close(self) -> None:  # noqa: B027 (most have nothing to give back)
        """Give back what was opened for all cases."""


@dataclass
class Failure:
    case: str
    fault: str
    steps: list[str]

    @property
    def kind(self) -> str:
        """The fault without its numbers and names, so that a thousand like it are told once."""
        *where, what = self.fault.splitlines()
        plain = re.sub(r"'[^']*'|[0-9.e+-]+", "_", what)[:60]
        return f"{where[:1]} {plain}"


@dataclass
class Report:
    net: str
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
        for some in sorted(kinds.values(), key=len, reverse=True):
            first = some[0]
            lines += [f"{len(some)} x python -m fuzz {first.case}", *(f"    {step}" for step in first.steps)]
            lines += [f"    {line}" for line in first.fault.splitlines()[-6:]]
        rate = self.cases / self.seconds if self.seconds else 0
        lines.append(
            f"{self.net}: seed {self.seed}, {self.cases:,} cases, {len(self.failures)} failures, "
            f"{self.seconds:.0f} s ({rate:.0f} a second)"
        )
        return "\n".join(lines)


def run_case(net: Net, case: Case) -> tuple[int, Failure | None]:
    """Run one case under the clock; whatever comes out of it, but for nothing, is a failure."""
    try:
        with clock(net.limit):
            return net.run(case), None
    except TooLong as late:
        fault = f"took longer than {late}"
    except Fault as broken:
        fault = str(broken)
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


def run_net(net: type[Net], seed: int, count: int, *, jobs: int = 1, seconds: float | None = None) -> Report:
    """Run cases 0, 1, 2... until ``count`` things were tried or the time is up; each job takes every n-th case."""
    start = time.monotonic()
    end = None if seconds is None else start + seconds
    report = Report(net.name, net.title, seed)
    if jobs == 1:
        _work(net, seed, range(10**9), count, end, report)
    else:
        context = multiprocessing.get_context("fork")
        results = context.SimpleQueue()
        at = [context.Value("q", -1) for _ in range(jobs)]
        workers = [
            context.Process(target=_job, args=(net, seed, job, jobs, -(-count // jobs), end, results, at[job]))
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
        for worker, number in zip(workers, at, strict=True):
            worker.join()
            if worker.exitcode:
                case = f"{net.name} --seed {seed} --case {number.value}"
                report.failures.append(Failure(case, f"the process ended with code {worker.exitcode}", []))
    report.seconds = time.monotonic() - start
    return report


def _job(net: type[Net], seed: int, job: int, jobs: int, count: int, end: Any, results: Any, at: Any) -> None:
    report = Report(net.name, net.title, seed)
    _work(net, seed, range(job, 10**9, jobs), count, end, report, at)
    report.failures = report.failures[:200]
    results.put(report)
    os._exit(0)  # or Python would wait minutes for the idle workers of joblib


def _work(
    net: type[Net], seed: int, numbers: range, count: int, end: float | None, report: Report, at: Any = None
) -> None:
    with opened(net) as ready:
        for number in numbers:
            if report.cases >= count or (end is not None and time.monotonic() > end):
                return
            if at is not None:
                at.value = number
            tried, failure = run_case(ready, Case(net.name, seed, number))
            report.cases += tried
            if failure is not None:
                report.failures.append(failure)


@contextmanager
def opened(net: type[Net]) -> Iterator[Net]:
    folder = Path(tempfile.mkdtemp(prefix=f"howsure-fuzz-{net.name}-"))
    ready = net(folder)
    try:
        yield ready
    finally:
        ready.close()
        shutil.rmtree(folder, ignore_errors=True)
