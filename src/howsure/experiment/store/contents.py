"""What belongs to a run folder: the files that `SHA256SUMS` lists with their digests, and no others.

A line is added before its file is put in place, so that after a crash every file of ours that is in place is listed.
A file that is replaced has two lines for a while, and either will do; `tidy` leaves the one that holds. The format is
that of `sha256sum`, which can check a finished folder by itself.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from howsure.errors import HowsureError, listing, system_reason
from howsure.output import whole_file, write_whole

LIST, LOCK, SCRATCH = "SHA256SUMS", ".lock", ".scratch"
PLAN, TASKS_FILE, PROFILE_FILE = "plan.json", "tasks.parquet", "profile.parquet"
PARTS, PREDICTIONS, SPLITS = "parts", "predictions", "splits"
FOLDERS = (PARTS, PREDICTIONS, SPLITS)
INTACT, CHANGED, MISSING, UNLISTED = "intact", "changed", "missing", "not listed"
PART = re.compile(rf"{PARTS}/([0-9]{{6,}})-([A-Za-z0-9._-]+)\.(tasks|predictions)\.parquet")
OWN = re.compile(
    rf"{LIST}|plan\.json|(tasks|profile)\.parquet|({PREDICTIONS}|{SPLITS})/[A-Za-z0-9_-][A-Za-z0-9._-]*\.parquet"
    rf"|{PART.pattern}"
)
TEMPORARY = re.compile(r"\.(.+)\.[a-z0-9_]{8}")  # as `whole_file` names a file that is not yet in place
LINE = re.compile(r"([0-9a-f]{64})  (.+)")


class DamageError(HowsureError):
    """A file of a run folder is not as it was written."""


@dataclass(frozen=True, eq=False)
class Contents:
    """The files of a folder: names and digests in the order of the list."""

    folder: Path
    lines: list[tuple[str, str]]
    spoiled: bool = False  # has a line that cannot be read
    lasting: bool = True  # outlives a loss of power; not so where the folder is removed with this process

    @classmethod
    def read(cls, folder: Path, *, lenient: bool = False) -> Contents:
        """Read the list; a line that cannot be read is left out where that is ``lenient``, and refused otherwise."""
        refuse_links(folder)
        try:
            text = (folder / LIST).read_bytes().decode("ascii", "replace")
        except FileNotFoundError:
            text = ""
        except OSError as error:
            raise HowsureError(f"{str(folder / LIST)!r} cannot be read: {system_reason(error)}.") from None
        *rows, _ = text.split("\n")  # what follows the last full line was being written when the run was killed
        matches = [LINE.fullmatch(row) for row in rows]
        readable = [match if match and OWN.fullmatch(match[2]) else None for match in matches]
        contents = cls(folder, [(match[2], match[1]) for match in readable if match], None in readable)
        if not lenient:
            if contents.spoiled:
                number = readable.index(None) + 1
                raise DamageError(f"line {number} of {str(folder / LIST)!r} was changed, {_REMEDY}.")
            contents._refuse_gaps()
        return contents

    @cached_property
    def digests(self) -> dict[str, list[str]]:
        """The digests of each file: two while it is replaced."""
        digests: dict[str, list[str]] = {}
        for name, digest in self.lines:
            digests.setdefault(name, []).append(digest)
        return digests

    def gaps(self) -> list[str]:
        """Name the files that are listed and not there, where no crash explains that.

        The last file listed may not have been put in place yet. Parts are removed when all joined files are in place,
        of which the list of tasks is the last.
        """
        there = set(own_names(self.folder))
        joined = [
            TASKS_FILE in there and line == (TASKS_FILE, file_digest(self.folder / TASKS_FILE)) for line in self.lines
        ]
        last_join = max((number for number, is_join in enumerate(joined) if is_join), default=-1)
        return sorted(
            {
                name
                for number, (name, _) in enumerate(self.lines[:-1])
                if name not in there and not (PART.fullmatch(name) and number < last_join)
            }
        )

    def _refuse_gaps(self) -> None:
        for name in self.gaps():
            raise DamageError(f"{str(self.folder / name)!r} is missing, {_REMEDY}.")
        for name in self.strangers():
            if not PART.fullmatch(name):
                raise DamageError(f"{str(self.folder / name)!r} is not listed in {LIST}, {_REMEDY}.")

    def names(self) -> list[str]:
        """Name the files that are there and belong to the run."""
        return [name for name in own_names(self.folder) if name in self.digests]

    def strangers(self) -> list[str]:
        """Name the files that are there and not listed: somebody copied them here, or the list was cut."""
        return [name for name in own_names(self.folder) if name not in self.digests]

    def check(self, name: str) -> Path:
        """Give the path of a file that is as it was written."""
        path = self.folder / name
        if file_digest(path) not in self.digests.get(name, ()):
            raise DamageError(f"{str(path)!r} is not as it was written (its digest differs), {_REMEDY}.")
        return path

    def states(self) -> dict[str, str]:
        """Say of each file, listed or there, whether it is intact, changed, missing or not listed."""
        there, listed = set(own_names(self.folder)), self.digests
        states = dict.fromkeys(sorted(set(listed) | there), INTACT)
        for name in states:
            if name not in there:
                states[name] = MISSING
            elif name not in listed:
                states[name] = UNLISTED
            elif file_digest(self.folder / name) not in listed[name]:
                states[name] = CHANGED
        return {**states, LIST: CHANGED} if self.spoiled else states

    @contextmanager
    def writing(self, name: str) -> Iterator[str]:
        """Give a temporary file, which is listed with its digest and then takes the place of the file ``name``."""
        size = os.path.getsize(self.folder / LIST)
        try:
            with whole_file(self.folder / name, lasting=self.lasting) as temporary:
                yield temporary
                digest = file_digest(temporary)
                self._append(f"{digest}  {name}\n".encode())
        except BaseException:  # the line goes too, or the next would hide that this was the last
            with suppress(OSError):
                os.truncate(self.folder / LIST, size)
            raise
        self.add(name, digest)

    def _append(self, line: bytes) -> None:
        handle = os.open(self.folder / LIST, os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0))
        try:
            if os.write(handle, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if self.lasting:
                os.fsync(handle)
        finally:
            os.close(handle)

    def add(self, name: str, digest: str) -> None:
        """Take a file for one of the run."""
        self.digests.setdefault(name, []).append(digest)
        self.lines.append((name, digest))

    def tidy(self) -> Contents:
        """List just the files that are there, each with the digest that it has."""
        # The plan last: the last file listed may be missing after a crash, and without a plan there is no run.
        digests = {name: file_digest(self.folder / name) for name in sorted(self.names(), key=PLAN.__eq__)}
        text = "".join(f"{digest}  {name}\n" for name, digest in digests.items())
        path = self.folder / LIST
        if not path.exists() or path.read_bytes() != text.encode():
            write_whole(path, text)
        return Contents(self.folder, list(digests.items()), lasting=self.lasting)


_REMEDY = "so the folder was damaged; run the experiment again, which does anew what was lost"


def file_digest(path: str | os.PathLike[str]) -> str:
    """Give the SHA-256 of a file, which is computed again when the file has changed."""
    status = os.stat(path)
    return _digest(os.fspath(path), status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size)


@lru_cache(maxsize=4096)
def _digest(path: str, *state: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def own_names(folder: Path) -> list[str]:
    """Name the files in a folder that have a name of ours, but for the list itself."""
    return sorted(name for name, _ in _files(folder) if name != LIST and OWN.fullmatch(name))


def leftovers(folder: Path) -> list[Path]:
    """List the files that a killed run had not yet put in place."""
    return [
        Path(entry.path)
        for name, entry in _files(folder)
        if (match := TEMPORARY.fullmatch(entry.name)) and OWN.fullmatch(name.removesuffix(entry.name) + match[1])
    ]


def foreign_names(folder: Path) -> list[str]:
    """Name what is in a folder and not ours."""
    ours = {LIST, LOCK, SCRATCH, *FOLDERS}
    beside = [entry.name for entry in os.scandir(folder) if entry.name not in ours]
    within = [f"{name}/{entry}" for name in FOLDERS if (folder / name).is_dir() for entry in os.listdir(folder / name)]
    temporary = {str(path.relative_to(folder)) for path in leftovers(folder)}
    return sorted(name for name in (*beside, *within) if not OWN.fullmatch(name) and name not in temporary)


def _files(folder: Path) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Give the name within the folder, and the entry, of each file in it and in its subfolders."""
    for prefix, place in (("", folder), *((f"{name}/", folder / name) for name in FOLDERS)):
        if place.is_dir():
            with os.scandir(place) as entries:
                yield from ((prefix + entry.name, entry) for entry in entries if entry.is_file())


def refuse_links(folder: Path) -> None:
    """Refuse links among our files: they would lead reading and deleting elsewhere. The folder itself may be one."""
    links = [name for name in (*FOLDERS, SCRATCH, LOCK, LIST) if (folder / name).is_symlink()]
    links += [] if links else [name for name, entry in _files(folder) if OWN.fullmatch(name) and entry.is_symlink()]
    if links:
        raise HowsureError(
            f"{str(folder)!r} holds {listing(links)} as {'a link' if len(links) == 1 else 'links'}; "
            "a run must have its own files: put there what is linked, or give another folder."
        )
