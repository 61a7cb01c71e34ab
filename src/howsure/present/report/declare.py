"""Declaration of the sections of a page: the view that each section shows, its position, and its function.

The function takes one view of a result (see `Reported.views`) and returns a `Section`, or None if there is nothing to
show. Views are named by strings, because this package must not import result classes. The parts of a section are
tables, figures, paragraphs, and other objects with a template.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from howsure.present.sheet import Sheet
from howsure.registry import Registry, import_modules


@dataclass(frozen=True)
class Paragraph:
    """A paragraph; ``kind`` is a CSS class, such as "verdict"."""

    text: str
    kind: str = ""

    template = "paragraph.html"

    def to_dict(self) -> dict[str, Any]:
        return {"text": self.text}


@dataclass(frozen=True)
class Table:
    """A table; with a ``summary``, it is collapsed."""

    sheet: Sheet
    summary: str = ""

    template = "table.html"

    def to_dict(self) -> dict[str, Any]:
        return self.sheet.to_dict()


@dataclass(frozen=True)
class Alternatives:
    """Parts that are shown one at a time, but printed together."""

    noun: str
    parts: Mapping[str, Any]

    template = "alternatives.html"

    @property
    def script(self) -> tuple[str, dict[str, str]]:
        """The script that all parts need."""
        script: tuple[str, dict[str, str]] = next(iter(self.parts.values())).script
        return script

    def to_dict(self) -> dict[str, Any]:
        return {self.noun: {name: part.to_dict() for name, part in self.parts.items()}}


Part = Any  # a Paragraph, a Table, a Figure, or anything else with ``template`` and ``to_dict``


@dataclass(frozen=True)
class Section:
    """A question as heading, a line on how to read the answer, and the answer."""

    heading: str
    parts: Sequence[Part]
    lead: str = ""
    short: str = ""  # text of the link at the top of the page
    name: str = field(default="", kw_only=True)  # name of the declared section, and its anchor in the page

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
    """Register a section for the view ``of``; sections are sorted by ``order``."""

    def declare(make: Make) -> Make:
        registry.add(make.__name__, DeclaredSection(make.__name__, of, order, make))
        return make

    return declare


@cache
def load() -> None:
    """Import the modules of ``sections/``, which declare the sections."""
    import_modules(f"{__package__}.sections")


def sections_of(views: Mapping[str, Any]) -> list[Section]:
    """Return the nonempty sections of these views, in order."""
    load()
    declared = sorted(registry.values(), key=lambda entry: entry.order)
    sections = [(entry.name, entry.make(views[entry.of])) for entry in declared if entry.of in views]
    return [replace(section, name=name) for name, section in sections if section is not None]
