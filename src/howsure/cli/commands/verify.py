"""`howsure verify`: check the files of a run folder."""

from __future__ import annotations

import click

from howsure.cli.declare import declare_command
from howsure.cli.options import show, styles
from howsure.cli.types import PATH

DAMAGED = 1  # exit code for damaged files


@declare_command(order=55)
@click.command()
@click.argument("folder", type=PATH, metavar="FOLDER")
@styles
@click.pass_context
def verify(context: click.Context, folder: str, style: str | None) -> None:
    """Check the files of an experiment against their digests.

    Exit codes: 0 all files are intact, 1 some are damaged, 2 invalid input.
    """
    from howsure.experiment import verify as verify_folder

    verification = verify_folder(folder)
    show(verification, style)
    if verification.damaged:
        context.exit(DAMAGED)
