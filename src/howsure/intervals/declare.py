"""Registry of interval methods, and the `Basis` they are applied to.

A `Basis` has the value of an estimate, its range, and one or more kinds of evidence (`EVIDENCE` lists them). A method
applies to every basis that offers the kind of evidence it needs: rates, averages, ranks, folds and differences alike.
`Basis.interval` checks the method, the confidence and the side, and rejects methods that do not apply.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from howsure.arrays import Array, Floats
from howsure.checks import check_replicates, tail_probability
from howsure.docstrings import shared_texts
from howsure.errors import is_one_of, must_be_one_of
from howsure.registry import Registry, canonical
from howsure.results import Interval

Span = tuple[float, float]
OPPOSITE_SIDE = {"lower": "upper", "upper": "lower"}  # the opposite side, for decreasing functions of the estimate
REPLICATES = 10_000  # number of bootstrap replicates, unless the basis has a smaller default
# The kinds of evidence, and the attributes of the basis that hold them.
EVIDENCE = {
    "ratio": "successes out of a number of cases (`ratio`)",
    "counts": "the value with each count at its confidence bounds, and the number of cases (`moved`, `cases`)",
    "odds": "the four counts of a table of two classes (`evidence`)",
    "baselines": "with each class as the baseline, the cases that only it or only the classifier gets right "
    "(`evidence`)",
    "error": "a standard error (`standard_error`, and `without_spread` for when it is 0)",
    "smoothed": "value and standard error with a few pseudo-cases added (`smoothed`)",
    "relative loss": "the losses of both classes and the share of positives (`evidence`)",
    "distance": "the largest distance between two cumulative distributions, and their values there (`evidence`)",
    "crossing": "where two error rates cross, and the number of cases near the crossing (`evidence`)",
    "top share": "the share of positives among the cases with the highest scores, at any depth (`evidence`)",
    "partial area": "a partial area under the ROC curve and the variance of each case's contribution (`evidence`)",
    "precision": "an average precision and the variance of each case's influence on it (`evidence`)",
    "gaps": "the calibration gaps of bins of probabilities, with their variances (`evidence`)",
    "bins": "the share of positives and the mean probability in bins (`evidence`)",
    "judged": "a measure of human labels and of a judge's labels, with its standard error (`standard_error`)",
    "misjudged": "how often a judge called cases positive, among all cases and among cases of known class (`evidence`)",
    "paired error": "the difference between two classifiers and the standard error for its test (`paired_error`)",
    "placements": "the standard error of areas under the ROC curve, from the placements of the cases "
    "(`from_placements`)",
    "class intervals": "an average over classes, with the weight and the estimate of each class (`of_classes`)",
    "areas": "a mean of areas under ROC curves with its standard error and the class sizes (`areas`)",
    "ranks": "an area under the ROC curve with its standard error and the class sizes (`ranks`)",
    "replicates": "the value in bootstrap samples (`replicates`)",
    "acceleration": "the value in bootstrap samples, and the acceleration constant of BCa (`acceleration`)",
    "strata": "the value in bootstrap samples that keep the size of each class (`replicates`)",
    "values": "a value for each split or data set, and the ratio of test to training cases (`values`, "
    "`ratio_of_sizes`)",
    "repeats": "a value for each split of repeated cross-validation (`values`, `repeat`)",
    "cv-clt": "the losses of the cases of one cross-validation (`standard_error`)",
    "nested-cv": "nested cross-validation within each fold (`standard_error`)",
    "conservative-z": "the same splits within two halves of the cases (`standard_error`)",
    "datasets": "independent differences over data sets (`values`)",
    "halves": "differences in five repetitions of two-fold cross-validation (`halves`)",
    "discordant": "the numbers of cases that only the first and only the second classifier misclassifies, and of all "
    "(`discordant`)",
}


def scalar(bound: Any) -> Any:
    """Convert a 0-d bound to a float; return other arrays unchanged."""
    return float(bound) if np.ndim(bound) == 0 else bound


def difference_span(span: Span) -> Span:
    """Return the range of the difference between two values with the same range."""
    low, high = span
    return (low - high, high - low) if math.isfinite(high - low) else (-math.inf, math.inf)


@dataclass(frozen=True)
class Request:
    """The options of an interval, checked on creation."""

    confidence: float = 0.95
    side: str = "two-sided"
    replicates: int = REPLICATES
    seed: int = 0

    def __post_init__(self) -> None:
        tail_probability(self.confidence, self.side)
        object.__setattr__(self, "confidence", float(self.confidence))
        check_replicates(self.replicates, self.seed)

    @property
    def alpha(self) -> float:
        """The error probability of each bound: (1 - confidence) / 2 if two-sided."""
        return tail_probability(self.confidence, self.side)

    def close(
        self, low: float, high: float, method: str, span: Span = (-math.inf, math.inf), notes: tuple[str, ...] = ()
    ) -> Interval:
        """Return the interval clipped to the range; an open side ends there."""
        lowest, highest = span
        low = lowest if self.side == "upper" else min(max(float(low), lowest), highest)
        high = highest if self.side == "lower" else max(min(float(high), highest), lowest)
        return Interval(low, high, self.confidence, method, self.side, notes=notes)

    def include(self, interval: Interval, value: Any) -> Interval:
        """Extend the interval to include the point estimate (confidence >= 0.5)."""
        if self.confidence < 0.5 or np.all((interval.low <= value) & (value <= interval.high)):
            return interval
        # Keep NaN bounds (no interval), and ignore NaN values.
        low, high = np.fmin(interval.low, value), np.fmax(interval.high, value)
        missing = np.isnan(interval.low) | np.isnan(interval.high)
        low, high = np.where(missing, interval.low, low), np.where(missing, interval.high, high)
        return replace(interval, low=scalar(low), high=scalar(high))

    def undefined(self, reason: str, method: str = "none") -> Interval:
        return Interval(math.nan, math.nan, self.confidence, method, self.side, notes=(reason,))


@dataclass(frozen=True)
class Method:
    """A declared interval method."""

    name: str
    title: str
    needs: str
    source: str
    summary: str
    make: Callable[[Any, Request], Interval]
    modifies: str = ""


registry: Registry[Method] = Registry("method", "`howsure.intervals.methods()` lists them")


def method(
    name: str, *, title: str, needs: str, source: str = "", aliases: tuple[str, ...] = (), modifies: str = ""
) -> Callable[[Callable[[Any, Request], Interval]], Callable[[Any, Request], Interval]]:
    """Register a function of a basis and a request as an interval method.

    If a default method ``modifies`` another one and gives the same interval, the interval has the name of the other.
    """
    if needs not in EVIDENCE:
        raise TypeError(f"{name} needs {needs!r}, which no basis offers")

    def declare(make: Callable[[Any, Request], Interval]) -> Callable[[Any, Request], Interval]:
        summary = (make.__doc__ or "").strip()
        registry.add(name, Method(name, title, needs, source, summary, make, modifies), aliases)
        return make

    return declare


def methods() -> list[str]:
    """Return the names of all interval methods.

    Returns
    -------
    list of str
        Values for the argument ``method`` of `Estimate.interval`.

    Examples
    --------
    >>> from howsure.intervals import methods
    >>> methods()[:4]
    ['wilson', 'modified-wilson', 'wald', 'wald-n-1']
    >>> "clopper-pearson" in methods()
    True
    """
    return list(registry)


class Basis:
    """Base class of the evidence behind an estimate.

    A subclass defines ``value``, ``default`` (the name of its default method), and ``offers`` (the kinds of evidence
    it has in attributes; ``EVIDENCE`` in `howsure.intervals.declare` lists them). It may define ``span``, the range of
    the value. The methods that raise `NotImplementedError` here also provide evidence.

    Attributes
    ----------
    standard_error
        The standard error, or NaN.

    Examples
    --------
    >>> from howsure.intervals import Basis
    >>> class Share(Basis):
    ...     value, span, ratio, default, offers = 0.75, (0, 1), (75, 100), "wilson", {"ratio"}
    >>> print(Share().interval(0.9), Share().interval(0.9, "clopper-pearson"))
    [0.673, 0.814] [0.669, 0.820]
    >>> Share().methods[:3]
    ('wilson', 'modified-wilson', 'wald')
    """

    suffix: ClassVar[str] = ""  # appended to method names, for example "-clustered"

    if TYPE_CHECKING:  # subclasses define these as fields or as properties

        @property
        def value(self) -> float: ...
        @property
        def span(self) -> Span: ...
        @property
        def default(self) -> str: ...
        @property
        def offers(self) -> frozenset[str]: ...
        @property
        def reason(self) -> str | None:
            """The reason why there is no value."""

        @property
        def default_replicates(self) -> int | None:
            """The number of bootstrap replicates of the default method."""

        @property
        def replicate_notes(self) -> tuple[str, ...]: ...

        # The evidence; `offers` tells which kinds exist.
        @property
        def ratio(self) -> tuple[float, float]: ...
        @property
        def cases(self) -> float: ...
        @property
        def lacking(self) -> str:
            """The reason why the data do not suffice for a default interval, or ""."""

        @property
        def has_bounds(self) -> bool:
            """Whether there is an interval although there is no value."""

        @property
        def clusters(self) -> int | None:
            """The number of clusters, or None for independent cases."""

        @property
        def design_effect(self) -> float | None: ...

        @property
        def effect_of_width(self) -> float:
            """The design effect implied by the width of the interval."""

        @property
        def bound(self) -> float:
            """The largest error of the value due to binning of scores."""

        @property
        def ranks(self) -> Ranks: ...
        @property
        def areas(self) -> Any: ...
        @property
        def of_classes(self) -> Any: ...
        @property
        def is_made_by_chance(self) -> bool:
            """Whether the value of each class is biased upwards, like distances."""

        @property
        def smoothed(self) -> Smoothed: ...
        @property
        def evidence(self) -> Any:
            """Evidence for the measure's own method."""

        @property
        def values(self) -> Floats: ...
        @property
        def ratio_of_sizes(self) -> float: ...
        @property
        def repeat(self) -> Any: ...
        @property
        def halves(self) -> Floats: ...
        @property
        def discordant(self) -> tuple[float, float, float]: ...
        @property
        def paired_error(self) -> Any: ...
    else:
        span = (-math.inf, math.inf)
        offers = frozenset()
        reason = None
        default_replicates = None
        replicate_notes = ()
        has_bounds = False
        lacking = ""
        clusters = None
        design_effect = None
        effect_of_width = 1.0
        bound = 0.0

    @property
    def standard_error(self) -> float:
        return math.nan

    def moved(self, reach: Any) -> Any:
        """Return the value with each count at its confidence bounds.

        Parameters
        ----------
        reach
            The `Reach` that gives the bounds of a count.
        """
        raise NotImplementedError

    @shared_texts
    def without_spread(self, request: Request) -> Interval:
        """Return the interval to use if the standard error is 0.

        Parameters
        ----------
        {request}
        """
        raise NotImplementedError

    @shared_texts
    def from_placements(self, request: Request) -> Interval:
        """Return the interval based on DeLong's standard error.

        Parameters
        ----------
        {request}
        """
        raise NotImplementedError

    def replicates(self, size: int, seed: int, *, stratified: bool = False) -> Array:
        """Return the value in ``size`` bootstrap samples.

        Parameters
        ----------
        size
            The number of samples.
        seed
            The same seed gives the same samples.
        stratified
            Whether to keep the size of each class.
        """
        raise NotImplementedError

    def acceleration(self) -> float:
        """Return the acceleration constant of BCa (Efron 1987)."""
        raise NotImplementedError

    @shared_texts
    def equal_replicates(self, request: Request, method: str) -> Interval:
        """Return the interval to use if all bootstrap replicates are equal.

        Parameters
        ----------
        {request}
        method
            The name of the bootstrap method.

        Examples
        --------
        >>> from howsure.intervals import Basis
        >>> class Certain(Basis):
        ...     def without_spread(self, request):
        ...         return "the interval without spread"
        >>> Certain().equal_replicates(None, "bootstrap")
        'the interval without spread'
        """
        return self.without_spread(request)

    def suits(self, declared: Method) -> bool:
        """Return whether a method applies.

        Parameters
        ----------
        declared
            A method of the registry.

        Examples
        --------
        >>> from howsure.intervals import Basis, registry
        >>> class Share(Basis):
        ...     offers = {"ratio"}
        >>> Share().suits(registry["wilson"]), Share().suits(registry["delong"])
        (True, False)
        """
        return declared.needs in self.offers

    @property
    def setting(self) -> Mapping[str, Any]:
        """Properties of the data, for looking up the simulated coverage."""
        return {}

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that apply, the default first."""
        every = [declared.name for declared in registry.values() if self.suits(declared)]
        return (self.default, *(name for name in every if name != self.default))

    @shared_texts
    def interval(
        self,
        confidence: float = 0.95,
        method: str = "auto",
        side: str = "two-sided",
        *,
        replicates: int | None = None,
        seed: int = 0,
    ) -> Interval:
        """Return a confidence interval.

        Parameters
        ----------
        {confidence}
        method
            One of ``methods``; "auto" is the first one.
        {side}
        replicates, seed
            The number of replicates and the seed of bootstrap methods.
        """
        usual = self.default_replicates if is_one_of(method, ("auto",)) and self.default_replicates else REPLICATES
        request = Request(confidence, side, usual if replicates is None else replicates, seed)
        name = canonical(method).replace("_", "-").removesuffix(self.suffix) if isinstance(method, str) else method
        if not is_one_of(name, ("auto",)) and (name not in registry or not self.suits(registry[name])):
            must_be_one_of("method", ("auto", *(self.methods or registry)), given=method)
        if not self.has_bounds and (self.reason is not None or math.isnan(self.value)):
            return request.undefined(self.reason or "the estimate has no value")
        interval = self.make_default(request) if name == "auto" else self.make(registry[name], request)
        return self.include_value(interval, request)

    @shared_texts
    def make(self, declared: Method, request: Request) -> Interval:
        """Return the interval computed with a method of the registry.

        Parameters
        ----------
        declared
            A method of the registry.
        {request}

        Examples
        --------
        >>> from howsure.intervals import Basis, registry
        >>> from howsure.intervals.declare import Request
        >>> class Share(Basis):
        ...     value, ratio = 0.75, (75, 100)
        >>> print(Share().make(registry["wilson"], Request(0.8)))
        [0.691, 0.801]
        """
        return declared.make(self, request)

    @shared_texts
    def make_default(self, request: Request) -> Interval:
        """Return the interval computed with the default method.

        Parameters
        ----------
        {request}

        Examples
        --------
        >>> from howsure.intervals import Basis
        >>> from howsure.intervals.declare import Request
        >>> class Share(Basis):
        ...     value, ratio, default = 0.75, (75, 100), "wald"
        >>> print(Share().make_default(Request(0.8)))
        [0.695, 0.805]
        """
        if self.lacking:
            return request.undefined(self.lacking, self.default)
        declared = registry[self.default]
        interval = declared.make(self, request)
        if not declared.modifies:
            return interval
        plain = registry[declared.modifies].make(self, request)
        return plain if (plain.low, plain.high) == (interval.low, interval.high) else interval

    @shared_texts
    def include_value(self, interval: Interval, request: Request) -> Interval:
        """Extend the interval to include the point estimate (confidence >= 0.5).

        Parameters
        ----------
        interval
            An interval computed with any method.
        {request}

        Examples
        --------
        >>> from howsure import Interval
        >>> from howsure.intervals import Basis
        >>> from howsure.intervals.declare import Request
        >>> class Share(Basis):
        ...     value = 0.75
        >>> print(Share().include_value(Interval(0.8, 0.9, 0.95, "own"), Request(0.95)))
        [0.750, 0.900]
        """
        return request.include(interval, self.value)


@dataclass(frozen=True)
class Ranks:
    """An area under the ROC curve with DeLong's standard error.

    The estimate is ``slope * area + offset``.
    """

    area: float
    error: float
    n_positive: float
    n_negative: float
    freedom: float = math.inf  # degrees of freedom of the standard error
    slope: float = 1.0
    offset: float = 0.0
    least: float | None = None  # number of cases of the rarer class, if the class sizes are effective numbers


@dataclass(frozen=True)
class Smoothed:
    """A mean loss after adding a few pseudo-cases, with its standard error.

    If the estimate is a function of the mean, ``turn`` is that function and ``span`` the range of the mean.
    """

    value: float
    error: float
    freedom: float
    span: Span | None = None
    turn: Callable[[float], float] | None = None


@dataclass(frozen=True)
class Scaled(Basis):
    """A multiple of another estimate, such as a sum, which is n times a mean."""

    basis: Basis
    factor: float

    @property
    def value(self) -> float:
        return self.factor * self.basis.value

    @property
    def standard_error(self) -> float:
        return abs(self.factor) * self.basis.standard_error

    @property
    def methods(self) -> tuple[str, ...]:
        return self.basis.methods

    @property
    def clusters(self) -> int | None:
        return self.basis.clusters

    @property
    def design_effect(self) -> float | None:
        return self.basis.design_effect

    @property
    def effect_of_width(self) -> float:
        return self.basis.effect_of_width

    @property
    def bound(self) -> float:
        return abs(self.factor) * self.basis.bound

    def interval(
        self, confidence: float = 0.95, method: str = "auto", side: str = "two-sided", **options: Any
    ) -> Interval:
        """Multiply both ends; a negative factor swaps ends and sides."""
        turned = self.factor < 0
        interval = self.basis.interval(confidence, method, OPPOSITE_SIDE.get(side, side) if turned else side, **options)
        low, high = (self.factor * end for end in (reversed(tuple(interval)) if turned else interval))
        return replace(interval, low=low, high=high, side=side)


@dataclass(frozen=True)
class NoBasis(Basis):
    """The basis of an undefined estimate, with the reason."""

    reason: str
    value: float = math.nan
    default: str = "none"

    @property
    def methods(self) -> tuple[str, ...]:
        """Empty: no method applies, although every name is accepted."""
        return ()

    def suits(self, declared: Method) -> bool:
        return True
