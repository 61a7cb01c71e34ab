"""Compare learners over several data sets, each of which counts once."""

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
from howsure.intervals.declare import Span, of_difference
from howsure.intervals.mean import MeanOfValues
from howsure.intervals.signed_rank import SignedRanks
from howsure.results import Estimate
from howsure.significance import CriticalDifference, bayesian_hierarchical, critical_difference, valid_tests
from howsure.significance.evidence import ManyValues, PairedValues
from howsure.tables import FoldTable


def compare_datasets(tables: Sequence[FoldTable], better: str, **options: Any) -> Comparison:
    """Compare learners over several data sets by the mean over the splits of each.

    The interval of a difference is that of Hodges and Lehmann, which belongs to the signed-rank test. Where there are
    so few data sets that this test cannot reach the level, each data set is judged by itself as well, and all of them
    by the hierarchical model.

    Parameters
    ----------
    tables
        A `FoldTable` for each data set, with the same learners and measure.
    better
        "higher" or "lower".
    **options
        ``baseline``, ``alpha``, ``adjust``, ``rope`` and ``seed``, as `compare` takes them.

    Returns
    -------
    Comparison
        The same as `ExperimentResult.compare` gives of several data sets.

    Examples
    --------
    >>> import howsure
    >>> from howsure.comparison import compare_datasets
    >>> from sklearn.naive_bayes import BernoulliNB, GaussianNB
    >>> y = [i % 3 > 0 for i in range(24)]
    >>> data = {f"toy {k}": ([[i % k, i % 2] for i in range(24)], y) for k in (4, 5)}
    >>> learners = {"gauss": GaussianNB(), "bernoulli": BernoulliNB()}
    >>> run = howsure.Experiment(learners, data, howsure.KFold(2)).run(progress=False)
    >>> compare_datasets([run.scores("accuracy", name) for name in data], "higher").sizes
    '2 data sets'
    """
    chosen, learners = Options(**options), tables[0].learners
    check_difference("rope", chosen.rope, tables[0].measure)
    names = [table.dataset or f"data set {index + 1}" for index, table in enumerate(tables)]
    if len(set(names)) < len(names):
        raise HowsureError(f"data sets must have different names, not {', '.join(names)}.")
    if len({table.measure for table in tables}) > 1:
        raise HowsureError("data sets must be measured by the same measure to be compared together.")
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
        "data sets like these",
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
    basis = SignedRanks(first - second, of_difference(_span(tables)))
    undefined = None if len(first) else "no data set has a value of both"
    of = f"{a} - {b}, over {len(first)} data sets"
    difference = Estimate(tables[0].measure, basis.value, len(first), undefined, of, basis=basis)
    if not len(first):
        return PairComparison(a, b, difference, no_answer("no data set has a value of both"))
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
    """Model the differences of all splits of all data sets; None where there are too few of either."""
    differences = []
    for table in tables:
        first, second = both_defined(table[a], table[b])
        if len(first) > 1:
            differences.append(first - second)
    if len(differences) < 3:
        return None
    design = tables[0].design
    rho = design.test / (design.test + design.train) if design.overlap else 0.0
    return bayesian_hierarchical(differences, rho=rho, rope=options.rope, seed=options.seed)


def _ranks(means: Floats, learners: Sequence[str], better: str, options: Options) -> CriticalDifference | None:
    if len(learners) < 3 or len(means) < 2:
        return None
    return critical_difference(means, alpha=options.alpha, control=options.baseline, better=better, names=learners)


def _span(tables: Sequence[FoldTable]) -> Span:
    """Give the range of a mean over data sets, each of which has its own."""
    return min(table.span[0] for table in tables), max(table.span[1] for table in tables)


def _mean(tables: Sequence[FoldTable], name: str, values: Floats) -> Estimate:
    basis = MeanOfValues(values[np.isfinite(values)], span=_span(tables))
    n = len(basis.values)
    undefined = None if n else "no data set has a value"
    of = f"{name}, mean over {n} data sets"
    return Estimate(tables[0].measure, basis.value, n, undefined, of, basis=basis)
