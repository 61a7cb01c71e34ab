"""Texts of parameters that many functions have: written once here, and put in where a docstring names them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

TEXTS = {
    "confidence": ("confidence", "Above 0 and below 1."),
    "side": ("side", '"two-sided", or "lower" or "upper" for a bound on that side.'),
    "successes_n": ("successes, n", "How many of how many cases; arrays give an interval for each."),
    "request": ("request", "The confidence, the side, the replicates and the seed."),
    "alternative": ("alternative", '"two-sided", "less" or "greater".'),
    "measure_parameters": ("**parameters", "Parameters of the measure, such as ``beta``."),
    "positive": ("positive", "The class that two-class measures are about."),
    "X_y": ("X, y", "The features and the class of each case."),
}
_PLACE = re.compile(r"^( *)\{(\w+)\}$", re.MULTILINE)


def shared_texts(function: Function) -> Function:
    """Put the shared texts into a docstring, each where a line has only its key, such as ``{side}``."""
    if function.__doc__:  # python -OO leaves none
        function.__doc__ = _PLACE.sub(_text, function.__doc__)
    return function


def _text(place: re.Match[str]) -> str:
    indent, key = place.groups()
    name, text = TEXTS[key]
    return f"{indent}{name}\n{indent}    {text}"
