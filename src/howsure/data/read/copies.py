"""Copy data into the temporary folder, up to a limit."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from typing import Any

from howsure.errors import HowsureError

MAXIMUM = 100 * 10**9  # maximum number of bytes to copy
RESERVE = 10**9  # number of bytes to leave free


class Copy(io.FileIO):
    """A new file of at most 100 GB that leaves 1 GB of its disk free."""

    def __init__(self, target: str, name: str) -> None:
        super().__init__(target, "w")
        self._title = name
        self._room = max(0, min(MAXIMUM, shutil.disk_usage(os.path.dirname(target)).free - RESERVE))
        self._written = 0

    def write(self, block: Any) -> int:
        if self._written + len(block) > self._room:
            raise HowsureError(
                f"{self._title!r} must not exceed {self._room / 1e9:.3g} GB, because it has to be copied to "
                f"{tempfile.gettempdir()!r}; save it as a Parquet, CSV or JSON lines file, or set TMPDIR to a folder "
                "with more space."
            )
        written = super().write(block)
        self._written += written
        return written
