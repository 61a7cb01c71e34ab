"""Declare an interval method once: what it needs, and the function that makes the interval of it.

An estimate rests on a `Basis`: its value, the range it can have, and the evidence it offers. A method works for every
basis that offers what it needs, so that a new method serves rates, averages, ranks, folds and differences alike as far
as each offers the evidence; `EVIDENCE` lists the kinds. `Basis.interval` is the one place that checks method,
confidence and side, and refuses what does not apply.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from howsure.arrays import Array, Floats
from howsure.checks import check_replicates, tail
from howsure.docstrings import shared_texts
from howsure.errors import is_one_of, must_be_one_of
from howsure.registry import Registry, canonical
from howsure.results import Interval

Span = tuple[float, float]
TURNED = {"lower": "upper", "upper": "lower"}  # the side, where a large value becomes a small one
REPLICATES = 10_000  # unless a number is asked for, or the basis draws fewer by default
# The kinds of evidence that a basis can offer: what each is, and in which attributes.
EVIDENCE = {
    "ratio": "successes out of a number of cases (`ratio`)",
    "counts": "the value with each count at its bounds, and the number of cases (`moved`, `cases`)",
    "odds": "the four counts of a table of two classes (`evidence`)",
    "baselines": "with each class as the baseline, cases that only one of both gets right (`evidence`)",
    "error": "a standard error (`standard_error`, and `without_spread` for where no error is visible)",
    "smoothed": "value and standard error with a few cases of believed outcome added (`smoothed`)",
    "relative loss": "the losses of both classes and the share of positives (`evidence`)",
    "distance": "the largest distance of two cumulative shares, and both shares there (`evidence`)",
    "crossing": "where two error rates cross, and the cases about it (`evidence`)",
    "top share": "the share of positives among the cases with the highest scores, at any depth (`evidence`)",
    "partial area": "the area under a part of the ROC curve with the variance of each case's part in it (`evidence`)",
    "precision": "an average precision with the variance of each case's influence on it (`evidence`)",
    "gaps": "how far probabilities are off in bins, with their variances (`evidence`)",
    "bins": "the share of positives and the mean probability in bins (`evidence`)",
    "judged": "a measure of human labels and of a judge's, with its standard error (`standard_error`)",
    "misjudged": "what a judge called positive, of all cases and of those whose class is known (`evidence`)",
    "paired error": "a difference of two classifiers and the error that it is tested by (`paired_error`)",
    "placements": "the error of areas under the ROC curve, from each case's placement (`from_placements`)",
    "class intervals": "an average over classes, with each class's weight in it and its estimate (`of_classes`)",
    "areas": "a mean of areas under ROC curves with its error and the sizes of their classes (`areas`)",
    "ranks": "one area under the ROC curve with its error and the sizes of the two classes (`ranks`)",
    "replicates": "the value in redrawn samples (`replicates`)",
    "acceleration": "the same, and how fast the standard error changes with the value (`acceleration`)",
    "strata": "the same, in samples that keep the number of cases of each class (`replicates`)",
    "values": "a value for each split or data set, and test over training cases (`values`, `ratio_of_sizes`)",
    "repeats": "a value for each split of several repeats (`values`, `repeat`)",
    "cv-clt": "the losses of the cases of one cross-validation (`standard_error`)",
    "nested-cv": "a cross-validation within each fold (`standard_error`)",
    "conservative-z": "the same splits in halves of the cases (`standard_error`)",
    "datasets": "independent differences over data sets (`values`)",
    "halves": "differences of five repetitions of two folds (`halves`)",
    "discordant": "cases that one classifier only gets wrong, that the other only does, and all (`discordant`)",
}


def scalar(bound: Any) -> Any:
    """Give one bound as a plain number, several as they are."""
    return float(bound) if np.ndim(bound) == 0 else bound


def of_difference(span: Span) -> Span:
    """Give the range of the difference of two values that have this one."""
    low, high = span
    return (low - high, high - low) if math.isfinite(high - low) else (-math.inf, math.inf)


@dataclass(frozen=True)
class Request:
    """What is asked of an interval; making one checks it."""

    confidence: float = 0.95
    side: str = "two-sided"
    replicates: int = REPLICATES
    seed: int = 0

    def __post_init__(self) -> None:
        tail(self.confidence, self.side)
        object.__setattr__(self, "confidence", float(self.confidence))
        check_replicates(self.replicates, self.seed)

    @property
    def alpha(self) -> float:
        """Probability left out beyond each bound."""
        return tail(self.confidence, self.side)

    def close(
        self, low: float, high: float, method: str, span: Span = (-math.inf, math.inf), notes: tuple[str, ...] = ()
    ) -> Interval:
        """Make the interval of two bounds: the side that is open, and what lies outside, ends at the range."""
        lowest, highest = span
        low = lowest if self.side == "upper" else min(max(float(low), lowest), highest)
        high = highest if self.side == "lower" else max(min(float(high), highest), lowest)
        return Interval(low, high, self.confidence, method, self.side, notes=notes)

    def hold(self, interval: Interval, value: Any) -> Interval:
        """Let an interval of a confidence of one half or more hold the value, as every user expects of it."""
        if self.confidence < 0.5 or np.all((interval.low <= value) & (value <= interval.high)):
            return interval
        # The interval first: where it is NaN there is none, and where the value is, nothing is to be held.
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

    As a default it is called by the name of the method that it ``modifies`` wherever both give the same.
    """
    if needs not in EVIDENCE:
        raise TypeError(f"{name} needs {needs!r}, which no basis offers")

    def declare(make: Callable[[Any, Request], Interval]) -> Callable[[Any, Request], Interval]:
        summary = (make.__doc__ or "").strip()
        registry.add(name, Method(name, title, needs, source, summary, make, modifies), aliases)
        return make

    return declare


