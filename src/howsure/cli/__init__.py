"""The command line interface. Results go to standard output, everything else to standard error."""

from howsure.cli.app import main

__all__ = ["main"]
