"""`assess`: predictions in, `Assessment` out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from howsure.assessment.groups import AssessmentGroups
from howsure.assessment.logs import assess_log
from howsure.assessment.model import is_model, predictions_of
from howsure.assessment.outcomes import OutcomeAssessment, assess_outcomes
from howsure.assessment.result import Assessment, decisions
from howsure.checks import known_arguments
from howsure.costs import Costs
from howsure.data import Predictions
from howsure.data.labels import Classes
from howsure.data.read.frames import library_of
from howsure.data.read.gather import Input, count_cases, gather
from howsure.data.read.logs import EvaluationLog
from howsure.data.truths import Annotations
from howsure.errors import HowsureError
from howsure.tables import ClassScores, Confusion, ScoreRows, ScoreTable, Tally
from howsure.tables.tally import Tallied

if TYPE_CHECKING:
    from howsure.assessment.judged import JudgedAssessment


@overload
def assess(
    truth: Any, predicted: Any = ..., y: Any = ..., *, data: Any = ..., by: None = ..., weight: Any = ...,
    cluster: Any = ..., scores: Any = ..., threshold: float | None = ...,
    labels: Sequence[Any] | None = ..., positive: Any = ..., costs: Any = ..., format: str | None = ...,
    exact: bool | None = ...,
) -> Assessment: ...  # fmt: skip
@overload
def assess(
    truth: Any, predicted: Any = ..., *, judge: Any, stratum: Any = ..., data: Any = ..., cluster: Any = ...,
    scores: Any = ..., threshold: float | None = ..., labels: Sequence[Any] | None = ..., positive: Any = ...,
    format: str | None = ...,
) -> JudgedAssessment: ...  # fmt: skip
@overload
def assess(
    *, correct: Any, case: Any = ..., cluster: Any = ..., data: Any = ..., format: str | None = ...,
) -> OutcomeAssessment: ...  # fmt: skip
@overload
def assess(
    truth: Any, predicted: Any = ..., y: Any = ..., *, data: Any = ..., by: Any, weight: Any = ...,
    cluster: Any = ..., scores: Any = ..., threshold: float | None = ...,
    labels: Sequence[Any] | None = ..., positive: Any = ..., costs: Any = ..., format: str | None = ...,
    exact: bool | None = ...,
) -> AssessmentGroups: ...  # fmt: skip
@known_arguments()
def assess(
    truth: Any = None,
    predicted: Any = None,
    y: Any = None,
    *,
    correct: Any = None,
    case: Any = None,
    data: Any = None,
    by: Any = None,
    weight: Any = None,
    cluster: Any = None,
    scores: Any = None,
    threshold: float | None = None,
    labels: Sequence[Any] | None = None,
    positive: Any = None,
    costs: Any = None,
    format: str | None = None,  # noqa: A002
    exact: bool | None = None,
    judge: Any = None,
    stratum: Any = None,
) -> Assessment | AssessmentGroups | OutcomeAssessment | JudgedAssessment:
    """Assess predicted labels or scores against the truth.

    Parameters
    ----------
    truth, predicted
        Columns of labels (text, whole numbers or booleans), or their names in ``data``. ``truth`` may also hold the
        labels of several annotators: an array with a row for each case, a data frame, a mapping, or names in ``data``;
        labels may be missing, and those of a case share its weight. Or it may be the class probabilities of a
        `SoftTruth`, a `Confusion` (for a published table), a `Tally` of batches, `Predictions` (such as the
        out-of-bag predictions of an ensemble), or the log of a model evaluation from `howsure.read_log`.
    y
        With a fitted scikit-learn classifier: ``assess(model, X, y)`` predicts the classes ``y`` of the rows of ``X``.
        The scores are its probabilities, or else the values of its decision function.
    correct
        Instead of a truth: a column that says whether each answer is right (1 or 0, true or false), or scores it from
        0 to 1.
    case
        With ``correct``: a column that identifies the case of each answer, if cases were answered several times.
    data
        A path or a glob of CSV, TSV, ARFF, JSON lines or Parquet files, any data frame, or a mapping of columns.
    by
        A column of groups; each group gets its own assessment.
    weight
        Case weights. Whole numbers repeat a case; real numbers make it count more or less.
    cluster
        A column that says which cases belong together, such as those of one patient, document or topic. Such cases
        are not independent, and every interval takes this into account.
    scores
        A column of scores of the positive class (a higher score is more positive), or one column per class. Without
        ``predicted``, the labels follow from them: positive from ``threshold`` on, or the class with the highest score.
    threshold
        The lowest score that is called positive. Default: 0.5 for scores from 0 to 1, otherwise 0.
    labels
        All classes, in display order. Default: the classes that occur, sorted.
    positive
        The class that two-class measures describe. Default: the second of two classes.
    costs
        A `Costs`, or a matrix with a row for each true and a column for each predicted class.
    format
        The format of ``data``, if the file name does not show it.
    exact
        False counts scores in bins, so that memory does not grow with the number of cases; every measure then has a
        guaranteed ``bound``. True keeps every score. Default: bins for files and engines with more than 2 million rows.
    judge
        A column of labels that a judge, such as a language model, gave to every case, where people labelled only some
        of them (``truth`` is None, NaN or empty elsewhere). Both kinds of labels together give more precise estimates
        than the human labels alone. Without ``predicted`` and ``scores``, the rates of the classes are estimated.
    stratum
        With ``judge``: a column of strata that were labelled at different rates. Within each stratum, the labelled
        cases must be a random sample.

    Returns
    -------
    Assessment
        The assessment of all cases; with ``by`` an `AssessmentGroups`, with ``correct`` an `OutcomeAssessment`, with
        ``judge`` a `JudgedAssessment`.

    Examples
    --------
    >>> import howsure
    >>> a = howsure.assess(["spam", "spam", "ham", "ham", "ham"], ["spam", "ham", "ham", "ham", "spam"])
    >>> a.positive
    'spam'
    >>> print(a["recall"])
    recall (spam): 0.500, 95 % interval [0.013, 0.987] (modified-wilson), n = 2
    >>> a["recall"].interval(method="clopper-pearson", confidence=0.8).high
    0.9486832980505138
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GaussianNB().fit(X[::2], y[::2])
    >>> print(howsure.assess(model, X[1::2], y[1::2])["accuracy"])
    accuracy: 0.960, 95 % interval [0.889, 0.992] (modified-wilson), n = 75
    """
    if correct is not None:
        excluded = {"truth": truth, "predicted": predicted, "y": y, "by": by, "weight": weight, "scores": scores}
        excluded |= {"threshold": threshold, "labels": labels, "positive": positive, "costs": costs}
        excluded |= {"judge": judge, "stratum": stratum}
        if extra := [name for name, value in excluded.items() if value is not None]:
            raise HowsureError(f"`correct` already says which answers are right; leave out `{extra[0]}`.")
        return assess_outcomes(correct, case, cluster, data, format)
    if case is not None:
        raise HowsureError(
            "`case` identifies the case of each answer in `correct`; give `correct` too, or leave out `case`."
        )
    if judge is not None:
        excluded = {"y": y, "by": by, "weight": weight, "costs": costs, "exact": exact}
        if extra := [name for name, value in excluded.items() if value is not None]:
            raise HowsureError(f"`judge` cannot be combined with `{extra[0]}`; leave out `{extra[0]}`.")
        columns = {"truth": truth, "predicted": predicted, "scores": scores, "judge": judge}
        columns |= {"cluster": cluster, "stratum": stratum}
        from howsure.assessment.judged import assess_judged

        return assess_judged(columns, data, labels, positive, threshold, format)
    if stratum is not None:
        raise HowsureError(
            "`stratum` describes how cases were sampled for human labels; give `judge` too, or leave out `stratum`."
        )
    if isinstance(truth, EvaluationLog):
        others = (predicted, y, data, by, weight, scores, threshold, labels, positive, costs, format)
        if any(argument is not None for argument in others):
            raise HowsureError("a log has its own answers; give it alone, or with `cluster`, a field of its samples.")
        return assess_log(truth, cluster)
    if isinstance(truth, Confusion):
        if any(argument is not None for argument in (predicted, y, data, by, weight, cluster, scores, threshold)):
            raise HowsureError(
                "a `Confusion` is already counted; give it alone, or with `labels`, `positive`, `costs`."
            )
        table = truth if labels is None else truth.reindex(labels)
        if table.counts.ndim != 2 or not table.counts.any():
            raise HowsureError("`truth` must be a single table with at least one case.")
        if table.squares is None and (table.counts != np.round(table.counts)).any():
            raise HowsureError(
                "`truth` must be a table of counts, not of proportions; intervals need the number of cases."
            )
        classes = Classes.of_labels(table.labels, positive)
        return Assessment(table, classes, round(float(table.n)), _checked_costs(costs, classes))
    if isinstance(truth, Tally):
        if any(argument is not None for argument in (predicted, y, data, by, weight, cluster, scores, threshold)):
            raise HowsureError("a `Tally` is already counted; give it alone, or with `labels`, `positive`, `costs`.")
        return _assess_tally(truth.counted(labels, positive), costs)
    if isinstance(truth, Predictions):
        if any(
            argument is not None for argument in (predicted, y, data, by, weight, cluster, scores, threshold, labels)
        ):
            raise HowsureError("`Predictions` are already checked; give them alone, or with `positive` and `costs`.")
        return assess_predictions(truth if positive is None else truth.about(positive), costs=costs)
    if is_model(truth):
        if any(argument is not None for argument in (data, scores, format)):
            raise HowsureError("a model makes its own predictions and scores; leave out `data`, `scores` and `format`.")
        columns = {"weight": weight, "group": by, "cluster": cluster}
        predictions = predictions_of(
            truth, predicted, y, threshold=threshold, labels=labels, positive=positive, **columns
        )
        return _assess(Input(predictions, count_cases(predictions), library_of(y)), costs, "group")
    if y is not None:
        raise HowsureError("`y` belongs to a fitted model, as in `assess(model, X, y)`; leave it out.")
    roles = {
        "truth": truth,
        "predicted": predicted,
        "scores": scores,
        "weight": weight,
        "group": by,
        "cluster": cluster,
    }
    source = gather(roles, data, labels, positive, threshold, format, exact=exact)
    return _assess(source, costs, by if isinstance(by, str) else "group")


def _assess_tally(tallied: Tallied, costs: Any) -> Assessment:
    classes, scores, threshold = tallied.classes, tallied.scores, tallied.threshold
    table = tallied.confusion
    if table is None:
        assert scores is not None
        assert threshold is not None
        table = decisions(scores, threshold, classes)
    return Assessment(table, classes, tallied.rows, _checked_costs(costs, classes), scores, threshold)


def _assess(source: Input, costs: Any, by: str) -> Assessment | AssessmentGroups:
    """Assess all cases together, or each group separately."""
    if source.predictions.group is None:
        assessment = assess_predictions(source.predictions, rows=source.cases, costs=costs, library=source.library)
        return replace(assessment, _repeated=source.repeated)
    groups = assess_each(source.predictions, "group", costs=costs, library=source.library)
    return AssessmentGroups(groups, by, source.library)


def assess_predictions(
    predictions: Predictions, *, rows: int | None = None, costs: Any = None, library: str | None = None
) -> Assessment:
    """Assess validated predictions; ``rows`` overrides the number of cases."""
    classes, threshold = predictions.classes, _threshold(predictions)
    scores = score_tables(predictions)
    if threshold is not None and isinstance(scores, ScoreTable):
        table = decisions(scores, threshold, classes)
    else:
        table = Confusion.from_predictions(predictions)
    n = count_cases(predictions) if rows is None and predictions.case is not None else rows
    n = len(predictions.truth) if n is None else n
    return Assessment(
        table,
        classes,
        n,
        _checked_costs(costs, classes),
        scores,
        threshold,
        _library=library,
        annotations=annotations_of(predictions),
    )


def annotations_of(predictions: Predictions) -> Annotations | None:
    """Summarise how annotators disagree; None if each case has one label."""
    case, weight = predictions.case, predictions.weight
    return None if case is None or weight is None else Annotations.of(case, weight, predictions.annotators)


def assess_each(
    predictions: Predictions, per: str, *, costs: Any = None, library: str | None = None
) -> dict[Any, Assessment]:
    """Assess each "group" or each "fold" of validated predictions separately."""
    key, classes, threshold = getattr(predictions, per), predictions.classes, _threshold(predictions)
    costs = _checked_costs(costs, classes)
    tables = Confusion.from_predictions(predictions, per=per)
    sizes = tables.n if tables.squares is None else np.bincount(key.codes, minlength=len(key.values))
    needs_rows = predictions.scores is not None or predictions.cluster is not None
    rows_of = key.rows() if needs_rows else [None] * len(key.values)
    assessments = {}
    for value, table, n, rows in zip(key.values, tables.single(), sizes.tolist(), rows_of, strict=True):
        if table.counts.any():
            annotations = None
            if predictions.cluster is not None:
                own = predictions.take(rows)
                table, annotations = Confusion.from_predictions(own), annotations_of(own)
                n = n if annotations is None else annotations.cases
            assessments[value] = Assessment(
                table,
                classes,
                int(n),
                costs,
                score_tables(predictions, rows),
                threshold,
                _library=library,
                annotations=annotations,
            )
    return assessments


def _threshold(predictions: Predictions) -> float | None:
    """Return the threshold if the labels follow from scores."""
    return predictions.threshold if predictions.predicted is None else None


def score_tables(predictions: Predictions, rows: Any = slice(None)) -> ScoreTable | ClassScores | None:
    """Build the score table of all cases, or of the selected rows."""
    if predictions.scores is None:
        return None
    scores, truth = predictions.scores[rows], predictions.truth[rows]
    weight = None if predictions.weight is None else predictions.weight[rows]
    square = None if predictions.square is None else predictions.square[rows]
    labels = predictions.classes.labels
    cluster = None if predictions.cluster is None else predictions.cluster.take(rows)
    if scores.ndim == 1:
        flags = truth == labels.index(predictions.classes.positive)
        tops = None if predictions.tops is None else predictions.tops[rows]
        table = ScoreTable.of_columns(flags, scores, weight, square, tops)
        return table if cluster is None else table.clustered(cluster, flags, scores, weight)
    weight = np.ones(len(truth)) if weight is None else weight
    return ClassScores(ScoreRows(truth, scores.astype(float), weight), labels, square, cluster)


def _checked_costs(costs: Any, classes: Classes) -> Costs | None:
    """Reject costs that do not fit the classes."""
    if costs is None:
        return None
    checked = costs if isinstance(costs, Costs) else Costs(costs)
    checked.matrix(classes.labels, classes.positive)
    checked.priors(classes.labels, classes.positive)
    return checked
