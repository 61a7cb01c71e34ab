"""Reading the folder of an experiment: the plan, the splits, and the rows of what is done, joined or still in parts.

A part is two files with one number: predictions, and the list of tasks they belong to; only a listed task counts as
done, and of a task that was tried again the latest part counts. The joined files are part 0.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
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
_LOCK = RLock()


def read_plan(folder: str | os.PathLike[str]) -> dict[str, Any]:
    path = Path(folder) / "plan.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict) or "datasets" not in found:
            raise ValueError
    except FileNotFoundError:
        raise AssayError(f"{os.fspath(folder)!r} holds no experiment: there is no plan.json in it.") from None
    except (OSError, ValueError):
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
            f"SELECT 0 AS part, {columns} FROM read_parquet({quoted(final)}) known "
            f"JOIN read_parquet({quoted(measured)}) measured USING ({', '.join(KEY)})"
        )
    parts = sorted((folder / "parts").glob("*.tasks.parquet"))
    if parts:
        sources.append(f"SELECT {_PART} AS part, {columns} FROM {_read(parts)}")
    if not sources:
        empty = ", ".join(f"NULL::{kind} AS {name}" for name, kind in {**TASK, **COSTS}.items())
        sources = [f"SELECT 0 AS part, {empty} WHERE false"]
    every = " UNION ALL ".join(sources)
    return f"SELECT * FROM ({every}) QUALIFY row_number() OVER (PARTITION BY {', '.join(KEY)} ORDER BY part DESC) = 1"


def listed_predictions(folder: Path, file: str, name: str) -> str | None:
    """All predictions for a data set that belong to a finished task, as SQL; None where there is no file of them."""
    final = folder / "predictions" / f"{file}.parquet"
    parts = sorted((folder / "parts").glob(f"*-{file}.predictions.parquet"))
    sources = [f"SELECT 0 AS part, * FROM read_parquet({quoted(final)})"] if final.exists() else []
    if parts:
        sources.append(f"SELECT {_PART} AS part, * EXCLUDE (filename) FROM {_read(parts)}")
    if not sources:
        return None
    return (
        f"SELECT p.* EXCLUDE (part) FROM ({' UNION ALL '.join(sources)}) p JOIN ({latest_tasks(folder)}) t "
        f"ON t.dataset = {quoted(name)} AND t.learner = p.learner AND t.split = p.split AND t.part = p.part"
    )


def read_tasks(folder: Path) -> dict[str, Any]:
    """Columns of the latest row of each task."""
    with connect() as database:
        return fetch(database, f"{latest_tasks(folder)} ORDER BY {', '.join(KEY)}")


def read_predictions(folder: Path, file: str, name: str, learner: str) -> dict[str, Any] | None:
    """Columns of the predictions of one learner on one data set, in the order of splits and rows; None without any."""
    every = listed_predictions(folder, file, name)
    if every is None:
        return None
    chosen = f"SELECT * EXCLUDE (learner) FROM ({every}) WHERE learner = {quoted(learner)} ORDER BY split, row"
    with connect() as database:
        return fetch(database, chosen)


def read_splits(folder: Path, described: dict[str, Any]) -> Splits:
    """Build the splits of a data set again from their file."""
    path = folder / "splits" / f"{described['file']}.parquet"
    with connect() as database:
        found = fetch(database, f"SELECT * FROM read_parquet({quoted(path)}) ORDER BY split, role, row")
    starts = np.flatnonzero(np.r_[True, np.diff(found["split"]) != 0, True])
    entries = []
    for start, end in pairwise(starts):
        role = found["role"][start:end]
        rows = {one: found["row"][start:end][role == one] for one in ROLES}
        train, validation = (rows[one] if len(rows[one]) else None for one in ROLES[1:])
        repeat, fold = int(found["repeat"][start]) - 1, int(found["fold"][start]) - 1
        entries.append(Entry(repeat, fold, rows["test"], train, validation))
    return Splits(described["rows"], tuple(entries), described["design"]["scheme"])


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
            database.execute(f"COPY ({query}) TO {quoted(temporary)} (FORMAT parquet)", values or [])
        except duckdb.IOException as error:
            raise AssayError(f"{os.fspath(path)!r} cannot be written: {' '.join(str(error).split())}.") from None


def quoted(value: Any) -> str:
    return "'" + str(value).replace("'", "''") + "'"


_PART = r"CAST(regexp_extract(filename, '([0-9]+)-[^/\\]*$', 1) AS INTEGER)"  # the number in a part's file name


def _read(paths: Sequence[Path]) -> str:
    return f"read_parquet([{', '.join(map(quoted, paths))}], filename = true)"
