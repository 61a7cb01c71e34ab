"""Members of a zip archive that anybody may have made: read into memory one by one, never more than a stated limit.

Nothing is written, so that names and links lead nowhere. Sizes are those that come out, not those that are declared.

Python's `zipfile` reads no Zstandard before 3.14, and makes an object of each member: most of a second for the 100,000
samples of a log, of which we want two members. Here the list of members stays bytes, with the place of each name.
"""

from __future__ import annotations

import os
import stat
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

from howsure.data.read.column_names import shorten
from howsure.data.read.logs.zstandard_frames import open_zstandard
from howsure.errors import HowsureError, system_reason

MOST_MEMBER = 10**9  # bytes of one member
MOST_TOGETHER = 16 * 10**9  # bytes of all members that are read
MOST_DIRECTORY = 128 * 10**6  # bytes of the list of members; a million of them have about so many
BLOCK = 1 << 20  # bytes
STORED, DEFLATED, ZSTANDARD = 0, 8, 93
ENCRYPTED = 1  # a flag

LOCAL = struct.Struct("<4s5H3L2H")  # the record before each member
ENTRY = struct.Struct("<4s6H3L5H2L")  # that of a member in the list of members
LENGTHS = struct.Struct("<3H")  # of the name, of what follows it, and of a comment
LENGTHS_AT = 28
END = struct.Struct("<4s4H2LH")  # the last record of an archive
LARGE_END = struct.Struct("<4sQ2H2L4Q")  # the one before it where numbers are large
LOCATOR = 20  # bytes between the two
LONGEST_COMMENT = 65_535
LARGE = 0xFFFFFFFF  # stands for a number that is too large for its place


@dataclass(frozen=True, slots=True)
class Member:
    flags: int
    method: int
    checksum: int
    packed_size: int
    size: int
    offset: int
    mode: int


class Archive:
    """The members of an open archive, by name; of several with one name the last counts, as inspect_ai has it."""

    def __init__(self, file: BinaryIO, path: str) -> None:
        self.path = path
        self._file = file
        self._directory, self._shift = _directory(file, path)
        self._places = _places(self._directory, path)
        self._left = MOST_TOGETHER

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def names(self, start: str) -> list[str]:
        """Give the names of JSON files that begin so, in the order in which they were written."""
        return [name for name in self._places if name.startswith(start) and name.endswith(".json")]

    def read(self, name: str) -> bytes:
        """Unpack one member."""
        title = f"{shorten(name)!r} in {self.path!r}"
        try:
            member = _member(self._directory, self._places[name])
            _check(member, title)
            content = self._unpack(member, title)
            if len(content) != member.size or zlib.crc32(content) != member.checksum:
                raise ValueError("its content is not what its checksum says")
        except (HowsureError, OSError):
            raise
        except Exception as error:  # of struct, of zlib, and of whatever unpacks Zstandard
            raise HowsureError(f"{title} is damaged: {system_reason(error)}.") from None
        self._left -= len(content)
        if self._left < 0:
            raise HowsureError(f"{self.path!r} must unpack to at most {MOST_TOGETHER / 1e9:g} GB.")
        return content

    def _unpack(self, member: Member, title: str) -> bytes:
        self._file.seek(member.offset + self._shift)
        fields = LOCAL.unpack(self._file.read(LOCAL.size))
        if fields[0] != b"PK\3\4":
            raise ValueError("it is not where the list of members says")
        self._file.seek(fields[-2] + fields[-1], os.SEEK_CUR)  # its name and more, as the list has them
        packed = self._file.read(member.packed_size)
        if member.method == ZSTANDARD:
            try:
                with open_zstandard(packed, self.path) as reader:
                    return _read_bounded(reader, title)
            except OSError as error:  # of pyarrow, on what is damaged
                raise ValueError(str(error)) from None
        if member.method == DEFLATED:  # one byte more than declared shows that there is more
            return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, member.size + 1)
        return packed


