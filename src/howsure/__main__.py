"""The program `howsure`, also as ``python -m howsure``: it starts and ends a process that does one thing."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress

from howsure.cli import main

FIRST_OBJECTS = 100_000  # of which a command makes some 70,000 on its way to the first number


def collect_later() -> None:
    """Let the first collection of garbage wait, as all that is made at the start stays; then collect as ever."""
    usual = gc.get_threshold()

    def restore(phase: str, _: object) -> None:
        if phase == "stop":
            gc.callbacks.remove(restore)
            gc.set_threshold(*usual)

    gc.callbacks.append(restore)
    gc.set_threshold(FIRST_OBJECTS, *usual[1:])


class QuickEnd:
    """An end that does all that was asked for at the end, and leaves memory to the system.

    Python would take every module apart, which takes as long as many a command. What is registered first is called
    last; where somebody was there before, such as a tool that measures coverage, the end is as long as ever.
    """

    def __init__(self) -> None:
        self.code: int | None = None
        if getattr(atexit, "_ncallbacks", lambda: 1)() == 0:
            atexit.register(self._end)

    def _end(self) -> None:
        if self.code is None:
            return
        with suppress(OSError, ValueError):  # of which Python tells at the usual end
            for stream in filter(None, (sys.stdout, sys.stderr)):  # there is none where it was closed
                stream.flush()
            os._exit(self.code)


def program() -> None:
    collect_later()
    end = QuickEnd()
    try:
        main(prog_name="howsure")
    except SystemExit as result:
        end.code = result.code if isinstance(result.code, int) else None
        raise


if __name__ == "__main__":
    program()
