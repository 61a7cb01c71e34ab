"""Parquet files: columns with types of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from assay.data.read.formats.declare import Format, declare_format
from assay.data.read.scan import Scan
from assay.sql import file_list, identifier

NUMERIC = re.compile(r"(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*|BOOLEAN)")


class Parquet(Scan):
    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        rows = self.fetch(f"DESCRIBE SELECT * FROM {self._files(list(self.files.names))}")
        self._types = {str(name): str(kind) for name, kind, *_ in rows}
        self.check_columns(list(self._types))

    def columns(self) -> list[str]:
        return list(self._types)

    def scan(self, paths: Sequence[str] | None = None) -> str:
        columns = ", ".join(f"{identifier(name)} AS {alias}" for name, alias in self.aliases.items())
        return f"(SELECT {columns} FROM {self._files(list(self.files.names) if paths is None else paths)})"

    def label(self, cell: Any, name: str) -> Any:
        return int(cell) if isinstance(cell, float) and cell.is_integer() else cell

    def number(self, name: str) -> str:
        if NUMERIC.fullmatch(self._types[name]):
            return f"TRY_CAST({self.aliases[name]} AS DOUBLE)"
        return super().number(name)

    def is_whole(self, name: str) -> str:
        return "true" if "INT" in self._types[name] else super().is_whole(name)

    def _files(self, paths: Sequence[str]) -> str:
        return f"read_parquet({file_list(paths)}, union_by_name=true, hive_partitioning=false)"


declare_format(Format("parquet", "Parquet", (".parquet", ".pq"), Parquet, signature=b"PAR1"))
