"""Translation of error messages: names of arguments become names of command line options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import click

# Arguments whose options have other names, in order of priority.
RENAMED = {
    "scores": ("--score", "--scores"),
    "measure": ("--measure", "--measures"),
    "ratings": ("--rating", "--raters"),
    "costs": ("--cost",),
    "share": ("--prior",),
    "n_jobs": ("--jobs",),
}
FILES = {"data": "`FILE`"}
TYPED = "howsure.typed"  # key under which the context stores the command line
NAMED = re.compile(r"`(\w+)(?:=([^`]*))?`")
REFUSED = re.compile(r", not '([^']+)'")


def with_options(sentence: str, command: click.Command, typed: Sequence[str]) -> str:
    """Replace `scores` by `--score`, but keep names that the user typed."""
    command = _deepest(command, typed)
    options = {_argument(spelling): spelling for spelling in _spellings(command)}
    for argument, spellings in RENAMED.items():
        available = [spelling for spelling in spellings if spelling in options.values()]
        if available:
            options[argument] = next((spelling for spelling in available if spelling in typed), available[0])
    own, culprit = set(_values(typed)), _option_of_refused(sentence, typed)

    def rename(match: re.Match[str]) -> str:
        name, value = match[1], (match[2] or "").strip("'\".")
        if name in own:
            return match[0]
        if name in options:
            option = options[name] if options[name] in typed else culprit or options[name]
            return f"`{option} {value}`" if value else f"`{option}`"
        return FILES.get(name, match[0])

    return NAMED.sub(rename, sentence)


def in_this_command(sentence: str) -> str:
    """Translate a message from the library for the running command."""
    context = click.get_current_context()
    return with_options(sentence, context.command, context.meta[TYPED])


def _option_of_refused(sentence: str, typed: Sequence[str]) -> str | None:
    """Return the option whose value the message rejects."""
    refused = REFUSED.search(sentence)
    if refused is None:
        return None
    spaced = ((option, value) for option, value in pairwise(typed) if option.startswith("--"))
    joined = (word.split("=", 1) for word in typed if word.startswith("--") and "=" in word)
    return next((option for option, value in (*spaced, *joined) if value == refused[1]), None)


def _deepest(command: click.Command, typed: Sequence[str]) -> click.Command:
    """Return the innermost command that was typed."""
    for word in typed:
        inner = command.get_command(click.Context(command), word) if isinstance(command, click.Group) else None
        command = command if inner is None else inner
    return command


def _spellings(command: click.Command) -> Iterator[str]:
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield from (spelling for spelling in parameter.opts if spelling.startswith("--"))


def _argument(spelling: str) -> str:
    return spelling.removeprefix("--").replace("-", "_")


def _values(typed: Sequence[str]) -> Iterator[str]:
    """Return the typed values, with lists split at commas."""
    for word in typed:
        value = word.partition("=")[2] if word.startswith("-") else word
        yield from (part.strip() for part in value.split(","))
