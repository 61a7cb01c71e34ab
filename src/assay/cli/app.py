"""`assay`: the program, and how errors leave it."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Any

import click

from assay._version import __version__
from assay.cli import declare
from assay.errors import AssayError, system_reason


class BadInput(click.ClickException):
    """One sentence on standard error, and exit code 2."""

    exit_code = 2


class Commands(click.Group):
    """The commands that are declared. They say what is wrong instead of showing a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return declare.names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return declare.find(cmd_name)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().main(*args, **kwargs)
        except OSError as error:  # click has dealt with a closed pipe; what is left is an output that takes no more
            if error.filename is not None:
                raise
            _forget_output()
            click.echo(f"Error: standard output cannot be written: {system_reason(error)}.", err=True)
            sys.exit(BadInput.exit_code)

    def invoke(self, ctx: click.Context) -> Any:
        import warnings

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            try:
                return super().invoke(ctx)
            except AssayError as error:
                raise BadInput(str(error)) from None
            finally:  # also where the command ends with an exit code of its own
                for line in dict.fromkeys(str(warning.message) for warning in caught):
                    click.echo(f"Note: {line}", err=True)


def _forget_output() -> None:
    """Throw away what is still in the buffer, or Python tries to write it once more at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="assay")
def main() -> None:
    """Assess and compare classifiers: how good is it, how sure are we, is it really better?

    \b
    Exit codes: 0 done, 1 a task failed or a gate is closed, 2 bad input, 130 stopped by Ctrl-C.
    """  # noqa: D301 (click wants the backspace itself)
