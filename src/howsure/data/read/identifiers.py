"""Find unused repeated identifiers, which may indicate clusters."""

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
IDENTIFIER = re.compile(rf"(?is)(?:.+[ ._-])?id|(?-i:.*[a-z](?:Id|ID))|{WORD}")  # not "valid" or "paid"
ROWS = 100_000  # number of rows of a file or lazy frame that are checked
MAXIMUM = 3  # maximum number of columns to report


def _unused(columns: Iterable[Any], used: Iterable[str]) -> list[str]:
    """Return the first unused columns that are named like identifiers."""
    excluded = set(used)
    names = [name for name in columns if isinstance(name, str) and name not in excluded]
    return [name for name in names if IDENTIFIER.fullmatch(name)][:MAXIMUM]


def _repeats(rows: int, distinct: int) -> bool:
    """Return whether there are several values, some in several rows."""
    return 1 < distinct < rows


def repeated_in_frame(frame: Any, used: Iterable[str]) -> tuple[str, ...]:
    """Find unused repeated identifiers in a data frame."""
    if isinstance(frame, Mapping):
        return ()
    names = _unused(frame.columns, used)
    return tuple(
        name for name in names if frame.columns.count(name) == 1 and _repeats(len(frame), frame[name].n_unique())
    )


def repeated_in_engine(frame: Any, used: Iterable[str]) -> tuple[str, ...]:
    """Find unused repeated identifiers at the start of a lazy frame."""
    import narwhals as nw

    repeated = []
    for name in _unused(frame.collect_schema().names(), used):
        column = nw.col(name)
        counts = column.count().alias("rows"), column.n_unique().alias("values")
        row = frame.select(name).head(ROWS).select(*counts).collect()
        if _repeats(int(row["rows"][0]), int(row["values"][0])):
            repeated.append(name)
    return tuple(repeated)


def repeated_in_files(
    scan_of: Callable[[Wanted], Scan], columns: Sequence[str], used: Iterable[str]
) -> tuple[str, ...]:
    """Find unused repeated identifiers at the start of files."""
    repeated = []
    for name in _unused(columns, used):
        if columns.count(name) > 1:
            continue
        scan = scan_of([(name, "cluster")])
        first = f"(SELECT {scan.aliases[name]} FROM {scan.scan()} LIMIT {ROWS})"
        ((rows, distinct),) = scan.fetch(f"SELECT count(*), count(DISTINCT {scan.text(name)}) FROM {first}")
        if _repeats(rows, distinct):
            repeated.append(name)
    return tuple(repeated)
