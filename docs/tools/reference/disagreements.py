"""Rows of the page on disagreements between programs that concern a measure, curve or test."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

PAGE = Path(__file__).parents[2] / "coming-from" / "disagreements.md"


@cache
def rows() -> tuple[tuple[str, str], ...]:
    """Return each row of the page's tables with the head of its table."""
    pairs, head = [], ""
    before = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if re.fullmatch(r"\|(?:-+:?\|)+", line.replace(" ", "")):
            head = f"{before}\n{line}\n"
        elif line.startswith("|") and head and line != before:
            pairs.append((head, line))
        elif not line.startswith("|"):
            head = ""
        before = line
    return tuple(pairs)


def section(names: tuple[str, ...], words: str) -> str:
    """Return a section with the rows whose first cell contains one of the names or the words, or an empty text."""
    pattern = re.compile("|".join([*(rf"`{re.escape(name)}\b" for name in names), rf"(?i:\b{re.escape(words)}\b)"]))
    of_head: dict[str, list[str]] = {}
    for head, row in rows():
        if pattern.search(row.split("|")[1]):
            of_head.setdefault(head, []).append(row)
    if not of_head:
        return ""
    tables = "\n".join(head + "\n".join(lines) + "\n" for head, lines in of_head.items())
    return f"\n## Where programs disagree\n\n{tables}"
