"""Reading the folder of an experiment: the plan, the splits, and the rows of what is done, joined or still in parts.

A part is two files with one number: predictions, and the list of tasks they belong to; only a listed task counts as
done, and of a task that was tried again the latest part counts. The joined files are part 0.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from assay.errors import AssayError
from assay.output import whole_file
from assay.resampling.splits import Entry, Splits

FACTS = {
    "training_error": "DOUBLE",
    "complexity": "DOUBLE",
    "complexity_of": "VARCHAR",
    "depth": "DOUBLE",
    "chosen": "VARCHAR",
}
COSTS = dict.fromkeys(
    ("fit_seconds", "fit_cpu_seconds", "predict_seconds", "predict_cpu_seconds", "peak_memory_bytes", "model_bytes"),
    "DOUBLE",
) | {"warnings": "VARCHAR"}
KEY = ("dataset", "learner", "split")
TASK = {
    "dataset": "VARCHAR",
    "learner": "VARCHAR",
    "split": "INTEGER",
    "repeat": "INTEGER",
    "fold": "INTEGER",
    "failure": "VARCHAR",
    "score_kind": "VARCHAR",
    **FACTS,
}
ROLES = ("test", "train", "validation")
DESCRIBED = ("rows", "classes", "splits", "splits_fingerprint", "design", "file")
_LOCK = RLock()


def read_plan(folder: str | os.PathLike[str]) -> dict[str, Any]:
    path = Path(folder) / "plan.json"
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if not all(isinstance(found[kind], dict) and found[kind] for kind in ("learners", "datasets")):
            raise ValueError
        lacks = [key for one in found["datasets"].values() for key in DESCRIBED if key not in one]
        if lacks or "seed" not in found:
            raise ValueError
    except FileNotFoundError:
        raise AssayError(f"{os.fspath(folder)!r} holds no experiment: there is no plan.json in it.") from None
    except (OSError, ValueError, TypeError, KeyError):
        raise AssayError(f"{str(path)!r} cannot be read as a plan; it may have been changed by hand.") from None
    return found


@contextmanager
def connect() -> Iterator[Any]:
    """Use this process's DuckDB, one at a time."""
    with _LOCK:
        yield _database(os.getpid())


@lru_cache(maxsize=1)
def _database(process: int) -> Any:
    """Open DuckDB with one thread, so that a file's bytes depend on its rows alone."""
    import duckdb

    database = duckdb.connect(":memory:")
    database.execute("SET threads = 1")
    database.execute(f"SET temp_directory = {quoted(os.path.join(tempfile.gettempdir(), f'assay-{process}'))}")
    return database


def fetch(database: Any, query: str) -> dict[str, Any]:
    """Columns of a query as arrays; DuckDB takes NaN in arrays for missing, so missing numbers are NaN again."""
    found = database.execute(query).fetchnumpy()
    return {
        name: np.ma.filled(column.astype(float), np.nan) if isinstance(column, np.ma.MaskedArray) else column
        for name, column in found.items()
    }


def latest_tasks(folder: Path) -> str:
    """The latest row of each task, as SQL: of the joined files and of the parts."""
    final, measured = folder / "tasks.parquet", folder / "profile.parquet"
    columns = ", ".join((*TASK, *COSTS))
    sources = []
    if final.exists() and measured.exists():
        sources.append(
            f"SELECT 0 AS part, {columns} FROM {_read([final])} known "
            f"JOIN {_read([measured])} measured USING ({', '.join(KEY)})"
        )
    parts = sorted((folder / "parts").glob("*.tasks.parquet"))
    if parts:
        sources.append(f"SELECT {_PART} AS part, {columns} FROM {_read(parts, named=True)}")
    if not sources:
        empty = ", ".join(f"NULL::{kind} AS {name}" for name, kind in {**TASK, **COSTS}.items())
        sources = [f"SELECT 0 AS part, {empty} WHERE false"]
    every = " UNION ALL ".join(sources)
    return f"SELECT * FROM ({every}) QUALIFY row_number() OVER (PARTITION BY {', '.join(KEY)} ORDER BY part DESC) = 1"


def listed_predictions(folder: Path, file: str, name: str) -> str | None:
    """All predictions for a data set that belong to a finished task, as SQL; None where there is no file of them."""
    final = folder / "predictions" / f"{file}.parquet"
    every = (folder / "parts").glob("*.predictions.parquet")
    parts = sorted(path for path in every if path.name.partition("-")[2] == f"{file}.predictions.parquet")
    sources = [f"SELECT 0 AS part, * FROM {_read([final])}"] if final.exists() else []
    if parts:
        sources.append(f"SELECT {_PART} AS part, * EXCLUDE (filename) FROM {_read(parts, named=True)}")
    if not sources:
        return None
    return (
        f"SELECT p.* EXCLUDE (part) FROM ({' UNION ALL '.join(sources)}) p JOIN ({latest_tasks(folder)}) t "
        f"ON t.dataset = {quoted(name)} AND t.learner = p.learner AND t.split = p.split AND t.part = p.part"
    )


