"""A progress bar, on a terminal or in a notebook only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[str, bool, int], None]


@contextmanager
def progress_bar(total: int, done: int, wanted: bool) -> Iterator[Advance]:
    """Yield a function to call after each task."""
    if wanted:
        from rich.console import Console

        console = Console(stderr=True)
        wanted = console.is_terminal or console.is_jupyter
    if not wanted:
        yield lambda learner, failed, splits: None
        return
    from rich import progress
    from rich.markup import escape

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[failures]}"),
        progress.TimeElapsedColumn(),
        progress.TextColumn("left"),
        progress.TimeRemainingColumn(),
    )
    failures = 0
    with progress.Progress(*columns, console=console) as bar:
        line = bar.add_task("starting", total=total, completed=done, failures="")

        def advance(learner: str, failed: bool, splits: int) -> None:
            nonlocal failures
            failures += failed * splits
            failed_text = f"[red]{failures} failed" if failures else ""
            bar.update(line, advance=splits, description=escape(learner[:24]), failures=failed_text)

        yield advance
