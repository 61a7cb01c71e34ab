"""Keep a task to itself: its warnings, random numbers, surroundings, threads and time; and end it with its driver."""

from __future__ import annotations

import faulthandler
import os
import random
import signal
import threading
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from typing import IO, Any

import numpy as np

_ALONE = threading.RLock()  # warnings and surroundings belong to the process, so two runs in threads take turns


@contextmanager
def own_process() -> Iterator[list[warnings.WarningMessage]]:
    """Collect all warnings, and restore the working folder, the environment and NumPy's error handling at the end."""
    environment = dict(os.environ)
    with ExitStack() as stack:
        stack.enter_context(_ALONE)
        stack.enter_context(np.errstate())
        with suppress(OSError):  # the working folder may be gone
            stack.callback(_change_folder, os.getcwd())
        caught = stack.enter_context(warnings.catch_warnings(record=True))
        warnings.simplefilter("always")
        try:
            yield caught
        finally:
            if dict(os.environ) != environment:
                os.environ.clear()
                os.environ.update(environment)


def _change_folder(folder: str) -> None:
    with suppress(OSError):
        os.chdir(folder)


@contextmanager
def kept_random_numbers() -> Iterator[None]:
    """Restore the state of the global generators at the end."""
    numpy_state, python_state = np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(numpy_state)  # noqa: NPY002
        random.setstate(python_state)


def seed_random_numbers(seed: tuple[int, ...]) -> None:
    """Seed the global generators, for learners that draw from them."""
    number = int(np.random.SeedSequence(seed).generate_state(1)[0])
    np.random.seed(number)  # noqa: NPY002
    random.seed(number)


@contextmanager
def one_thread(learner: bytes) -> Iterator[None]:
    """Hold the learner to one thread: tasks run side by side, and sums must not depend on how many cores there are."""
    import joblib

    with _thread_pools(hash(learner)).limit(limits=1), joblib.parallel_config(backend="sequential"):
        yield


@lru_cache(maxsize=64)
def _thread_pools(learner: int) -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()  # for each learner, since a step of it may have loaded a library of its own


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
