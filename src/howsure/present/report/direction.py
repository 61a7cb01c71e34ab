"""Isolation of Hebrew and Arabic names in English sentences, so that numbers next to them keep their order."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

# Unicode blocks of right-to-left letters.
LETTERS = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
RUN = re.compile(rf"{LETTERS}+(?:[ -]{LETTERS}+)*")  # the words of a name, without trailing spaces


def isolated(text: str) -> Markup:
    """Return HTML with each right-to-left name inside <bdi>."""
    pieces, end = [], 0
    for run in RUN.finditer(text):
        pieces += [escape(text[end : run.start()]), Markup("<bdi>{}</bdi>").format(run[0])]
        end = run.end()
    return Markup("").join([*pieces, escape(text[end:])])
