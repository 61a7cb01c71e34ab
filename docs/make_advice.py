"""Write docs/advice.md from the registry; run by ``make docs/advice.md``."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

from assay.advice import registry
from assay.advice.declare import Advice

HEAD = """# Advice

Written from the registry by `make docs/advice.md`; do not edit. Findings that `assess`, experiments and learners add to
their numbers. Each has a code, so that it can be looked up here and searched for in logs.
"""


def page() -> str:
    return HEAD + "".join(section(registry[code]) for code in sorted(registry))


def section(advice: Advice) -> str:
    paragraphs = [fill(text, 120, break_on_hyphens=False, break_long_words=False) for text in advice.explanation]
    return f"\n## {advice.code}: {advice.title}\n" + "\n\n".join(paragraphs) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name("advice.md").write_text(page(), encoding="utf-8")
