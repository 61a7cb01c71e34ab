"""Compare answers that are right or wrong, or scored from 0 to 1.

One right or wrong answer per case is compared by McNemar's test. Scores, and several answers per case, are compared by
the difference of each case, which removes the variation in difficulty between cases.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, cast

import numpy as np

from howsure.assessment.outcomes import outcomes_of
from howsure.comparison.cases import APPLIES_TO, ODDS, STANDARDISED, compare_pair
from howsure.comparison.options import Options
from howsure.comparison.pair import PairComparison
from howsure.comparison.result import Comparison, adjusted, first_answer, pairs_of
from howsure.data.predictions import Key
from howsure.data.read.outcomes import gather_outcomes
from howsure.errors import HowsureError, counted
from howsure.measures.agreement import accuracy as accuracy_of_labels
from howsure.measures.estimate.difference import difference
from howsure.measures.estimate.outcomes import MeanDifference, PairedValues, estimate_outcomes
from howsure.measures.outcomes import OutcomeMeasure, accuracy, mean_score, registry
from howsure.measures.spec import read_spec
from howsure.results import Estimate
from howsure.significance import valid_tests
from howsure.significance.evidence import ManyAnswers, OutcomeAnswers
from howsure.tables.outcomes import Outcomes
from howsure.tables.paired import PairedTable

LABELS = ("right", "wrong")


def compare_columns(
    correct: Mapping[str, Any], keys: Mapping[str, Any], data: Any = None,
    file_format: str | None = None, measure: str | None = None,
    **options: Any,
) -> Comparison:  # fmt: skip
    """Compare columns of answers, one for each classifier."""
    if not isinstance(correct, Mapping) or len(correct) < 2:
        raise HowsureError("`correct` must be a mapping of at least two names to columns, as {'old': ..., 'new': ...}.")
    named = {str(name): column for name, column in correct.items()}
    read = gather_outcomes(named, keys, data, file_format)
    outcomes = {name: outcomes_of(column, read.keys) for name, column in read.scores.items()}
    return compare_outcomes(outcomes, measure, **options)


def compare_outcomes(outcomes: Mapping[str, Outcomes], measure: str | None = None, **options: Any) -> Comparison:
    """Compare outcomes of the same cases; ``options`` are the fields of `Options`."""
    columns = list(outcomes.values())
    graded = any(column.graded for column in columns)
    name = measure or (mean_score if graded else accuracy).__name__
    spec, parameters = read_spec(name, registry)
    declared, chosen = registry[spec], Options(**options)
    declared.check(parameters)
    values = {key: estimate_outcomes(column, declared, **parameters) for key, column in outcomes.items()}
    counts = declared.name == accuracy.__name__ and not any(column.repeated for column in columns)
    clusters = columns[0].clusters
    design, kind = "cases" if clusters is None else "clusters", "accuracy" if counts else "any"
    tests = valid_tests(kind, design)
    pairs = []
    for a, b in pairs_of(list(outcomes), chosen.baseline):
        if counts:
            table = _table(outcomes[a], outcomes[b])
            pairs.append(compare_pair(a, b, difference(table, accuracy_of_labels), tests.valid, chosen))
        else:
            pairs.append(_compare_means((a, b), outcomes, values, (declared, parameters), chosen))
    omnibus = None
    if counts and len(columns) > 2 and chosen.baseline is None:
        truth = np.zeros(len(columns[0]), np.int64)  # treat "right" as the true label of every case
        decided = [(column.total == 0).astype(np.int64) for column in columns]
        cluster = None if clusters is None else cast("Key", columns[0].cluster).codes
        answers = ManyAnswers(truth, decided, cluster=cluster)
        omnibus = first_answer(valid_tests("accuracy", design, "many").valid, answers)
    in_clusters = "" if clusters is None else f" in {counted(len(clusters), 'cluster')}"
    return Comparison(
        name,
        "higher",
        values,
        adjusted(pairs, chosen.adjust),
        chosen,
        APPLIES_TO.format(design),
        ODDS if counts else STANDARDISED,
        tests,
        f"{counted(len(columns[0]), 'paired case')}{in_clusters}",
        omnibus,
        notes=tuple(dict.fromkeys(note for column in columns for note in column.notes)),
    )


def _table(first: Outcomes, second: Outcomes) -> PairedTable:
    """Build the paired table of right and wrong answers."""
    a, b = ((column.total == 0).astype(np.int64) for column in (first, second))
    return PairedTable.from_codes(np.zeros(len(first), np.int64), a, b, LABELS, None, first.cluster)


def _compare_means(
    names: tuple[str, str],
    outcomes: Mapping[str, Outcomes],
    values: Mapping[str, Estimate],
    measure_and_parameters: tuple[OutcomeMeasure, dict[str, Any]],
    options: Options,
) -> PairComparison:
    """Compare two classifiers by the difference of each case."""
    measure, parameters = measure_and_parameters
    a, b = names
    undefined = values[a].undefined or values[b].undefined
    first, second = (
        np.full(len(outcomes[name]), np.nan) if undefined else measure.by_case(outcomes[name], **parameters)
        for name in names
    )
    table = PairedValues(first, second, outcomes[a].clusters)
    basis = MeanDifference(measure, parameters, table, values[a], values[b], options.seed)  # type: ignore[arg-type]
    evidence = OutcomeAnswers(basis, options.rope, options.seed)
    test = first_answer(valid_tests("any", evidence.design).valid, evidence)
    estimate = Estimate(measure.name, basis.value, basis.n, undefined, f"{a} - {b}", parameters=parameters, basis=basis)
    effect, bayesian = partial(_effect, basis), partial(_bayesian, evidence)
    return PairComparison(a, b, estimate, test, evidence=evidence, find_effect=effect, find_bayesian=bayesian)


def _effect(difference: MeanDifference) -> float:
    """Return the difference divided by its standard deviation over cases."""
    error, value = difference.standard_error, difference.value
    return float(value / (error * np.sqrt(difference.n))) if error > 0 else (0.0 if value == 0 else np.nan)


def _bayesian(evidence: OutcomeAnswers) -> Any:
    if not evidence.difference.standard_error > 0:
        return None
    return first_answer(valid_tests("any", evidence.design, kind="bayesian").valid, evidence)
