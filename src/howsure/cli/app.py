"""The program `howsure` and its error handling."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Any

import click

from howsure._version import __version__
from howsure.cli import declare
from howsure.cli.option_names import TYPED, with_options
from howsure.cli.output import escape_unencodable_letters, say
from howsure.errors import HowsureError, one_line, suggestion, system_reason


class BadInput(click.ClickException):
    """An error message on standard error, and exit code 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        say(f"Error: {self.message}", err=True)


class Commands(click.Group):
    """The group of all commands; it prints errors without tracebacks."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return declare.names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return declare.find(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not ctx.resilient_parsing and self.get_command(ctx, args[0]) is None:
            ctx.fail(f"No such command {args[0]!r}{suggestion(args[0], self.list_commands(ctx))}")
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[TYPED] = tuple(args)
        return super().parse_args(ctx, args)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        escape_unencodable_letters()
        try:
            return super().main(*args, **kwargs)
        except OSError as error:  # click handles a closed pipe itself
            if error.filename is None:  # the error concerns standard output
                _discard_output()
                say(f"Error: standard output cannot be written: {system_reason(error)}.", err=True)
            else:
                say(f"Error: {one_line(str(error.filename))!r} cannot be used: {system_reason(error)}.", err=True)
            sys.exit(BadInput.exit_code)
        except Exception as error:
            from howsure.cli import fault

            say(f"Error: {fault.describe(error)}", err=True)
            sys.exit(fault.EXIT)

    def invoke(self, ctx: click.Context) -> Any:
        import warnings

        with warnings.catch_warnings(record=True) as records:
            warnings.simplefilter("always", UserWarning)
            try:
                return super().invoke(ctx)
            except HowsureError as error:
                raise BadInput(with_options(str(error), self, ctx.meta[TYPED])) from None
            except click.UsageError as error:  # its message quotes the command line
                vars(error)["message"] = one_line(error.message)
                raise
            finally:  # notes are printed even if the command sets an exit code
                for line in dict.fromkeys(str(warning.message) for warning in records):
                    say(f"Note: {one_line(with_options(line, self, ctx.meta[TYPED]))}", err=True)


def _discard_output() -> None:
    """Discard buffered output, which Python would try to write again at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="howsure")
def main() -> None:
    """Assess and compare classifiers: how good is it, how sure are we, is it really better?

    Run `howsure COMMAND --help` for the options of a command.

    \b
    Exit codes:
      0    success
      1    a task failed, a folder is damaged, or a gate failed
      2    invalid input
      70   internal error, with a report to send
      130  interrupted by Ctrl-C

    For shell completion, add eval "$(_HOWSURE_COMPLETE=bash_source howsure)" to
    ~/.bashrc, or the same with zsh_source to ~/.zshrc.
    """  # noqa: D301 (click needs the literal backspace character)
