"""Show the progress of a long scan in a terminal."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

DELAY = 2.0  # seconds before progress is shown
STEP = 0.5  # seconds between updates


def is_watched() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def scan_progress(database: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Show the progress of a query on a line that is removed at the end."""
    if not is_watched():
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=_watch, args=(database, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _watch(database: duckdb.DuckDBPyConnection, done: threading.Event) -> None:
    if done.wait(DELAY):
        return
    shown = False
    with suppress(Exception):  # the database or the terminal may have been closed
        while not done.wait(STEP):
            share = database.query_progress()
            if 0 <= share <= 100:
                print(f"\rreading: {share:3.0f} %", end="", file=sys.stderr, flush=True)
                shown = True
        if shown:
            print("\r" + " " * 16 + "\r", end="", file=sys.stderr, flush=True)
