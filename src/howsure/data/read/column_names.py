"""Check the names of columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

from howsure.errors import HowsureError, listing, suggestion

LONGEST = 200  # maximum number of characters in a name in a message
ARGUMENTS = {"group": "by"}  # arguments whose names differ from their roles


def shorten(name: object) -> object:
    """Shorten a long name."""
    return f"{name[:LONGEST]}..." if isinstance(name, str) and len(name) > LONGEST else name


def check_column(role: str, name: str, columns: Sequence[str], source: str, *, doubtful_heading: bool = False) -> None:
    """Reject a name that does not belong to exactly one column."""
    argument = ARGUMENTS.get(role, role)
    count = columns.count(name)
    if count > 1:
        raise HowsureError(
            f"`{argument}` must name one column of {source}, but {count} columns have the name {name!r}; rename them."
        )
    if not count:
        names = f"it has {listing([repr(shorten(column)) for column in columns], 8)}"
        end = suggestion(name, map(shorten, columns), otherwise=names)
        if doubtful_heading:
            end = f"; {names}; is the first line the heading?"
        raise HowsureError(f"`{argument}` must be a column of {source}, not {name!r}{end}")


def refuse_names(columns: Mapping[str, Any]) -> None:
    """Reject column names, given by role, if there are no data."""
    for role, column in columns.items():
        if isinstance(column, str):
            argument = ARGUMENTS.get(role, role)
            raise HowsureError(f"`{argument}` is the name of a column, {column!r}, so `data` must be given too.")


def refuse_arrays(columns: Mapping[str, Any]) -> None:
    """Reject columns of a file, given by role, that are not names."""
    for role, column in columns.items():
        if not isinstance(column, str):
            raise HowsureError(f"`{ARGUMENTS.get(role, role)}` must be the name of a column of `data`, not an array.")


def are_names(columns: Any) -> TypeGuard[Sequence[str]]:
    return isinstance(columns, list | tuple) and bool(columns) and all(isinstance(name, str) for name in columns)


def refuse_alike(names: Iterable[str], columns: Sequence[str]) -> None:
    """Reject names that differ from another only in case."""
    for name in names:
        if twin := next((column for column in columns if column != name and column.lower() == name.lower()), None):
            raise HowsureError(
                f"`data` has the columns {name!r} and {twin!r}, which its engine cannot tell apart; rename one of them."
            )
