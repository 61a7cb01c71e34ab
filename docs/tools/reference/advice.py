"""Pages of findings."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from docs.tools.reference import Content, example, toctree
from howsure.advice import registry
from howsure.advice.declare import Advice

HEAD = """# Advice

`assess`, experiments and learners add findings to their results: remarks that a careful colleague would make about the
data and the numbers. Each finding has a code, which you can look up here and search for in logs. Findings are in
`a.findings`, in the printed output, in JSON and in reports; they never change a number.

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
