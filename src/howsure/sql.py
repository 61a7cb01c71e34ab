"""DuckDB, shut off from all but the files named; a name or a value from outside enters SQL only as quoted here."""

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

# DuckDB before 2.0 remembers pieces of local files, also of one that was deleted and written anew meanwhile.
NO_CACHE = {"enable_external_file_cache": "false"}

# The most memory that a database may take, as "1GB"; what goes beyond it is written to temporary files.
memory: ContextVar[str | None] = ContextVar("memory", default=None)


def check_memory(text: str, name: str) -> str:
    """Refuse what is no amount of memory."""
    if not re.fullmatch(r"(?i)\s*[0-9]+(\.[0-9]+)?\s*[kmgt]i?b\s*", text):
        raise HowsureError(f"`{name}` must be an amount of memory, as 500MB or 2GB, not {text!r}.")
    return text


def open_database(
    *,
    files: Iterable[Path] = (),
    folders: Iterable[Path] = (),
    threads: int | None = None,
    watched: bool = False,
) -> duckdb.DuckDBPyConnection:
    """Open a database in memory that can reach these files, what is in these folders, and nothing else.

    Even SQL that somebody managed to smuggle in could load no extension, and read and write nothing beyond them.
    ``watched`` lets another thread ask how far a query is.
    """
    import duckdb

    environment = os.environ.get("HOWSURE_MEMORY")
    most = memory.get() or (check_memory(environment, "HOWSURE_MEMORY") if environment else None)

    config: dict[str, Any] = {**NO_EXTENSIONS, **NO_CACHE, **({} if threads is None else {"threads": threads})}
    database = duckdb.connect(":memory:", config=config)
    spill = os.path.join(tempfile.gettempdir(), f"howsure-{os.getpid()}")
    if most is not None:
        database.execute(f"SET memory_limit = {literal(most)}")
    if watched:
        database.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
    database.execute(
        f"SET temp_directory = {literal(spill)}; SET allowed_paths = {_as_given_and_escaped(files)}; "
        f"SET allowed_directories = {_as_given_and_escaped(folders)}; "
        "SET enable_external_access = false; SET lock_configuration = true"
    )
    return database


def _as_given_and_escaped(paths: Iterable[Path]) -> str:
    """List paths as they are and as `file_list` writes them: DuckDB checks both forms."""
    absolute = [path for given in paths for path in dict.fromkeys([os.path.abspath(given), os.path.realpath(given)])]
    return "[" + ", ".join(literal(path) for one in absolute for path in dict.fromkeys([one, glob.escape(one)])) + "]"


def identifier(name: str) -> str:
    """Quote the name of a column."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: object) -> str:
    """Quote a text."""
    return "'" + str(value).replace("'", "''") + "'"


def file_list(paths: Iterable[Path]) -> str:
    """Quote the paths of files; a folder called run[1] is no pattern."""
    return "[" + ", ".join(literal(glob.escape(os.path.abspath(path))) for path in paths) + "]"
