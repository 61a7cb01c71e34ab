"""Sphinx extension: formulas as MathML, which browsers and screen readers support without a script."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


def inline(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(convert(node.astext()))
    raise nodes.SkipNode


def block(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(f'<div class="formula" tabindex="0">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    app.connect("config-inited", lambda _, config: setattr(config, "html_math_renderer", "mathml"))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
