"""Declaration of commands: each is a Click command, decorated with `declare_command`, in a module of ``commands/``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple, TypeVar

import click

from howsure.registry import Registry, import_modules

Command = TypeVar("Command", bound=click.Command)
COMMANDS = "howsure.cli.commands"


class DeclaredCommand(NamedTuple):
    """A command and its position in `howsure --help`."""

    order: int
    command: click.Command


registry: Registry[DeclaredCommand] = Registry("command", "`howsure --help` lists them")


def declare_command(order: int) -> Callable[[Command], Command]:
    """Register a command; the help sorts commands by ``order`` and name."""

    def declare(command: Command) -> Command:
        assert command.name is not None
        registry.add(command.name, DeclaredCommand(order, command))
        return command

    return declare


@cache
def load() -> None:
    """Import the modules of ``commands/``, which declare the commands."""
    import_modules(COMMANDS)


def find(name: str) -> click.Command | None:
    """Return a command, importing only the module with its name if possible."""
    if name not in list(registry) and name.isidentifier() and find_spec(f"{COMMANDS}.{name}") is not None:
        import_module(f"{COMMANDS}.{name}")
    if name not in list(registry):
        load()
    return registry[name].command if name in list(registry) else None


def names() -> list[str]:
    """Return the names of all commands in the order of `howsure --help`."""
    load()
    return sorted(registry, key=lambda name: (registry[name].order, name))