def read_tasks(folder: Path) -> dict[str, Any]:
    """Columns of the latest row of each task."""
    found = _ask(folder, lambda: f"{latest_tasks(folder)} ORDER BY {', '.join(KEY)}")
    return found or {}


def read_predictions(folder: Path, file: str, name: str, learner: str) -> dict[str, Any] | None:
    """Columns of the predictions of one learner on one data set, in the order of splits and rows; None without any."""

    def query() -> str | None:
        every = listed_predictions(folder, file, name)
        chosen = f"SELECT * EXCLUDE (learner) FROM ({every}) WHERE learner = {quoted(learner)} ORDER BY split, row"
        return None if every is None else chosen

    return _ask(folder, query)


def _ask(folder: Path, make_query: Callable[[], str | None]) -> dict[str, Any] | None:
    """Ask for columns; again where files went meanwhile, as they do when a run in another process joins its parts."""
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
                told = str(error).splitlines()[0].rstrip(".")
                raise AssayError(
                    f"{str(folder)!r} has a file that cannot be read: {told}; remove it, and run again what it held."
                ) from None
    return None


def read_splits(folder: Path, described: dict[str, Any]) -> Splits:
    """Build the splits of a data set again from their file."""
    path = folder / "splits" / f"{described['file']}.parquet"
    found = _ask(folder, lambda: f"SELECT * FROM {_read([path])} ORDER BY split, role, row") or {}
    starts = np.flatnonzero(np.r_[True, np.diff(found["split"]) != 0, True])
    entries = []
    for start, end in pairwise(starts):
        role = found["role"][start:end]
        rows = {one: found["row"][start:end][role == one] for one in ROLES}
        train, validation = (rows[one] if len(rows[one]) else None for one in ROLES[1:])
        repeat, fold = int(found["repeat"][start]) - 1, int(found["fold"][start]) - 1
        entries.append(Entry(repeat, fold, rows["test"], train, validation))
    splits = Splits(described["rows"], tuple(entries), described["design"]["scheme"])
    if splits.fingerprint != described["splits_fingerprint"]:
        raise AssayError(f"{str(path)!r} does not hold the splits of the plan; remove it, and run again.")
    return splits


def write_columns(path: str | os.PathLike[str], columns: dict[str, Any], labels: dict[str, list[Any]]) -> None:
    """Write columns as Parquet; those named in ``labels`` hold places in these lists."""
    with connect() as database:
        database.register("given_rows", columns)
        shown, values = [], []
        for name in columns:
            named = '"' + name.replace('"', '""') + '"'
            if name in labels:
                values.append(labels[name])
                shown.append(f"(${len(values)})[{named} + 1] AS {named}")
            else:
                shown.append(named)
        copy(database, f"SELECT {', '.join(shown)} FROM given_rows", path, values)
        database.unregister("given_rows")


def copy(database: Any, query: str, path: str | os.PathLike[str], values: list[Any] | None = None) -> None:
    import duckdb

    with whole_file(path) as temporary:
        try:
            # Not by way of a temporary file of DuckDB's own, which would stay behind when the process is killed.
            options = "FORMAT parquet, USE_TMP_FILE false"
            database.execute(f"COPY ({query}) TO {quoted(temporary)} ({options})", values or [])
        except duckdb.IOException as error:
            number = re.search(r'"errno":"(\d+)"', str(error))
            told = os.strerror(int(number[1])).lower() if number else " ".join(str(error).split())
            raise AssayError(f"{os.fspath(path)!r} cannot be written: {told}.") from None


def quoted(value: Any) -> str:
    return "'" + str(value).replace("'", "''") + "'"


_PART = r"CAST(regexp_extract(filename, '([0-9]+)-[^/\\]*$', 1) AS INTEGER)"  # the number in a part's file name


def _read(paths: Sequence[Path], named: bool = False) -> str:
    """Files as SQL. What a folder is called is neither a pattern (run[1]) nor a column (seed=0)."""
    plain = ", ".join(quoted(re.sub(r"[*?\[]", r"[\g<0>]", str(path))) for path in paths)
    return f"read_parquet([{plain}], filename = {named}, hive_partitioning = false)"


def score_names(labels: Sequence[Any]) -> list[str]:
    """Names of the columns of scores, one for each label; for DuckDB those that differ in case alone are the same."""
    names: list[str] = []
    for place, label in enumerate(labels, start=1):
        name = f"score {label}"
        while name.lower() in map(str.lower, names):
            name = f"{name} ({place})"
        names.append(name)
    return names
