"""`dataclass(frozen=True)` that makes a class in a fifth of the time: a command that starts makes two hundred of them.

The one of the standard library writes and compiles six functions for each class. Here `__init__` alone is compiled, and
the others are closures, which behave the same. What a field is, `replace`, `asdict` and `slots` stay the library's, and
type checkers read the library's own. `docs/decisions/2026-11-18-quick-dataclasses.md` has what it saves.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        *,
        frozen: Literal[True],
        eq: bool = True,
        repr: bool = True,  # noqa: A002
        slots: bool = False,
        kw_only: bool = False,
    ) -> Callable[[type], type]:
        """Make a frozen data class; methods that the class has written itself are kept, as everywhere."""

        def made(cls: type) -> type:
            written = set(vars(cls))
            if "__eq__" in written and cls.__hash__ is None:  # which Python sets where a class writes how it compares
                written -= {"__hash__"}
            cls = dataclasses.dataclass(init=False, eq=False, repr=False, slots=slots, kw_only=kw_only)(cls)
            fields = dataclasses.fields(cls)
            methods = [_init(cls, fields), *_refusals(cls, fields)]
            if repr:
                methods.append(_repr(fields))
            if eq:
                compared = _values([field for field in fields if field.compare])
                methods += [_eq(compared), _hash(compared)]
            if slots:  # which pickle would set one by one
                methods += _state(fields)
            for method in methods:
                if method.__name__ not in written:
                    method.__qualname__ = f"{cls.__qualname__}.{method.__name__}"
                    setattr(cls, method.__name__, method)
            return cls

        return made


class _Factory:
    """Default of a parameter whose value is made anew for each object."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


def _init(cls: type, fields: tuple[Field[Any], ...]) -> Callable[..., None]:
    names: dict[str, Any] = {"__name__": cls.__module__, "_set_": object.__setattr__, "_factory_": _FACTORY}
    positional: list[str] = ["self"]
    keyword_only: list[str] = []
    lines: list[str] = []
    for field in fields:
        name, parameter, default = field.name, field.name, f"_default_{field.name}"
        if field.default_factory is not MISSING:
            names[default] = field.default_factory
            parameter += "=_factory_"
            value = f"{default}() if {name} is _factory_ else {name}" if field.init else f"{default}()"
        elif field.default is not MISSING:
            names[default] = field.default
            parameter += f"={default}"
            value = name if field.init else default
        else:
            value = name
        if field.init:
            (keyword_only if field.kw_only else positional).append(parameter)
        if field.init or default in names:
            lines.append(f"_set_(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = ", ".join([*positional, *(["*", *keyword_only] if keyword_only else [])])
    exec(f"def __init__({parameters}):\n " + "\n ".join(lines or ["pass"]), names)
    init: Callable[..., None] = names["__init__"]
    init.__annotations__ = {field.name: field.type for field in fields if field.init} | {"return": None}
    return init


def _refusals(cls: Any, fields: tuple[Field[Any], ...]) -> list[Callable[..., None]]:
    names = {field.name for field in fields}

    def __setattr__(self: Any, name: str, value: Any) -> None:  # noqa: N807
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:  # noqa: N807
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return [__setattr__, __delattr__]


def _values(fields: list[Field[Any]]) -> Callable[[Any], tuple[Any, ...]]:
    """What reads these fields of an object."""
    names = [field.name for field in fields]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda holder: tuple(getattr(holder, name) for name in names)


def _repr(fields: tuple[Field[Any], ...]) -> Callable[[Any], str]:
    names = [field.name for field in fields if field.repr]

    @recursive_repr()
    def __repr__(self: Any) -> str:  # noqa: N807
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return __repr__


def _eq(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, object], bool]:
    def __eq__(self: Any, other: object) -> bool:  # noqa: N807
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    return __eq__


def _hash(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(values(self))

    return __hash__


def _state(fields: tuple[Field[Any], ...]) -> list[Callable[..., Any]]:
    names = [field.name for field in fields]

    def __getstate__(self: Any) -> list[Any]:  # noqa: N807
        return [getattr(self, name) for name in names]

    def __setstate__(self: Any, state: list[Any]) -> None:  # noqa: N807
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return [__getstate__, __setstate__]
