"""Locate files, and check that their content matches their format."""

from __future__ import annotations

import glob
import gzip
import os
import shutil
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from io import BufferedWriter, TextIOWrapper
from pathlib import Path
from typing import Any

from howsure.checks import one_of
from howsure.data.read.compression import BYTE_ORDER_MARK, GZIP, open_text
from howsure.data.read.copies import Copy
from howsure.data.read.formats import Format, Wanted, formats
from howsure.errors import HowsureError, listing, suggestion, system_reason

UTF16 = (b"\xff\xfe", b"\xfe\xff")
BLOCK = 1 << 16  # bytes per block; small, since a block of gzip may expand a thousandfold
HEAD = 4096  # number of bytes from which the format is recognised
START = 1 << 24  # number of bytes of a stream that are checked before the rest is copied
STREAM_FORMAT = "csv"  # format of a stream whose name has no extension


@dataclass(frozen=True, slots=True)
class Files:
    """Files that DuckDB can read, with the names and the title used in messages."""

    names: dict[str, str]
    format: Format
    title: str


def is_file(data: Any) -> bool:
    """Return whether data is a file, several files, or a stream."""
    if isinstance(data, list | tuple):
        return bool(data) and all(isinstance(path, str | os.PathLike) for path in data)
    return isinstance(data, str | os.PathLike) or hasattr(data, "read")


def check_format(file_format: str | None, data: Any) -> None:
    if file_format is not None and not is_file(data):
        raise HowsureError(f"`format` applies to files only; leave out {file_format!r}.")


def locate(data: Any, format_name: str | None, folder: str, wanted: Wanted = ()) -> Files:
    """Find files by path, glob or list, or copy a stream; check formats.

    Streams, pipes and files that must be rewritten are copied into ``folder``. The beginning of a stream must contain
    the ``wanted`` columns before the rest is copied, since a stream may be endless.
    """
    if hasattr(data, "read"):
        title = str(getattr(data, "name", "the stream")).replace("<stdin>", "standard input")
        file_format = _stream_format(title, format_name)
        names = {_copy(data, title, os.path.join(folder, "stream"), file_format, wanted): title}
    else:
        patterns = data if isinstance(data, list | tuple) else [data]
        paths = list(dict.fromkeys(path for pattern in patterns for path in _find(pattern)))
        title = os.fspath(patterns[0]) if len(patterns) == 1 else listing(paths)
        pipes = [path for path in paths if not os.path.isfile(path)]
        all_pipes = len(pipes) == len(paths)
        file_format = _stream_format(paths[0], format_name) if all_pipes else _format_of(paths, format_name)
        names = {}
        for number, path in enumerate(paths):
            local = os.path.join(folder, f"file-{number}")
            if path in pipes:
                _copy_pipe(path, local, file_format, wanted)
            elif not _is_unicode(os.path.realpath(path)):
                _link(path, local)
            else:
                local = path
            names[local] = path
    for path, name in names.items():
        _check_content(path, name, file_format)
    if file_format.rewrite is not None:
        originals, names = names, {}
        for number, (path, name) in enumerate(originals.items()):
            target = os.path.join(folder, f"{number}.csv")
            with (
                open_text(path, name) as file,
                TextIOWrapper(BufferedWriter(Copy(target, name)), "utf-8", newline="") as out,
            ):
                file_format.rewrite(file, name, out)
            names[target] = name
    return Files(names, file_format, title)


def _find(data: str | os.PathLike[str]) -> list[str]:
    path = os.fspath(data)
    if os.path.isdir(path):
        raise HowsureError(f"`data` must be a file or a pattern such as '{os.path.join(path, '*.csv')}', not a folder.")
    paths = [path] if os.path.exists(path) else sorted(glob.glob(path, recursive=True))
    if paths:
        return paths
    folder = os.path.dirname(path) or "."
    neighbours = os.listdir(folder) if os.path.isdir(folder) else []
    raise HowsureError(f"there is no file {path!r}" + suggestion(os.path.basename(path), neighbours))


def _format_of(paths: Sequence[str], name: str | None) -> Format:
    """Return the format with this name, or the one all extensions share."""
    if name is not None:
        one_of("format", name, formats)
        return formats[name]
    for path in paths:
        if _ending(path) not in formats:
            raise HowsureError(
                f"{path!r} has an extension of no known format; give `format=`, one of {', '.join(formats)}."
            )
    names = sorted({formats[_ending(path)].name for path in paths})
    if len(names) > 1:
        raise HowsureError(f"all files of `data` must have one format, not {' and '.join(names)}.")
    return formats[names[0]]


