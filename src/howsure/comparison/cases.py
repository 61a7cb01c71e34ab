"""Compare classifiers by their predictions of the same cases.

The predictions of each pair are counted in one table, from which the difference, its interval and its test are
computed. The registry of tests declares which tests are valid for a measure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from howsure.arrays import Floats
from howsure.assessment.entry import annotations_of, assess_predictions
from howsure.assessment.model import are_models, predictions_of_each
from howsure.checks import known_arguments
from howsure.comparison.declared import tested_as
from howsure.comparison.options import ROPE, Options, check_difference
from howsure.comparison.pair import PairComparison
from howsure.comparison.result import Comparison, adjusted, first_answer, pairs_of
from howsure.costs import Costs
from howsure.data import Predictions
from howsure.data.encode import Label
from howsure.data.read.gather import gather_each
from howsure.data.read.logs import EvaluationLog
from howsure.data.truths import Annotations
from howsure.errors import HowsureError, counted
from howsure.measures import Measure, registry
from howsure.measures.agreement import accuracy
from howsure.measures.estimate.difference import Difference, LabelDifference, differences_of
from howsure.measures.ranking import auc
from howsure.measures.spec import read_spec
from howsure.results import Estimate
from howsure.significance import valid_tests
from howsure.significance.declare import Test
from howsure.significance.evidence import ManyAnswers, OutcomeAnswers, PairedAnswers

ODDS, STANDARDISED = "odds ratio of discordant cases", "standardised difference"
APPLIES_TO = "new {} of this kind and these fitted models"


@known_arguments()
def compare(
    truth: Any = None,
    predicted: Any = None,
    y: Any = None,
    *,
    scores: Mapping[str, Any] | Sequence[str] | None = None,
    data: Any = None,
    measure: str | None = None,
    baseline: str | None = None,
    alpha: float = 0.05,
    adjust: str = "bonferroni",
    rope: float = ROPE,
    positive: Label | None = None,
    labels: Sequence[Label] | None = None,
    threshold: float | None = None,
    costs: Any = None,
    seed: int = 0,
    cluster: Any = None,
    correct: Mapping[str, Any] | None = None,
    case: Any = None,
    common: bool = False,
    format: str | None = None,  # noqa: A002
) -> Comparison:
    """Compare classifiers on the same cases.

    Parameters
    ----------
    truth
        The true labels, or their column in ``data``; the labels of several annotators, in the forms that `assess`
        accepts; or a mapping of names to logs of model evaluations (`howsure.read_log`).
    predicted, scores
        A mapping of names to predicted labels, or to scores of the positive class; with ``data``, a mapping of names
        to columns, or a list of columns.
    y
        With fitted scikit-learn classifiers: ``compare({"tree": tree, "bayes": bayes}, X, y)`` predicts the classes
        ``y`` of the rows of ``X`` with each of them.
    measure
        Any measure. Default: accuracy for labels and fitted classifiers, AUC for scores.
    baseline
        The classifier with which to compare each of the others; default: compare all pairs.
    alpha
        The significance level.
    adjust
        The adjustment for several pairs: "bonferroni", with p-values and intervals that hold jointly; "holm",
        "shaffer", "bh" and others, which adjust p-values stepwise and have no intervals; or "none".
    rope
        The region of practical equivalence: smaller differences do not matter.
    seed
        The random seed of the bootstrap and of permutations.
    correct, case
        Instead of a truth: a mapping of names to columns of correct answers or of scores from 0 to 1, and a column
        that identifies the case of each answer.
    common
        With logs: whether to leave out samples that some logs lack, instead of raising an error.
    positive, labels, threshold, data, cluster, costs, format
        The same as in `assess`.

    Returns
    -------
    Comparison
        The differences with their intervals and tests, and a verdict.

    Examples
    --------
    >>> import howsure
    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1] * 10
    >>> new, old = [0, 0, 0, 1, 1, 1, 1, 1] * 10, [0, 0, 1, 1, 0, 1, 1, 1] * 10
    >>> c = howsure.compare(truth, {"new": new, "old": old})
    >>> print(c.sentences[0])
    new is better than old: accuracy 87.5 % against 62.5 %, +25.0 points [16.8, 35.5].
    >>> c.test.test.name, c.test.pvalue < 0.001
    ('mcnemar', True)
    """
    options: dict[str, Any] = {"baseline": baseline, "alpha": alpha, "adjust": adjust, "rope": rope, "seed": seed}
    if correct is not None:
        from howsure.comparison.outcomes import compare_columns

        excluded = {"truth": truth, "predicted": predicted, "scores": scores, "y": y, "costs": costs, "labels": labels}
        if extra := [name for name, value in excluded.items() if value is not None]:
            raise HowsureError(f"`correct` already says which answers are right; leave out `{extra[0]}`.")
        return compare_columns(correct, {"case": case, "cluster": cluster}, data, format, measure, **options)
    if isinstance(truth, Mapping) and truth and all(isinstance(log, EvaluationLog) for log in truth.values()):
        from howsure.comparison.logs import compare_logs

        if any(argument is not None for argument in (predicted, y, scores, data, format, costs, labels, positive)):
            raise HowsureError("logs have their own answers; give them alone, or with `cluster` and `measure`.")
        logs = {str(name): log for name, log in truth.items()}
        return compare_logs(logs, cluster, measure, common=common, **options)
    if are_models(truth):
        if any(argument is not None for argument in (scores, data, format)):
            raise HowsureError("models make their own predictions and scores; leave out `scores`, `data` and `format`.")
        shared: dict[str, Any] = {"labels": labels, "positive": positive, "threshold": threshold, "cluster": cluster}
        predictions = predictions_of_each(truth, predicted, y, **shared)
        return compare_predictions(predictions, measure or accuracy.name, costs=costs, **options)
    if y is not None:
        raise HowsureError(
            "`y` belongs to fitted models, as in `compare({'a': model, 'b': other}, X, y)`; give predictions as "
            "`compare(truth, {'a': ..., 'b': ...})`."
        )
    if (predicted is None) == (scores is None):
        raise HowsureError("`compare` needs either `predicted` or `scores`.")
    kind = "predicted" if scores is None else "scores"
    columns: Any = predicted if scores is None else scores
    predictions = gather_each(truth, kind, columns, data, labels, positive, threshold, format, {"cluster": cluster})
    measure = default_measure(next(iter(predictions.values()))) if measure is None else measure
    return compare_predictions(predictions, measure, costs=costs, **options)


def default_measure(predictions: Predictions) -> str:
    return accuracy.name if predictions.scores is None else auc.name


def compare_predictions(
    predictions: Mapping[str, Predictions], measure: str, *, costs: Any = None, **options: Any
) -> Comparison:
    """Compare validated predictions; ``options`` are the fields of `Options`."""
    spec, parameters = read_spec(measure)
    declared, chosen = registry[spec], Options(**options)
    check_difference("rope", chosen.rope, measure)
    if declared.better is None:
        raise HowsureError(f"`{declared.name}` has no better or worse values, so it cannot be used to compare.")
    predictions = without_single_clusters(predictions)
    columns = list(predictions.values())
    if costs is not None:
        if "costs" not in declared.parameters:
            raise HowsureError(f"`{declared.name}` does not depend on `costs`; compare by measure='mean_cost'.")
        costs = costs if isinstance(costs, Costs) else Costs(costs)
        parameters["costs"] = _costs_in_use(costs, columns[0])
    declared.check(parameters)
    if declared.scope in ("score", "rows") and any(
        column.scores is None or column.scores.ndim != 1 for column in columns
    ):
        raise HowsureError(f"`{declared.name}` needs scores of two classes; give `scores=...`.")
    shared, in_clusters = columns[0].case is not None, columns[0].has_clusters
    # Predictions of cases with several true labels are partly right, so tests of right and wrong answers do not apply.
    kind, design = "any" if shared else tested_as(declared), "clusters" if in_clusters else "cases"
    tests = valid_tests(kind, design)
    own = {key: value for key, value in parameters.items() if key != "costs" or costs is None}
    assessments = {name: assess_predictions(column, costs=costs) for name, column in predictions.items()}
    values = {name: assessment.estimate(spec, **own) for name, assessment in assessments.items()}
    pairs, names = [], pairs_of(list(predictions), chosen.baseline)
    differences = differences_of(predictions, names, declared, parameters=parameters, seed=chosen.seed)
    for (a, b), difference in zip(names, differences, strict=True):
        if isinstance(difference, LabelDifference) and costs is not None:
            difference = replace(difference, fixed_classes=costs.has_prior)
        pairs.append(compare_pair(a, b, difference, tests.valid, chosen))
    omnibus, annotations = None, annotations_of(columns[0])
    if len(columns) > 2 and chosen.baseline is None and not shared:
        setting = {**pairs[0].evidence.setting, "classifiers": len(columns)}
        answers = replace(_answers(declared, columns), setting=setting)
        omnibus = first_answer(valid_tests(kind, design, "many").valid, answers)
    return Comparison(
        measure,
        declared.better,
        values,
        adjusted(pairs, chosen.adjust),
        chosen,
        APPLIES_TO.format(design),
        STANDARDISED if declared.of_accuracy is None or shared else ODDS,
        tests,
        counted(pairs[0].evidence.n, "paired case")
        + _in_clusters(pairs[0].evidence.difference)
        + _annotators(annotations),
        omnibus,
        notes=_discordant(pairs, declared) if annotations is None else (annotations.sentence(),),
        assessments=assessments,
    )


def without_single_clusters(predictions: Mapping[str, Predictions]) -> Mapping[str, Predictions]:
    """Drop the clusters if each has one case: the cases are then independent."""
    first = next(iter(predictions.values()))
    if first.cluster is None or first.has_clusters or first.cluster.shared:
        return predictions
    return {name: replace(column, cluster=None) for name, column in predictions.items()}


def _in_clusters(difference: Difference) -> str:
    return "" if difference.clusters is None else f" in {counted(difference.clusters, 'cluster')}"


def _annotators(annotations: Annotations | None) -> str:
    return "" if annotations is None else f" ({annotations.text()})"


def _discordant(pairs: Sequence[PairComparison], measure: Measure) -> tuple[str, ...]:
    """Return the number of cases on which only one classifier is correct."""
    if len(pairs) > 1 or measure.of_accuracy is None:
        return ()
    pair = pairs[0]
    lost, won = pair.evidence.discordant
    return (f"only {pair.a} is correct on {counted(won, 'case')}, only {pair.b} on {lost}",)


def compare_pair(a: str, b: str, difference: Difference, tests: Sequence[Test], options: Options) -> PairComparison:
    """Compare two classifiers by a measure of a paired table."""
    is_measured = not getattr(difference.table, "shared", False)  # the lab simulated only cases with one true label
    evidence = (PairedAnswers if is_measured else OutcomeAnswers)(difference, options.rope, options.seed)
    test = first_answer(tests, evidence)
    undefined = None
    if np.isnan(difference.value):
        undefined = difference.reason or (test.notes or (difference.measure.undefined_when,))[0]
    name, of = difference.measure.name, f"{a} - {b}"
    estimate = Estimate(name, difference.value, difference.n, undefined, of, basis=difference)
    return PairComparison(
        a,
        b,
        estimate,
        test,
        evidence=evidence,
        find_effect=partial(_effect, difference),
        find_bayesian=partial(_bayesian, evidence),
        effect_is_ratio=_depends_on_discordant(difference),
    )


def _bayesian(evidence: PairedAnswers) -> Any:
    """Return the Bayesian comparison; None without a value or a standard error."""
    difference = evidence.difference
    counts = isinstance(difference, LabelDifference) and difference.is_counted
    if np.isnan(difference.value) or not (counts or difference.standard_error > 0):
        return None
    design = "cases" if difference.clusters is None else "clusters"
    kind = "any" if getattr(difference.table, "shared", False) else tested_as(difference.measure)
    return first_answer(valid_tests(kind, design, kind="bayesian").valid, evidence)


def _depends_on_discordant(difference: Difference) -> bool:
    """Return whether the difference depends only on discordant cases."""
    return difference.measure.of_accuracy is not None and not difference.table.shared


def _effect(difference: Difference) -> float:
    """Return the odds ratio of discordant cases or the standardised difference."""
    if _depends_on_discordant(difference):
        lost, won = difference.table.discordant
        return won / lost if lost else (np.inf if won else 1.0)
    error = difference.standard_error
    if error > 0:
        return float(difference.value / (error * np.sqrt(difference.n)))
    return 0.0 if difference.value == 0 else np.nan


def _answers(measure: Measure, columns: Sequence[Predictions]) -> ManyAnswers:
    """Collect the answers of all classifiers to the same cases."""
    first = columns[0]
    repeats = 1 if first.weight is None else first.weight
    if measure.scope in ("score", "rows"):
        flags = first.truth == first.classes.labels.index(first.classes.positive)
        return ManyAnswers(first.truth, (), flags, [np.asarray(column.scores) for column in columns])
    cluster = None if first.cluster is None else np.repeat(first.cluster.codes, repeats)
    decided = [np.repeat(column.decided(), repeats) for column in columns]
    return ManyAnswers(np.repeat(first.truth, repeats), decided, cluster=cluster)


def _costs_in_use(costs: Costs, cases: Predictions) -> Floats:
    """Return the cost matrix, reweighted to the prior of the costs."""
    classes = cases.classes
    matrix, shares = costs.matrix(classes.labels, classes.positive), costs.priors(classes.labels, classes.positive)
    if shares is None:
        return np.asarray(matrix)
    sample = np.bincount(cases.truth, cases.weight, len(classes.labels)).astype(float)
    if ((sample == 0) & (shares > 0)).any():
        missing = classes.labels[int(((sample == 0) & (shares > 0)).argmax())]
        raise HowsureError(f"`prior` must be 0 for {missing!r}, because no case has this class.")
    ratio = np.divide(shares * sample.sum(), sample, out=np.zeros(len(shares)), where=sample > 0)
    return np.asarray(matrix * ratio[:, None])
