"""Labels as files write them, read as what they mean.

A text file holds only text. Its few distinct labels, not its many rows, are read as numbers or booleans where all of
them are: "01" and "1" stay apart, and no row can fall out of a guessed type.
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
# What R, pandas, SQL and spreadsheets write where there is no value.
NO_VALUE = frozenset({"NA", "nan", "NaN", "NULL", "null", "None", "N/A", "<NA>"})


def read_text(text: str) -> Any:
    """Give the whole number, real number or boolean that a text spells, or the text itself."""
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
    """Read the labels of columns that share their classes; texts that are not in the answer mean themselves.

    Scores in a column of class labels are refused, as those of arrays are; groups may be called "0.5".
    """
    read = {text: read_text(text) for texts in columns.values() for text in texts}
    plain = all(not isinstance(value, str) for value in read.values())
    for name, texts in columns.items():
        scores = [text for text in texts if isinstance(read[text], float)]
        numeric = all(not isinstance(read[text], str) for text in texts)
        others = {text for other, theirs in columns.items() if other != name for text in theirs}
        if scores_refused and scores and numeric and (plain or others.isdisjoint(texts)):
            raise not_labels(name, min(scores, key=float))
    if not plain or any(isinstance(value, float) for value in read.values()):
        return {}
    numbers = {value for value in read.values() if not isinstance(value, bool)}
    kinds = [{isinstance(read[text], bool) for text in texts} for texts in columns.values()]
    if any(True in kind for kind in kinds) and not numbers <= {0, 1}:
        return {}
    # A column that has both has flags, some of them written as numbers.
    return {text: bool(value) for text, value in read.items()} if any(len(kind) == 2 for kind in kinds) else read


def read_json(text: str | None, name: str) -> Any:
    """Give the text, number, boolean or nothing that a JSON value is."""
    try:
        value = None if text is None else json.loads(text)
    except (ValueError, RecursionError):  # of thousands of digits, or thousands of lists in each other
        shown = str(text)[:40]
        raise HowsureError(f"`{name}` must hold text, whole numbers or booleans, not {shown!r} and so on.") from None
    if isinstance(value, list | dict):
        kind = "a list" if isinstance(value, list) else "an object"
        raise HowsureError(f"`{name}` must hold text, whole numbers or booleans, not {kind} such as {value!r}.")
    return whole_label(value)
