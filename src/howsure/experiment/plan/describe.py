"""Describe a learner as plain values, and list the differences between two descriptions.

A setting is described by its value, an object by its class and attributes, and the user's own code by a digest. For
code from installed libraries, the plan stores the versions.
"""

from __future__ import annotations

import copyreg
import hashlib
import pickle
import re
import sys
import sysconfig
from functools import cache, partial
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
CONSTANTS = (bool, int, float, complex, str, bytes, type(None), tuple, frozenset)
Within = tuple[int, ...]  # ids of the objects that contain the described object


def describe(value: Any, within: Within = ()) -> Any:
    """Return plain values for JSON that do not depend on memory addresses."""
    if value is None or isinstance(value, bool | int | float | str):
        return value if not isinstance(value, float) or np.isfinite(value) else str(value)
    if isinstance(value, np.generic):
        return describe(value.item())
    if isinstance(value, bytes | complex):
        return repr(value) if len(repr(value)) <= 60 else f"{len(repr(value))} letters, {_hash(repr(value).encode())}"
    if id(value) in within:
        return "itself"  # a circular reference
    inner = (*within, id(value))
    if isinstance(value, list | tuple):
        return [describe(item, inner) for item in value]
    if isinstance(value, set | frozenset):  # the order of a set depends on hashes, which differ between processes
        return sorted((describe(item, inner) for item in value), key=repr)
    if isinstance(value, dict):
        return {_key(key): describe(item, inner) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return _describe_array(value, inner)
    if isinstance(value, np.random.RandomState | np.random.Generator):
        return f"{type(value).__name__} {_hash(pickle.dumps(value))}"
    if isinstance(value, type | FunctionType):
        return _describe_code(value, inner)
    if isinstance(value, partial):
        return {"partial": describe(value.func, inner), "with": describe([value.args, value.keywords], inner)}
    if isinstance(value, ModuleType):
        return value.__name__
    if callable(value) and hasattr(value, "__qualname__"):
        return _describe_callable(value, inner)
    if hasattr(value, "__array__"):  # for example, a column of a data frame
        return _describe_array(np.asarray(value), inner)
    return _describe_object(value, inner)


def _key(key: Any) -> str:
    return key if isinstance(key, str) else f"{type(key).__name__} {key!r}"


def _describe_array(value: np.ndarray[Any, Any], within: Within) -> Any:
    # The bytes of an object array are memory addresses.
    if value.dtype.hasobject or (value.size <= 20 and value.dtype.kind in "biufU"):
        return describe(value.tolist(), within)
    return f"array of shape {value.shape}, {_hash(value.dtype.str.encode() + value.tobytes())}"


def _describe_callable(value: Any, within: Within) -> Any:
    """Describe a method by its object and name, and a wrapper by its function."""
    if isinstance(getattr(value, "__wrapped__", None), FunctionType):
        return _describe_code(value.__wrapped__, within)
    owner = getattr(value, "__self__", None)
    if owner is not None and not isinstance(owner, ModuleType):
        return {"method": value.__qualname__, "of": describe(owner, within)}
    owner_name = getattr(value, "__module__", None) or getattr(value, "__objclass__", type(value)).__name__
    return f"{owner_name}.{value.__qualname__}"


def _describe_object(value: Any, within: Within) -> Any:
    """Describe an object by its class and pickled state, without fitted values."""
    settings = value.get_params(deep=False) if hasattr(value, "get_params") else None
    try:
        reduce = copyreg.dispatch_table.get(type(value))  # as pickle does
        reduced: Any = value.__reduce_ex__(4) if reduce is None else reduce(value)
        if isinstance(reduced, str):
            return f"{type(value).__module__}.{reduced}"  # a singleton, pickled by name
        make, arguments, *rest = reduced
    except Exception:  # the object cannot be pickled
        make, arguments, rest = None, (), [] if settings else [ADDRESS.sub("", " ".join(repr(value).split()))]
    state, *items = rest or [None]
    slots: Any = {}
    if isinstance(state, tuple) and len(state) == 2 and isinstance(state[1], dict):
        state, slots = state
    attributes = {**(settings or {}), **slots, **(state if isinstance(state, dict) else {})}
    described = {
        name: describe(item, within)
        for name, item in sorted(attributes.items())
        # By scikit-learn's convention, other names with a leading or trailing underscore are set by `fit`.
        if name in (settings or ()) or not (name.endswith("_") or (settings is not None and name.startswith("_")))
    }
    described = {"class": _describe_code(type(value), within), **described}
    if settings is None and (getattr(make, "__name__", "") != "__newobj__" or len(arguments) > 1):
        described["made of"] = describe([item for item in arguments if item is not type(value)], within)
    if state is not None and not isinstance(state, dict):
        described["holds"] = describe(state, within)
    if any(item is not None for item in items):
        described["items"] = [describe(list(item), within) for item in items if item is not None]
    return described


def _hash(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=8).hexdigest()


def _describe_code(value: Any, within: Within) -> str:
    """Return the path of a class or function, with a digest of user code."""
    if _is_installed(value.__module__) and "<" not in value.__qualname__:
        return path_of(value)
    inside = _inside_class(value, within) if isinstance(value, type) else _inside(value, within)
    return f"{path_of(value)} {_hash(repr(inside).encode('utf-8', 'surrogatepass'))}"


@cache
def _is_installed(module: str) -> bool:
    """Return whether a module belongs to Python or an installed library."""
    if module == "__main__":
        return False
    if module.partition(".")[0] in ("howsure", *sys.builtin_module_names):
        return True
    paths = sysconfig.get_paths()
    file = getattr(sys.modules.get(module), "__file__", None)
    return file is None or file.startswith(tuple({paths[name] for name in ("stdlib", "purelib", "platlib")}))


def _inside_class(cls: type, within: Within) -> list[Any]:
    """Return the code and constants of a class and its user-defined bases."""
    inner = (*within, id(cls))
    members = []
    for base in cls.__mro__:
        if not _is_installed(base.__module__):
            for name, member in sorted(vars(base).items()):
                if name.startswith("__") and name not in ("__init__", "__call__", "__getattr__"):
                    continue
                members += [[name, _inside(function, inner)] for function in _functions(member)]
                if isinstance(member, CONSTANTS):
                    members.append([name, describe(member, inner)])
    return members


def _functions(member: Any) -> list[FunctionType]:
    """Return the functions behind a class member, such as a property."""
    parts = (member, *(getattr(member, name, None) for name in ("__func__", "fget", "fset", "func", "__wrapped__")))
    return [part for part in parts if isinstance(part, FunctionType)]


def _inside(function: FunctionType, within: Within = ()) -> list[Any]:
    """Return a function's code, closure, and the user-defined names it uses."""
    if id(function.__code__) in within:
        return ["itself"]
    inner = (*within, id(function.__code__))
    closure = [_cell(cell) for cell in function.__closure__ or ()]
    named = []
    for name in sorted(_names(function.__code__)):
        item = function.__globals__.get(name)
        own = isinstance(item, type | FunctionType) and not _is_installed(item.__module__)
        if (own and id(item) not in inner) or (isinstance(item, CONSTANTS) and name in function.__globals__):
            named.append([name, describe(item, inner)])
    return [
        _code(function.__code__),
        describe(function.__defaults__, inner),
        describe(function.__kwdefaults__, inner),
        [describe(item, inner) for item in closure],
        named,
    ]


def _cell(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not set yet
        return None


def _names(code: CodeType) -> set[str]:
    """Return the names that a function and its inner functions look up."""
    inner = (_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*inner)


def _code(code: CodeType) -> list[Any]:
    constants = [_code(value) if isinstance(value, CodeType) else describe(value) for value in code.co_consts]
    return [code.co_code, code.co_names, constants]


def path_of(thing: Any) -> str:
    return f"{thing.__module__}.{thing.__qualname__}"


def differences(before: Any, after: Any, where: str = "") -> list[str]:
    """Return the differences between two descriptions, in words."""
    if isinstance(before, dict) and isinstance(after, dict):
        changes = []
        for key in dict.fromkeys((*before, *after)):
            path = f"{where}.{key}" if where else str(key)
            if key not in before:
                changes.append(f"{path} is new")
            elif key not in after:
                changes.append(f"{path} is gone")
            else:
                changes += differences(before[key], after[key], path)
        return changes
    if (
        isinstance(before, list) and isinstance(after, list) and len(before) == len(after)
    ):  # for example, the steps of a pipeline
        pairs = enumerate(zip(before, after, strict=True), start=1)
        return [change for number, pair in pairs for change in differences(*pair, f"{where}.{number}")]
    same = before == after and type(before) is type(after)  # 1 and 1.0 may mean different things to a learner
    return [] if same else [f"{where} was {_short(before)} and is {_short(after)}"]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
