"""Checks of what every learner here is called with: training data, rows to predict, estimators, random states."""

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
    """Checked training data: features, classes as indices into ``classes``, and weights, or None."""

    X: Any
    codes: IntArray
    classes: Array
    weight: Array | None


def check_training(learner: Any, X: Any, y: Any, sample_weight: Any = None, **options: Any) -> TrainingData:
    """Check training data the way scikit-learn does; ``options`` are those of its ``validate_data``.

    A data frame stays one where no type of number is asked for: a pipeline inside may ask for columns by name.
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
    """Where labels are missing: NaN, None or what a data frame has for it."""
    if hasattr(y, "isna"):
        mask = np.asarray(y.isna())
    elif hasattr(y, "is_null"):
        mask = np.asarray(y.is_null())
    else:
        values = np.asarray(y)
        is_text = values.dtype.kind == "O" and values.ndim == 1
        mask = np.array([each is None or each != each for each in values]) if is_text else values != values
    return np.flatnonzero(mask).tolist() if mask.ndim == 1 else []


def check_sample_weight(sample_weight: Any, n: int) -> Array | None:
    if sample_weight is None:
        return None
    weight = np.asarray(sample_weight)
    if weight.ndim == 1 and len(weight) != n:
        raise HowsureError(f"`sample_weight` must have a number for each of the {n} rows, not {len(weight)}.")
    if weight.ndim == 1 and weight.dtype.kind in "biuf" and not weight.any():
        raise HowsureError("`sample_weight` must have a weight above zero; all are zero.")
    return check_weight(weight, "sample_weight").astype(float)


def check_classifier(name: str, estimator: Any) -> None:
    """Refuse what is not a classifier: the numbers that a regressor gives would pass for classes."""
    is_estimator = not isinstance(estimator, type) and hasattr(estimator, "fit") and hasattr(estimator, "predict")
    if not is_estimator or not is_classifier(estimator):
        must(name, "a classifier", given=estimator)


def check_learner(name: str, learner: Any) -> None:
    """Refuse what is certainly not a classifier; unlike `check_classifier`, take one that does not say what it is."""
    if isinstance(learner, type) or not all(hasattr(learner, each) for each in ("fit", "predict", "get_params")):
        must(name, "a learner of scikit-learn's kind, with `fit`, `predict` and `get_params`", given=learner)
    if hasattr(learner, "__sklearn_tags__") and is_regressor(learner):
        must(name, "a classifier", given=learner)


def check_members(n: Any) -> None:
    if isinstance(n, bool) or not isinstance(n, int | np.integer):
        must("n_estimators", "a whole number", given=n)
    if n < 1:
        must("n_estimators", "at least 1", given=n)


def check_rows(learner: Any, X: Any, **options: Any) -> Any:
    """Check rows to predict: as many features as in training, of the same names."""
    if hasattr(X, "columns") and "dtype" not in options:
        validate_data(learner, X, reset=False, skip_check_array=True)
        return X
    return validate_data(learner, X, reset=False, **{"dtype": None, "accept_sparse": ["csr", "csc"], **options})


def spawn(random_state: Any, n: int) -> list[np.random.SeedSequence]:
    """Give ``n`` independent seeds, of which the first do not depend on how many are asked for."""
    if hasattr(random_state, "randint"):
        random_state = random_state.randint(2**31 - 1)  # a RandomState, as scikit-learn allows
    if random_state is not None and (not isinstance(random_state, int | np.integer) or random_state < 0):
        must("random_state", "a whole number from 0, a RandomState or None", given=random_state)
    return np.random.SeedSequence(random_state).spawn(n)
