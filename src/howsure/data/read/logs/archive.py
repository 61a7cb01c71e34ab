"""Read members of untrusted zip archives, within limits.

Nothing is written to the disk, so links and the names of members can do no harm. The limits count the bytes that are
actually unpacked, whatever sizes the archive declares.
"""

from __future__ import annotations

import copy
import importlib
import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

from howsure.data.read.column_names import shorten
from howsure.errors import HowsureError, MissingLibraryError, system_reason

MAX_MEMBER = 10**9  # maximum number of unpacked bytes in one member
MAX_TOGETHER = 16 * 10**9  # maximum number of unpacked bytes in all members that are read
MAX_RATIO = 500  # largest ratio of unpacked to packed bytes; log text stays far below it
ANY_RATIO = 16 * 10**6  # members of up to this many unpacked bytes may have any ratio
MAX_DIRECTORY = 128 * 10**6  # maximum number of bytes in the list of members, enough for a million
BLOCK = 1 << 20  # number of bytes per block
ZSTANDARD = 93
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, ZSTANDARD)
ENCRYPTED = 1  # flag bit


class Archive:
    """The members of an open archive; the last of duplicates counts."""

    def __init__(self, file: IO[bytes], path: str) -> None:
        self.path = path
        self._size = file.seek(0, io.SEEK_END)
        self._zip = zipfile.ZipFile(file)
        self._members = {member.filename: member for member in self._zip.infolist()}
        self._left = MAX_TOGETHER

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def names(self, start: str) -> list[str]:
        """Return the names of JSON files that begin with ``start``."""
        return [name for name in self._members if name.startswith(start) and name.endswith(".json")]

    def title(self, name: str) -> str:
        return f"{shorten(name)!r} in {self.path!r}"

    def read(self, name: str) -> bytearray:
        """Unpack one member."""
        member, title = self._members[name], self.title(name)
        if member.flag_bits & ENCRYPTED:
            raise HowsureError(f"{title} is encrypted; give the log as inspect_ai wrote it.")
        if member.compress_type not in METHODS:
            raise HowsureError(f"{title} is compressed by method {member.compress_type}, not by deflate or Zstandard.")
        try:
            return self._unpack(member, title)
        except (HowsureError, OSError):
            raise
        except Exception as error:  # each decompression library raises its own errors
            reason = "it was cut off" if isinstance(error, EOFError) else system_reason(error)
            raise HowsureError(f"{title} is damaged: {reason}.") from None

    def _unpack(self, member: zipfile.ZipInfo, title: str) -> bytearray:
        content = bytearray()
        most = max(ANY_RATIO, MAX_RATIO * min(member.compress_size, self._size))
        with self._open(member) as file:
            while block := file.read(BLOCK):
                content += block
                self._left -= len(block)
                if len(content) > MAX_MEMBER:
                    raise HowsureError(f"{title} must unpack to at most {MAX_MEMBER / 1e9:g} GB.")
                if len(content) > most:
                    raise HowsureError(f"{title} must unpack to at most {MAX_RATIO} times its packed size.")
                if self._left < 0:
                    raise HowsureError(f"{self.path!r} must unpack to at most {MAX_TOGETHER / 1e9:g} GB.")
        if len(content) != member.file_size or zlib.crc32(content) != member.CRC:
            raise ValueError("its content does not match its checksum")
        return content

    def _open(self, member: zipfile.ZipInfo) -> Any:
        packed: Any = copy.copy(member)
        packed.CRC = None  # `_unpack` verifies the checksum
        if member.compress_type != ZSTANDARD:
            return self._zip.open(packed)
        # `zipfile` cannot read Zstandard before Python 3.14, and later versions unpack a block of it without a limit.
        packed.compress_type, packed.file_size = zipfile.ZIP_STORED, member.compress_size
        return open_zstandard(self._zip.open(packed), self.path)


@contextmanager
def open_archive(path: str) -> Iterator[Archive]:
    try:
        with _BoundedFile(path) as file:
            try:
                archive = Archive(file, path)
            except (HowsureError, OSError):
                raise
            except Exception as error:  # includes errors from `struct` and from decoding
                raise HowsureError(
                    f"{path!r} is a damaged archive, or was cut off: {system_reason(error)}; copy or write it again."
                ) from None
            yield archive
    except OSError as error:
        raise HowsureError(f"{path!r} cannot be opened: {system_reason(error)}.") from None


class _BoundedFile(io.BufferedReader):
    """A file that raises an error if the list of members is very long."""

    def __init__(self, path: str) -> None:
        super().__init__(io.FileIO(path))
        self._path = path

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > MAX_DIRECTORY:
            raise HowsureError(f"{self._path!r} must have a list of members of at most {MAX_DIRECTORY // 10**6} MB.")
        return super().read(size)


def open_zstandard(packed: IO[bytes], path: str) -> Any:
    """Return a reader for the unpacked bytes."""
    with suppress(ImportError):  # available in Python 3.14 and later
        return importlib.import_module("compression.zstd").ZstdFile(packed)
    with suppress(ImportError):
        return importlib.import_module("zstandard").ZstdDecompressor().stream_reader(packed, read_across_frames=True)
    raise MissingLibraryError(
        f"{path!r} is compressed with Zstandard, which needs the package `zstandard`; install `howsure[logs]`."
    )
