"""Registry of measures.

A measure is a function of counts (its kernel) with metadata. The annotations of a kernel determine its scope. A kernel
that takes `BinaryCounts` measures one class against the rest, and has a value for each class as well as averages. A
kernel that takes `LabelCounts` measures all classes at once. A kernel that takes `ScoreCounts` measures the scores of
one class against the rest, and one that takes `ScoreRows` measures the scores of all classes. If a kernel
returns a `Ratio`, intervals for proportions apply. Further arguments are parameters of the measure; measures with
required parameters are shown on request.
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

Matrix = NDArray[np.float64]  # annotation for parameters with a value for each cell (rows: true class)
Scope = Literal["class", "overall", "score", "rows"]
Group = Literal["overall", "class", "ranking", "probabilities", "costs"]  # in display order
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
    """A proportion of cases, to which intervals for proportions apply.

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
Limits = dict[str, tuple[str, Callable[[Any], bool]]]  # the condition for each parameter, in words and as a function


def _holds(test: Callable[[Any], bool], value: Any) -> bool:
    try:
        return bool(test(value))
    except TypeError:
        return False


@dataclass(frozen=True)
class Measure:
    """A declared measure (see `howsure.measures.get`).

    Attributes
    ----------
    name, title, aliases
        The canonical name, the name in headings, and other names.
    kernel
        The function of counts that computes the measure.
    formula, summary
        The definition as a formula and in words.
    range
        The smallest and the largest possible value.
    best
        The value of every perfect classifier, or None if it depends on the data.
    better
        Which values are better: "higher", "lower" or None.
    undefined_when
        The reason why a value is undefined.
    scope
        "class", "overall", "score" or "rows".
    is_ratio
        Whether the measure is a proportion of cases.
    parameters, matrix
        The parameters of the measure, and the name of the one that is a matrix.
    within, averaged, probability, loss, influence, limits, constraint, row_loss, row_loss_range, of_mean
        Arguments of `measure`.
    increases_with_mean, total_of, of_auc, of_accuracy, ranks_columns, error_axis, cases_of_each, pseudo_hits
        Arguments of `measure`.
    follows_from, interval, bin_limits, remark, least_n_to_test, df_per_count
        Arguments of `measure`.

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
    constraint: tuple[str, Callable[..., bool]] | None = field(repr=False)
    row_loss: Callable[[ScoreRows], Array] | None = field(repr=False)
    row_loss_range: Span | Callable[[int], Span] | None = field(repr=False)
    of_mean: Callable[..., Array] | None = field(repr=False)
    increases_with_mean: bool = field(repr=False)
    total_of: Measure | None = field(repr=False)
    of_auc: tuple[float, float] | None = field(repr=False)
    of_accuracy: tuple[float, float] | None = field(repr=False)
    ranks_columns: bool = field(repr=False)
    error_axis: Side | None = field(repr=False)
    cases_of_each: tuple[Side, int] = field(repr=False)
    pseudo_hits: float = field(repr=False)
    follows_from: tuple[Measure, ...] = field(repr=False)
    interval: tuple[str, Callable[..., Any]] | None = field(repr=False)
    bin_limits: Callable[..., Span] | None = field(repr=False)
    remark: Callable[..., str | None] | None = field(repr=False)
    least_n_to_test: float = field(repr=False)
    df_per_count: float = field(repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return get, (self.name,)  # pickled by name, because the kernel's name refers to the measure

    def span(self, n: float, parameters: dict[str, Any]) -> Span:
        """Return the range of the measure.

        Parameters
        ----------
        n
            The number of cases.
        parameters
            The parameters of the measure.
        """
        low, high = self.range if self.within is None else self.within(n, **parameters)
        return float(low), float(high)

    def row_range(self, k: int) -> Span:
        """Return the range of the loss per case for ``k`` classes.

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
        """The range of the loss per case for two classes."""
        return self.range if self.of_mean is None else self.row_range(2)

    @property
    def ranks(self) -> bool:
        """Whether the measure depends only on the order of the scores."""
        return self.ranks_columns or (self.scope == "score" and not self.probability)

    @property
    def group(self) -> Group:
        """The group under which the measure is shown."""
        if "costs" in self.parameters:
            return "costs"
        if self.scope in ("class", "overall"):
            return self.scope
        return "probabilities" if self.probability else "ranking"

    @property
    def default_interval(self) -> str:
        """The default interval method."""
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
        """Whether the measure has a required parameter."""
        return any(parameter.default is parameter.empty for parameter in self.parameters.values())

    def value(self, counts: BinaryCounts | LabelCounts | ScoreCounts | ScoreRows, **parameters: Any) -> Array:
        """Compute the measure on counts of any leading shape; NaN if undefined.

        Parameters
        ----------
        counts
            The counts that the kernel takes.
        **parameters
            The parameters of the measure.
        """
        result = self.kernel(counts, **parameters)
        return divide(result.numerator, result.denominator) if isinstance(result, Ratio) else result

    def check_names(self, parameters: Iterable[str], also: Sequence[str] = ()) -> None:
        """Raise an error for unknown parameters, with a suggestion.

        Parameters
        ----------
        parameters
            Names of parameters.
        also
            Names of other arguments to suggest.

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
        """Raise an error for unknown, missing or invalid parameters.

        Parameters
        ----------
        parameters
            The parameters by name.

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
        if self.constraint is not None and not self.constraint[1](**parameters):
            raise HowsureError(self.constraint[0])


