"""Declaration of charts: the class of results that each chart draws, the function that draws it, and its size.

The modules of this folder declare charts with `chart`, and `Result.plot` finds them. The class is given by name,
because this package must not import result classes. Subclasses inherit charts. One chart of a class is the default.

The function takes the result, the axes and its options, and returns the axes. It never creates a figure, so that the
same chart can be drawn in notebooks, files, pages and the caller's axes (see `figure`).
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
    """A declared chart.

    ``draw`` takes the result, the axes and options, and returns the axes. ``size`` is the size of the figure, or a
    function of the result and the options. ``arrange`` is for charts with several axes: it takes the figure, the result
    and the options, and returns the axes for ``draw``.
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
        """Raise an error for an unknown option if the chart takes no **style."""
        _, _, *own = inspect.signature(self.draw).parameters.values()
        if any(parameter.kind is parameter.VAR_KEYWORD for parameter in own):
            return
        names = [parameter.name for parameter in own]
        for name in options:
            if name not in names:
                takes = f"takes {', '.join(f'`{name}`' for name in names)}" if names else "has no options"
                raise HowsureError(f"`{name}` is not an option of the chart `{self.kind}` of {self.of}, which {takes}.")


registry: Registry[Chart] = Registry("chart", "the reference has a page of charts")


def chart(
    of: str,
    *,
    default: bool = False,
    size: Size | Callable[..., Size] = (5.4, 4.0),
    arrange: Callable[..., Any] | None = None,
) -> Callable[[Draw], Draw]:
    """Register a chart for the class ``of``; its kind is the function's name."""

    def declare(draw: Draw) -> Draw:
        declared = Chart(draw.__name__, of, (draw.__doc__ or "").strip(), draw, default, size, arrange)
        registry.add(f"{of}.{declared.kind}", declared)
        return draw

    return declare


@cache
def load() -> None:
    """Import the modules of this folder, which declare the charts."""
    import_modules(__name__.rpartition(".")[0])


def charts_of(cls: type) -> dict[str, Chart]:
    """Return the charts of a class by kind, the default first."""
    load()
    charts: dict[str, Chart] = {}
    for base in cls.__mro__:
        own = [declared for declared in registry.values() if declared.of == base.__name__]
        for declared in sorted(own, key=lambda declared: not declared.default):
            charts.setdefault(declared.kind, declared)
    return charts


def kinds_of(result: Any) -> list[str]:
    """Return the kinds of charts of a result, the default first."""
    parts = result.drawings() if hasattr(result, "drawings") else {}
    return list(dict.fromkeys([*charts_of(type(result)), *parts]))


def chart_of(result: Any, kind: str | None = None) -> tuple[Chart, Any]:
    """Return the chart of this kind, and the result or part that it draws."""
    kinds = kinds_of(result)
    if not kinds:
        drawn = ", ".join(dict.fromkeys(declared.of for declared in registry.values()))
        raise HowsureError(f"`plot` has no chart for {type(result).__name__}; there are charts for {drawn}.")
    kind = kinds[0] if kind is None else one_of("kind", kind, tuple(kinds))
    charts = charts_of(type(result))
    return (charts[kind], result) if kind in charts else chart_of(result.drawings()[kind]())
