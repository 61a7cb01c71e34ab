"""Names of a room that come from other rooms, each imported when it is first asked for.

`lazy_loader` does the same for what lies inside a room.
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def stubbed(room: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Read in the stub beside a room's file what it has, and give its ``__getattr__``, ``__dir__`` and ``__all__``.

    The stub has lines such as ``from howsure.tuning.tune import tune as tune``.
    """
    stub = ast.parse(Path(file).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [line for line in stub.body if isinstance(line, ast.ImportFrom)]
    module_of = {alias.name: str(line.module) for line in imports for alias in line.names}

    def attribute(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        found = getattr(import_module(module_of[name]), name)
        setattr(sys.modules[room], name, found)  # the next time it is there
        return found

    return attribute, lambda: sorted(module_of), sorted(module_of)
