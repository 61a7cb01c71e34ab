"""Copies in the temporary folder, of what can be read only once or must be rewritten: never without a bound."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from typing import Any

from howsure.errors import HowsureError

MOST = 100 * 10**9  # bytes
RESERVE = 10**9  # bytes that stay free


class Copy(io.FileIO):
    """A new file that refuses to grow beyond 100 GB, or beyond what is free in its folder less 1 GB."""

    def __init__(self, target: str, name: str) -> None:
        super().__init__(target, "w")
        self._title = name
        self._room = max(0, min(MOST, shutil.disk_usage(os.path.dirname(target)).free - RESERVE))
        self._written = 0

    def write(self, block: Any) -> int:
        if self._written + len(block) > self._room:
            raise HowsureError(
                f"{self._title!r} must be of at most {self._room / 1e9:.3g} GB, because it has to be copied to "
                f"{tempfile.gettempdir()!r}; save it as a Parquet, CSV or JSON lines file, or let TMPDIR name a folder "
                "with more room."
            )
        written = super().write(block)
        self._written += written
        return written
