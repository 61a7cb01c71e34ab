"""Sentences of the library name its arguments; on the command line they name the options that were typed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import click

# Arguments whose options are called otherwise, in the order in which to look for them.
OTHERWISE = {
    "scores": ("--score", "--scores"),
    "measure": ("--measure", "--measures"),
    "ratings": ("--rating", "--raters"),
    "costs": ("--cost",),
    "share": ("--prior",),
    "n_jobs": ("--jobs",),
}
FILES = {"data": "`FILE`"}
TYPED = "howsure.typed"  # where a context keeps the words of the command line
NAMED = re.compile(r"`(\w+)(?:=([^`]*))?`")
REFUSED = re.compile(r", not '([^']+)'")


def with_options(sentence: str, command: click.Command, typed: Sequence[str]) -> str:
    """Write `--score` for `scores`, and `--format csv` for `format='csv'`; names that were typed are the user's."""
    command = _deepest(command, typed)
    options = {_argument(spelling): spelling for spelling in _spellings(command)}
    for argument, spellings in OTHERWISE.items():
        there = [spelling for spelling in spellings if spelling in options.values()]
        if there:
            options[argument] = next((spelling for spelling in there if spelling in typed), there[0])
    own, culprit = set(_values(typed)), _option_of_refused(sentence, typed)

    def rename(found: re.Match[str]) -> str:
        name, value = found[1], (found[2] or "").strip("'\".")
        if name in own:
            return found[0]
        if name in options:
            option = options[name] if options[name] in typed else culprit or options[name]
            return f"`{option} {value}`" if value else f"`{option}`"
        return FILES.get(name, found[0])

    return NAMED.sub(rename, sentence)


def in_this_command(sentence: str) -> str:
    """Say a sentence of the library in the words of the command that runs."""
    context = click.get_current_context()
    return with_options(sentence, context.command, context.meta[TYPED])


def _option_of_refused(sentence: str, typed: Sequence[str]) -> str | None:
    """Give the option with which the value was typed that a sentence refuses: `--candidate` names what is predicted."""
    refused = REFUSED.search(sentence)
    if refused is None:
        return None
    spaced = ((option, value) for option, value in pairwise(typed) if option.startswith("--"))
    joined = (word.split("=", 1) for word in typed if word.startswith("--") and "=" in word)
    return next((option for option, value in (*spaced, *joined) if value == refused[1]), None)


def _deepest(command: click.Command, typed: Sequence[str]) -> click.Command:
    """Give the command that was meant, of a group of groups."""
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
    """Give the words that stand for names of the user's, also those of lists."""
    for word in typed:
        value = word.partition("=")[2] if word.startswith("-") else word
        yield from (part.strip() for part in value.split(","))
