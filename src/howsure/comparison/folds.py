"""Compare learners evaluated on the same splits of one data set."""

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
from howsure.errors import counted, inflect, must_be_one_of
from howsure.intervals.declare import difference_span
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
    """Compare learners by their values in each split of one data set.

    ``better`` is "higher" or "lower"; ``test`` names one of the valid tests; ``options`` are the fields of `Options`.
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
        "these learners on data of this kind, with training sets of this size",
        EFFECT,
        tests,
        f"{counted(design.splits, 'split')} of {design.scheme}",
        scheme=design.scheme,
    )


def preferring(name: str, tests: Sequence[Test]) -> tuple[Test, ...]:
    """Move the named test to the front."""
    usable = [test for test in tests if test.apply is not None]
    preferred = registry.get(name)
    if preferred is None or preferred not in usable:
        must_be_one_of("test", [test.name for test in usable], given=name)
    return (preferred, *(test for test in tests if test is not preferred))


def compare_pair(table: FoldTable, a: str, b: str, options: Options, test_name: str | None = None) -> PairComparison:
    """Compare two learners on the splits in which both have a value."""
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
        difference_span(table.span),
        is_five_by_two=kind == "five_by_two",
        repeat=repeat,
        chosen=tests[0].interval,
    )
    undefined = None if len(first) else "no split has a value for both learners"
    of = f"{a} - {b}, mean of {len(first)} splits"
    difference = Estimate(table.measure, basis.value, len(first), undefined, of, basis=basis)
    if len(first) < 2:
        return PairComparison(a, b, difference, no_answer("fewer than two splits have a value for both learners"))
    test = first_answer(tests, values)
    if lost:
        left_out = f"{counted(lost, 'split')} without a value for both learners {inflect('was', lost)} left out"
        test = replace(test, notes=(*test.notes, left_out))
    bayesian = partial(first_answer, valid_tests("any", kind, kind="bayesian").valid, values)
    effect = partial(effect_size, differences)
    return PairComparison(a, b, difference, test, evidence=values, find_effect=effect, find_bayesian=bayesian)


def design_of(design: Design, values: int | None = None) -> str:
    """Return the name of the design in declarations of tests."""
    if isinstance(design.scheme, FiveByTwo) and values in (None, 10):
        return "five_by_two"
    if not design.overlap:
        return "splits"
    return "repeated" if design.is_repeated else "overlapping"


def facts_of(design: Design) -> dict[str, Any]:
    """Return the parameters of the scheme for looking up simulations."""
    return dict(design.scheme.to_dict()) if hasattr(design.scheme, "to_dict") else {}


def both_defined(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    defined = np.isfinite(first) & np.isfinite(second)
    return first[defined], second[defined]


def _differences(first: Floats, second: Floats) -> Floats:
    """Return the differences, made equal if only rounding separates them."""
    differences = first - second
    without_rounding = rounded(differences, first, second)
    return differences if len(without_rounding) and np.ptp(without_rounding) else without_rounding


def no_answer(reason: str) -> TestResult:
    return TestResult(np.nan, np.nan, np.nan, "none", notes=(reason,))


def effect_size(differences: Floats) -> float:
    """Return the standardised mean difference."""
    if len(differences) < 2:
        return np.nan
    spread = float(differences.std(ddof=1))
    return float(differences.mean()) / spread if spread > 0 else (0.0 if not differences.any() else np.nan)
