"""Names in charts: shortened to the available width, kept distinct, and restricted to the characters of the font."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

from howsure.errors import one_line

ELLIPSIS = "…"
FEWEST = 5  # minimum number of characters of a shortened name


def width(ax: Any, text: str, **style: Any) -> float:
    """Return the width of a text in points."""
    artist = ax.text(0, 0, text, transform=ax.transAxes, parse_math=False, **style)
    pixels = artist.get_window_extent().width
    artist.remove()
    return float(pixels * 72 / ax.get_figure(root=True).dpi)


def fit(ax: Any, names: Sequence[object], points: float, **style: Any) -> list[str]:
    """Shorten names to a width in points, and number any that become equal."""
    whole = [as_text(name) for name in names]
    short = [_shorten(ax, name, points, style) for name in whole]
    counts = Counter(short)
    return [
        text if counts[text] == 1 or text == name else _shorten(ax, name, points, style, f" ({number})")
        for number, (name, text) in enumerate(zip(whole, short, strict=True), start=1)
    ]


def fit_pairs(ax: Any, pairs: Sequence[tuple[str, str]], points: float, **style: Any) -> list[str]:
    """Format pairs of names as "a − b", within a width in points."""
    between = " − "
    whole = [between.join(map(as_text, pair)) for pair in pairs]
    if all(width(ax, text, **style) <= points for text in whole):
        return whole
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    half = (points - width(ax, between, **style)) / 2
    short = dict(zip(names, fit(ax, names, half, **style), strict=True))
    return [between.join(short[name] for name in pair) for pair in pairs]


def _shorten(ax: Any, text: str, points: float, style: dict[str, Any], end: str = "") -> str:
    """Shorten a name in the middle, since names differ at their ends."""

    def cut(letters: int) -> str:
        head = -(-letters * 3 // 5)
        return f"{text[:head].rstrip()}{ELLIPSIS}{text[len(text) - letters + head :].lstrip()}{end}"

    if len(text) <= FEWEST or width(ax, text + end, **style) <= points:
        return text + end
    low, high = FEWEST, len(text) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if width(ax, cut(middle), **style) <= points else (low, middle - 1)
    return cut(low)


def as_text(name: object) -> str:
    """Return a name as one line of characters that can be drawn."""
    return drawable(one_line(str(name)))


def drawable(text: str) -> str:
    """Replace characters missing from the fonts with code points: U+1F600.

    An SVG that stores text as text keeps them, since the viewer may have other fonts.
    """
    from matplotlib import rcParams

    if text.isascii() or rcParams["svg.fonttype"] == "none":
        return text
    available = _letters(_font_files()) | {ord("\n")}
    return "".join(letter if ord(letter) in available else f"U+{ord(letter):04X}" for letter in text)


def _font_files() -> tuple[str, ...]:
    from matplotlib.font_manager import FontProperties, findfont

    return tuple(str(findfont(FontProperties(family=[name]))) for name in FontProperties().get_family())


@cache
def _letters(files: tuple[str, ...]) -> frozenset[int]:
    from matplotlib.font_manager import get_font

    return frozenset().union(*(get_font(file).get_charmap() for file in files))
