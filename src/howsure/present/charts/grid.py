"""A grid of cells with labelled rows and columns, drawn entirely within the axes, so that no label is cut off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.arrays import Array
from howsure.present.charts.names import as_text, fit, width
from howsure.present.charts.series import ink

LARGEST, SMALLEST = 10.0, 5.0  # font sizes in points
LEFT, TOP = 0.4, 0.35  # largest fractions of the axes that names may take up
GAP = 5.0  # space between names and cells, in points
STRONGEST = 0.55  # highest opacity at which the text of a cell is readable
FAINTEST = 0.04  # cells with a lower opacity are not drawn
NUMBERS = 6.0  # smallest font size in a cell, in points


@dataclass(frozen=True)
class Grid:
    """Cells of equal size centred on (column, row), with the first row on top."""

    ax: Any
    wide: float
    high: float

    def fill(self, shares: Array, colour: Any) -> None:
        """Fill cells in one colour, with an opacity that increases with the share."""
        from matplotlib.collections import PolyCollection
        from matplotlib.colors import to_rgb

        opacity = STRONGEST * np.nan_to_num(shares) ** 0.6  # the exponent makes small shares visible
        rows, columns = np.nonzero(opacity > FAINTEST)
        corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        cells = np.stack([columns, rows], axis=1)[:, None] + corners
        colours = [(*to_rgb(colour), float(part)) for part in opacity[rows, columns]]
        self.ax.add_collection(PolyCollection(cells, facecolors=colours, edgecolors="none", antialiaseds=False))

    def write(self, texts: Array, **style: Any) -> bool:
        """Write texts into the cells if they fit, and return whether they do."""
        nonempty = [text for text in texts.ravel().tolist() if text]
        if not nonempty:
            return True
        widest = max({line for text in nonempty for line in text.split("\n")}, key=len)
        lines = max(text.count("\n") + 1 for text in nonempty)
        size = min(LARGEST, 0.9 * self.wide * LARGEST / width(self.ax, widest, fontsize=LARGEST))
        size = min(size, 0.85 * self.high / (1.3 * lines))
        if size < NUMBERS:
            return False
        centred = {"ha": "center", "va": "center", "fontsize": size, "parse_math": False}
        for (row, column), text in np.ndenumerate(texts):
            if text:
                self.ax.text(column, row, text, **{"color": ink(self.ax), **centred, **style})
        return True

    def mark(self, cells: Array, marker: str, **style: Any) -> None:
        """Draw a marker in each cell where ``cells`` is true."""
        rows, columns = np.nonzero(cells)
        size = 0.45 * min(self.wide, self.high, 2 * LARGEST)
        defaults = {"linestyle": "none", "color": ink(self.ax), "markersize": size, "markeredgewidth": 0.7}
        self.ax.plot(columns, rows, marker, **{**defaults, **style})


def lay_out(ax: Any, rows: Sequence[object], columns: Sequence[object] | None = None) -> Grid:
    """Write the row and column names, and return the grid.

    Without column names, the columns get the row names, or numbers if these do not fit.
    """
    from matplotlib.transforms import blended_transform_factory as blended

    figure = ax.get_figure(root=True)
    ax.set(xticks=[], yticks=[])
    ax.xaxis.set_label_position("top")
    ax.spines[:].set_visible(False)
    figure.draw_without_rendering()  # determines the size of the axes
    across, down = (ax.bbox.width * 72 / figure.dpi, ax.bbox.height * 72 / figure.dpi)
    size = float(np.clip(0.75 * down * (1 - TOP / 2) / len(rows), SMALLEST, LARGEST))
    row_names = fit(ax, rows, LEFT * across, fontsize=size)
    left = max(width(ax, name, fontsize=size) for name in row_names) + GAP
    if columns is None and _are_flat(ax, rows, (across - left) / len(rows), size):
        columns = rows
    numbers = [] if columns is not None else [str(number) for number in range(1, len(rows) + 1)]
    columns = columns or numbers
    left += width(ax, numbers[-1], fontsize=size) + GAP if numbers else 0.0
    wide = (across - left) / len(columns)
    column_size = min(size, max(SMALLEST, 0.75 * wide))
    is_flat = _are_flat(ax, columns, wide, column_size)
    column_names = fit(ax, columns, 0.95 * wide if is_flat else TOP * down, fontsize=column_size)
    tall = 1.3 * column_size if is_flat else max(width(ax, name, fontsize=column_size) for name in column_names)
    high = (down - tall - GAP) / len(rows)
    if 0.75 * high < size:
        size = max(SMALLEST, 0.75 * high)
        row_names = fit(ax, rows, LEFT * across, fontsize=size)
    ax.set_xlim(-0.5 - left / wide, len(columns) - 0.5)
    ax.set_ylim(len(rows) - 0.5, -0.5 - (tall + GAP) / high)
    style: dict[str, Any] = {"color": ink(ax), "parse_math": False}
    for index in range(0, len(rows), _every(high, size)):
        position = {"transform": blended(ax.transAxes, ax.transData), "ha": "left", "va": "center", "fontsize": size}
        ax.text(0, index, row_names[index], **position, **style)
        if numbers:
            ax.text(-0.5 - GAP / wide, index, numbers[index], ha="right", va="center", fontsize=size, **style)
    for index in range(0, len(columns), 1 if is_flat else _every(wide, column_size)):
        turned: dict[str, Any] = {"rotation": 0 if is_flat else 90, "ha": "center", "va": "bottom"}
        ax.text(index, -0.5 - 0.5 * GAP / high, column_names[index], fontsize=column_size, **turned, **style)
    ax.xaxis.label.set_x((left + across) / 2 / across)
    ax.yaxis.label.set_y((down - tall - GAP) / 2 / down)
    return Grid(ax, wide, high)


def _are_flat(ax: Any, names: Sequence[object], wide: float, size: float) -> bool:
    """Return whether every name fits above its column without rotation."""
    return all(width(ax, as_text(name), fontsize=size) <= 0.95 * wide for name in names)


def _every(room: float, size: float) -> int:
    """Return the step between labels that avoids overlap."""
    return max(1, int(np.ceil(1.25 * size / room)))
