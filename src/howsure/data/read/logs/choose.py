"""One of several scorers, metrics or filters: they are never taken for repeats of one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from howsure.errors import HowsureError, listing, must_be_one_of

MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Choice:
    """What of a log to take."""

    scorer: str | None = None
    metric: str | None = None
    filter: str | None = None


def choose(name: str, given: str | None, options: Iterable[str]) -> str | None:
    """Give the option that was chosen, or the only one there is, or None where there is none."""
    options = list(options)
    if given is not None:
        if given not in options:
            _refuse(name, given, options)
        return given
    if len(options) > 1:
        raise HowsureError(f"`{name}` must be chosen: {listing([repr(option) for option in options], MOST_NAMED)}.")
    return options[0] if options else None


def refuse_choice(name: str, given: str | None, why: str) -> None:
    """Refuse a choice where there is nothing to choose from."""
    if given is not None:
        raise HowsureError(f"`{name}` must not be given for {why}.")


def _refuse(name: str, given: str, options: list[str]) -> None:
    if not options:
        raise HowsureError(f"`{name}` must not be given: the log has none.")
    must_be_one_of(name, options, given=given)
