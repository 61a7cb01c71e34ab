"""Sphinx extension: a Markdown version of each page, and an index of them in llms.txt, for programs."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from markdownify import markdownify
from sphinx.application import Sphinx

HEAD = """# Howsure

> Assess and compare classifiers: how good is it, how sure are we, is it really better than another one? A Python
> library, a command line, and a report in a single HTML file.

Every page of this site is also available as Markdown, at the addresses below.
"""
ROOMS = {
    "": "Overview",
    "start": "Start",
    "guide": "Guide",
    "how-to": "How to",
    "coming-from": "For users of other tools",
    "reference": "Reference",
    "gallery": "Gallery",
    "calculators": "Calculators",
    "evidence": "Evidence",
    "design": "Design",
    "decisions": "Decisions",
}
MADE_BY_SPHINX = ("{eval-rst}", "{py:obj}", "{include}")  # directives and roles that need Sphinx
PICTURE = re.compile(r"(!\[[^\]]*\]\()([^)\s]+)\)")  # Sphinx copies all pictures to one folder
NOT_PAGES = {"genindex", "search", "py-modindex", "gallery/sg_execution_times", "sg_execution_times"}


class Article(HTMLParser):
    """The article element of an HTML page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.parts: list[str] = []
        self.depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.depth += (tag == "article") * (self.depth == 0 or 1)
        if self.depth:
            self.parts.append(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        if self.depth:
            self.parts.append(f"</{tag}>")
            self.depth -= tag == "article"

    def handle_data(self, data: str) -> None:
        if self.depth:
            self.parts.append(data)

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")


def as_markdown(html: str) -> str:
    article = Article()
    article.feed(html)
    text = markdownify("".join(article.parts), heading_style="ATX", code_language="")
    return text.replace("[#]", "").strip() + "\n"


def _text(source: Path, out: Path, name: str) -> str:
    """Return the source of a page if it is plain Markdown; otherwise convert its HTML."""
    text = source.read_text(encoding="utf-8")
    if source.suffix != ".md" or any(directive in text for directive in MADE_BY_SPHINX):
        return as_markdown((out / f"{name}.html").read_text(encoding="utf-8"))
    up = "../" * name.count("/")
    return PICTURE.sub(lambda match: f"{match[1]}{up}_images/{Path(match[2]).name})", text)


def write(app: Sphinx, error: Exception | None) -> None:
    """Write a Markdown file for each page, and the index."""
    if error is not None or app.builder.format != "html":
        return
    out, titles = Path(app.outdir), app.env.titles
    rooms: dict[str, list[str]] = {room: [] for room in ROOMS}
    for name in sorted(app.env.found_docs - NOT_PAGES):
        source, target = Path(app.env.doc2path(name)), out / f"{name}.md"
        target.write_text(_text(source, out, name), encoding="utf-8")
        room = name.partition("/")[0] if "/" in name else ""
        rooms.setdefault(room, []).append(f"- [{titles[name].astext()}]({name}.md)\n")
    sections = (f"\n## {ROOMS.get(room, room)}\n\n{''.join(lines)}" for room, lines in rooms.items() if lines)
    (out / "llms.txt").write_text(HEAD + "".join(sections), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
