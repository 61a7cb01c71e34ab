"""Declare a measure once: a kernel on counts, and what is known about it, in one place.

The kernel's annotations say the rest. A kernel of `BinaryCounts` measures one class against the rest, and
so has a value per class and averages; a kernel of `LabelCounts` measures all classes at once; a kernel of
`ScoreCounts` measures the scores of one class against the rest, one of `ScoreRows` those of all classes. One that
returns a `Ratio` counts cases out of cases, and so takes the intervals of proportions. Arguments after the counts are
the measure's own parameters; a measure whose parameters have no default is given on request.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, Literal, get_type_hints

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import Array
from howsure.errors import HowsureError, must, must_be_share, suggestion
from howsure.present.value_text import SPOKEN
from howsure.registry import Registry
from howsure.tables import BinaryCounts, LabelCounts, ScoreCounts, ScoreRows

Matrix = NDArray[np.float64]  # as an annotation: one entry per cell of the table, rows truth
Scope = Literal["class", "overall", "score", "rows"]
Group = Literal["overall", "class", "ranking", "probabilities", "costs"]  # in the order in which they are shown
SCOPES: dict[Any, Scope] = {
    BinaryCounts: "class",
    LabelCounts: "overall",
    ScoreCounts: "score",
    ScoreRows: "rows",
}
Span = tuple[float, float]
Side = Literal["truth", "predicted"]


@dataclass(frozen=True, slots=True)
class Ratio:
    """Some cases out of others, each counted once: what has the intervals of a proportion.

    Attributes
    ----------
    numerator, denominator
        The counts, of any shape.

    Examples
    --------
    >>> import numpy as np
    >>> from howsure.measures import Ratio
    >>> Ratio(np.array(75), np.array(100)).numerator.item()
    75
    """

    numerator: Array
    denominator: Array


Kernel = Callable[..., Ratio | Array]
Limits = dict[str, tuple[str, Callable[[Any], bool]]]  # what a parameter must be, in words and as a test


def _holds(test: Callable[[Any], bool], value: Any) -> bool:
    try:
        return bool(test(value))
    except TypeError:
        return False


@dataclass(frozen=True)
class Measure:
    """A declared measure; `howsure.measures.get` finds it by any of its names.

    Attributes
    ----------
    name, title, aliases
        Its names: the canonical one, that of headings, and others.
    kernel
        What computes it on counts.
    formula, summary
        What it is, as a formula and in words.
    range
        The least and the greatest value that it can have.
    best
        What every perfect classifier gets, None where that depends on the data.
    better
        "higher" or "lower", None where it has neither.
    undefined_when
        When it has no value.
    scope
        What it is of: "class", "overall", "score" or "rows".
    is_ratio
        Whether it counts cases out of cases.
    parameters, matrix
        Its own parameters, and the name of the one that is a matrix.
    within, averaged, probability, loss, influence, limits, together, row_loss, row_loss_range, of_mean
        Further facts, as `measure` takes them.
    rises_with_mean, total_of, of_auc, of_accuracy, ranks_columns, errors_by, cases_of_each, hits_added
        Further facts, as `measure` takes them.
    follows_from, interval, within_bins, remark, compared_from, freedom_of_a_count
        Further facts, as `measure` takes them.

    Examples
    --------
    >>> from howsure import Confusion, measures
    >>> recall = measures.get("sensitivity")
    >>> recall.name, recall.formula, recall.range, recall.best
    ('recall', 'tp / (tp + fn)', (0, 1), 1)
    >>> recall.value(Confusion([[8, 2], [1, 9]]).one_versus_rest).tolist()
    [0.8, 0.9]
    >>> recall.span(20, {})
    (0.0, 1.0)
    """

    name: str
    title: str
    kernel: Kernel = field(repr=False)
    formula: str
    range: Span
    best: float | None
    better: Literal["higher", "lower"] | None
    undefined_when: str
    aliases: tuple[str, ...]
    summary: str
    scope: Scope
    is_ratio: bool
    parameters: dict[str, inspect.Parameter] = field(repr=False)
    matrix: str | None = field(repr=False)
    within: Callable[..., Span] | None = field(repr=False)
    averaged: bool = field(repr=False)
    probability: bool = field(repr=False)
    loss: Callable[[Array], tuple[Array, Array]] | None = field(repr=False)
    influence: Callable[[ScoreCounts], tuple[Array, Array]] | None = field(repr=False)
    limits: Limits = field(repr=False)
    together: tuple[str, Callable[..., bool]] | None = field(repr=False)
    row_loss: Callable[[ScoreRows], Array] | None = field(repr=False)
    row_loss_range: Span | Callable[[int], Span] | None = field(repr=False)
    of_mean: Callable[..., Array] | None = field(repr=False)
    rises_with_mean: bool = field(repr=False)
    total_of: Measure | None = field(repr=False)
    of_auc: tuple[float, float] | None = field(repr=False)
    of_accuracy: tuple[float, float] | None = field(repr=False)
    ranks_columns: bool = field(repr=False)
    errors_by: Side | None = field(repr=False)
    cases_of_each: tuple[Side, int] = field(repr=False)
    hits_added: float = field(repr=False)
    follows_from: tuple[Measure, ...] = field(repr=False)
    interval: tuple[str, Callable[..., Any]] | None = field(repr=False)
    within_bins: Callable[..., Span] | None = field(repr=False)
    remark: Callable[..., str | None] | None = field(repr=False)
    compared_from: float = field(repr=False)
    freedom_of_a_count: float = field(repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return get, (self.name,)  # a kernel's name leads to its measure, so only the name is stored

    def span(self, n: float, parameters: dict[str, Any]) -> Span:
        """Give the range of values that these parameters allow.

        Parameters
        ----------
        n
            The number of cases.
        parameters
            Those of the measure.
        """
        low, high = self.range if self.within is None else self.within(n, **parameters)
        return float(low), float(high)

    def row_range(self, k: int) -> Span:
        """Give the range of the loss of a row of scores of ``k`` classes.

        Parameters
        ----------
        k
            The number of classes.

        Examples
        --------
        >>> from howsure import measures
        >>> measures.get("brier").row_range(3)
        (0, 2)
        """
        span = self.row_loss_range(k) if callable(self.row_loss_range) else self.row_loss_range
        return self.range if span is None else span

    @property
    def loss_range(self) -> Span:
        """The range of the loss of a case of two classes."""
        return self.range if self.of_mean is None else self.row_range(2)

    @property
    def ranks(self) -> bool:
        """It depends on the order of the scores of each class, not on their scale."""
        return self.ranks_columns or (self.scope == "score" and not self.probability)

    @property
    def group(self) -> Group:
        """The group of measures that it is shown in."""
        if "costs" in self.parameters:
            return "costs"
        if self.scope in ("class", "overall"):
            return self.scope
        return "probabilities" if self.probability else "ranking"

    @property
    def default_interval(self) -> str:
        """The interval method that an estimate uses unless another is asked for."""
        if self.interval is not None:
            return self.interval[0]
        if self.is_ratio:
            return "modified-wilson"
        if self.scope in ("class", "overall"):
            return "mover"
        if self.of_auc is not None:
            return "delong-newcombe"
        if self.scope == "rows":
            return "bootstrap"
        return "smoothed-loss" if self.loss is not None else "bca"

    @property
    def on_request(self) -> bool:
        """It has a parameter that only the user can give."""
        return any(parameter.default is parameter.empty for parameter in self.parameters.values())

    def value(self, counts: BinaryCounts | LabelCounts | ScoreCounts | ScoreRows, **parameters: Any) -> Array:
        """Compute values on counts of any leading shape; NaN where undefined.

        Parameters
        ----------
        counts
            What its kernel takes.
        **parameters
            Those of the measure.
        """
        result = self.kernel(counts, **parameters)
        return divide(result.numerator, result.denominator) if isinstance(result, Ratio) else result

    def check_names(self, parameters: Iterable[str], also: Sequence[str] = ()) -> None:
        """Refuse parameters that the measure does not have; ``also`` are arguments that may have been meant.

        Parameters
        ----------
        parameters
            The names given.
        also
            Arguments that may have been meant.

        Examples
        --------
        >>> from howsure import HowsureError, measures
        >>> measure = measures.get("F-beta")
        >>> try:
        ...     measure.check_names(["bta"])
        ... except HowsureError as error:
        ...     print(error)
        `f_beta` has no parameter 'bta'; did you mean 'beta'?
        """
        for name in parameters:
            if name not in self.parameters:
                raise HowsureError(
                    f"`{self.name}` has no parameter {name!r}"
                    + suggestion(name, [*self.parameters, *also], otherwise="" if self.parameters else "it takes none")
                )

    def check(self, parameters: dict[str, Any]) -> None:
        """Refuse parameters that are unknown, missing, or not what they must be.

        Parameters
        ----------
        parameters
            The parameters given, by name.

        Examples
        --------
        >>> from howsure import HowsureError, measures
        >>> measure = measures.get("F-beta")
        >>> try:
        ...     measure.check({"beta": -1})
        ... except HowsureError as error:
        ...     print(error)
        `beta` must be a number above 0, not -1.
        """
        self.check_names(parameters)
        for name, parameter in self.parameters.items():
            if parameter.default is parameter.empty and name not in parameters:
                raise HowsureError(f"`{self.name}` needs `{name}`; give it as `{name}=...`.")
        for name, (expected, holds) in self.limits.items():
            if name in parameters and not _holds(holds, parameters[name]):
                is_share = isinstance(parameters[name], Real) and _holds(holds, parameters[name] / 100)
                (must_be_share if is_share else must)(name, expected, given=parameters[name])
        if self.together is not None and not self.together[1](**parameters):
            raise HowsureError(self.together[0])


registry: Registry[Measure] = Registry("measure", "`howsure measures` lists them")


def get(name: str) -> Measure:
    """Find a measure by its name or any of its aliases.

    Parameters
    ----------
    name
        In any spelling: "f1", "F-measure", "dice".

    Returns
    -------
    Measure
        What is known about it.

    Examples
    --------
    >>> from howsure import measures
    >>> measures.get("F-measure").name
    'f1'
    """
    return registry[name]


def measure(
    title: str,
    *,
    formula: str,
    range: Span,  # noqa: A002 - what the field calls it
    best: float | None,
    better: Literal["higher", "lower"] | None = None,
    undefined_when: str = "",
    aliases: tuple[str, ...] = (),
    within: Callable[..., Span] | None = None,
    averaged: bool = True,
    probability: bool = False,
    loss: Callable[[Array], tuple[Array, Array]] | None = None,
    influence: Callable[[ScoreCounts], tuple[Array, Array]] | None = None,
    limits: Limits | None = None,
    together: tuple[str, Callable[..., bool]] | None = None,
    row_loss: Callable[[ScoreRows], Array] | None = None,
    row_loss_range: Span | Callable[[int], Span] | None = None,
    of_mean: Callable[..., Array] | None = None,
    rises_with_mean: bool = False,
    total_of: Measure | None = None,
    of_auc: tuple[float, float] | None = None,
    of_accuracy: tuple[float, float] | None = None,
    ranks_columns: bool = False,
    errors_by: Side | None = None,
    cases_of_each: tuple[Side, int] = ("truth", 0),
    hits_added: float = 0.0,
    follows_from: tuple[Measure, ...] = (),
    interval: tuple[str, Callable[..., Any]] | None = None,
    within_bins: Callable[..., Span] | None = None,
    remark: Callable[..., str | None] | None = None,
    compared_from: float = 0,
    freedom_of_a_count: float = 0,
    spoken: str = "",
    into: Registry[Measure] | None = None,
) -> Callable[[Kernel], Measure]:
    """Register a kernel as a measure: a function of counts, whose annotations and docstring say the rest.

    The first argument of a kernel is `howsure.tables.BinaryCounts` for a measure of one class against the rest,
    `LabelCounts` for one of all classes at once, `ScoreCounts` for one of the scores of a class, or `ScoreRows` for one
    of the scores of all classes. Further arguments are the measure's own parameters. A kernel that returns a `Ratio`
    has the intervals of proportions.

    Parameters
    ----------
    title
        Its name in headings.
    formula
        What it computes.
    range
        The least and the greatest value that it can have.
    best
        What every perfect classifier gets, None where that depends on the data.
    better
        "higher" or "lower"; to be said only where ``best`` is not one end of the range.
    undefined_when
        When it has no value.
    aliases
        Its other names.
    within
        A function of n and the parameters, where the range depends on them.
    averaged
        Whether its average over the classes says something.
    probability
        Whether scores must be probabilities.
    loss, row_loss
        The losses of which it is the mean, of two classes and of more.
    row_loss_range
        The range of the latter, where that is another one, which may depend on the number of classes.
    influence
        What a positive and what a negative at each score changes it by, times the number of cases.
    limits, together
        What parameters must be, each for itself and together.
    of_mean
        It is this smooth function of the mean of its losses, the shares of the classes and its parameters.
    rises_with_mean
        That function is one of the mean alone, with which it rises.
    total_of
        The measure that is the mean of which this one is the sum.
    of_auc, of_accuracy
        It is a straight line of the AUC or of the accuracy, with this slope and offset.
    ranks_columns
        It is a measure of whole rows that depends on the order of each class's scores only.
    errors_by
        It depends on how many errors each class has by "truth" or as "predicted", not on where they lie.
    cases_of_each
        It is made of what becomes of the cases of each class, by "truth" or as "predicted", and has an interval only
        where there are so many of each.
    hits_added
        With so many hits more in each class few cases do not make it smaller, and its interval is made there.
    follows_from
        It says in another form, as a complement or a ratio, what these measures say, and is shown on request.
    interval
        Its own interval method, with a function of the table and the parameters that gives what the method needs.
    within_bins
        What tells the least and the greatest value that a table of bins allows, where raising the scores of positives
        and lowering those of negatives might make it worse.
    remark
        What is to be said of some values.
    compared_from
        Chance makes its value worse, by more the fewer the cases: a difference is tested from so many cases on.
    freedom_of_a_count
        It is a ratio whose difference is tested with so many degrees of freedom for each case of the smallest of its
        counts.
    spoken
        What it is called in sentences, where not by the words of its name.
    into
        Another registry to declare it in.

    Returns
    -------
    callable
        A decorator, which gives the `Measure`.

    Examples
    --------
    >>> from howsure import Confusion, measures
    >>> from howsure.registry import Registry
    >>> from howsure.tables import BinaryCounts
    >>> @measures.measure("Hits", formula="tp / n", range=(0, 1), best=None, into=Registry("measure", "own"))
    ... def hits(c: BinaryCounts) -> measures.Ratio:
    ...     return measures.Ratio(c.tp, c.n)
    >>> print(measures.estimate(Confusion([[8, 2], [1, 9]], ["n", "y"]), hits, label="y"))
    hits (y): 0.450, 95 % interval [0.258, 0.658] (wilson), n = 20
    """
    if better is None and best is not None:
        better = "higher" if best == range[1] else "lower"
    target = registry if into is None else into

    def declare(kernel: Kernel) -> Measure:
        known = _describe(kernel)
        declared = Measure(
            kernel.__name__, title, kernel, formula, range, best, better, undefined_when, aliases,
            within=within, averaged=averaged, probability=probability, loss=loss, influence=influence,
            row_loss=row_loss, row_loss_range=row_loss_range, of_mean=of_mean,
            rises_with_mean=rises_with_mean,
            limits=limits or {}, together=together, total_of=total_of, of_auc=of_auc,
            of_accuracy=of_accuracy, ranks_columns=ranks_columns, errors_by=errors_by,
            cases_of_each=cases_of_each, hits_added=hits_added, follows_from=follows_from, interval=interval,
            within_bins=within_bins, remark=remark, compared_from=compared_from,
            freedom_of_a_count=freedom_of_a_count, **known,
        )  # fmt: skip
        target.add(declared.name, declared, aliases)
        if spoken:
            SPOKEN[declared.name] = spoken
        return declared

    return declare


def _describe(kernel: Kernel) -> dict[str, Any]:
    """Read off the kernel what its declaration need not repeat."""
    hints = get_type_hints(kernel)
    (first, _), *rest = inspect.signature(kernel).parameters.items()
    matrices = [name for name, _ in rest if hints[name] == Matrix]
    return {
        "summary": " ".join((inspect.getdoc(kernel) or "").replace("``", "`").split()),
        "scope": SCOPES[hints[first]],
        "is_ratio": hints["return"] is Ratio,
        "parameters": dict(rest),
        "matrix": matrices[0] if matrices else None,
    }


def divide(numerator: Array, denominator: Array) -> Array:
    """Divide, with NaN where the denominator is 0: the one place that says what 0 / 0 is.

    Parameters
    ----------
    numerator, denominator
        Arrays of one shape.

    Returns
    -------
    array
        The quotients.

    Examples
    --------
    >>> import numpy as np
    >>> from howsure.measures import divide
    >>> divide(np.array([1, 0]), np.array([2, 0])).tolist()
    [0.5, nan]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(denominator == 0, np.nan, numerator / denominator))
