"""Read the labels of text files as numbers or booleans.

Since the type depends on all labels and not just the first rows, "01" and "1" remain different text labels.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping
from typing import Any

from howsure.data.encode import LARGEST, not_labels, whole_label
from howsure.errors import HowsureError

WHOLE = re.compile(r"[+-]?(0|[1-9][0-9]{0,17})(\.0*)?")
REAL = re.compile(r"[+-]?((0|[1-9][0-9]*)?\.[0-9]*|0|[1-9][0-9]*)([eE][+-]?[0-9]+)?")
FLAGS = {"true": True, "false": False}
# Ways in which R, pandas, SQL and spreadsheets write a missing value.
NO_VALUE = frozenset({"NA", "nan", "NaN", "NULL", "null", "None", "N/A", "<NA>"})


def read_text(text: str) -> Any:
    """Return the number or boolean that a text spells, or the text."""
    if text.lower() in FLAGS:
        return FLAGS[text.lower()]
    if WHOLE.fullmatch(text):
        return int(text.partition(".")[0])
    if not REAL.fullmatch(text) or not any(map(str.isdigit, text)):
        return text
    value = float(text)
    if not value.is_integer():
        return value if math.isfinite(value) else text
    return int(value) if abs(value) < LARGEST and not text.lstrip("+-").isdigit() else text


def readings(columns: Mapping[str, Collection[str]], *, scores_refused: bool = True) -> dict[str, Any]:
    """Convert the text of columns that share their classes.

    As in arrays, scores in a column of class labels are rejected, unless ``scores_refused`` is False: a group may be
    called "0.5".
    """
    values = {text: read_text(text) for texts in columns.values() for text in texts}
    no_text = all(not isinstance(value, str) for value in values.values())
    for name, texts in columns.items():
        scores = [text for text in texts if isinstance(values[text], float)]
        numeric = all(not isinstance(values[text], str) for text in texts)
        elsewhere = {text for column, some in columns.items() if column != name for text in some}
        if scores_refused and scores and numeric and (no_text or elsewhere.isdisjoint(texts)):
            raise not_labels(name, min(scores, key=float))
    if not no_text or any(isinstance(value, float) for value in values.values()):
        return {}
    numbers = {value for value in values.values() if not isinstance(value, bool)}
    are_booleans = [{isinstance(values[text], bool) for text in texts} for texts in columns.values()]
    if any(True in column for column in are_booleans) and not numbers <= {0, 1}:
        return {}
    # A column with numbers and booleans holds booleans only, some of them written as 0 and 1.
    if any(len(column) == 2 for column in are_booleans):
        return {text: bool(value) for text, value in values.items()}
    return values


def read_json(text: str | None, name: str) -> Any:
    """Parse a JSON value that is a string, a number, a boolean or null."""
    try:
        value = None if text is None else json.loads(text)
    except (ValueError, RecursionError):  # thousands of digits or nested lists
        shown = str(text)[:40]
        raise HowsureError(
            f"`{name}` must hold text, whole numbers or booleans, not a value that begins with {shown!r}."
        ) from None
    if isinstance(value, list | dict):
        kind = "a list" if isinstance(value, list) else "an object"
        raise HowsureError(f"`{name}` must hold text, whole numbers or booleans, not {kind} such as {value!r}.")
    return whole_label(value)
