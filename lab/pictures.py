"""Heat maps of the lowest coverage over qualities, by method, sample size and prevalence."""

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
)  # from orange to violet, for any colour vision
WHITE_ON = (HUES[0], HUES[-1])
NONE_HUE, EDGE = "#d0d0d0", "#ffffff"
WIDE, HIGH, GAP = 0.2, 0.2, 0.35  # inches of a cell, and gap between prevalences in cells
LETTER, MARGIN, HEAD, FOOT = 0.068, 0.12, 0.72, 0.42  # inches
RESOLUTION, SHADES = 110, 12  # dots per inch, and shades between each hue and its text
MARK = "Description"


@dataclass(frozen=True)
class Entry:
    """A cell of a heat map."""

    coverage: float | None  # lowest coverage; None without intervals
    given: float  # share of samples with an interval

    @property
    def text(self) -> str:
        if self.coverage is None:
            return "–"
        percent = f"{math.floor(100 * self.coverage + 1e-9)}"  # rounded down, as for the limits of the hues
        return f"({percent})" if self.given < 0.5 else percent

    @property
    def hue(self) -> str:
        return NONE_HUE if self.coverage is None else HUES[sum(self.coverage >= limit for limit in LIMITS)]


Row = Mapping[Column, Entry]


@dataclass(frozen=True)
class Picture:
    """A heat map."""

    name: str
    title: str
    rows: tuple[tuple[str, Row], ...]

    @property
    def columns(self) -> list[Column]:
        """Prevalence, decreasing, and sample size, increasing, of each column."""
        return sorted({column for _, row in self.rows for column in row}, key=lambda column: (-column[0], column[1]))

    @property
    def file(self) -> str:
        return f"coverage-{self.name}.png"

    @property
    def mark(self) -> str:
        """Hash of the numbers, stored in the file."""
        rows = [[name, [[*column, entry.text, entry.hue] for column, entry in row.items()]] for name, row in self.rows]
        return hashlib.sha256(json.dumps([self.title, rows]).encode()).hexdigest()[:16]


def row_of(cells: Cells) -> dict[Column, Entry]:
    """Return the entries of one method, for two classes and default settings."""
    columns: dict[Column, list[Any]] = {}
    for held in cells.values():
        if all(held.cell[name] == value for name, value in USUAL.items()):
            columns.setdefault((held.cell["prevalence"], held.cell["n"]), []).append(held)
    entries = {}
    for column, qualities in sorted(columns.items()):
        enough = [held for held in qualities if held.given >= ENOUGH]
        least = min(enough, key=lambda held: held.coverage, default=None)
        entries[column] = Entry(least.coverage, least.given / least.rounds) if least else Entry(None, 0.0)
    return entries


def of_measures(measured: Iterable[Measured]) -> list[tuple[list[str], Picture]]:
    """Return a picture of all methods for each measure; measures with equal numbers share a picture."""
    by_mark: dict[str, tuple[list[str], Picture]] = {}
    for measure in measured:
        names = sorted(measure.methods, key=lambda method: method != measure.default)
        labels = [f"{name} (default)" if name == measure.default else name for name in names]
        rows = [(label, row_of(measure.methods[name])) for label, name in zip(labels, names, strict=True)]
        picture = Picture(file_name(measure.name), "", tuple((label, row) for label, row in rows if row))
        if picture.rows:
            by_mark.setdefault(picture.mark, ([], picture))[0].append(measure.name)
    return [(names, Picture(picture.name, ", ".join(names), picture.rows)) for names, picture in by_mark.values()]


def of_defaults(name: str, title: str, measured: Iterable[Measured]) -> Picture:
    """Return a picture with one row for the default of each measure."""
    rows = [(measure.name, row_of(measure.every)) for measure in measured]
    return Picture(name, title, tuple((label, row) for label, row in rows if row))


def file_name(measure: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in measure).strip("-")


def write(pictures: Sequence[Picture], folder: Path) -> None:
    """Draw the pictures whose numbers changed, and remove all others."""
    for unused in set(folder.glob("coverage-*.png")) - {folder / picture.file for picture in pictures}:
        unused.unlink()
    for picture in pictures:
        if mark_of(folder / picture.file) != picture.mark:
            (folder / picture.file).write_bytes(drawn(picture))


