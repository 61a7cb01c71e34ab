"""Declare a section of a page once: what it is of, where it stands, and the function that makes it.

The function takes one view of a result (`Reported.views`), named by a key since this room lies below that of any
result, and returns a `Section`, or None where it has nothing to say. Its parts are tables (`Sheet`), figures
(`Figure`), paragraphs (text), and whatever else has a template of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from howsure.present.report.figure import Figure
from howsure.present.sheet import Sheet
from howsure.registry import Registry, import_modules


@dataclass(frozen=True)
class Paragraph:
    """Text; ``kind`` is a class of the style sheet, such as "verdict" or "note"."""

    text: str
    kind: str = ""

    template = "paragraph.html"

    def to_dict(self) -> dict[str, Any]:
        return {"text": self.text}


@dataclass(frozen=True)
class Table:
    """A table; those with many rows are folded away behind ``summary``."""

    sheet: Sheet
    summary: str = ""

    template = "table.html"

    def to_dict(self) -> dict[str, Any]:
        return self.sheet.to_dict()


@dataclass(frozen=True)
class Alternatives:
    """Parts by name, of which one is shown at a time; without scripts and on paper one below the other."""

    noun: str
    parts: Mapping[str, Any]

    template = "alternatives.html"

    @property
    def script(self) -> tuple[str, dict[str, str]]:
        """What all of them need."""
        script: tuple[str, dict[str, str]] = next(iter(self.parts.values())).script
        return script

    def to_dict(self) -> dict[str, Any]:
        return {self.noun: {name: part.to_dict() for name, part in self.parts.items()}}


Part = Any  # a Paragraph, a Table, a Figure, or anything else with ``template`` and ``to_dict``


@dataclass(frozen=True)
class Section:
    """A question as heading, how to read the answer in one line, and the answer."""

    heading: str
    parts: Sequence[Part]
    lead: str = ""
    short: str = ""  # in the list of sections at the top
    name: str = field(default="", kw_only=True)  # of the declared section, which is its address in the page

    def to_dict(self) -> dict[str, Any]:
        parts = [{"kind": type(part).__name__.lower(), **part.to_dict()} for part in self.parts]
        return {"section": self.name, "heading": self.heading, "parts": parts}


@dataclass(frozen=True)
class DeclaredSection:
    name: str
    of: str
    order: int
    make: Callable[[Any], Section | None]


registry: Registry[DeclaredSection] = Registry("section", "`howsure.present.report.sections` has them")
Make = Callable[[Any], Section | None]


def section(of: str, order: int) -> Callable[[Make], Make]:
    """Register a function as a section of the view named ``of``; pages show sections by ``order``."""

    def declare(make: Make) -> Make:
        registry.add(make.__name__, DeclaredSection(make.__name__, of, order, make))
        return make

    return declare


@cache
def load() -> None:
    """Import the modules of ``sections/``, each of which declares its sections."""
    import_modules(f"{__package__}.sections")


def sections_of(views: Mapping[str, Any]) -> list[Section]:
    """Make the sections that have something to say of these views, in order."""
    load()
    declared = sorted(registry.values(), key=lambda one: one.order)
    made = [(one.name, one.make(views[one.of])) for one in declared if one.of in views]
    return [replace(section, name=name) for name, section in made if section is not None]


__all__ = ["Alternatives", "Figure", "Paragraph", "Section", "Sheet", "Table", "section", "sections_of"]
