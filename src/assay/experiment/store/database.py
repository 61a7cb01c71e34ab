"""Parquet files by DuckDB: one connection for the process, and files that appear whole or not at all."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from assay.errors import AssayError
from assay.output import whole_file
from assay.sql import file_list, identifier, literal

_LOCK = RLock()


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
    database.execute(f"SET temp_directory = {literal(os.path.join(tempfile.gettempdir(), f'assay-{process}'))}")
    return database


def parquet(paths: Sequence[Path], with_name: bool = False) -> str:
    """Files as SQL. The name of a folder is neither a pattern (run[1]) nor a column (seed=0)."""
    return f"read_parquet({file_list(paths)}, filename = {with_name}, hive_partitioning = false)"


def fetch(database: Any, query: str) -> dict[str, Any]:
    """Columns of a query as arrays; DuckDB takes NaN in arrays for missing, so missing numbers are NaN again."""
    columns = database.execute(query).fetchnumpy()
    return {
        name: np.ma.filled(column.astype(float), np.nan) if isinstance(column, np.ma.MaskedArray) else column
        for name, column in columns.items()
    }


def write_columns(path: str | os.PathLike[str], columns: dict[str, Any], labels: dict[str, list[Any]]) -> None:
    """Write columns as Parquet; those named in ``labels`` hold positions in these lists."""
    with connect() as database:
        database.register("new_rows", columns)
        expressions, values = [], []
        for name in columns:
            if name in labels:
                values.append(labels[name])
                expressions.append(f"(${len(values)})[{identifier(name)} + 1] AS {identifier(name)}")
            else:
                expressions.append(identifier(name))
        write_query(database, f"SELECT {', '.join(expressions)} FROM new_rows", path, values)
        database.unregister("new_rows")


def write_query(database: Any, query: str, path: str | os.PathLike[str], values: list[Any] | None = None) -> None:
    """Write the rows of a query as Parquet."""
    import duckdb

    with whole_file(path) as temporary:
        try:
            # Not by way of a temporary file of DuckDB's own, which would stay behind when the process is killed.
            options = "FORMAT parquet, USE_TMP_FILE false"
            database.execute(f"COPY ({query}) TO {literal(temporary)} ({options})", values or [])
        except duckdb.IOException as error:
            number = re.search(r'"errno":"(\d+)"', str(error))
            reason = os.strerror(int(number[1])).lower() if number else " ".join(str(error).split())
            raise AssayError(f"{os.fspath(path)!r} cannot be written: {reason}.") from None
