"""Lines of text by their width on a terminal: how wide they are, and how they are wrapped and shortened."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

WIDTH = 80  # columns of a text, where none are asked for
LONGEST_REPR = 300  # columns of a repr, which is one line
LEAST = 40  # columns below which a text gets no narrower
# What stays on one line of a sentence: an interval, "n = 12", "rope 0.01", "5 %", or else a word.
_PHRASE = re.compile(r"\[[-+\d.,e ]+\]\S*|\S+ = [-+\d.]\S*|\S{1,20} [-+]?\d[-+\d.e]*(?: %)?\S*|[-+]?\d\S* %\S*|\S+")


class Line(NamedTuple):
    """A line of a text and what it is, such as "headline" or "finding", which says how a terminal colours it."""

    text: str
    role: str = ""


def joined(lines: Iterable[Line]) -> str:
    return "\n".join(line.text for line in lines)


def styled(text: str, width: int, role: str) -> list[Line]:
    """Wrap a sentence into lines that are all the same."""
    return [Line(line, role) for line in wrap(text, width)]


def side_by_side(hints: Sequence[str], width: int) -> list[Line]:
    """Set hints on how to ask for more into as few lines as they need."""
    return [Line(line, "note") for line in fill(hints, width, gap="   ")]


def beside(one: Sequence[Line], other: Sequence[Line], *, width: int, gap: int = 4) -> list[Line]:
    """Set two blocks of lines side by side, or below each other where that is too wide."""
    left = max(columns(line.text) for line in one) + gap
    if left + max(columns(line.text) for line in other) > width:
        return [*one, Line(""), *other]
    pairs = zip_longest(one, other, fillvalue=Line(""))
    return [Line((pad(a.text, left) + b.text).rstrip(), a.role or b.role) for a, b in pairs]


def columns(text: str) -> int:
    """Count the columns that a text takes: wide letters take two, marks that combine with a letter none."""
    return len(text) if text.isascii() else sum(map(_columns_of_letter, text))


@lru_cache(maxsize=4096)
def _columns_of_letter(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Fill a text up to a width; ``right`` sets it to the right."""
    room = " " * (width - columns(text))
    return room + text if right else text + room


def writable(letters: str, otherwise: str) -> str:
    """Give letters where standard output can write them, else others."""
    try:
        letters.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return otherwise
    return letters


def shorten(text: str, width: int) -> str:
    """Take letters out of the middle of a text that is too wide: names often differ at their end."""
    if columns(text) <= width:
        return text
    mark = writable("…", "..")
    room = width - columns(mark)
    tail = _fitting(text[::-1], room // 2)[::-1]
    return _fitting(text, room - columns(tail)) + mark + tail


def _fitting(text: str, width: int) -> str:
    """Give the letters at the start of a text that fit a width."""
    if text.isascii():
        return text[: max(width, 0)]
    taken = 0
    for index, letter in enumerate(text):
        taken += _columns_of_letter(letter)
        if taken > width:
            return text[:index]
    return text


def wrap(text: str, width: int) -> list[str]:
    """Break a sentence between words, numbers staying with the word before; further lines are indented."""
    indent = text[: len(text) - len(text.lstrip())]
    return [text] if columns(text) <= width else fill(_PHRASE.findall(text), width, indent, f"{indent}  ")


def fill(words: Iterable[str], width: int, indent: str = "", hang: str = "", gap: str = " ") -> list[str]:
    """Set words into lines, the first indented by ``indent`` and the others by ``hang``, with a gap between words.

    A word that has no room on any line is shortened, but for a path or an address, which would be of no use then.
    """
    lines, line, start = [], "", indent
    for word in words:
        if line and columns(start + line + gap + word) > width:
            lines.append(start + line)
            start, line = hang, ""
        if "/" not in word and "\\" not in word:
            word = shorten(word, max(width - columns(start), 1))
        line = f"{line}{gap}{word}" if line else word
    return [*lines, start + line]


def wrapped(text: str, width: int) -> str:
    """Wrap every line of a text."""
    return "\n".join(line for part in text.split("\n") for line in wrap(part, width))
