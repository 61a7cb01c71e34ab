"""Reference pages of the Python interface, one for each public module.

`surface` returns the public names: those of `howsure` (its ``__all__``), those of its public modules, and result
classes that functions return but that have no public name. tests/contract/test_docstrings.py uses the same list. An
object that several modules export is described on the page of the first module; the others link to it.
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

Objects = dict[str, Any]  # by full name

RESULTS = "results"  # the page of result classes without a public name
WITHOUT_RESULTS = ("howsure.cli", "howsure.kernels", "howsure.__main__")
DECLARED = {  # modules with a registry, whose entries have their own pages
    "howsure.advice": "[every finding](../advice/index.md)",
    "howsure.curves": "[every curve](../curves/index.md)",
    "howsure.intervals": "[every interval method](../intervals/index.md)",
    "howsure.measures": "[every measure](../measures/index.md)",
    "howsure.significance": "[every test](../tests/index.md)",
}
INDEX = """# Python

All public functions and classes, by module. `import howsure` is fast, because modules are loaded on first use. The
methods that all results share (text, tables, data frames, pictures and files) are described in
{{py:obj}}`Result <howsure.present.result.Result>`.

| module | contents |
|---|---|
{rows}
```{{toctree}}
:hidden:

{pages}
```
"""
SKLEARN_METHODS = re.compile(r"set_\w+_request$")  # added by scikit-learn to every learner
CODE = re.compile("``?([^`]+)``?")
OF_RESULTS = "Result classes that are returned by functions and methods on other pages, and their common base class."


def rooms() -> list[str]:
    """Return the names of the public modules: `howsure` and those that it exports."""
    stub = ast.parse(Path(str(howsure.__file__)).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [item for item in stub.body if isinstance(item, ast.ImportFrom) and item.module is None]
    return ["howsure", *sorted(f"howsure.{alias.name}" for item in imports for alias in item.names)]


@cache
def surface() -> dict[str, Objects]:
    """Return the public objects of each module by name."""
    public = {room: dict(_names(importlib.import_module(room))) for room in rooms()}
    exported = {id(item) for objects in public.values() for item in objects.values()}
    unexported = (cls for cls in results() if id(cls) not in exported)
    return {**public, RESULTS: {f"{cls.__module__}.{cls.__name__}": cls for cls in unexported}}


def _names(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name in sorted(module.__all__, key=str.lower):
        item = getattr(module, name)
        if not (isinstance(item, ModuleType) or name.startswith("_")):
            yield f"{module.__name__}.{name}", item


def results() -> list[type[Result]]:
    """Return all result classes of the package, sorted by name."""
    for module in pkgutil.walk_packages(howsure.__path__, "howsure."):
        if not module.name.startswith(WITHOUT_RESULTS):
            importlib.import_module(module.name)
    classes: dict[type[Result], None] = dict.fromkeys(_with_subclasses(Result))
    ours = (cls for cls in classes if _is_ours(cls) and not cls.__name__.startswith("_"))
    return sorted(ours, key=lambda cls: cls.__name__.lower())


def _with_subclasses(cls: type[Result]) -> Iterator[type[Result]]:
    yield cls
    for sub in cls.__subclasses__():
        yield from _with_subclasses(sub)


def _is_ours(cls: type) -> bool:
    return cls.__module__.partition(".")[0] == "howsure"


def is_described(item: Any) -> bool:
    """Return whether an object is a function or class and so has a docstring; other objects are values."""
    return inspect.isfunction(item) or inspect.isclass(item)


def methods(cls: type) -> dict[str, Any]:
    """Return the public methods and properties that a class defines itself."""
    hidden = INTERNAL_NAMES if issubclass(cls, Result) else set()
    own = {name: member for name, member in vars(cls).items() if not name.startswith("_") and name not in hidden}
    return {name: member for name, member in own.items() if _is_method(member)}


def _is_method(member: Any) -> bool:
    function = getattr(member, "__func__", member)  # of a class method
    return inspect.isfunction(function) or isinstance(member, property | cached_property)


def pages() -> dict[str, str]:
    """Return the text of each page by its path below docs/reference/api."""
    homes: dict[int, str] = {}
    for objects in surface().values():
        for name, item in objects.items():
            homes.setdefault(id(item), name)
    texts = {f"{room}.md": page(room, objects, homes) for room, objects in surface().items()}
    return {"index.md": index(list(surface())), **texts}


def index(names: list[str]) -> str:
    rows = "".join(f"| [`{name}`]({name}.md) | {about(name)} |\n" for name in names)
    return INDEX.format(rows=rows, pages="\n".join(names))


def about(room: str) -> str:
    """Return the first paragraph of a module's docstring as Markdown."""
    if room == RESULTS:
        return OF_RESULTS
    first, _, _ = (inspect.getdoc(importlib.import_module(room)) or "").partition("\n\n")
    return as_markdown(first)


