"""Check the built site: links work, nothing is loaded from the network, and every page has an example."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

SITE = Path(__file__).parents[1] / "_build" / "html"
LOADS = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("object", "data")}
LISTS = ("index", "genindex", "search", "py-modindex", "llms")  # pages that are lists of links
NO_CODE = ("decisions/", "design/", "evidence/", "gallery/", "reference/terms", "which")
# Decisions, design and evidence need no examples; terms has an example in each row; gallery pages are examples.


class Page(HTMLParser):
    """Links, loaded resources and anchors of a page, and whether it has code."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.has_code = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = {name: value or "" for name, value in attrs}
        self.anchors |= {facts[name] for name in ("id", "name") if facts.get(name)}
        if tag == "a" and "href" in facts:
            self.links.append(facts["href"])
        canonical = tag == "link" and facts.get("rel") in ("canonical", "search")
        self.loads += [facts[name] for of, name in LOADS if of == tag and facts.get(name) and not canonical]
        self.has_code |= "highlight" in facts.get("class", "").split()


@cache
def page(path: Path) -> Page:
    return Page(path)


def faults(path: Path) -> Iterator[str]:
    name, this = path.relative_to(SITE).as_posix(), page(path)
    for link in this.loads:
        if urlsplit(link).scheme not in ("", "data"):
            yield f"{name} loads {link} from the network"
    for link in (*this.links, *this.loads):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.is_file():
            yield f"{name} links to {link}, which does not exist"
        elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in page(target).anchors:
            yield f"{name} links to {link}, which has no such anchor"
    if path.stem not in LISTS and not name.startswith(NO_CODE) and not this.has_code:
        yield f"{name} has no example"
    if path.stem not in ("genindex", "search", "py-modindex") and not path.with_suffix(".md").is_file():
        yield f"{name} has no Markdown version"


def main() -> int:
    pages = sorted(path for path in SITE.rglob("*.html") if "_static" not in path.parts)
    messages = [fault for path in pages for fault in faults(path)]
    print(*messages, sep="\n")
    print(f"{len(pages)} pages checked, {len(messages)} faults found.")
    return int(bool(messages) or not pages)


if __name__ == "__main__":
    sys.exit(main())
