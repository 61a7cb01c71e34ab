"""Matplotlib figures as SVG inside a page, with searchable text and colours that follow the light or dark page."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from howsure.present.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Iterator

# On the page, these colours are replaced by the custom properties of style.css.
FOREGROUND, MUTED, RULE, GROUND = "#1b1f24", "#57606a", "#d0d7de", "#ffffff"
PALETTE = ("#0072b2", "#c04f00", "#007a5a", "#a6518a", "#7a6a00", "#3b6fd4")
DASHES = ("-", (0, (5, 2)), (0, (1, 1.6)), (0, (7, 2, 1.5, 2)), (0, (9, 3)), (0, (3, 1.5, 1, 1.5, 1, 1.5)))
LARGEST = 1.5  # maximum number of pixels per point; larger text would be obtrusive
ROUNDING = 0.02  # tolerance for recognising a mixture of the text and background colours
LEFT = 0.6  # space on the left of the axes, in inches
SMALLEST = 1.1  # minimum number of pixels per point in a full-width figure; narrow screens scroll it
WIDE, FULL = 5.9, 9.5  # smallest widths, in inches, of figures that span two columns and a whole row
VARIABLES = {
    FOREGROUND: "--fg", MUTED: "--mut", RULE: "--line", GROUND: "--bg", "#fff": "--bg", "#000000": "--fg",
    **{color: f"--c{index}" for index, color in enumerate(PALETTE)},
    "#1f4e79": "--c0", "#767676": "--mut", "#9db8d2": "--band", "#b0b0b0": "--mut",
}  # fmt: skip


@dataclass(frozen=True)
class Live:
    """Position of the axes in the SVG, for a script that draws on them."""

    kind: str
    box: tuple[float, float, float, float]
    x: tuple[float, float]
    y: tuple[float, float]

    def to_svg(self, x: float, y: float) -> tuple[float, float]:
        """Convert a point from axes to SVG coordinates."""
        left, top, width, height = self.box
        across, up = (x - self.x[0]) / (self.x[1] - self.x[0]), (y - self.y[0]) / (self.y[1] - self.y[0])
        return round(left + across * width, 2), round(top + (1 - up) * height, 2)

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point of the SVG is inside the axes or on their edge."""
        left, top, width, height = self.box
        return left - 1 <= x <= left + width + 1 and top - 1 <= y <= top + height + 1


@dataclass(frozen=True)
class Figure:
    """A figure: title, caption, description of the result, and numbers."""

    name: str
    title: str
    svg: str
    reading: str = ""
    description: str = ""
    data: Sheet | None = None
    legend: Sequence[str] = ()
    live: Live | None = None
    wide: bool = False
    full: bool = False
    overlay: str = ""  # initial SVG of the marks that a script moves

    template = "figure.html"

    def to_dict(self) -> dict[str, Any]:
        values = {"figure": self.name, "title": self.title, "description": self.description}
        return values if self.data is None else {**values, "data": self.data.to_dict()}


@contextmanager
def page_style() -> Iterator[None]:
    """Use the colours that the page replaces, not the user's settings."""
    from cycler import cycler
    from matplotlib import rc_context, rcParamsDefault

    with warnings.catch_warnings(), rc_context(dict(rcParamsDefault)), rc_context(
        {
            "text.color": FOREGROUND, "axes.labelcolor": FOREGROUND, "axes.titlecolor": FOREGROUND,
            "xtick.color": MUTED, "ytick.color": MUTED, "xtick.labelcolor": FOREGROUND,
            "ytick.labelcolor": FOREGROUND, "axes.edgecolor": MUTED, "grid.color": RULE, "grid.linewidth": 0.6,
            "figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none",
            "legend.facecolor": GROUND, "legend.edgecolor": "none", "axes.prop_cycle": cycler(color=PALETTE),
            "svg.fonttype": "none", "svg.hashsalt": "howsure", "font.size": 9.0, "font.sans-serif": ["DejaVu Sans"],
            "axes.spines.top": False, "axes.spines.right": False,
        }
    ):  # fmt: skip
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)  # browsers may have other fonts
        yield


def draw(
    name: str,
    paint: Callable[[Any], Any],
    *,
    title: str,
    width: float = 4.6,
    height: float = 3.7,
    live: str | None = None,
    **about: Any,
) -> Figure:
    """Draw a figure with ``paint``; a script redraws ``live`` curves."""
    from matplotlib.figure import Figure as Canvas

    with page_style():
        canvas = Canvas(figsize=(width, height))
        ax = canvas.subplots()
        paint(ax)
        ax.grid(visible=True, clip_on=False)
        ax.tick_params(bottom=False, left=False)  # the grid replaces the ticks
        bottom, top = 0.45 / height, 1 - 0.1 / height  # an automatic layout would draw the figure twice
        canvas.subplots_adjust(left=LEFT / width, right=1 - 0.1 / width, bottom=bottom, top=top)
        return _finished(canvas, name, title, live, about)


