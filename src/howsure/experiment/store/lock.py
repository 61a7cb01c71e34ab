"""A lock that the system takes from a process that dies, on POSIX and on Windows alike."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)  # Windows has no such flag, and makes links for administrators only

_held: set[tuple[int, int, int]] = set()  # files whose locks this process has
_one_at_a_time = Lock()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file, which is made where there is none.

    `OSError` says that the file cannot be opened, `BlockingIOError` that the lock is held already. A process has the
    lock for itself: what it forks does not keep it when the process dies.
    """
    with _one_at_a_time:
        # The system grants a process its own lock again, and takes it when any handle of the file is closed.
        with suppress(FileNotFoundError):
            if _identity(os.lstat(path)) in _held:
                raise BlockingIOError(f"this process holds {str(path)!r} already")
        handle = os.open(path, os.O_RDWR | os.O_CREAT | NO_FOLLOW, 0o666)
        try:
            _lock(handle)
        except BaseException:
            os.close(handle)
            raise
        file = _identity(os.fstat(handle))
        _held.add(file)
    try:
        yield
    finally:
        with _one_at_a_time:
            _held.remove(file)
            os.close(handle)  # and with it the lock is gone


def _identity(file: os.stat_result) -> tuple[int, int, int]:
    """A file as this process knows it, and not one forked from it."""
    return os.getpid(), file.st_dev, file.st_ino


def _lock(handle: int) -> None:
    try:
        try:
            import fcntl
        except ImportError:  # Windows
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]  # a byte, which need not be there
        else:  # a record, as `flock` would belong to all that this process forks
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except PermissionError as error:  # as Windows says, and some kinds of POSIX
        raise BlockingIOError(*error.args) from None
