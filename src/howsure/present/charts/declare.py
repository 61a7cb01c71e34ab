"""Declare a chart once: the class of results that it draws, the function that draws it, and its size.

A module of this folder declares its charts by `chart`; `Result.plot` finds them. The class is named, since this room
lies below that of any result; a chart of a class is one of its subclasses too. Of several, one is the default.

The function is given the result, the axes and its options, and returns the axes; it never makes a figure, so that the
same chart serves notebooks, files, pages and the axes of a caller (`figure`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from howsure.checks import one_of
from howsure.errors import HowsureError
from howsure.registry import Registry, import_modules

Draw = TypeVar("Draw", bound=Callable[..., Any])
Size = tuple[float, float]  # width and height in inches


@dataclass(frozen=True)
class Chart:
    """A declared chart; ``draw`` takes the result, the axes and options of its own, and returns the axes.

    ``size`` is that of a figure of its own, or a function of the result and the options that gives it. ``arrange``
    is for charts of several axes: it takes the figure, the result and the options, and returns what ``draw`` is given.
    """

    kind: str
    of: str
    summary: str
    draw: Callable[..., Any]
    default: bool = False
    size: Size | Callable[..., Size] = (5.4, 4.0)
    arrange: Callable[..., Any] | None = None

    def inches(self, result: Any, options: dict[str, Any]) -> Size:
        return self.size(result, **options) if callable(self.size) else self.size

    def check(self, options: dict[str, Any]) -> None:
        """Refuse an option that the chart does not have; where it takes the style of a line, Matplotlib knows."""
        _, _, *known = inspect.signature(self.draw).parameters.values()
        if any(parameter.kind is parameter.VAR_KEYWORD for parameter in known):
            return
        names = [parameter.name for parameter in known]
        for name in options:
            if name not in names:
                takes = f"takes {', '.join(f'`{one}`' for one in names)}" if names else "has no options"
                raise HowsureError(f"`{name}` is not an option of the chart `{self.kind}` of {self.of}, which {takes}.")


registry: Registry[Chart] = Registry("chart", "the reference has a page of charts")


def chart(
    of: str,
    *,
    default: bool = False,
    size: Size | Callable[..., Size] = (5.4, 4.0),
    arrange: Callable[..., Any] | None = None,
) -> Callable[[Draw], Draw]:
    """Register a function as a chart of the class named ``of``; the name of the function is the kind of chart."""

    def declare(draw: Draw) -> Draw:
        declared = Chart(draw.__name__, of, (draw.__doc__ or "").strip(), draw, default, size, arrange)
        registry.add(f"{of}.{declared.kind}", declared)
        return draw

    return declare


@cache
def load() -> None:
    """Import the modules of this folder, each of which declares its charts."""
    import_modules(__name__.rpartition(".")[0])


def charts_of(cls: type) -> dict[str, Chart]:
    """Give the charts of a class by kind, the default first: its own, then those of the classes it derives from."""
    load()
    charts: dict[str, Chart] = {}
    for base in cls.__mro__:
        own = [declared for declared in registry.values() if declared.of == base.__name__]
        for declared in sorted(own, key=lambda declared: not declared.default):
            charts.setdefault(declared.kind, declared)
    return charts


def kinds_of(result: Any) -> list[str]:
    """Name what a result can be drawn as, the default first: the charts of its class, and those of its parts."""
    parts = result.drawings() if hasattr(result, "drawings") else {}
    return list(dict.fromkeys([*charts_of(type(result)), *parts]))


def chart_of(result: Any, kind: str | None = None) -> tuple[Chart, Any]:
    """Give the default chart of a result, or the one of this kind, with what it draws: the result or a part of it."""
    kinds = kinds_of(result)
    if not kinds:
        drawn = ", ".join(dict.fromkeys(declared.of for declared in registry.values()))
        raise HowsureError(f"`plot` has no chart of {type(result).__name__}; there are charts of {drawn}.")
    kind = kinds[0] if kind is None else one_of("kind", kind, tuple(kinds))
    charts = charts_of(type(result))
    return (charts[kind], result) if kind in charts else chart_of(result.drawings()[kind]())
