"""Heat maps of what was measured: for each method, size and prevalence, the least coverage over the qualities."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from lab.summary import ENOUGH, USUAL, Cells, Measured

Column = tuple[float, int]  # prevalence and size
LIMITS = (0.85, 0.9, 0.925, 0.94, 0.975, 0.99)
HUES = (
    "#b35806",
    "#e08214",
    "#fdb863",
    "#fee0b6",
    "#f7f7f7",
    "#d8daeb",
    "#8073ac",
)  # from orange to violet: all see it
WHITE_ON = (HUES[0], HUES[-1])
NONE_HUE, EDGE = "#d0d0d0", "#ffffff"
WIDE, HIGH, GAP = 0.2, 0.2, 0.35  # inches of a cell, and the gap between prevalences as a share of a cell
LETTER, MARGIN, HEAD, FOOT = 0.068, 0.12, 0.72, 0.42  # inches
RESOLUTION, SHADES = 110, 12  # dots an inch, and the shades between each hue and the letters on it
MARK = "Description"


@dataclass(frozen=True)
class Entry:
    """What a cell of the picture says: the least coverage, None where there is no interval, and the share given."""

    coverage: float | None
    given: float

    @property
    def text(self) -> str:
        if self.coverage is None:
            return "–"
        percent = f"{math.floor(100 * self.coverage + 1e-9)}"  # rounded down, as the limits between the hues are
        return f"({percent})" if self.given < 0.5 else percent

    @property
    def hue(self) -> str:
        return NONE_HUE if self.coverage is None else HUES[sum(self.coverage >= limit for limit in LIMITS)]


Row = Mapping[Column, Entry]


@dataclass(frozen=True)
class Picture:
    """Rows of entries with their names."""

    name: str
    title: str
    rows: tuple[tuple[str, Row], ...]

    @property
    def columns(self) -> list[Column]:
        """The common prevalences first, and within each the small samples."""
        return sorted({column for _, row in self.rows for column in row}, key=lambda column: (-column[0], column[1]))

    @property
    def file(self) -> str:
        return f"coverage-{self.name}.png"

    @property
    def mark(self) -> str:
        """What tells whether a file shows these numbers, however it was drawn."""
        rows = [[name, [[*column, entry.text, entry.hue] for column, entry in row.items()]] for name, row in self.rows]
        return hashlib.sha256(json.dumps([self.title, rows]).encode()).hexdigest()[:16]


def row_of(cells: Cells) -> dict[Column, Entry]:
    """Give the entries of one method, of two classes and what else is usual."""
    found: dict[Column, list[Any]] = {}
    for one in cells.values():
        if all(one.cell[name] == value for name, value in USUAL.items()):
            found.setdefault((one.cell["prevalence"], one.cell["n"]), []).append(one)
    entries = {}
    for column, qualities in sorted(found.items()):
        enough = [one for one in qualities if one.given >= ENOUGH]
        least = min(enough, key=lambda one: one.coverage, default=None)
        entries[column] = Entry(least.coverage, least.given / least.rounds) if least else Entry(None, 0.0)
    return entries


def of_measures(measured: Iterable[Measured]) -> list[tuple[list[str], Picture]]:
    """Give a picture of all methods for each measure; those with the same numbers, such as complements, share one."""
    found: dict[str, tuple[list[str], Picture]] = {}
    for one in measured:
        names = sorted(one.methods, key=lambda method: method != one.default)
        labels = [f"{name} (default)" if name == one.default else name for name in names]
        rows = [(label, row_of(one.methods[name])) for label, name in zip(labels, names, strict=True)]
        picture = Picture(file_name(one.name), "", tuple((label, row) for label, row in rows if row))
        if picture.rows:
            found.setdefault(picture.mark, ([], picture))[0].append(one.name)
    return [(names, Picture(one.name, ", ".join(names), one.rows)) for names, one in found.values()]


def of_defaults(name: str, title: str, measured: Iterable[Measured]) -> Picture:
    """Give a picture with a row for the default of each measure."""
    rows = [(one.name, row_of(one.every)) for one in measured]
    return Picture(name, title, tuple((label, row) for label, row in rows if row))


def file_name(measure: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in measure).strip("-")


def write(pictures: Sequence[Picture], folder: Path) -> None:
    """Draw those whose numbers changed, and remove those that are no more."""
    for old in set(folder.glob("coverage-*.png")) - {folder / one.file for one in pictures}:
        old.unlink()
    for one in pictures:
        if mark_of(folder / one.file) != one.mark:
            (folder / one.file).write_bytes(drawn(one))


def mark_of(path: Path) -> str:
    """Read which numbers a file shows; nothing where there is none."""
    from PIL import Image

    if not path.exists():
        return ""
    with Image.open(path) as image:
        return str(image.info.get(MARK, ""))


def drawn(picture: Picture) -> bytes:
    """Draw a picture with few colours, so that the file is small."""
    from matplotlib import rc_context, rcParamsDefault
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    full = BytesIO()
    with rc_context({**rcParamsDefault, "font.family": "DejaVu Sans"}):
        _figure(picture).savefig(full, format="png")
    image = Image.open(full).convert("RGB").quantize(palette=_palette(), dither=Image.Dither.NONE)
    told, file = PngInfo(), BytesIO()
    told.add_text(MARK, picture.mark)
    image.save(file, "PNG", optimize=True, pnginfo=told)
    return file.getvalue()


def _palette() -> Any:
    """Give an image with the colours of all pictures, of which there are few: files are small, and no hue is lost."""
    from matplotlib.colors import to_rgb
    from PIL import Image

    colours: list[int] = []
    for hue in (*HUES, NONE_HUE, "white"):
        ink = to_rgb("white" if hue in WHITE_ON else "black")
        for step in range(SHADES):
            part = step / (SHADES - 1)
            mixed = [(1 - part) * a + part * b for a, b in zip(to_rgb(hue), ink, strict=True)]
            colours += [round(255 * value) for value in mixed]
    image = Image.new("P", (1, 1))
    image.putpalette(colours)
    return image


def _figure(picture: Picture) -> Any:
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure

    columns, places = picture.columns, _places(picture.columns)
    left = MARGIN + LETTER * max(len(name) for name, _ in picture.rows) + MARGIN
    wide, high = WIDE * (places[-1] + 1), HIGH * len(picture.rows)
    whole = max(left + wide + MARGIN, 8.2), high + HEAD + FOOT
    figure = Figure(figsize=whole, dpi=RESOLUTION, facecolor="white")
    ax = figure.add_axes((left / whole[0], FOOT / whole[1], wide / whole[0], high / whole[1]))
    ax.set(xlim=(-0.5, places[-1] + 0.5), ylim=(len(picture.rows) - 0.5, -0.5))
    ax.set_axis_off()
    corners, hues = [], []
    for y, (name, row) in enumerate(picture.rows):
        ax.text(-0.8, y, name, ha="right", va="center", fontsize=7.5, parse_math=False)
        for column, entry in row.items():
            x = places[columns.index(column)]
            corners.append([(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)])
            hues.append(entry.hue)
            ink = "white" if entry.hue in WHITE_ON else "black"
            size = 6.3 if len(entry.text) < 5 else 5.2
            ax.text(x, y, entry.text, ha="center", va="center", fontsize=size, color=ink)
    ax.add_collection(PolyCollection(corners, facecolors=hues, edgecolors=EDGE, linewidths=0.5))
    _headings(ax, columns, places)
    figure.text(MARGIN / whole[0], 1 - 0.17 / whole[1], picture.title, va="center", fontsize=9, weight="bold")
    _legend(figure, whole)
    return figure


def _places(columns: Sequence[Column]) -> list[float]:
    """Set prevalences apart."""
    places, place = [], -1.0
    for before, column in zip((columns[0], *columns), columns, strict=False):
        place += 1 + GAP * (before[0] != column[0])
        places.append(place)
    return places


def _headings(ax: Any, columns: Sequence[Column], places: Sequence[float]) -> None:
    for (_, n), place in zip(columns, places, strict=True):
        size = f"{n // 1000}k" if n >= 1000 else str(n)
        ax.text(place, -0.75, size, ha="center", va="bottom", fontsize=6.3)
    ax.text(-0.8, -0.75, "n", ha="right", va="bottom", fontsize=7, style="italic")
    ax.text(-0.8, -1.75, "prevalence", ha="right", va="bottom", fontsize=7, style="italic")
    for prevalence, group in groupby(zip(columns, places, strict=True), key=lambda pair: pair[0][0]):
        these = [place for _, place in group]
        ax.text((these[0] + these[-1]) / 2, -1.75, f"{prevalence:g}", ha="center", va="bottom", fontsize=7.5)
        ax.plot([these[0] - 0.4, these[-1] + 0.4], [-1.65, -1.65], color="black", lw=0.6, clip_on=False)


def _legend(figure: Any, size: tuple[float, float]) -> None:
    from matplotlib.patches import Patch

    percent = [f"{100 * limit:g}" for limit in LIMITS]
    between = [f"{low}–{high}" for low, high in pairwise(percent)]
    names = [f"under {percent[0]} %", *between, f"{percent[-1]} or more", "no interval"]
    patches = [
        Patch(facecolor=hue, edgecolor="#808080", linewidth=0.4, label=name)
        for hue, name in zip((*HUES, NONE_HUE), names, strict=True)
    ]
    figure.legend(
        handles=patches,
        loc="lower left",
        bbox_to_anchor=(MARGIN / size[0], 0.06 / size[1]),
        bbox_transform=figure.transFigure,
        ncols=len(patches),
        fontsize=7,
        frameon=False,
        borderaxespad=0,
        handlelength=1.2,
        handleheight=1.0,
        columnspacing=1.2,
    )
