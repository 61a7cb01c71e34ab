"""The options `--html` and `--force`, which several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from howsure.cli.output import say
from howsure.errors import HowsureError

Command = TypeVar("Command", bound=Callable[..., Any])


def page_options(command: Command) -> Command:
    """Add the options --html and --force."""
    command = click.option("--force", is_flag=True, help="Overwrite an existing page.")(command)
    return click.option("--html", metavar="PAGE", help="Also write a report to PAGE.html and PAGE.json.")(command)


def check_page(html: str | None, force: bool) -> None:
    """Raise an error early if the page cannot be written."""
    if html is not None:
        from howsure.present.report.page import check_target

        check_target(html, force=force)
    elif force:
        raise HowsureError("`--force` overwrites a page; it needs `--html PAGE`.")


def write_page(result: Any, html: str | None, force: bool) -> None:
    """Write the page of a result and print its path."""
    if html is not None:
        say(f"page: {result.report(html, force=force)}", err=True)
