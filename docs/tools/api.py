"""Write docs/reference/api: what there is in Python, by module, found from what the package itself gives out.

`surface` finds the public names: those of `assay` (its ``__all__``), of the modules among them, of the rooms that the
others come from, and the results that have no public name of their own, as they are only ever given. The contract of
docstrings (tests/contract/test_docstrings.py) reads the same. A thing that several modules give is described once, on
the page of the first of them; the others refer to it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import assay
from assay.present.result import PLUMBING, Result

HERE = Path(__file__).parents[1] / "reference" / "api"
RESULTS = "results"  # those without a public name
WITHOUT_RESULTS = ("assay.cli", "assay.kernels", "assay.__main__")
PAGES = {  # of what a module has declared, each with a page of its own
    "assay.advice": ("findings", "../advice/index.md"),
    "assay.curves": ("curves", "../curves/index.md"),
    "assay.intervals": ("interval methods", "../intervals/index.md"),
    "assay.measures": ("measures", "../measures/index.md"),
    "assay.significance": ("tests", "../tests/index.md"),
}
INDEX = """# Python

Every public function and class, by module. `import assay` loads next to nothing: each is loaded on first use.

| module | what it has |
|---|---|
{rows}
What every result can do, as a table, a data frame, a picture or a file, is said once, at {{py:obj}}`~assay.present.result.Result`.

```{{toctree}}
:hidden:

{names}
```
"""


def rooms() -> list[str]:
    """Name the modules that have public names: `assay`, its public modules, and the rooms its other names come from."""
    body = ast.parse(Path(str(assay.__file__)).with_suffix(".pyi").read_text(encoding="utf-8")).body
    found = set()
    for item in body:
        if isinstance(item, ast.ImportFrom):
            found |= {item.module.partition(".")[0]} if item.module else {alias.name for alias in item.names}
    modules = [importlib.import_module(f"assay.{name}") for name in sorted(found)]
    return ["assay", *(module.__name__ for module in modules if _lists_names(module))]


def _lists_names(module: ModuleType) -> bool:
    """Say whether a room lists what it gives; of one that loads its modules on first use, `assay` itself gives it."""
    return "\n__all__ = [" in Path(str(module.__file__)).read_text(encoding="utf-8")


@cache
def surface() -> dict[str, dict[str, Any]]:
    """Find what is public: by module, each thing by the full name it is reached by."""
    found = {room: dict(_names(importlib.import_module(room))) for room in rooms()}
    known = {id(thing) for things in found.values() for thing in things.values()}
    others = (cls for cls in results() if id(cls) not in known)
    return {**found, RESULTS: {f"{cls.__module__}.{cls.__name__}": cls for cls in others}}


def _names(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name in sorted(module.__all__, key=str.lower):
        thing = getattr(module, name)
        if not (isinstance(thing, ModuleType) or name.startswith("_")):
            yield f"{module.__name__}.{name}", thing


def results() -> list[type[Result]]:
    """Find every class of results, wherever in the package it is."""
    for module in pkgutil.walk_packages(assay.__path__, "assay."):
        if not module.name.startswith(WITHOUT_RESULTS):
            importlib.import_module(module.name)
    found = dict.fromkeys([Result, *_below(Result)])
    ours = (cls for cls in found if cls.__module__.startswith("assay.") and not cls.__name__.startswith("_"))
    return sorted(ours, key=lambda cls: (cls.__module__, cls.__name__))


def _below(cls: type[Result]) -> Iterator[type[Result]]:
    for sub in cls.__subclasses__():
        yield sub
        yield from _below(sub)


def is_described(thing: Any) -> bool:
    """Say whether it is a function or a class, which a docstring describes; all else are values."""
    return inspect.isfunction(thing) or inspect.isclass(thing)


def methods(cls: type) -> dict[str, Any]:
    """Find the methods and properties that a class itself has for its users."""
    hidden = PLUMBING if issubclass(cls, Result) else set()
    own = {name: member for name, member in vars(cls).items() if not name.startswith("_") and name not in hidden}
    return {name: member for name, member in own.items() if _is_method(member)}


def _is_method(member: Any) -> bool:
    member = getattr(member, "__func__", member)  # of a class method
    return inspect.isfunction(member) or isinstance(member, property) or hasattr(member, "attrname")
