"""Results of computations: `Interval`, `TestResult` and `Estimate`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from howsure.checks import known_arguments, one_of
from howsure.docstrings import shared_texts
from howsure.errors import is_one_of, one_line
from howsure.measured.intervals import MeasuredCoverage
from howsure.measured.intervals import measured as measured_coverage
from howsure.measured.tests import NOT_TWO_SIDED, MeasuredRate, measured
from howsure.present.result import Result
from howsure.present.value_text import Spelled, interval_text, jsonable, number, plain_count, spelling

if TYPE_CHECKING:
    from howsure.present.sheet import Record, Sheet


INTERVAL = ("low", "high")  # data frame columns for the limits
INVERTED = "this method gives no interval here: its lower bound is above its upper bound"


@dataclass(frozen=True, repr=False)
class Interval(Result):
    """A confidence interval; ``low, high = interval`` unpacks it.

    The open side of a one-sided interval extends to the end of the quantity's range. If there is no interval, both
    limits are NaN.

    Attributes
    ----------
    low, high
        The confidence limits.
    confidence
        The nominal coverage.
    method
        The method that was used. It differs from the requested method only if that one is not applicable; ``notes``
        then gives the reason.
    side
        "two-sided", or the side that is bounded: "lower" or "upper".
    replicates, seed
        The number of bootstrap replicates and the random seed, for bootstrap methods.
    notes
        Warnings, and reasons why there is no interval or another method was used.
    width
        ``high - low``.

    Examples
    --------
    >>> import howsure
    >>> interval = howsure.intervals.wilson(75, 100, confidence=0.8)
    >>> interval
    Interval(0.691, 0.801, 80 %, wilson)
    >>> low, high = interval
    >>> 0.75 in interval, round(interval.width, 4)
    (True, 0.1104)
    """

    low: float
    high: float
    confidence: float
    method: str
    side: str = "two-sided"
    replicates: int | None = None
    seed: int | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Set both limits to NaN if the lower exceeds the upper limit."""
        inverted = self.low > self.high
        if inverted is False or not np.any(inverted):
            return
        for end in ("low", "high"):  # the limits are numbers or arrays
            object.__setattr__(self, end, np.where(inverted, math.nan, getattr(self, end))[()])
        object.__setattr__(self, "notes", (*self.notes, INVERTED))

    @property
    def width(self) -> float:
        return self.high - self.low

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __repr__(self) -> str:
        side = "" if self.side == "two-sided" else f", {self.side}"
        return f"Interval({number(self.low)}, {number(self.high)}, {100 * self.confidence:g} %{side}, {self.method})"

    def text(self) -> str:
        if np.ndim(self.low):
            return f"[{number(self.low)}, {number(self.high)}]"
        return interval_text(self.low, self.high) or "[n/a, n/a]"

    def records(self) -> list[Record]:
        record: Record = {"low": self.low, "high": self.high, "confidence": self.confidence, "method": self.method}
        if self.side != "two-sided":
            record["side"] = self.side
        if self.replicates is not None:
            record |= {"replicates": self.replicates, "seed": self.seed}
        return [record]

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable({**self.records()[0], **({"notes": self.notes} if self.notes else {})}))


