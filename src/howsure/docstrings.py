"""Shared parameter descriptions, which are inserted into docstrings."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

TEXTS = {
    "confidence": ("confidence", "The nominal coverage, above 0 and below 1."),
    "side": ("side", '"two-sided", or "lower" or "upper" for one confidence limit.'),
    "successes_n": ("successes, n", "The numbers of successes and of cases; arrays give an array of intervals."),
    "request": ("request", "The confidence, the side, the replicates and the seed."),
    "alternative": ("alternative", '"two-sided", "less" or "greater".'),
    "measure_parameters": ("**parameters", "Parameters of the measure, such as ``beta``."),
    "positive": ("positive", "The positive class of two-class measures."),
    "X_y": ("X, y", "The features and the classes of the cases."),
}
_PLACEHOLDER = re.compile(r"^( *)\{(\w+)\}$", re.MULTILINE)


def shared_texts(function: Function) -> Function:
    """Replace lines such as ``{side}`` in a docstring with shared texts."""
    if function.__doc__:  # python -OO removes docstrings
        function.__doc__ = _PLACEHOLDER.sub(_text, function.__doc__)
    return function


def _text(match: re.Match[str]) -> str:
    indent, key = match.groups()
    name, text = TEXTS[key]
    return f"{indent}{name}\n{indent}    {text}"
