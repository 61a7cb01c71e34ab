"""The verdict of a comparison in sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from howsure.comparison.declared import declared
from howsure.comparison.judgement import Judgement
from howsure.comparison.pair import is_below
from howsure.errors import counted, listing
from howsure.present.value_text import TINY, interval_text, number, spoken

if TYPE_CHECKING:
    from howsure.comparison.result import Comparison

FEW = 3  # maximum number of classifiers that a sentence describes one by one
MAX_IN_TIERS = 6  # maximum number of classifiers whose tiers are listed
SMALLEST_P = 0.001  # smaller p-values are written as "p < 0.001"


@dataclass(frozen=True)
class Unit:
    """Format a measure, in percent and points if it is a proportion."""

    percent: bool

    @classmethod
    def of(cls, measure: str) -> Unit:
        registered = declared(measure)
        return cls(registered is not None and registered.is_ratio)

    def value(self, value: float) -> str:
        """Format a value; only exactly 0 and 1 become "0.0 %" and "100.0 %"."""
        if not self.percent or math.isnan(value):
            return number(value)
        return f"{_distinct(100 * value, 100.0) if 0 < value < 1 else _tenths(100 * value)} %"

    def number(self, value: float, below: float = math.inf) -> str:
        """Format a difference without its unit."""
        if math.isnan(value):
            return number(value)
        scale, spell = (100, _tenths) if self.percent else (1, number)
        return _distinct(scale * value, scale * below, spell)

    def size(self, value: float, below: float = math.inf) -> str:
        return f"{self.number(value, below)} points" if self.percent else self.number(value, below)

    def change(self, value: float, below: float = math.inf) -> str:
        return f"{'+' if value > 0 else ''}{self.size(value, below)}"

    def region(self, value: float) -> str:
        if not self.percent:
            return f"{value:g}"
        return "1 point" if value == 0.01 else f"{100 * value:g} points"

    def relevant(self, value: float) -> str:
        """Format the equivalence region: "1 point that matters"."""
        return f"{self.region(value)} that {'matter' if self.percent and value != 0.01 else 'matters'}"

    def interval(self, low: float, high: float) -> str:
        """Format an interval; empty if it is unbounded on both sides."""
        return "" if math.isinf(low) and math.isinf(high) else interval_text(low, high, self.number)


def _tenths(value: float) -> str:
    """Format with one decimal place; small values with two significant digits."""
    if math.isinf(value):
        return f"{value:g}"
    if abs(value) < 100 * TINY:
        return "0.0"  # rather than "-0.0"
    return f"{value:.1f}" if abs(value) >= 0.095 else f"{value:.2g}"


def _distinct(value: float, limit: float, spell: Callable[[float], str] = _tenths) -> str:
    """Format a value so that rounding does not reach a limit above it."""
    text, digits = spell(value), 3
    while abs(value) < limit <= abs(float(text)) and digits < 17:
        text, digits = f"{value:.{digits}g}", digits + 1
    return text


def p_text(pvalue: float, alpha: float) -> str:
    """Format a p-value so that rounding does not cross the level."""
    if math.isnan(pvalue):
        return "n/a"
    if pvalue < SMALLEST_P:
        return f"< {SMALLEST_P:g}" if alpha >= SMALLEST_P else f"{pvalue:.2g}"
    digits = 3
    while digits < 17 and is_below(float(f"{pvalue:.{digits}g}"), alpha) != is_below(pvalue, alpha):
        digits += 1
    return f"{pvalue:.{digits}g}"


def p_words(pvalue: float, alpha: float) -> str:
    text = p_text(pvalue, alpha)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def enumerated(names: Sequence[str], conjunction: str = "and") -> str:
    """Join names: "a", "a and b", "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {conjunction} {names[-1]}"


def verdict(comparison: Comparison) -> list[str]:
    """Return the verdict in sentences."""
    writer = VerdictWriter(comparison, Unit.of(comparison.measure), spoken(comparison.measure))
    if len(comparison.pairs) == 1:
        return writer.two(comparison.judge(comparison.pairs[0]))
    return writer.against_baseline() if comparison.options.baseline is not None else writer.several()


