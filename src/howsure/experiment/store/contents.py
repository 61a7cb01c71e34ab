"""The files of a run folder: those that `SHA256SUMS` lists with their digests, and no others.

A line is added before its file is moved into the folder, so every file that exists after a crash is listed. While a
file is being replaced it has two lines and may match either; `tidy` removes the outdated one. The format is that of the
program `sha256sum`, which can check a finished folder.
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
TEMPORARY = re.compile(r"\.(.+)\.[a-z0-9_]{8}")  # names of temporary files created by `whole_file`
LINE = re.compile(r"([0-9a-f]{64})  (.+)")


class DamageError(HowsureError):
    """A file of a run folder differs from the file that was written."""


@dataclass(frozen=True, eq=False)
class Contents:
    """The files of a folder: names and digests in the order of the list."""

    folder: Path
    lines: list[tuple[str, str]]
    has_damaged_line: bool = False
    durable: bool = True  # flush files to the disk; not needed for a temporary folder

    @classmethod
    def read(cls, folder: Path, *, lenient: bool = False) -> Contents:
        """Read the list; raise an error if it is damaged, unless ``lenient``."""
        refuse_links(folder)
        try:
            text = (folder / LIST).read_bytes().decode("ascii", "replace")
        except FileNotFoundError:
            text = ""
        except OSError as error:
            raise HowsureError(f"{str(folder / LIST)!r} cannot be read: {system_reason(error)}.") from None
        *rows, _ = text.split("\n")  # a last line without a newline was being written when the run was killed
        matches = [LINE.fullmatch(row) for row in rows]
        readable = [match if match and OWN.fullmatch(match[2]) else None for match in matches]
        contents = cls(folder, [(match[2], match[1]) for match in readable if match], None in readable)
        if not lenient:
            if contents.has_damaged_line:
                number = readable.index(None) + 1
                raise DamageError(f"line {number} of {str(folder / LIST)!r} was changed, {_REMEDY}.")
            contents._refuse_damage()
        return contents

    @cached_property
    def digests(self) -> dict[str, list[str]]:
        """The digests of each file: two while the file is being replaced."""
        digests: dict[str, list[str]] = {}
        for name, digest in self.lines:
            digests.setdefault(name, []).append(digest)
        return digests

    def lost_files(self) -> list[str]:
        """Return the listed files whose absence cannot be explained by a crash.

        After a crash the last listed file may be missing, since it is listed before it is moved into the folder. Parts
        may be missing once the joined files are complete; the list of tasks is the last of these.
        """
        existing = set(own_names(self.folder))
        joined = [
            TASKS_FILE in existing and line == (TASKS_FILE, file_digest(self.folder / TASKS_FILE))
            for line in self.lines
        ]
        last_join = max((number for number, is_join in enumerate(joined) if is_join), default=-1)
        return sorted(
            {
                name
                for number, (name, _) in enumerate(self.lines[:-1])
                if name not in existing and not (PART.fullmatch(name) and number < last_join)
            }
        )

    def _refuse_damage(self) -> None:
        for name in self.lost_files():
            raise DamageError(f"{str(self.folder / name)!r} is missing, {_REMEDY}.")
        for name in self.unlisted_files():
            if not PART.fullmatch(name):
                raise DamageError(f"{str(self.folder / name)!r} is not listed in {LIST}, {_REMEDY}.")

    def names(self) -> list[str]:
        """Return the listed files that exist."""
        return [name for name in own_names(self.folder) if name in self.digests]

    def unlisted_files(self) -> list[str]:
        """Return the files that exist but are not listed."""
        return [name for name in own_names(self.folder) if name not in self.digests]

    def check(self, name: str) -> Path:
        """Return the path of a file after comparing it with its digest."""
        path = self.folder / name
        if file_digest(path) not in self.digests.get(name, ()):
            raise DamageError(f"{str(path)!r} was changed after it was written (its digest differs), {_REMEDY}.")
        return path

    def states(self) -> dict[str, str]:
        """Return the state of each file: intact, changed, missing or not listed."""
        existing, listed = set(own_names(self.folder)), self.digests
        states = dict.fromkeys(sorted(set(listed) | existing), INTACT)
        for name in states:
            if name not in existing:
                states[name] = MISSING
            elif name not in listed:
                states[name] = UNLISTED
            elif file_digest(self.folder / name) not in listed[name]:
                states[name] = CHANGED
        return {**states, LIST: CHANGED} if self.has_damaged_line else states

    @contextmanager
    def writing(self, name: str) -> Iterator[str]:
        """Yield a temporary file, then list it and move it to ``name``."""
        size = os.path.getsize(self.folder / LIST)
        try:
            with whole_file(self.folder / name, durable=self.durable) as temporary:
                yield temporary
                digest = file_digest(temporary)
                self._append(f"{digest}  {name}\n".encode())
        except BaseException:  # remove the line, as only the last listed file may be missing
            with suppress(OSError):
                os.truncate(self.folder / LIST, size)
            raise
        self.add(name, digest)

    def _append(self, line: bytes) -> None:
        handle = os.open(self.folder / LIST, os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0))
        try:
            if os.write(handle, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if self.durable:
                os.fsync(handle)
        finally:
            os.close(handle)

    def add(self, name: str, digest: str) -> None:
        """Add a file to the list in memory."""
        self.digests.setdefault(name, []).append(digest)
        self.lines.append((name, digest))

    def tidy(self) -> Contents:
        """Write a list of the files that exist, with their current digests."""
        # The plan comes last: the last listed file may be missing after a crash, and without a plan there is no run.
        digests = {name: file_digest(self.folder / name) for name in sorted(self.names(), key=PLAN.__eq__)}
        text = "".join(f"{digest}  {name}\n" for name, digest in digests.items())
        path = self.folder / LIST
        if not path.exists() or path.read_bytes() != text.encode():
            write_whole(path, text)
        return Contents(self.folder, list(digests.items()), durable=self.durable)


_REMEDY = "so the folder was damaged; run the experiment again to repeat the tasks that were lost"


def file_digest(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of a file, cached until the file changes."""
    status = os.stat(path)
    return _digest(os.fspath(path), status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size)


