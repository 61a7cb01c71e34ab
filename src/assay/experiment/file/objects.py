"""Objects that an experiment file describes by tables: found by their path, and made with the other keys."""

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

from assay.errors import AssayError, listing, suggestion
from assay.present.format import one_line

BARE = re.compile(r"[A-Za-z0-9_-]+")
Table = dict[str, Any]


@dataclass(frozen=True)
class Place:
    """A place in the file, and the list of all that was found wrong so far."""

    keys: tuple[str, ...] = ()
    said: list[str] = field(default_factory=list)

    def under(self, *keys: object) -> Place:
        return Place((*self.keys, *map(str, keys)), self.said)

    def say(self, sentence: str) -> None:
        self.said.append(f"{self} {sentence}" if self.keys else sentence)

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Take what is refused inside as said of this place."""
        try:
            yield
        except AssayError as error:
            self.say(str(error))

    def __str__(self) -> str:
        return f"[{'.'.join(key if BARE.fullmatch(key) else json.dumps(key) for key in self.keys)}]"


def check_keys(table: Table, known: Iterable[str], place: Place) -> None:
    """Say which keys mean nothing here."""
    known = list(known)
    for key in table:
        if key not in known:
            place.say(f"there is no key {key!r} here" + suggestion(key, known, otherwise=f"give {listing(known, 12)}"))


def learner(table: Table, place: Place) -> Any:
    """Make a learner, of a class or of steps."""
    made = build(table, place)
    if not {"class", "steps"} & set(table):
        place.say("`class` must be given, as the path of a learner such as 'sklearn.tree.DecisionTreeClassifier'.")
    elif made is not None and "class" in table and not _has(made, "fit", "predict"):
        place.say(f"`class` must name a learner, with `fit` and `predict`, not {table['class']!r}.")
    return made


def build(value: Any, place: Place) -> Any:
    """Give a value of the file, with an object in place of each table that has a `class` or `steps`, at any depth."""
    if isinstance(value, list):
        return [build(item, place.under(number)) for number, item in enumerate(value, start=1)]
    if not isinstance(value, dict):
        return value
    if "steps" in value:
        return _pipeline(value, place)
    if "class" in value:
        return make("class", value, place)
    return {key: build(item, place.under(key)) for key, item in value.items()}


def _pipeline(table: Table, place: Place) -> Any:
    check_keys(table, ["steps"], place)
    steps, before = table["steps"], len(place.said)
    if not isinstance(steps, list) or not steps or not all(isinstance(s, dict) and "class" in s for s in steps):
        place.say("`steps` must be a list of tables, as [{class = '...'}, {class = '...'}].")
        return None
    made = build(steps, place.under("steps"))
    if len(place.said) > before:
        return None
    for number, (step, table) in enumerate(zip(made, steps, strict=True), start=1):
        needed = ("fit", "predict") if number == len(steps) else ("fit", "transform")
        if not _has(step, *needed):
            what = "a learner" if number == len(steps) else "a transformer"
            told = " and ".join(f"`{one}`" for one in needed)
            place.under("steps", number).say(f"`class` must name {what}, with {told}, not {table['class']!r}.")
    if len(place.said) > before:
        return None
    from sklearn.pipeline import make_pipeline

    return make_pipeline(*made)


def make(key: str, table: Table, place: Place) -> Any:
    """Call what the path under ``key`` names with the other keys; None where that cannot be, which is then said."""
    path = table[key]
    with place.noting():
        return call(find(path, key), path, {name: item for name, item in table.items() if name != key}, place)
    return None


def call(found: Any, called: str, given: Table, place: Place) -> Any:
    """Call with the values of a table, built; None where that cannot be, which is then said."""
    before = len(place.said)
    arguments = {name: build(item, place.under(name)) for name, item in given.items()}
    _check_parameters(found, arguments, called, place)
    if len(place.said) > before:
        return None
    try:
        return found(**arguments)
    except AssayError as error:
        place.say(str(error))
    except Exception as error:
        place.say(f"{called} fails with {type(error).__name__}: {reason(error)}.")
    return None


def find(path: Any, key: str) -> Any:
    """Import what a path such as 'sklearn.tree.DecisionTreeClassifier' names."""
    if not isinstance(path, str) or not all(part.isidentifier() for part in path.split(".")) or "." not in path:
        raise AssayError(f"`{key}` must be a path such as 'package.module.name', not {path!r}.")
    module, _, name = path.rpartition(".")
    try:
        holder = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(
            f"{error.name}."
        ):  # the module is there, and lacks another
            raise AssayError(
                f"`{key}` names {path!r}, and {module!r} needs {error.name!r}, which is missing."
            ) from None
        raise AssayError(
            f"`{key}` names {path!r}, and there is no module {error.name!r}"
            + suggestion(error.name, _beside(error.name))
        ) from None
    except Exception as error:
        raise AssayError(
            f"`{key}` names {path!r}, and {module!r} cannot be imported: {type(error).__name__}: {reason(error)}."
        ) from None
    if not callable(getattr(holder, name, None)):
        there = [one for one in dir(holder) if not one.startswith("_") and callable(getattr(holder, one, None))]
        raise AssayError(f"`{key}` names {path!r}, and {module!r} has no {name!r}" + suggestion(name, there))
    return getattr(holder, name)


def _beside(module: str) -> list[str]:
    """Modules that could have been meant: of the same package, or all that are installed."""
    package, dot, _ = module.rpartition(".")
    search = importlib.import_module(package).__path__ if package else None
    return [f"{package}{dot}{one.name}" for one in pkgutil.iter_modules(search) if not one.name.startswith("_")]


def _check_parameters(found: Any, arguments: Mapping[str, Any], called: str, place: Place) -> None:
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):  # written in C, without a signature
        return
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        return
    names = [one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    for name in arguments:
        if name not in names:
            has = f"it has {listing(names, 12)}" if names else "it has none"
            place.say(f"{name!r} is no parameter of {called}" + suggestion(name, names, otherwise=has))


def reason(error: Exception) -> str:
    """What an error of somebody else says, on one line and without a full stop."""
    return one_line(" ".join(str(error).split())).rstrip(".")


def _has(thing: Any, *methods: str) -> bool:
    return all(hasattr(thing, method) for method in methods)