@dataclass(frozen=True)
class VerdictWriter:
    """Write the verdict of a comparison in the unit of its measure."""

    comparison: Comparison
    unit: Unit
    measure: str

    @property
    def rope(self) -> float:
        return self.comparison.options.rope

    @property
    def region(self) -> str:
        return self.unit.region(self.rope)

    def two(self, judgement: Judgement) -> list[str]:
        """Describe the only pair in two sentences."""
        good, bad, pair = judgement.good, judgement.bad, judgement.pair
        if judgement.outcome == "no answer":
            return [f"{good} and {bad} cannot be compared by {self.measure}: {judgement.reason}."]
        values = [self.unit.value(self.comparison.values[name].value) for name in (good, bad)]
        evidence = f"{self.measure} {values[0]} against {values[1]}, {self._change(judgement)}"
        p = p_words(pair.adjusted, self.comparison.alpha)
        low, high = judgement.gain
        still_possible = f"A difference of {self.region} or more is still possible."
        match judgement.outcome:
            case "better":
                significance = f"The difference is statistically significant ({p})"
                if self.rope > 0 and low > self.rope:
                    significance += f" and larger than the {self.unit.relevant(self.rope)}"
                elif self.rope > 0:
                    significance += f", but may be smaller than the {self.unit.relevant(self.rope)}"
                return [f"{good} is better than {bad}: {evidence}.", f"{significance}."]
            case "slightly better":
                ruled_out = f"A difference of {self.region} or more is ruled out."
                return [
                    f"{good} is better than {bad}, but by less than {self.region}: {evidence} ({p}).",
                    ruled_out if high < self.rope else still_possible,
                ]
            case "equivalent":
                interval = self.unit.interval(*judgement.interval(2 * judgement.family.level))
                return [
                    f"{good} and {bad} are practically equal: {evidence} ({p}).",
                    f"The difference is smaller than the {self._criterion(interval)}.",
                ]
            case _:
                sentence = f"No significant difference between {good} and {bad}: {evidence} ({p})."
                return [sentence, still_possible] if self.rope > 0 else [sentence]

    def several(self) -> list[str]:
        """Describe the best of several classifiers and those ranked below it."""
        comparison = self.comparison
        best, *others = comparison.ranking().names
        by_outcome: dict[str, dict[str, Judgement]] = {}
        for name in others:
            judgement = comparison.judge(comparison.pair(best, name))
            outcome = ("worse" if judgement.good == best else "better") if judgement.is_shown else judgement.outcome
            by_outcome.setdefault(outcome, {})[name] = judgement
        worse, better = by_outcome.get("worse", {}), by_outcome.get("better", {})
        unclear, equal = by_outcome.get("cannot tell", {}), by_outcome.get("equivalent", {})
        missing = by_outcome.get("no answer", {})
        sentences = []
        leader = f"{best} has the best {self.measure}, {self.unit.value(comparison.values[best].value)}"
        if worse:
            apart = f", but is not significantly better than {self._near(unclear, 'or')}" if unclear else ""
            sentences.append(f"{leader}: it is ahead {self._behind(worse)}{apart}.")
        elif unclear and not better:
            sentences.append(f"{leader}, but is not significantly better than {self._near(unclear, 'or')}.")
        if equal:
            differences = "the difference is" if len(equal) == 1 else "the differences are"
            sentences.append(
                f"{best} is practically equal to {self._near(equal)} in {self.measure}: {differences} smaller than the "
                f"{self._criterion(several=len(equal) > 1)}."
            )
        if better:
            verb = "is" if len(better) == 1 else "are"
            sentences.append(
                f"{listing(list(better))} {verb} significantly better than {best}, although {best} has the best mean "
                f"{self.measure}."
            )
        if missing:
            reason = next(iter(missing.values())).reason
            sentences.append(f"{best} cannot be compared with {listing(list(missing))} by {self.measure}: {reason}.")
        return [*sentences, *self._others(others)]

    def _others(self, others: Sequence[str]) -> list[str]:
        """Describe the pairs without the best classifier."""
        comparison = self.comparison
        if len(others) == 2:
            judgement = comparison.judge(comparison.pair(*others))
            good, bad = judgement.good, judgement.bad
            if judgement.outcome == "no answer":
                return []
            if judgement.is_shown:
                return [f"{good} is ahead {self._behind({bad: judgement})}."]
            if judgement.outcome == "equivalent":
                criterion = f"the difference is smaller than the {self._criterion()}"
                return [f"{good} and {bad} are practically equal ({self._size(judgement)}): {criterion}."]
            return [f"No significant difference between {good} and {bad} ({self._size(judgement)})."]
        significant, tiers = len(comparison.shown_pairs), comparison.ranking().tiers
        differ = counted(significant, "pair", "differs", of=len(comparison.pairs), comma=True)
        sentence = f"{differ} significantly, in {counted(len(tiers), 'tier')}"
        if 1 < len(tiers) < len(comparison.names) <= MAX_IN_TIERS:
            sentence += f": {'; then '.join(map(enumerated, tiers))}"
        return [f"{sentence}."]

    def against_baseline(self) -> list[str]:
        """Describe each classifier against the baseline."""
        comparison = self.comparison
        judgements = {pair.a: comparison.judge(pair) for pair in comparison.pairs}
        are_equal = [judgement.outcome == "equivalent" for judgement in judgements.values()]
        rule = []
        if any(are_equal):
            intervals = self._criterion(several=sum(are_equal) > 1)
            rule = [f"Practically equal: the difference is smaller than the {intervals}."]
        start = f"Compared with {comparison.options.baseline} in {self.measure}"
        if len(judgements) <= FEW:
            return [f"{start}: {'; '.join(map(self._against, judgements.values()))}.", *rule]
        groups: dict[str, list[str]] = {}
        for name, judgement in judgements.items():
            groups.setdefault(self._standing(judgement), []).append(name)
        parts = [f"{len(names)} {standing} ({listing(names)})" for standing, names in groups.items()]
        return [f"{start}: {', '.join(parts)}.", *rule]

    def _standing(self, judgement: Judgement) -> str:
        if judgement.is_shown:
            return "better" if judgement.good == judgement.pair.a else "worse"
        words = {"equivalent": "practically equal", "cannot tell": "not significantly different"}
        return words.get(judgement.outcome, "without an answer")

    def _against(self, judgement: Judgement) -> str:
        name, standing = judgement.pair.a, self._standing(judgement)
        if judgement.is_shown:
            return f"{name} is {standing} by {self._size(judgement)}{self._slight(judgement)}"
        if judgement.outcome == "no answer":
            return f"{name} cannot be compared ({judgement.reason})"
        return f"{name} is {standing} ({self._from_baseline(judgement)})"

    def _behind(self, judgements: Mapping[str, Judgement]) -> str:
        """List worse classifiers with their distances."""
        first = list(judgements.items())[: len(judgements) if len(judgements) <= FEW else 1]
        parts = [f"of {name} by {self._size(judgement)}{self._slight(judgement)}" for name, judgement in first]
        return enumerated([*parts, *([f"of {len(judgements) - 1} others"] if len(parts) < len(judgements) else [])])

    def _near(self, judgements: Mapping[str, Judgement], conjunction: str = "and") -> str:
        """List classifiers with their distances."""
        first = list(judgements.items())[: len(judgements) if len(judgements) <= FEW else 1]
        parts = [f"{name} ({self._size(judgement)})" for name, judgement in first]
        rest = [f"{len(judgements) - 1} others"] if len(parts) < len(judgements) else []
        return enumerated([*parts, *rest], conjunction)

    def _slight(self, judgement: Judgement) -> str:
        return f" (less than {self.region})" if judgement.outcome == "slightly better" else ""

    def _size(self, judgement: Judgement) -> str:
        """Format the absolute difference with its joint interval."""
        interval = "" if judgement.family.stepwise else self.unit.interval(*judgement.gain)
        return f"{self.unit.size(abs(judgement.change), self._limit(judgement))} {interval}".rstrip()

    def _change(self, judgement: Judgement) -> str:
        interval = "" if judgement.family.stepwise else self.unit.interval(*judgement.interval())
        return f"{self.unit.change(judgement.change, self._limit(judgement))} {interval}".rstrip()

    def _from_baseline(self, judgement: Judgement) -> str:
        """Format the difference between a value and that of the baseline."""
        difference, family = judgement.pair.difference, judgement.family
        interval = "" if family.stepwise else self.unit.interval(*difference.interval(1 - family.level))
        return f"{self.unit.change(difference.value)} {interval}".rstrip()

    def _limit(self, judgement: Judgement) -> float:
        return judgement.family.rope if judgement.outcome == "slightly better" else math.inf

    def _criterion(self, interval: str = "", *, several: bool = False) -> str:
        """Name the equivalence region and the interval that lies within it."""
        level = f"{100 * (1 - 2 * self.comparison.family.level):.4g} % interval{'s' if several else ''}"
        return f"{self.unit.relevant(self.rope)} ({level}{f' {interval}' if interval else ''})"
