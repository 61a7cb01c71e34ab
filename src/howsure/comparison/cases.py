"""Compare classifiers by their predictions of the same cases.

Columns are counted in a paired table, once; the difference of the measure, its interval and its test are computed
from that table. Which tests are valid for the measure, the registry of tests says.
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
    """Compare classifiers on the same cases, by the test that is valid for the measure.

    Parameters
    ----------
    truth
        The true labels, or their column in ``data``; of several annotators, a column of each, as `assess` takes them;
        or names and logs of model evaluations (`howsure.read_log`).
    predicted, scores
        Names and predicted labels, or scores of the positive class; with ``data``, names and columns, or columns.
    y
        With fitted classifiers of scikit-learn: ``compare({"tree": tree, "bayes": bayes}, X, y)`` lets each predict the
        classes ``y`` of the rows of ``X``. They are compared by accuracy, or by any measure, of labels or of scores.
    measure
        Any measure. Default: accuracy of labels, AUC of scores.
    baseline
        Compare each of the others with this one only.
    alpha
        The level at which a difference counts as shown.
    adjust
        How several pairs are allowed for: "bonferroni" for p-values and intervals of all pairs together, or "holm",
        "shaffer", "bh" and others, which adjust p-values in several steps and have no intervals, or "none".
    rope
        The largest difference that would not matter.
    seed
        Of what is drawn: replicates of the bootstrap, and permutations.
    correct, case
        Without a truth: names and columns of what each got right, or of scores from 0 to 1; the case of each answer.
    common
        Of logs: leave out samples that not all of them have, instead of refusing them.
    positive, labels, threshold, data, cluster, costs, format
        As `assess` takes them. Files of labels are counted, and no row is read.

    Returns
    -------
    Comparison
        Who is better, by how much, how sure that is, and by which test.

    Examples
    --------
    >>> import howsure
    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1] * 10
    >>> one, other = [0, 0, 0, 1, 1, 1, 1, 1] * 10, [0, 0, 1, 1, 0, 1, 1, 1] * 10
    >>> c = howsure.compare(truth, {"one": one, "other": other})
    >>> print(c.sentences[0])
    one is better than other: accuracy 87.5 % against 62.5 %, +25.0 points [16.8, 35.5].
    >>> c.test.test.name, c.test.pvalue < 0.001
    ('mcnemar', True)
    """
    options: dict[str, Any] = {"baseline": baseline, "alpha": alpha, "adjust": adjust, "rope": rope, "seed": seed}
    if correct is not None:
        from howsure.comparison.outcomes import compare_columns

        given = {"truth": truth, "predicted": predicted, "scores": scores, "y": y, "costs": costs, "labels": labels}
        if extra := [name for name, value in given.items() if value is not None]:
            raise HowsureError(f"`correct` says what was right already; leave out `{extra[0]}`.")
        return compare_columns(correct, {"case": case, "cluster": cluster}, data, format, measure, **options)
    if isinstance(truth, Mapping) and truth and all(isinstance(log, EvaluationLog) for log in truth.values()):
        from howsure.comparison.logs import compare_logs

        if any(argument is not None for argument in (predicted, y, scores, data, format, costs, labels, positive)):
            raise HowsureError("logs have their answers already: give them alone, or with `cluster` and `measure`.")
        logs = {str(name): log for name, log in truth.items()}
        return compare_logs(logs, cluster, measure, common=common, **options)
    if are_models(truth):
        if any(argument is not None for argument in (scores, data, format)):
            raise HowsureError(
                "models have predictions and scores of their own: leave out `scores`, `data` and `format`."
            )
        about: dict[str, Any] = {"labels": labels, "positive": positive, "threshold": threshold, "cluster": cluster}
        predictions = predictions_of_each(truth, predicted, y, **about)
        return compare_predictions(predictions, measure or accuracy.name, costs=costs, **options)
    if y is not None:
        raise HowsureError(
            "`y` goes with fitted models, as in `compare({'a': model, 'b': other}, X, y)`; give predictions as "
            "`compare(truth, {'a': ..., 'b': ...})`."
        )
    if (predicted is None) == (scores is None):
        raise HowsureError("`compare` must be given `predicted` or `scores`, and not both.")
    kind = "predicted" if scores is None else "scores"
    columns: Any = predicted if scores is None else scores
    predictions = gather_each(truth, kind, columns, data, labels, positive, threshold, format, {"cluster": cluster})
    wanted = default_measure(next(iter(predictions.values()))) if measure is None else measure
    return compare_predictions(predictions, wanted, costs=costs, **options)


def default_measure(predictions: Predictions) -> str:
    """The measure that labels or scores are compared by, unless another is asked for."""
    return accuracy.name if predictions.scores is None else auc.name


def compare_predictions(
    predictions: Mapping[str, Predictions], measure: str, *, costs: Any = None, **options: Any
) -> Comparison:
    """Compare checked predictions of the same cases.

    Parameters
    ----------
    predictions
        Names and `Predictions`, of the same cases in the same order.
    measure
        Any measure.
    costs
        A `Costs` or a matrix, where the measure is one of costs.
    **options
        ``baseline``, ``alpha``, ``adjust``, ``rope`` and ``seed``, as `compare` takes them.

    Returns
    -------
    Comparison
        The same as `compare` gives of them.

    Examples
    --------
    >>> from howsure import Predictions
    >>> from howsure.comparison import compare_predictions
    >>> truth = [0, 0, 1, 1] * 10
    >>> predictions = {"a": Predictions.of(truth, truth), "b": Predictions.of(truth, [0, 1, 1, 1] * 10)}
    >>> compare_predictions(predictions, "accuracy").difference.value
    0.25
    """
    spec, parameters = read_spec(measure)
    declared, chosen = registry[spec], Options(**options)
    check_difference("rope", chosen.rope, measure)
    if declared.better is None:
        raise HowsureError(f"`{declared.name}` has no better or worse, so nothing can be compared by it.")
    predictions = without_single_clusters(predictions)
    every = list(predictions.values())
    if costs is not None:
        if "costs" not in declared.parameters:
            raise HowsureError(f"`{declared.name}` does not depend on `costs`; compare by measure='mean_cost'.")
        costs = costs if isinstance(costs, Costs) else Costs(costs)
        parameters["costs"] = _costs_in_use(costs, every[0])
    declared.check(parameters)
    if declared.scope in ("score", "rows") and any(one.scores is None or one.scores.ndim != 1 for one in every):
        raise HowsureError(f"`{declared.name}` is compared by scores of two classes; give `scores=...`.")
    shared, in_clusters = every[0].case is not None, every[0].has_clusters
    # Cases of several truths are right in part, and are not counted as right or wrong.
    kind, design = "any" if shared else tested_as(declared), "clusters" if in_clusters else "cases"
    tests = valid_tests(kind, design)
    own = {key: value for key, value in parameters.items() if key != "costs" or costs is None}
    assessments = {name: assess_predictions(one, costs=costs) for name, one in predictions.items()}
    values = {name: assessment.estimate(spec, **own) for name, assessment in assessments.items()}
    pairs, names = [], pairs_of(list(predictions), chosen.baseline)
    differences = differences_of(predictions, names, declared, parameters=parameters, seed=chosen.seed)
    for (a, b), difference in zip(names, differences, strict=True):
        if isinstance(difference, LabelDifference) and costs is not None:
            difference = replace(difference, fixed_classes=costs.has_prior)
        pairs.append(compare_pair(a, b, difference, tests.valid, chosen))
    omnibus, found = None, annotations_of(every[0])
    if len(every) > 2 and chosen.baseline is None and not shared:
        setting = {**pairs[0].evidence.setting, "classifiers": len(every)}
        answers = replace(_answers(declared, every), setting=setting)
        omnibus = first_answer(valid_tests(kind, design, "many").valid, answers)
    return Comparison(
        measure,
        declared.better,
        values,
        adjusted(pairs, chosen.adjust),
        chosen,
        f"{design} like these, with the classifiers as they are",
        STANDARDISED if declared.of_accuracy is None or shared else ODDS,
        tests,
        counted(pairs[0].evidence.n, "paired case") + _in_clusters(pairs[0].evidence.difference) + _by(found),
        omnibus,
        notes=_discordant(pairs, declared) if found is None else (found.sentence(),),
        assessments=assessments,
    )


def without_single_clusters(predictions: Mapping[str, Predictions]) -> Mapping[str, Predictions]:
    """Leave out clusters of which each has one case only: then cases are independent."""
    first = next(iter(predictions.values()))
    if first.cluster is None or first.has_clusters or first.cluster.shared:
        return predictions
    return {name: replace(one, cluster=None) for name, one in predictions.items()}


def _in_clusters(difference: Difference) -> str:
    return "" if difference.clusters is None else f" in {counted(difference.clusters, 'cluster')}"


def _by(found: Annotations | None) -> str:
    return "" if found is None else f" ({found.text()})"


def _discordant(pairs: Sequence[PairComparison], measure: Measure) -> tuple[str, ...]:
    """Of two classifiers, say on how many cases only one is right: all that the test looks at."""
    if len(pairs) > 1 or measure.of_accuracy is None:
        return ()
    pair = pairs[0]
    lost, won = pair.evidence.discordant
    return (f"only {pair.a} is right on {counted(won, 'case')}, only {pair.b} on {lost}",)


def compare_pair(a: str, b: str, difference: Difference, tests: Sequence[Test], options: Options) -> PairComparison:
    """Compare two classifiers by a measure of a paired table."""
    is_measured = not getattr(difference.table, "shared", False)  # by the lab, which gave each case one truth
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
        effect_is_ratio=_is_of_discordant(difference),
    )


def _bayesian(evidence: PairedAnswers) -> Any:
    """Give the posterior of the difference; None where it has no value or no error."""
    difference = evidence.difference
    counts = isinstance(difference, LabelDifference) and difference.is_counted
    if np.isnan(difference.value) or not (counts or difference.standard_error > 0):
        return None
    design = "cases" if difference.clusters is None else "clusters"
    kind = "any" if getattr(difference.table, "shared", False) else tested_as(difference.measure)
    return first_answer(valid_tests(kind, design, kind="bayesian").valid, evidence)


def _is_of_discordant(difference: Difference) -> bool:
    """Tell whether the cases that only one gets right say all of the difference."""
    return difference.measure.of_accuracy is not None and not difference.table.shared


def _effect(difference: Difference) -> float:
    """The odds ratio of discordant cases, or the difference in standard deviations of a case's share in it."""
    if _is_of_discordant(difference):
        lost, won = difference.table.discordant
        return won / lost if lost else (np.inf if won else 1.0)
    error = difference.standard_error
    if error > 0:
        return float(difference.value / (error * np.sqrt(difference.n)))
    return 0.0 if difference.value == 0 else np.nan


