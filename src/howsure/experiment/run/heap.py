"""The heap of a worker: what a task has given back stays with the process, and serves the next one.

Large arrays otherwise come from the system anew each time, which clears every page of them and may have to find it
first. Only GNU's C library can be told; elsewhere nothing changes.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # as malloc.h has them
MOST = 2**31 - 1  # bytes that are kept, and of an array that may lie among them


def keep_memory() -> None:
    """Let this process keep the memory that it frees."""
    with suppress(AttributeError, OSError):
        library = ctypes.CDLL(None)
        for threshold in (TRIM_THRESHOLD, MMAP_THRESHOLD):
            library.mallopt(threshold, MOST)


def give_memory_back() -> None:
    """Give what is free back to the system, so that what is used next can be seen to grow."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
