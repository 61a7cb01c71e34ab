"""Curve: points with their thresholds, a summary measure and a picture."""

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
MAX_CHARACTERS = 28  # maximum length of a name in a title or legend
LONG_CURVE = 50_000  # number of points; longer curves are thinned in two passes, and their steps are too small to see


def class_name(label: Any) -> str:
    """Return the name of a class in a sentence."""
    return one_line(label if isinstance(label, str) else f"class {label}")


@dataclass(frozen=True)
class Line:
    """Reference line of a curve, such as that of a random classifier.

    Attributes
    ----------
    name
        The name in the legend, such as "random".
    x, y
        The points of the line.

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
    """Exact points of a curve, with the threshold of each point.

    Attributes
    ----------
    x, y, thresholds
        The coordinates and the threshold of each point.
    area
        The area under the curve, or NaN where it has no meaning.
    lines
        Reference lines, such as that of a random classifier.
    extra
        Further columns of the same length, such as the ends of a band or the number of cases.
    notes
        Remarks on the curve.
    name, title, x_title, y_title
        The name, the title and the titles of the axes.
    short
        The kind of curve in a legend, such as "ROC".
    label, rest
        The class or classifier of the curve, and the other class or classes.
    n
        The number of cases.
    threshold
        The decision threshold, if one was chosen.
    band
        A description of the columns ``low`` and ``high``.
    steps
        For a step curve, "next" or "previous": the point that sets the height between two points.
    sum_up
        A function that estimates ``summary``.
    measure_title
        The name of the summary measure in a legend.
    bound
        For scores in bins, the largest possible error of a rate between two points.
    summary
        The estimate of the summary measure, such as the AUC, with its interval.

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
    short: str = ""
    label: str = ""
    rest: str = "the rest"
    n: float = float("nan")
    threshold: float | None = None
    band: str = ""
    steps: Literal["", "next", "previous"] = ""
    sum_up: Callable[[], Estimate] | None = None
    measure_title: str = "area"
    bound: float = 0.0

    of_shares: ClassVar[bool] = True  # whether the height is a proportion of cases
    drawn_columns: ClassVar[tuple[str, ...]] = BAND_ENDS  # columns of ``extra`` that are drawn, if they exist

    @cached_property
    def summary(self) -> Estimate | None:
        return None if self.sum_up is None else self.sum_up()

    def unseen(self, table: ScoreTable, grid: Array, z: float) -> tuple[Array, Array] | None:
        """Return the least extent of the band where no case was observed.

        The bootstrap shows no uncertainty there, so the band is extended to these distances below and above the curve.
        None means that this kind of curve needs no extension.

        Parameters
        ----------
        table
            The scores.
        grid
            Values of x.
        z
            The half-width of the band in standard errors.

        Examples
        --------
        >>> import howsure
        >>> a = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9])
        >>> a.roc().unseen(a.scores, a.roc().x, 1.96) is None
        True
        """
        return None

    def about(self, label: Any, rest: Any = None, threshold: float | None = None) -> Self:
        """Add the names of the classes and the decision threshold.

        Parameters
        ----------
        label
            The class of the curve, or None.
        rest
            The other class, if there are two.
        threshold
            The decision threshold.

        Examples
        --------
        >>> import howsure
        >>> curve = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9]).roc()
        >>> curve.title, curve.about("spam").label
        ('ROC curve of class 1', 'spam')
        """
        of, other = ("" if name is None else class_name(name) for name in (label, rest))
        title = f"{self.title} of {shorten(of, MAX_CHARACTERS)}"
        return replace(self, title=title, label=of, rest=other or self.rest, threshold=threshold)

    @property
    def plain_title(self) -> str:
        """The title without the class."""
        return self.title.removesuffix(f" of {shorten(self.label, MAX_CHARACTERS)}")

    def at(self, threshold: float) -> int:
        """Return the index of the point for a decision threshold.

        Parameters
        ----------
        threshold
            Cases with this score or a higher one are predicted positive.
        """
        defined = np.where(np.isnan(self.thresholds), -np.inf, self.thresholds)
        return int(np.flatnonzero(np.append(True, defined[1:] >= check_number(threshold, "threshold")))[-1])

    def summary_text(self) -> str:
        """Return the summary measure with its interval.

        The interval determines the number of digits.
        """
        if self.summary is None:
            return f"{self.measure_title} {self.area:.3f}" if self.area == self.area else ""
        low, high = self.summary.interval()
        digits = 2 if not high - low < 0.02 else 3 if high - low >= 0.002 else 4
        value = f"{self.measure_title} {self.summary.value:.{digits}f}"
        return f"{value} [{low:.{digits}f}, {high:.{digits}f}]" if low == low else value

    def legend(self, label: str | None = None) -> str:
        """Return the legend entry, such as "ROC of tree, AUC 0.92 [0.89, 0.94]".

        Parameters
        ----------
        label
            The name of the class or classifier. Default: the class.
        """
        name = str((self.label or "") if label is None else label)
        kind = self.short or self.plain_title or self.name
        parts = [f"{kind} of {shorten(name, MAX_CHARACTERS)}" if name else kind, self.summary_text()]
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
        """Remove points that are not needed to draw the curve.

        The remaining points are exact, and chosen by the algorithm of Douglas and Peucker (1973).

        Parameters
        ----------
        tolerance
            The largest shift of the line, as a proportion of the extent.

        Examples
        --------
        >>> import howsure
        >>> curve = howsure.assess([0, 1] * 500, scores=[n / 1000 for n in range(1000)]).roc()
        >>> len(curve), len(curve.thinned(0.01))
        (1001, 2)
        """
        check_number(tolerance, "tolerance")
        finite = np.isfinite(self.x) & np.isfinite(self.y)
        defined: Any = slice(None) if finite.all() else np.flatnonzero(finite)
        x, y = self.x[defined], self.y[defined]
        if len(x) <= 2:
            return self
        width, height = float(np.ptp(x)) or 1.0, float(np.ptp(y)) or 1.0
        extra_lines = [self.extra[name][defined] for name in self.drawn_columns if name in self.extra]
        chosen = rows = _thin(x / width, [column / height for column in (y, *extra_lines)], tolerance)
        if not finite.all():  # undefined points stay
            rows = np.sort(np.concatenate([defined[chosen], np.flatnonzero(~finite)]))
        extra = {name: column[rows] for name, column in self.extra.items()}
        return replace(self, x=self.x[rows], y=self.y[rows], thresholds=self.thresholds[rows], extra=extra)

    def drawn(self) -> Self:
        """Return the corners that are needed to draw the line and its steps.

        Examples
        --------
        >>> import howsure
        >>> curve = howsure.assess([0, 1, 0, 1], scores=[0.2, 0.7, 0.4, 0.9]).precision_recall()
        >>> len(curve), len(curve.drawn())
        (5, 3)
        """
        if not self.steps or len(self) > LONG_CURVE:
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
        is_whole = self.n != self.n or float(self.n).is_integer()
        cases = f"{self.n:.0f} cases" if is_whole else f"effectively {self.n:.1f} cases"
        parts = [self.summary_text(), cases if self.n == self.n else "", counted(len(self), "point"), self.band]
        return f"{self.title or self.name}: {', '.join(filter(None, parts))}"