def methods() -> list[str]:
    """List the names of all interval methods.

    Returns
    -------
    list of str
        As ``method`` of `Estimate.interval` takes them.

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
    """What an estimate rests on. Subclasses say what they offer and which method suits them best.

    A subclass has ``value``, ``default``, the name of a method, and ``offers``, the kinds of evidence that it has in
    attributes (``EVIDENCE`` in `howsure.intervals.declare` lists them); it may have ``span``, the range of the
    value. The methods that raise `NotImplementedError` here are evidence too.

    Attributes
    ----------
    standard_error
        The standard error, NaN where there is none.

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

    suffix: ClassVar[str] = ""  # of the names of methods, where they are carried over to evidence of another kind

    if TYPE_CHECKING:  # a basis may have these as fields or as properties

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
            """Why there is no value."""

        @property
        def default_replicates(self) -> int | None:
            """How many replicates the default draws, where it draws any."""

        @property
        def replicate_notes(self) -> tuple[str, ...]: ...

        # The evidence, by kind; each is there where `offers` names it.
        @property
        def ratio(self) -> tuple[float, float]: ...
        @property
        def cases(self) -> float: ...
        @property
        def lacking(self) -> str:
            """Why the evidence does not suffice for an interval of a value that there is; nothing where it does."""

        @property
        def has_bounds(self) -> bool:
            """There is an interval even where there is no value, as of a ratio to nothing."""

        @property
        def clusters(self) -> int | None:
            """How many clusters the cases come in, where they are not independent."""

        @property
        def design_effect(self) -> float | None: ...

        @property
        def effect_of_width(self) -> float:
            """How many times fewer independent cases have an interval as wide."""

        @property
        def bound(self) -> float:
            """How far the value may be from that of the scores themselves, where they were counted in bins."""

        @property
        def ranks(self) -> Ranks: ...
        @property
        def areas(self) -> Any: ...
        @property
        def of_classes(self) -> Any: ...
        @property
        def is_made_by_chance(self) -> bool:
            """Chance alone keeps the value of every class away from the end of its range, as of distances."""

        @property
        def smoothed(self) -> Smoothed: ...
        @property
        def evidence(self) -> Any:
            """What the measure's own method needs, as the measure declares it."""

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
        """Give the value with each count at its bounds.

        Parameters
        ----------
        reach
            How far counts are from their bounds.
        """
        raise NotImplementedError

    @shared_texts
    def without_spread(self, request: Request) -> Interval:
        """Give the interval where the evidence shows no sampling error at all.

        Parameters
        ----------
        {request}
        """
        raise NotImplementedError

    @shared_texts
    def from_placements(self, request: Request) -> Interval:
        """Give the interval of an area, an average or a difference of areas, by DeLong's standard error.

        Parameters
        ----------
        {request}
        """
        raise NotImplementedError

    def replicates(self, size: int, seed: int, *, stratified: bool = False) -> Array:
        """Give the value in ``size`` redrawn samples.

        Parameters
        ----------
        size
            How many samples.
        seed
            The same seed gives the same samples.
        stratified
            Whether to keep the number of cases of each class.
        """
        raise NotImplementedError

    def acceleration(self) -> float:
        """How fast the standard error changes with the value (Efron 1987)."""
        raise NotImplementedError

    @shared_texts
    def equal_replicates(self, request: Request, method: str) -> Interval:
        """Give the interval where every replicate has the same value.

        Parameters
        ----------
        {request}
        method
            The name of the method that drew them.

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
        """Say whether a declared method applies.

        Parameters
        ----------
        declared
            A method out of the registry.

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
        """What the lab has to know to say how often such intervals hold the truth; nothing where it measured none."""
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
        """Give the interval by a named method; "auto" is the default one.

        Parameters
        ----------
        {confidence}
        method
            One of ``methods``; "auto" is the first of them.
        {side}
        replicates, seed
            Of the bootstrap methods.
        """
        usual = self.default_replicates if is_one_of(method, ("auto",)) and self.default_replicates else REPLICATES
        request = Request(confidence, side, usual if replicates is None else replicates, seed)
        name = canonical(method).replace("_", "-").removesuffix(self.suffix) if isinstance(method, str) else method
        if not is_one_of(name, ("auto",)) and (name not in registry or not self.suits(registry[name])):
            must_be_one_of("method", ("auto", *(self.methods or registry)), given=method)
        if not self.has_bounds and (self.reason is not None or math.isnan(self.value)):
            return request.undefined(self.reason or "the estimate has no value")
        interval = self.make_default(request) if name == "auto" else self.make(registry[name], request)
        return self.holding(interval, request)

    @shared_texts
    def make(self, declared: Method, request: Request) -> Interval:
        """Give the interval by a declared method.

        Parameters
        ----------
        declared
            A method out of the registry.
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
        """Give the interval by the default method.

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
    def holding(self, interval: Interval, request: Request) -> Interval:
        """Let the interval hold the value, from a confidence of one half up.

        Parameters
        ----------
        interval
            As the method gave it.
        {request}

        Examples
        --------
        >>> from howsure import Interval
        >>> from howsure.intervals import Basis
        >>> from howsure.intervals.declare import Request
        >>> class Share(Basis):
        ...     value = 0.75
        >>> print(Share().holding(Interval(0.8, 0.9, 0.95, "own"), Request(0.95)))
        [0.750, 0.900]
        """
        return request.hold(interval, self.value)


