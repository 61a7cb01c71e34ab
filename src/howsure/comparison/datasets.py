"""Compare learners over several data sets, with one value per data set."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from howsure.arrays import Floats
from howsure.comparison.declared import lab_name
from howsure.comparison.folds import EFFECT, both_defined, compare_folds, effect_size, no_answer
from howsure.comparison.options import Options, check_difference
from howsure.comparison.pair import PairComparison
from howsure.comparison.result import Comparison, adjusted, first_answer, pairs_of
from howsure.errors import HowsureError, counted
from howsure.intervals.declare import Span, difference_span
from howsure.intervals.mean import MeanOfValues
from howsure.intervals.signed_rank import SignedRanks
from howsure.results import Estimate
from howsure.significance import CriticalDifference, bayesian_hierarchical, critical_difference, valid_tests
from howsure.significance.evidence import ManyValues, PairedValues
from howsure.tables import FoldTable


def compare_datasets(tables: Sequence[FoldTable], better: str, **options: Any) -> Comparison:
    """Compare learners over several data sets, by the mean over splits.

    The interval of a difference is the Hodges-Lehmann interval, which agrees with the signed-rank test. If there
    are too few data sets for this test to reach the level, each data set is also judged separately, and all of them
    together by the hierarchical model.
    """
    chosen, learners = Options(**options), tables[0].learners
    check_difference("rope", chosen.rope, tables[0].measure)
    names = [table.dataset or f"data set {index + 1}" for index, table in enumerate(tables)]
    if len(set(names)) < len(names):
        raise HowsureError(f"data sets must have different names, not {', '.join(names)}.")
    if len({table.measure for table in tables}) > 1:
        raise HowsureError("data sets must have the same measure to be compared.")
    means = np.array([[table.estimate(name).value for name in learners] for table in tables])
    pairs = [_compare_pair(tables, means, a, b, chosen) for a, b in pairs_of(learners, chosen.baseline)]
    complete = means[np.isfinite(means).all(1)]
    omnibus = None
    if len(learners) > 2 and chosen.baseline is None and len(complete) > 1:
        many = ManyValues(complete, learners, better)
        omnibus = first_answer(valid_tests("any", "datasets", "many").valid, many)
    return Comparison(
        tables[0].measure,
        better,
        {name: _mean(tables, name, column) for name, column in zip(learners, means.T, strict=True)},
        adjusted(pairs, chosen.adjust),
        chosen,
        "new data sets of this kind",
        EFFECT,
        valid_tests("any", "datasets"),
        counted(len(tables), "data set"),
        omnibus,
        ranks=_ranks(complete, learners, better, chosen),
        by_dataset={name: compare_folds(table, better, **options) for name, table in zip(names, tables, strict=True)},
    )


def _compare_pair(tables: Sequence[FoldTable], means: Floats, a: str, b: str, options: Options) -> PairComparison:
    learners = tables[0].learners
    first, second = both_defined(means[:, learners.index(a)], means[:, learners.index(b)])
    basis = SignedRanks(first - second, difference_span(_span(tables)))
    undefined = None if len(first) else "no data set has a value for both learners"
    of = f"{a} - {b}, over {len(first)} data sets"
    difference = Estimate(tables[0].measure, basis.value, len(first), undefined, of, basis=basis)
    if not len(first):
        return PairComparison(a, b, difference, no_answer("no data set has a value for both learners"))
    setting = {"design": "datasets", "measure": lab_name(tables[0].measure), "datasets": len(first)}
    values = PairedValues(first, second, rope=options.rope, seed=options.seed, setting=setting)
    test = first_answer(valid_tests("any", "datasets").valid, values)
    if 2.0 ** (1 - len(first)) > options.alpha:
        bayesian = partial(_hierarchical, tables, a, b, options)
    else:
        bayesian = partial(first_answer, valid_tests("any", "datasets", kind="bayesian").valid, values)
    effect = partial(effect_size, first - second)
    return PairComparison(a, b, difference, test, evidence=values, find_effect=effect, find_bayesian=bayesian)


def _hierarchical(tables: Sequence[FoldTable], a: str, b: str, options: Options) -> Any:
    """Fit the hierarchical model to all splits of three or more data sets."""
    differences = []
    for table in tables:
        first, second = both_defined(table[a], table[b])
        if len(first) > 1:
            differences.append(first - second)
    if len(differences) < 3:
        return None  # too few data sets to estimate their distribution
    design = tables[0].design
    rho = design.test / (design.test + design.train) if design.overlap else 0.0
    return bayesian_hierarchical(differences, rho=rho, rope=options.rope, seed=options.seed)


def _ranks(means: Floats, learners: Sequence[str], better: str, options: Options) -> CriticalDifference | None:
    if len(learners) < 3 or len(means) < 2:
        return None
    return critical_difference(means, alpha=options.alpha, control=options.baseline, better=better, names=learners)


def _span(tables: Sequence[FoldTable]) -> Span:
    """Return the range of a mean over data sets."""
    return min(table.span[0] for table in tables), max(table.span[1] for table in tables)


def _mean(tables: Sequence[FoldTable], name: str, values: Floats) -> Estimate:
    basis = MeanOfValues(values[np.isfinite(values)], span=_span(tables))
    n = len(basis.values)
    undefined = None if n else "no data set has a value"
    of = f"{name}, mean over {n} data sets"
    return Estimate(tables[0].measure, basis.value, n, undefined, of, basis=basis)
