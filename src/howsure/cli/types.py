"""Types of options and arguments, with shell completion: paths, and names from a registry."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    _Text = click.ParamType[str]
else:
    _Text = click.ParamType  # older versions of Click cannot be subscripted


class _Path(click.Path):
    """A file, a folder, a glob pattern, or - for standard input."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if "\0" in str(value):
            self.fail(f"{str(value)!r} cannot be a path.", param, ctx)
        return super().convert(value, param, ctx)


PATH = _Path()


class Names(_Text):
    """A name, or ``several`` separated by commas.

    The names are loaded only for shell completion; the library raises the error for an unknown name.
    """

    name = "text"

    def __init__(self, names: Callable[[], Iterable[str]], *, several: bool = False) -> None:
        self._names, self._several = names, several

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",") if self._several else ("", "", incomplete)
        return [CompletionItem(f"{before}{comma}{name}") for name in self._names() if name.startswith(last)]


def _measures() -> Iterable[str]:
    from howsure.measures import registry

    return registry


def _adjustments() -> Iterable[str]:
    from howsure.significance.multiplicity import METHODS

    return (*METHODS, "none")


MEASURE, MEASURES = Names(_measures), Names(_measures, several=True)
ADJUSTMENT = Names(_adjustments)
