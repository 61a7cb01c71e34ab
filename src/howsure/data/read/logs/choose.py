"""Choose one of several scorers, metrics or filters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from howsure.errors import HowsureError, listing, must_be_one_of

MAX_NAMED = 12


@dataclass(frozen=True, slots=True)
class Choice:
    """The scorer, metric and filter to read from a log."""

    scorer: str | None = None
    metric: str | None = None
    filter: str | None = None


def choose(name: str, choice: str | None, options: Iterable[str]) -> str | None:
    """Return the choice, the only option, or None if there are no options."""
    options = list(options)
    if choice is not None:
        if not options:
            raise HowsureError(f"`{name}` must not be given: the log has none.")
        if choice not in options:
            must_be_one_of(name, options, given=choice)
        return choice
    if len(options) > 1:
        raise HowsureError(f"`{name}` must be chosen: {listing([repr(option) for option in options], MAX_NAMED)}.")
    return options[0] if options else None


def refuse_choice(name: str, choice: str | None, log: str) -> None:
    """Reject a choice that does not apply to this kind of log."""
    if choice is not None:
        raise HowsureError(f"`{name}` must not be given for {log}.")
