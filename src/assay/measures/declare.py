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

from assay.arrays import Array
from assay.errors import AssayError, must, must_be_share, suggestion
from assay.present.value_text import SPOKEN
from assay.registry import Registry
from assay.tables import BinaryCounts, LabelCounts, ScoreCounts, ScoreRows

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
    """Some cases out of others, each counted once: what has the intervals of a proportion."""

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
    """A declared measure; ``best`` is what every perfect classifier gets, None where that depends on the data."""

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
        """Give the range of values that these parameters allow."""
        low, high = self.range if self.within is None else self.within(n, **parameters)
        return float(low), float(high)

    def row_range(self, k: int) -> Span:
        """Give the range of the loss of a row of scores of ``k`` classes."""
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
        """Compute values on counts of any leading shape; NaN where undefined."""
        result = self.kernel(counts, **parameters)
        return divide(result.numerator, result.denominator) if isinstance(result, Ratio) else result

    def check_names(self, parameters: Iterable[str], also: Sequence[str] = ()) -> None:
        """Refuse parameters that the measure does not have; ``also`` are arguments that may have been meant."""
        for name in parameters:
            if name not in self.parameters:
                raise AssayError(
                    f"`{self.name}` has no parameter {name!r}"
                    + suggestion(name, [*self.parameters, *also], otherwise="" if self.parameters else "it takes none")
                )

    def check(self, parameters: dict[str, Any]) -> None:
        """Refuse parameters that are unknown, missing, or not what they must be."""
        self.check_names(parameters)
        for name, parameter in self.parameters.items():
            if parameter.default is parameter.empty and name not in parameters:
                raise AssayError(f"`{self.name}` needs `{name}`; give it as `{name}=...`.")
        for name, (expected, holds) in self.limits.items():
            if name in parameters and not _holds(holds, parameters[name]):
                is_share = isinstance(parameters[name], Real) and _holds(holds, parameters[name] / 100)
                (must_be_share if is_share else must)(name, expected, given=parameters[name])
        if self.together is not None and not self.together[1](**parameters):
            raise AssayError(self.together[0])


registry: Registry[Measure] = Registry("measure", "`assay measures` lists them")


def get(name: str) -> Measure:
    """Find a measure by its name or any of its aliases."""
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
    """Register a kernel as a measure.

    ``better`` need only be said where ``best`` is not one end of the range, and ``within`` (a function of n and the
    parameters) where the range depends on them. ``limits`` and ``together`` say what parameters must be. Further facts
    of some measures: ``averaged=False``, its average over the classes would say nothing; ``probability=True``, scores
    must be probabilities; ``loss`` and ``row_loss``, it is the mean of these losses, of two classes and of more (within
    ``row_loss_range``, where that is another range, which may depend on the number of classes); ``of_mean``, it is this
    smooth function of the mean of its losses, the shares of the classes and its parameters, or, with
    ``rises_with_mean``, of the mean alone, with which it rises; ``total_of``, it is the sum of which that is the mean;
    ``of_auc`` and ``of_accuracy``, it is a straight line of the AUC or of the accuracy, with this slope and offset;
    ``influence``, what a positive and what a negative at each score changes it by, times the number of cases;
    ``ranks_columns``, it is a measure of whole rows that depends on the order of each class's scores only;
    ``errors_by``, it depends on how many errors each true or each predicted class has, not on where they lie;
    ``cases_of_each``, it is made of what becomes of the cases of each true class, or of those predicted as each, and
    has an interval only where there are so many of each; ``hits_added``, with so many hits more in each class few cases
    do not make it smaller, and its interval is made there; ``follows_from``, it says in another form, as a complement
    or a ratio, what these measures say, and is shown on request; ``interval``, it has an interval method of its own,
    which needs what this function of the table and the parameters gives; ``within_bins``, this tells the least and the
    greatest value that a table of bins allows, where raising the scores of positives and lowering those of negatives
    might make it worse; ``remark``, this is to be said of some values; ``compared_from``, chance makes its value worse,
    by more the fewer the cases, so that a difference is tested from so many cases on; ``freedom_of_a_count``, it is a
    ratio whose difference is tested with so many degrees of freedom for each case of the smallest of its counts;
    ``spoken``, it is called so in sentences and headings, and not by the words of its name.
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
    """Divide, with NaN where the denominator is 0: the one place that says what 0 / 0 is."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(denominator == 0, np.nan, numerator / denominator))
