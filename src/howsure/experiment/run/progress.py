"""The progress bar of a run, in a terminal or a notebook."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from howsure.errors import one_line
from howsure.present.words import shorten

Advance = Callable[[str, bool, int], None]


@contextmanager
def progress_bar(total: int, wanted: bool) -> Iterator[Advance]:
    """Yield a function to be called after each task with the learner, whether it failed, and the number of splits."""
    stream: Any = sys.stderr
    if type(stream).__module__.startswith("ipykernel."):
        stream = NotebookStream(stream)
    if not wanted or stream is None or not stream.isatty():
        yield lambda learner, failed, splits: None
        return
    import click

    template = "%(label)-24s  [%(bar)s]  %(info)s"
    with click.progressbar(length=total, label="starting", bar_template=template, show_pos=True, file=stream) as bar:
        failures = 0
        bar.item_show_func = lambda _: f"{failures} failed" if failures else None

        def advance(learner: str, failed: bool, splits: int) -> None:
            nonlocal failures
            failures += failed * splits
            bar.label = shorten(one_line(learner), 24)
            bar.update(splits)

        yield advance


class NotebookStream:
    """Standard error of a notebook, treated as a terminal because it handles carriage returns in the same way."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def isatty(self) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
