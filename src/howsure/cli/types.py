"""What options and arguments may be, so that a shell can complete them: paths, and names out of a registry."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    _Text = click.ParamType[str]
else:
    _Text = click.ParamType  # which older versions of Click do not let us index


class _Path(click.Path):
    """A file, a folder, a glob, or - for standard input."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if "\0" in str(value):
            self.fail(f"{str(value)!r} cannot be a path.", param, ctx)
        return super().convert(value, param, ctx)


PATH = _Path()


class Names(_Text):
    """A name, or ``several`` with commas between them; what is no name is refused where it is used, with a suggestion.

    The names are asked for when a shell wants them, so that nothing is imported before.
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
