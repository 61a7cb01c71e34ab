"""Predictions of a fitted classifier, as scikit-learn has them: its labels, and its scores where it gives any."""

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

THRESHOLDS = {"probability": 0.5, "decision": 0.0}  # where classifiers decide, by the kind of their scores


def is_model(given: Any) -> bool:
    """Whether this is a learner, and not a column: `assess(model, X, y)`."""
    return hasattr(given, "predict") or hasattr(given, "fit")


def are_models(given: Any) -> bool:
    return isinstance(given, Mapping) and bool(given) and all(map(is_model, given.values()))


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
    """Let a fitted classifier predict the classes ``y`` of the rows of ``X``.

    The labels are what it predicts; with ``threshold``, those that its scores of two classes decide. Its scores are
    probabilities where it has them, and else the values of its decision function.
    """
    from howsure.resampling.fit import class_scores, learner_name  # schemes and learners, which columns do not need

    if X is None or y is None:
        raise HowsureError("a model must come with `X` and `y`, the features and classes of cases to predict.")
    check_index({"X": X, "y": y})
    truth, name = encode(y, "y"), learner_name(model)
    if (rows := count_rows(X)) != len(truth.codes):
        raise HowsureError(
            f"`X` has {counted(rows, 'row')} and `y` has {len(truth.codes)}; they must be of equal length."
        )
    predicted = _predict(model, X, name)
    known = np.asarray(getattr(model, "classes_", [])).tolist()
    present = sorted(truth.present(), key=str)
    if known and set(known).isdisjoint(present):
        here, there = (listing(list(map(repr, some))) for some in (present, known))
        raise HowsureError(f"`y` holds {here}, and {name} was fitted with {there}; give `y` as it was in training.")
    space = list(labels) if labels is not None else [*known, *sorted(set(truth.present()) - set(known))]
    if stray := [label for label in known if label not in space]:
        raise HowsureError(f"`labels` must name every class, and {stray[0]!r} of {name} is missing.")
    table, kind = class_scores(model, X, np.array(space, object), rows) if len(known) > 1 else (None, "")
    predictions = Predictions.of(
        truth,
        predicted,
        scores=None if table is None else Scores(table, tuple(space)),
        weight=weight,
        group=group,
        cluster=cluster,
        labels=space if known else labels,
        positive=positive,
        names={"truth": "y", "predicted": f"predictions of {name}", "scores": f"scores of {name}", "group": "by"},
    )
    return _decided(predictions, THRESHOLDS.get(kind), threshold, name)


def predictions_of_each(
    models: Mapping[str, Any], X: Any, y: Any, *, labels: Sequence[Label] | None = None, **options: Any
) -> dict[str, Predictions]:
    """Let several fitted classifiers predict the same cases, over one set of classes."""
    named = {str(name): model for name, model in models.items()}
    if len(named) < 2 or len(named) < len(models):
        must("models", "at least two, with different names", given=list(models))
    each = {name: predictions_of(model, X, y, labels=labels, **options) for name, model in named.items()}
    spaces = [predictions.classes.labels for predictions in each.values()]
    if len(set(spaces)) > 1:  # one of them was fitted without a class that another has seen
        labels = list(dict.fromkeys(label for space in spaces for label in space))
        return {name: predictions_of(model, X, y, labels=labels, **options) for name, model in named.items()}
    return each


def _decided(predictions: Predictions, usual: float | None, threshold: float | None, name: str) -> Predictions:
    """Let the scores decide where a threshold is asked for, and where they do so as the model does."""
    scores = predictions.scores
    if scores is None or scores.ndim != 1:
        if threshold is not None:
            raise HowsureError(f"`threshold` decides by scores of two classes, which {name} does not give here.")
        return predictions
    limit = usual if threshold is None else check_number(threshold, "threshold")
    alike = threshold is not None or np.array_equal(decide(scores, predictions.classes, limit), predictions.decided())
    return replace(predictions, predicted=None, threshold=limit) if alike else predictions


def _predict(model: Any, X: Any, name: str) -> Any:
    from sklearn.base import is_regressor
    from sklearn.exceptions import NotFittedError

    if isinstance(model, type):
        raise HowsureError(
            f"the model must be fitted, and {model.__name__} is a class; fit {model.__name__}(...) first."
        )
    if not hasattr(model, "predict"):
        raise HowsureError(f"the model must have `predict`, and {name} has not.")
    if is_regressor(model):
        raise HowsureError(f"the model must be a classifier, and {name} is a regressor.")
    try:
        predicted = np.asarray(model.predict(X))
    except NotFittedError:
        raise HowsureError(f"the model must be fitted, and {name} is not; call its `fit` first.") from None
    except Exception as error:  # learners have reasons of their own
        raise HowsureError(f"{name} cannot predict: {' '.join(str(error).split()).rstrip('.')}.") from error
    return predicted[:, 0] if predicted.ndim == 2 and predicted.shape[1] == 1 else predicted
