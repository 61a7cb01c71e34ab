"""How anything leaves the program: the only place of the command line that writes to a terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from howsure.present.value_text import json_text, plain

if TYPE_CHECKING:
    from howsure.present.words import Line


def say(text: str, *, err: bool = False) -> None:
    """Print text: control characters of names, paths and messages are shown, not obeyed."""
    click.echo(plain(text), err=err)


def say_lines(lines: Iterable[Line]) -> None:
    """Print the lines of a result, in colour where there is any."""
    if is_terminal() or os.environ.get("FORCE_COLOR"):  # Rich takes its time to import
        from howsure.present.terminal import show_in_colour

        show_in_colour(lines)
    else:
        for line in lines:
            say(line.text)


def say_data(text: str) -> None:
    """Print CSV: as it is into a file or a pipe, which programs read; on a terminal, as text."""
    click.echo(plain(text) if is_terminal() else text, color=True)  # or click would take escape sequences out


def print_json(value: Any) -> None:
    """Print JSON, in the letters that the output can write."""
    text, encoding = json_text(value, indent=2), getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2, allow_nan=False)
    click.echo(text)


def is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def forgive_letters() -> None:
    """Write letters that the terminal's encoding lacks as escapes, rather than fail in the middle of a table."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError, OSError):  # closed, or not a stream of ours
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
