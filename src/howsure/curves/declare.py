"""Declaration of curves: titles, requirements and function.

The function takes a score table and its own options, and returns a `Curve` without a name. The declaration adds the
name, the titles and the reference lines. All lists of curves come from the registry: the methods of an assessment
(``assessment/curve_methods.py``), the command line, the demo and the reference page.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

from howsure.checks import MAX_POINTS, check_number, check_type, check_whole
from howsure.curves.curve import Curve, Line
from howsure.errors import HowsureError
from howsure.measures import Measure, estimate_scores
from howsure.registry import Registry
from howsure.tables import ScoreTable


@dataclass(frozen=True)
class DeclaredCurve:
    """A kind of curve. Call it with a score table to compute the `Curve`.

    Attributes
    ----------
    name, title, x_title, y_title
        The name, the title and the titles of the axes.
    function
        The function that computes the points.
    summary
        A description of the curve.
    options
        The options of the function, with their defaults.
    needs
        "scores" or "probabilities".
    lines
        Reference lines.
    band
        Whether a bootstrap band is meaningful.
    from_costs
        The options set from costs, each with its quantity: "slope", "probability_cost", "threshold" or "prior".
    aliases
        Other names.
    short
        The name in a legend.
    measure, measure_title
        The summary measure, and its name in a legend.

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
        """Raise an error if the type of an option differs from the declared one."""
        kind = str(self.options[name].annotation) if name in self.options else ""
        if kind.startswith("int") and not (value is None and "None" in kind):
            check_whole(name, value, 1, MAX_POINTS)
        elif kind.startswith("float") and not (value is None and "None" in kind):
            check_number(value, name)

    def applies(self, table: ScoreTable) -> bool:
        """Return whether the curve can be computed from a table.

        Parameters
        ----------
        table
            The scores.
        """
        return self.needs == "scores" or table.is_probability

    def check(self, table: ScoreTable) -> None:
        """Raise an error if the curve cannot be computed from a table.

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
        the scores must be probabilities between 0 and 1 for this curve.
        """
        check_type("table", table, ScoreTable, "a ScoreTable")
        if not self.applies(table):
            raise HowsureError("the scores must be probabilities between 0 and 1 for this curve.")


registry: Registry[DeclaredCurve] = Registry("curve", "`howsure.curves.names()` lists them")


def curve(title: str, x_title: str, y_title: str, **facts: Any) -> Callable[[Callable[..., Curve]], DeclaredCurve]:
    """Register a function as a curve; ``facts`` are fields of the declaration."""

    def declare(function: Callable[..., Curve]) -> DeclaredCurve:
        _, *options = inspect.signature(function).parameters.items()
        summary = inspect.getdoc(function) or ""
        declared = DeclaredCurve(function.__name__, title, x_title, y_title, function, summary, dict(options), **facts)
        registry.add(declared.name, declared, declared.aliases)
        return declared

    return declare
