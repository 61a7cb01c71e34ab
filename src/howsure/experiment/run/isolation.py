"""Keep a task to itself: its warnings, random numbers, surroundings, threads and time; and end it with its driver."""

from __future__ import annotations

import faulthandler
import os
import random
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import lru_cache
from typing import IO, Any, Self

import numpy as np

from howsure.resampling.fit import first_number

_ALONE = threading.RLock()  # warnings and surroundings belong to the process, so two runs in threads take turns


class Series:
    """Tasks that this process does one after the other, each of which finds it as the first did.

    What they need alike is set once, and given back when the series ends. Where the process is ``shared`` with tasks
    in other threads, nothing but the number of the learner's threads is seen to.
    """

    def __init__(self, *, shared: bool = False) -> None:
        self.shared = shared
        self._ends = ExitStack()
        self._held: set[bytes] = set()  # learners whose libraries have one thread
        self._seen: set[tuple[int, bytes]] = set()  # learners, and the data set that each was at

    def __enter__(self) -> Self:
        import joblib

        self._ends.enter_context(joblib.parallel_config(backend="sequential"))
        if not self.shared:
            with _ALONE:
                self._ends.enter_context(_kept_random_numbers())
                self._environment, self._folder = dict(os.environ), _working_folder()
        return self

    def __exit__(self, *_: object) -> None:
        with nullcontext() if self.shared else _ALONE:
            self._ends.close()

    @contextmanager
    def task(self) -> Iterator[list[warnings.WarningMessage]]:
        """Collect the warnings of a task, and restore folder, environment and NumPy's error handling after it."""
        if self.shared:
            yield []
            return
        with _ALONE, np.errstate(), warnings.catch_warnings(record=True) as caught:
            warnings.resetwarnings()  # none would be asked behind the next, and scikit-learn hands each to every tree
            warnings.simplefilter("always")
            try:
                yield caught
            finally:
                self._restore()

    def _restore(self) -> None:
        if dict(os.environ) != self._environment:
            os.environ.clear()
            os.environ.update(self._environment)
        if self._folder is not None and _working_folder() != self._folder:
            with suppress(OSError):
                os.chdir(self._folder)

    def is_first(self, dataset: int, learner: bytes) -> bool:
        """Whether no task before was of this learner on this data set."""
        seen = len(self._seen)
        self._seen.add((dataset, learner))
        return len(self._seen) > seen

    def hold_to_one_thread(self, learner: bytes) -> None:
        """Give a learner one thread: tasks run side by side, and sums must not depend on how many cores there are.

        Libraries are held until the series ends; here it is seen to that no task has let them go.
        """
        pools = thread_pools(hash(learner))
        if any(library.num_threads != 1 for library in pools.lib_controllers):
            limits = pools.limit(limits=1)
            if learner not in self._held:
                self._held.add(learner)
                self._ends.enter_context(limits)


@lru_cache(maxsize=64)
def thread_pools(learner: int) -> Any:
    """Find the libraries that have threads: for each learner, since a step of it may have loaded one of its own."""
    return _pools_beside(len(sys.modules))


@lru_cache(maxsize=1)
def _pools_beside(modules: int) -> Any:
    """Find libraries, which takes long, anew where modules were loaded since."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def alone(*, shared: bool) -> Iterator[Series]:
    """A series of one task, during which no other changes the process, unless it is shared."""
    with nullcontext() if shared else _ALONE, Series(shared=shared) as series:
        yield series


def _working_folder() -> str | None:
    """The working folder; None where it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return None


@contextmanager
def _kept_random_numbers() -> Iterator[None]:
    """Restore the state of the global generators at the end."""
    numpy_state, python_state = np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(numpy_state)  # noqa: NPY002
        random.setstate(python_state)


def seed_random_numbers(seed: tuple[int, ...]) -> None:
    """Seed the global generators, for learners that draw from them."""
    number = first_number(seed)
    np.random.seed(number)  # noqa: NPY002
    random.seed(number)


@contextmanager
def marked(path: str | None) -> Iterator[IO[str] | None]:
    """Mark a task as running by a file, which is removed when the task ends."""
    if path is None:
        yield None
        return
    with open(path, "w") as file:
        try:
            yield file
        finally:
            os.unlink(path)


@contextmanager
def time_limit(seconds: float | None, log: IO[str] | None) -> Iterator[None]:
    """End the process when it takes too long, with the line where it hangs written to ``log``.

    The end comes from a thread below Python, so that it comes also when the learner never gives way.
    """
    if seconds is None:
        yield
        return
    with ExitStack() as stack:
        file = stack.enter_context(open(os.devnull, "w")) if log is None else log
        faulthandler.dump_traceback_later(seconds, exit=True, file=file)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


@contextmanager
def ended_if_forked() -> Iterator[None]:
    """End the copy of this process that a learner's fork has made, before it goes on with our work a second time."""
    process = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != process:
            os._exit(0)


def is_from_outside(error: BaseException) -> bool:
    """Whether an error is not the learner's, but ends the program: Ctrl-C, or raised by a handler of a signal."""
    if isinstance(error, KeyboardInterrupt):
        return True
    handlers = {getattr(signal.getsignal(number), "__code__", None) for number in signal.valid_signals()} - {None}
    frames = traceback.walk_tb(error.__traceback__)
    return isinstance(error, SystemExit) and any(frame.f_code in handlers for frame, _ in frames)


def end_with_driver(driver: int) -> None:
    """End this worker when its driver is gone: nobody would read its results."""
    if driver != os.getpid():
        _watch_driver(driver, os.getpid())


@lru_cache(maxsize=1)
def _watch_driver(driver: int, worker: int) -> None:
    """Begin to watch, once in a process; a forked one remembers what was called before and has none of its threads."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the driver, who ends its workers

    def watch() -> None:
        while os.getppid() == driver:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
