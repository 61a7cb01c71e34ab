"""Columns that look like identifiers and repeat: their cases may belong together, and nobody said so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from howsure.data.read.formats.declare import Scan, Wanted

UNITS = (
    "patient", "subject", "person", "participant", "user", "customer", "client", "account", "author", "speaker",
    "document", "doc", "article", "page", "topic", "question", "prompt", "session", "device", "study", "scan", "image",
    "slide", "video", "household", "family", "school", "hospital",
)  # fmt: skip
WORD = rf"(?:{'|'.join(UNITS)})(?:[ ._-]?(?:id|no|number|code|key|name))?"
IDENTIFIER = re.compile(rf"(?is)(?:.+[ ._-])?id|(?-i:.*[a-z](?:Id|ID))|{WORD}")  # userId, but not "valid" or "paid"
LOOKED_AT = 100_000  # rows of a file
MOST = 3  # columns that are named


def unused(columns: Iterable[Any], used: Iterable[str]) -> list[str]:
    """Give the names that look like those of identifiers, among columns that were not asked for."""
    taken = set(used)
    return [name for name in columns if isinstance(name, str) and name not in taken and IDENTIFIER.fullmatch(name)][
        :MOST
    ]


def repeats(rows: int, distinct: int) -> bool:
    """Whether some values stand in several rows; one value in all rows says nothing."""
    return 1 < distinct < rows


def repeated_in_frame(frame: Any, used: Iterable[str]) -> tuple[str, ...]:
    """Find such columns of a data frame."""
    if isinstance(frame, Mapping):
        return ()
    names = unused(frame.columns, used)
    return tuple(
        name for name in names if frame.columns.count(name) == 1 and repeats(len(frame), frame[name].n_unique())
    )


def repeated_in_engine(frame: Any, used: Iterable[str]) -> tuple[str, ...]:
    """Find such columns of a lazy frame, by some of its rows."""
    import narwhals as nw

    found = []
    for name in unused(frame.collect_schema().names(), used):
        column = nw.col(name)
        some = (
            frame.select(name).head(LOOKED_AT).select(column.count().alias("rows"), column.n_unique().alias("values"))
        )
        looked = some.collect()
        if repeats(int(looked["rows"][0]), int(looked["values"][0])):
            found.append(name)
    return tuple(found)


def repeated_in_files(
    scan_of: Callable[[Wanted], Scan], columns: Sequence[str], used: Iterable[str]
) -> tuple[str, ...]:
    """Find such columns of files, by their first rows."""
    found = []
    for name in unused(columns, used):
        if columns.count(name) > 1:
            continue
        scan = scan_of([(name, "cluster")])
        looked_at = f"(SELECT {scan.aliases[name]} FROM {scan.scan()} LIMIT {LOOKED_AT})"
        ((rows, distinct),) = scan.fetch(f"SELECT count(*), count(DISTINCT {scan.text(name)}) FROM {looked_at}")
        if repeats(rows, distinct):
            found.append(name)
    return tuple(found)
