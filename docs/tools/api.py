"""Pages of the Python interface: what there is, by module, found from what the package itself gives out.

`surface` finds the public names: those of `howsure` (its ``__all__``), those of the modules among them, and the results
that functions return but that have no public name of their own. The contract of docstrings
(tests/contract/test_docstrings.py) reads the same. A thing that several modules give is described once, on the page of
the first of them; the others refer to it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import howsure
from howsure.present.result import INTERNAL_NAMES, Result
from howsure.present.value_text import escape_markdown
from howsure.registry import Registry

Things = dict[str, Any]  # by the full name that each is reached by

RESULTS = "results"  # the page of those without a public name
WITHOUT_RESULTS = ("howsure.cli", "howsure.kernels", "howsure.__main__")
DECLARED = {  # modules that hold what is declared, each of which has a page of its own
    "howsure.advice": "[every finding](../advice/index.md)",
    "howsure.curves": "[every curve](../curves/index.md)",
    "howsure.intervals": "[every interval method](../intervals/index.md)",
    "howsure.measures": "[every measure](../measures/index.md)",
    "howsure.significance": "[every test](../tests/index.md)",
}
INDEX = """# Python

Every public function and class, by module. `import howsure` loads next to nothing: each is loaded on first use. What
every result can do, as a text, a table, a data frame, a picture or a file, is said once, at
{{py:obj}}`Result <howsure.present.result.Result>`.

| module | what it has |
|---|---|
{rows}
```{{toctree}}
:hidden:

{pages}
```
"""
ADDED = re.compile(r"set_\w+_request$")  # by scikit-learn, to every class of learners
CODE = re.compile("``?([^`]+)``?")
OF_RESULTS = "What is only ever given, by functions and methods of other pages, and what results have in common."


def rooms() -> list[str]:
    """List the public modules: `howsure`, and those that it gives out by name."""
    stub = ast.parse(Path(str(howsure.__file__)).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [item for item in stub.body if isinstance(item, ast.ImportFrom) and item.module is None]
    return ["howsure", *sorted(f"howsure.{alias.name}" for item in imports for alias in item.names)]


@cache
def surface() -> dict[str, Things]:
    """Find what is public, by module."""
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
    for module in pkgutil.walk_packages(howsure.__path__, "howsure."):
        if not module.name.startswith(WITHOUT_RESULTS):
            importlib.import_module(module.name)
    every: dict[type[Result], None] = dict.fromkeys(_with_those_below(Result))
    ours = (cls for cls in every if _is_ours(cls) and not cls.__name__.startswith("_"))
    return sorted(ours, key=lambda cls: cls.__name__.lower())


def _with_those_below(cls: type[Result]) -> Iterator[type[Result]]:
    yield cls
    for sub in cls.__subclasses__():
        yield from _with_those_below(sub)


def _is_ours(cls: type) -> bool:
    return cls.__module__.partition(".")[0] == "howsure"


def is_described(thing: Any) -> bool:
    """Say whether it is a function or a class, which a docstring describes; all else are values."""
    return inspect.isfunction(thing) or inspect.isclass(thing)


def methods(cls: type) -> dict[str, Any]:
    """Find the methods and properties that a class itself has for its users."""
    hidden = INTERNAL_NAMES if issubclass(cls, Result) else set()
    own = {name: member for name, member in vars(cls).items() if not name.startswith("_") and name not in hidden}
    return {name: member for name, member in own.items() if _is_method(member)}


def _is_method(member: Any) -> bool:
    function = getattr(member, "__func__", member)  # of a class method
    return inspect.isfunction(function) or isinstance(member, property | cached_property)


def pages() -> dict[str, str]:
    """Give each page, by its path below docs/reference/api."""
    homes: dict[int, str] = {}
    for things in surface().values():
        for name, thing in things.items():
            homes.setdefault(id(thing), name)
    found = {f"{room}.md": page(room, things, homes) for room, things in surface().items()}
    return {"index.md": index(list(surface())), **found}


def index(names: list[str]) -> str:
    rows = "".join(f"| [`{name}`]({name}.md) | {about(name)} |\n" for name in names)
    return INDEX.format(rows=rows, pages="\n".join(names))


def about(room: str) -> str:
    """Say what a module has, in its own words."""
    if room == RESULTS:
        return OF_RESULTS
    first, _, _ = (inspect.getdoc(importlib.import_module(room)) or "").partition("\n\n")
    return as_markdown(first)


def page(room: str, things: Things, homes: Mapping[int, str]) -> str:
    """List what a module has, and describe what has its home there."""
    title = "Other results" if room == RESULTS else room
    text = f"# {title}\n\n{about(room)}"
    text += f" There is a page for {DECLARED[room]}.\n\n" if room in DECLARED else "\n\n"
    text += "| name | what it is |\n|---|---|\n"
    text += "".join(f"| {link(name, thing, homes[id(thing)])} | {summary(thing)} |\n" for name, thing in things.items())
    at_home = {name: thing for name, thing in things.items() if is_described(thing) and homes[id(thing)] == name}
    for heading, is_kind in (("Functions", inspect.isfunction), ("Classes", inspect.isclass)):
        blocks = [directive(name, thing) for name, thing in at_home.items() if is_kind(thing)]
        text += f"\n## {heading}\n\n" + "\n".join(blocks) if blocks else ""
    return text


def link(name: str, thing: Any, home: str) -> str:
    short = name.rpartition(".")[2]
    return f"{{py:obj}}`{short} <{home}>`" if is_described(thing) else f"`{short}`"


def summary(thing: Any) -> str:
    """Say what it is in a line."""
    if is_described(thing):
        return as_markdown((inspect.getdoc(thing) or "").partition("\n\n")[0])
    if isinstance(thing, Registry):
        return f"Every declared {thing.kind}, by name and alias."
    return ", ".join(f"`{name}`" for name in thing) if isinstance(thing, dict | tuple) else f"`{thing!r}`"


def as_markdown(text: str) -> str:
    """Write a line of a docstring so that it can stand in a table."""
    parts = CODE.split(" ".join(text.split()))  # every second one is code
    return "".join(_code(part) if number % 2 else escape_markdown(part) for number, part in enumerate(parts))


def _code(text: str) -> str:
    bars = text.replace("|", r"\|")  # which would end a cell
    return f"`{bars}`"


def directive(name: str, thing: Any) -> str:
    """Have Sphinx write what a docstring says, of a class with what it has from classes that have no page."""
    if inspect.isfunction(thing):
        return f"```{{eval-rst}}\n.. autofunction:: {name}\n```\n"
    foreign = {base.__name__ for base in thing.__mro__[1:] if base is Result or not _is_ours(base)}
    options = [":members:", f":inherited-members: {', '.join(sorted(foreign))}"]
    options += [":show-inheritance:"] * (thing.__bases__ != (object,))
    if hidden := list(filter(ADDED.match, dir(thing))) + (_said_elsewhere(thing) if issubclass(thing, Result) else []):
        options.append(f":exclude-members: {', '.join(hidden)}")
    lines = "".join(f"   {option}\n" for option in options)
    return f"```{{eval-rst}}\n.. autoclass:: {name}\n{lines}```\n"


def _said_elsewhere(cls: type[Result]) -> list[str]:
    """Name what users need not know of, and what is as all results have it, which is said of them."""
    as_all = (name for name in vars(Result) if cls is not Result and not getattr(cls, name).__doc__)
    return sorted({*(INTERNAL_NAMES & set(dir(cls))), *(name for name in as_all if not name.startswith("_"))})
