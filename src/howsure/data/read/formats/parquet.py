"""Parquet files, which have typed columns.

Columns are selected by position in each file, since DuckDB renames columns with equal names, or names such as "y" and
"Y". No type is changed to match another file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from howsure.data.encode import whole_label
from howsure.data.predictions import NUMBERS
from howsure.data.read.column_names import check_column
from howsure.data.read.formats.declare import Format, Scan, declare_format
from howsure.errors import HowsureError
from howsure.sql import file_list

WHOLE = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?")
REAL = re.compile(r"FLOAT|DOUBLE|DECIMAL.*")
Schema = tuple[tuple[str, str], ...]  # the name and the type of each column


class Parquet(Scan):
    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._schemas = {path: self._schema(path) for path in self.files.names}
        self._types: dict[str, set[str]] = {}
        for path, file_name in self.files.names.items():
            names = [name for name, _ in self._schemas[path]]
            for name, role in self.wanted:
                check_column(role, name, names, repr(file_name))
                self._types.setdefault(name, set()).add(dict(self._schemas[path])[name])
        for name, role in self.wanted:
            self._check_types(name, are_numbers=role in (*NUMBERS, "features"))

    def columns(self) -> list[str]:
        return [name for name, _ in next(iter(self._schemas.values()))]

    def scan(self, paths: Sequence[str] = ()) -> str:
        return "(" + " UNION ALL ".join(self._read(run) for run in self._runs(paths or list(self._schemas))) + ")"

    def label(self, cell: Any, name: str) -> Any:
        return whole_label(cell)

    def number(self, name: str) -> str:
        if {_kind(kind, are_numbers=True) for kind in self._types[name]} == {"a number"}:
            return f"TRY_CAST({self.aliases[name]} AS DOUBLE)"
        return super().number(name)

    def is_whole(self, name: str) -> str:
        return "true" if all(map(WHOLE.fullmatch, self._types[name])) else super().is_whole(name)

    def _schema(self, path: str) -> Schema:
        """Return the columns of a file, except those nested in others."""
        rows = iter(self.fetch(f"SELECT name, num_children, duckdb_type FROM parquet_schema({file_list([path])})"))

        def skip(children: int | None) -> None:
            for _ in range(children or 0):
                skip(next(rows)[1])

        columns = []
        for _ in range(next(rows)[1] or 0):
            name, children, kind = next(rows)
            columns.append((str(name), str(kind)))
            skip(children)
        return tuple(columns)

    def _check_types(self, name: str, *, are_numbers: bool) -> None:
        """Reject 1 in one file and 1.0 or "1" in another."""
        types = {path: dict(schema)[name] for path, schema in self._schemas.items()}
        kinds = {_kind(kind, are_numbers=are_numbers): path for path, kind in types.items()}
        if len(kinds) > 1:
            first, second, *_ = sorted(kinds.values(), key=list(types).index)
            raise HowsureError(
                f"`{name}` must have one type in all files, but it is {types[first]} in {self.files.names[first]!r} "
                f"and {types[second]} in {self.files.names[second]!r}; write them again with one type."
            )

    def _runs(self, paths: Sequence[str]) -> Iterator[list[str]]:
        """Yield lists of files that DuckDB can read together."""
        for schema, run in groupby(paths, key=self._schemas.__getitem__):
            files = list(run)
            has_twins = len({name.casefold() for name, _ in schema}) < len(schema)
            yield from ([path] for path in files) if has_twins else [files]

    def _read(self, paths: Sequence[str]) -> str:
        schema = self._schemas[paths[0]]
        names = [name for name, _ in schema]
        columns = ", ".join(f"h{names.index(name)} AS {alias}" for name, alias in self.aliases.items())
        names_in_sql = ", ".join(f"h{index}" for index in range(len(schema)))
        return (
            f"SELECT {columns} FROM read_parquet({file_list(paths)}, hive_partitioning=false) AS file({names_in_sql})"
        )


def _kind(type_name: str, *, are_numbers: bool) -> str:
    """Return the kind of a type; types of the same kind can be combined."""
    if are_numbers and (WHOLE.fullmatch(type_name) or REAL.fullmatch(type_name) or type_name == "BOOLEAN"):
        return "a number"
    return "a whole number" if WHOLE.fullmatch(type_name) else type_name


declare_format(Format("parquet", "Parquet", (".parquet", ".pq"), Parquet, signature=b"PAR1"))
