"""What every computation gives back: frozen values that say how they were made."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from assay.errors import must, must_be_one_of

SIDES = ("two-sided", "lower", "upper")


def number(value: Any) -> str:
    """Show a number in three decimals, or "n/a" where there is none; of an array, each."""
    if hasattr(value, "ndim") and value.ndim:
        return f"[{', '.join(map(number, value.tolist()))}]"
    if math.isnan(value):
        return "n/a"
    if value and (abs(value) >= 1e4 or abs(value) < 5e-4):
        return f"{value:.3g}"
    return f"{value:.3f}"


def jsonable(value: Any) -> Any:
    """Turn a value into what JSON can hold: NaN becomes null, an infinity the text "inf" or "-inf"."""
    if isinstance(value, float):
        return (value if math.isfinite(value) else str(value)) if value == value else None
    if isinstance(value, dict):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    if hasattr(value, "tolist"):
        return jsonable(value.tolist())
    return value


def check_confidence(confidence: float) -> float:
    if not isinstance(confidence, Real) or not 0 < confidence < 1:
        must("confidence", "a number between 0 and 1", given=confidence)
    return float(confidence)


def check_number(value: float, name: str) -> float:
    if not isinstance(value, Real) or math.isnan(value):
        must(name, "a number", given=value)
    return float(value)


def tail(confidence: float, side: str) -> float:
    """Probability left out beyond each bound that is given."""
    if side not in SIDES:
        must_be_one_of("side", SIDES, given=side)
    alpha = 1 - check_confidence(confidence)
    return alpha / 2 if side == "two-sided" else alpha


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval, and how it was made.

    A one-sided interval keeps its open end at the end of the quantity's range.
    ``method`` names what was computed: it differs from the method asked for only where that one
    gives no answer, and then ``notes`` say why.
    """

    low: float
    high: float
    confidence: float
    method: str
    side: str = "two-sided"
    replicates: int | None = None
    seed: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def width(self) -> float:
        return self.high - self.low

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return f"[{number(self.low)}, {number(self.high)}]"

    def to_dict(self) -> dict[str, Any]:
        kept = {"low": self.low, "high": self.high, "confidence": self.confidence, "method": self.method}
        if self.side != "two-sided":
            kept["side"] = self.side
        if self.replicates is not None:
            kept |= {"replicates": self.replicates, "seed": self.seed}
        if self.notes:
            kept["notes"] = list(self.notes)
        return dict(jsonable(kept))


@dataclass(frozen=True)
class TestResult:
    """The outcome of a significance test. Two-sided unless ``alternative`` says otherwise."""

    __test__ = False  # its name is not that of a test for pytest to run

    statistic: float
    pvalue: float
    difference: float
    method: str
    df: float | tuple[float, ...] | None = None
    alternative: str = "two-sided"
    notes: tuple[str, ...] = ()
    error: float = float("nan")

    def __str__(self) -> str:
        degrees = "" if self.df is None else f", df {self.df}"
        told = f"{self.method}: difference {number(self.difference)}, statistic {number(self.statistic)}{degrees}"
        return "\n".join([f"{told}, p = {self.pvalue:.3g} ({self.alternative})", *(f"  note: {n}" for n in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        return dict(jsonable({**self.__dict__}))


@dataclass(frozen=True)
class Estimate:
    """A value with the number of cases behind it, able to tell how sure it is.

    ``n`` counts the cases behind the value: the denominator of a rate, all cases otherwise. With
    real-valued weights it is the effective number. ``of`` names the class or the average it is of.
    """

    measure: str
    value: float
    n: float
    undefined: str | None = None
    of: str = ""
    notes: tuple[str, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict, kw_only=True)
    make_interval: Callable[..., Interval] = field(repr=False, compare=False, kw_only=True)

    @property
    def name(self) -> str:
        """The measure with its parameters, as it can be asked for: "f_beta(beta=2)"."""
        told = [f"{key}={value!r}" for key, value in self.parameters.items()]
        return f"{self.measure}({', '.join(told)})" if told else self.measure

    def __float__(self) -> float:
        return self.value

    def interval(
        self,
        confidence: float = 0.95,
        method: str = "auto",
        side: str = "two-sided",
        *,
        replicates: int = 10_000,
        seed: int = 0,
    ) -> Interval:
        """Give a confidence interval; ``replicates`` and ``seed`` serve the bootstrap methods only."""
        return self.make_interval(confidence, method, side, replicates=replicates, seed=seed)

    def __str__(self) -> str:
        name = f"{self.name} ({self.of})" if self.of else self.name
        if self.undefined:
            return f"{name}: undefined, because {self.undefined}"
        interval = self.interval()
        shown = f"{name}: {number(self.value)}, 95 % interval {interval} ({interval.method}), n = {self.n:g}"
        return "\n".join([shown, *(f"  note: {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(str(self))}</p>"

    def to_dict(self, confidence: float = 0.95) -> dict[str, Any]:
        kept: dict[str, Any] = {"measure": self.measure, "value": self.value, "n": self.n}
        if self.parameters:
            kept["parameters"] = self.parameters
        if self.of:
            kept["of"] = self.of
        if self.undefined:
            kept["undefined"] = self.undefined
        else:
            kept["interval"] = self.interval(confidence).to_dict()
        if self.notes:
            kept["notes"] = list(self.notes)
        return dict(jsonable(kept))
