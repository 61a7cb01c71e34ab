"""Curve: columns of equal length, what sums it up, the lines to compare it with, and a picture on request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from html import escape as escape_html
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import Array
from howsure.checks import check_number
from howsure.curves.saved import Saved
from howsure.errors import counted, one_line
from howsure.present.charts.figure import html_image
from howsure.present.value_text import jsonable
from howsure.present.words import shorten
from howsure.results import Estimate

if TYPE_CHECKING:
    from howsure.tables import ScoreTable

BAND_ENDS = ("low", "high")
MOST_LETTERS = 28  # of a name in a legend
MANY = 50_000  # points from which on thinning begins with a pass over cells


def class_name(label: Any) -> str:
    """Name a class in a sentence."""
    return one_line(label if isinstance(label, str) else f"class {label}")


@dataclass(frozen=True)
class Line:
    """A line to compare a curve with, such as that of guessing.

    Attributes
    ----------
    name
        What it is, such as "guessing".
    x, y
        Its points.

    Examples
    --------
    >>> import howsure
    >>> line = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9]).roc().lines[0]
    >>> line.name, line.x.tolist(), line.y.tolist()
    ('random', [0.0, 1.0], [0.0, 1.0])
    """

    name: str
    x: Array
    y: Array


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Saved):
    """Points of a curve, exact, with the threshold of each.

    Attributes
    ----------
    x, y, thresholds
        The points, and the threshold of each.
    area
        The area under the curve, where that means something, else NaN.
    lines
        Lines to compare it with, such as that of guessing.
    extra
        Further columns of the same length: the ends of a band, the number of cases.
    notes
        What to know of it.
    name, title, x_title, y_title
        What it is, and what its axes are.
    short
        The kind of curve in a legend, such as "ROC".
    label, rest
        The class or the classifier it is of, and the class or classes that it is told from.
    n
        The number of cases.
    threshold
        The one that decides, where one was chosen.
    band
        What the columns ``low`` and ``high`` are.
    steps
        "next" or "previous", where it has the height of that point between two.
    sum_up
        What estimates ``summary``.
    measure_title
        What sums it up, in words.
    bound
        By how much rates can differ from those of the nearest point, where scores were in bins.
    summary
        The measure that sums the curve up, such as the AUC, with its interval.

    Examples
    --------
    >>> import howsure
    >>> curve = howsure.assess([0, 1, 0, 1, 1, 0], scores=[0.2, 0.7, 0.4, 0.9, 0.3, 0.1]).roc()
    >>> print(curve)
    ROC curve of class 1: AUC 0.89 [0.09, 1.00], 6 cases, 7 points
    >>> curve.x.round(2).tolist(), curve.y.round(2).tolist()
    ([0.0, 0.0, 0.0, 0.33, 0.33, 0.67, 1.0], [0.0, 0.33, 0.67, 0.67, 1.0, 1.0, 1.0])
    >>> at = curve.at(0.5)
    >>> curve.thresholds[at].item(), round(curve.y[at].item(), 2)
    (0.7, 0.67)
    >>> curve.legend("tree"), curve.summary_text()
    ('ROC of tree, AUC 0.89 [0.09, 1.00]', 'AUC 0.89 [0.09, 1.00]')
    >>> list(curve.columns())
    ['x', 'y', 'threshold']
    """

    x: Array
    y: Array
    thresholds: Array
    area: float = float("nan")
    lines: tuple[Line, ...] = ()
    extra: dict[str, Array] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    _: KW_ONLY
    name: str = ""
    title: str = ""
    x_title: str = ""
    y_title: str = ""
    short: str = ""  # the kind of curve in a legend: "ROC"
    label: str = ""  # whose it is, in a legend: a classifier or a class
    rest: str = "the rest"  # the class or classes that it is told from
    n: float = float("nan")
    threshold: float | None = None
    band: str = ""  # what ``low`` and ``high`` are
    steps: Literal["", "next", "previous"] = ""  # between two points it has the height of this one of them
    sum_up: Callable[[], Estimate] | None = None
    measure_title: str = "area"  # what sums it up, in words
    bound: float = 0.0  # by how much rates can differ from those of the nearest point, where scores were in bins

    of_shares: ClassVar[bool] = True  # its height is a share of cases
    drawn_columns: ClassVar[tuple[str, ...]] = BAND_ENDS  # of ``extra``, where it has them

    @cached_property
    def summary(self) -> Estimate | None:
        return None if self.sum_up is None else self.sum_up()

    def unseen(self, table: ScoreTable, grid: Array, z: float) -> tuple[Array, Array] | None:
        """Give how far the curve may be below and above where no case is, which no replicate shows, if it may.

        Parameters
        ----------
        table
            The scores.
        grid
            Values of x.
        z
            How many standard errors the band is wide.

        Examples
        --------
        >>> import howsure
        >>> a = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9])
        >>> a.roc().unseen(a.scores, a.roc().x, 1.96) is None
        True
        """
        return None

    def about(self, label: Any, rest: Any = None, threshold: float | None = None) -> Self:
        """Say which class the curve is of, against which other one or the rest, and the threshold that decides.

        Parameters
        ----------
        label
            The class, or None.
        rest
            The other class, where there are two.
        threshold
            The one that decides.

        Examples
        --------
        >>> import howsure
        >>> curve = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9]).roc()
        >>> curve.title, curve.about("spam").label
        ('ROC curve of class 1', 'spam')
        """
        of, other = ("" if name is None else class_name(name) for name in (label, rest))
        title = f"{self.title} of {shorten(of, MOST_LETTERS)}"
        return replace(self, title=title, label=of, rest=other or self.rest, threshold=threshold)

    @property
    def plain_title(self) -> str:
        """The title without the class."""
        return self.title.removesuffix(f" of {shorten(self.label, MOST_LETTERS)}")

    def at(self, threshold: float) -> int:
        """Give the index of the point of calling scores at or above ``threshold`` positive.

        Parameters
        ----------
        threshold
            A score.
        """
        defined = np.where(np.isnan(self.thresholds), -np.inf, self.thresholds)
        return int(np.flatnonzero(np.append(True, defined[1:] >= check_number(threshold, "threshold")))[-1])

    def summary_text(self) -> str:
        """Say what sums the curve up, with its interval, to as many digits as that leaves a meaning."""
        if self.summary is None:
            return f"{self.measure_title} {self.area:.3f}" if self.area == self.area else ""
        low, high = self.summary.interval()
        digits = 2 if not high - low < 0.02 else 3 if high - low >= 0.002 else 4
        value = f"{self.measure_title} {self.summary.value:.{digits}f}"
        return f"{value} [{low:.{digits}f}, {high:.{digits}f}]" if low == low else value

    def legend(self, label: str | None = None) -> str:
        """Say in a legend whose curve it is, and what sums it up: "ROC of tree, AUC 0.92 [0.89, 0.94]".

        Parameters
        ----------
        label
            Whose it is; default: the class.
        """
        whose = str((self.label or "") if label is None else label)
        kind = self.short or self.plain_title or self.name
        parts = [f"{kind} of {shorten(whose, MOST_LETTERS)}" if whose else kind, self.summary_text()]
        return ", ".join(filter(None, parts))

    def __len__(self) -> int:
        return len(self.x)

    def columns(self) -> dict[str, Array]:
        return {"x": self.x, "y": self.y, "threshold": self.thresholds, **self.extra}

    def to_dict(self) -> dict[str, Any]:
        titles = {"name": self.name, "title": self.title, "x_title": self.x_title, "y_title": self.y_title}
        values = {**titles, "n": self.n, "area": self.area, "columns": self.columns(), "notes": self.notes}
        if self.summary is not None:
            values["summary"] = self.summary.to_dict()
        return dict(jsonable(values))

    def thinned(self, tolerance: float = 1e-3) -> Self:
        """Leave out points so that what is drawn moves by at most ``tolerance`` of the curve's extent, for display.

        What is left are points of the exact curve (Douglas and Peucker's choice of them).

        Parameters
        ----------
        tolerance
            As a share of the extent.

        Examples
        --------
        >>> import howsure
        >>> curve = howsure.assess([0, 1] * 500, scores=[n / 1000 for n in range(1000)]).roc()
        >>> len(curve), len(curve.thinned(0.01))
        (1001, 2)
        """
        check_number(tolerance, "tolerance")
        finite = np.isfinite(self.x) & np.isfinite(self.y)
        inside: Any = slice(None) if finite.all() else np.flatnonzero(finite)
        x, y = self.x[inside], self.y[inside]
        if len(x) <= 2:
            return self
        width, height = float(np.ptp(x)) or 1.0, float(np.ptp(y)) or 1.0
        others = [self.extra[name][inside] for name in self.drawn_columns if name in self.extra]
        chosen = rows = _thin(x / width, [column / height for column in (y, *others)], tolerance)
        if not finite.all():  # undefined points stay
            rows = np.sort(np.concatenate([inside[chosen], np.flatnonzero(~finite)]))
        extra = {name: column[rows] for name, column in self.extra.items()}
        return replace(self, x=self.x[rows], y=self.y[rows], thresholds=self.thresholds[rows], extra=extra)

    def drawn(self) -> Self:
        """Give the corners of the line to draw: those of the steps, if there are any, as few as will do.

        Examples
        --------
        >>> import howsure
        >>> curve = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9]).precision_recall()
        >>> len(curve), len(curve.drawn())
        (5, 3)
        """
        if not self.steps or len(self) > MANY:  # so many steps are too small to see
            return self.thinned()
        before, after = np.s_[1:], np.s_[:-1]
        x_part, y_part = (after, before) if self.steps == "next" else (before, after)
        extra = {name: np.repeat(column, 2)[y_part] for name, column in self.extra.items()}
        y, thresholds = (np.repeat(column, 2)[y_part] for column in (self.y, self.thresholds))
        return replace(self, x=np.repeat(self.x, 2)[x_part], y=y, thresholds=thresholds, extra=extra).thinned()

    def _repr_html_(self) -> str:
        return f"{html_image(self)}<p>{escape_html(str(self))}</p>"

    def __repr__(self) -> str:
        return f"Curve({self.name!r}, {len(self)} points)"

    def text(self) -> str:
        whole = self.n != self.n or float(self.n).is_integer()
        cases = f"{self.n:.0f} cases" if whole else f"effectively {self.n:.1f} cases"
        parts = [self.summary_text(), cases if self.n == self.n else "", counted(len(self), "point"), self.band]
        return f"{self.title or self.name}: {', '.join(filter(None, parts))}"


def _thin(x: Array, lines: list[Array], tolerance: float) -> NDArray[np.intp]:
    """Choose points so that lines over the same x stay within ``tolerance`` of all of theirs."""
    if len(x) <= MANY:
        return _douglas_peucker(x, lines, tolerance)
    # One pass first leaves out the points that share a small cell with both their neighbours, whatever their number.
    changed = np.zeros(len(x) + 1, bool)
    changed[[0, -1]] = True
    for column in (x, *lines):
        cell = ((column - column[0]) * (4 / tolerance)).astype(np.int32)
        changed[1:-1] |= cell[1:] != cell[:-1]
    rows = np.flatnonzero(changed[1:] | changed[:-1])
    return np.asarray(rows[_douglas_peucker(x[rows], [line[rows] for line in lines], tolerance / 2)])


def _douglas_peucker(x: Array, lines: list[Array], tolerance: float) -> NDArray[np.intp]:
    """Choose the points between which every line stays within ``tolerance``: split where one is farthest away."""
    chosen = {0, len(x) - 1}
    open_parts = [(0, len(x) - 1)]
    while open_parts:
        start, end = open_parts.pop()
        if end - start < 2:
            continue
        away = np.max([_distance(x[start : end + 1], line[start : end + 1]) for line in lines], axis=0)
        farthest = int(away.argmax())
        if away[farthest] > tolerance:
            middle = start + 1 + farthest
            chosen.add(middle)
            open_parts += [(start, middle), (middle, end)]
    return np.array(sorted(chosen))


def _distance(x: Array, y: Array) -> Array:
    """Give how far the points inside a line are from the chord between its ends."""
    across, up = x[-1] - x[0], y[-1] - y[0]
    length = float(np.hypot(across, up))
    inside_x, inside_y = x[1:-1] - x[0], y[1:-1] - y[0]
    along = np.clip((inside_x * across + inside_y * up) / length**2, 0, 1) if length else 0.0
    return np.asarray(np.hypot(inside_x - along * across, inside_y - along * up))
