"""How names from the data stand in a page."""

from __future__ import annotations

from typing import Any

from assay.errors import one_line

EMPTY = "(empty)"


def shown_name(name: Any) -> str:
    """Give a label or the name of a classifier as text that can be seen; the template escapes it."""
    return one_line(str(name)) or EMPTY
