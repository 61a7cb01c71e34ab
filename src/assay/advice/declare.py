"""Declare a finding once: its code, its title, and the function that looks for it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from assay.registry import Registry
from assay.resampling.splits import Splits
from assay.tables import Confusion, ScoreTable


@dataclass(frozen=True, slots=True)
class Evidence:
    """What findings are read off; each of them needs some of it, and whatever is not known may be left out.

    ``touches`` names the model of each look at a test set. ``stacking`` says on what a combiner was trained:
    "in-sample" or "out-of-fold". ``shape`` is the number of cases and of attributes.
    """

    table: Confusion | None = None
    scores: ScoreTable | None = None
    splits: Splits | None = None
    touches: tuple[str, ...] = ()
    stacking: str | None = None
    shape: tuple[int, int] | None = None

    def given(self, names: tuple[str, ...]) -> dict[str, Any] | None:
        """Give what is asked for by name, or None where some of it is not known."""
        found = {name: getattr(self, name) for name in names}
        return None if any(one is None or (isinstance(one, tuple) and not one) for one in found.values()) else found


Check = Callable[..., str | None]


@dataclass(frozen=True, slots=True)
class Advice:
    """A thing to look for; the check gives a sentence, or None where there is nothing to say.

    ``needs`` are the fields of `Evidence` that the check is called with, and without which it is not.
    """

    code: str
    title: str
    check: Check
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in the data or the result that a reader should know."""

    code: str
    title: str
    message: str

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    def to_dict(self) -> dict[str, str]:
        return {"code": self.code, "title": self.title, "message": self.message}


registry: Registry[Advice] = Registry("advice", "docs/advice.md lists them")


def advice(code: str, title: str) -> Callable[[Check], Check]:
    """Declare a check; its parameters say which evidence it needs."""

    def declare(check: Check) -> Check:
        needs = tuple(inspect.signature(check).parameters)
        if unknown := set(needs) - {field.name for field in fields(Evidence)}:
            raise TypeError(f"{code} asks for {unknown}, which no evidence has")
        registry.add(code, Advice(code, title, check, needs))
        return check

    return declare
