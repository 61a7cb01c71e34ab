"""The one entry: predictions in, `Assessment` out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from assay.assessment.result import Assessment, AssessmentGroups
from assay.assessment.source import gather
from assay.costs import Costs
from assay.data.labels import Classes
from assay.errors import AssayError
from assay.tables import Confusion


@overload
def assess(
    truth: Any, predicted: Any = ..., *, data: Any = ..., by: None = ..., weight: Any = ..., fold: Any = ...,
    labels: Sequence[Any] | None = ..., positive: Any = ..., costs: Any = ..., format: str | None = ...,
) -> Assessment: ...  # fmt: skip
@overload
def assess(
    truth: Any, predicted: Any = ..., *, data: Any = ..., by: Any, weight: Any = ..., fold: Any = ...,
    labels: Sequence[Any] | None = ..., positive: Any = ..., costs: Any = ..., format: str | None = ...,
) -> AssessmentGroups: ...  # fmt: skip
def assess(
    truth: Any,
    predicted: Any = None,
    *,
    data: Any = None,
    by: Any = None,
    weight: Any = None,
    fold: Any = None,
    labels: Sequence[Any] | None = None,
    positive: Any = None,
    costs: Any = None,
    format: str | None = None,  # noqa: A002
) -> Assessment | AssessmentGroups:
    """Assess predicted labels against the truth.

    Parameters
    ----------
    truth, predicted
        Columns of labels (text, whole numbers or booleans), or their names in ``data``. ``truth`` may also be
        a `Confusion`, for a table out of a paper.
    data
        A path or a glob of CSV, TSV, Parquet, JSON lines or ARFF files, any data frame, or a mapping of columns.
    by
        A column of groups: one assessment for each.
    weight
        Case weights. Whole numbers repeat a case; real numbers count it for more or less.
    fold
        A column that tells the fold of a resampling in which a case was predicted.
    labels
        All classes, in the order to show them. Default: those that occur, sorted.
    positive
        The class that two-class measures are about. Default: the second of two classes.
    costs
        A `Costs`, or a matrix with a row for each true and a column for each predicted class.
    format
        The format of ``data``, where its ending does not tell.

    Examples
    --------
    >>> import assay
    >>> a = assay.assess(["spam", "spam", "ham", "ham", "ham"], ["spam", "ham", "ham", "ham", "spam"])
    >>> a.positive
    'spam'
    >>> print(a["recall"])
    recall (spam): 0.500, 95 % interval [0.095, 0.905] (wilson), n = 2
    >>> a["recall"].interval(method="clopper-pearson", confidence=0.8).high
    0.9486832980505138
    """
    if isinstance(truth, Confusion):
        if any(given is not None for given in (predicted, data, by, weight, fold)):
            raise AssayError("a `Confusion` is already counted: give it alone, or with `labels`, `positive`, `costs`.")
        table = truth if labels is None else truth.reindex(labels)
        if table.counts.ndim != 2 or not table.counts.any():
            raise AssayError("`truth` must be a single table with at least one case.")
        classes = Classes.of_labels(table.labels, positive)
        return Assessment(table, classes, round(float(table.n)), _matrix(costs, classes))
    roles = {"truth": truth, "predicted": predicted, "weight": weight, "group": by, "fold": fold}
    source = gather(roles, data, labels, positive, format)
    predictions = source.predictions
    matrix = _matrix(costs, predictions.classes)

    def assessment(table: Confusion, rows: int) -> Assessment:
        return Assessment(table, predictions.classes, rows, matrix, source.library)

    if predictions.group is None:
        return assessment(Confusion.from_predictions(predictions), source.rows)
    tables = Confusion.from_predictions(predictions, per="group")
    groups = {
        value: assessment(tables[place], round(float(tables.counts[place].sum())))
        for place, value in enumerate(predictions.group.values)
        if tables.counts[place].any()
    }
    name = by if isinstance(by, str) else "group"
    return AssessmentGroups(groups, name, source.library)


def _matrix(costs: Any, classes: Classes) -> Any:
    if costs is None:
        return None
    known = costs if isinstance(costs, Costs) else Costs(costs)
    return known.matrix(classes.labels, classes.positive)
