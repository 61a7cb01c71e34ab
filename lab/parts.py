"""Parts of the grid, each stored in its own file, so that an interrupted run can be continued."""

from __future__ import annotations

import gzip
import json
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from howsure.output import whole_file

FOLDER = Path(__file__).parent / "results"
Row = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """Rows of the grid by item, such as a measure or a learner.

    ``measure`` is called with the missing items and the settings, and returns the rows of each item. It must be a
    module-level function, so that it can be pickled. If the settings change, the part is run again.
    """

    name: str
    measure: Callable[..., dict[str, list[Row]]]
    items: tuple[str, ...]
    settings: dict[str, Any]

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.json.gz"

    def kept(self) -> dict[str, Any]:
        """Return the stored rows by item, with versions and time."""
        if not self.path.exists():
            return {}
        content = json.loads(gzip.decompress(self.path.read_bytes()))
        is_valid = content["settings"] == json.loads(json.dumps(self.settings))
        return {item: content["items"][item] for item in self.items if is_valid and item in content["items"]}

    def missing(self, again: Sequence[str] = ()) -> list[str]:
        kept = self.kept()
        return [item for item in self.items if item not in kept or item in again]

    def rows(self) -> list[Row]:
        return [row for content in self.kept().values() for row in content["rows"]]

    def keep(self, results: dict[str, Any]) -> None:
        """Add results to the file; the same content gives the same bytes."""
        items = {**self.kept(), **results}
        ordered = {item: items[item] for item in self.items if item in items}
        text = json.dumps({"settings": self.settings, "items": ordered}, indent=0)
        FOLDER.mkdir(exist_ok=True)
        with whole_file(self.path) as path:
            Path(path).write_bytes(gzip.compress(text.encode(), mtime=0))


def run(parts: Iterable[Part], *, jobs: int = 2, again: Sequence[str] = ()) -> None:
    """Run everything that is missing, and the items in ``again``; parts are stored as they finish."""
    todo = [(part, missing) for part in parts if (missing := part.missing(again))]
    for done, (part, results) in enumerate(_results(todo, jobs), start=1):
        part.keep(results)
        seconds = sum(content["about"]["seconds"] for content in results.values())
        print(f"{done} of {len(todo)}: {part.name}, {len(results)} items, {seconds:.0f} s", flush=True)


def _results(todo: list[tuple[Part, list[str]]], jobs: int) -> Iterator[tuple[Part, dict[str, Any]]]:
    """Yield the results of parts as they finish."""
    if jobs == 1:
        yield from ((part, _run_part(part, items)) for part, items in todo)
        return
    with ProcessPoolExecutor(jobs) as pool:
        waiting = {pool.submit(_run_part, part, items): part for part, items in todo}
        yield from ((waiting[future], future.result()) for future in as_completed(waiting))


def _run_part(part: Part, items: list[str]) -> dict[str, Any]:
    start = time.process_time()  # not affected by other processes
    rows_by_item = part.measure(items, **part.settings)
    seconds = round((time.process_time() - start) / len(items), 2)  # items share samples, and so the time
    about = {"seconds": seconds, **versions()}
    return {item: {"about": about, "rows": rows} for item, rows in rows_by_item.items()}


def minutes(parts: Iterable[Part]) -> float:
    """Return the processor time of parts."""
    seconds: float = sum(content["about"]["seconds"] for part in parts for content in part.kept().values())
    return round(seconds / 60, 1)


def versions() -> dict[str, str]:
    """Return the versions on which results depend."""
    return {"python": platform.python_version(), **{name: version(name) for name in ("numpy", "scipy")}}
