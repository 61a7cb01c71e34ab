"""Workers that are forked from this process: they begin with its libraries, data and tasks, and share its memory.

Nothing has to be imported or sent again, so that they are at work within milliseconds. A task travels as its number;
outcomes travel together where they come faster than the driver need look at them. A worker does its tasks one after the
other and shows which it is at, so that of one that dies this task is the suspect.

Only a process of one thread is forked: a lock that another thread holds at that moment would stay locked in the copy.
"""

from __future__ import annotations

import dataclasses
import gc
import mmap
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

from howsure.experiment.run.heap import keep_memory
from howsure.experiment.run.isolation import Series, end_with_driver, thread_pools
from howsure.experiment.run.task import Outcome, Task, TaskInput, perform

FIRST = 16  # of so many tasks of its share a worker begins with one, as nobody knows how long they take
TOGETHER = 0.03  # seconds of work whose outcomes are sent together
AHEAD = 0.2  # seconds of work that a worker has before it, so that it need not wait while the driver writes
LOOK = 1.0  # seconds after which to look for a worker whose end nobody told, as its own children keep the line open
HARMLESS = ("jemalloc_bg_thd",)  # of an allocator that sees to its own locks when the process is forked

Answer = tuple[int, Outcome, float]  # the number of a task, its outcome, and the seconds that it took


class WorkerDied(BrokenExecutor):
    """Workers died over some tasks."""


@dataclass(frozen=True)
class Forking:
    """What must be seen to before this process is forked."""

    prepare: Callable[[], object]  # ends threads of our own

    def is_safe(self) -> bool:
        """Whether this process has no thread but this one."""
        if sys.platform != "linux" or threading.active_count() > 1 or multiprocessing.current_process().daemon:
            return False
        self.prepare()
        try:
            # BLAS ends its threads whenever the process is forked, and begins them anew when it next needs them.
            copy = os.fork()
            if not copy:
                os._exit(0)
            os.waitpid(copy, 0)
            return len([name for name in _thread_names() if name not in HARMLESS]) == 1
        except OSError:  # no more processes, or no /proc to look at
            return False


def _thread_names() -> list[str]:
    names = []
    for thread in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{thread}/comm") as file:
            names.append(file.read().strip())
    return names


class SharedNumber:
    """A number that this process and its copies share, which outlives a copy that is killed."""

    def __init__(self, value: int) -> None:
        self._memory = mmap.mmap(-1, 8)
        self.value = value

    @property
    def value(self) -> int:
        return int.from_bytes(self._memory[:8], sys.byteorder, signed=True)

    @value.setter
    def value(self, value: int) -> None:
        self._memory[:8] = value.to_bytes(8, sys.byteorder, signed=True)


@dataclasses.dataclass(eq=False)
class Worker:
    """A forked process, the line to it, the number of the task that it is at, and those that it has not answered."""

    process: Any
    line: Connection
    at: SharedNumber
    waiting: deque[int] = field(default_factory=deque)

    def give(self, numbers: list[int]) -> bool:
        """Send tasks; say whether the worker was there to get them."""
        try:
            self.line.send(numbers)
        except OSError:
            return False
        self.waiting.extend(numbers)
        return True

    def take_suspect(self) -> list[int]:
        """Take the task over which the worker died from those that wait: the one that it was at, or had before it."""
        if not self.waiting:
            return []
        number = self.at.value if self.at.value in self.waiting else self.waiting[0]
        self.waiting.remove(number)
        return [number]


