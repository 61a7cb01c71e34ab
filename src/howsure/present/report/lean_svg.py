"""Matplotlib's SVG without what nobody sees: a page of many pictures is a third of the size."""

from __future__ import annotations

import re

POINT = r"([ML]) (-?[\d.]+) (-?[\d.]+) "
LINES = re.compile(rf'(?<= d=")(?:{POINT})+')

LIKE_MARKS = re.compile(r'<use [^>]*? style="([^"]*)"/>(?:<use [^>]*? style="\1"/>)+')


def lean_svg(text: str) -> str:
    """Leave out what an SVG shows as well without: digits, points drawn twice, empty groups, and fonts of its own."""
    text = re.sub(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"\s*\n\s*", " ", text)
    text = re.sub(r"<[^>]*>", lambda tag: _lean_tag(tag[0]), text)
    text = re.sub(r'<path d="[^"]*" style="fill:none"/>', "", text)  # the grounds of figure and axes
    text = _without_plain_groups(re.sub(r">\s+<", "><", text))
    return LIKE_MARKS.sub(_in_one_group, text)


def _lean_tag(tag: str) -> str:
    """Leave out the digits of coordinates that nobody can see, turns by nothing, and the font, which is the page's."""
    tag = re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), tag)
    tag = re.sub(r"font: (?:bold )?([\d.]+)px [^;\"]*", r"font-size: \1px", tag)
    tag = re.sub(r" font-family: [^;\"]*;?| transform=\"rotate\(-?0 [^\"]*\"", "", tag)
    tag = LINES.sub(lambda path: _lean_path(path[0]), tag)
    return re.sub(r'(?<= style=")[^"]*', lambda style: re.sub(r"([:;]) ", r"\1", style[0]), tag)


def _lean_path(path: str) -> str:
    """Write lines from point to point, to a tenth of a unit, with no point twice."""
    pieces: list[str] = []
    last: tuple[str, str] | None = None
    for letter, *point in re.findall(POINT, path):
        x, y = (f"{float(number):.1f}".removesuffix(".0") for number in point)
        if letter == "M" or last is None:
            pieces.append(f"M{x} {y}")
        elif (x, y) == last:
            continue
        elif last[0] == x:
            pieces.append(f"V{y}")
        else:
            pieces.append(f"H{x}" if last[1] == y else f"L{x} {y}")
        last = x, y
    return "".join(pieces)


def _without_plain_groups(text: str) -> str:
    """Leave out groups that say nothing of what is in them."""
    kept: list[bool] = []

    def group(tag: re.Match[str]) -> str:
        if tag[0] != "</g>":
            kept.append(tag[0] != "<g>")
            return tag[0] if kept[-1] else ""
        return tag[0] if kept.pop() else ""

    return re.sub(r"<g(?: [^>]*[^/>])?>|</g>", group, text)


def _in_one_group(marks: re.Match[str]) -> str:
    """Say how marks look once for those that look alike."""
    style = f' style="{marks[1]}"'
    return f"<g{style}>{marks[0].replace(style, '')}</g>"
