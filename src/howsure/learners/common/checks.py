"""Validation of training data, rows to predict, estimators and random states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data

from howsure.arrays import Array, IntArray
from howsure.data.predictions import check_weight
from howsure.errors import HowsureError, listing, must


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Validated training data; ``codes`` are indices into ``classes``."""

    X: Any
    codes: IntArray
    classes: Array
    weight: Array | None


def check_training(learner: Any, X: Any, y: Any, sample_weight: Any = None, **options: Any) -> TrainingData:
    """Validate training data; ``options`` are passed to scikit-learn's ``validate_data``.

    Without a ``dtype``, a data frame is not converted, since a wrapped pipeline may select columns by name.
    """
    if y is None:
        raise HowsureError(f"{type(learner).__name__} requires y to be passed, but the target y is None.")
    if len(missing := _missing(y)):
        raise HowsureError(f"`y` has no label at index {listing(missing)}; drop these rows.")
    if hasattr(X, "columns") and "dtype" not in options:
        validate_data(learner, X, skip_check_array=True)
        y = column_or_1d(y, warn=True)
        assert_all_finite(y, input_name="y")
        check_consistent_length(X, y)
        if not len(y):
            raise HowsureError("`X` must have at least one row, not 0.")
    else:
        X, y = validate_data(learner, X, y, **{"dtype": None, "accept_sparse": ["csr", "csc"], **options})
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    return TrainingData(X, codes, classes, check_sample_weight(sample_weight, len(codes)))


def _missing(y: Any) -> list[int]:
    """Flag missing labels: NaN, None, or the null value of a data frame."""
    if hasattr(y, "isna"):
        mask = np.asarray(y.isna())
    elif hasattr(y, "is_null"):
        mask = np.asarray(y.is_null())
    else:
        values = np.asarray(y)
        is_text = values.dtype.kind == "O" and values.ndim == 1
        mask = np.array([value is None or value != value for value in values]) if is_text else values != values
    return np.flatnonzero(mask).tolist() if mask.ndim == 1 else []


def check_sample_weight(sample_weight: Any, n: int) -> Array | None:
    if sample_weight is None:
        return None
    weight = np.asarray(sample_weight)
    if weight.ndim == 1 and len(weight) != n:
        raise HowsureError(f"`sample_weight` must have {n} weights, one for each row, not {len(weight)}.")
    if weight.ndim == 1 and weight.dtype.kind in "biuf" and not weight.any():
        raise HowsureError("`sample_weight` must have at least one weight above zero.")
    return check_weight(weight, "sample_weight").astype(float)


def check_classifier(name: str, estimator: Any) -> None:
    """Reject an estimator that is not a classifier; a regressor's predictions would be mistaken for classes."""
    is_estimator = not isinstance(estimator, type) and hasattr(estimator, "fit") and hasattr(estimator, "predict")
    if not is_estimator or not is_classifier(estimator):
        must(name, "a classifier", given=estimator)


def check_learner(name: str, learner: Any) -> None:
    """Reject an object that cannot be a classifier; accept one without scikit-learn's tags."""
    if isinstance(learner, type) or not all(hasattr(learner, method) for method in ("fit", "predict", "get_params")):
        must(name, "an estimator with `fit`, `predict` and `get_params`", given=learner)
    if hasattr(learner, "__sklearn_tags__") and is_regressor(learner):
        must(name, "a classifier", given=learner)


def check_members(n: Any) -> None:
    if isinstance(n, bool) or not isinstance(n, int | np.integer):
        must("n_estimators", "a whole number", given=n)
    if n < 1:
        must("n_estimators", "at least 1", given=n)


def check_rows(learner: Any, X: Any, **options: Any) -> Any:
    """Validate rows to predict: the number and names of features must be the same as in training."""
    if hasattr(X, "columns") and "dtype" not in options:
        validate_data(learner, X, reset=False, skip_check_array=True)
        return X
    return validate_data(learner, X, reset=False, **{"dtype": None, "accept_sparse": ["csr", "csc"], **options})


def spawn(random_state: Any, n: int) -> list[np.random.SeedSequence]:
    """Return ``n`` independent seeds; the first ones do not depend on ``n``."""
    if hasattr(random_state, "randint"):
        random_state = random_state.randint(2**31 - 1)  # a RandomState
    if random_state is not None and (not isinstance(random_state, int | np.integer) or random_state < 0):
        must("random_state", "a whole number from 0, a RandomState or None", given=random_state)
    return np.random.SeedSequence(random_state).spawn(n)
