"""Layout of a table for a given width.

A table that is too wide is narrowed in these steps: the pictures are omitted; then the spare columns, in the order in
which the table lists them; then texts and headings are wrapped between words; then long names are shortened; finally,
the remaining columns continue below. Numbers are never truncated. A line below the table lists what was omitted or
shortened.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from howsure.present.words import Line, fill, pad, text_width, wrap

GAP = "  "
WHOLE_WORD, SHORT_WORD = 30, 20  # width kept for a word, before and after long names are shortened
_NUMBERS = re.compile(r"[-+\d.,e%\[\]() <>=]*|n/a|-?inf|[\d.]+ \S{1,2}")  # last: a number with its unit


@dataclass
class Column:
    """A table column: heading, cells as text, and current width."""

    head: str
    cells: Sequence[str]
    right: bool
    width: int = field(init=False)

    def __post_init__(self) -> None:
        self.natural = max(map(text_width, (self.head, *self.cells)))
        self.width = self.natural

    @property
    def is_shortened(self) -> bool:
        words = (word for text in (self.head, *self.cells) for word in text.split())
        return self.width < self.natural and any(text_width(word) > self.width for word in words)

    @property
    def is_interval(self) -> bool:
        """Whether it contains the intervals of the values in the previous column."""
        return any(cell.startswith("[") for cell in self.cells) and self.holds_numbers

    @property
    def holds_numbers(self) -> bool:
        return all(map(_NUMBERS.fullmatch, self.cells))

    def least(self, word: int) -> int:
        """Return the smallest width that truncates no number and no short word."""
        numbers = [cell for cell in self.cells if _NUMBERS.fullmatch(cell)]
        texts = [self.head, *(cell for cell in self.cells if not _NUMBERS.fullmatch(cell))]
        longest = max((text_width(part) for text in texts for part in text.split()), default=0)
        return max(min(longest, word), max(map(text_width, numbers), default=0))

    def lines(self, text: str) -> list[str]:
        """Wrap a cell to the width of the column."""
        parts = [text] if text_width(text) <= self.width else fill(text.split(), self.width)
        return [pad(part, self.width, right=self.right) for part in parts]

    def tighten(self) -> None:
        """Reduce the width to that of the longest wrapped line."""
        self.width = max(text_width(line.strip()) for text in (self.head, *self.cells) for line in self.lines(text))


def lay_out(
    table: Sequence[Column],
    width: int,
    headings: Mapping[int, str],
    spare: Sequence[str] = (),
    pictures: Column | None = None,
    scales: Mapping[int, str] | None = None,
) -> list[Line]:
    """Return the lines of a table, laid out to fit the width.

    ``headings`` are the headings above rows, by row number, and ``spare`` the columns to omit first. ``scales`` are the
    ranges of the pictures, by the first row to which they apply: each is shown next to the heading of its row, or above
    the pictures if rows have no headings.
    """
    columns = list(table)
    if pictures is not None and _total([*columns, pictures]) <= width:
        columns.append(pictures)
        scales = scales or {}
        if not headings:
            pictures.head = scales.get(0, "")
    else:
        scales = {}
    left_out: list[str] = []
    for head in spare:
        if _total(columns) > width and len(columns) > 1 and head in [column.head for column in columns]:
            columns = [column for column in columns if column.head != head]
            left_out.append(head)
    for word in (WHOLE_WORD, SHORT_WORD):
        _narrow(columns, width, word)
    panels = _panels(columns, width) if columns else []  # a table without rows may have no columns
    lines: list[Line] = []
    for panel in panels:
        lines += [Line("")] if lines else []
        lines += _panel(panel, headings, scales, width)
    changes = [f"without {' and '.join(left_out)}"] if left_out else []
    changes += ["long names are shortened"] if any(column.is_shortened for column in columns) else []
    changes += ["further columns are below"] if len(panels) > 1 else []
    note = wrap(f"({width} columns wide: {', '.join(changes)})", width) if changes else []
    return lines + [Line(text, "note") for text in note]


def _total(columns: Sequence[Column]) -> int:
    return sum(column.width for column in columns) + len(GAP) * (len(columns) - 1)


def _narrow(columns: Sequence[Column], width: int, word: int) -> None:
    """Narrow the widest column repeatedly until the table fits."""
    if _total(columns) <= width:
        return
    least = {id(column): column.least(word) for column in columns}
    for column in columns:
        column.width = min(column.width, max(least[id(column)], width))
    while (excess := _total(columns) - width) > 0:
        able = [column for column in columns if column.width > least[id(column)]]
        if not able:
            break
        widest = max(able, key=lambda column: column.width)
        second = max((column.width for column in able if column is not widest), default=0)
        widest.width -= max(1, min(excess, widest.width - max(second, least[id(widest)])))
    for column in columns:
        column.tighten()


def _panels(columns: Sequence[Column], width: int) -> list[list[Column]]:
    """Distribute the columns over panels if needed, each with the row names."""
    if _total(columns) <= width:
        return [list(columns)]
    for column in columns:
        word = width // 3
        column.width = min(column.natural, max(column.least(word), word))
        column.tighten()
    # The second column also names the rows if it is text and leaves room for others.
    second_names = len(columns) > 2 and not columns[1].holds_numbers and _total(columns[:2]) <= width // 2
    count = 2 if second_names else 1
    names = list(columns[:count])
    bundles: list[list[Column]] = []  # values with their intervals
    for column in columns[count:]:
        if bundles and column.is_interval and _total([*names, *bundles[-1], column]) <= width:
            bundles[-1].append(column)
        else:
            bundles.append([column])
    panels = [list(names)]
    for bundle in bundles:
        if _total([*panels[-1], *bundle]) > width and len(panels[-1]) > count:
            panels.append(list(names))
        panels[-1] += bundle
    return panels


def _panel(columns: Sequence[Column], headings: Mapping[int, str], scales: Mapping[int, str], width: int) -> list[Line]:
    def row(texts: Sequence[str], role: str = "") -> list[Line]:
        cells = [column.lines(text) for column, text in zip(columns, texts, strict=True)]
        height = max(map(len, cells))
        filled = [
            [*cell, *[" " * column.width] * (height - len(cell))] for cell, column in zip(cells, columns, strict=True)
        ]
        return [Line(GAP.join(parts).rstrip(), role) for parts in zip(*filled, strict=True)]

    lines = row([column.head for column in columns], "head")
    lines.append(Line(GAP.join(("-" if column.head else " ") * column.width for column in columns).rstrip(), "rule"))
    for index, texts in enumerate(zip(*(column.cells for column in columns), strict=True)):
        if index in headings:
            lines += [Line("")] * (index > 0)
            lines += _heading(headings[index], scales.get(index, ""), _total(columns[:-1]) + len(GAP), width)
        lines += row(texts)
    return lines


def _heading(text: str, scale: str, start: int, width: int) -> list[Line]:
    """Return the lines of a heading, with the ``scale`` at column ``start``."""
    *lines, last = wrap(text, width)
    if scale and text_width(last) + len(GAP) > start:
        lines, last = [*lines, last], ""
    return [*(Line(line, "heading") for line in lines), Line(pad(last, start) + scale if scale else last, "heading")]
