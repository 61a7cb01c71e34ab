"""Predictions and scores of fitted scikit-learn classifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.checks import check_index, check_number
from howsure.data import Predictions
from howsure.data.encode import Label, encode
from howsure.data.rows import count_rows
from howsure.data.scores import Scores, decide
from howsure.errors import HowsureError, counted, listing, must

THRESHOLDS = {"probability": 0.5, "decision": 0.0}  # default thresholds of classifiers, by kind of score


def is_model(value: Any) -> bool:
    """Return whether a value is an estimator rather than a column."""
    return hasattr(value, "predict") or hasattr(value, "fit")


def are_models(value: Any) -> bool:
    return isinstance(value, Mapping) and bool(value) and all(map(is_model, value.values()))


def predictions_of(
    model: Any,
    X: Any,
    y: Any,
    *,
    weight: Any = None,
    group: Any = None,
    cluster: Any = None,
    threshold: float | None = None,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
) -> Predictions:
    """Predict the classes ``y`` of the rows of ``X`` with a fitted classifier.

    Scores are its probabilities, or else the values of its decision function. With ``threshold``, labels follow from
    the scores of two classes.
    """
    from howsure.resampling.fit import class_scores, learner_name  # imported here, since columns need no resampling

    if X is None or y is None:
        raise HowsureError("a model must come with `X` and `y`, the features and classes of cases to predict.")
    check_index({"X": X, "y": y})
    truth, name = encode(y, "y"), learner_name(model)
    if (rows := count_rows(X)) != len(truth.codes):
        raise HowsureError(
            f"`X` has {counted(rows, 'row')} and `y` has {len(truth.codes)}; they must be of equal length."
        )
    predicted = _predict(model, X, name)
    fitted = np.asarray(getattr(model, "classes_", [])).tolist()
    present = sorted(truth.present(), key=str)
    if fitted and set(fitted).isdisjoint(present):
        in_y, in_model = (listing(list(map(repr, classes))) for classes in (present, fitted))
        raise HowsureError(
            f"`y` holds {in_y}, but {name} was fitted with {in_model}; give `y` in the form used for training."
        )
    classes = list(labels) if labels is not None else [*fitted, *sorted(set(truth.present()) - set(fitted))]
    if missing := [label for label in fitted if label not in classes]:
        raise HowsureError(f"`labels` must name every class, and {missing[0]!r} of {name} is missing.")
    table, kind = class_scores(model, X, np.array(classes, object), rows) if len(fitted) > 1 else (None, "")
    predictions = Predictions.of(
        truth,
        predicted,
        scores=None if table is None else Scores(table, tuple(classes)),
        weight=weight,
        group=group,
        cluster=cluster,
        labels=classes if fitted else labels,
        positive=positive,
        names={"truth": "y", "predicted": f"predictions of {name}", "scores": f"scores of {name}", "group": "by"},
    )
    return _with_threshold(predictions, THRESHOLDS.get(kind), threshold, name)


def predictions_of_each(
    models: Mapping[str, Any], X: Any, y: Any, *, labels: Sequence[Label] | None = None, **options: Any
) -> dict[str, Predictions]:
    """Predict the same cases with several classifiers."""
    named = {str(name): model for name, model in models.items()}
    if len(named) < 2 or len(named) < len(models):
        must("models", "at least two, with different names", given=list(models))
    predictions = {name: predictions_of(model, X, y, labels=labels, **options) for name, model in named.items()}
    spaces = [columns.classes.labels for columns in predictions.values()]
    if len(set(spaces)) > 1:  # some were fitted without a class that others have
        labels = list(dict.fromkeys(label for space in spaces for label in space))
        return {name: predictions_of(model, X, y, labels=labels, **options) for name, model in named.items()}
    return predictions


def _with_threshold(predictions: Predictions, default: float | None, threshold: float | None, name: str) -> Predictions:
    """Let a threshold decide if it is given or reproduces the labels."""
    scores = predictions.scores
    if scores is None or scores.ndim != 1:
        if threshold is not None:
            raise HowsureError(f"`threshold` needs scores of two classes, which {name} does not have here.")
        return predictions
    limit = default if threshold is None else check_number(threshold, "threshold")
    if threshold is None and not np.array_equal(decide(scores, predictions.classes, limit), predictions.decided()):
        return predictions
    return replace(predictions, predicted=None, threshold=limit)


def _predict(model: Any, X: Any, name: str) -> Any:
    from sklearn.base import is_regressor
    from sklearn.exceptions import NotFittedError

    if isinstance(model, type):
        raise HowsureError(
            f"the model must be fitted, but {model.__name__} is a class; fit {model.__name__}(...) first."
        )
    if not hasattr(model, "predict"):
        raise HowsureError(f"the model must have `predict`, but {name} does not.")
    if is_regressor(model):
        raise HowsureError(f"the model must be a classifier, but {name} is a regressor.")
    try:
        predicted = np.asarray(model.predict(X))
    except NotFittedError:
        raise HowsureError(f"the model must be fitted, but {name} is not; call its `fit` first.") from None
    except Exception as error:  # estimators raise errors of many types
        raise HowsureError(f"{name} cannot predict: {' '.join(str(error).split()).rstrip('.')}.") from error
    return predicted[:, 0] if predicted.ndim == 2 and predicted.shape[1] == 1 else predicted
