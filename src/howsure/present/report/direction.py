"""Names in Hebrew or Arabic inside English sentences: set apart, so that the numbers beside them keep their order."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

# The blocks of Unicode whose letters run from right to left.
LETTERS = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
RUN = re.compile(rf"{LETTERS}+(?:[ -]{LETTERS}+)*")  # words of one name, without what follows them


def isolated(text: str) -> Markup:
    """Give text as HTML, in which each run of letters from right to left is set apart."""
    pieces, end = [], 0
    for run in RUN.finditer(text):
        pieces += [escape(text[end : run.start()]), Markup("<bdi>{}</bdi>").format(run[0])]
        end = run.end()
    return Markup("").join([*pieces, escape(text[end:])])
