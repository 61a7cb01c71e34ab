"""Declare a curve once: its titles, what it needs, and the function that computes its points.

The function takes a score table, and options of its own with their defaults, and returns a `Curve` without a name; the
declaration adds name, titles and reference lines. All lists of curves are read off the registry: the methods of an
assessment (``assessment/curve_methods.py``), the command line, the demo and the reference page.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

from howsure.checks import MOST_POINTS, check_number, is_a, whole_between
from howsure.curves.curve import Curve, Line
from howsure.errors import HowsureError, must
from howsure.measures import Measure, estimate_scores
from howsure.registry import Registry
from howsure.tables import ScoreTable


@dataclass(frozen=True)
class DeclaredCurve:
    """A kind of curve; called with a score table, it gives the `Curve`.

    Attributes
    ----------
    name, title, x_title, y_title
        What it is, and what its axes are.
    function
        What computes its points.
    summary
        What it shows, in words.
    options
        Its own options, with their defaults.
    needs
        "scores" or "probabilities".
    lines
        Lines to compare it with.
    band
        Whether a bootstrap band makes sense.
    from_costs
        The options that costs fill in, each with what it takes: "slope", "probability_cost", "threshold" or "prior".
    aliases
        Its other names.
    short
        Its name in a legend.
    measure, measure_title
        What sums the curve up, and its name in a legend.

    Examples
    --------
    >>> from howsure import ScoreTable, curves
    >>> table = ScoreTable.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.8, 0.4, 0.1])
    >>> curves.roc.title, curves.roc.applies(table)
    ('ROC curve', True)
    >>> round(curves.roc(table).area, 3)
    0.75
    """

    name: str
    title: str
    x_title: str
    y_title: str
    function: Callable[..., Curve] = field(repr=False)
    summary: str = field(repr=False)
    options: dict[str, inspect.Parameter] = field(repr=False)
    needs: Literal["scores", "probabilities"] = "scores"
    lines: tuple[Line, ...] = field(default=(), repr=False)
    band: bool = False
    from_costs: dict[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    short: str = ""
    measure: Measure | None = field(default=None, repr=False)
    measure_title: str = "area"

    def __call__(self, table: ScoreTable, **options: Any) -> Curve:
        self.check(table)
        for name, value in options.items():
            self._check_option(name, value)
        curve = self.function(table, **options)
        return replace(
            curve,
            name=self.name,
            title=self.title,
            x_title=self.x_title,
            y_title=self.y_title,
            short=self.short or self.title.lower(),
            lines=(*self.lines, *curve.lines),
            n=round(table.effective().n, 9),
            sum_up=None if self.measure is None else partial(estimate_scores, table, self.measure.name),
            measure_title=self.measure_title,
            bound=table.step,
        )

    def _check_option(self, name: str, value: Any) -> None:
        """Refuse an option that is not of the kind its parameter is declared to be."""
        kind = str(self.options[name].annotation) if name in self.options else ""
        if kind.startswith("int") and not (value is None and "None" in kind):
            whole_between(name, value, 1, MOST_POINTS)
        elif kind.startswith("float") and not (value is None and "None" in kind):
            check_number(value, name)

    def applies(self, table: ScoreTable) -> bool:
        """Say whether a table has what the curve needs.

        Parameters
        ----------
        table
            The scores.
        """
        return self.needs == "scores" or table.is_probability

    def check(self, table: ScoreTable) -> None:
        """Refuse a table without what the curve needs.

        Parameters
        ----------
        table
            The scores.

        Examples
        --------
        >>> from howsure import HowsureError, ScoreTable, curves
        >>> try:
        ...     curves.calibration.check(ScoreTable.from_scores([1, 0], [5.0, -3.0]))
        ... except HowsureError as error:
        ...     print(error)
        the scores must be probabilities between 0 and 1 for this.
        """
        is_a("table", table, ScoreTable, "a ScoreTable")
        if not isinstance(table, ScoreTable):
            must("table", "a `ScoreTable`", given=table)
        if not self.applies(table):
            raise HowsureError("the scores must be probabilities between 0 and 1 for this.")


registry: Registry[DeclaredCurve] = Registry("curve", "`howsure.curves.names()` lists them")


def curve(title: str, x_title: str, y_title: str, **facts: Any) -> Callable[[Callable[..., Curve]], DeclaredCurve]:
    """Register a function as a curve; ``facts`` are further fields of `DeclaredCurve`."""

    def declare(function: Callable[..., Curve]) -> DeclaredCurve:
        _, *options = inspect.signature(function).parameters.items()
        described = function.__name__, title, x_title, y_title, function, inspect.getdoc(function) or "", dict(options)
        declared = DeclaredCurve(*described, **facts)
        registry.add(declared.name, declared, declared.aliases)
        return declared

    return declare
