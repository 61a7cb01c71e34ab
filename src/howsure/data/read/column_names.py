"""The names of columns, and the one sentence on a column that is not there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from howsure.errors import HowsureError, listing, suggestion

LONGEST = 200  # characters of a name in a sentence
ARGUMENTS = {"group": "by"}  # roles that callers know by another name


def shorten(name: object) -> object:
    """Cut a name that nobody would read to its end: a file of another format may have one of a million characters."""
    return f"{name[:LONGEST]}..." if isinstance(name, str) and len(name) > LONGEST else name


def check_column(role: str, name: str, columns: Sequence[str], source: str, *, doubtful_heading: bool = False) -> None:
    """Refuse a name that no column of ``source`` has, or more than one."""
    argument = ARGUMENTS.get(role, role)
    count = columns.count(name)
    if count > 1:
        raise HowsureError(
            f"`{argument}` must name one column of {source}, and {count} of them are called {name!r}; rename them."
        )
    if not count:
        names = f"it has {listing([repr(shorten(column)) for column in columns], 8)}"
        end = suggestion(name, map(shorten, columns), otherwise=names)
        if doubtful_heading:
            end = f"; {names}; is the first line the heading?"
        raise HowsureError(f"`{argument}` must be a column of {source}, not {name!r}{end}")


def refuse_alike(names: Iterable[str], columns: Sequence[str]) -> None:
    """Refuse names that differ from another column's in their case only, for what takes such names for one."""
    for name in names:
        if other := next((one for one in columns if one != name and one.lower() == name.lower()), None):
            alike = f"{name!r} and {other!r}"
            raise HowsureError(
                f"`data` has the columns {alike}, which its engine cannot tell apart; rename one of them."
            )
