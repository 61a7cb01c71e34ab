"""SQL for DuckDB: a name or a value that comes from outside enters it only as quoted here."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable


def identifier(name: str) -> str:
    """Quote the name of a column."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: object) -> str:
    """Quote a text."""
    return "'" + str(value).replace("'", "''") + "'"


def file_list(paths: Iterable[str | os.PathLike[str]]) -> str:
    """Quote the paths of files; a folder called run[1] is no pattern."""
    return "[" + ", ".join(literal(glob.escape(os.path.abspath(path))) for path in paths) + "]"
