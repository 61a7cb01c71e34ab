"""Recognise evaluation logs by the first bytes of a file."""

from __future__ import annotations

import os
import re
import stat
import zlib
from typing import Any

from howsure.checks import check_path
from howsure.data.read.compression import BYTE_ORDER_MARK, GZIP

HEAD = 1 << 16  # number of bytes to examine
ZIP = b"PK\3\4"
NAME_AT = 30  # number of bytes before the name of the first member of an archive
MEMBER = re.compile(rb"(?:_journal/.+|samples/.+|header|summaries|reductions)\.json", re.DOTALL)
OF_INSPECT = re.compile(rb'\{\s*"version"\s*:\s*\d+\s*,')
EVALUATION = re.compile(rb'"eval"\s*:\s*\{')
OF_HARNESS = re.compile(rb'\[?\s*\{\s*"doc_id"\s*:[^,]{1,1000},\s*"doc"\s*:')  # tables may have a "doc_id" too
INSPECT_ARCHIVE, INSPECT_JSON, HARNESS = "inspect_ai archive", "inspect_ai JSON", "lm-evaluation-harness"


def is_log(path: Any) -> bool:
    """Return whether a file begins like a log that `read_log` can read."""
    return kind_of_log(os.fspath(check_path("path", path))) is not None


def kind_of_log(path: str) -> str | None:
    """Return the kind of log, or None for other files, pipes and devices."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with open(path, "rb") as file:
            head = file.read(HEAD)
        if head.startswith(GZIP):
            head = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, HEAD)
    except (OSError, ValueError, zlib.error):
        return None
    if head.startswith(ZIP):
        return INSPECT_ARCHIVE if MEMBER.fullmatch(_first_member(head)) else None
    head = head.removeprefix(BYTE_ORDER_MARK).lstrip()
    if OF_INSPECT.match(head) and EVALUATION.search(head):
        return INSPECT_JSON
    return HARNESS if OF_HARNESS.match(head) else None


def _first_member(head: bytes) -> bytes:
    return head[NAME_AT : NAME_AT + int.from_bytes(head[26:28], "little")]