@contextmanager
def open_archive(path: str) -> Iterator[Archive]:
    try:
        with open(path, "rb") as file:
            yield Archive(file, path)
    except OSError as error:
        raise HowsureError(f"{path!r} cannot be opened: {system_reason(error)}.") from None


def _check(member: Member, title: str) -> None:
    if member.flags & ENCRYPTED:
        raise HowsureError(f"{title} is encrypted; give the log as inspect_ai wrote it.")
    if stat.S_ISLNK(member.mode):
        raise HowsureError(f"{title} is a link; give the log as inspect_ai wrote it.")
    if member.method not in (STORED, DEFLATED, ZSTANDARD):
        raise HowsureError(f"{title} is compressed by method {member.method}, not by deflate or Zstandard.")
    if max(member.size, member.packed_size) > MOST_MEMBER:
        _refuse_size(title)


def _read_bounded(reader: Any, title: str) -> bytes:
    content = bytearray()
    while block := reader.read(BLOCK):
        content += block
        if len(content) > MOST_MEMBER:
            _refuse_size(title)
    return bytes(content)


def _refuse_size(title: str) -> None:
    raise HowsureError(f"{title} must unpack to at most {MOST_MEMBER / 1e9:g} GB.")


def _directory(file: BinaryIO, path: str) -> tuple[bytes, int]:
    """Give the list of members, and what to add to all offsets: something may stand before the archive."""
    size = file.seek(0, os.SEEK_END)
    tail_at = max(0, size - END.size - LONGEST_COMMENT - LOCATOR - LARGE_END.size)
    file.seek(tail_at)
    tail = file.read()
    at = tail.rfind(b"PK\5\6")
    if at < 0 or at + END.size > len(tail):
        raise _damaged(path, "it has no list of members at its end")
    *_, length, offset, _ = END.unpack_from(tail, at)
    large_at = at - LOCATOR - LARGE_END.size
    if large_at >= 0 and tail.startswith(b"PK\6\6", large_at):
        at = large_at
        *_, length, offset = LARGE_END.unpack_from(tail, large_at)
    start = tail_at + at - length
    if start < 0 or offset > start:
        raise _damaged(path, "its list of members is not where it should be")
    if length > MOST_DIRECTORY:
        raise HowsureError(f"{path!r} must have a list of members of at most {MOST_DIRECTORY // 10**6} MB.")
    file.seek(start)
    return file.read(length), start - offset


def _places(directory: bytes, path: str) -> dict[str, int]:
    """Give the place of each member in the list, by its name."""
    places, at, end = {}, 0, len(directory)
    lengths = LENGTHS.unpack_from
    while at < end:
        if at + ENTRY.size > end or not directory.startswith(b"PK\1\2", at):
            raise _damaged(path, "its list of members is not one")
        name, extra, comment = lengths(directory, at + LENGTHS_AT)
        start = at + ENTRY.size
        places[directory[start : start + name].decode("utf-8", "surrogateescape")] = at
        at = start + name + extra + comment
    return places


def _member(directory: bytes, at: int) -> Member:
    fields = ENTRY.unpack_from(directory, at)
    flags, method, checksum, packed_size, size = fields[3], fields[4], *fields[7:10]
    name_length, extra_length = fields[10:12]
    name_at = at + ENTRY.size
    extra = directory[name_at + name_length : name_at + name_length + extra_length]
    size, packed_size, offset = _large_numbers(extra, [size, packed_size, fields[16]])
    return Member(flags, method, checksum, packed_size, size, offset, fields[15] >> 16)


def _large_numbers(extra: bytes, numbers: list[int]) -> list[int]:
    """Put those numbers in their places that did not fit: they follow in this order, as far as they are needed."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        at += 4
        if kind == 1:
            values = iter(struct.unpack_from(f"<{length // 8}Q", extra, at))
            return [next(values, LARGE) if number == LARGE else number for number in numbers]
        at += length
    return numbers


def _damaged(path: str, reason: str) -> HowsureError:
    return HowsureError(f"{path!r} is a damaged archive, or was cut off: {reason}; copy or write it again.")