def _stream_format(stream: str, name: str | None) -> Format:
    return _format_of([stream], name if name or _ending(stream) else STREAM_FORMAT)


def _ending(path: str) -> str:
    return Path(path.removesuffix(".gz")).suffix.lower()


def _is_unicode(path: str) -> bool:
    """Return whether a path is valid Unicode, so that DuckDB can open it."""
    try:
        return bool(path.encode())
    except UnicodeEncodeError:
        return False


def _link(path: str, target: str) -> None:
    try:
        try:
            os.link(path, target)
        except OSError:  # the target is on another disk, or the system has no links
            shutil.copyfile(path, target)
    except OSError as error:
        raise HowsureError(f"{path!r} cannot be opened: {system_reason(error)}.") from None


def _copy_pipe(path: str, target: str, file_format: Format, wanted: Wanted) -> None:
    try:
        with open(path, "rb") as pipe:
            _copy(pipe, path, target, file_format, wanted)
    except OSError as error:
        raise HowsureError(f"{path!r} cannot be opened: {system_reason(error)}.") from None


def _copy(stream: Any, name: str, target: str, file_format: Format, wanted: Wanted) -> str:
    start, unpack = bytearray(), None
    try:
        with BufferedWriter(Copy(target, name)) as copy:
            while block := stream.read(BLOCK):
                block = block.encode() if isinstance(block, str) else block
                copy.write(block)
                if len(start) < START:
                    if not start and block.startswith(GZIP):
                        unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
                    start += block if unpack is None else unpack.decompress(block, START)
                    if len(start) >= START:
                        _check_start(bytes(start), name, target + "-start", file_format, wanted)
    except HowsureError:
        raise
    except (OSError, ValueError, TypeError, zlib.error) as error:  # a closed stream raises ValueError
        raise HowsureError(f"{name!r} cannot be read: {system_reason(error)}.") from None
    return target


def _check_start(start: bytes, name: str, target: str, file_format: Format, wanted: Wanted) -> None:
    """Reject a stream that begins with another format, or lacks a column."""
    _check_head(start[:HEAD], name, file_format)
    if file_format.check_start is not None:
        with open(target, "wb") as file:
            file.write(start)
        file_format.check_start(target, name, wanted)


def _check_content(path: str, name: str, file_format: Format) -> None:
    """Check that both ends of a file match its format."""
    title, signature = file_format.title, file_format.signature
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD)
            file.seek(max(0, os.path.getsize(path) - len(signature)))
            end = file.read(len(signature))
        if head.startswith(GZIP):
            with gzip.open(path) as unpacked:
                head = unpacked.read(HEAD)
    except (OSError, EOFError, zlib.error) as error:
        raise HowsureError(f"{name!r} cannot be opened: {system_reason(error)}.") from None
    if not head:
        raise HowsureError(f"{name!r} must hold at least one case, but it is empty.")
    _check_head(head, name, file_format)
    if end != signature:
        raise HowsureError(f"{name!r} is an incomplete {title} file: it was cut off, and must be written again.")


def _check_head(head: bytes, name: str, file_format: Format) -> None:
    title, signature = file_format.title, file_format.signature
    if not head.startswith(signature):
        raise HowsureError(f"{name!r} is not a {title} file, despite its name; name its format with `format=`.")
    if signature:
        return
    for binary in formats.values():
        if binary.signature and head.startswith(binary.signature):
            raise HowsureError(
                f"{name!r} is a {binary.title} file, not {title}; give `format={binary.name!r}` or rename it."
            )
    if b"\0" in head:
        if head.startswith(UTF16):
            raise HowsureError(f"{name!r} is in UTF-16; save it as UTF-8.")
        raise HowsureError(f"{name!r} is not {title}: it holds binary data.")
    first = head.removeprefix(BYTE_ORDER_MARK).lstrip()[:1].decode(errors="replace")
    if file_format.begins and (not first or first not in file_format.begins):
        raise HowsureError(f"{name!r} is not {title}: it does not begin with '{file_format.begins[0]}'.")
