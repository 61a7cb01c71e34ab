"""DuckDB restricted to named files, and quoting of names and values."""

from __future__ import annotations

import glob
import os
import re
import tempfile
from collections.abc import Iterable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from howsure.errors import HowsureError

if TYPE_CHECKING:
    import duckdb

Path = str | os.PathLike[str]
NO_EXTENSIONS = dict.fromkeys(
    ("autoinstall_known_extensions", "autoload_known_extensions", "allow_community_extensions"), "false"
)

# DuckDB before 2.0 caches parts of local files, even if a file has been replaced since.
NO_CACHE = {"enable_external_file_cache": "false"}

# Memory limit of a database, such as "1GB"; beyond it, DuckDB writes to temporary files.
memory: ContextVar[str | None] = ContextVar("memory", default=None)


def check_memory(text: str, name: str) -> str:
    """Reject text that is not an amount of memory."""
    if not re.fullmatch(r"(?i)\s*[0-9]+(\.[0-9]+)?\s*[kmgt]i?b\s*", text):
        raise HowsureError(f"`{name}` must be an amount of memory such as 500MB or 2GB, not {text!r}.")
    return text


def open_database(
    *,
    files: Iterable[Path] = (),
    folders: Iterable[Path] = (),
    threads: int | None = None,
    watched: bool = False,
) -> duckdb.DuckDBPyConnection:
    """Open an in-memory database that can only access these paths.

    Even injected SQL could not load an extension, or read or write other files. ``watched`` lets another thread query
    the progress.
    """
    import duckdb

    environment = os.environ.get("HOWSURE_MEMORY")
    limit = memory.get() or (check_memory(environment, "HOWSURE_MEMORY") if environment else None)

    config: dict[str, Any] = {**NO_EXTENSIONS, **NO_CACHE, **({} if threads is None else {"threads": threads})}
    database = duckdb.connect(":memory:", config=config)
    spill = os.path.join(tempfile.gettempdir(), f"howsure-{os.getpid()}")
    if limit is not None:
        database.execute(f"SET memory_limit = {literal(limit)}")
    if watched:
        database.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
    database.execute(
        f"SET temp_directory = {literal(spill)}; SET allowed_paths = {_plain_and_escaped(files)}; "
        f"SET allowed_directories = {_plain_and_escaped(folders)}; "
        "SET enable_external_access = false; SET lock_configuration = true"
    )
    return database


def _plain_and_escaped(paths: Iterable[Path]) -> str:
    """List paths both plain and escaped, since DuckDB checks both forms."""
    full = [name for path in paths for name in dict.fromkeys([os.path.abspath(path), os.path.realpath(path)])]
    return "[" + ", ".join(literal(form) for name in full for form in dict.fromkeys([name, glob.escape(name)])) + "]"


def identifier(name: str) -> str:
    """Quote a column name."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: object) -> str:
    """Quote a text value."""
    return "'" + str(value).replace("'", "''") + "'"


def file_list(paths: Iterable[Path]) -> str:
    """Quote file paths, with wildcards escaped, as in run[1].csv."""
    return "[" + ", ".join(literal(glob.escape(os.path.abspath(path))) for path in paths) + "]"
