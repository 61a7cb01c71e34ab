"""What a person sees at a terminal: the same lines as everywhere, as wide as the terminal is, and in colour.

Colour helps to find the headline and the findings; it says nothing that the words do not. Rich decides whether there is
any: none in a pipe, with NO_COLOR or on a dumb terminal, and some in a pipe too with FORCE_COLOR.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from typing import TYPE_CHECKING

from howsure.present.words import WIDTH, Line

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {
    "headline": "bold",
    "passed": "bold green",
    "failed": "bold red",
    "finding": "yellow",
    "heading": "bold",
    "head": "dim",
    "rule": "dim",
    "note": "dim",
}


def terminal_width() -> int:
    """Count the columns of the terminal; 80 where there is none, unless COLUMNS says otherwise."""
    return shutil.get_terminal_size((WIDTH, 24)).columns


def show_in_colour(lines: Iterable[Line], console: Console | None = None) -> None:
    """Print lines, each in the style of what it is."""
    from rich.console import Console
    from rich.text import Text

    console = console or Console(highlight=False)
    for line in lines:
        console.print(Text(line.text, STYLES.get(line.role, "")), soft_wrap=True)
