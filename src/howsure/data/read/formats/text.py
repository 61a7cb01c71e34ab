"""Text with a heading and a separator: CSV and TSV.

The separator is the one that splits the heading into the wanted columns. Columns are selected by position, since DuckDB
renames columns with equal names, or names such as "y" and "Y".
"""

from __future__ import annotations

import csv
import mmap
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from typing import Any

from howsure.data.literals import NO_VALUE
from howsure.data.read.column_names import check_column
from howsure.data.read.compression import BYTE_ORDER_MARK, compression, is_gzip, open_bytes, open_text
from howsure.data.read.formats.declare import Format, Scan, Wanted, declare_format
from howsure.errors import HowsureError
from howsure.sql import file_list, literal

SEPARATORS = (",", ";", "\t", "|")
LONGEST_LINE = 1 << 20  # maximum number of characters in a heading
LONGEST_ROW = 16_000_000  # maximum number of bytes in a row
MAX_LINES = 50  # number of lines that are searched for the heading


@dataclass(frozen=True, slots=True)
class Heading:
    """The names of the columns of a text file, and its layout."""

    names: tuple[str, ...]
    separator: str
    skipped: int  # number of lines before the heading
    gzipped: bool
    next_width: int  # number of fields in the next line
    line_end: str = ""  # SQL option, if DuckDB would not detect the line end


class Text(Scan):
    text_labels = True

    def __init__(
        self, *args: Any, separators: Sequence[str] = SEPARATORS, missing_words: frozenset[str] = NO_VALUE
    ) -> None:
        super().__init__(*args)
        self.missing_words = missing_words
        self._headings = {}
        for path, file_name in self.files.names.items():
            self._headings[path] = check_heading(path, file_name, self.wanted, separators=separators)
        for path, heading in self._headings.items():
            if _has_quotes(path, self.files.names[path]):  # an unclosed quote raises an error here
                self.database.execute(f"SELECT count(*) FROM ({self._read(heading, [path], parallel=True)})")

    def columns(self) -> list[str]:
        return list(next(iter(self._headings.values())).names)

    def text(self, name: str) -> str:
        return self.aliases[name]

    def scan(self, paths: Sequence[str] = ()) -> str:
        runs = groupby(paths or self._headings, key=self._headings.__getitem__)
        return "(" + " UNION ALL ".join(self._read(heading, list(run)) for heading, run in runs) + ")"

    def _read(self, heading: Heading, paths: Sequence[str], parallel: bool = False) -> str:
        """Return SQL that reads text files with the same heading.

        In parallel, DuckDB 2.0 skips a row with too few fields at the start of an 8 MB block, and silently loses the
        rows after it. A single reader does not, and is as fast on two cores, but it accepts an unclosed quote. Files
        with quotes are therefore first scanned in parallel, which fails for such a quote.
        """
        columns = ", ".join(f"h{heading.names.index(name)} AS {alias}" for name, alias in self.aliases.items())
        types = ", ".join(f"h{index}: 'VARCHAR'" for index in range(len(heading.names)))
        line_end = f"new_line={literal(heading.line_end)}, " if heading.line_end else ""
        return (
            f"SELECT {columns} FROM read_csv({file_list(paths)}, auto_detect=false, columns={{{types}}}, header=true, "
            f"skip={heading.skipped}, delim={literal(heading.separator)}, quote='\"', escape='\"', "
            f"{line_end}parallel={parallel}, max_line_size={LONGEST_ROW}, buffer_size={2 * LONGEST_ROW}, "
            f"hive_partitioning=false{compression(paths)})"
        )


def check_heading(path: str, file_name: str, wanted: Wanted, *, separators: Sequence[str] = SEPARATORS) -> Heading:
    """Read the heading, and reject it if it lacks the wanted columns."""
    wanted = list(wanted)
    heading = _heading(path, separators, {name for name, _ in wanted}, file_name)
    doubtful = len(heading.names) < heading.next_width  # there may be a title or comment above the heading
    for name, role in wanted:
        check_column(role, name, heading.names, repr(file_name), doubtful_heading=doubtful)
    return heading


def _heading(path: str, separators: Sequence[str], wanted: set[str], file_name: str) -> Heading:
    with open_text(path, file_name) as file:
        lines = list(islice(iter(lambda: file.readline(LONGEST_LINE), ""), MAX_LINES))
    skipped = next((index for index, line in enumerate(lines) if line.strip()), 0)
    named_separator = re.fullmatch(r"sep=(.)\s*", lines[skipped], re.IGNORECASE) if lines else None
    if named_separator:  # a line such as "sep=;", which Excel writes
        skipped += 1
        separators = (named_separator[1],)
    lines = lines[skipped:]
    if not lines:
        raise HowsureError(f"{file_name!r} must hold at least one case, but it has no rows.")

    def fields(separator: str) -> list[list[str]]:
        """Split the heading and the next line."""
        before = csv.field_size_limit(LONGEST_LINE * MAX_LINES)  # Python's default limit is lower
        try:
            rows = list(islice((row for row in csv.reader(lines, delimiter=separator) if row), 2))
        except csv.Error:
            rows = []
        finally:
            csv.field_size_limit(before)
        return [*rows, [], []][:2]

    def fit(separator: str) -> tuple[bool, int, int]:
        heading, row = fields(separator)
        return wanted <= set(heading), len(heading), len(row)

    separator = max(separators, key=fit)
    heading, row = fields(separator)
    line_end = ""
    if any("\n" in name or "\r" in name for name in heading):  # DuckDB would mistake it for the line end of the file
        reader = csv.reader(lines, delimiter=separator)
        next(row for row in reader if row)
        last = lines[reader.line_num - 1]
        end = last[len(last.rstrip("\r\n")) :]
        line_end = repr(end)[1:-1]
        breaks = re.findall(r"\r\n|\r|\n", heading[0])
        with open_bytes(path, file_name) as content:
            if breaks and not skipped and content.read(len(BYTE_ORDER_MARK)) == BYTE_ORDER_MARK:
                # After the byte order mark, DuckDB takes a quote literally, and splits the first name into rows.
                skipped = len(breaks)
                if set(breaks) != {end}:
                    raise HowsureError(
                        f"{file_name!r} cannot be read: the name of its first column has a line break, and a byte "
                        "order mark before it; rename the column, or save the file without the mark."
                    )
    return Heading(tuple(heading), separator, skipped, is_gzip(path), len(row), line_end)


def _has_quotes(path: str, file_name: str) -> bool:
    """Return whether there are quotes; reject a last row that is too long."""
    if is_gzip(path):
        quotes, since = False, 0
        with open_bytes(path, file_name) as file:
            while block := file.read(1 << 20):
                quotes = quotes or b'"' in block
                end = max(block.rfind(b"\n"), block.rfind(b"\r"))
                since = since + len(block) if end < 0 else len(block) - end - 1
    else:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            quotes = content.find(b'"') >= 0
            start = max(0, len(content) - LONGEST_ROW - 1)
            end = max(content.rfind(b"\n", start), content.rfind(b"\r", start))
            since = len(content) - max(end + 1, start)
    if since > LONGEST_ROW:
        raise HowsureError(
            f"{file_name!r} cannot be read as CSV: its last row has more than {LONGEST_ROW:,} bytes, "
            "which is the limit."
        )
    return quotes


TAB = ("\t",)
declare_format(Format("csv", "CSV", (".csv", ".txt"), Text, check_start=check_heading))
declare_format(
    Format(
        "tsv",
        "TSV",
        (".tsv", ".tab"),
        partial(Text, separators=TAB),
        check_start=partial(check_heading, separators=TAB),
    )
)
