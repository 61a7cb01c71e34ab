"""Pages of findings."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from assay.advice import registry
from assay.advice.declare import Advice
from docs.tools.reference import Content, example
from docs.tools.reference.advice_examples import EXAMPLES

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
    first = example.shown(EXAMPLES["A003"])
    toctree = "```{toctree}\n:hidden:\n\n" + "\n".join(codes) + "\n```\n"
    yield "advice/index.md", f"{HEAD}{listed}\n## Example\n\n{first}\n{toctree}"
    for code in codes:
        yield f"advice/{code}.md", page(registry[code])


def page(advice: Advice) -> str:
    paragraphs = [fill(text, 120, break_on_hyphens=False, break_long_words=False) for text in advice.explanation]
    shown = example.shown(EXAMPLES[advice.code])
    if f"{advice.code}:" not in shown:
        raise AssertionError(f"the example of {advice.code} does not show it: {shown}")
    return f"# {advice.code}: {advice.title}\n\n" + "\n\n".join(paragraphs) + f"\n\n## Example\n\n{shown}"
