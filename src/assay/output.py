"""Files that we write appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from assay.errors import AssayError


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Write to a temporary file beside the target, and put it in place when it is safely on the disk."""
    target = Path(path)
    temporary = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="", dir=target.parent, prefix=f".{target.name}.", delete=False
        ) as file:
            temporary = file.name
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except OSError as error:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        raise AssayError(f"{os.fspath(path)!r} cannot be written: {(error.strerror or str(error)).lower()}.") from None


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
