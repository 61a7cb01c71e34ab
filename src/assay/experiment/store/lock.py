"""A lock that the system takes from a process that dies, on POSIX and on Windows alike."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)  # Windows has no such flag, and makes links for administrators only


@contextmanager
def locked(path: Path) -> Iterator[int]:
    """Hold the lock of a file, which is made where there is none, and give its handle.

    `OSError` says that the file cannot be opened, `BlockingIOError` that another process holds the lock.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | NO_FOLLOW, 0o666)
    try:
        _lock(handle)
        yield handle
    finally:
        os.close(handle)  # and with it the lock is gone


def _lock(handle: int) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        _lock_first_byte(handle)
    else:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _lock_first_byte(handle: int) -> None:
    """Lock as Windows does: a byte, which need not be there."""
    import msvcrt

    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except PermissionError as error:
        raise BlockingIOError(*error.args) from None
