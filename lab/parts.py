"""Parts of the grid: each is measured on its own and kept in a file, so that a run goes on where it was stopped."""

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
    """Some rows of the grid, by item: a measure, say, or a learner.

    ``measure`` is called with the items that are missing and the settings, and gives the rows of each item; it stands
    at the top of a module, so that another process can call it. A part whose settings changed is measured anew.
    """

    name: str
    measure: Callable[..., dict[str, list[Row]]]
    items: tuple[str, ...]
    settings: dict[str, Any]

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.json.gz"

    def kept(self) -> dict[str, Any]:
        """Give what was measured before: by item, the rows, and how they were made."""
        if not self.path.exists():
            return {}
        content = json.loads(gzip.decompress(self.path.read_bytes()))
        same = content["settings"] == json.loads(json.dumps(self.settings))
        return {item: content["items"][item] for item in self.items if same and item in content["items"]}

    def missing(self, again: Sequence[str] = ()) -> list[str]:
        kept = self.kept()
        return [item for item in self.items if item not in kept or item in again]

    def rows(self) -> list[Row]:
        return [row for content in self.kept().values() for row in content["rows"]]

    def keep(self, found: dict[str, Any]) -> None:
        """Write the file anew, with these items beside those that are kept; the same content is the same bytes."""
        items = {**self.kept(), **found}
        ordered = {item: items[item] for item in self.items if item in items}
        text = json.dumps({"settings": self.settings, "items": ordered}, indent=0)
        FOLDER.mkdir(exist_ok=True)
        with whole_file(self.path) as path:
            Path(path).write_bytes(gzip.compress(text.encode(), mtime=0))


def run(parts: Iterable[Part], *, jobs: int = 2, again: Sequence[str] = ()) -> None:
    """Measure what is missing, and what is asked for again; each part is kept as soon as it is there."""
    todo = [(part, missing) for part in parts if (missing := part.missing(again))]
    for done, (part, found) in enumerate(_found(todo, jobs), start=1):
        part.keep(found)
        seconds = sum(content["about"]["seconds"] for content in found.values())
        print(f"{done} of {len(todo)}: {part.name}, {len(found)} items, {seconds:.0f} s", flush=True)


def _found(todo: list[tuple[Part, list[str]]], jobs: int) -> Iterator[tuple[Part, dict[str, Any]]]:
    """Give what was measured of each part, as it comes."""
    if jobs == 1:
        yield from ((part, _measured(part, items)) for part, items in todo)
        return
    with ProcessPoolExecutor(jobs) as pool:
        waiting = {pool.submit(_measured, part, items): part for part, items in todo}
        yield from ((waiting[future], future.result()) for future in as_completed(waiting))


def _measured(part: Part, items: list[str]) -> dict[str, Any]:
    start = time.process_time()  # the time of this process alone, whatever else the machine does
    found = part.measure(items, **part.settings)
    seconds = round((time.process_time() - start) / len(items), 2)  # samples are shared, so the items take it together
    about = {"seconds": seconds, **versions()}
    return {item: {"about": about, "rows": rows} for item, rows in found.items()}


def minutes(parts: Iterable[Part]) -> float:
    """Add up how much processor time parts took."""
    seconds: float = sum(content["about"]["seconds"] for part in parts for content in part.kept().values())
    return round(seconds / 60, 1)


def versions() -> dict[str, str]:
    """Give the versions on which figures depend."""
    return {"python": platform.python_version(), **{name: version(name) for name in ("numpy", "scipy")}}
