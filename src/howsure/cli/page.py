"""`--html PAGE`: a page of what a command prints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from howsure.cli.output import say
from howsure.errors import HowsureError

Command = TypeVar("Command", bound=Callable[..., Any])


def page_options(command: Command) -> Command:
    """Add --html and --force, which the command sees as ``html`` and ``force``."""
    command = click.option("--force", is_flag=True, help="Replace a page that is there already.")(command)
    return click.option("--html", metavar="PAGE", help="Also write a page, PAGE.html, with PAGE.json beside it.")(
        command
    )


def check_page(html: str | None, force: bool) -> None:
    """Refuse a page that cannot be written before anything long is done."""
    if html is not None:
        from howsure.present.report.page import check_target

        check_target(html, force=force)
    elif force:
        raise HowsureError("`--force` replaces a page; give it with `--html PAGE`.")


def write_page(result: Any, html: str | None, force: bool) -> None:
    """Write the page of a result, and say where it is."""
    if html is not None:
        say(f"page: {result.report(html, force=force)}", err=True)
