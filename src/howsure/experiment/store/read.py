"""Read a run folder: the plan, the splits, and the finished tasks with their predictions.

Until a run ends, its results are stored in parts. A part has two files with the same number: predictions, and a list of
tasks. Only listed tasks are finished. If a task was repeated, its latest part counts; the joined files are part 0.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from howsure._version import __version__
from howsure.arrays import IntArray
from howsure.errors import HowsureError
from howsure.experiment.store.contents import (
    OWN,
    PART,
    PLAN,
    PREDICTIONS,
    PROFILE_FILE,
    SPLITS,
    TASKS_FILE,
    Contents,
    DamageError,
)
from howsure.experiment.store.database import connect, fetch, parquet
from howsure.experiment.store.schema import FORMAT, GROUP, KEY, PROFILE, ROLES, TASK
from howsure.resampling.declare import restore_scheme
from howsure.resampling.index_sets import Entry, Splits
from howsure.sql import identifier, literal

AT_ONCE = 1_000_000  # maximum number of rows of a file that are held in memory at once
DATASET = {"rows": int, "classes": list, "splits": int, "splits_fingerprint": str, "design": dict, "file": str}
_POSITION = "position of the learner"
_PART = r"CAST(regexp_extract(filename, '([0-9]+)-[^/\\]*$', 1) AS INTEGER)"  # the number in a part's file name


def read_plan(folder: str | os.PathLike[str], contents: Contents | None = None) -> dict[str, Any]:
    """Read the plan; with ``contents``, other files may be damaged."""
    path = Path(folder) / PLAN
    if not path.exists():
        raise HowsureError(f"{os.fspath(folder)!r} holds no experiment: there is no {PLAN} in it.")
    (contents or Contents.read(path.parent)).check(PLAN)
    plan: Any = {}
    try:
        plan = json.loads(path.read_text(encoding="utf-8"))
        if plan["format"] != FORMAT:
            raise HowsureError(
                f"{str(path)!r} has format {plan['format']!r}, and this version of Howsure reads format {FORMAT}; "
                "use the version that wrote it."
            )
        if not _is_plan(plan):
            raise ValueError
    except HowsureError:
        raise
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        version = plan.get("howsure", __version__) if isinstance(plan, dict) else __version__
        reason = "it may have been edited by hand"
        if version != __version__:
            reason = f"it was written by Howsure {version}, and this is {__version__}"
        raise HowsureError(f"{str(path)!r} cannot be read as a plan; {reason}.") from None
    return dict(plan)


def _is_plan(plan: Any) -> bool:
    """Return whether a plan is complete and its file names are valid."""
    learners, datasets = plan["learners"], plan["datasets"]
    return (
        isinstance(learners, dict)
        and isinstance(datasets, dict)
        and bool(learners and datasets)
        and isinstance(plan["seed"], int)
        and all(
            isinstance(dataset, dict)
            and all(isinstance(dataset[key], kind) for key, kind in DATASET.items())
            and all(isinstance(label, str | int) for label in dataset["classes"])
            and "scheme" in dataset["design"]
            and OWN.fullmatch(f"{SPLITS}/{dataset['file']}.parquet")
            for dataset in datasets.values()
        )
    )


@dataclass(frozen=True)
class Sources:
    """The files that hold finished tasks and their predictions."""

    tasks: dict[int, Path]  # files by part number
    predictions: dict[tuple[int, str], Path]  # files by part number and the data set's file name
    joined: tuple[Path, Path] | None  # the joined tasks and their profile

    @classmethod
    def of(cls, contents: Contents) -> Sources:
        names = contents.names()
        parts = [match for name in names if (match := PART.fullmatch(name))]
        prefix, suffix = f"{PREDICTIONS}/", ".parquet"
        joined = [name.removeprefix(prefix).removesuffix(suffix) for name in names if name.startswith(prefix)]
        return cls(
            {int(part[1]): contents.check(part[0]) for part in parts if part[3] == "tasks"},
            {(0, file): contents.check(f"{prefix}{file}{suffix}") for file in joined}
            | {(int(part[1]), part[2]): contents.check(part[0]) for part in parts if part[3] == "predictions"},
            (contents.check(TASKS_FILE), contents.check(PROFILE_FILE))
            if {TASKS_FILE, PROFILE_FILE} <= set(names)
            else None,
        )

    def latest_tasks(self, plan: dict[str, Any]) -> str:
        """Return SQL for the latest row of each finished task."""
        columns = ", ".join((*TASK, *PROFILE))
        rows = []
        if self.joined is not None:
            tasks, profile = (parquet([path]) for path in self.joined)
            rows.append(f"SELECT 0 AS part, {columns} FROM {tasks} t JOIN {profile} p USING ({', '.join(KEY)})")
        if self.tasks:
            rows.append(f"SELECT {_PART} AS part, {columns} FROM {parquet(list(self.tasks.values()), with_name=True)}")
        if not rows:
            empty = ", ".join(f"NULL::{kind} AS {name}" for name, kind in {**TASK, **PROFILE}.items())
            rows = [f"SELECT 0 AS part, {empty} WHERE false"]
        datasets = {described["file"]: name for name, described in plan["datasets"].items()}
        stored = [f"({part}, {literal(datasets[file])})" for part, file in self.predictions if file in datasets]
        has_predictions = f"(part, dataset) IN ({', '.join(stored)})" if stored else "false"
        return (
            f"SELECT * FROM ({' UNION ALL '.join(rows)}) WHERE failure <> '' OR {has_predictions} "
            f"QUALIFY row_number() OVER (PARTITION BY {', '.join(KEY)} ORDER BY part DESC) = 1"
        )

    def listed_predictions(self, plan: dict[str, Any], dataset: str) -> str | None:
        """Return SQL for the predictions of finished tasks, or None."""
        file = plan["datasets"][dataset]["file"]
        joined = [path for (part, of), path in self.predictions.items() if of == file and not part]
        parts = [path for (part, of), path in self.predictions.items() if of == file and part]
        rows = [f"SELECT 0 AS part, * FROM {parquet(joined)}"] if joined else []
        if parts:
            rows.append(f"SELECT {_PART} AS part, * EXCLUDE (filename) FROM {parquet(parts, with_name=True)}")
        if not rows:
            return None
        if self.joined is not None and not parts and not self.tasks:
            return f"SELECT * FROM {parquet(joined)}"  # all belong to listed tasks
        return (
            f"SELECT p.* EXCLUDE (part) FROM ({' UNION ALL '.join(rows)}) p JOIN ({self.latest_tasks(plan)}) t "
            f"ON t.dataset = {literal(dataset)} AND t.learner = p.learner AND t.split = p.split AND t.part = p.part"
        )


def read_tasks(folder: Path, plan: dict[str, Any]) -> dict[str, Any]:
    """Return columns with the latest row of each task."""
    return _fetch(folder, lambda sources: f"{sources.latest_tasks(plan)} ORDER BY {', '.join(KEY)}") or {}


def read_predictions(
    folder: Path,
    plan: dict[str, Any],
    dataset: str,
    learners: Sequence[str],
    columns: Sequence[str],
    splits: tuple[int, int] | None = None,
) -> dict[str, dict[str, Any]]:
    """Return columns of predictions by learner, ordered by split and row.

    ``splits`` are the numbers of the first and the last split to read. Default: all splits.
    """
    names, position = ", ".join(map(literal, learners)), identifier(_POSITION)
    number, selected = f"CAST(list_position([{names}], learner) AS INTEGER)", f"learner IN ({names})"
    if splits is not None:
        selected += f" AND split BETWEEN {int(splits[0])} AND {int(splits[1])}"

    def query(sources: Sources) -> str | None:
        rows, listed = sources.listed_predictions(plan, dataset), ", ".join(map(identifier, columns))
        if rows is None:
            return None
        return f"SELECT {number} AS {position}, {listed} FROM ({rows}) WHERE {selected} ORDER BY {position}, split, row"

    read = _fetch(folder, query)
    if read is None:
        return {}
    learner_of_row = read.pop(_POSITION)
    ends = np.searchsorted(learner_of_row, np.arange(len(learners) + 1), side="right")
    return {
        learner: {name: column[start:end] for name, column in read.items()}
        for learner, (start, end) in zip(learners, pairwise(ends.tolist()), strict=True)
        if end > start
    }


def _fetch_splits(folder: Path, plan: dict[str, Any], dataset: str, query: str) -> tuple[Path, dict[str, Any]]:
    """Query ``rows``, the file of the splits; return its path and columns."""
    path = Contents.read(folder).check(f"{SPLITS}/{plan['datasets'][dataset]['file']}.parquet")
    return path, _fetch(folder, lambda _: f"WITH rows AS (SELECT * FROM {parquet([path])}) {query}") or {}


def read_groups(folder: Path, plan: dict[str, Any], dataset: str) -> IntArray | None:
    """Return the group number of each row, or None without groups."""
    if GROUP not in _fetch_splits(folder, plan, dataset, "SELECT * FROM rows LIMIT 0")[1]:
        return None
    group = identifier(GROUP)
    _, columns = _fetch_splits(
        folder, plan, dataset, f"SELECT row, any_value({group}) AS {group} FROM rows GROUP BY row"
    )
    groups = np.full(plan["datasets"][dataset]["rows"], -1)
    groups[columns["row"]] = columns[GROUP]
    return groups


def read_splits(folder: Path, plan: dict[str, Any], dataset: str) -> Splits:
    """Read the splits of a data set, in pieces if there are many."""
    described = plan["datasets"][dataset]
    path, sizes = _fetch_splits(
        folder,
        plan,
        dataset,
        "SELECT split, any_value(repeat) AS repeat, any_value(fold) AS fold, count(*) AS size FROM rows "
        "GROUP BY split ORDER BY split",
    )
    piece_of_split = np.cumsum(sizes["size"]) // AT_ONCE
    entries: list[Entry] = []
    for piece in np.unique(piece_of_split):
        read_now = piece_of_split == piece
        entries += _entries(folder, plan, dataset, {name: column[read_now] for name, column in sizes.items()})
    scheme = restore_scheme(plan.get("resampling"), described["design"]["scheme"])
    splits = Splits(described["rows"], tuple(entries), scheme)
    if splits.fingerprint != described["splits_fingerprint"]:
        raise HowsureError(f"{str(path)!r} does not hold the splits of the plan; remove it, and run again.")
    return splits


def _entries(folder: Path, plan: dict[str, Any], dataset: str, sizes: dict[str, Any]) -> list[Entry]:
    """Read consecutive splits, given their numbers and sizes."""
    roles = ", ".join(map(literal, ROLES))
    _, columns = _fetch_splits(
        folder,
        plan,
        dataset,
        f"SELECT row, CAST(list_position([{roles}], role) AS TINYINT) AS role FROM rows "
        f"WHERE split BETWEEN {int(sizes['split'][0])} AND {int(sizes['split'][-1])} ORDER BY split, row",
    )
    entries = []
    ends = np.cumsum(sizes["size"])
    for end, size, repeat, fold in zip(ends, *(sizes[name] for name in ("size", "repeat", "fold")), strict=True):
        role, rows = (columns[name][end - size : end] for name in ("role", "row"))
        test, train, validation = (rows[role == number] for number in range(1, len(ROLES) + 1))
        entries.append(
            Entry(
                int(repeat) - 1,
                int(fold) - 1,
                test,
                train if len(train) else None,
                validation if len(validation) else None,
            )
        )
    return entries


def _fetch(folder: Path, make_query: Callable[[Sources], str | None]) -> dict[str, Any] | None:
    """Fetch a query; repeat it if a running experiment joins its parts."""
    import duckdb

    for last in (False, False, True):
        try:
            query = make_query(Sources.of(Contents.read(folder)))
            if query is None:
                return None
            with connect(folder) as database:
                return fetch(database, query)
        except duckdb.InterruptException:
            raise
        except (DamageError, FileNotFoundError, duckdb.Error) as error:
            if last and not folder.exists():
                raise HowsureError(f"{str(folder)!r} was removed, along with the results in it.") from None
            if last and isinstance(error, DamageError):
                raise
            if last:
                reason = str(error).splitlines()[0].rstrip(".")
                raise HowsureError(
                    f"{str(folder)!r} has a file that cannot be read: {reason}; remove it, and run again."
                ) from None
    return None
