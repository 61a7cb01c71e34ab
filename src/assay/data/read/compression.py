"""Files that are compressed with gzip, whatever their name says."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

GZIP = b"\x1f\x8b"


def is_gzip(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(len(GZIP)) == GZIP


def compression(paths: Sequence[str]) -> str:
    """Give the argument of DuckDB's readers for compressed files."""
    return ", compression='gzip'" if paths and all(map(is_gzip, paths)) else ""


@contextmanager
def open_text(path: str) -> Iterator[TextIO]:
    """Open a text file; what is not UTF-8 in it is reported later, by row."""
    opener: Any = gzip.open if is_gzip(path) else open
    with opener(path, "rt", encoding="utf-8-sig", errors="surrogateescape") as file:
        yield file
