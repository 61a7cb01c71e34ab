"""The names of columns, and the one sentence on a column that is not there."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import AssayError, listing, suggestion

ARGUMENTS = {"group": "by"}  # roles that callers know by another name


def check_column(role: str, name: str, columns: Sequence[str], source: str, *, doubtful_heading: bool = False) -> None:
    """Refuse a name that no column of ``source`` has, or more than one."""
    argument = ARGUMENTS.get(role, role)
    count = columns.count(name)
    if count > 1:
        raise AssayError(
            f"`{argument}` must name one column of {source}, and {count} of them are called {name!r}; rename them."
        )
    if not count:
        names = f"it has {listing([repr(column) for column in columns], 8)}"
        end = suggestion(name, columns, otherwise=names)
        if doubtful_heading:
            end = f"; {names}; is the first line the heading?"
        raise AssayError(f"`{argument}` must be a column of {source}, not {name!r}{end}")
