"""Write the stubs that tell editors and type checkers what is declared in a room; run by ``make stubs``."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from assay import learners, resampling, significance

HEAD = "# What this room has, for editors and type checkers; written by `make stubs`, do not edit.\n"
ROOMS: dict[ModuleType, Mapping[str, Any]] = {
    learners: learners.registry,
    resampling: resampling.registry,
    significance: {name: test.function for name, test in significance.registry.items()},
}


def stubs() -> dict[Path, str]:
    return {Path(str(room.__file__)).with_suffix(".pyi"): stub(room, declared) for room, declared in ROOMS.items()}


def stub(room: ModuleType, declared: Mapping[str, Any]) -> str:
    """Give what the room itself imports and defines, and what is declared in its files."""
    body = ast.parse(Path(str(room.__file__)).read_text(encoding="utf-8")).body
    origins = {name: thing.__module__ for name, thing in declared.items()}
    functions = []
    for item in body:
        if isinstance(item, ast.ImportFrom) and item.module != "typing":
            origins |= {alias.name: str(item.module) for alias in item.names if alias.name in room.__all__}
        elif isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
            item.body = [ast.Expr(ast.Constant(...))]
            functions.append(ast.unparse(item).replace("\n    ", " "))
    lines = [f"from {origins[name]} import {name} as {name}" for name in sorted(origins)]
    return HEAD + "\n".join([*sorted(lines), "", *functions]).strip() + "\n"


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
