"""Comparison: who is better, by how much, how sure are we, and by which test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from assay.checks import check_number
from assay.comparison.type_one import measured
from assay.errors import AssayError, must, must_be_one_of
from assay.present.format import jsonable, number
from assay.present.sheet import Record, Sheet
from assay.results import Estimate, TestResult

LEVEL = 0.05  # at which type-I errors were measured


@dataclass(frozen=True)
class Pair:
    """Two classifiers: the difference a - b, its test, and the p-value adjusted for the number of pairs."""

    a: str
    b: str
    difference: Estimate
    test: TestResult
    adjusted: float
    effect: float = float("nan")
    bayesian: Any = None

    @property
    def name(self) -> str:
        return f"{self.a} - {self.b}"


@dataclass(frozen=True, eq=False)
class Comparison:
    """Classifiers compared by one measure.

    ``values`` has the measure of each classifier; ``pairs`` all pairs, or those with the baseline. ``generalises`` says
    what the result is about: these cases, this algorithm on this data, or these data sets.
    """

    measure: str
    better: str
    values: dict[str, Estimate] = field(repr=False)
    pairs: tuple[Pair, ...] = field(repr=False)
    alpha: float
    adjusted_by: str
    generalises: str
    effect_name: str
    omnibus: TestResult | None = None
    invalid: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    notes: tuple[str, ...] = ()
    design: str = ""  # the splits, in the words of the simulations of type-I error
    ranks: Any = None  # mean ranks over data sets with their critical difference, for the diagram
    others: Callable[[Pair], list[tuple[str, TestResult]]] | None = field(default=None, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.values)

    def pair(self, a: str | None = None, b: str | None = None) -> Pair:
        """Give the pair of two classifiers; without names, that of the best two by value."""
        if a is None or b is None:
            return self._leading
        found = [one for one in self.pairs if {one.a, one.b} == {a, b}]
        if not found:
            must_be_one_of("pair", [one.name for one in self.pairs], given=f"{a} - {b}")
        return found[0]

    @cached_property
    def _leading(self) -> Pair:
        """The pair to speak of first: the only one, or the best classifier and the next that it was compared with."""
        if len(self.pairs) == 1:
            return self.pairs[0]
        order = self.ranking
        return min(self.pairs, key=lambda pair: sorted((order.index(pair.a), order.index(pair.b))))

    @cached_property
    def ranking(self) -> list[str]:
        """The classifiers from best to worst by value; those without a value last."""
        sign = -1 if self.better == "higher" else 1
        worth = {name: sign * found.value for name, found in self.values.items()}
        return sorted(self.values, key=lambda name: (np.isnan(worth[name]), worth[name]))

    @property
    def difference(self) -> Estimate:
        """The difference of the leading pair, with its interval."""
        return self._leading.difference

    @property
    def test(self) -> TestResult:
        """The test of two classifiers, or of all at once where there are more and such a test is valid."""
        return self._leading.test if self.omnibus is None else self.omnibus

    @property
    def verdict(self) -> str:
        """Say who is better, by how much, how sure, and by which test."""
        return " ".join(self._sentences())

    def _sentences(self) -> list[str]:
        said = []
        if self.omnibus is not None:
            apart = self.omnibus.pvalue < self.alpha
            told = "differ" if apart else "cannot be told apart as a group"
            said.append(
                f"The {len(self.names)} classifiers {told} in {self.measure} ({self.omnibus.method}, "
                f"p = {self.omnibus.pvalue:.3g})."
            )
        pair = self._leading
        said.append(f"{self._of(pair)}.")
        clear = [one for one in self.pairs if one.adjusted < self.alpha]
        if len(self.pairs) > 1:
            said.append(f"{len(clear)} of {len(self.pairs)} pairs differ at the {self.alpha * 100:g} % level.")
        known = self._measured(pair.test)
        if known is not None:
            said.append(f"{known[0].upper()}{known[1:]}.")
        return said

    def _measured(self, test: TestResult) -> str | None:
        """What simulations say of the procedure, where they were of this very level and design."""
        if self.alpha != LEVEL or test.alternative != "two-sided" or np.isnan(test.pvalue):
            return None
        if test.method.startswith("McNemar"):  # the choice between its forms is part of the procedure
            return measured("McNemar's test (auto)")
        return measured(test.method, self.design)

    def _of(self, pair: Pair) -> str:
        if np.isnan(pair.adjusted):
            why = pair.test.notes[0] if pair.test.notes else "the test has no answer here"
            return f"{pair.a} and {pair.b} cannot be compared in {self.measure}: {why}"
        flip = (pair.difference.value > 0) != (self.better == "higher") and pair.difference.value != 0
        good, bad = (pair.b, pair.a) if flip else (pair.a, pair.b)
        size = number(abs(pair.difference.value))
        interval = pair.difference.interval(1 - self.alpha)
        p = f"p = {pair.test.pvalue:.3g}"
        if len(self.pairs) > 1 and self.adjusted_by != "none":
            p += f", {pair.adjusted:.3g} adjusted by {self.adjusted_by}"
        sure = f"{pair.name} {number(pair.difference.value)}, {(1 - self.alpha) * 100:g} % interval {interval}"
        how = f"{sure}; {pair.test.method}, {p}"
        if pair.adjusted < self.alpha:
            word = "higher" if self.better == "higher" else "lower"
            return f"{good} is better than {bad}: its {self.measure} is {size} {word} ({how})"
        return f"{pair.a} and {pair.b} cannot be told apart in {self.measure} ({how})"

    def records(self, confidence: float | None = None) -> list[Record]:
        """Give one record for each pair, with every digit."""
        level = 1 - self.alpha if confidence is None else confidence
        found = []
        for pair in self.pairs:
            interval = pair.difference.interval(level)
            record: Record = {
                "a": pair.a,
                "b": pair.b,
                "measure": self.measure,
                "value_a": self.values[pair.a].value,
                "value_b": self.values[pair.b].value,
                "difference": pair.difference.value,
                "low": interval.low,
                "high": interval.high,
                "confidence": level,
                "test": pair.test.method,
                "statistic": pair.test.statistic,
                "pvalue": pair.test.pvalue,
                "adjusted": pair.adjusted,
                self.effect_name.replace(" ", "_"): pair.effect,
            }
            if pair.bayesian is not None:
                told = pair.bayesian
                record |= {"b_better": told.left, "equivalent": told.rope, "a_better": told.right}
                if self.better == "lower":
                    record |= {"b_better": told.right, "a_better": told.left}
            found.append({**record, "note": "; ".join(pair.test.notes)})
        return found

    def sheet(self, confidence: float | None = None) -> Sheet:
        """Give the table that is shown."""
        level = 1 - self.alpha if confidence is None else confidence
        rows = []
        for pair, record in zip(self.pairs, self.records(level), strict=True):
            row: Record = {
                "difference": pair.name,
                self.measure: record["difference"],
                f"{level * 100:g} % interval": str(pair.difference.interval(level)),
                "p": f"{pair.test.pvalue:.3g}",
            }
            if len(self.pairs) > 1:
                row[f"p, {self.adjusted_by}"] = f"{pair.adjusted:.3g}"
            if not all(np.isnan(one.effect) for one in self.pairs):
                row[self.effect_name] = pair.effect
            if pair.bayesian is not None:
                row["P(first better)"] = record["a_better"]
                row["P(equivalent)"] = record["equivalent"]
            rows.append(row)
        why = tuple(f"not used: {name}, since {reason}" for name, reason in self.invalid)
        told = tuple(dict.fromkeys(f"{pair.name}: {note}" for pair in self.pairs for note in pair.test.notes))
        about = f"by {self._leading.test.method}; it speaks of {self.generalises}"
        if len(self.pairs) > 1 and self.adjusted_by != "none":
            about += "; each interval is of its pair alone, the p-values allow for all pairs"
        return Sheet.of(rows, self.verdict, (about, *self.notes, *told, *why))

    def tests(self, a: str | None = None, b: str | None = None) -> Sheet:
        """Give all tests that apply to a pair, with what each assumes: for a second opinion, not for shopping."""
        from assay.significance.declare import registry

        if self.others is None:
            raise AssayError("no other test applies here.")
        pair = self.pair(a, b)
        rows = []
        for name, found in self.others(pair):
            declared = registry[name]
            rows.append(
                {
                    "test": declared.title,
                    "statistic": found.statistic,
                    "p": f"{found.pvalue:.3g}",
                    "chosen": "*" if found.method == pair.test.method else "",
                    "assumes": declared.assumes,
                }
            )
        return Sheet.of(rows, pair.name)

    def equivalence(self, margin: float, a: str | None = None, b: str | None = None) -> str:
        """Say whether a pair is shown to differ by less than the margin: two one-sided tests, as an interval.

        It is when the interval of confidence 1 - 2 alpha lies between minus the margin and the margin.
        """
        if check_number(margin, "margin") <= 0:
            must("margin", "a number above 0", given=margin)
        pair = self.pair(a, b)
        interval = pair.difference.interval(1 - 2 * self.alpha)
        shown = -margin < interval.low and interval.high < margin
        told = f"{(1 - 2 * self.alpha) * 100:g} % interval of {pair.name} {interval}"
        verb = "are shown to differ by less than" if shown else "are not shown to differ by less than"
        return f"{pair.a} and {pair.b} {verb} {margin:g} in {self.measure} ({told})"

    def frame(self, confidence: float | None = None) -> Any:
        """Give every pair and every digit as a data frame."""
        return Sheet.of(self.records(confidence)).frame()

    def to_dict(self, confidence: float | None = None) -> dict[str, Any]:
        """Give everything as plain values, ready for JSON."""
        return dict(
            jsonable(
                {
                    "measure": self.measure,
                    "better": self.better,
                    "verdict": self.verdict,
                    "generalises": self.generalises,
                    "alpha": self.alpha,
                    "adjusted_by": self.adjusted_by,
                    "values": {name: found.to_dict() for name, found in self.values.items()},
                    "omnibus": None if self.omnibus is None else self.omnibus.to_dict(),
                    "pairs": self.records(confidence),
                    "invalid": [{"test": name, "reason": reason} for name, reason in self.invalid],
                    "notes": list(self.notes),
                }
            )
        )

    def __repr__(self) -> str:
        return f"Comparison({self.measure}, {', '.join(self.names)})"

    def __str__(self) -> str:
        return self.sheet().text()

    def _repr_html_(self) -> str:
        return self.sheet().to_html()


def pairs_of(names: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    """All pairs in order, or each classifier against the baseline."""
    if baseline is None:
        return [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    if baseline not in names:
        must_be_one_of("baseline", names, given=baseline)
    return [(name, baseline) for name in names if name != baseline]
