"""Read and write Parquet files of a run folder with DuckDB, which can access that folder only."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from howsure.sql import file_list, identifier, literal, open_database

_LOCK = RLock()


@contextmanager
def connect(folder: Path) -> Iterator[Any]:
    """Yield this process's database of a folder, to one thread at a time."""
    with _LOCK:
        yield _database(os.getpid(), os.path.realpath(folder))


@lru_cache(maxsize=4)
def _database(process: int, folder: str) -> Any:
    """Open a database with one thread, so that files are reproducible."""
    return open_database(folders=[folder], threads=1)


def parquet(paths: Sequence[Path], with_name: bool = False) -> str:
    """Return SQL that reads files, even in a folder named run[1] or seed=0."""
    resolved = [os.path.realpath(path) for path in paths]
    return f"read_parquet({file_list(resolved)}, filename = {with_name}, hive_partitioning = false)"


def fetch(database: Any, query: str) -> dict[str, Any]:
    """Return the columns of a query as arrays; missing numbers become NaN."""
    columns = database.execute(query).fetchnumpy()
    return {
        name: np.ma.filled(column.astype(float), np.nan) if isinstance(column, np.ma.MaskedArray) else column
        for name, column in columns.items()
    }


def write_columns(folder: Path, columns: dict[str, Any], labels: dict[str, list[Any]], target: str) -> None:
    """Write columns as Parquet; `labels` decodes columns of positions."""
    number = {name: index for index, name in enumerate((name for name in columns if name in labels), start=1)}
    expressions = [
        f"(${number[name]})[{identifier(name)} + 1] AS {identifier(name)}" if name in labels else identifier(name)
        for name in columns
    ]
    with connect(folder) as database:
        database.register("new_rows", columns)
        query = f"SELECT {', '.join(expressions)} FROM new_rows"
        write_query(database, query, target, [labels[name] for name in number])
        database.unregister("new_rows")


def write_query(database: Any, query: str, target: str, values: Sequence[Any] = ()) -> None:
    """Write the rows of a query as Parquet, or raise `OSError`."""
    import duckdb

    try:
        # DuckDB's own temporary file would be left behind if the process were killed.
        options = "FORMAT parquet, USE_TMP_FILE false"
        database.execute(f"COPY ({query}) TO {literal(os.path.realpath(target))} ({options})", list(values))
    except duckdb.IOException as error:
        number = re.search(r'"errno":"(\d+)"', str(error))
        if number is None:
            raise OSError(" ".join(str(error).split())) from None
        raise OSError(int(number[1]), os.strerror(int(number[1]))) from None
