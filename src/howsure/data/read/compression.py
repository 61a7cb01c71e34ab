"""Open files that may be compressed with gzip, whatever their names."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, TextIO

from howsure.errors import HowsureError, system_reason

GZIP = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def is_gzip(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(len(GZIP)) == GZIP


def compression(paths: Sequence[str]) -> str:
    """Return the compression argument for DuckDB's readers."""
    return ", compression='gzip'" if paths and all(map(is_gzip, paths)) else ""


@contextmanager
def open_bytes(path: str, name: str) -> Iterator[BinaryIO]:
    """Open a file; damaged gzip raises an error while it is read."""
    opener: Any = gzip.open if is_gzip(path) else open
    try:
        with opener(path, "rb") as file:
            yield file
    except (OSError, EOFError, zlib.error) as error:
        raise HowsureError(f"{name!r} cannot be read: {system_reason(error)}.") from None


@contextmanager
def open_text(path: str, name: str) -> Iterator[TextIO]:
    """Open a text file; bytes that are not UTF-8 are rejected later."""
    with (
        open_bytes(path, name) as file,
        io.TextIOWrapper(file, encoding="utf-8-sig", errors="surrogateescape", newline="") as text,
    ):
        yield text
