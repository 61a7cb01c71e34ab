"""Methods of an assessment for the declared curves, such as ``a.roc()``.

The methods are created from the registry of curves. ``make stubs`` writes their signatures to ``curve_methods.pyi``
for editors and type checkers.
"""

from __future__ import annotations

import inspect
from typing import Any

from howsure.curves import Curve, DeclaredCurve, registry

KEYWORD = inspect.Parameter.KEYWORD_ONLY
PLAIN = inspect.Parameter.POSITIONAL_OR_KEYWORD


class CurveMethods:
    """Base class with one method per curve."""


def signature(declared: DeclaredCurve) -> inspect.Signature:
    """Return the signature of a curve's method."""
    own = [parameter.replace(kind=KEYWORD) for parameter in declared.options.values()]
    band = [inspect.Parameter("band", KEYWORD, default=None, annotation="str | None")] if declared.band else []
    label = inspect.Parameter("label", PLAIN, default=None, annotation="Label | None")
    return inspect.Signature([inspect.Parameter("self", PLAIN), label, *band, *own], return_annotation="Curve")


def _method(declared: DeclaredCurve) -> Any:
    def method(self: Any, label: Any = None, **options: Any) -> Curve:
        curve: Curve = self.curve(declared.name, label, **options)
        return curve

    method.__name__, method.__qualname__ = declared.name, f"Assessment.{declared.name}"
    method.__doc__, method.__signature__ = declared.summary, signature(declared)  # type: ignore[attr-defined]
    return method


for _declared in registry.values():
    setattr(CurveMethods, _declared.name, _method(_declared))
