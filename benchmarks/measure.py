"""How a time is taken and a comparison told."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any


@dataclass(frozen=True)
class Times:
    """Seconds of several rounds of one work, by the clock and of all cores together."""

    wall: tuple[float, ...]
    cpu: tuple[float, ...]

    @property
    def best(self) -> float:
        return min(self.wall)

    def line(self) -> str:
        told = (seconds(time) for time in (self.best, statistics.median(self.wall), min(self.cpu)))
        return "best {}, median {}, CPU {}".format(*told) + f" of {len(self.wall)}"


@dataclass(frozen=True)
class Comparison:
    """Two ways to one result, timed in turn in the same process; ``wanted`` is the ratio we promise."""

    what: str
    ours: float
    peer: float
    peer_name: str
    wanted: float
    figures: dict[str, Any] = field(default_factory=dict)  # what else was measured, for the stored results
    unit: str = "s"  # or "B", where less memory is better
    our_times: Times | None = None
    peer_times: Times | None = None

    @classmethod
    def of(cls, what: str, ours: Times, theirs: Times | float, peer_name: str, wanted: float) -> Comparison:
        """Compare the best of several rounds; what is no measured time of a peer is a limit."""
        if isinstance(theirs, Times):
            return cls(what, ours.best, theirs.best, peer_name, wanted, our_times=ours, peer_times=theirs)
        return cls(what, ours.best, theirs, peer_name, wanted, our_times=ours)

    @property
    def ratio(self) -> float:
        return self.peer / self.ours

    def line(self) -> str:
        show = seconds if self.unit == "s" else megabytes
        times = f"{show(self.ours):>11} {show(self.peer):>11}"
        told = f"{self.what:58} {times} {self.ratio:>8.{2 if self.ratio < 2 else 1}f}x {self.wanted:>7.3g}x"
        told = f"{told}  {self.peer_name}{'' if self.ratio >= self.wanted else '   BELOW'}"
        of_each = {"assay": self.our_times, "peer": self.peer_times}
        return "\n".join([told, *(f"  {name}: {times.line()}" for name, times in of_each.items() if times is not None)])

    def to_dict(self) -> dict[str, Any]:
        known = {name: value for name, value in asdict(self).items() if value is not None}
        return {**known, "ratio": self.ratio}


def seconds(value: float) -> str:
    if value >= 1:
        return f"{value:.2f} s"
    return f"{value * 1e3:.2f} ms" if value >= 1e-3 else f"{value * 1e6:.0f} us"


def megabytes(value: float) -> str:
    return f"{value / 1e6:.0f} MB"


def best(work: Callable[[], object], repeats: int = 3) -> float:
    """Give the shortest of several times: the one with the least of other people's work in it."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def in_turn(ours: Callable[[], object], theirs: Callable[[], object], rounds: int = 2) -> tuple[float, float]:
    """Give the mean times of two works done in turn, ours first and theirs first alternately.

    For works of many seconds: a machine whose speed drifts slows both alike.
    """
    spent = {ours: 0.0, theirs: 0.0}
    for number in range(rounds):
        for work in (ours, theirs) if number % 2 == 0 else (theirs, ours):
            start = time.perf_counter()
            work()
            spent[work] += time.perf_counter() - start
    return spent[ours] / rounds, spent[theirs] / rounds


def compare(
    what: str,
    ours: Callable[[], object],
    theirs: Callable[[], object],
    peer_name: str,
    wanted: float,
    repeats: int = 5,
) -> Comparison:
    """Time two works in turn, as often each; the shortest times of the clock decide."""
    times = rounds_of({"assay": ours, "peer": theirs}, repeats)
    return Comparison.of(what, times["assay"], times["peer"], peer_name, wanted)


def _processor_time() -> float:
    """Of this process, and of those it started."""
    started = os.times()
    return time.process_time() + started.children_user + started.children_system


def rounds_of(works: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, Times]:
    """Time several works the same number of times, one after the other in every round, after a first one for nothing.

    The order turns from round to round, so that no work always follows the same one.
    """
    wall: dict[str, list[float]] = {name: [] for name in works}
    cpu: dict[str, list[float]] = {name: [] for name in works}
    for number in range(rounds + 1):
        for name in (list(works), list(works)[::-1])[number % 2]:
            start, busy = time.perf_counter(), _processor_time()
            works[name]()
            if number:
                wall[name].append(time.perf_counter() - start)
                cpu[name].append(_processor_time() - busy)
    return {name: Times(tuple(wall[name]), tuple(cpu[name])) for name in works}


@contextmanager
def compiled_or_not(on: bool) -> Iterator[None]:
    """Let the kernels be compiled ones, or NumPy alone."""
    from assay.kernels import ranking

    before = os.environ.get("ASSAY_FAST")
    os.environ["ASSAY_FAST"] = "1" if on else "0"
    ranking.compiled.cache_clear()
    try:
        yield
    finally:
        if before is None:
            del os.environ["ASSAY_FAST"]
        else:
            os.environ["ASSAY_FAST"] = before
        ranking.compiled.cache_clear()


def first_call(code: str) -> tuple[float, float, float]:
    """Seconds that a call takes in a new process: with nothing compiled, with all of it kept, and once more."""
    timed = (
        "import time\n{}\nstart = time.perf_counter()\n{}\nfirst = time.perf_counter() - start\n"
        "start = time.perf_counter()\n{}\nprint(first, time.perf_counter() - start)"
    )
    setup, call = code.split("\n---\n")
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        told = [
            subprocess.run(
                [sys.executable, "-c", timed.format(setup, call, call)],
                check=True, capture_output=True, text=True, env=environment,
            ).stdout.split()
            for _ in range(2)
        ]  # fmt: skip
    return float(told[0][0]), float(told[1][0]), float(told[1][1])


def peer(*packages: str) -> str:
    return ", ".join(f"{package} {version(package)}" for package in packages)


def machine() -> str:
    cores = f"{os.cpu_count()} cores, as many threads"
    return f"{platform.machine()}, {cores}, Python {platform.python_version()}, {peer('numpy')}"
