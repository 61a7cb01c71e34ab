"""Log file of the uses of a test set, one JSON line per use."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from howsure.arrays import IntArray
from howsure.errors import HowsureError, system_reason
from howsure.experiment import Dataset
from howsure.output import sync_folder

FILE = "touches.jsonl"
Touch = dict[str, Any]


def test_cases_key(data: Dataset, test: IntArray) -> str:
    """Return a hash of the test rows and all labels; it does not depend on the features."""
    digest = hashlib.blake2b(repr(data.labels).encode(), digest_size=8)
    digest.update(data.codes.astype("<i8").tobytes())
    digest.update(np.sort(test).astype("<i8").tobytes())
    return digest.hexdigest()


def make_touch(key: str, **details: Any) -> Touch:
    return {"time": datetime.now(UTC).isoformat(timespec="seconds"), "test": key, **details}


def append_touch(folder: Path, touch: Touch) -> None:
    """Append a line with a single write so that lines from two processes do not mix, and sync it to disk."""
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            # The last line may have been truncated by a crash.
            size = os.lseek(handle, 0, os.SEEK_END)
            os.lseek(handle, max(size - 1, 0), os.SEEK_SET)
            start = "\n" if size and os.read(handle, 1) != b"\n" else ""
            os.write(handle, f"{start}{json.dumps(touch, ensure_ascii=False)}\n".encode())
            os.fsync(handle)
        finally:
            os.close(handle)
        sync_folder(folder)
    except OSError as error:
        raise HowsureError(f"{str(path)!r} cannot be written: {system_reason(error)}.") from None


def read_touches(folder: Path, key: str) -> list[Touch]:
    """Read the uses of these test cases; lines truncated by a crash are skipped."""
    try:
        lines = (folder / FILE).read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise HowsureError(f"{str(folder / FILE)!r} cannot be read: {system_reason(error)}.") from None
    touches = []
    for line in lines:
        with suppress(ValueError):
            touch = json.loads(line)
            if isinstance(touch, dict) and touch.get("test") == key:
                touches.append(touch)
    return touches


def touched_by(touch: Touch) -> str:
    return f"{touch.get('learner')}({touch.get('setting')})"
