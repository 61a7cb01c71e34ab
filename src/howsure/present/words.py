"""Lines of text for a terminal: how wide they are, and how they are wrapped, padded and shortened."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple

WIDTH = 80  # default width of a text
MINIMUM = 40  # smallest width of a text
LONGEST_REPR = 300  # largest width of a repr, which is a single line
# Words that stay on one line: an interval, "n = 12", "rope 0.01", "5 %", or any single word.
_PHRASE = re.compile(r"\[[-+\d.,e ]+\]\S*|\S+ = [-+\d.]\S*|\S{1,20} [-+]?\d[-+\d.e]*(?: %)?\S*|[-+]?\d\S* %\S*|\S+")


class Line(NamedTuple):
    """A line of text and its role, such as "headline", for colouring."""

    text: str
    role: str = ""


def joined(lines: Iterable[Line]) -> str:
    return "\n".join(line.text for line in lines)


def styled(text: str, width: int, role: str) -> list[Line]:
    """Wrap a sentence into lines with the same role."""
    return [Line(line, role) for line in wrap(text, width)]


def side_by_side(hints: Sequence[str], width: int) -> list[Line]:
    """Arrange hints on how to show more in as few lines as possible."""
    return [Line(line, "note") for line in fill(hints, width, gap="   ")]


def beside(left: Sequence[Line], right: Sequence[Line], *, width: int, gap: int = 4) -> list[Line]:
    """Place two blocks side by side if they fit, otherwise in sequence."""
    start = max(text_width(line.text) for line in left) + gap
    if start + max(text_width(line.text) for line in right) > width:
        return [*left, Line(""), *right]
    pairs = zip_longest(left, right, fillvalue=Line(""))
    return [Line((pad(a.text, start) + b.text).rstrip(), a.role or b.role) for a, b in pairs]


def text_width(text: str) -> int:
    """Return the width of a text: 2 per wide character, 0 per combining mark."""
    return len(text) if text.isascii() else sum(map(_letter_width, text))


def _letter_width(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Pad a text with spaces to a width; ``right`` aligns it to the right."""
    room = " " * (width - text_width(text))
    return room + text if right else text + room


def writable(letters: str, otherwise: str) -> str:
    """Return ``letters`` if standard output can encode them."""
    try:
        letters.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return otherwise
    return letters


def shorten(text: str, width: int) -> str:
    """Shorten a long text in the middle, since names differ at their ends."""
    if text_width(text) <= width:
        return text
    mark = writable("…", "..")
    room = width - text_width(mark)
    tail = _start_of(text[::-1], room // 2)[::-1]
    return _start_of(text, room - text_width(tail)) + mark + tail


def _start_of(text: str, width: int) -> str:
    """Return the longest prefix that fits the width."""
    used = 0
    for index, letter in enumerate(text):
        used += _letter_width(letter)
        if used > width:
            return text[:index]
    return text


def wrap(text: str, width: int) -> list[str]:
    """Wrap a sentence with a hanging indent; numbers stay with their words."""
    indent = text[: len(text) - len(text.lstrip())]
    return [text] if text_width(text) <= width else fill(_PHRASE.findall(text), width, indent, f"{indent}  ")


def fill(words: Iterable[str], width: int, indent: str = "", hang: str = "", gap: str = " ") -> list[str]:
    """Arrange words in lines, with an indent and a hanging indent.

    A word that is too long for a line is shortened, unless it is a path or an address, which must stay complete.
    """
    lines, line, start = [], "", indent
    for word in words:
        if line and text_width(start + line + gap + word) > width:
            lines.append(start + line)
            start, line = hang, ""
        if "/" not in word and "\\" not in word:
            word = shorten(word, max(width - text_width(start), 1))
        line = f"{line}{gap}{word}" if line else word
    return [*lines, start + line]


def wrapped(text: str, width: int) -> str:
    """Wrap every line of a text."""
    return "\n".join(line for part in text.split("\n") for line in wrap(part, width))
