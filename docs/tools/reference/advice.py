"""Pages of findings."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from docs.tools.reference import Content, example, toctree
from howsure.advice import registry
from howsure.advice.declare import Advice

HEAD = """# Advice

Findings that `assess`, experiments and learners add to their numbers: what a careful colleague would say on seeing
them. Each has a code, so that it can be looked up here and searched for in logs. They are in `a.findings`, in print, in
JSON and on pages; none of them changes a number.

| code | finding |
|---|---|
"""


def pages() -> Iterator[tuple[str, Content]]:
    codes = sorted(registry)
    listed = "".join(f"| [{code}]({code}.md) | {registry[code].title} |\n" for code in codes)
    first = example.of_docstring(registry["A003"].check)
    yield "advice/index.md", f"{HEAD}{listed}\n## Example\n\n{first}\n{toctree(codes)}"
    for code in codes:
        yield f"advice/{code}.md", page(registry[code])


def page(advice: Advice) -> str:
    paragraphs = [fill(text, 120, break_on_hyphens=False, break_long_words=False) for text in advice.explanation]
    shown = example.of_docstring(advice.check)
    return f"# {advice.code}: {advice.title}\n\n" + "\n\n".join(paragraphs) + f"\n\n## Example\n\n{shown}"
