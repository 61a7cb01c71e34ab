"""Declare a finding once: its code, its title, and the function that looks for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assay.registry import Registry
from assay.resampling.splits import Splits
from assay.tables import Confusion, ScoreTable


@dataclass(frozen=True, slots=True)
class Evidence:
    """What findings are read off: the confusion table and, where there are any, scores, splits, looks at a test set.

    ``touches`` names the model of each look.
    """

    table: Confusion
    scores: ScoreTable | None = None
    splits: Splits | None = None
    touches: tuple[str, ...] = ()


Check = Callable[[Evidence], str | None]


@dataclass(frozen=True, slots=True)
class Advice:
    """A thing to look for; the check gives a sentence, or None where there is nothing to say."""

    code: str
    title: str
    check: Check


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
    def declare(check: Check) -> Check:
        registry.add(code, Advice(code, title, check))
        return check

    return declare