@lru_cache(maxsize=4096)
def _digest(path: str, *state: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def own_names(folder: Path) -> list[str]:
    """Return a folder's files with names used by a run, except for the list."""
    return sorted(name for name, _ in _files(folder) if name != LIST and OWN.fullmatch(name))


def temporary_files(folder: Path) -> list[Path]:
    """Return the temporary files that a killed run left behind."""
    return [
        Path(entry.path)
        for name, entry in _files(folder)
        if (match := TEMPORARY.fullmatch(entry.name)) and OWN.fullmatch(name.removesuffix(entry.name) + match[1])
    ]


def foreign_names(folder: Path) -> list[str]:
    """Return the files of a folder that do not belong to a run."""
    own = {LIST, LOCK, SCRATCH, *FOLDERS}
    beside = [entry.name for entry in os.scandir(folder) if entry.name not in own]
    within = [f"{name}/{entry}" for name in FOLDERS if (folder / name).is_dir() for entry in os.listdir(folder / name)]
    temporary = {str(path.relative_to(folder)) for path in temporary_files(folder)}
    return sorted(name for name in (*beside, *within) if not OWN.fullmatch(name) and name not in temporary)


def _files(folder: Path) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield relative name and entry of each file, including subfolders."""
    for prefix, subfolder in (("", folder), *((f"{name}/", folder / name) for name in FOLDERS)):
        if subfolder.is_dir():
            with os.scandir(subfolder) as entries:
                yield from ((prefix + entry.name, entry) for entry in entries if entry.is_file())


def refuse_links(folder: Path) -> None:
    """Reject links in the folder; the folder itself may be a link."""
    links = [name for name in (*FOLDERS, SCRATCH, LOCK, LIST) if (folder / name).is_symlink()]
    links += [] if links else [name for name, entry in _files(folder) if OWN.fullmatch(name) and entry.is_symlink()]
    if links:
        raise HowsureError(
            f"{str(folder)!r} holds {listing(links)} as {'a link' if len(links) == 1 else 'links'}, but "
            "a run needs its own files: replace links with the files, or give another folder."
        )
