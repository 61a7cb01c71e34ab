"""Which files are meant, in which format, and whether they can be what they claim to be."""

from __future__ import annotations

import glob
import gzip
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from assay.data.read.arff import arff_to_csv
from assay.errors import AssayError, listing, must_be_one_of, suggestion

FORMATS = {
    ".csv": "csv", ".txt": "csv", ".tsv": "tsv", ".tab": "tsv", ".parquet": "parquet", ".pq": "parquet",
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".arff": "arff",
}  # fmt: skip
CALLED = {"csv": "CSV", "tsv": "TSV", "parquet": "Parquet", "jsonl": "JSON lines", "arff": "ARFF"}
PARQUET = b"PAR1"
GZIP = b"\x1f\x8b"
UTF16 = (b"\xff\xfe", b"\xfe\xff")
BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Files:
    """Files that DuckDB can read, with the names to call them by, their format, and the name of them all."""

    called: dict[str, str]
    kind: str
    shown: str


def find(data: str | os.PathLike[str]) -> list[str]:
    """Give the files that a path or a glob names."""
    path = os.fspath(data)
    if os.path.isdir(path):
        raise AssayError(f"`data` must be a file or a pattern such as '{os.path.join(path, '*.csv')}', not a folder.")
    found = [path] if os.path.exists(path) else sorted(glob.glob(path, recursive=True))
    if found:
        return found
    folder = os.path.dirname(path) or "."
    beside = os.listdir(folder) if os.path.isdir(folder) else []
    raise AssayError(f"there is no file {path!r}" + suggestion(os.path.basename(path), beside))


def file_format(paths: Sequence[str], given: str | None) -> str:
    if given is not None:
        if given not in CALLED:
            must_be_one_of("format", CALLED, given=given)
        return given
    kinds = {FORMATS.get(_ending(path)) for path in paths}
    if None in kinds:
        odd = next(path for path in paths if _ending(path) not in FORMATS)
        raise AssayError(f"the ending of {odd!r} tells no format; give `format=` as one of {', '.join(CALLED)}.")
    if len(kinds) > 1:
        raise AssayError(f"all files of `data` must have one format, not {' and '.join(sorted(map(str, kinds)))}.")
    return str(kinds.pop())


def _ending(path: str) -> str:
    return Path(path.removesuffix(".gz")).suffix.lower()


def at_hand(data: Any, given: str | None, folder: str) -> Files:
    """Find the files of a path, a glob, a list of them, or a stream.

    What can be read only once, a stream or a pipe, is put aside into ``folder``, and ARFF is rewritten there as CSV.
    """
    if hasattr(data, "read"):
        shown = str(getattr(data, "name", "the stream")).replace("<stdin>", "standard input")
        called = {_put_aside(data, shown, os.path.join(folder, "stream")): shown}
        kind = _stream_format(shown, given)
    else:
        patterns = data if isinstance(data, list | tuple) else [data]
        paths = list(dict.fromkeys(path for pattern in patterns for path in find(pattern)))
        shown = os.fspath(patterns[0]) if len(patterns) == 1 else listing(paths)
        regular = [path for path in paths if os.path.isfile(path)]
        kind = file_format(paths, given) if regular else _stream_format(paths[0], given)
        called = {}
        for number, path in enumerate(paths):
            called[path if path in regular else _open_aside(path, os.path.join(folder, f"pipe-{number}"))] = path
    for path, name in called.items():
        _check_content(path, name, kind)
    if kind == "arff":
        called = {_rewrite(path, name, folder, n): name for n, (path, name) in enumerate(called.items())}
    return Files(called, kind, shown)


def _stream_format(name: str, given: str | None) -> str:
    return file_format([name], given) if given or _ending(name) else "csv"


def _open_aside(path: str, target: str) -> str:
    try:
        with open(path, "rb") as pipe:
            return _put_aside(pipe, path, target)
    except OSError as error:
        raise AssayError(f"{path!r} cannot be opened: {_reason(error)}.") from None


def _put_aside(stream: Any, shown: str, target: str) -> str:
    try:
        with open(target, "wb") as copy:
            while block := stream.read(BLOCK):
                copy.write(block.encode() if isinstance(block, str) else block)
    except (OSError, ValueError) as error:  # a closed stream is a ValueError
        raise AssayError(f"{shown!r} cannot be read: {_reason(error)}.") from None
    return target


def _rewrite(path: str, shown: str, folder: str, number: int) -> str:
    target = os.path.join(folder, f"{number}.csv")
    with open_text(path) as file:
        arff_to_csv(file, shown, target)
    return target


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error).rstrip(".").lower()


def is_gzip(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(2) == GZIP


@contextmanager
def open_text(path: str) -> Iterator[TextIO]:
    """Open a text file, compressed or not, whatever its name says; what is no UTF-8 is found later, by row."""
    opened: Any = gzip.open if is_gzip(path) else open
    with opened(path, "rt", encoding="utf-8-sig", errors="surrogateescape") as file:
        yield file


def _check_content(path: str, shown: str, kind: str) -> None:
    """Look at the two ends of a file: DuckDB's own message on a wrong format helps nobody."""
    try:
        with open(path, "rb") as file:
            head = file.read(4096)
            file.seek(max(0, os.path.getsize(path) - 4))
            end = file.read(4)
        if head.startswith(GZIP):
            with gzip.open(path) as unpacked:
                head = unpacked.read(4096)
    except (OSError, EOFError) as error:
        raise AssayError(f"{shown!r} cannot be opened: {_reason(error)}.") from None
    if not head:
        raise AssayError(f"{shown!r} must hold at least one case, and it is empty.")
    if kind == "parquet":
        if not head.startswith(PARQUET):
            raise AssayError(
                f"{shown!r} is not a Parquet file, whatever its name says; name its format with `format=`."
            )
        if end != PARQUET:
            raise AssayError(f"{shown!r} is a Parquet file without an end: it was cut off, and must be written again.")
    elif head.startswith(PARQUET):
        raise AssayError(f"{shown!r} is a Parquet file, not {CALLED[kind]}; give `format='parquet'` or rename it.")
    elif head.startswith(UTF16) and b"\0" in head:
        raise AssayError(f"{shown!r} is in UTF-16; save it as UTF-8.")
    elif b"\0" in head:
        raise AssayError(f"{shown!r} is not {CALLED[kind]}: it holds binary data.")
    elif kind == "jsonl" and head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"["):
        raise AssayError(f"{shown!r} is not JSON lines: it does not begin with '{{'.")
