"""Options that several commands share, and what they do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from assay.errors import AssayError

Command = TypeVar("Command", bound=Callable[..., Any])
STYLES = ("json", "csv", "markdown", "latex")


def styles(command: Command) -> Command:
    """Add --json, --csv, --markdown and --latex, which the command sees as ``style``."""
    for style in reversed(STYLES):
        option = click.option(f"--{style}", "style", flag_value=style, help=f"Print {style.upper()}.")
        command = option(command)
    return command


def print_json(value: Any) -> None:
    import json

    click.echo(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def read_costs(text: str | None) -> Any:
    """Read "fn=5,fp=1" as costs."""
    if text is None:
        return None
    from assay.costs import Costs

    names = {"fn": "false_negative", "fp": "false_positive", "tp": "true_positive", "tn": "true_negative"}
    try:
        pairs = [part.split("=") for part in text.split(",")]
        given: dict[str, Any] = {names[key.strip().lower()]: float(value) for key, value in pairs}
        return Costs(**given)
    except (KeyError, ValueError) as error:
        if isinstance(error, AssayError):
            raise
        raise AssayError(f"`--cost` must be written like 'fn=5,fp=1', not {text!r}.") from None
