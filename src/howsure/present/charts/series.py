"""Lines and colours: each series has its own colour and dash pattern, and reference lines are grey.

Colours come from the property cycle and the text colour of the axes, so that dark styles and the user's own styles
work. Text never uses the colour of a series, which may be hard to read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from howsure.errors import HowsureError
from howsure.present.words import shorten

# gids of the lines of charts: results, additions to results, and reference lines.
SERIES, CONTEXT, REFERENCE = "howsure-series", "howsure-context", "howsure-reference"
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (9, 2)))
REFERENCE_DASHES = ("--", ":", "-.")
BAND = 0.2  # opacity of a band
READABLE = 4.5  # lowest contrast ratio of readable text (WCAG 2)
MAX_CHARACTERS = 28  # maximum number of characters in a name in the legend
Colour = tuple[float, float, float]


def draw_series(ax: Any, x: Any, y: Any, style: dict[str, Any] | None = None, **defaults: Any) -> Any:
    """Draw a line in the next colour and dash, or in the caller's ``style``."""
    from matplotlib import rcParams

    style = line_style(style or {})
    number = sum(line.get_gid() == SERIES for line in ax.get_lines())
    if "linestyle" not in rcParams["axes.prop_cycle"].keys:
        defaults = {"linestyle": DASHES[number % len(DASHES)], **defaults}
    (line,) = ax.plot(x, y, **{"gid": SERIES, "linewidth": 1.8, **line_style(defaults), **style})
    return line


def next_colour(ax: Any, colour: Any = None) -> Any:
    """Return the caller's colour, or the next one in the cycle."""
    return draw_series(ax, [], []).get_color() if colour is None else colour


def own_style(ax: Any, style: dict[str, Any]) -> dict[str, Any]:
    """Normalize line keywords, and add the next colour if they have none."""
    spelled = line_style(style)
    return {**spelled, "color": next_colour(ax, spelled.get("color"))}


def draw_band(ax: Any, x: Any, low: Any, high: Any, line: Any, **style: Any) -> Any:
    """Fill a band in the colour of a series."""
    colour, below = line.get_color(), line.get_zorder() - 0.5
    return ax.fill_between(x, low, high, **{"color": colour, "alpha": BAND, "linewidth": 0, "zorder": below, **style})


def draw_reference(ax: Any, x: Any, y: Any, name: str, number: int = 0, **style: Any) -> None:
    """Draw a grey reference line, unless the axes already have it."""
    for line in ax.get_lines():
        same = line.get_gid() == REFERENCE and line.get_label() == name and len(line.get_xdata()) == len(x)
        if same and np.array_equal(line.get_xdata(), x) and np.array_equal(line.get_ydata(), y):
            return
    dash = REFERENCE_DASHES[number % len(REFERENCE_DASHES)]
    defaults = {"color": muted(ax), "linewidth": 1.2, "linestyle": dash, "zorder": 1.5}
    if len(x) == 1:  # a single point
        defaults |= {"color": ink(ax), "marker": "o", "markersize": 7, "linestyle": "none", "zorder": 3}
    ax.plot(x, y, gid=REFERENCE, label=name, **{**defaults, **style})


def line_style(style: dict[str, Any]) -> dict[str, Any]:
    """Normalize Matplotlib line keywords; raise an error for unknown ones."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    spelled: dict[str, Any] = normalize_kwargs(style, Line2D)
    for name in spelled:
        if not hasattr(Line2D, f"set_{name}"):
            raise HowsureError(f"`{name}` is neither an option of this chart nor a keyword of a Matplotlib line.")
    return spelled


def take_label(style: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """Normalize line keywords, and separate the ``label``."""
    spelled = line_style(style)
    label = spelled.pop("label", None)
    return spelled, label


def entry(name: str, label: Any) -> str:
    """Return the legend entry of one of several lines: "recall (tree)".

    As in Matplotlib, a label that begins with ``_`` gets no entry.
    """
    if label is None:
        return name
    return "_" if str(label).startswith("_") else f"{name} ({shorten(str(label), MAX_CHARACTERS)})"


def is_known(label: str, artists: Any) -> bool:
    """Return whether an artist already has this label."""
    return any(artist.get_label() == label for artist in artists)


def ink(ax: Any) -> Colour:
    """Return the colour of axis titles, or black or white if unreadable."""
    from matplotlib.colors import to_rgb

    text, background = to_rgb(ax.xaxis.label.get_color()), paper(ax)
    if contrast(text, background) >= READABLE:
        return text
    return max(((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)), key=lambda colour: contrast(colour, background))


def paper(ax: Any) -> Colour:
    """Return the background colour of the axes."""
    from matplotlib.colors import to_rgba

    figure = ax.get_figure(root=True)
    colours = [to_rgba(part.get_facecolor()) for part in (ax, figure)]
    red, green, blue, _ = next((colour for colour in colours if colour[3] > 0.5), (1.0, 1.0, 1.0, 1.0))
    return (red, green, blue)


def muted(ax: Any) -> Colour:
    """Return a readable grey between the text and background colours."""
    mixed = (mix(ax, share) for share in (0.54, 0.6, 0.7, 0.8, 0.9))
    return next((colour for colour in mixed if contrast(colour, paper(ax)) >= READABLE), ink(ax))


def mix(ax: Any, share: float) -> Colour:
    """Mix text and background colours; ``share`` is the weight of the text."""
    red, green, blue = (share * np.array(ink(ax)) + (1 - share) * np.array(paper(ax))).tolist()
    return (red, green, blue)


def contrast(first: Colour, second: Colour) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2)."""
    dark, light = sorted(map(_luminance, (first, second)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    # Relative luminance of an sRGB colour (WCAG 2).
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