class DeclaredTest(Protocol):
    """The declared test that a result comes from."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...


@dataclass(frozen=True)
class TestResult(Result):
    """The result of a significance test.

    Attributes
    ----------
    statistic
        The test statistic, such as z, t or chi-square.
    pvalue
        The p-value; NaN if the test is not applicable.
    difference
        The estimated difference, in the units of the values compared.
    method
        The title of the test and its variant.
    df
        Degrees of freedom, or None.
    alternative
        "two-sided", "less" or "greater"; empty if the test has no sides.
    notes
        Warnings about ties or ignored values, or the reason why there is no p-value.
    error
        The standard error of the difference, or NaN.
    test
        The declared test, with its name, title and assumptions.
    variant
        The variant of the test, if there are several.
    setting
        Properties of the data, such as the number of cases and the prevalence.

    Examples
    --------
    >>> import howsure
    >>> test = howsure.significance.mcnemar(25, 15)
    >>> round(test.pvalue, 4), test.test.name, test.variant
    (0.1138, 'mcnemar', 'chi2')
    >>> print(test.measured())
    not simulated: the test received only numbers, without information on the data
    """

    __test__ = False  # pytest must not collect it

    statistic: float
    pvalue: float
    difference: float
    method: str
    df: float | tuple[float, ...] | None = None
    alternative: str = "two-sided"
    notes: tuple[str, ...] = ()
    error: float = float("nan")
    test: DeclaredTest | None = field(default=None, repr=False)
    variant: str = ""
    setting: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def measured(self) -> MeasuredRate:
        """Return the simulated type I error rate of this test for similar data.

        It is the error rate at the 5 % level in the nearest simulated settings.

        Returns
        -------
        MeasuredRate
            The rate with its standard error, or the reason why similar data were not simulated.
        """
        if self.alternative not in ("two-sided", ""):
            return MeasuredRate(reason=NOT_TWO_SIDED)
        return measured("" if self.test is None else self.test.name, self.setting)

    def text(self) -> str:
        degrees = "" if self.df is None else f", df {self._degrees}"
        values = f"{self.method}: difference {number(self.difference)}, statistic {number(self.statistic)}{degrees}"
        line = f"{values}, p = {self.pvalue:.3g}" + (f" ({self.alternative})" if self.alternative else "")
        return "\n".join([line, *(f"  note: {note}" for note in self.notes)])

    @property
    def _degrees(self) -> str:
        """The degrees of freedom as text, with four significant digits."""
        if isinstance(self.df, tuple):
            return f"({', '.join(map(_degrees_text, self.df))})"
        return "" if self.df is None else _degrees_text(self.df)

    def sheet(self) -> Sheet:
        """Return the table to display."""
        from howsure.present.sheet import Sheet

        df = self._degrees if self.df is None or isinstance(self.df, tuple) else Spelled(self.df, self._degrees)
        return Sheet.of([{**self.records()[0], "df": df}], self.title, self.notes)

    def records(self) -> list[Record]:
        df: Any = self.df
        if df is not None:
            df = f"({', '.join(str(plain_count(value)) for value in df)})" if isinstance(df, tuple) else plain_count(df)
        return [
            {
                "test": "" if self.test is None else self.test.name,
                "variant": self.variant,
                "method": self.method,
                "difference": self.difference,
                "statistic": self.statistic,
                "df": df,
                "pvalue": self.pvalue,
                "alternative": self.alternative,
            }
        ]

    def to_dict(self) -> dict[str, Any]:
        values = {field_.name: getattr(self, field_.name) for field_ in fields(self) if field_.name != "setting"}
        return dict(jsonable({**values, "test": None if self.test is None else self.test.name}))


def _degrees_text(df: float) -> str:
    return f"{df:.0f}" if float(df).is_integer() else f"{df:.4g}"


class Basis(Protocol):
    """The evidence behind an estimate (see `howsure.intervals.Basis`)."""

    @property
    def standard_error(self) -> float: ...

    @property
    def span(self) -> tuple[float, float]: ...

    @property
    def methods(self) -> tuple[str, ...]: ...

    @property
    def setting(self) -> Mapping[str, Any]: ...

    @property
    def clusters(self) -> int | None: ...

    @property
    def design_effect(self) -> float | None: ...

    @property
    def effect_of_width(self) -> float: ...

    @property
    def bound(self) -> float: ...

    def interval(self, confidence: float, method: str, side: str, *, replicates: int | None, seed: int) -> Interval: ...


@dataclass(frozen=True, repr=False, eq=False)
class Estimate(Result):
    """An estimate of a measure, with intervals on request.

    It can be used as a number: ``float(e)``, ``round(e, 3)``, ``f"{e:.3f}"``, ``e > 0.9``.

    Attributes
    ----------
    measure
        The name of the measure.
    value
        The value; NaN if it is undefined.
    n
        The number of cases: the denominator of a rate, or all cases. With real-valued weights, it is the effective
        number of cases.
    undefined
        The reason why there is no value, or None.
    of
        The class or average that the estimate is for.
    notes
        Warnings.
    parameters
        Parameters of the measure, such as ``{"beta": 2}``.
    basis
        The evidence from which intervals are computed.
    asked
        The requested name if it is an alias, such as sensitivity for recall.

    Examples
    --------
    >>> import howsure
    >>> recall = howsure.assess([1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 0])["sensitivity"]
    >>> recall
    Estimate(recall=0.750 [0.155, 0.994], of='1', n=4)
    >>> recall > 0.5, f"{recall:.2f}", recall.n, recall.title
    (True, '0.75', 4.0, 'sensitivity (recall)')
    >>> recall.interval(method="clopper-pearson", side="lower")
    Interval(0.249, 1.000, 95 %, lower, clopper-pearson)
    >>> print(recall.measured())
    not simulated: n = 6, outside the simulated range 10 to 10000
    """

    measure: str
    value: float
    n: float
    undefined: str | None = None
    of: str = ""
    notes: tuple[str, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict, kw_only=True)
    basis: Basis = field(kw_only=True)
    asked: str = field(default="", kw_only=True)

    @property
    def name(self) -> str:
        """The name of the measure with its parameters: "f_beta(beta=2)"."""
        parameters = [f"{key}={value!r}" for key, value in self.parameters.items()]
        return f"{self.measure}({', '.join(parameters)})" if parameters else self.measure

    @property
    def title(self) -> str:
        """The requested name and the canonical one: "sensitivity (recall)"."""
        return f"{self.asked} ({self.name})" if self.asked else self.name

    @known_arguments()
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
            One of ``methods``; "auto" is the first of them.
        {side}
        replicates
            The number of replicates for bootstrap methods. The default is 10,000, or fewer if the bootstrap is the
            default method and ``method`` is "auto".
        seed
            The random seed for bootstrap methods.

        Returns
        -------
        Interval
            The limits and the method.
        """
        key = repr((confidence, method, side, replicates, seed))
        if key not in self._intervals:  # a table and its notes ask for the same interval
            self._intervals[key] = self.basis.interval(confidence, method, side, replicates=replicates, seed=seed)
        return self._intervals[key]

    @shared_texts
    def no_interval(self, confidence: float = 0.95) -> str:
        """Return the reason why there is no default interval, or an empty string.

        Parameters
        ----------
        {confidence}

        Returns
        -------
        str
            A sentence without a full stop. It is empty if there is an interval, or if the value is undefined.

        Examples
        --------
        >>> import howsure
        >>> a = howsure.assess([1, 0, 0], scores=[0.9, 0.4, 0.2])
        >>> a["auc"].no_interval().partition(";")[0]
        'no interval, because 1 positive case is too few for an interval of the AUC'
        """
        if self.undefined or not math.isnan((interval := self.interval(confidence)).low):
            return ""
        return "no interval, because " + "; ".join(interval.notes) if interval.notes else "no interval"

    def _all_notes(self, confidence: float) -> tuple[str, ...]:
        """Return the reason why there is no interval, and the notes."""
        return tuple(filter(None, (self.no_interval(confidence), *self.notes)))

    @cached_property
    def _intervals(self) -> dict[str, Interval]:
        """The intervals computed so far, by their options."""
        return {}

    @property
    def methods(self) -> tuple[str, ...]:
        """The applicable interval methods, with the default first."""
        return self.basis.methods

    @property
    def standard_error(self) -> float:
        """The standard error, or NaN."""
        return self.basis.standard_error

    @property
    def clusters(self) -> int | None:
        """The number of clusters, or None for independent cases."""
        return self.basis.clusters

    @property
    def design_effect(self) -> float | None:
        """The variance relative to that for independent cases, or None.

        It is None without clusters. With few clusters, intervals allow for a larger design effect.
        """
        return self.basis.design_effect

    @property
    def bound(self) -> float:
        """The largest error of the value due to score binning, usually 0."""
        return self.basis.bound

    @property
    def effective_n(self) -> float:
        """The number of independent cases that would have the same variance."""
        return self.n / self.design_effect if self.design_effect else self.n

    @property
    def worth(self) -> float | None:
        """``effective_n``, but no more than ``n``; None without clusters."""
        return None if self.clusters is None else min(self.effective_n, self.n)

    def measured(self, method: str = "auto") -> MeasuredCoverage:
        """Return the simulated coverage of 95 % intervals for similar data.

        It is the coverage in the simulated setting with the nearest number of cases, prevalence and value.

        Parameters
        ----------
        method
            One of ``methods``; "auto" is the first of them.

        Returns
        -------
        MeasuredCoverage
            The coverage with its standard error, or the reason why similar data were not simulated.
        """
        if self.undefined or not self.methods:
            return MeasuredCoverage(reason="there is no value" if self.undefined else "there is no interval")
        setting, name = self.basis.setting, self.methods[0] if is_one_of(method, ("auto",)) else method
        one_of("method", name, self.methods)
        key = " ".join(filter(None, (setting.get("average"), self.name)))
        return measured_coverage(key, name, self.value, setting)

    @property
    def low(self) -> float:
        """The lower limit of the default 95 % interval."""
        return self.interval().low

    @property
    def high(self) -> float:
        """The upper limit of the default 95 % interval."""
        return self.interval().high

    def __float__(self) -> float:
        return self.value

    def __round__(self, digits: int | None = None) -> float:
        return round(self.value, digits)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __eq__(self, other: object) -> bool:
        return self.value == float(other) if isinstance(other, Real | Estimate) else NotImplemented

    def __lt__(self, other: Any) -> bool:
        return self.value < float(other) if isinstance(other, Real | Estimate) else NotImplemented

    def __le__(self, other: Any) -> bool:
        return self.value <= float(other) if isinstance(other, Real | Estimate) else NotImplemented

    def __gt__(self, other: Any) -> bool:
        return self.value > float(other) if isinstance(other, Real | Estimate) else NotImplemented

    def __ge__(self, other: Any) -> bool:
        return self.value >= float(other) if isinstance(other, Real | Estimate) else NotImplemented

    __hash__ = object.__hash__
    _last_in_frames = INTERVAL

    def __repr__(self) -> str:
        of = f", of={self.of!r}" if self.of else ""
        value = number(self.value) if self.undefined else " ".join(self._formatted(self.interval()))
        return f"Estimate({self.name}={value}{of}, n={self.n:g})"

    def _formatted(self, interval: Interval) -> tuple[str, str]:
        """Return the value and its interval as text with the same precision."""
        spell = spelling(*interval, self.value)
        return spell(self.value), interval_text(interval.low, interval.high, spell) or str(interval)

    def text(self, confidence: float = 0.95) -> str:
        name = f"{self.asked} ({self.name}, {self.of})" if self.asked and self.of else self.title
        name = one_line(f"{self.name} ({self.of})" if self.of and not self.asked else name)
        interval = self.interval(confidence)
        level = f"{100 * confidence:g} % interval"
        if self.undefined:
            limits = "" if math.isnan(interval.low) else f"; {level} {interval} ({interval.method}), n = {self.n:g}"
            return f"{name}: undefined, because {self.undefined}{limits}"
        value, ends = self._formatted(interval)
        within = "" if self.clusters is None else f" in {self.clusters} clusters"
        line = f"{name}: {value}, {level} {ends} ({interval.method}), n = {self.n:g}{within}"
        return "\n".join([line, *(f"  note: {note}" for note in self._all_notes(confidence))])

    def records(self, confidence: float = 0.95) -> list[Record]:
        interval = self.interval(confidence)
        return [
            {
                "measure": self.name,
                "value": self.value,
                "low": interval.low,
                "high": interval.high,
                "of": self.of,
                "n": plain_count(self.n),
                **self._of_clusters(),
                **self._of_bins(),
                "method": interval.method,
                "confidence": confidence,
                "note": self.undefined or "; ".join(self._all_notes(confidence)),
            }
        ]

    def _of_clusters(self) -> dict[str, Any]:
        """Return the columns about clusters, if there are any."""
        if self.clusters is None:
            return {}
        return {"clusters": self.clusters, "design_effect": self.design_effect, "effective_n": self.effective_n}

    def _of_bins(self) -> dict[str, Any]:
        """Return the column about binning, if scores were binned."""
        return {"bound": self.bound} if self.bound else {}

    def to_dict(self, confidence: float = 0.95) -> dict[str, Any]:
        values: dict[str, Any] = {"measure": self.measure, "value": self.value, "n": self.n}
        if self.parameters:
            values["parameters"] = self.parameters
        if self.of:
            values["of"] = self.of
        values |= self._of_clusters() | self._of_bins()
        if self.undefined:
            values["undefined"] = self.undefined
        interval = self.interval(confidence)
        if not self.undefined or not math.isnan(interval.low):
            values["interval"] = interval.to_dict()
        if self.notes:
            values["notes"] = list(self.notes)
        return dict(jsonable(values))
