"""Measurement of times, and comparison with peers."""

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
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any


@dataclass(frozen=True)
class Times:
    """Wall-clock and processor times of several rounds, in seconds."""

    wall: tuple[float, ...]
    cpu: tuple[float, ...]

    @property
    def best(self) -> float:
        return min(self.wall)

    def scaled(self, factor: float) -> Times:
        """Return the times multiplied by a factor."""
        return Times(tuple(time * factor for time in self.wall), tuple(time * factor for time in self.cpu))

    def line(self) -> str:
        best, median, cpu = map(seconds, (self.best, statistics.median(self.wall), min(self.cpu)))
        return f"best {best}, median {median}, CPU {cpu} of {len(self.wall)}"


@dataclass(frozen=True)
class Comparison:
    """Times of Howsure and of a peer for the same task, measured in turns.

    The shortest wall-clock times are compared, since they are least affected by other processes.
    """

    what: str
    ours: float
    peer: float
    peer_name: str
    wanted: float  # the ratio that is promised
    unit: str = "s"  # or another key of UNITS; lower values are better
    our_times: Times | None = None
    peer_times: Times | None = None

    @classmethod
    def of(cls, what: str, ours: Times, theirs: Times | float, peer_name: str, wanted: float) -> Comparison:
        """Compare the best of several rounds with those of a peer, or with a limit."""
        if isinstance(theirs, Times):
            return cls(what, ours.best, theirs.best, peer_name, wanted, our_times=ours, peer_times=theirs)
        return cls(what, ours.best, theirs, peer_name, wanted, our_times=ours)

    @property
    def ratio(self) -> float:
        return self.peer / self.ours

    def line(self) -> str:
        show = UNITS[self.unit]
        times = f"{show(self.ours):>11} {show(self.peer):>11}"
        line = f"{self.what:58} {times} {self.ratio:>8.{2 if self.ratio < 2 else 1}f}x {self.wanted:>7.3g}x"
        line = f"{line}  {self.peer_name}{'' if self.ratio >= self.wanted else '   BELOW'}"
        of_each = {"howsure": self.our_times, "peer": self.peer_times}
        return "\n".join([line, *(f"  {name}: {times.line()}" for name, times in of_each.items() if times is not None)])

    def to_dict(self) -> dict[str, Any]:
        values = {name: value for name, value in asdict(self).items() if value is not None}
        return {**values, "ratio": self.ratio}


def seconds(value: float) -> str:
    if value >= 1:
        return f"{value:.2f} s"
    if value >= 1e-3:
        return f"{value * 1e3:.2f} ms"
    return f"{value * 1e6:.0f} us" if value >= 1e-6 else f"{value * 1e9:.0f} ns"


def megabytes(value: float) -> str:
    return f"{value / 1e6:.0f} MB"


def multiple(value: float) -> str:
    return f"{value:.2f} times"


UNITS = {"s": seconds, "B": megabytes, "times": multiple}  # how values are shown


def compare(
    what: str,
    ours: Callable[[], object],
    theirs: Callable[[], object],
    peer_name: str,
    wanted: float,
    repeats: int = 5,
    *,
    warm: bool = True,
) -> Comparison:
    """Time two tasks in turns."""
    times = rounds_of({"howsure": ours, "peer": theirs}, repeats, warm=warm)
    return Comparison.of(what, times["howsure"], times["peer"], peer_name, wanted)


def within(what: str, work: Callable[[], object], limit: float, repeats: int = 5) -> Comparison:
    """Time a task with a promised limit in seconds."""
    return Comparison.of(what, rounds_of({"howsure": work}, repeats)["howsure"], limit, f"limit {seconds(limit)}", 1)


def _processor_time() -> float:
    """Return the processor time of this process and its children."""
    started = os.times()
    return time.process_time() + started.children_user + started.children_system


def rounds_of(works: Mapping[str, Callable[[], object]], rounds: int, *, warm: bool = True) -> dict[str, Times]:
    """Time several tasks in turns; the order is reversed in every other round.

    A first round is not measured, unless tasks are so long that they need not be ``warm``.
    """
    wall: dict[str, list[float]] = {name: [] for name in works}
    cpu: dict[str, list[float]] = {name: [] for name in works}
    for number in range(0 if warm else 1, rounds + 1):
        for name in (list(works), list(works)[::-1])[number % 2]:
            start, busy = time.perf_counter(), _processor_time()
            works[name]()
            if number:
                wall[name].append(time.perf_counter() - start)
                cpu[name].append(_processor_time() - busy)
    return {name: Times(tuple(wall[name]), tuple(cpu[name])) for name in works}


@contextmanager
def compiled_or_not(on: bool) -> Iterator[None]:
    """Switch the compiled kernels on or off."""
    from howsure.kernels import ranking

    before = os.environ.get("HOWSURE_FAST")
    os.environ["HOWSURE_FAST"] = "1" if on else "0"
    ranking.compiled.cache_clear()
    try:
        yield
    finally:
        if before is None:
            del os.environ["HOWSURE_FAST"]
        else:
            os.environ["HOWSURE_FAST"] = before
        ranking.compiled.cache_clear()


def first_call(what: str, code: str, limits: Mapping[str, float]) -> list[Comparison]:
    """Time the second part of ``code`` in new processes, before and after compilation."""
    setup, call = code.split("\n---\n")
    timed = f"import time\n{setup}\nstart = time.perf_counter()\n{call}\nprint(time.perf_counter() - start)"
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        for state, limit in limits.items():
            command = [sys.executable, "-c", timed]
            output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
            rows.append(Comparison(f"{what}, {state}", float(output), limit, f"limit {limit:g} s", 1))
    return rows


def peer(*packages: str) -> str:
    return ", ".join(f"{package} {version(package)}" for package in packages)


def machine() -> str:
    cores = f"{os.cpu_count()} cores, as many threads for all"
    return f"{platform.machine()}, {cores}, Python {platform.python_version()}, {peer('numpy')}"
