"""Comparison: who is better, by how much, how sure are we, and by which test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from howsure.assessment import Assessment
from howsure.assessment.estimate_table import opening_html
from howsure.checks import check_confidence, check_number, is_a, one_of
from howsure.comparison.declared import declared, tested_as
from howsure.comparison.judgement import Family, Judgement
from howsure.comparison.methods_text import methods_text
from howsure.comparison.options import Options, check_difference
from howsure.comparison.pair import PairComparison
from howsure.comparison.ranking import RULE, Ranking
from howsure.comparison.words import p_text, p_words, verdict
from howsure.errors import HowsureError, listing, must, must_be_one_of, one_line
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

MOST_SHOWN = 200  # pairs in a table for people
MOST_VALUES = 50  # classifiers in it
HINTS = ("why this test: c.tests()", "for a paper: c.methods_text()", 'page: c.report("page.html")')


@dataclass(frozen=True, eq=False)
class Comparison(Reported):
    """Classifiers compared by one measure: who is better, by how much, how sure that is, and by which test.

    `howsure.compare` and `ExperimentResult.compare` give it. The interval of each pair and its adjusted p-value agree:
    with an adjustment in a single step both are of all pairs together, and after others, such as Holm's, there are no
    intervals.

    Attributes
    ----------
    measure, better
        What they are compared by, and whether "higher" or "lower" is better.
    values
        The measure of each classifier, by name.
    pairs
        All pairs, or those with the baseline.
    options
        The level, the adjustment, the baseline and the difference that would not matter.
    generalises, sizes
        What the result is about (these cases, this algorithm on this data, or these data sets), and how many there are.
    effect_name
        What the effect sizes of the pairs are.
    tests_valid
        The declared tests that are valid here, and others with the reason why they are not.
    omnibus
        The test of all classifiers at once, where there are more than two and one is valid.
    notes
        What to know of it.
    scheme
        Of the resampling that the values are from.
    ranks
        Over several data sets, the mean ranks with their critical difference.
    by_dataset
        Over several data sets, a comparison for each.
    assessments
        Of each classifier, where they are compared on the same cases.
    alpha, adjust
        The level, and how several pairs are allowed for.
    names
        The classifiers.

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
    'a and b are not shown to differ by less than 0.05 in accuracy (90 % interval of a - b [0.083, 0.183])'
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
    scheme: Any = field(default=None, repr=False)  # of the resampling that the values are from
    ranks: Any = field(default=None, repr=False)
    by_dataset: Mapping[str, Comparison] = field(default_factory=dict, repr=False)
    assessments: Mapping[str, Assessment] = field(default_factory=dict, repr=False)  # of the same cases

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
    def _named(self) -> dict[frozenset[str], PairComparison]:
        return {frozenset((pair.a, pair.b)): pair for pair in self.pairs}

    def pair(self, a: str | None = None, b: str | None = None) -> PairComparison:
        """Give the pair of two classifiers; without names, that of the best two by value.

        Parameters
        ----------
        a, b
            The names of two classifiers.
        """
        if a is None and b is None:
            return self._leading
        if a is None or b is None:
            raise HowsureError("a pair has two names; give both, or none for the best two.")
        named = isinstance(a, str) and isinstance(b, str)
        pair = self._named.get(frozenset((a, b))) if named else None
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
        rank = {name: index for index, name in enumerate(self.ranking().names)}
        return lambda pair: sorted((rank[pair.a], rank[pair.b]))

    @property
    def shown(self) -> Sequence[PairComparison]:
        """The pairs that a table for people has, the best classifiers first: all, or the first of very many."""
        if self.options.baseline is not None and len(self.pairs) <= MOST_SHOWN:
            return self.pairs
        return sorted(self.pairs, key=self._place())[:MOST_SHOWN]

    def at(self, confidence: float | None) -> Comparison:
        """Give the same comparison judged at the level 1 - confidence; None leaves it as it is.

        Parameters
        ----------
        confidence
            Of the intervals of all pairs together.
        """
        if confidence is None:
            return self
        options = replace(self.options, alpha=1 - check_confidence(confidence))
        return replace(
            self, options=options, by_dataset={name: one.at(confidence) for name, one in self.by_dataset.items()}
        )

    @cached_property
    def family(self) -> Family:
        """What each pair is held to, so that ``alpha`` is the level of all pairs together."""
        m = max(sum(not np.isnan(pair.test.pvalue) for pair in self.pairs), 1)
        single = level_of_each(self.adjust if len(self.pairs) > 1 else "none", self.alpha, m)
        level = self.alpha / m if single is None else single
        return Family(self.better, self.alpha, level, self.options.rope, stepwise=single is None)

    def judge(self, pair: PairComparison) -> Judgement:
        """Say what is shown of a pair: that one is better, that both are practically equal, or neither.

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
        is_a("pair", pair, PairComparison, "one of the pairs of a comparison")
        return self.family.judge(pair)

    @cached_property
    def shown_pairs(self) -> Mapping[tuple[str, str], PairComparison]:
        """The pairs of which one is shown to be better, by the names of the better one and the other."""
        return {self.family.order(pair): pair for pair in self.pairs if self.family.shows(pair)}

    @cached_property
    def _ranking(self) -> Ranking:
        sign = -1 if self.better == "higher" else 1
        worth = {name: sign * estimate.value for name, estimate in self.values.items()}
        names = sorted(self.values, key=lambda name: (np.isnan(worth[name]), worth[name]))
        tiers: list[list[str]] = []
        for name in names:
            if np.isnan(worth[name]):
                continue
            if not tiers or any((member, name) in self.shown_pairs for member in tiers[-1]):
                tiers.append([])
            tiers[-1].append(name)
        values = {name: self.values[name] for name in names}
        return Ranking(self.measure, tuple(map(tuple, tiers)), values, 1 - self.alpha)

    def ranking(self) -> Ranking:
        """Give the classifiers from best to worst, in tiers of those that were not told apart.

        Going down by value, a new tier begins when a classifier is shown to be worse than any member of the current
        tier. ``tiers`` has the names by tier, ``names`` all of them.
        """
        return self._ranking

    @property
    def difference(self) -> Estimate:
        """The difference of the leading pair, with its interval."""
        return self._leading.difference

    @property
    def test(self) -> TestResult:
        """The test of two classifiers, or of all at once where there are more and such a test is valid."""
        return self._leading.test if self.omnibus is None else self.omnibus

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The verdict, sentence by sentence."""
        return (*verdict(self), *self._by_dataset_sentences(self._leading))

    @property
    def verdict(self) -> str:
        """Say who is better, by how much, how sure, and whether it matters."""
        return " ".join(self.sentences)

    @property
    def title(self) -> str:
        return self.verdict

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
            told = comparison.judge(comparison.pair(pair.a, pair.b))
            outcome = f"{told.good} is better" if told.is_shown else "cannot be told apart"
            value, p = number(told.pair.difference.value), p_words(told.pair.adjusted, comparison.alpha)
            sentences.append(f"{dataset}: {outcome} ({told.pair.name} {value}, {p}).")
        if pair.bayesian is not None:
            sentences.append(f"All together, {_chances(pair, self.better)} ({pair.bayesian.method}).")
        return sentences

    def _has_too_few_datasets(self, pair: PairComparison) -> bool:
        """So few data sets have a value of both that the signed-rank test cannot reach the level at all."""
        return bool(self.by_dataset) and 2.0 ** (1 - pair.difference.n) > self.alpha

    def _measured(self, pair: PairComparison) -> str | None:
        """What the lab says of the procedure, where it measured this very level and settings near these."""
        if self.alpha != LEVEL or np.isnan(pair.test.pvalue) or self._has_too_few_datasets(pair):
            return None
        # Of as many classifiers with all their pairs, where that was measured; else of the pair by itself.
        known = [pair.test.measured()]
        if len(self.names) > 2 and self.options.is_usual and pair.test.test is not None and pair.test.setting:
            known.insert(0, measured(pair.test.test.name, {**pair.test.setting, "classifiers": len(self.names)}))
        return next((one.text for one in known if one.is_known), None)

    def records(self, confidence: float | None = None) -> list[Record]:
        """Give one record for each pair, with every digit.

        Intervals and adjusted p-values are of all pairs together at ``confidence``; ``confidence_of_each`` is that of
        each interval by itself. After an adjustment in several steps there are no intervals.
        """
        here = self.at(confidence)
        return [here._record(pair) for pair in self.pairs]

    def _record(self, pair: PairComparison) -> Record:
        family, told = self.family, self.judge(pair)
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
            "outcome": told.outcome,
            "better": told.good if told.is_shown else "",
            self.effect_name.replace(" ", "_"): pair.effect,
        }
        if pair.bayesian is not None:
            left, right = pair.bayesian.left, pair.bayesian.right
            worse, better = (left, right) if self.better == "higher" else (right, left)
            record |= {"b_better": worse, "equivalent": pair.bayesian.rope, "a_better": better}
        missing = () if family.stepwise or not np.isnan(low) else pair.difference.interval(1 - family.level).notes
        return {**record, "note": "; ".join(dict.fromkeys((*missing, *pair.test.notes)))}

    def values_sheet(self, confidence: float | None = None) -> Sheet:
        """Give the table of each classifier's own value, best first.

        Parameters
        ----------
        confidence
            Of the intervals; default: that of the comparison.

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
        rows = ranking.sheet(MOST_VALUES).records()
        if len(ranking.names) == 2:
            rows = [{key: value for key, value in row.items() if key != "tier"} for row in rows]
        left_out = len(ranking.names) - len(rows)
        rest = [f"{left_out} classifiers of lower ranks are not shown; ranking() has all"] if left_out else []
        return Sheet.of(rows, notes=(*rest, *ranking.without_interval(MOST_VALUES)))

    def sheet(self, confidence: float | None = None) -> Sheet:
        """Give the table of the differences, with the verdict and notes."""
        return self.at(confidence)._sheet()

    def _sheet(self) -> Sheet:
        shown, family, several = self.shown, self.family, len(self.pairs) > 1
        level = f"{100 * (1 - self.alpha):g} %"
        together = several and self.adjust != "none"
        heading = f"{level}, all pairs together" if together else f"{level} interval"
        of_p = "p" if not together else f"p, {self.adjust}" if family.stepwise else "p (all pairs)"
        rows: list[Record] = []
        about: dict[str, list[str]] = {}  # what there is to know of intervals and tests, and of which pairs
        for pair, oriented in zip(shown, map(self.oriented, shown), strict=True):
            row: Record = {"difference": " - ".join(oriented["names"])}
            value, interval = with_interval(*(oriented[key] for key in ("difference", "low", "high")))
            row[spoken(self.measure)] = value
            if not family.stepwise:
                row[heading] = interval
            rows.append({**row, of_p: oriented["p"]})
            for note in (*oriented["notes"], *pair.test.notes):  # in which the first of the pair may be called "a"
                about.setdefault(note, []).append(pair.name)
        of_pairs = [note if not several else f"{listing(names)}: {note}" for note, names in about.items()]
        return Sheet.of(rows, self.verdict, self._notes(len(shown), of_pairs))

    def oriented(self, pair: PairComparison) -> Record:
        """Give a pair as tables and charts have it: the better one first, or the baseline last.

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
        told, keeps = self.judge(pair), self._keeps_order(pair)
        interval = pair.difference.interval(1 - self.family.level) if keeps else told.interval()
        low, high = (np.nan, np.nan) if self.family.stepwise else interval
        return {
            "names": (pair.a, pair.b) if keeps else (told.good, told.bad),
            "difference": pair.difference.value if keeps else told.change,
            "low": low,
            "high": high,
            "n": pair.difference.n,
            "p": p_text(pair.adjusted, self.alpha),
            "is_shown": told.is_shown,
            "notes": () if self.family.stepwise else interval.notes,
        }

    def _keeps_order(self, pair: PairComparison) -> bool:
        """Tell whether a pair is shown as it is: the first is the better one, or the second the baseline."""
        return self.options.baseline is not None or self.family.order(pair) == (pair.a, pair.b)

    def _notes(self, shown: int, of_pairs: Sequence[str]) -> tuple[str, ...]:
        """What there is to know beside the verdict and the tables."""
        leading, family = self._leading, self.family
        left_out = len(self.pairs) - shown
        rest = [f"{left_out} pairs of lower ranks are not shown; frame(), CSV and JSON have all"] if left_out else []
        methods = " or ".join(dict.fromkeys(pair.test.method for pair in self.pairs if not np.isnan(pair.test.pvalue)))
        about = f"{methods or leading.test.method}, {self.sizes}; it speaks of {self.generalises}"
        if self.omnibus is not None:
            rest.append(f"all together: {self.omnibus.method}, {p_words(self.omnibus.pvalue, self.alpha)}")
        tiers = self.ranking().tiers
        across = ((one, other) for above, below in pairwise(tiers) for one in above for other in below)
        if any(both not in self.shown_pairs and frozenset(both) in self._named for both in across):
            rest.append(RULE)
        if family.stepwise:
            rest.append(
                f"{self.adjust} adjusts p-values in several steps, which have no intervals that agree with them; "
                "each pair's own is in c.pair(a, b).difference"
            )
        rate = self._measured(leading)
        not_used = (f"not used: {test.title}, since {reason}" for test, reason in self.not_used)
        more = (*of_pairs, *([rate] if rate else []), *not_used)
        return (*rest, about, *self.notes, *self._about_two(), *more)

    @property
    def not_used(self) -> list[tuple[Test, str]]:
        """The tests of this measure that one might be tempted to use here, and why they were not."""
        kinds = (tested_as(declared(self.measure)), "any", "values")
        return [
            (test, reason)
            for test, reason in self.tests_valid.invalid
            if test.measures in kinds and reason in test.invalid.values()
        ]

    def _about_two(self) -> list[str]:
        """The effect size and the Bayesian twin of the only pair; of several, the records have them."""
        if len(self.pairs) > 1:
            return []
        pair = self.pairs[0]
        effect = pair.effect if self._keeps_order(pair) else pair.turned_effect
        said = [] if np.isnan(effect) else [f"{self.effect_name} {number(effect)}"]
        if pair.bayesian is not None and not self._has_too_few_datasets(pair):
            said.append(_chances(pair, self.better))
        return ["; ".join(said)] if said else []

    def _blocks(self) -> tuple[Sheet, Sheet]:
        """The two tables: values below the verdict, and differences above the notes."""
        values, differences = self._values_sheet(), self._sheet()
        notes = (*values.notes, *differences.notes)
        return replace(values, title=differences.title, notes=()), replace(differences, title="", notes=notes)

    def text_lines(
        self, width: int | None = None, confidence: float | None = None, *, hints: Sequence[str] = HINTS
    ) -> list[Line]:
        """Give the text line by line; ``hints`` say how to ask for more, in Python or at the terminal."""
        here, columns = self.at(confidence), check_width(width)
        values, differences = here._blocks()
        said = [Line(line.strip(), "headline") for line in wrap(one_line(here.verdict), columns)]
        notes = [Line(line, "note") for note in differences.notes for line in wrap(one_line(note), columns)]
        tables = [replace(table, title="", notes=()).text_lines(columns) for table in (values, differences)]
        return [*said, Line(""), *tables[0], Line(""), *tables[1], Line(""), *notes, *side_by_side(hints, columns)]

    def text(self, confidence: float | None = None, *, width: int | None = None) -> str:
        """Give what ``print`` shows: the verdict, the value of each, the differences, and notes."""
        return "\n".join(line.text for line in self.text_lines(width, confidence))

    def to_markdown(self, confidence: float | None = None) -> str:
        return "\n\n".join(block.to_markdown() for block in self.at(confidence)._blocks())

    def to_latex(self, confidence: float | None = None) -> str:
        return "\n\n".join(block.to_latex() for block in self.at(confidence)._blocks())

    def to_html(self, confidence: float | None = None) -> str:
        here = self.at(confidence)
        tables = "".join(replace(block, title="").to_html() for block in here._blocks())
        return opening_html([one_line(sentence) for sentence in here.sentences]) + tables

    def tests(self, a: str | None = None, b: str | None = None) -> Sheet:
        """Give all tests that are valid for a pair, with what each assumes: for a second opinion, not for shopping.

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
            raise HowsureError("no other test applies here.")
        return Sheet.of(rows, pair.name)

    def methods_text(self) -> str:
        """Give a paragraph for a paper: what was compared, by which tests and intervals, with references.

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
        """Say whether a pair is shown to differ by less than the margin: two one-sided tests, as an interval.

        It is when the interval of confidence 1 - 2 alpha lies between minus the margin and the margin.

        Parameters
        ----------
        margin
            The largest difference that would not matter.
        a, b
            The names of two classifiers; default: the best two.
        """
        if check_number(margin, "margin") <= 0:
            must("margin", "a number above 0", given=margin)
        check_difference("margin", margin, self.measure)
        pair = self.pair(a, b)
        interval = pair.difference.interval(1 - 2 * self.alpha)
        is_shown = -margin < interval.low and interval.high < margin
        of = f"{(1 - 2 * self.alpha) * 100:g} % interval of {pair.name}"
        missing = pair.difference.undefined or "; ".join(interval.notes)
        evidence = f"{of} {interval}" if not np.isnan(interval.low) else f"there is no {of}: {missing}"
        verb = "are shown to differ by less than" if is_shown else "are not shown to differ by less than"
        return f"{pair.a} and {pair.b} {verb} {margin:g} in {spoken(self.measure)} ({evidence})"

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
        """Give what a reader must know to get the same numbers: settings by name."""
        first = next(iter(self.assessments.values()), None)
        return {
            "measure": self.measure,
            "test": self._leading.test.method,
            "it speaks of": self.generalises,
            "level": self.alpha,
            "allowance for several pairs": self.adjust,
            "practically equal": f"within {self.options.rope:g}",
            "seed": self.options.seed,
            **({} if first is None else first.report_settings()),
            "text": self.methods_text(),
        }

    def to_dict(self, confidence: float | None = None) -> dict[str, Any]:
        here = self.at(confidence)
        values = {
            "measure": self.measure,
            "better": self.better,
            "verdict": here.verdict,
            "generalises": self.generalises,
            "alpha": here.alpha,
            "adjust": self.adjust,
            "values": {name: estimate.to_dict(1 - here.alpha) for name, estimate in self.values.items()},
            "tiers": here.ranking().tiers,
            "omnibus": None if self.omnibus is None else self.omnibus.to_dict(),
            "pairs": here.records(),
            "invalid": [{"test": test.name, "reason": reason} for test, reason in self.not_used],
            "notes": list(self.notes),
        }
        if self.by_dataset:
            values["datasets"] = {name: one.to_dict() for name, one in here.by_dataset.items()}
        return dict(jsonable(values))

    def drawings(self) -> dict[str, Callable[[], Any]]:
        """Name what else can be drawn: each classifier's own value, and over several data sets the mean ranks."""
        ranks = {} if self.ranks is None else {"ranks": lambda: self.ranks}
        return {"values": self.ranking, **ranks}

    def __repr__(self) -> str:
        return f"Comparison({self.measure}, {', '.join(self.names)})"


def pairs_of(names: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    """All pairs in order, or each classifier against the baseline."""
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
    """Apply the preferred one of the tests that can be applied to the evidence; None where there is none."""
    return next((test.apply(evidence, None) for test in tests if test.apply is not None), None)


def _chances(pair: PairComparison, better: str) -> str:
    result = pair.bayesian
    assert result is not None
    first, second = (result.right, result.left) if better == "higher" else (result.left, result.right)
    return (
        f"{pair.a} is better by more than {result.width:g} with a probability of {number(first)}, {pair.b} with "
        f"{number(second)}, and they differ by less with {number(result.rope)}"
    )
