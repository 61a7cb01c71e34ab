"""Parquet files: columns with types of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from assay.data.encode import whole_label
from assay.data.read.formats.declare import Format, Scan, declare_format
from assay.sql import file_list

NUMERIC = re.compile(r"(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*|BOOLEAN)")


class Parquet(Scan):
    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._types = {str(name): str(kind) for name, kind, *_ in self.fetch(f"DESCRIBE FROM {self._files()}")}
        self.check_columns(self.columns())

    def columns(self) -> list[str]:
        return list(self._types)

    def scan(self, paths: Sequence[str] = ()) -> str:
        return self.select_from(self._files(paths))

    def label(self, cell: Any, name: str) -> Any:
        return whole_label(cell)

    def number(self, name: str) -> str:
        if NUMERIC.fullmatch(self._types[name]):
            return f"TRY_CAST({self.aliases[name]} AS DOUBLE)"
        return super().number(name)

    def is_whole(self, name: str) -> str:
        return "true" if "INT" in self._types[name] else super().is_whole(name)

    def _files(self, paths: Sequence[str] = ()) -> str:
        return f"read_parquet({file_list(paths or self.files.names)}, union_by_name=true, hive_partitioning=false)"


declare_format(Format("parquet", "Parquet", (".parquet", ".pq"), Parquet, signature=b"PAR1"))
