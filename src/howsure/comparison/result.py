"""Comparison: differences with intervals, tests and a verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise, product
from typing import Any

import numpy as np

from howsure.assessment import Assessment
from howsure.assessment.estimate_table import opening_html
from howsure.checks import check_confidence, check_number, check_type, one_of
from howsure.comparison.declared import declared, tested_as
from howsure.comparison.judgement import Family, Judgement
from howsure.comparison.methods_text import methods_text
from howsure.comparison.options import Options, check_difference
from howsure.comparison.pair import PairComparison
from howsure.comparison.ranking import RULE, Ranking
from howsure.comparison.words import p_text, p_words, verdict
from howsure.errors import HowsureError, counted, listing, must, must_be_one_of, one_line
from howsure.measured.tests import LEVEL, measured
from howsure.present import Record, Sheet
from howsure.present.report.reported import Reported
from howsure.present.result import check_width
from howsure.present.value_text import jsonable, number, spoken, with_interval
from howsure.present.words import Line, side_by_side, wrap
from howsure.results import Estimate, TestResult
from howsure.significance import adjust
from howsure.significance.declare import Test, ValidTests
from howsure.significance.multiplicity import level_of_each

MAX_PAIRS = 200  # maximum number of pairs in a printed table
MAX_VALUES = 50  # maximum number of classifiers in a printed table
HINTS = ("why this test: c.tests()", "for a paper: c.methods_text()", 'page: c.report("page.html")')


@dataclass(frozen=True, eq=False)
class Comparison(Reported):
    """Comparison of classifiers by one measure.

    `howsure.compare` and `ExperimentResult.compare` return it. The interval of each pair agrees with its adjusted
    p-value: single-step adjustments make both hold for all pairs together, and stepwise adjustments, such as Holm's,
    have no intervals.

    Attributes
    ----------
    measure, better
        The name of the measure, and whether "higher" or "lower" is better.
    values
        The estimate for each classifier, by name.
    pairs
        All pairs, or those that include the baseline.
    options
        The significance level, the adjustment, the baseline and the region of practical equivalence.
    generalises, sizes
        The population to which the result applies, and the sample size.
    effect_name
        The name of the effect size of pairs.
    tests_valid
        The tests that are valid here, and others with the reason why they are not.
    omnibus
        The test of all classifiers together, if there are more than two and one is valid.
    notes
        Notes on the comparison.
    scheme
        The resampling scheme, if the values come from splits.
    ranks
        The mean ranks with their critical difference, over several data sets.
    by_dataset
        The comparison for each of several data sets.
    assessments
        The assessment of each classifier, if they are compared on the same cases.
    alpha, adjust
        The significance level, and the adjustment for several pairs.
    names
        The names of the classifiers.

    Examples
    --------
    >>> import howsure
    >>> truth = [0, 0, 1, 1] * 30
    >>> c = howsure.compare(truth, {"a": truth, "b": [0, 0, 1, 1, 0, 0, 1, 0] * 15, "c": [1, 0, 0, 1] * 30})
    >>> c.names, c.pair("b", "c").difference
    (('a', 'b', 'c'), Estimate(accuracy=0.375 [0.243, 0.492], of='b - c', n=120))
    >>> c.ranking().tiers
    (('a',), ('b',), ('c',))
    >>> c.test.test.name, round(c.at(0.99).alpha, 2)
    ('cochran_q', 0.01)
    >>> c.equivalence(0.05, "a", "b")
    'Not shown: a and b may differ by 0.05 or more in accuracy (90 % interval of a - b [0.083, 0.183])'
    """

    measure: str
    better: str
    values: dict[str, Estimate] = field(repr=False)
    pairs: tuple[PairComparison, ...] = field(repr=False)
    options: Options
    generalises: str
    effect_name: str
    tests_valid: ValidTests = field(repr=False)
    sizes: str = ""
    omnibus: TestResult | None = None
    notes: tuple[str, ...] = ()
    scheme: Any = field(default=None, repr=False)
    ranks: Any = field(default=None, repr=False)
    by_dataset: Mapping[str, Comparison] = field(default_factory=dict, repr=False)
    assessments: Mapping[str, Assessment] = field(default_factory=dict, repr=False)

    @property
    def alpha(self) -> float:
        return self.options.alpha

    @property
    def adjust(self) -> str:
        return self.options.adjust

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.values)

    @cached_property
    def _pair_by_names(self) -> dict[frozenset[str], PairComparison]:
        return {frozenset((pair.a, pair.b)): pair for pair in self.pairs}

    def pair(self, a: str | None = None, b: str | None = None) -> PairComparison:
        """Return the pair of two classifiers, by default the best two.

        Parameters
        ----------
        a, b
            The names of two classifiers.
        """
        if a is None and b is None:
            return self._leading
        if a is None or b is None:
            raise HowsureError("a pair needs two names; give both, or none for the best two.")
        are_names = isinstance(a, str) and isinstance(b, str)
        pair = self._pair_by_names.get(frozenset((a, b))) if are_names else None
        if pair is None:
            must_be_one_of("pair", [pair.name for pair in self.pairs], given=f"{a} - {b}")
        return pair

    @cached_property
    def _leading(self) -> PairComparison:
        """The only pair, or the pair of the best two classifiers."""
        if len(self.pairs) == 1:
            return self.pairs[0]
        return min(self.pairs, key=self._rank_key())

    def _rank_key(self) -> Callable[[PairComparison], list[int]]:
        """Return a sort key that puts pairs of the best classifiers first."""
        rank = {name: index for index, name in enumerate(self.ranking().names)}
        return lambda pair: sorted((rank[pair.a], rank[pair.b]))

    @property
    def shown(self) -> Sequence[PairComparison]:
        """The pairs in a printed table, the best classifiers first."""
        if self.options.baseline is not None and len(self.pairs) <= MAX_PAIRS:
            return self.pairs
        return sorted(self.pairs, key=self._rank_key())[:MAX_PAIRS]

    def at(self, confidence: float | None) -> Comparison:
        """Return the same comparison at the significance level 1 - confidence.

        Parameters
        ----------
        confidence
            Joint confidence level of the intervals; None for no change.
        """
        if confidence is None:
            return self
        options = replace(self.options, alpha=1 - check_confidence(confidence))
        return replace(
            self,
            options=options,
            by_dataset={name: comparison.at(confidence) for name, comparison in self.by_dataset.items()},
        )

    @cached_property
    def family(self) -> Family:
        """The level of each pair that controls ``alpha`` for all pairs together."""
        m = max(sum(not np.isnan(pair.test.pvalue) for pair in self.pairs), 1)
        level = level_of_each(self.adjust if len(self.pairs) > 1 else "none", self.alpha, m)
        bonferroni = self.alpha / m
        return Family(
            self.better, self.alpha, bonferroni if level is None else level, self.options.rope, stepwise=level is None
        )

    def judge(self, pair: PairComparison) -> Judgement:
        """Decide whether one is better, both are equivalent, or neither is shown.

        Parameters
        ----------
        pair
            One of ``pairs``.

        Examples
        --------
        >>> import howsure
        >>> truth = [0, 0, 1, 1] * 30
        >>> c = howsure.compare(truth, {"a": truth, "b": [0, 0, 1, 1, 0, 0, 1, 0] * 15})
        >>> c.judge(c.pairs[0]).outcome, c.judge(c.pairs[0]).good
        ('better', 'a')
        """
        check_type("pair", pair, PairComparison, "one of the pairs of a comparison")
        return self.family.judge(pair)

    @cached_property
    def shown_pairs(self) -> Mapping[tuple[str, str], PairComparison]:
        """The pairs with a significant difference, by (better, worse)."""
        return {self.family.order(pair): pair for pair in self.pairs if self.family.shows(pair)}

    @cached_property
    def _ranking(self) -> Ranking:
        sign = -1 if self.better == "higher" else 1
        loss = {name: sign * estimate.value for name, estimate in self.values.items()}
        names = sorted(self.values, key=lambda name: (np.isnan(loss[name]), loss[name]))
        tiers: list[list[str]] = []
        for name in names:
            if np.isnan(loss[name]):
                continue
            if not tiers or any((member, name) in self.shown_pairs for member in tiers[-1]):
                tiers.append([])
            tiers[-1].append(name)
        values = {name: self.values[name] for name in names}
        return Ranking(self.measure, tuple(map(tuple, tiers)), values, 1 - self.alpha)

    def ranking(self) -> Ranking:
        """Return the classifiers from best to worst, in tiers.

        A new tier starts where a classifier is significantly worse than a member of the tier above.
        """
        return self._ranking

    @property
    def difference(self) -> Estimate:
        """The difference between the leading two, with its interval."""
        return self._leading.difference

    @property
    def test(self) -> TestResult:
        """The test of all classifiers together, or else of the leading pair."""
        return self._leading.test if self.omnibus is None else self.omnibus

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The verdict, sentence by sentence."""
        return (*verdict(self), *self._by_dataset_sentences(self._leading))

    @property
    def verdict(self) -> str:
        """Which is better, by how much, how certain this is, and if it matters."""
        return " ".join(self.sentences)

    @property
    def title(self) -> str:
        return self.verdict

    def _by_dataset_sentences(self, pair: PairComparison) -> list[str]:
        """Describe each data set if there are too few for a test."""
        if not self._has_too_few_datasets(pair):
            return []
        n = int(pair.difference.n)
        sentences = [
            f"With {counted(n, 'data set')} this test can never reach the {self.alpha * 100:g} % level, so each data "
            "set is judged separately."
        ]
        for dataset, comparison in self.by_dataset.items():
            judgement = comparison.judge(comparison.pair(pair.a, pair.b))
            outcome = f"{judgement.good} is better" if judgement.is_shown else "no significant difference"
            value, p = number(judgement.pair.difference.value), p_words(judgement.pair.adjusted, comparison.alpha)
            sentences.append(f"{dataset}: {outcome} ({judgement.pair.name} {value}, {p}).")
        if pair.bayesian is not None:
            sentences.append(f"All data sets together: {_probabilities(pair, self.better)} ({pair.bayesian.method}).")
        return sentences

    def _has_too_few_datasets(self, pair: PairComparison) -> bool:
        """Return whether the signed-rank test can never reach the level."""
        return bool(self.by_dataset) and 2.0 ** (1 - pair.difference.n) > self.alpha

    def _simulated_error_rate(self, pair: PairComparison) -> str | None:
        """Return the simulated type-I error of the test, if known."""
        if self.alpha != LEVEL or np.isnan(pair.test.pvalue) or self._has_too_few_datasets(pair):
            return None
        # Prefer simulations of all pairs of this many classifiers to those of a single pair.
        simulations = [pair.test.measured()]
        if len(self.names) > 2 and self.options.is_usual and pair.test.test is not None and pair.test.setting:
            simulations.insert(0, measured(pair.test.test.name, {**pair.test.setting, "classifiers": len(self.names)}))
        return next((simulation.text for simulation in simulations if simulation.is_known), None)

    def records(self, confidence: float | None = None) -> list[Record]:
        """Return one record for each pair, unrounded.

        Intervals and adjusted p-values hold for all pairs together at ``confidence``; ``confidence_of_each`` is the
        level of each single interval. After a stepwise adjustment there are no intervals.
        """
        comparison = self.at(confidence)
        return [comparison._record(pair) for pair in self.pairs]

    def _record(self, pair: PairComparison) -> Record:
        family, judgement = self.family, self.judge(pair)
        low, high = (np.nan, np.nan) if family.stepwise else pair.difference.interval(1 - family.level)
        record: Record = {
            "a": pair.a,
            "b": pair.b,
            "measure": self.measure,
            "value_a": self.values[pair.a].value,
            "value_b": self.values[pair.b].value,
            "difference": pair.difference.value,
            "low": low,
            "high": high,
            "confidence": 1 - self.alpha,
            "confidence_of_each": np.nan if family.stepwise else 1 - family.level,
            "test": pair.test.method,
            "statistic": pair.test.statistic,
            "pvalue": pair.test.pvalue,
            "adjusted": pair.adjusted,
            "outcome": judgement.outcome,
            "better": judgement.good if judgement.is_shown else "",
            self.effect_name.replace(" ", "_"): pair.effect,
        }
        if pair.bayesian is not None:
            left, right = pair.bayesian.left, pair.bayesian.right
            worse, better = (left, right) if self.better == "higher" else (right, left)
            record |= {"b_better": worse, "equivalent": pair.bayesian.rope, "a_better": better}
        missing = () if family.stepwise or not np.isnan(low) else pair.difference.interval(1 - family.level).notes
        return {**record, "note": "; ".join(dict.fromkeys((*missing, *pair.test.notes)))}

    def values_sheet(self, confidence: float | None = None) -> Sheet:
        """Return a table of the values of the classifiers, the best first.

        Parameters
        ----------
        confidence
            Confidence level of the intervals; default: that of the comparison.

        Examples
        --------
        >>> import howsure
        >>> truth = [0, 0, 1, 1] * 30
        >>> print(howsure.compare(truth, {"a": truth, "b": [0, 0, 1, 1, 0, 0, 1, 0] * 15}).values_sheet())
        classifier  accuracy  95 % interval
        ----------  --------  --------------
        a              1.000  [0.969, 1.000]
        b              0.875  [0.804, 0.923]
        """
        return self.at(confidence)._values_sheet()

    def _values_sheet(self) -> Sheet:
        ranking = self.ranking()
        rows = ranking.sheet(MAX_VALUES).records()
        if len(ranking.names) == 2:
            rows = [{key: value for key, value in row.items() if key != "tier"} for row in rows]
        left_out = len(ranking.names) - len(rows)
        notes = [f"{left_out} lower-ranked classifiers are not shown; ranking() has all"] if left_out else []
        return Sheet.of(rows, notes=(*notes, *ranking.without_interval(MAX_VALUES)))

    def sheet(self, confidence: float | None = None) -> Sheet:
        """Return the table of differences, with the verdict and notes."""
        return self.at(confidence)._sheet()

    def _sheet(self) -> Sheet:
        shown, family, several = self.shown, self.family, len(self.pairs) > 1
        level = f"{100 * (1 - self.alpha):g} %"
        is_joint = several and self.adjust != "none"
        heading = f"{level}, all pairs together" if is_joint else f"{level} interval"
        p_heading = "p" if not is_joint else f"p, {self.adjust}" if family.stepwise else "p (all pairs)"
        rows: list[Record] = []
        names_by_note: dict[str, list[str]] = {}
        for pair, oriented in zip(shown, map(self.oriented, shown), strict=True):
            row: Record = {"difference": " - ".join(oriented["names"])}
            value, interval = with_interval(*(oriented[key] for key in ("difference", "low", "high")))
            row[spoken(self.measure)] = value
            if not family.stepwise:
                row[heading] = interval
            rows.append({**row, p_heading: oriented["p"]})
            for note in (*oriented["notes"], *pair.test.notes):
                names_by_note.setdefault(note, []).append(pair.name)
        pair_notes = [note if not several else f"{listing(names)}: {note}" for note, names in names_by_note.items()]
        return Sheet.of(rows, self.verdict, self._notes(len(shown), pair_notes))

    def oriented(self, pair: PairComparison) -> Record:
        """Return a pair as tables and charts show it.

        Parameters
        ----------
        pair
            One of ``pairs``.

        Examples
        --------
        >>> import howsure
        >>> truth = [0, 0, 1, 1] * 30
        >>> c = howsure.compare(truth, {"a": [0, 0, 1, 1, 0, 0, 1, 0] * 15, "b": truth})
        >>> c.pairs[0].name, c.oriented(c.pairs[0])["names"]
        ('a - b', ('b', 'a'))
        """
        judgement, keeps_order = self.judge(pair), self._keeps_order(pair)
        interval = pair.difference.interval(1 - self.family.level) if keeps_order else judgement.interval()
        low, high = (np.nan, np.nan) if self.family.stepwise else interval
        return {
            "names": (pair.a, pair.b) if keeps_order else (judgement.good, judgement.bad),
            "difference": pair.difference.value if keeps_order else judgement.change,
            "low": low,
            "high": high,
            "n": pair.difference.n,
            "p": p_text(pair.adjusted, self.alpha),
            "is_shown": judgement.is_shown,
            "notes": () if self.family.stepwise else interval.notes,
        }

    def _keeps_order(self, pair: PairComparison) -> bool:
        """Return whether a pair is shown as a - b."""
        return self.options.baseline is not None or self.family.order(pair) == (pair.a, pair.b)

    def _notes(self, shown: int, pair_notes: Sequence[str]) -> tuple[str, ...]:
        """Return the notes below the tables."""
        leading = self._leading
        left_out = len(self.pairs) - shown
        notes = [f"{left_out} lower-ranked pairs are not shown; frame(), CSV and JSON have all"] if left_out else []
        if self.omnibus is not None:
            p = p_words(self.omnibus.pvalue, self.alpha)
            notes.append(f"all classifiers together: {self.omnibus.method}, {p}")
        neighbours = (names for tiers in pairwise(self.ranking().tiers) for names in product(*tiers))
        if any(names not in self.shown_pairs and frozenset(names) in self._pair_by_names for names in neighbours):
            notes.append(RULE)
        if self.family.stepwise:
            notes.append(
                f"{self.adjust} adjusts p-values stepwise, so no intervals agree with them; the unadjusted interval of "
                "a pair is in c.pair(a, b).difference"
            )
        methods = " or ".join(dict.fromkeys(pair.test.method for pair in self.pairs if not np.isnan(pair.test.pvalue)))
        notes.append(f"{methods or leading.test.method} on {self.sizes}; applies to {self.generalises}")
        notes += [*self.notes, *self._effect_notes(), *pair_notes]
        if error_rate := self._simulated_error_rate(leading):
            notes.append(error_rate)
        return (*notes, *(f"not used: {test.title}, because {reason}" for test, reason in self.not_used))

    @property
    def not_used(self) -> list[tuple[Test, str]]:
        """Common tests for this measure that are not valid here, with the reasons."""
        kinds = (tested_as(declared(self.measure)), "any", "values")
        return [
            (test, reason)
            for test, reason in self.tests_valid.invalid
            if test.measures in kinds and reason in test.invalid.values()
        ]

    def _effect_notes(self) -> list[str]:
        """Return the effect size and the Bayesian comparison of a single pair."""
        if len(self.pairs) > 1:
            return []
        pair = self.pairs[0]
        effect = pair.effect if self._keeps_order(pair) else pair.reversed_effect
        notes = [] if np.isnan(effect) else [f"{self.effect_name} {number(effect)}"]
        if pair.bayesian is not None and not self._has_too_few_datasets(pair):
            notes.append(_probabilities(pair, self.better))
        return ["; ".join(notes)] if notes else []

    def _blocks(self) -> tuple[Sheet, Sheet]:
        """Return the tables of values and of differences."""
        values, differences = self._values_sheet(), self._sheet()
        notes = (*values.notes, *differences.notes)
        return replace(values, title=differences.title, notes=()), replace(differences, title="", notes=notes)

    def text_lines(
        self, width: int | None = None, confidence: float | None = None, *, hints: Sequence[str] = HINTS
    ) -> list[Line]:
        """Return the lines of the text, followed by ``hints``."""
        comparison, columns = self.at(confidence), check_width(width)
        values, differences = comparison._blocks()
        verdict_lines = [Line(line.strip(), "headline") for line in wrap(one_line(comparison.verdict), columns)]
        notes = [Line(line, "note") for note in differences.notes for line in wrap(one_line(note), columns)]
        tables = [replace(table, title="", notes=()).text_lines(columns) for table in (values, differences)]
        blank = Line("")
        return [*verdict_lines, blank, *tables[0], blank, *tables[1], blank, *notes, *side_by_side(hints, columns)]

    def text(self, confidence: float | None = None, *, width: int | None = None) -> str:
        """Return the text that ``print`` shows."""
        return "\n".join(line.text for line in self.text_lines(width, confidence))

    def to_markdown(self, confidence: float | None = None) -> str:
        return "\n\n".join(block.to_markdown() for block in self.at(confidence)._blocks())

    def to_latex(self, confidence: float | None = None) -> str:
        return "\n\n".join(block.to_latex() for block in self.at(confidence)._blocks())

    def to_html(self, confidence: float | None = None) -> str:
        comparison = self.at(confidence)
        tables = "".join(replace(block, title="").to_html() for block in comparison._blocks())
        return opening_html([one_line(sentence) for sentence in comparison.sentences]) + tables

    def tests(self, a: str | None = None, b: str | None = None) -> Sheet:
        """Apply all tests that are valid for a pair, with their assumptions.

        This is a second opinion; do not choose a test by its p-value.

        Parameters
        ----------
        a, b
            The names of two classifiers; default: the best two.

        Examples
        --------
        >>> import howsure
        >>> truth = [0, 0, 1, 1] * 30
        >>> c = howsure.compare(truth, {"a": truth, "b": [0, 0, 1, 1, 0, 0, 1, 0] * 15})
        >>> c.tests().columns
        ['test', 'variant', 'statistic', 'p', 'chosen', 'assumes']
        """
        pair = self.pair(a, b)
        results = {}  # results by the variant used, since some tests choose it themselves
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
            raise HowsureError("no other test applies here.")
        return Sheet.of(rows, pair.name)

    def methods_text(self) -> str:
        """Return a paragraph for the methods section of a paper, with references.

        Examples
        --------
        >>> import howsure
        >>> truth = [0, 0, 1, 1] * 30
        >>> c = howsure.compare(truth, {"a": truth, "b": [0, 0, 1, 1, 0, 0, 1, 0] * 15})
        >>> c.methods_text()[:60]
        'Accuracy of a and b was compared on 120 paired cases. The di'
        """
        return methods_text(self)

    def equivalence(self, margin: float, a: str | None = None, b: str | None = None) -> str:
        """Test whether a pair differs by less than the margin; answer in words.

        This is the case if the interval with confidence 1 - 2 alpha lies within the margin of 0, which is the two
        one-sided tests procedure.

        Parameters
        ----------
        margin
            The largest difference that does not matter.
        a, b
            The names of two classifiers; default: the best two.
        """
        if check_number(margin, "margin") <= 0:
            must("margin", "a number above 0", given=margin)
        check_difference("margin", margin, self.measure)
        pair = self.pair(a, b)
        interval = pair.difference.interval(1 - 2 * self.alpha)
        is_shown = -margin < interval.low and interval.high < margin
        evidence = f"{(1 - 2 * self.alpha) * 100:g} % interval of {pair.name}"
        if np.isnan(interval.low):
            evidence = f"there is no {evidence}: {pair.difference.undefined or '; '.join(interval.notes)}"
        else:
            evidence = f"{evidence} {interval}"
        measure = spoken(self.measure)
        if is_shown:
            return f"{pair.a} and {pair.b} differ by less than {margin:g} in {measure} ({evidence})"
        return f"Not shown: {pair.a} and {pair.b} may differ by {margin:g} or more in {measure} ({evidence})"

    @property
    def report_title(self) -> str:
        return f"{' and '.join(self.names) if len(self.names) == 2 else f'{len(self.names)} classifiers'} compared"

    @property
    def report_about(self) -> str:
        return f"Compared by {spoken(self.measure)}: {self.sizes}"

    def views(self) -> dict[str, Any]:
        ranked = {name: self.assessments[name] for name in self.ranking().names if name in self.assessments}
        return {"Comparison": self, "Assessments": ranked, "Settings": self.report_settings()}

    def report_settings(self) -> dict[str, Any]:
        """Return the settings needed to reproduce the numbers, by name."""
        first = next(iter(self.assessments.values()), None)
        return {
            "measure": self.measure,
            "test": self._leading.test.method,
            "applies to": self.generalises,
            "significance level": self.alpha,
            "adjustment for several pairs": self.adjust,
            "practically equal": f"within {self.options.rope:g}",
            "seed": self.options.seed,
            **({} if first is None else first.report_settings()),
            "text": self.methods_text(),
        }

    def to_dict(self, confidence: float | None = None) -> dict[str, Any]:
        comparison = self.at(confidence)
        values = {
            "measure": self.measure,
            "better": self.better,
            "verdict": comparison.verdict,
            "generalises": self.generalises,
            "alpha": comparison.alpha,
            "adjust": self.adjust,
            "values": {name: estimate.to_dict(1 - comparison.alpha) for name, estimate in self.values.items()},
            "tiers": comparison.ranking().tiers,
            "omnibus": None if self.omnibus is None else self.omnibus.to_dict(),
            "pairs": comparison.records(),
            "invalid": [{"test": test.name, "reason": reason} for test, reason in self.not_used],
            "notes": list(self.notes),
        }
        if self.by_dataset:
            values["datasets"] = {name: dataset.to_dict() for name, dataset in comparison.by_dataset.items()}
        return dict(jsonable(values))

    def drawings(self) -> dict[str, Callable[[], Any]]:
        """Return the charts by name."""
        ranks = {} if self.ranks is None else {"ranks": lambda: self.ranks}
        return {"values": self.ranking, **ranks}

    def __repr__(self) -> str:
        return f"Comparison({self.measure}, {', '.join(self.names)})"


def pairs_of(names: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    """Return all pairs in order, or each classifier paired with the baseline."""
    if len(names) < 2:
        raise HowsureError("a comparison needs at least two learners.")
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
    """Apply the first test that can be applied; None if there is none."""
    return next((test.apply(evidence, None) for test in tests if test.apply is not None), None)


def _probabilities(pair: PairComparison, better: str) -> str:
    result = pair.bayesian
    assert result is not None
    first, second = (result.right, result.left) if better == "higher" else (result.left, result.right)
    return (
        f"{pair.a} is better by more than {result.width:g} with probability {number(first)}, {pair.b} with probability "
        f"{number(second)}, and they differ by less with probability {number(result.rope)}"
    )
