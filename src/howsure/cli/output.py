"""Output of the command line: everything that a command prints goes through this module."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from howsure.present.value_text import json_text, plain
from howsure.present.words import WIDTH

if TYPE_CHECKING:
    from howsure.present.words import Line

# Colour only helps the eye find the headline and the findings; the text is complete without it.
STYLES: dict[str, dict[str, Any]] = {
    "headline": {"bold": True},
    "passed": {"bold": True, "fg": "green"},
    "failed": {"bold": True, "fg": "red"},
    "finding": {"fg": "yellow"},
    "heading": {"bold": True},
    "head": {"dim": True},
    "rule": {"dim": True},
    "note": {"dim": True},
}


def say(text: str, *, err: bool = False) -> None:
    """Print text with control characters escaped."""
    click.echo(plain(text), err=err)


def say_lines(lines: Iterable[Line]) -> None:
    """Print the lines of a result, in colour if standard output supports it."""
    colour = has_colour()
    for line in lines:
        text = plain(line.text)
        is_styled = colour and text and line.role in STYLES
        click.echo(click.style(text, **STYLES[line.role]) if is_styled else text, color=colour)


def say_data(text: str) -> None:
    """Print CSV, with control characters escaped on a terminal."""
    click.echo(plain(text) if is_terminal() else text, color=True)  # color=True: click must not strip escape sequences


def print_json(value: Any) -> None:
    """Print JSON, as ASCII if the output cannot encode its characters."""
    text, encoding = json_text(value, indent=2), getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2, allow_nan=False)
    click.echo(text)


def is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def has_colour() -> bool:
    """Return whether to print in colour (terminal, FORCE_COLOR, NO_COLOR)."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (is_terminal() and os.environ.get("TERM") != "dumb")


def terminal_width() -> int:
    """Return the width of the terminal (or COLUMNS, if set), by default 80."""
    return shutil.get_terminal_size((WIDTH, 24)).columns


def escape_unencodable_letters() -> None:
    """Print characters that the terminal cannot encode as escape sequences."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError, OSError):  # the stream may be closed or replaced
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
