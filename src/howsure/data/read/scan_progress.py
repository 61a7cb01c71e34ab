"""How far a long scan is, said on a terminal; nothing where nobody looks."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

PATIENCE = 2.0  # seconds until something is said
STEP = 0.5


def is_watched() -> bool:
    """Tell whether somebody looks at a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def scan_progress(database: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Say in one line, which is taken back at the end, how much of the running query is done."""
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
    if done.wait(PATIENCE):
        return
    shown = False
    with suppress(Exception):  # a database that is closed meanwhile, or a terminal that is gone, is no fault
        while not done.wait(STEP):
            share = database.query_progress()
            if 0 <= share <= 100:
                print(f"\rreading: {share:3.0f} %", end="", file=sys.stderr, flush=True)
                shown = True
        if shown:
            print("\r" + " " * 16 + "\r", end="", file=sys.stderr, flush=True)