registry: Registry[Measure] = Registry("measure", "`howsure measures` lists them")


def get(name: str) -> Measure:
    """Return a measure by its name or an alias.

    Parameters
    ----------
    name
        The name in any spelling: "f1", "F-measure", "dice".

    Returns
    -------
    Measure
        The kernel and metadata of the measure.

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
    range: Span,  # noqa: A002 - the usual term
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
    constraint: tuple[str, Callable[..., bool]] | None = None,
    row_loss: Callable[[ScoreRows], Array] | None = None,
    row_loss_range: Span | Callable[[int], Span] | None = None,
    of_mean: Callable[..., Array] | None = None,
    increases_with_mean: bool = False,
    total_of: Measure | None = None,
    of_auc: tuple[float, float] | None = None,
    of_accuracy: tuple[float, float] | None = None,
    ranks_columns: bool = False,
    error_axis: Side | None = None,
    cases_of_each: tuple[Side, int] = ("truth", 0),
    pseudo_hits: float = 0.0,
    follows_from: tuple[Measure, ...] = (),
    interval: tuple[str, Callable[..., Any]] | None = None,
    bin_limits: Callable[..., Span] | None = None,
    remark: Callable[..., str | None] | None = None,
    least_n_to_test: float = 0,
    df_per_count: float = 0,
    spoken: str = "",
    into: Registry[Measure] | None = None,
) -> Callable[[Kernel], Measure]:
    """Register a function of counts as a measure.

    The first argument of the function is `howsure.tables.BinaryCounts` if it measures one class against the rest,
    `LabelCounts` if it measures all classes at once, `ScoreCounts` for the scores of one class, or `ScoreRows` for the
    scores of all classes. Further arguments are parameters of the measure. If the function returns a `Ratio`,
    intervals for proportions apply. The docstring of the function is the summary.

    Parameters
    ----------
    title
        The name in headings.
    formula
        The formula.
    range
        The smallest and the largest possible value.
    best
        The value of every perfect classifier, or None if it depends on the data.
    better
        "higher" or "lower"; needed only if ``best`` is not an end of the range.
    undefined_when
        The reason why a value is undefined.
    aliases
        Other names.
    within
        A function of n and the parameters that returns the range, if the range depends on them.
    averaged
        Whether an average over the classes is meaningful.
    probability
        Whether scores must be probabilities.
    loss, row_loss
        The losses per case whose mean is the measure, for two classes and for more.
    row_loss_range
        The range of ``row_loss``, or a function of the number of classes that returns it.
    influence
        A function that returns the influences of a positive and a negative at each score, times the number of cases.
    limits, constraint
        Conditions on single parameters, and on all parameters together, each with a description.
    of_mean
        A smooth function that computes the measure from the mean loss, the class proportions and the parameters.
    increases_with_mean
        Whether ``of_mean`` depends only on the mean loss, and increases with it.
    total_of
        The measure of the mean, if this one is the corresponding sum.
    of_auc, of_accuracy
        Slope and offset, if the measure is a linear function of the AUC or the accuracy.
    ranks_columns
        Whether a measure of whole rows depends only on the order of the scores of each class.
    error_axis
        The axis ("truth" or "predicted") whose sums of errors determine the measure.
    cases_of_each
        The minimum number of cases in each class (by "truth" or as "predicted") for an interval.
    pseudo_hits
        Number of hits to add to each class for the interval, to remove small-sample bias.
    follows_from
        Measures from which this one can be computed; it is shown on request.
    interval
        An interval method for this measure alone, and a function of the table and the parameters that returns the
        evidence for it.
    bin_limits
        A function that returns the lowest and highest values that are consistent with a table of binned scores. By
        default, they are those with the scores of positives and negatives at opposite ends of their bins.
    remark
        A function that returns a note on a value, or None.
    least_n_to_test
        The minimum number of cases for a test of a difference, if chance biases the measure.
    df_per_count
        Degrees of freedom per case of the smallest count, for tests of a ratio.
    spoken
        The name in sentences, if it differs from the words of the canonical name.
    into
        The registry to add the measure to, if not the default one.

    Returns
    -------
    callable
        A decorator that returns the `Measure`.

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
        properties = _describe(kernel)
        declared = Measure(
            kernel.__name__, title, kernel, formula, range, best, better, undefined_when, aliases,
            within=within, averaged=averaged, probability=probability, loss=loss, influence=influence,
            row_loss=row_loss, row_loss_range=row_loss_range, of_mean=of_mean,
            increases_with_mean=increases_with_mean,
            limits=limits or {}, constraint=constraint, total_of=total_of, of_auc=of_auc,
            of_accuracy=of_accuracy, ranks_columns=ranks_columns, error_axis=error_axis,
            cases_of_each=cases_of_each, pseudo_hits=pseudo_hits, follows_from=follows_from, interval=interval,
            bin_limits=bin_limits, remark=remark, least_n_to_test=least_n_to_test,
            df_per_count=df_per_count, **properties,
        )  # fmt: skip
        target.add(declared.name, declared, aliases)
        if spoken:
            SPOKEN[declared.name] = spoken
        return declared

    return declare


def _describe(kernel: Kernel) -> dict[str, Any]:
    """Return the metadata derived from the signature and the docstring."""
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
    """Divide, with NaN where the denominator is 0.

    Parameters
    ----------
    numerator, denominator
        Arrays of the same shape.

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
