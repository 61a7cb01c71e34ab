"""Comparison: who is better, by how much, how sure are we, and by which test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from assay.checks import check_number, one_of
from assay.comparison.options import Options
from assay.comparison.type_one import measured
from assay.errors import AssayError, must, must_be_one_of, one_line
from assay.present import Record, Result, Sheet
from assay.present.value_text import jsonable, number
from assay.results import Estimate, TestResult
from assay.significance import BayesianResult, adjust
from assay.significance.declare import Test, ValidTests

LEVEL = 0.05  # at which type-I errors were measured
MOST_SHOWN = 200  # pairs in a table for people


@dataclass(frozen=True, repr=False)
class PairComparison:
    """Two classifiers: the difference a - b, its test, and the p-value adjusted for the number of pairs.

    ``evidence`` is what the tests are applied to; ``effect`` and ``bayesian`` are found on demand.
    """

    a: str
    b: str
    difference: Estimate
    test: TestResult
    adjusted: float = float("nan")
    evidence: Any = field(default=None, repr=False)
    find_effect: Callable[[], float] | None = field(default=None, repr=False)
    find_bayesian: Callable[[], BayesianResult | None] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        return f"{self.a} - {self.b}"

    # Computed when they are asked for: of the pairs of hundreds of classifiers, few are ever looked at.

    @cached_property
    def effect(self) -> float:
        return float("nan") if self.find_effect is None else self.find_effect()

    @cached_property
    def bayesian(self) -> BayesianResult | None:
        return None if self.find_bayesian is None else self.find_bayesian()

    def __repr__(self) -> str:
        value, p = number(self.difference.value), f"{self.adjusted:.3g}"
        return f"PairComparison({one_line(self.name)}: {self.difference.measure} {value}, adjusted p {p})"


@dataclass(frozen=True, eq=False)
class Comparison(Result):
    """Classifiers compared by one measure.

    ``values`` has the measure of each classifier; ``pairs`` all pairs, or those with the baseline. ``generalises`` says
    what the result is about: these cases, this algorithm on this data, or these data sets. ``tests_valid`` are the
    declared tests that are valid here, and others with the reason why they are not. Over several data sets
    ``by_dataset`` has a comparison for each, and ``ranks`` the mean ranks with their critical difference.
    """

    measure: str
    better: str
    values: dict[str, Estimate] = field(repr=False)
    pairs: tuple[PairComparison, ...] = field(repr=False)
    options: Options
    generalises: str
    effect_name: str
    tests_valid: ValidTests = field(repr=False)
    omnibus: TestResult | None = None
    notes: tuple[str, ...] = ()
    scheme: Any = field(default=None, repr=False)  # of the resampling that the values are from
    ranks: Any = field(default=None, repr=False)
    by_dataset: Mapping[str, Comparison] = field(default_factory=dict, repr=False)

    @property
    def alpha(self) -> float:
        return self.options.alpha

    @property
    def adjust(self) -> str:
        return self.options.adjust

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.values)

    def pair(self, a: str | None = None, b: str | None = None) -> PairComparison:
        """Give the pair of two classifiers; without names, that of the best two by value."""
        if a is None and b is None:
            return self._leading
        if a is None or b is None:
            raise AssayError("a pair has two names; give both, or none for the best two.")
        named = isinstance(a, str) and isinstance(b, str)
        pair = next((pair for pair in self.pairs if named and {pair.a, pair.b} == {a, b}), None)
        if pair is None:
            must_be_one_of("pair", [pair.name for pair in self.pairs], given=f"{a} - {b}")
        return pair

    @cached_property
    def _leading(self) -> PairComparison:
        """The pair to speak of first: the only one, or the best classifier and the next that it was compared with."""
        if len(self.pairs) == 1:
            return self.pairs[0]
        return min(self.pairs, key=self._place())

    def _place(self) -> Callable[[PairComparison], list[int]]:
        """Give the order of pairs that puts the best classifiers first."""
        rank = {name: index for index, name in enumerate(self.ranking())}
        return lambda pair: sorted((rank[pair.a], rank[pair.b]))

    @property
    def shown(self) -> Sequence[PairComparison]:
        """The pairs that a table for people has: all, or of very many those of the best classifiers."""
        return self.pairs if len(self.pairs) <= MOST_SHOWN else sorted(self.pairs, key=self._place())[:MOST_SHOWN]

    def ranking(self) -> list[str]:
        """The classifiers from best to worst by value; those without a value last."""
        sign = -1 if self.better == "higher" else 1
        worth = {name: sign * estimate.value for name, estimate in self.values.items()}
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

    @property
    def title(self) -> str:
        return self.verdict

    def _sentences(self) -> list[str]:
        sentences = []
        if self.omnibus is not None:
            outcome = "differ" if self.omnibus.pvalue < self.alpha else "cannot be told apart as a group"
            sentences.append(
                f"The {len(self.names)} classifiers {outcome} in {self.measure} ({self.omnibus.method}, "
                f"p = {self.omnibus.pvalue:.3g})."
            )
        pair = self._leading
        sentences.append(f"{self._of(pair)}.")
        if len(self.pairs) > 1:
            clear = sum(one.adjusted < self.alpha for one in self.pairs)
            sentences.append(f"{clear} of {len(self.pairs)} pairs differ at the {self.alpha * 100:g} % level.")
        sentences += self._by_dataset_sentences(pair)
        rate = self._measured(pair)
        if rate is not None:
            sentences.append(f"{rate[0].upper()}{rate[1:]}.")
        return sentences

    def _by_dataset_sentences(self, pair: PairComparison) -> list[str]:
        """Where there are too few data sets for their test, say what each of them and the hierarchical model say."""
        if not self._has_too_few_datasets(pair):
            return []
        n = int(pair.difference.n)
        count = "1 data set is" if n == 1 else f"{n} data sets are"
        sentences = [
            f"{count} too few for this test ever to reach the {self.alpha * 100:g} % level, so each is "
            "judged by itself."
        ]
        for dataset, comparison in self.by_dataset.items():
            one = comparison.pair(pair.a, pair.b)
            outcome = "cannot be told apart"
            if one.adjusted < self.alpha:
                higher = (one.difference.value > 0) == (self.better == "higher")
                outcome = f"{pair.a if higher else pair.b} is better"
            value = number(one.difference.value)
            sentences.append(f"{dataset}: {outcome} ({pair.name} {value}, p = {one.test.pvalue:.3g}).")
        if pair.bayesian is not None:
            sentences.append(f"All together, {_chances(pair, self.better)} ({pair.bayesian.method}).")
        return sentences

    def _has_too_few_datasets(self, pair: PairComparison) -> bool:
        """So few data sets have a value of both that the signed-rank test cannot reach the level at all."""
        return bool(self.by_dataset) and 2.0 ** (1 - pair.difference.n) > self.alpha

    def _measured(self, pair: PairComparison) -> str | None:
        """What simulations say of the procedure, where they were of this very level and design."""
        result, test = pair.test, pair.test.test
        if (
            not isinstance(test, Test)
            or self.alpha != LEVEL
            or result.alternative != "two-sided"
            or np.isnan(result.pvalue)
            or self._has_too_few_datasets(pair)
        ):
            return None
        measure = pair.evidence.measured_as if test.measures == "any" else ""
        return measured(test.name, measure=measure, scheme=self.scheme)

    def _of(self, pair: PairComparison) -> str:
        if np.isnan(pair.adjusted):
            why = pair.test.notes[0] if pair.test.notes else "the test has no answer here"
            return f"{pair.a} and {pair.b} cannot be compared in {self.measure}: {why}"
        is_flipped = (pair.difference.value > 0) != (self.better == "higher") and pair.difference.value != 0
        good, bad = (pair.b, pair.a) if is_flipped else (pair.a, pair.b)
        size = number(abs(pair.difference.value))
        interval = pair.difference.interval(1 - self.alpha)
        p = f"p = {pair.test.pvalue:.3g}"
        if len(self.pairs) > 1 and self.adjust != "none":
            p += f", {pair.adjusted:.3g} adjusted by {self.adjust}"
        sure = f"{pair.name} {number(pair.difference.value)}, {(1 - self.alpha) * 100:g} % interval {interval}"
        how = f"{sure}; {pair.test.method}, {p}"
        if pair.adjusted < self.alpha:
            word = "higher" if self.better == "higher" else "lower"
            return f"{good} is better than {bad}: its {self.measure} is {size} {word} ({how})"
        return f"{pair.a} and {pair.b} cannot be told apart in {self.measure} ({how})"

    def records(self, confidence: float | None = None) -> list[Record]:
        """Give one record for each pair, with every digit."""
        level = 1 - self.alpha if confidence is None else confidence
        return [self._record(pair, level) for pair in self.pairs]

    def _record(self, pair: PairComparison, level: float) -> Record:
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
            left, right = pair.bayesian.left, pair.bayesian.right
            worse, better = (left, right) if self.better == "higher" else (right, left)
            record |= {"b_better": worse, "equivalent": pair.bayesian.rope, "a_better": better}
        return {**record, "note": "; ".join(pair.test.notes)}

    def sheet(self, confidence: float | None = None) -> Sheet:
        """Give the table that is shown."""
        level = 1 - self.alpha if confidence is None else confidence
        rows, shown = [], self.shown
        has_effect = not all(np.isnan(one.effect) for one in shown)
        for pair in shown:
            record = self._record(pair, level)
            row: Record = {
                "difference": pair.name,
                self.measure: record["difference"],
                f"{level * 100:g} % interval": f"[{number(record['low'])}, {number(record['high'])}]",
                "p": f"{pair.test.pvalue:.3g}",
            }
            if len(self.pairs) > 1:
                row[f"p, {self.adjust}"] = f"{pair.adjusted:.3g}"
            if has_effect:
                row[self.effect_name] = pair.effect
            if pair.bayesian is not None:
                row["P(first better)"] = record["a_better"]
                row["P(equivalent)"] = record["equivalent"]
            rows.append(row)
        about = f"by {self._leading.test.method}; it speaks of {self.generalises}"
        if len(self.pairs) > 1 and self.adjust != "none":
            about += "; each interval is of its pair alone, the p-values allow for all pairs"
        left_out = len(self.pairs) - len(shown)
        rest = (f"{left_out} pairs of lower ranks are not shown; frame(), CSV and JSON have all",) if left_out else ()
        of_tests = dict.fromkeys(f"{pair.name}: {note}" for pair in shown for note in pair.test.notes)
        not_used = (
            f"not used: {test.title}, since {reason}"
            for test, reason in self.tests_valid.invalid
            if reason in test.invalid.values()  # tempting here; that a test is of another measure goes without saying
        )
        return Sheet.of(rows, self.verdict, (*rest, about, *self.notes, *of_tests, *not_used))

    def tests(self, a: str | None = None, b: str | None = None) -> Sheet:
        """Give all tests that are valid for a pair, with what each assumes: for a second opinion, not for shopping."""
        pair = self.pair(a, b)
        results = {}  # a test that chooses its variant itself gives the same one whichever is asked for
        for test in self.tests_valid.valid:
            for variant in test.variants or (None,):
                if test.apply is not None and pair.evidence is not None:
                    result = test.apply(pair.evidence, variant)
                    results[test, result.variant] = result
        rows = [
            {
                "test": test.title,
                "variant": variant,
                "statistic": result.statistic,
                "p": f"{result.pvalue:.3g}",
                "chosen": "*" if (test, variant) == (pair.test.test, pair.test.variant) else "",
                "assumes": test.assumes,
            }
            for (test, variant), result in results.items()
        ]
        if not rows:
            raise AssayError("no other test applies here.")
        return Sheet.of(rows, pair.name)

    def equivalence(self, margin: float, a: str | None = None, b: str | None = None) -> str:
        """Say whether a pair is shown to differ by less than the margin: two one-sided tests, as an interval.

        It is when the interval of confidence 1 - 2 alpha lies between minus the margin and the margin.
        """
        if check_number(margin, "margin") <= 0:
            must("margin", "a number above 0", given=margin)
        pair = self.pair(a, b)
        interval = pair.difference.interval(1 - 2 * self.alpha)
        is_shown = -margin < interval.low and interval.high < margin
        evidence = f"{(1 - 2 * self.alpha) * 100:g} % interval of {pair.name} {interval}"
        verb = "are shown to differ by less than" if is_shown else "are not shown to differ by less than"
        return f"{pair.a} and {pair.b} {verb} {margin:g} in {self.measure} ({evidence})"

    def to_dict(self, confidence: float | None = None) -> dict[str, Any]:
        values = {
            "measure": self.measure,
            "better": self.better,
            "verdict": self.verdict,
            "generalises": self.generalises,
            "alpha": self.alpha,
            "adjust": self.adjust,
            "values": {name: estimate.to_dict() for name, estimate in self.values.items()},
            "omnibus": None if self.omnibus is None else self.omnibus.to_dict(),
            "pairs": self.records(confidence),
            "invalid": [{"test": test.name, "reason": reason} for test, reason in self.tests_valid.invalid],
            "notes": list(self.notes),
        }
        if self.by_dataset:
            values["datasets"] = {name: one.to_dict(confidence) for name, one in self.by_dataset.items()}
        return dict(jsonable(values))

    def __repr__(self) -> str:
        return f"Comparison({self.measure}, {', '.join(self.names)})"


def pairs_of(names: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    """All pairs in order, or each classifier against the baseline."""
    if len(names) < 2:
        raise AssayError("a comparison needs at least two learners.")
    if baseline is None:
        return [(a, b) for index, a in enumerate(names) for b in names[index + 1 :]]
    one_of("baseline", baseline, names)
    return [(name, baseline) for name in names if name != baseline]


def adjusted(pairs: Sequence[PairComparison], method: str) -> tuple[PairComparison, ...]:
    """Adjust the p-values for the number of pairs."""
    raw = [pair.test.pvalue for pair in pairs]
    pvalues: Any = raw if method == "none" or len(pairs) == 1 else adjust(raw, method=method)
    return tuple(replace(pair, adjusted=float(p)) for pair, p in zip(pairs, pvalues, strict=True))


def first_answer(tests: Sequence[Test], evidence: Any) -> Any:
    """Apply the preferred one of the tests that can be applied to the evidence; None where there is none."""
    return next((test.apply(evidence, None) for test in tests if test.apply is not None), None)


def _chances(pair: PairComparison, better: str) -> str:
    result = pair.bayesian
    assert result is not None
    first, second = (result.right, result.left) if better == "higher" else (result.left, result.right)
    return (
        f"{pair.a} is better with a probability of {number(first)}, {pair.b} with {number(second)}, "
        f"and they differ by less than {result.width:g} with {number(result.rope)}"
    )