def _answers(measure: Measure, every: Sequence[Predictions]) -> ManyAnswers:
    """The answers of all classifiers to the same cases."""
    first = every[0]
    repeats = 1 if first.weight is None else first.weight
    if measure.scope in ("score", "rows"):
        flags = first.truth == first.classes.labels.index(first.classes.positive)
        return ManyAnswers(first.truth, (), flags, [np.asarray(one.scores) for one in every])
    cluster = None if first.cluster is None else np.repeat(first.cluster.codes, repeats)
    decided = [np.repeat(one.decided(), repeats) for one in every]
    return ManyAnswers(np.repeat(first.truth, repeats), decided, cluster=cluster)


def _costs_in_use(costs: Costs, cases: Predictions) -> Floats:
    """Give the costs; where they have a prior, each true class weighs as much more as it is more frequent in use."""
    classes = cases.classes
    matrix, shares = costs.matrix(classes.labels, classes.positive), costs.priors(classes.labels, classes.positive)
    if shares is None:
        return np.asarray(matrix)
    sample = np.bincount(cases.truth, cases.weight, len(classes.labels)).astype(float)
    if ((sample == 0) & (shares > 0)).any():
        missing = classes.labels[int(((sample == 0) & (shares > 0)).argmax())]
        raise HowsureError(f"`prior` must be 0 for {missing!r}, of which there is no case.")
    ratio = np.divide(shares * sample.sum(), sample, out=np.zeros(len(shares)), where=sample > 0)
    return np.asarray(matrix * ratio[:, None])
