"""Declare a chart once: the class of results that it draws, and the function that draws it.

A module of this folder declares its charts by `chart`; `Result.plot` finds them. The class is named, since this room
lies below that of any result; a chart of a class is one of its subclasses too. Of several, one is the default.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from assay.checks import one_of
from assay.errors import AssayError
from assay.present.charts.axes import plain_axes
from assay.registry import Registry, import_modules

Draw = TypeVar("Draw", bound=Callable[..., Any])


@dataclass(frozen=True)
class Chart:
    """A declared chart; ``draw`` takes the result, the axes or None, and options of its own, and returns the axes."""

    kind: str
    of: str
    summary: str
    draw: Callable[..., Any]
    default: bool = False


registry: Registry[Chart] = Registry("chart", "docs/charts.md lists them")


def chart(of: str, *, default: bool = False) -> Callable[[Draw], Draw]:
    """Register a function as a chart of the class named ``of``; the name of the function is the kind of chart."""

    def declare(draw: Draw) -> Draw:
        declared = Chart(draw.__name__, of, (draw.__doc__ or "").strip(), draw, default)
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


def draw(result: Any, ax: Any = None, kind: str | None = None, **options: Any) -> Any:
    """Draw a result by its default chart or by the one of this kind, and return the axes."""
    charts = charts_of(type(result))
    if not charts:
        drawn = ", ".join(dict.fromkeys(declared.of for declared in registry.values()))
        raise AssayError(f"`plot` has no chart of {type(result).__name__}; there are charts of {drawn}.")
    kind = next(iter(charts)) if kind is None else kind
    one_of("kind", kind, tuple(charts))
    return plain_axes(charts[kind].draw(result, ax, **options))
