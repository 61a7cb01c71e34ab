"""The command line. Results go to standard output, everything else to standard error."""

from howsure.cli.app import main

__all__ = ["main"]
