"""How a time is taken and a comparison told."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from statistics import median
from typing import Any


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

    @property
    def ratio(self) -> float:
        return self.peer / self.ours

    def line(self) -> str:
        show = seconds if self.unit == "s" else megabytes
        times = f"{show(self.ours):>11} {show(self.peer):>11}"
        told = f"{self.what:58} {times} {self.ratio:>8.{2 if self.ratio < 2 else 1}f}x {self.wanted:>7.3g}x"
        return f"{told}  {self.peer_name}{'' if self.ratio >= self.wanted else '   BELOW'}"

    def to_dict(self) -> dict[str, Any]:
        return {**self.__dict__, "ratio": self.ratio}


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
    """Time two works in turn, as often each, after one of each for nothing; the shortest times of the clock decide.

    Best and median, by the clock and by the processors (of this process and of those it started), are kept beside them.
    """
    taken: dict[str, list[tuple[float, float]]] = {"assay": [], "peer": []}
    for number in range(-1, repeats):
        works = [("assay", ours), ("peer", theirs)]
        for name, work in works if number % 2 else works[::-1]:
            start, busy = time.perf_counter(), _processor_time()
            work()
            spent = time.perf_counter() - start, _processor_time() - busy
            taken[name] += [spent] if number >= 0 else []
    times = {}
    for name, spans in taken.items():
        clock, processors = zip(*spans, strict=True)
        times[name] = {
            "best": min(clock),
            "median": median(clock),
            "best_cpu": min(processors),
            "median_cpu": median(processors),
        }
    return Comparison(what, times["assay"]["best"], times["peer"]["best"], peer_name, wanted, figures=times)


def _processor_time() -> float:
    started = os.times()
    return time.process_time() + started.children_user + started.children_system


def peer(*packages: str) -> str:
    return ", ".join(f"{package} {version(package)}" for package in packages)


def machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {peer('numpy')}"
