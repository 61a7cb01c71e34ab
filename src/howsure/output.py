"""Write files atomically: they appear complete or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from howsure.errors import HowsureError, system_reason
from howsure.sql import identifier, literal, open_database


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file."""
    with whole_file(path) as temporary:
        Path(temporary).write_text(text, encoding="utf-8", newline="")


def write_parquet(path: str | os.PathLike[str], columns: dict[str, Any]) -> None:
    """Write columns as a Parquet file, with DuckDB."""
    selected = ", ".join(f"unnest(${number}) AS {identifier(name)}" for number, name in enumerate(columns, start=1))
    with whole_file(path) as temporary, open_database(files=[temporary]) as database:
        values = [column.tolist() for column in columns.values()]
        # DuckDB is not allowed to create a temporary file itself.
        database.execute(
            f"COPY (SELECT {selected}) TO {literal(temporary)} (FORMAT parquet, USE_TMP_FILE false)", values
        )


@contextmanager
def whole_file(path: str | os.PathLike[str], *, durable: bool = True) -> Iterator[str]:
    """Yield a temporary file that replaces the target after the block.

    A ``durable`` file is flushed to the disk first, so that it survives a loss of power.
    """
    target = Path(path)
    temporary = ""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        os.close(handle)
        yield temporary
        if durable:
            with open(temporary, "rb") as file:
                os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
        if durable:
            sync_folder(target.parent)
    except OSError as error:
        raise HowsureError(f"{os.fspath(path)!r} cannot be written: {system_reason(error)}.") from None
    finally:
        if temporary and os.path.exists(temporary):
            os.unlink(temporary)


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to the disk, if the system supports it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
