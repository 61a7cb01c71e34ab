"""Read the folder of an experiment: the plan, the splits, and the rows of finished tasks, joined or still in parts.

A part is two files with one number: predictions, and the list of tasks they belong to; only a listed task counts as
done, and of a task that was tried again the latest part counts. The joined files are part 0.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from assay._version import __version__
from assay.errors import AssayError
from assay.experiment.store.database import connect, fetch, parquet
from assay.experiment.store.schema import KEY, PROFILE, ROLES, TASK
from assay.resampling.declare import restore_scheme
from assay.resampling.index_sets import Entry, Splits
from assay.sql import literal

DATASET_KEYS = ("rows", "classes", "splits", "splits_fingerprint", "design", "file")
_PART = r"CAST(regexp_extract(filename, '([0-9]+)-[^/\\]*$', 1) AS INTEGER)"  # the number in a part's file name


def read_plan(folder: str | os.PathLike[str]) -> dict[str, Any]:
    path, plan = Path(folder) / "plan.json", {}
    try:
        plan = json.loads(path.read_text(encoding="utf-8"))
        if not all(isinstance(plan[kind], dict) and plan[kind] for kind in ("learners", "datasets")):
            raise ValueError
        missing = [key for dataset in plan["datasets"].values() for key in DATASET_KEYS if key not in dataset]
        if missing or "seed" not in plan:
            raise ValueError
    except FileNotFoundError:
        raise AssayError(f"{os.fspath(folder)!r} holds no experiment: there is no plan.json in it.") from None
    except (OSError, ValueError, TypeError, KeyError):
        version = plan.get("assay", __version__) if isinstance(plan, dict) else __version__
        reason = "it may have been changed by hand"
        if version != __version__:
            reason = f"Assay {version} wrote it, and this is {__version__}"
        raise AssayError(f"{str(path)!r} cannot be read as a plan; {reason}.") from None
    return dict(plan)


def latest_tasks(folder: Path) -> str:
    """The latest row of each task, as SQL: of the joined files and of the parts."""
    tasks, profile = folder / "tasks.parquet", folder / "profile.parquet"
    columns = ", ".join((*TASK, *PROFILE))
    sources = []
    if tasks.exists() and profile.exists():
        sources.append(
            f"SELECT 0 AS part, {columns} FROM {parquet([tasks])} tasks "
            f"JOIN {parquet([profile])} profile USING ({', '.join(KEY)})"
        )
    parts = sorted((folder / "parts").glob("*.tasks.parquet"))
    if parts:
        sources.append(f"SELECT {_PART} AS part, {columns} FROM {parquet(parts, with_name=True)}")
    if not sources:
        empty = ", ".join(f"NULL::{kind} AS {name}" for name, kind in {**TASK, **PROFILE}.items())
        sources = [f"SELECT 0 AS part, {empty} WHERE false"]
    union = " UNION ALL ".join(sources)
    return f"SELECT * FROM ({union}) QUALIFY row_number() OVER (PARTITION BY {', '.join(KEY)} ORDER BY part DESC) = 1"


def listed_predictions(folder: Path, file: str, dataset: str) -> str | None:
    """All predictions for a data set that belong to a finished task, as SQL; None where there is no file of them."""
    joined = folder / "predictions" / f"{file}.parquet"
    every = (folder / "parts").glob("*.predictions.parquet")
    parts = sorted(path for path in every if path.name.partition("-")[2] == f"{file}.predictions.parquet")
    sources = [f"SELECT 0 AS part, * FROM {parquet([joined])}"] if joined.exists() else []
    if parts:
        sources.append(f"SELECT {_PART} AS part, * EXCLUDE (filename) FROM {parquet(parts, with_name=True)}")
    if not sources:
        return None
    return (
        f"SELECT p.* EXCLUDE (part) FROM ({' UNION ALL '.join(sources)}) p JOIN ({latest_tasks(folder)}) t "
        f"ON t.dataset = {literal(dataset)} AND t.learner = p.learner AND t.split = p.split AND t.part = p.part"
    )


def read_tasks(folder: Path) -> dict[str, Any]:
    """Columns of the latest row of each task."""
    return _fetch(folder, lambda: f"{latest_tasks(folder)} ORDER BY {', '.join(KEY)}") or {}


def read_predictions(folder: Path, file: str, dataset: str, learner: str) -> dict[str, Any] | None:
    """Columns of the predictions of one learner on one data set, in the order of splits and rows; None without any."""

    def query() -> str | None:
        every = listed_predictions(folder, file, dataset)
        chosen = f"SELECT * EXCLUDE (learner) FROM ({every}) WHERE learner = {literal(learner)} ORDER BY split, row"
        return None if every is None else chosen

    return _fetch(folder, query)


def read_splits(folder: Path, plan: dict[str, Any], dataset: str) -> Splits:
    """Build the splits of a data set again from their file."""
    described = plan["datasets"][dataset]
    path = folder / "splits" / f"{described['file']}.parquet"
    columns = _fetch(folder, lambda: f"SELECT * FROM {parquet([path])} ORDER BY split, role, row") or {}
    starts = np.flatnonzero(np.r_[True, np.diff(columns["split"]) != 0, True])
    entries = []
    for start, end in pairwise(starts):
        role = columns["role"][start:end]
        test, train, validation = (columns["row"][start:end][role == name] for name in ROLES)
        repeat, fold = int(columns["repeat"][start]) - 1, int(columns["fold"][start]) - 1
        entries.append(
            Entry(repeat, fold, test, train if len(train) else None, validation if len(validation) else None)
        )
    scheme = restore_scheme(plan.get("resampling"), described["design"]["scheme"])
    splits = Splits(described["rows"], tuple(entries), scheme)
    if splits.fingerprint != described["splits_fingerprint"]:
        raise AssayError(f"{str(path)!r} does not hold the splits of the plan; remove it, and run again.")
    return splits


def _fetch(folder: Path, make_query: Callable[[], str | None]) -> dict[str, Any] | None:
    """Fetch columns; again where files went meanwhile, as they do when a run in another process joins its parts."""
    import duckdb

    for last in (False, False, True):
        query = make_query()
        if query is None:
            return None
        try:
            with connect() as database:
                return fetch(database, query)
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:
            if last and not folder.exists():
                raise AssayError(f"{str(folder)!r} is gone, and with it the results that it held.") from None
            if last:
                reason = str(error).splitlines()[0].rstrip(".")
                raise AssayError(
                    f"{str(folder)!r} has a file that cannot be read: {reason}; remove it, and run again what it held."
                ) from None
    return None
