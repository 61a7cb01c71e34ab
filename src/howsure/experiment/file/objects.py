"""Build objects from tables of an experiment file: import a class or function and call it with the remaining keys."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from howsure.errors import HowsureError, listing, one_line, suggestion

BARE = re.compile(r"[A-Za-z0-9_-]+")
Table = dict[str, Any]


@dataclass(frozen=True)
class Section:
    """A section of the file, and the list of all errors found in the file."""

    keys: tuple[str, ...] = ()
    errors: list[str] = field(default_factory=list)

    def under(self, *keys: object) -> Section:
        return Section((*self.keys, *map(str, keys)), self.errors)

    def error(self, sentence: str) -> None:
        self.errors.append(f"{self} {sentence}" if self.keys else sentence)

    @contextmanager
    def catching(self) -> Iterator[None]:
        """Report a `HowsureError` raised in the block as an error in this section."""
        try:
            yield
        except HowsureError as error:
            self.error(str(error))

    def __str__(self) -> str:
        return f"[{'.'.join(key if BARE.fullmatch(key) else json.dumps(key) for key in self.keys)}]"


def check_keys(table: Table, allowed: Iterable[str], section: Section) -> None:
    """Report unknown keys."""
    allowed = list(allowed)
    for key in table:
        if key not in allowed:
            section.error(
                f"there is no key {key!r} here" + suggestion(key, allowed, otherwise=f"use {listing(allowed, 12)}")
            )


def learner(table: Table, section: Section) -> Any:
    """Build a learner from a class or from the steps of a pipeline."""
    built = build(table, section)
    if not {"class", "steps"} & set(table):
        section.error("`class` must be given: the path of a learner, such as 'sklearn.tree.DecisionTreeClassifier'.")
    elif built is not None and "class" in table and not _has(built, "fit", "predict"):
        section.error(f"`class` must name a learner, with `fit` and `predict`, not {table['class']!r}.")
    return built


def build(value: Any, section: Section) -> Any:
    """Replace tables that have `class` or `steps`, at any depth, with objects."""
    if isinstance(value, list):
        return [build(item, section.under(number)) for number, item in enumerate(value, start=1)]
    if not isinstance(value, dict):
        return value
    if "steps" in value:
        return _pipeline(value, section)
    if "class" in value:
        return make("class", value, section)
    return {key: build(item, section.under(key)) for key, item in value.items()}


def _pipeline(table: Table, section: Section) -> Any:
    check_keys(table, ["steps"], section)
    steps, before = table["steps"], len(section.errors)
    if not isinstance(steps, list) or not steps or not all(isinstance(s, dict) and "class" in s for s in steps):
        section.error("`steps` must be a list of tables, such as [{class = '...'}, {class = '...'}].")
        return None
    built = build(steps, section.under("steps"))
    if len(section.errors) > before:
        return None
    for number, (step, table) in enumerate(zip(built, steps, strict=True), start=1):
        needed = ("fit", "predict") if number == len(steps) else ("fit", "transform")
        if not _has(step, *needed):
            kind = "a learner" if number == len(steps) else "a transformer"
            methods = " and ".join(f"`{method}`" for method in needed)
            section.under("steps", number).error(f"`class` must name {kind}, with {methods}, not {table['class']!r}.")
    if len(section.errors) > before:
        return None
    from sklearn.pipeline import make_pipeline

    return make_pipeline(*built)


def make(key: str, table: Table, section: Section) -> Any:
    """Import and call the object named by `key`; return None after an error."""
    path = table[key]
    with section.catching():
        arguments = {name: item for name, item in table.items() if name != key}
        return call(import_object(path, key), path, arguments, section)
    return None


def call(function: Any, path: str, table: Table, section: Section) -> Any:
    """Call a function with the values of a table; return None after an error."""
    before = len(section.errors)
    arguments = {name: build(item, section.under(name)) for name, item in table.items()}
    _check_parameters(function, arguments, path, section)
    if len(section.errors) > before:
        return None
    try:
        return function(**arguments)
    except HowsureError as error:
        section.error(str(error))
    except (Exception, SystemExit) as error:  # the path may name `sys.exit`
        section.error(f"{path} fails with {type(error).__name__}: {reason(error)}.")
    return None


def import_object(path: Any, key: str) -> Any:
    """Import a class or function by its path, such as 'sklearn.svm.SVC'."""
    if not isinstance(path, str) or not all(part.isidentifier() for part in path.split(".")) or "." not in path:
        raise HowsureError(f"`{key}` must be a path such as 'package.module.name', not {path!r}.")
    module, _, name = path.rpartition(".")
    try:
        imported = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):  # another module is missing
            raise HowsureError(
                f"`{key}` names {path!r}, and {module!r} needs {error.name!r}, which is not installed."
            ) from None
        raise HowsureError(
            f"`{key}` names {path!r}, and there is no module {error.name!r}"
            + suggestion(error.name, _similar_modules(error.name))
        ) from None
    except (Exception, SystemExit) as error:
        raise HowsureError(
            f"`{key}` names {path!r}, and {module!r} cannot be imported: {type(error).__name__}: {reason(error)}."
        ) from None
    if not callable(getattr(imported, name, None)):
        public = [item for item in dir(imported) if item[0] != "_" and callable(getattr(imported, item, None))]
        raise HowsureError(f"`{key}` names {path!r}, and {module!r} has no {name!r}" + suggestion(name, public))
    return getattr(imported, name)


def _similar_modules(module: str) -> list[str]:
    """Return the modules of the same package, or all top-level modules."""
    package, dot, _ = module.rpartition(".")
    search = importlib.import_module(package).__path__ if package else None
    return [f"{package}{dot}{item.name}" for item in pkgutil.iter_modules(search) if not item.name.startswith("_")]


def _check_parameters(function: Any, arguments: Mapping[str, Any], path: str, section: Section) -> None:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # written in C, without a signature
        return
    if any(item.kind is item.VAR_KEYWORD for item in parameters):
        return
    names = [item.name for item in parameters if item.kind in (item.POSITIONAL_OR_KEYWORD, item.KEYWORD_ONLY)]
    for name in arguments:
        if name not in names:
            options = f"it has {listing(names, 12)}" if names else "it has none"
            section.error(f"{name!r} is not a parameter of {path}" + suggestion(name, names, otherwise=options))


def reason(error: BaseException) -> str:
    """Return the message of an error on one line, without the final period."""
    return one_line(" ".join(str(error).split())).rstrip(".")


def _has(item: Any, *methods: str) -> bool:
    return all(hasattr(item, method) for method in methods)
