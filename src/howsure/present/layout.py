"""How a table fits a width.

What is too wide gives way in this order: the pictures; the columns that the table can spare, in the order it names
them; texts and headings, which are wrapped at words; long names, which are shortened; and last the columns that find no
room, which go on below. Numbers are never cut. A line below the table says what was left out or shortened.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from howsure.present.words import Line, columns, fill, pad, wrap

GAP = "  "
LONG, SHORT = 30, 20  # columns that a word keeps while texts are wrapped, and when it is shortened
_NUMBERS = re.compile(r"[-+\d.,e%\[\]() <>=]*|n/a|-?inf|[\d.]+ \S{1,2}")  # the last with a unit


@dataclass
class Column:
    """A column of a table: its heading and cells as text, and the width it is given."""

    head: str
    cells: Sequence[str]
    right: bool
    width: int = field(init=False)
    widest: int = field(init=False)  # of the cells, which are many

    def __post_init__(self) -> None:
        self.widest = max(map(columns, self.cells), default=0)
        self.width = self.natural

    @property
    def natural(self) -> int:
        return max(columns(self.head), self.widest)

    @property
    def shortened(self) -> bool:
        return self.width < self.natural and any(
            columns(word) > self.width for text in (self.head, *self.cells) for word in text.split()
        )

    @property
    def is_interval(self) -> bool:
        """It belongs to the value before it."""
        return any(cell.startswith("[") for cell in self.cells) and self.holds_numbers

    @property
    def holds_numbers(self) -> bool:
        return all(map(_NUMBERS.fullmatch, self.cells))

    def least(self, word: int) -> int:
        """Give the width that it needs where no word needs to be longer than ``word``; numbers are not words."""
        texts = [self.head, *(cell for cell in self.cells if not _NUMBERS.fullmatch(cell))]
        longest = max((columns(part) for text in texts for part in text.split()), default=0)
        numbers = max((columns(cell) for cell in self.cells if _NUMBERS.fullmatch(cell)), default=0)
        return max(min(longest, word), numbers)

    def lines(self, text: str) -> list[str]:
        """Give a cell as lines of its width."""
        room = self.width - columns(text)
        if room >= 0:
            return [" " * room + text if self.right else text + " " * room]
        return [pad(line, self.width, right=self.right) for line in fill(text.split(), self.width)]

    def tighten(self) -> None:
        """Give back the width that its lines, as they are wrapped, do not use."""
        self.width = max(columns(line.strip()) for text in (self.head, *self.cells) for line in self.lines(text))


def lay_out(
    table: Sequence[Column],
    width: int,
    headings: Mapping[int, str],
    spare: Sequence[str] = (),
    pictures: Column | None = None,
    scales: Mapping[int, str] | None = None,
) -> list[Line]:
    """Give the lines of a table; ``headings`` stand above rows, ``spare`` are columns that it can do without.

    ``scales`` say which range pictures show, from a row on: they stand above them beside the heading of that row, or
    at the head of the column where rows have no headings.
    """
    kept = [*table, pictures] if pictures is not None else list(table)
    if pictures is not None and _total(kept) > width:
        kept.remove(pictures)
        pictures = None
    scales = scales if pictures is not None and scales else {}
    if pictures is not None and not headings:
        pictures.head = scales.get(0, "")
    left_out: list[str] = []
    for head in spare:
        if _total(kept) > width and len(kept) > 1:
            kept, dropped = [one for one in kept if one.head != head], [one.head for one in kept if one.head == head]
            left_out += dropped
    for word in (LONG, SHORT):
        _narrow(kept, width, word)
    panels = _panels(kept, width) if kept else []  # a table without rows may have no columns
    lines: list[Line] = []
    for panel in panels:
        lines += [Line("")] if lines else []
        lines += _panel(panel, headings, scales, width)
    said = [f"without {' and '.join(left_out)}"] if left_out else []
    said += ["long names are shortened"] if any(column.shortened for column in kept) else []
    said += ["further columns are below"] if len(panels) > 1 else []
    told = wrap(f"({width} columns wide: {', '.join(said)})", width) if said else []
    return lines + [Line(text, "note") for text in told]


def _total(table: Sequence[Column]) -> int:
    return sum(column.width for column in table) + len(GAP) * (len(table) - 1)


def _narrow(table: Sequence[Column], width: int, word: int) -> None:
    """Take width from the widest column that can spare some, until the table fits or none can."""
    if _total(table) <= width:
        return
    least = {id(column): column.least(word) for column in table}
    for column in table:
        column.width = min(column.width, max(least[id(column)], width))
    while (excess := _total(table) - width) > 0:
        able = [column for column in table if column.width > least[id(column)]]
        if not able:
            break
        widest = max(able, key=lambda column: column.width)
        others = max((column.width for column in able if column is not widest), default=0)
        widest.width -= max(1, min(excess, widest.width - max(others, least[id(widest)])))
    for column in table:
        column.tighten()


def _panels(table: Sequence[Column], width: int) -> list[list[Column]]:
    """Deal columns that do not fit side by side to panels below each other, each led by the names of the rows."""
    if _total(table) <= width:
        return [list(table)]
    for column in table:
        word = width // 3
        column.width = min(column.natural, max(column.least(word), word))
        column.tighten()
    lead, rest = _lead(table, width)
    bundles: list[list[Column]] = []
    for column in rest:
        if bundles and column.is_interval and _total([*lead, *bundles[-1], column]) <= width:
            bundles[-1].append(column)
        else:
            bundles.append([column])
    panels = [list(lead)]
    for bundle in bundles:
        if _total([*panels[-1], *bundle]) > width and len(panels[-1]) > len(lead):
            panels.append(list(lead))
        panels[-1] += bundle
    return panels


def _lead(table: Sequence[Column], width: int) -> tuple[Sequence[Column], Sequence[Column]]:
    """Tell the columns that name the rows, the first and the second where it is text, from the others."""
    second_names = len(table) > 2 and not table[1].holds_numbers and _total(table[:2]) <= width // 2
    count = 2 if second_names else 1
    return table[:count], table[count:]


def _panel(table: Sequence[Column], headings: Mapping[int, str], scales: Mapping[int, str], width: int) -> list[Line]:
    def row(texts: Sequence[str], role: str = "") -> list[Line]:
        cells = [column.lines(text) for column, text in zip(table, texts, strict=True)]
        high = max(map(len, cells))
        filled = [
            [*cell, *[" " * column.width] * (high - len(cell))] for cell, column in zip(cells, table, strict=True)
        ]
        return [Line(GAP.join(parts).rstrip(), role) for parts in zip(*filled, strict=True)]

    lines = row([column.head for column in table], "head")
    lines.append(Line(GAP.join(("-" if column.head else " ") * column.width for column in table).rstrip(), "rule"))
    for index, texts in enumerate(zip(*(column.cells for column in table), strict=True)):
        if index in headings:
            lines += [Line("")] * (index > 0)
            lines += _heading(headings[index], scales.get(index, ""), _total(table[:-1]) + len(GAP), width)
        lines += row(texts)
    return lines


def _heading(text: str, scale: str, start: int, width: int) -> list[Line]:
    """Give the lines of a heading, the last with the scale of the pictures below it, that begins at ``start``."""
    *lines, last = wrap(text, width)
    if scale and columns(last) + len(GAP) > start:
        lines, last = [*lines, last], ""
    return [*(Line(line, "heading") for line in lines), Line(pad(last, start) + scale if scale else last, "heading")]
