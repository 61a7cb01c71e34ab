"""Isolate tasks: restore the state of the process, limit threads and time, and end orphaned workers."""

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
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import IO, Any

import joblib
import numpy as np

from howsure.resampling.fit import first_number

# Warnings, random numbers and the environment are global to the process, so only one thread runs a task at a time.
_PROCESS_STATE = threading.RLock()


@contextmanager
def isolated() -> Iterator[list[warnings.WarningMessage]]:
    """Record warnings, keep joblib in this process, and restore its state."""
    with _PROCESS_STATE:
        environment, folder = dict(os.environ), _working_folder()
        numpy_state, python_state = np.random.get_state(), random.getstate()  # noqa: NPY002
        try:
            with (
                joblib.parallel_config(backend="sequential"),
                np.errstate(),
                warnings.catch_warnings(record=True) as caught,
            ):
                # One filter only: scikit-learn passes all filters on to every tree of a forest.
                warnings.resetwarnings()
                warnings.simplefilter("always")
                yield caught
        finally:
            np.random.set_state(numpy_state)  # noqa: NPY002
            random.setstate(python_state)
            if dict(os.environ) != environment:
                os.environ.clear()
                os.environ.update(environment)
            if folder is not None and _working_folder() != folder:
                with suppress(OSError):
                    os.chdir(folder)


def _working_folder() -> str | None:
    """Return the working folder, or None if it was deleted."""
    try:
        return os.getcwd()
    except OSError:
        return None


def seed_random_numbers(seed: tuple[int, ...]) -> None:
    """Seed the global generators, for learners that draw from them."""
    number = first_number(seed)
    np.random.seed(number)  # noqa: NPY002
    random.seed(number)


def one_thread() -> Any:
    """Limit BLAS and OpenMP to one thread, so that sums are reproducible."""
    return _thread_pools(len(sys.modules)).limit(limits=1)


@lru_cache(maxsize=1)
def _thread_pools(modules: int) -> Any:
    """Find threaded libraries; slow, so repeated only after new imports."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def marked(path: str) -> Iterator[IO[str]]:
    """Mark a task as running with a file, which is removed when the task ends."""
    with open(path, "w") as file:
        try:
            yield file
        finally:
            os.unlink(path)


@contextmanager
def time_limit(seconds: float | None, log: IO[str] | None) -> Iterator[None]:
    """End this process when the time is up, and write a traceback to `log`.

    `faulthandler` uses a thread of its own that does not need the GIL, so compiled code is interrupted as well.
    """
    if seconds is None:
        yield
        return
    with open(os.devnull, "w") as nowhere:
        faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere if log is None else log)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


@contextmanager
def ended_if_forked() -> Iterator[None]:
    """End the copy of this process if a learner called `os.fork`."""
    process = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != process:
            os._exit(0)


def is_from_outside(error: BaseException) -> bool:
    """Return whether an error is Ctrl-C or comes from a signal handler."""
    if isinstance(error, KeyboardInterrupt):
        return signal.getsignal(signal.SIGINT) is not signal.SIG_IGN  # workers ignore Ctrl-C
    handlers = {getattr(signal.getsignal(number), "__code__", None) for number in signal.valid_signals()} - {None}
    frames = traceback.walk_tb(error.__traceback__)
    return isinstance(error, SystemExit) and any(frame.f_code in handlers for frame, _ in frames)


@lru_cache(maxsize=1)
def end_with_driver(driver: int) -> None:
    """Make this worker ignore Ctrl-C and exit once its driver has exited."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver ends its workers

    def watch() -> None:
        while os.getppid() == driver:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
