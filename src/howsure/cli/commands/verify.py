"""`howsure verify`: is a run folder as it was written?"""

from __future__ import annotations

import click

from howsure.cli.declare import declare_command
from howsure.cli.options import show, styles
from howsure.cli.types import PATH

DAMAGED = 1  # exit code


@declare_command(order=55)
@click.command()
@click.argument("folder", type=PATH, metavar="FOLDER")
@styles
@click.pass_context
def verify(context: click.Context, folder: str, style: str | None) -> None:
    """Compare every file in the FOLDER of an experiment with the digest stored when it was written.

    Exit codes: 0 all files are as they were written, 1 some are not, 2 bad input.
    """
    from howsure.experiment import verify as verify_folder

    verification = verify_folder(folder)
    show(verification, style)
    if verification.damaged:
        context.exit(DAMAGED)
