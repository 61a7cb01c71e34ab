"""Compare learners measured on the same splits of one data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from howsure.arrays import Floats
from howsure.comparison.declared import lab_name
from howsure.comparison.options import Options, check_difference
from howsure.comparison.pair import PairComparison
from howsure.comparison.result import Comparison, adjusted, first_answer, pairs_of
from howsure.errors import counted, must_be_one_of
from howsure.intervals.declare import of_difference
from howsure.intervals.mean import MeanOfValues
from howsure.resampling.schemes import FiveByTwo
from howsure.results import Estimate, TestResult
from howsure.significance import valid_tests
from howsure.significance.declare import Test, registry
from howsure.significance.evidence import PairedValues
from howsure.significance.inputs import rounded
from howsure.tables import Design, FoldTable

EFFECT = "Cohen's d of pairs"


def compare_folds(table: FoldTable, better: str, *, test: str | None = None, **options: Any) -> Comparison:
    """Compare the learners of one data set on its splits, allowing for training sets that overlap.

    Parameters
    ----------
    table
        The values of a measure by split and learner.
    better
        "higher" or "lower".
    test
        The name of the test to use, one of those that are valid for the splits; default: the preferred one.
    **options
        ``baseline``, ``alpha``, ``adjust``, ``rope`` and ``seed``, as `compare` takes them.

    Returns
    -------
    Comparison
        The same as `ExperimentResult.compare` gives of one data set.

    Examples
    --------
    >>> import howsure
    >>> from howsure.comparison import compare_folds
    >>> from sklearn.naive_bayes import BernoulliNB, GaussianNB
    >>> X, y = [[i % 7, i % 2] for i in range(40)], [i % 3 > 0 for i in range(40)]
    >>> learners = {"gauss": GaussianNB(), "bernoulli": BernoulliNB()}
    >>> run = howsure.Experiment(learners, {"toy": (X, y)}, howsure.KFold(4)).run(progress=False)
    >>> compare_folds(run.scores("accuracy"), "higher").test.test.name
    'corrected_paired_t'
    """
    chosen, design = Options(**options), table.design
    check_difference("rope", chosen.rope, table.measure)
    tests = valid_tests("any", design_of(design))
    if test is not None:
        tests = replace(tests, valid=preferring(test, tests.valid))
    pairs = [compare_pair(table, a, b, chosen, test) for a, b in pairs_of(table.learners, chosen.baseline)]
    return Comparison(
        table.measure,
        better,
        {name: table.estimate(name) for name in table.learners},
        adjusted(pairs, chosen.adjust),
        chosen,
        "this learner on this data, as training sets of this size vary",
        EFFECT,
        tests,
        f"{counted(design.splits, 'split')} of {design.scheme}",
        scheme=design.scheme,
    )


def preferring(name: str, tests: Sequence[Test]) -> tuple[Test, ...]:
    """Put the test of a name first; one that is not among them, or needs more than values of splits, is refused."""
    usable = [test for test in tests if test.apply is not None]
    asked = registry.get(name)
    if asked is None or asked not in usable:
        must_be_one_of("test", [test.name for test in usable], given=name)
    return (asked, *(test for test in tests if test is not asked))


def compare_pair(table: FoldTable, a: str, b: str, options: Options, test_name: str | None = None) -> PairComparison:
    """Compare two learners by their values in the splits that have one of both."""
    defined = np.isfinite(table[a]) & np.isfinite(table[b])
    first, second = table[a][defined], table[b][defined]
    design, lost = table.design, len(table.values) - len(first)
    kind = design_of(design, len(first))
    repeat = table.repeat[defined] if kind in ("repeated", "five_by_two") else None
    ratio = design.ratio if design.overlap else 0.0
    setting = {"design": "splits", "measure": lab_name(table.measure), "cases": design.n, "scheme": facts_of(design)}
    values = PairedValues(first, second, ratio, options.rope, options.seed, repeat, setting)
    tests = valid_tests("any", kind).valid
    if test_name is not None and registry[test_name] in tests:
        tests = preferring(test_name, tests)
    differences = _differences(first, second)
    basis = MeanOfValues(
        differences,
        bool(design.overlap),
        design.ratio,
        of_difference(table.span),
        is_five_by_two=kind == "five_by_two",
        repeat=repeat,
        chosen=tests[0].interval,
    )
    undefined = None if len(first) else "no split has a value of both"
    of = f"{a} - {b}, mean of {len(first)} splits"
    difference = Estimate(table.measure, basis.value, len(first), undefined, of, basis=basis)
    if len(first) < 2:
        return PairComparison(a, b, difference, no_answer("fewer than two splits have a value of both"))
    test = first_answer(tests, values)
    if lost:
        test = replace(test, notes=(*test.notes, f"{lost} splits without a value of both were left out"))
    bayesian = partial(first_answer, valid_tests("any", kind, kind="bayesian").valid, values)
    effect = partial(effect_size, differences)
    return PairComparison(a, b, difference, test, evidence=values, find_effect=effect, find_bayesian=bayesian)


def design_of(design: Design, values: int | None = None) -> str:
    """Name the design as tests declare it; without some of its values, five by two folds are just folds."""
    if isinstance(design.scheme, FiveByTwo) and values in (None, 10):
        return "five_by_two"
    if not design.overlap:
        return "splits"
    return "repeated" if design.is_repeated else "overlapping"


def facts_of(design: Design) -> dict[str, Any]:
    """What makes a scheme the one that was simulated: its kind, folds, repeats and share of test cases."""
    return dict(design.scheme.to_dict()) if hasattr(design.scheme, "to_dict") else {}


def both_defined(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    defined = np.isfinite(first) & np.isfinite(second)
    return first[defined], second[defined]


def _differences(first: Floats, second: Floats) -> Floats:
    """Give the differences; those that only rounding tells apart are equal, as they are to the tests."""
    differences = first - second
    even = rounded(differences, first, second)
    return differences if len(even) and np.ptp(even) else even


def no_answer(reason: str) -> TestResult:
    return TestResult(np.nan, np.nan, np.nan, "none", notes=(reason,))


def effect_size(differences: Floats) -> float:
    """Mean difference in standard deviations of the differences."""
    if len(differences) < 2:
        return np.nan
    spread = float(differences.std(ddof=1))
    return float(differences.mean()) / spread if spread > 0 else (0.0 if not differences.any() else np.nan)