class Team:
    """Forked workers for a list of tasks, each of which is at work on its first as soon as it is there."""

    def __init__(
        self, jobs: Sequence[TaskInput], data: Sequence[tuple[Any, Any, Any]], size: int, forking: Forking
    ) -> None:
        self.jobs, self.data, self.forking = jobs, data, forking
        self.queue = deque(range(len(jobs)))  # numbers of the tasks that no worker has yet
        self.workers: list[Worker] = []
        try:
            for _ in range(min(size, len(jobs))):
                self._fork()
            for worker in list(self.workers):
                self._supply(worker, max(1, len(jobs) // len(self.workers) // FIRST))
        except BaseException:
            self.close()
            raise

    def _fork(self) -> Worker:
        here, there = multiprocessing.Pipe()
        ours = [worker.line for worker in self.workers] + [here]
        at = SharedNumber(-1)
        context = multiprocessing.get_context("fork")
        process = context.Process(target=self._serve, args=(there, ours, at, os.getpid()))
        process.start()
        there.close()
        worker = Worker(process, here, at)
        self.workers.append(worker)
        return worker

    def _serve(self, line: Connection, others: list[Connection], at: SharedNumber, driver: int) -> None:
        """Do tasks until there are no more, or nobody to do them for."""
        for one_signal in (signal.SIGTERM, signal.SIGHUP):  # what the program does then is not for its workers
            signal.signal(one_signal, signal.SIG_DFL)
        for one in others:
            one.close()
        end_with_driver(driver)
        keep_memory()
        _set_threads_aside()
        gc.freeze()  # what was there before stays shared: a collection would write to every page of it
        gc.enable()  # the copy was made while the driver collects none
        answers: list[Answer] = []
        with Series() as series:
            while (numbers := _received(line)) is not None:
                begun = time.perf_counter()
                for number in numbers:
                    at.value, start = number, time.perf_counter()
                    job = self.jobs[number]
                    outcome = perform(*self.data[job.task.dataset], job, series)
                    for stream in (sys.stdout, sys.stderr):  # of which nothing is written when a worker is killed
                        with suppress(Exception):
                            stream.flush()
                    now = time.perf_counter()
                    answers.append((number, outcome, now - start))
                    if now - begun < TOGETHER and number != numbers[-1]:
                        continue
                    try:
                        line.send(answers)
                    except OSError:
                        return
                    answers, begun = [], now

    def outcomes(self, sent: list[Task]) -> Iterator[Outcome]:
        """Do the tasks and yield each outcome as it comes; those over which workers died are left in ``sent``."""
        suspects: list[int] = []
        seconds, done = 0.0, 0
        while self.workers:
            ahead = 1 if not seconds else max(1, int(AHEAD * done / seconds))
            for worker in list(self.workers):
                self._supply(worker, ahead)
            busy = [worker for worker in self.workers if worker.waiting]
            if not busy and not self.queue:
                break
            ready = wait([worker.line for worker in busy], LOOK)
            for worker in busy:
                if worker.line in ready or not worker.process.is_alive():
                    answers = _answers(worker)
                    if answers is None:
                        suspects += self._bury(worker)
                        continue
                    for number, outcome, taken in answers:
                        worker.waiting.remove(number)
                        seconds, done = seconds + taken, done + 1
                        yield outcome
        self.close()
        if suspects:
            sent[:] = [self.jobs[number].task for number in suspects]
            raise WorkerDied

    def _supply(self, worker: Worker, ahead: int) -> None:
        """Give a worker more to do when it has half done what it had; towards the end, its share of what is left."""
        wanted = min(ahead, -(-len(self.queue) // len(self.workers))) - len(worker.waiting)
        if self.queue and wanted > 0 and 2 * len(worker.waiting) <= ahead:
            numbers = [self.queue.popleft() for _ in range(min(wanted, len(self.queue)))]
            if not worker.give(numbers):
                self.queue.extendleft(reversed(numbers))
                self._bury(worker)

    def _bury(self, worker: Worker) -> list[int]:
        """Put another in the place of a worker that died, and give the task that it was doing."""
        self.workers.remove(worker)
        worker.line.close()
        worker.process.kill()
        worker.process.join()
        suspect = worker.take_suspect()
        self.queue.extendleft(reversed(worker.waiting))
        if self.queue and self.forking.is_safe():
            self._fork()
        return suspect

    def close(self) -> None:
        """Let go of all workers: those at rest end by themselves."""
        for worker in self.workers:
            worker.line.close()
        for worker in self.workers:
            if not worker.waiting:
                worker.process.join(LOOK)
            worker.process.kill()
            worker.process.join()
            worker.process.close()
        self.workers = []


def _set_threads_aside() -> None:
    """Let libraries begin in this copy the threads that they will do without, and give those the lowest priority.

    OpenBLAS, whose threads the fork has ended, begins them when it is told to have one, by us or by scikit-learn, and
    they spin for a tenth of a second.
    """
    pools, before = thread_pools(0), set(os.listdir("/proc/self/task"))
    pools.limit(limits=1)
    for thread in set(os.listdir("/proc/self/task")) - before:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, int(thread), 19)


def _received(line: Connection) -> list[int] | None:
    """The numbers of the next tasks; None where there are no more."""
    try:
        numbers: list[int] = line.recv()
    except (EOFError, OSError):
        return None
    return numbers


def _answers(worker: Worker) -> list[Answer] | None:
    """The next outcomes of a worker; None where there will be none."""
    try:
        answers: list[Answer] | None = worker.line.recv() if worker.line.poll() else None
    except (EOFError, OSError):
        return None
    return answers
