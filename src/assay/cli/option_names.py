"""Sentences of the library name its arguments; on the command line they name the options that were typed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
TYPED = "assay.typed"  # where a context keeps the words of the command line
NAMED = re.compile(r"`(\w+)(?:=([^`]*))?`")


def with_options(sentence: str, command: click.Command, typed: Sequence[str]) -> str:
    """Write `--score` for `scores`, and `--format csv` for `format='csv'`; names that were typed are the user's."""
    command = _deepest(command, typed)
    options = {_argument(spelling): spelling for spelling in _spellings(command)}
    for argument, spellings in OTHERWISE.items():
        there = [spelling for spelling in spellings if spelling in options.values()]
        if there:
            options[argument] = next((spelling for spelling in there if spelling in typed), there[0])
    own = set(_values(typed))

    def rename(found: re.Match[str]) -> str:
        name, value = found[1], (found[2] or "").strip("'\".")
        if name in own:
            return found[0]
        if name in options:
            return f"`{options[name]} {value}`" if value else f"`{options[name]}`"
        return FILES.get(name, found[0])

    return NAMED.sub(rename, sentence)


def in_this_command(sentence: str) -> str:
    """Say a sentence of the library in the words of the command that runs."""
    context = click.get_current_context()
    return with_options(sentence, context.command, context.meta[TYPED])


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