def chart(
    name: str,
    result: Any,
    kind: str | None = None,
    *,
    title: str,
    legend: bool = True,
    options: Mapping[str, Any] = MappingProxyType({}),
    **about: Any,
) -> Figure:
    """Draw a declared chart of a result as a figure for a page."""
    from howsure.present.charts.figure import figure_of

    with page_style():
        canvas = figure_of(result, kind, **options)
        for ax in canvas.axes:
            if not legend and ax.get_legend() is not None:
                ax.get_legend().remove()
        if len(canvas.axes) == 1:
            canvas.axes[0].set_title("")  # the page shows the title
        return _finished(canvas, name, title, None, about)


def _finished(canvas: Any, name: str, title: str, live: str | None, about: dict[str, Any]) -> Figure:
    position = _live(live, canvas, canvas.axes[0]) if live else None
    about.setdefault("wide", canvas.get_figwidth() > WIDE)
    full = bool(canvas.get_figwidth() > FULL)
    svg = svg_text(canvas, name, title, about.get("description", ""), SMALLEST if full else 0)
    return Figure(name, title, svg, live=position, full=full, **about)


def _live(kind: str, canvas: Any, ax: Any) -> Live:
    scale = 72 / canvas.dpi
    extent = ax.get_window_extent()
    height = canvas.get_figheight() * 72
    box = (extent.x0 * scale, height - extent.y1 * scale, extent.width * scale, extent.height * scale)
    rounded = tuple(round(float(value), 3) for value in box)
    return Live(kind, rounded, tuple(map(float, ax.get_xlim())), tuple(map(float, ax.get_ylim())))  # type: ignore[arg-type]


def svg_text(canvas: Any, name: str, title: str, description: str, smallest: float = 0) -> str:
    """Return the SVG of a figure with unique ids and the page's colours."""
    stream = io.StringIO()
    canvas.savefig(stream, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    text = stream.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(
        r"<style.*?</style>", "", _own_identifiers(text, name), flags=re.DOTALL
    )  # style.css contains the same rules
    text = re.sub(r"#[0-9a-fA-F]{3,6}\b(?=[;\"'])", _variable, text)
    view = re.search(r'viewBox="([^"]*)"', text)
    assert view is not None
    labels = f'aria-labelledby="{name}-title {name}-desc"'
    points = float(view[1].split()[2])
    min_width = f";min-width:{points * smallest:.0f}px" if smallest else ""
    width = f'style="max-width:{points * LARGEST:.0f}px{min_width}"'
    head = f'<svg class="chart" role="img" {labels} {width} viewBox="{view[1]}" xmlns="http://www.w3.org/2000/svg">'
    texts = f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>'
    return head + texts + text[text.index(">") + 1 :].strip()


def _variable(match: re.Match[str]) -> str:
    color = match[0].lower()
    variable = VARIABLES.get(color) or _grey(color)
    return f"var({variable})" if variable else match[0]


def _grey(color: str) -> str | None:
    """Return the page's grey for a mixture of the text and background colours."""
    from matplotlib.colors import to_rgb

    text, ground, mixed = map(to_rgb, (FOREGROUND, GROUND, color))
    shares = [(back - part) / (back - full) for part, full, back in zip(mixed, text, ground, strict=True)]
    if max(shares) - min(shares) > ROUNDING or not min(shares) >= 0:
        return None
    return "--mut" if min(shares) > 0.5 else "--line"


def _own_identifiers(text: str, name: str) -> str:
    """Make identifiers unique within a page, and remove unused ones."""
    text = text.replace("xlink:href", "href")
    used = list(dict.fromkeys(re.findall(r'(?:url\(#|href="#)([^)"]+)', text)))
    short = {identifier: f"{name}-{index}" for index, identifier in enumerate(used)}

    def identifier(match: re.Match[str]) -> str:
        if match[1] in short:
            return f' id="{short[match[1]]}"'
        return f' data-part="{match[1][5:]}"' if match[1].startswith("live-") else ""

    text = re.sub(r' id="([^"]*)"', identifier, text)
    return re.sub(r'(url\(#|href="#)([^)"]+)', lambda match: match[1] + short[match[2]], text)
