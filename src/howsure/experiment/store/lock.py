"""A file lock that the system releases when its process dies, on POSIX and on Windows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)  # Windows has no such flag, and lets only administrators create links


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file; raise `BlockingIOError` if it is held."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | NO_FOLLOW, 0o666)
    try:
        _lock(handle)
        yield
    finally:
        os.close(handle)  # this releases the lock


def _lock(handle: int) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except PermissionError as error:
            raise BlockingIOError(*error.args) from None
    else:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
