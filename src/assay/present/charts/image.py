"""Figures as files and as images in a page: the same figure gives the same bytes."""

from __future__ import annotations

import base64
import io
from html import escape
from typing import Any

IMAGES = ("png", "svg", "pdf")
UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}


def save_figure(figure: Any, target: Any, kind: str) -> None:
    """Write a figure as one of `IMAGES` to a path or a stream."""
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "assay"}):
        figure.savefig(target, format=kind, metadata=UNDATED.get(kind))


def html_image(figure: Any, alt: str) -> str:
    """Give an image that shows in any notebook, trusted or not."""
    out = io.BytesIO()
    save_figure(figure, out, "svg")
    code = base64.b64encode(out.getvalue()).decode()
    return f'<img alt="{escape(alt, quote=True)}" src="data:image/svg+xml;base64,{code}">'
