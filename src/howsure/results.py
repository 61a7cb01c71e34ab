"""What every computation gives back: frozen values that say how they were made."""

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


INTERVAL = ("low", "high")  # columns of its ends
INVERTED = "this method gives no interval here: its lower bound came out above the upper one"


@dataclass(frozen=True, repr=False)
class Interval(Result):
    """A confidence interval, and how it was made; ``low, high = interval`` takes it apart.

    A one-sided interval keeps its open end at the end of the quantity's range. Where there is no interval, both ends
    are NaN.

    Attributes
    ----------
    low, high
        The ends.
    confidence
        How often such intervals hold the truth, or should.
    method
        The method that was computed: it differs from the one asked for only where that one gives no answer, and then
        ``notes`` say why.
    side
        "two-sided", or the one end that was bounded: "lower" or "upper".
    replicates, seed
        Of the bootstrap, where it was used.
    notes
        What to know of it.
    width
        How far the ends are apart.

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
        """Let no interval be upside down, whoever made it: it is none then, and says so."""
        inverted = self.low > self.high
        if inverted is False or not np.any(inverted):
            return
        for end in ("low", "high"):  # of one interval, or of an array of them
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
    """What a result knows of the test it comes from."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...


@dataclass(frozen=True)
class TestResult(Result):
    """The outcome of a significance test. Two-sided unless ``alternative`` says otherwise.

    Attributes
    ----------
    statistic
        What the test computes, such as z, t or chi-square.
    pvalue
        How likely a statistic as far out is, where the null hypothesis holds; NaN where there is no answer.
    difference
        What was found, in the unit of what was compared.
    method
        The test and its variant, for people.
    df
        Degrees of freedom, where it has some.
    alternative
        "two-sided", "less" or "greater"; nothing where the test has no sides.
    notes
        What to know of it: ties, what was left out, why there is no answer.
    error
        The standard error of the difference, where the test has one.
    test
        The declared test, with its name, title and assumptions.
    variant
        The form in which it was computed, where there are several.
    setting
        What a comparison knows of the data: how many cases, how rare the positives are, and the like.

    Examples
    --------
    >>> import howsure
    >>> test = howsure.significance.mcnemar(25, 15)
    >>> round(test.pvalue, 4), test.test.name, test.variant
    (0.1138, 'mcnemar', 'chi2')
    >>> print(test.measured())
    outside what was measured: the test was given numbers that do not tell what they are from
    """

    __test__ = False  # its name is not that of a test for pytest to run

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
        """Give the type-I error that the lab measured of this test at the 5 % level, in settings near this one.

        Where none was measured, the result says what it is that lies outside.

        Returns
        -------
        MeasuredRate
            The rate with its standard error, or the reason why none is known; ``print`` says it in a sentence.
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
        """The degrees of freedom as they are shown: whole ones without decimals, others in four digits."""
        if isinstance(self.df, tuple):
            return f"({', '.join(map(_degrees_text, self.df))})"
        return "" if self.df is None else _degrees_text(self.df)

    def sheet(self) -> Sheet:
        """Give the table that is shown."""
        from howsure.present.sheet import Sheet

        df = self._degrees if self.df is None or isinstance(self.df, tuple) else Spelled(self.df, self._degrees)
        return Sheet.of([{**self.records()[0], "df": df}], self.title, self.notes)

    def records(self) -> list[Record]:
        df: Any = self.df
        if df is not None:
            df = f"({', '.join(str(plain_count(one)) for one in df)})" if isinstance(df, tuple) else plain_count(df)
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
        values = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "setting"}
        return dict(jsonable({**values, "test": None if self.test is None else self.test.name}))


def _degrees_text(df: float) -> str:
    return f"{df:.0f}" if float(df).is_integer() else f"{df:.4g}"


class Basis(Protocol):
    """What an estimate rests on: it knows its standard error, and makes intervals."""

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
    """A value with the number of cases behind it, able to tell how sure it is.

    It stands for its value wherever a number is wanted: ``float(e)``, ``round(e, 3)``, ``f"{e:.3f}"``, ``e > 0.9``.

    Attributes
    ----------
    measure
        The name of what is estimated.
    value
        The estimate; NaN where it is undefined.
    n
        The cases behind it: the denominator of a rate, all cases otherwise. With real-valued weights it is the
        effective number.
    undefined
        Why there is no value, or None.
    of
        The class or the average it is of.
    notes
        What to know of it.
    parameters
        Those of the measure, such as ``{"beta": 2}``.
    basis
        What it rests on, of which intervals are made.
    asked
        The name by which the measure was asked for, where that is another one, such as sensitivity for recall.

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
    outside what was measured: n = 6, where 10 to 10000 was measured
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
        """The measure with its parameters, as it can be asked for: "f_beta(beta=2)"."""
        parameters = [f"{key}={value!r}" for key, value in self.parameters.items()]
        return f"{self.measure}({', '.join(parameters)})" if parameters else self.measure

    @property
    def title(self) -> str:
        """The name by which it was asked for, with its own beside it: "sensitivity (recall)"."""
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
        """Give a confidence interval.

        Parameters
        ----------
        {confidence}
        method
            One of ``methods``; "auto" is the first of them.
        {side}
        replicates
            Of the bootstrap methods only: how many to draw. They draw 10,000, fewer where the bootstrap is the default
            method and none was named.
        seed
            Of the bootstrap methods only.

        Returns
        -------
        Interval
            With the method that made it.
        """
        key = repr((confidence, method, side, replicates, seed))
        if key not in self._known:  # a table and what is said below it ask for the same
            self._known[key] = self.basis.interval(confidence, method, side, replicates=replicates, seed=seed)
        return self._known[key]

    @shared_texts
    def no_interval(self, confidence: float = 0.95) -> str:
        """Say why a value that there is has no default interval; nothing where it has one.

        Parameters
        ----------
        {confidence}

        Returns
        -------
        str
            A sentence without its full stop, or nothing.

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

    def _said(self, confidence: float) -> tuple[str, ...]:
        """Give why there is no interval, and the notes."""
        return tuple(filter(None, (self.no_interval(confidence), *self.notes)))

    @cached_property
    def _known(self) -> dict[str, Interval]:
        """The intervals that were asked for, by what was asked."""
        return {}

    @property
    def methods(self) -> tuple[str, ...]:
        """The interval methods that apply, the default first."""
        return self.basis.methods

    @property
    def standard_error(self) -> float:
        """The standard error, NaN where the estimate has none."""
        return self.basis.standard_error

    @property
    def clusters(self) -> int | None:
        """How many clusters the cases come in; None where they were taken for independent."""
        return self.basis.clusters

    @property
    def design_effect(self) -> float | None:
        """How many times larger the variance is than that of independent cases; None where there are no clusters.

        Intervals allow for more with few clusters, where it is itself unsure.
        """
        return self.basis.design_effect

    @property
    def bound(self) -> float:
        """How far the value may be from the exact one at most: 0, unless scores were counted in bins."""
        return self.basis.bound

    @property
    def effective_n(self) -> float:
        """How many independent cases would tell as much."""
        return self.n / self.design_effect if self.design_effect else self.n

    @property
    def worth(self) -> float | None:
        """How many independent cases would tell as much, at most as many as there are; None where all of them do."""
        return None if self.clusters is None else min(self.effective_n, self.n)

    def measured(self, method: str = "auto") -> MeasuredCoverage:
        """Give how often 95 % intervals held the truth in the lab, in samples like this one.

        The nearest setting that was measured counts: in the number of cases, in the share of the class, then in the
        value. Outside of what was measured, the result says so and why.

        Parameters
        ----------
        method
            One of ``methods``; default: the first of them.

        Returns
        -------
        MeasuredCoverage
            The share with its standard error, or the reason why none is known; ``print`` says it in a sentence.
        """
        if self.undefined or not self.methods:
            return MeasuredCoverage(reason="there is no value" if self.undefined else "there is no interval")
        setting, name = self.basis.setting, self.methods[0] if is_one_of(method, ("auto",)) else method
        one_of("method", name, self.methods)
        key = " ".join(filter(None, (setting.get("average"), self.name)))
        return measured_coverage(key, name, self.value, setting)

    @property
    def low(self) -> float:
        """The lower end of the default 95 % interval."""
        return self.interval().low

    @property
    def high(self) -> float:
        """The upper end of the default 95 % interval."""
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
        value = number(self.value) if self.undefined else " ".join(self._spelled(self.interval()))
        return f"Estimate({self.name}={value}{of}, n={self.n:g})"

    def _spelled(self, interval: Interval) -> tuple[str, str]:
        """Give the value and its interval, in one spelling."""
        spell = spelling(*interval, self.value)
        return spell(self.value), interval_text(interval.low, interval.high, spell) or str(interval)

    def text(self, confidence: float = 0.95) -> str:
        name = f"{self.asked} ({self.name}, {self.of})" if self.asked and self.of else self.title
        name = one_line(f"{self.name} ({self.of})" if self.of and not self.asked else name)
        interval = self.interval(confidence)
        level = f"{100 * confidence:g} % interval"
        if self.undefined:
            known = "" if math.isnan(interval.low) else f"; {level} {interval} ({interval.method}), n = {self.n:g}"
            return f"{name}: undefined, because {self.undefined}{known}"
        value, ends = self._spelled(interval)
        within = "" if self.clusters is None else f" in {self.clusters} clusters"
        line = f"{name}: {value}, {level} {ends} ({interval.method}), n = {self.n:g}{within}"
        return "\n".join([line, *(f"  note: {note}" for note in self._said(confidence))])

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
                "note": self.undefined or "; ".join(self._said(confidence)),
            }
        ]

    def _of_clusters(self) -> dict[str, Any]:
        """What there is to say of clusters, where cases come in some."""
        if self.clusters is None:
            return {}
        worth = {"design_effect": self.design_effect, "effective_n": self.effective_n}
        return {"clusters": self.clusters, **worth}

    def _of_bins(self) -> dict[str, Any]:
        """How far bins may put the value off, where they may."""
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
