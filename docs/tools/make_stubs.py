"""Write type stubs for names that are defined by registries; run by ``make stubs``."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from howsure import curves, learners, resampling, significance
from howsure.assessment import curve_methods

HEAD = "# The public names of this package, for editors and type checkers; written by `make stubs`, do not edit.\n"
ROOMS: dict[ModuleType, Mapping[str, Any]] = {
    learners: learners.registry,
    resampling: resampling.registry,
    significance: {name: test.function for name, test in significance.registry.items()},
}

CURVE_METHODS = '''\
"""The methods of an assessment for editors and type checkers; written by ``make stubs``, do not edit."""

# ruff: noqa: E501, PYI021 (a docstring is what editors show)
import inspect

from howsure.curves import Curve, DeclaredCurve
from howsure.data.encode import Label

def signature(declared: DeclaredCurve) -> inspect.Signature: ...

class CurveMethods:
'''


def stubs() -> dict[Path, str]:
    rooms = {_beside(room): stub(room, declared) for room, declared in ROOMS.items()}
    return {**rooms, _beside(curve_methods): curve_methods_stub()}


def _beside(module: ModuleType) -> Path:
    return Path(str(module.__file__)).with_suffix(".pyi")


def stub(room: ModuleType, declared: Mapping[str, Any]) -> str:
    """Return a stub with the names that a room imports, defines, loads on first use, or has in its registry."""
    body = ast.parse(Path(str(room.__file__)).read_text(encoding="utf-8")).body
    origins = {name: thing.__module__ for name, thing in declared.items()}
    functions = []
    for item in body:
        if isinstance(item, ast.ImportFrom) and item.module != "typing":
            origins |= {alias.name: str(item.module) for alias in item.names if alias.name in room.__all__}
        elif isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
            item.body = [ast.Expr(ast.Constant(...))]
            functions.append(ast.unparse(item).replace("\n    ", " "))
    defined = {function.split("(")[0].removeprefix("def ") for function in functions}
    later = [name for name in room.__all__ if name not in origins and name not in defined]
    origins |= {name: getattr(room, name).__module__ for name in later}
    lines = [f"from {origins[name]} import {name} as {name}" for name in sorted(origins)]
    return HEAD + "\n".join([*sorted(lines), "", *functions]).strip() + "\n"


def curve_methods_stub() -> str:
    """Return the stub of the curve methods of an assessment."""
    methods = []
    for curve in curves.registry.values():
        first, label, *options = map(_parameter, curve_methods.signature(curve).parameters.values())
        parameters = [first, label, *(["*", *options] if options else [])]
        lines = "".join(f"        {parameter},\n" for parameter in parameters)
        methods.append(f"    def {curve.name}(\n{lines}    ) -> Curve:\n{_docstring(curve.summary)}")
    return CURVE_METHODS + "\n".join(methods)


def _parameter(parameter: Any) -> str:
    if parameter.default is parameter.empty:
        return str(parameter.name)
    default = json.dumps(parameter.default) if isinstance(parameter.default, str) else repr(parameter.default)
    return f"{parameter.name}: {parameter.annotation} = {default}"


def _docstring(text: str) -> str:
    lines = f'"""{text}"""' if "\n" not in text else f'"""{text}\n"""'
    return "".join(f"        {line}\n" if line else "\n" for line in lines.split("\n"))


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
