"""Figures of charts: on the caller's axes, in a pyplot figure, or in a figure for a page or file.

Only `plot` without axes uses pyplot, so that notebooks show the figure and ``plt.savefig`` finds it. Figures for pages
and files are independent of pyplot and need not be closed; equal results give identical bytes.
"""

from __future__ import annotations

import base64
import io
import re
import warnings
from html import escape
from typing import Any

from howsure.errors import one_line
from howsure.present.charts.axes import plain_texts, texts_of
from howsure.present.charts.declare import Chart, Size, chart_of

UNDATED: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
DOTS_PER_INCH = 200  # resolution of PNG files, unless the user has set savefig.dpi
MAX_ALT = 600  # maximum number of characters of an alternative text


def plot(result: Any, ax: Any = None, kind: str | None = None, **options: Any) -> Any:
    """Draw a result as a chart of this kind, and return the axes."""
    if isinstance(ax, str) and kind is None:
        ax, kind = None, ax  # as in `a.plot("confusion")`
    declared, result = chart_of(result, kind)
    declared.check(options)
    if ax is not None:
        return _draw(declared, result, ax, options)
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=_inches(declared, result, options), layout="constrained")
    try:
        return _draw(declared, result, _axes(declared, figure, result, options), options)
    except BaseException:
        plt.close(figure)  # otherwise, a notebook would show an empty figure
        raise


def figure_of(result: Any, kind: str | None = None, **options: Any) -> Any:
    """Draw a result in a figure that is not registered with pyplot."""
    from matplotlib.figure import Figure

    declared, result = chart_of(result, kind)
    declared.check(options)
    figure = Figure(figsize=_inches(declared, result, options), layout="constrained")
    _draw(declared, result, _axes(declared, figure, result, options), options)
    return figure


def save_figure(figure: Any, target: Any, ending: str) -> None:
    """Write a figure to a path or stream, in one of the formats in `IMAGES`."""
    from matplotlib import rc_context, rcParams

    dots = DOTS_PER_INCH if rcParams["savefig.dpi"] == "figure" else rcParams["savefig.dpi"]
    with rc_context({"svg.hashsalt": "howsure"}):
        figure.savefig(target, format=ending, metadata=UNDATED.get(ending), dpi=dots)


def svg(
    result: Any,
    kind: str | None = None,
    *,
    title: str | None = None,
    description: str | None = None,
    rc: dict[str, Any] | None = None,
    **options: Any,
) -> str:
    """Draw a result as an accessible ``<svg>`` element.

    ``rc`` contains additional Matplotlib settings. Lines that show results have the class "series", and reference lines
    the class "reference". Only elements that the SVG refers to have an id.
    """
    from matplotlib import rc_context

    settings: Any = {**(rc or {}), "svg.fonttype": "none"}
    with rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)  # the viewer may have other fonts
        out = io.BytesIO()
        save_figure(figure_of(result, kind, **options), out, "svg")
    heading, words = describe(result)
    heading, words = one_line(title or heading), one_line(description or words)
    drawn = _anonymous(out.getvalue().decode())
    start, rest = drawn[drawn.index("<svg ") :].split(">", 1)
    label = escape(f"{heading}. {words}" if words else heading, quote=True)
    texts = f"<title>{escape(heading)}</title>" + (f"<desc>{escape(words)}</desc>" if words else "")
    return f'{start} role="img" aria-label="{label}">{texts}{rest}'


def describe(result: Any) -> tuple[str, str]:
    """Return the title of a result and the first paragraph of its text."""
    first, *others = [line.strip() for line in str(result).split("\n\n")[0].splitlines()] or [""]
    title = one_line(str(getattr(result, "title", "") or first or type(result).__name__))
    text = " ".join([first, *others]).removeprefix(title).lstrip(" :,.;")
    return title, one_line(text)[:MAX_ALT]


def html_image(result: Any, kind: str | None = None, **options: Any) -> str:
    """Return an <img> element, which is shown even in untrusted notebooks."""
    title, words = describe(result)
    code = base64.b64encode(svg(result, kind, **options).encode()).decode()
    alt = escape(f"{title}. {words}" if words else title, quote=True)
    return f'<img alt="{alt}" src="data:image/svg+xml;base64,{code}">'


def _inches(declared: Chart, result: Any, options: dict[str, Any]) -> Size:
    """Return the size of the chart, or figure.figsize if the user set it."""
    from matplotlib import rcParams, rcParamsDefault

    if not callable(declared.size) and rcParams["figure.figsize"] != rcParamsDefault["figure.figsize"]:
        width, height = rcParams["figure.figsize"]
        return (width, height)
    return declared.inches(result, options)


def _axes(declared: Chart, figure: Any, result: Any, options: dict[str, Any]) -> Any:
    return figure.subplots() if declared.arrange is None else declared.arrange(figure, result, **options)


def _draw(declared: Chart, result: Any, axes: Any, options: dict[str, Any]) -> Any:
    before = texts_of(axes)
    drawn = declared.draw(result, axes, **options)
    plain_texts(drawn, before)
    return drawn


def _anonymous(text: str) -> str:
    """Convert gids to classes, and remove unused ids."""
    used = set(re.findall(r'url\(#([^)"]+)\)', text)) | set(re.findall(r'href="#([^"]+)"', text))

    def rename(tag: re.Match[str]) -> str:
        marked = re.sub(r' id="howsure-(\w+)"', r' class="\1"', tag[0])
        return re.sub(r' id="([^"]*)"', lambda match: match[0] if match[1] in used else "", marked)

    return re.sub(r"<\w[^>]*>", rename, text)  # rename in tags, but not in the text of labels