def mark_of(path: Path) -> str:
    """Return the hash stored in a file, "" if there is no file."""
    from PIL import Image

    if not path.exists():
        return ""
    with Image.open(path) as image:
        return str(image.info.get(MARK, ""))


def drawn(picture: Picture) -> bytes:
    """Draw a picture with few colours, for a small file."""
    from matplotlib import rc_context, rcParamsDefault
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    full = BytesIO()
    with rc_context({**rcParamsDefault, "font.family": "DejaVu Sans"}):
        _figure(picture).savefig(full, format="png")
    image = Image.open(full).convert("RGB").quantize(palette=_palette(), dither=Image.Dither.NONE)
    metadata, file = PngInfo(), BytesIO()
    metadata.add_text(MARK, picture.mark)
    image.save(file, "PNG", optimize=True, pnginfo=metadata)
    return file.getvalue()


def _palette() -> Any:
    """Return an image with the colours of all pictures."""
    from matplotlib.colors import to_rgb
    from PIL import Image

    colours: list[int] = []
    for hue in (*HUES, NONE_HUE, "white"):
        ink = to_rgb("white" if hue in WHITE_ON else "black")
        for step in range(SHADES):
            weight = step / (SHADES - 1)
            mixed = [(1 - weight) * a + weight * b for a, b in zip(to_rgb(hue), ink, strict=True)]
            colours += [round(255 * value) for value in mixed]
    image = Image.new("P", (1, 1))
    image.putpalette(colours)
    return image


def _figure(picture: Picture) -> Any:
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure

    columns, positions = picture.columns, _positions(picture.columns)
    left = MARGIN + LETTER * max(len(name) for name, _ in picture.rows) + MARGIN
    wide, high = WIDE * (positions[-1] + 1), HIGH * len(picture.rows)
    whole = max(left + wide + MARGIN, 8.2), high + HEAD + FOOT
    figure = Figure(figsize=whole, dpi=RESOLUTION, facecolor="white")
    ax = figure.add_axes((left / whole[0], FOOT / whole[1], wide / whole[0], high / whole[1]))
    ax.set(xlim=(-0.5, positions[-1] + 0.5), ylim=(len(picture.rows) - 0.5, -0.5))
    ax.set_axis_off()
    corners, hues = [], []
    for y, (name, row) in enumerate(picture.rows):
        ax.text(-0.8, y, name, ha="right", va="center", fontsize=7.5, parse_math=False)
        for column, entry in row.items():
            x = positions[columns.index(column)]
            corners.append([(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)])
            hues.append(entry.hue)
            ink = "white" if entry.hue in WHITE_ON else "black"
            size = 6.3 if len(entry.text) < 5 else 5.2
            ax.text(x, y, entry.text, ha="center", va="center", fontsize=size, color=ink)
    ax.add_collection(PolyCollection(corners, facecolors=hues, edgecolors=EDGE, linewidths=0.5))
    _headings(ax, columns, positions)
    figure.text(MARGIN / whole[0], 1 - 0.17 / whole[1], picture.title, va="center", fontsize=9, weight="bold")
    _legend(figure, whole)
    return figure


def _positions(columns: Sequence[Column]) -> list[float]:
    """Return the horizontal positions of columns, with gaps between prevalences."""
    positions, position = [], -1.0
    for before, column in zip((columns[0], *columns), columns, strict=False):
        position += 1 + GAP * (before[0] != column[0])
        positions.append(position)
    return positions


def _headings(ax: Any, columns: Sequence[Column], positions: Sequence[float]) -> None:
    for (_, n), position in zip(columns, positions, strict=True):
        size = f"{n // 1000}k" if n >= 1000 else str(n)
        ax.text(position, -0.75, size, ha="center", va="bottom", fontsize=6.3)
    ax.text(-0.8, -0.75, "n", ha="right", va="bottom", fontsize=7, style="italic")
    ax.text(-0.8, -1.75, "prevalence", ha="right", va="bottom", fontsize=7, style="italic")
    for prevalence, group in groupby(zip(columns, positions, strict=True), key=lambda pair: pair[0][0]):
        xs = [position for _, position in group]
        ax.text((xs[0] + xs[-1]) / 2, -1.75, f"{prevalence:g}", ha="center", va="bottom", fontsize=7.5)
        ax.plot([xs[0] - 0.4, xs[-1] + 0.4], [-1.65, -1.65], color="black", lw=0.6, clip_on=False)


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