def _thin(x: Array, lines: list[Array], tolerance: float) -> NDArray[np.intp]:
    """Choose points so that no line moves by more than ``tolerance``."""
    if len(x) <= LONG_CURVE:
        return _douglas_peucker(x, lines, tolerance)
    # The first step removes points that share a small cell with both of their neighbours, in one pass.
    changed = np.zeros(len(x) + 1, bool)
    changed[[0, -1]] = True
    for column in (x, *lines):
        cell = ((column - column[0]) * (4 / tolerance)).astype(np.int32)
        changed[1:-1] |= cell[1:] != cell[:-1]
    rows = np.flatnonzero(changed[1:] | changed[:-1])
    return np.asarray(rows[_douglas_peucker(x[rows], [line[rows] for line in lines], tolerance / 2)])


def _douglas_peucker(x: Array, lines: list[Array], tolerance: float) -> NDArray[np.intp]:
    """Split lines at the farthest point until the chords are close enough."""
    chosen = {0, len(x) - 1}
    open_parts = [(0, len(x) - 1)]
    while open_parts:
        start, end = open_parts.pop()
        if end - start < 2:
            continue
        distance = np.max([_distance(x[start : end + 1], line[start : end + 1]) for line in lines], axis=0)
        farthest = int(distance.argmax())
        if distance[farthest] > tolerance:
            middle = start + 1 + farthest
            chosen.add(middle)
            open_parts += [(start, middle), (middle, end)]
    return np.array(sorted(chosen))


def _distance(x: Array, y: Array) -> Array:
    """Return the distances of inner points from the chord between the ends."""
    across, up = x[-1] - x[0], y[-1] - y[0]
    length = float(np.hypot(across, up))
    inside_x, inside_y = x[1:-1] - x[0], y[1:-1] - y[0]
    along = np.clip((inside_x * across + inside_y * up) / length**2, 0, 1) if length else 0.0
    return np.asarray(np.hypot(inside_x - along * across, inside_y - along * up))
