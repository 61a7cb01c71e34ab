"""The verdict of a comparison in plain sentences: who, by how much, how sure, and does it matter."""

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

FEW = 3  # classifiers that are named one by one
FAR = 0.001  # a p-value below which chance is far away


@dataclass(frozen=True)
class Unit:
    """How values of a measure are said: a proportion in percent and points, any other as it is."""

    percent: bool

    @classmethod
    def of(cls, measure: str) -> Unit:
        found = declared(measure)
        return cls(found is not None and found.is_ratio)

    def value(self, value: float) -> str:
        """Say a value; one that is not quite 0 or 100 % is not said to be."""
        if not self.percent or math.isnan(value):
            return number(value)
        return f"{_apart(100 * value, 100.0) if 0 < value < 1 else _tenths(100 * value)} %"

    def number(self, value: float, below: float = math.inf) -> str:
        """Say a difference without its unit; where it is ``below`` a border, with the digits that show it."""
        if math.isnan(value):
            return number(value)
        scale, spell = (100, _tenths) if self.percent else (1, number)
        return _apart(scale * value, scale * below, spell)

    def size(self, value: float, below: float = math.inf) -> str:
        return f"{self.number(value, below)} points" if self.percent else self.number(value, below)

    def change(self, value: float, below: float = math.inf) -> str:
        return f"{'+' if value > 0 else ''}{self.size(value, below)}"

    def region(self, value: float) -> str:
        if not self.percent:
            return f"{value:g}"
        return "1 point" if value == 0.01 else f"{100 * value:g} points"

    def mattering(self, value: float) -> str:
        """Say the region with its verb: "1 point that matters", "2 points that matter"."""
        return f"{self.region(value)} that {'matter' if self.percent and value != 0.01 else 'matters'}"

    def interval(self, low: float, high: float) -> str:
        """Say an interval; one that has no end says nothing."""
        return "" if math.isinf(low) and math.isinf(high) else interval_text(low, high, self.number)


def _tenths(value: float) -> str:
    """Show one decimal, or where that would leave nothing two digits."""
    if math.isinf(value):
        return f"{value:g}"
    if abs(value) < 100 * TINY:
        return "0.0"  # and not -0.0
    return f"{value:.1f}" if abs(value) >= 0.095 else f"{value:.2g}"


def _apart(value: float, border: float, spell: Callable[[float], str] = _tenths) -> str:
    """Spell a value; with more digits where rounding would carry it to a border that it is below."""
    text, digits = spell(value), 3
    while abs(value) < border <= abs(float(text)) and digits < 17:
        text, digits = f"{value:.{digits}g}", digits + 1
    return text


def p_text(pvalue: float, alpha: float) -> str:
    """Write a p-value: with as many digits as keep it on its side of the level."""
    if math.isnan(pvalue):
        return "n/a"
    if pvalue < FAR:
        return f"< {FAR:g}" if alpha >= FAR else f"{pvalue:.2g}"
    digits = 3
    while digits < 17 and is_below(float(f"{pvalue:.{digits}g}"), alpha) != is_below(pvalue, alpha):
        digits += 1
    return f"{pvalue:.{digits}g}"


