"""Describe a learner in plain values, the same for the same learner today and on resuming; and list differences."""

from __future__ import annotations

import hashlib
import pickle
import re
from types import CodeType, FunctionType
from typing import Any

import numpy as np

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def describe(value: Any) -> Any:
    """Return plain values that JSON can hold and that depend on the settings only."""
    if value is None or isinstance(value, bool | int | float | str):
        return value if not isinstance(value, float) or np.isfinite(value) else str(value)
    if isinstance(value, np.generic):
        return describe(value.item())
    if isinstance(value, list | tuple):
        return [describe(item) for item in value]
    if isinstance(value, set | frozenset):  # in an order of their own, not that of this process's hashes
        return sorted((describe(item) for item in value), key=repr)
    if isinstance(value, dict):
        return {str(key): describe(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        if value.size <= 20 and value.dtype.kind in "biufU":
            return describe(value.tolist())
        if value.dtype.hasobject:  # its bytes are addresses
            return describe(value.tolist())
        return f"array of shape {value.shape}, {_hash(value.tobytes())}"
    if isinstance(value, np.random.RandomState | np.random.Generator):
        return f"{type(value).__name__} {_hash(pickle.dumps(value))}"
    if isinstance(value, FunctionType) and (value.__module__ == "__main__" or "<" in value.__qualname__):
        return f"{path_of(value)} {_hash(repr(_inside(value)).encode('utf-8', 'surrogatepass'))}"  # no name of its own
    if isinstance(value, type) or (callable(value) and hasattr(value, "__qualname__")):
        return path_of(value)
    if hasattr(value, "get_params") and not isinstance(value, type):
        settings = {key: describe(item) for key, item in sorted(value.get_params(deep=False).items())}
        return {"class": path_of(type(value)), **settings}
    text = " ".join(repr(value).split())
    if ADDRESS.search(text) and getattr(value, "__dict__", None):  # it shows where it is, not what
        return {"class": path_of(type(value)), **{key: describe(item) for key, item in sorted(vars(value).items())}}
    return ADDRESS.sub("", text)


def _hash(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=8).hexdigest()


def _inside(function: FunctionType) -> list[Any]:
    """The code of a function and what it holds, whatever line it stands on."""
    held = [cell.cell_contents for cell in function.__closure__ or ()]
    return [_code(function.__code__), describe(function.__defaults__), describe(held)]


def _code(code: CodeType) -> list[Any]:
    constants = [_code(one) if isinstance(one, CodeType) else describe(one) for one in code.co_consts]
    return [code.co_code, code.co_names, constants]


def path_of(thing: Any) -> str:
    return f"{thing.__module__}.{thing.__qualname__}"


def differences(before: Any, after: Any, where: str = "") -> list[str]:
    """List what differs between two descriptions, in words."""
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
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):  # as steps of a pipeline
        pairs = enumerate(zip(before, after, strict=True), start=1)
        return [change for number, pair in pairs for change in differences(*pair, f"{where}.{number}")]
    return [] if before == after else [f"{where} was {_short(before)} and is {_short(after)}"]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
