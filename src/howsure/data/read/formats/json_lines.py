"""JSON lines: an object for each row, or an array of objects."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from howsure.data.literals import read_json
from howsure.data.read.column_names import check_column
from howsure.data.read.compression import compression, open_bytes, open_text
from howsure.data.read.formats.declare import Format, Scan, Wanted, declare_format
from howsure.errors import HowsureError
from howsure.sql import file_list, literal

BLOCK = 1 << 20  # number of bytes per block
FIRST = 100  # number of objects at the start, which usually have all keys between them
NO_OBJECT = 'each line must be an object such as {"y": "a"}'


class JsonLines(Scan):
    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        for path in self.files.names:
            _check_closed(path, self.files.title if len(self.files.names) == 1 else path)
        names = self._keys(f"(SELECT json FROM {self._objects()} LIMIT {FIRST})")
        if not set(self.aliases) <= set(names):
            names = self.columns()
        if not names:
            raise HowsureError(f"{self.files.title!r} cannot be read as JSON lines: {NO_OBJECT}.")
        self.check_columns(names)

    def columns(self) -> list[str]:
        """Return the keys of all objects; the first may not have every key."""
        return self._keys(self._objects())

    def scan(self, paths: Sequence[str] = ()) -> str:
        paths = paths or list(self.files.names)
        if len({name.casefold() for name in self.aliases} - {""}) < len(self.aliases):
            return self._extract(paths)
        types = ", ".join(f"{literal(name)}: 'JSON'" for name in self.aliases)
        options = f"columns={{{types}}}, hive_partitioning=false{compression(paths)}"
        return self.select_from(f"read_json({file_list(paths)}, {options})")

    def label(self, cell: Any, name: str) -> Any:
        return read_json(cell, name)

    def text(self, name: str) -> str:
        return f"json_extract_string({self.aliases[name]}, '$')"

    def _extract(self, paths: Sequence[str]) -> str:
        """Return SQL for cells of whole objects."""
        twice = "len(json_keys(json)) > len(list_distinct(json_keys(json)))"
        pointers = {name: literal("/" + name.replace("~", "~0").replace("/", "~1")) for name in self.aliases}
        cells = ", ".join(
            f"CASE WHEN {twice} THEN error('has duplicate key') "
            f"ELSE json_extract(json, {pointers[name]}) END AS {alias}"
            for name, alias in self.aliases.items()
        )
        return f"(SELECT {cells} FROM {self._objects(paths)})"

    def _objects(self, paths: Sequence[str] = ()) -> str:
        paths = paths or list(self.files.names)
        return f"read_json_objects({file_list(paths)}, format='auto', hive_partitioning=false{compression(paths)})"

    def _keys(self, objects: str) -> list[str]:
        """Return the keys in order of occurrence."""
        rows = self.fetch(
            "SELECT keys FROM (SELECT json_keys(json) AS keys, row_number() OVER () AS row "
            f"FROM {objects}) GROUP BY keys ORDER BY min(row)"
        )
        return list(dict.fromkeys(key for (keys,) in rows for key in keys or ()))


def _check_closed(path: str, name: str) -> None:
    """Reject an array that is not closed, since rows may be missing."""
    with open_bytes(path, name) as file:
        last = file.read(BLOCK).lstrip(b"\xef\xbb\xbf \t\r\n")
        if not last.startswith(b"["):
            return
        while block := file.read(BLOCK):
            last = block if block.strip() else last
    if not last.rstrip().endswith(b"]"):
        raise HowsureError(f"{name!r} cannot be read as JSON: its list is not closed by ']'; rows may be missing.")


def check_start(path: str, name: str, wanted: Wanted) -> None:
    """Reject a file whose first object lacks a column."""
    with open_text(path, name) as file:
        text = file.read().lstrip("[ \t\r\n")
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):  # also raised if an object exceeds 16 MB
        raise HowsureError(f"{name!r} cannot be read as JSON lines: {NO_OBJECT}.") from None
    if not isinstance(value, dict):
        raise HowsureError(f"{name!r} cannot be read as JSON lines: {NO_OBJECT}.")
    for column, role in wanted:
        check_column(role, column, list(value), repr(name))


declare_format(
    Format("jsonl", "JSON lines", (".jsonl", ".ndjson", ".json"), JsonLines, begins="{[", check_start=check_start)
)