@dataclass(frozen=True)
class Ranks:
    """An area under the ROC curve; the estimate is ``slope`` times it, plus ``offset``."""

    area: float
    error: float
    n_positive: float
    n_negative: float
    freedom: float = math.inf  # degrees of freedom of the error
    slope: float = 1.0
    offset: float = 0.0
    least: float | None = None  # cases of the rarer class, where they are worth fewer


@dataclass(frozen=True)
class Smoothed:
    """A mean and its standard error in a sample to which a few cases were added, and the error's freedom.

    ``turn`` makes the estimate of the mean, whose range is ``span``, where they are not the same.
    """

    value: float
    error: float
    freedom: float
    span: Span | None = None
    turn: Callable[[float], float] | None = None


@dataclass(frozen=True)
class Scaled(Basis):
    """A multiple of another estimate, such as the sum of what that one is the mean of."""

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
        """Multiply both ends; a negative factor lets ends and sides change places."""
        turned = self.factor < 0
        interval = self.basis.interval(confidence, method, TURNED.get(side, side) if turned else side, **options)
        low, high = (self.factor * end for end in (reversed(tuple(interval)) if turned else interval))
        return replace(interval, low=low, high=high, side=side)


@dataclass(frozen=True)
class NoBasis(Basis):
    """The basis of an estimate that has no value, for the reason given."""

    reason: str
    value: float = math.nan
    default: str = "none"

    @property
    def methods(self) -> tuple[str, ...]:
        """No method applies, but each that exists may be asked for."""
        return ()

    def suits(self, declared: Method) -> bool:
        return True
