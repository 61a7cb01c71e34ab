"""DuckDB, shut off from all but the files named; a name or a value from outside enters SQL only as quoted here."""

from __future__ import annotations

import glob
import os
import tempfile
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

Path = str | os.PathLike[str]
NO_EXTENSIONS = dict.fromkeys(
    ("autoinstall_known_extensions", "autoload_known_extensions", "allow_community_extensions"), "false"
)


def open_database(
    *, files: Iterable[Path] = (), folders: Iterable[Path] = (), threads: int | None = None
) -> duckdb.DuckDBPyConnection:
    """Open a database in memory that can reach these files, what is in these folders, and nothing else.

    Even SQL that somebody managed to smuggle in could load no extension, and read and write nothing beyond them.
    """
    import duckdb

    config: dict[str, Any] = {**NO_EXTENSIONS, **({} if threads is None else {"threads": threads})}
    database = duckdb.connect(":memory:", config=config)
    spill = os.path.join(tempfile.gettempdir(), f"assay-{os.getpid()}")
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
