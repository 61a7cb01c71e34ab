"""Zstandard, which newer releases of inspect_ai compress with and Python has from 3.14 on."""

from __future__ import annotations

import importlib
from io import BytesIO
from typing import Any

from howsure.errors import MissingLibraryError

LIBRARIES = ("compression.zstd", "zstandard", "pyarrow")  # whichever is there; the first comes with Python 3.14


def open_zstandard(packed: bytes, name: str) -> Any:
    """Give a reader of unpacked bytes; what is damaged raises an error of the library's own."""
    for library in LIBRARIES:
        try:
            module: Any = importlib.import_module(library)
        except ImportError:
            continue
        if library == "pyarrow":
            return module.CompressedInputStream(module.BufferReader(packed), "zstd")
        if library == "zstandard":
            return module.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
        return module.ZstdFile(BytesIO(packed))
    raise MissingLibraryError(
        f"{name!r} is compressed with Zstandard, which needs the package `zstandard`; install `howsure[logs]`."
    )