def page(room: str, objects: Objects, homes: Mapping[int, str]) -> str:
    """Return the page of a module: a list of its names, and the docstrings of the objects described there."""
    title = "Other results" if room == RESULTS else room
    text = f"# {title}\n\n{about(room)}"
    text += f" There is a page for {DECLARED[room]}.\n\n" if room in DECLARED else "\n\n"
    text += "| name | description |\n|---|---|\n"
    text += "".join(f"| {link(name, item, homes[id(item)])} | {summary(item)} |\n" for name, item in objects.items())
    at_home = {name: item for name, item in objects.items() if is_described(item) and homes[id(item)] == name}
    for heading, is_kind in (("Functions", inspect.isfunction), ("Classes", inspect.isclass)):
        blocks = [directive(name, item) for name, item in at_home.items() if is_kind(item)]
        text += f"\n## {heading}\n\n" + "\n".join(blocks) if blocks else ""
    return text


def link(name: str, item: Any, home: str) -> str:
    short = name.rpartition(".")[2]
    return f"{{py:obj}}`{short} <{home}>`" if is_described(item) else f"`{short}`"


def summary(item: Any) -> str:
    """Return a one-line description of a public object."""
    if is_described(item):
        return as_markdown((inspect.getdoc(item) or "").partition("\n\n")[0])
    if isinstance(item, Registry):
        return f"Every declared {item.kind}, by name and alias."
    return ", ".join(f"`{name}`" for name in item) if isinstance(item, dict | tuple) else f"`{item!r}`"


def as_markdown(text: str) -> str:
    """Convert the first line of a docstring to Markdown for a table cell."""
    parts = CODE.split(" ".join(text.split()))  # odd parts are code
    return "".join(_code(part) if number % 2 else escape_markdown(part) for number, part in enumerate(parts))


def _code(text: str) -> str:
    escaped = text.replace("|", r"\|")  # a plain | would end the cell
    return f"`{escaped}`"


def directive(name: str, item: Any) -> str:
    """Return the autodoc directive of a function or class; methods of base classes without a page are included."""
    if inspect.isfunction(item):
        return f"```{{eval-rst}}\n.. autofunction:: {name}\n```\n"
    foreign = {base.__name__ for base in item.__mro__[1:] if base is Result or not _is_ours(base)}
    options = [":members:", f":inherited-members: {', '.join(sorted(foreign))}"]
    options += [":show-inheritance:"] * (item.__bases__ != (object,))
    hidden = list(filter(SKLEARN_METHODS.match, dir(item)))
    if issubclass(item, Result):
        hidden += _described_elsewhere(item)
    if hidden:
        options.append(f":exclude-members: {', '.join(hidden)}")
    lines = "".join(f"   {option}\n" for option in options)
    return f"```{{eval-rst}}\n.. autoclass:: {name}\n{lines}```\n"


def _described_elsewhere(cls: type[Result]) -> list[str]:
    """Return internal members, and members that are described at `Result`."""
    inherited = (name for name in vars(Result) if cls is not Result and not getattr(cls, name).__doc__)
    return sorted({*(INTERNAL_NAMES & set(dir(cls))), *(name for name in inherited if not name.startswith("_"))})