def p_words(pvalue: float, alpha: float) -> str:
    text = p_text(pvalue, alpha)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def both(names: Sequence[str]) -> str:
    """Join names: "a", "a and b", "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _first(told: Mapping[str, Judgement]) -> list[tuple[str, Judgement]]:
    """Give all of a few, or the first of many."""
    return list(told.items())[: len(told) if len(told) <= FEW else 1]


def verdict(comparison: Comparison) -> list[str]:
    """Say who is better, by how much, how sure, and whether it matters."""
    speaker = Speaker(comparison, Unit.of(comparison.measure))
    if len(comparison.pairs) == 1:
        return speaker.of_two(comparison.judge(comparison.pairs[0]))
    return speaker.against_baseline() if comparison.options.baseline is not None else speaker.of_many()


@dataclass(frozen=True)
class Speaker:
    """Speaks of a comparison in the unit of its measure."""

    comparison: Comparison
    unit: Unit

    @property
    def region(self) -> str:
        return self.unit.region(self.comparison.options.rope)

    def of_two(self, told: Judgement) -> list[str]:
        """Speak of one pair, in two sentences."""
        comparison, rope = self.comparison, self.comparison.options.rope
        if told.outcome == "no answer":
            return [f"{told.good} and {told.bad} cannot be compared in {spoken(comparison.measure)}: {told.why}."]
        values = [self.unit.value(comparison.values[name].value) for name in (told.good, told.bad)]
        evidence = f"{spoken(comparison.measure)} {values[0]} against {values[1]}, {self._change(told)}"
        p = p_words(told.pair.adjusted, comparison.alpha)
        low, high = told.gain
        if told.outcome == "better":
            beyond = "far beyond" if told.pair.adjusted < FAR else "beyond"
            matters = ""
            if rope > 0 and low > rope:
                matters = f" and beyond the {self.unit.mattering(rope)}"
            elif rope > 0:
                matters = f"; that it exceeds the {self.unit.mattering(rope)} is not shown"
            return [
                f"{told.good} is better than {told.bad}: {evidence}.",
                f"The difference is {beyond} chance ({p}){matters}.",
            ]
        if told.outcome == "slightly better":
            excluded = "excluded" if high < rope else "not excluded"
            return [
                f"{told.good} is better than {told.bad}, but by less than {self.region}: {evidence} ({p}).",
                f"A difference of {self.region} or more, which would matter, is {excluded}.",
            ]
        if told.outcome == "equivalent":
            return [
                f"{told.good} and {told.bad} are equal for practical purposes: {evidence} ({p}).",
                self._rule(told),
            ]
        sentences = [f"{told.good} and {told.bad} cannot be told apart: {evidence} ({p})."]
        if rope > 0:
            sentences.append(f"A difference of {self.region} or more, which would matter, is not excluded.")
        return sentences

    def of_many(self) -> list[str]:
        """Speak of the best of several, and of those below it."""
        comparison = self.comparison
        best, *rest = comparison.ranking().names
        told = {name: comparison.judge(comparison.pair(best, name)) for name in rest}
        by_outcome: dict[str, dict[str, Judgement]] = {}
        for name, one in told.items():
            group = ("beaten" if one.good == best else "ahead") if one.is_shown else one.outcome
            by_outcome.setdefault(group, {})[name] = one
        beaten, ahead = by_outcome.get("beaten", {}), by_outcome.get("ahead", {})
        alike, equal = by_outcome.get("cannot tell", {}), by_outcome.get("equivalent", {})
        missing = by_outcome.get("no answer", {})
        sentences = []
        if len(beaten) == len(rest):
            sentences.append(f"{best} is best: ahead {self._behind(beaten)}.")
        elif beaten:
            apart = f", but cannot be told apart from {self._near(alike)}" if alike else ""
            sentences.append(f"{best} is ahead {self._behind(beaten)}{apart}.")
        elif alike and not ahead:
            value = self.unit.value(comparison.values[best].value)
            leads = f"{best} has the best {spoken(comparison.measure)}, {value}"
            sentences.append(f"{leads}, but cannot be told apart from {self._near(alike)}.")
        if equal:
            sentences += [f"{best} is equal for practical purposes to {self._near(equal)}.", self._rule()]
        if ahead:
            verb = "is" if len(ahead) == 1 else "are"
            sentences.append(
                f"{listing(list(ahead))} {verb} shown to be better than {best}, which is best by the mean only."
            )
        if missing:
            why = next(iter(missing.values())).why
            sentences.append(f"{best} cannot be compared with {listing(list(missing))}: {why}.")
        return [*sentences, *self._of_others(rest)]

    def _of_others(self, rest: Sequence[str]) -> list[str]:
        """Speak of the pairs without the best one."""
        comparison = self.comparison
        if len(rest) == 2:
            told = comparison.judge(comparison.pair(*rest))
            if told.outcome == "no answer":
                return []
            if told.is_shown:
                return [f"{told.good} is ahead {self._behind({told.bad: told})}."]
            if told.outcome == "equivalent":
                equal = f"{told.good} and {told.bad} are equal for practical purposes ({self._size(told)})."
                return [equal, self._rule()]
            return [f"{told.good} and {told.bad} cannot be told apart ({self._size(told)})."]
        clear, tiers = len(comparison.shown_pairs), len(comparison.ranking().tiers)
        differ = counted(clear, "pair", "differs", of=len(comparison.pairs), comma=True)
        return [f"{differ}, in {counted(tiers, 'tier')}."]

    def against_baseline(self) -> list[str]:
        """Speak of each classifier against the baseline, or count them where they are many."""
        comparison = self.comparison
        judged = {pair.a: comparison.judge(pair) for pair in comparison.pairs}
        rule = [self._rule()] if any(one.outcome == "equivalent" for one in judged.values()) else []
        if len(judged) <= FEW:
            return [f"Against {comparison.options.baseline}: {'; '.join(map(self._against, judged.values()))}.", *rule]
        groups: dict[str, list[str]] = {}
        for name, one in judged.items():
            groups.setdefault(self._standing(one), []).append(name)
        parts = [f"{len(names)} {standing} ({listing(names)})" for standing, names in groups.items()]
        return [f"Against {comparison.options.baseline}: {', '.join(parts)}.", *rule]

    def _standing(self, told: Judgement) -> str:
        if told.is_shown:
            return "better" if told.good == told.pair.a else "worse"
        words = {"equivalent": "equal for practical purposes", "cannot tell": "not told apart"}
        return words.get(told.outcome, "without an answer")

    def _against(self, told: Judgement) -> str:
        name = told.pair.a
        if told.is_shown:
            return f"{name} is {self._standing(told)} by {self._size(told)}{self._little(told)}"
        if told.outcome == "no answer":
            return f"{name} cannot be compared ({told.why})"
        if told.outcome == "equivalent":
            return f"{name} is equal for practical purposes ({self._from_baseline(told)})"
        return f"{name} cannot be told apart ({self._from_baseline(told)})"

    def _behind(self, told: Mapping[str, Judgement]) -> str:
        """Name those that are behind, and by how much; of many, the first and the number of the rest."""
        parts = [f"of {name} by {self._size(one)}{self._little(one)}" for name, one in _first(told)]
        return both([*parts, *([f"of {len(told) - 1} others"] if len(parts) < len(told) else [])])

    def _near(self, told: Mapping[str, Judgement]) -> str:
        parts = [f"{name} ({self._size(one)})" for name, one in _first(told)]
        return both([*parts, *([f"{len(told) - 1} others"] if len(parts) < len(told) else [])])

    def _little(self, told: Judgement) -> str:
        return f" (less than {self.region})" if told.outcome == "slightly better" else ""

    def _size(self, told: Judgement) -> str:
        """The gain, as a number above 0 of the measure's unit, with the interval of all pairs together."""
        shown = "" if told.family.stepwise else self.unit.interval(*told.gain)
        return f"{self.unit.size(abs(told.change), self._border(told))} {shown}".rstrip()

    def _change(self, told: Judgement) -> str:
        shown = "" if told.family.stepwise else self.unit.interval(*told.interval())
        return f"{self.unit.change(told.change, self._border(told))} {shown}".rstrip()

    def _from_baseline(self, told: Judgement) -> str:
        """The measure of a classifier less that of the baseline, as the table of differences has it."""
        found = told.pair.difference
        shown = "" if told.family.stepwise else self.unit.interval(*found.interval(1 - told.family.level))
        return f"{self.unit.change(found.value)} {shown}".rstrip()

    def _border(self, told: Judgement) -> float:
        return told.family.rope if told.outcome == "slightly better" else math.inf

    def _rule(self, told: Judgement | None = None) -> str:
        """State the rule by which two are called equal, with the interval of the only pair."""
        level = 2 * self.comparison.family.level
        said = f"The {100 * (1 - level):.4g} % interval"
        if told is None:
            return f"{said} of such a pair lies within {self.region} either way."
        return f"{said} {self.unit.interval(*told.interval(level))} lies within {self.region} either way."
