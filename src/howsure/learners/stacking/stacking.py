"""Stacking (Wolpert, 1992): a final estimator is trained on out-of-fold predictions of base learners."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Self

import joblib
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from howsure.advice import Evidence, Finding, findings
from howsure.arrays import Array
from howsure.checks import one_of
from howsure.data.rows import take
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, must
from howsure.learners.common.checks import check_classifier, check_rows, check_training, spawn
from howsure.learners.common.trace import Trace
from howsure.learners.declare import declare_learner
from howsure.learners.ensemble.members import template_of
from howsure.learners.stacking.features import KINDS, PROBABILITIES, BaseData, features_by, out_of_fold_features
from howsure.learners.stacking.folds import exhaustive_folds
from howsure.present.sheet import Record
from howsure.resampling.fit import class_probabilities, set_random_state


def _has_probabilities(stack: Stacking) -> bool:
    return hasattr(stack._final(), "predict_proba")


@declare_learner
class Stacking(ClassifierMixin, BaseEstimator):
    """Stacking: a final estimator that combines the predictions of base learners.

    Parameters
    ----------
    estimators
        Base learners, as a mapping or as (name, classifier) pairs; by default a decision tree and a logistic
        regression. Their parameters can be set by name, as in ``set_params(tree__max_depth=3)``.
    final_estimator
        The estimator that combines their predictions; by default a logistic regression.
    features
        Predictions that the final estimator is trained on: "classes", one indicator column per class, or
        "probabilities". With two classes, only the second has a column.
    out_of_fold
        Whether the final estimator is trained on out-of-fold predictions. If False, it is trained on predictions for
        the base learners' own training cases, and relies too much on learners that overfit (finding A012).
    cv
        Cross-validation for out-of-fold predictions: the number of folds, a scheme, a splitter, or pairs of training
        and test rows. With a number of folds, they are stratified, copies of a case are in the same fold, and the order
        of the rows does not matter.
    passthrough
        Whether the final estimator is also trained on the original features.
    n_jobs
        Number of parallel jobs, as in scikit-learn. The model does not depend on it.
    random_state
        Seed of the folds and of learners whose ``random_state`` is None.

    Attributes
    ----------
    estimators_, named_estimators_, final_estimator_
        The base learners, fitted to all cases, and the final estimator. They predict indices into ``classes_``.
    level_one_, level_one_names_
        Training data of the final estimator, with one row per case (NaN for cases of weight 0), and its column names.
    trace_
        One record per column: the out-of-fold and in-sample error of the learner, and the coefficient or importance of
        the column in the final estimator, if available.
    findings_
        Findings, as in `howsure.assess`.

    Examples
    --------
    >>> from howsure.learners import Stacking
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> model = Stacking({"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}, random_state=0).fit(X, y)
    >>> print(model.trace_)
    Stacking: features of the final estimator
    learner  out_of_fold_error  in_sample_error  says  coefficient
    -------  -----------------  ---------------  ----  -----------
    tree                 0.074            0.000  1           2.865
    bayes                0.065            0.058  1           3.279
    >>> model.level_one(X[:2]).tolist(), model.predict(X[:2]).tolist()
    ([[0.0, 0.0], [0.0, 0.0]], [0, 0])
    """

    def __init__(
        self,
        estimators: Any = None,
        final_estimator: Any = None,
        *,
        features: str = "classes",
        out_of_fold: bool = True,
        cv: Any = 5,
        passthrough: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimators = estimators
        self.final_estimator = final_estimator
        self.features = features
        self.out_of_fold = out_of_fold
        self.cv = cv
        self.passthrough = passthrough
        self.n_jobs = n_jobs
        self.random_state = random_state

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name.

        Parameters
        ----------
        deep
            Whether to include the base learners and their parameters.

        Examples
        --------
        >>> from howsure.learners import Stacking
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> Stacking({"tree": DecisionTreeClassifier(max_depth=2)}).get_params()["tree__max_depth"]
        2
        """
        params: dict[str, Any] = super().get_params(deep)
        for name, learner in _pairs(self.estimators) if deep else ():
            params[name] = learner
            inner = learner.get_params() if hasattr(learner, "get_params") else {}
            params |= {f"{name}__{key}": value for key, value in inner.items()}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters, or replace base learners.

        Parameters
        ----------
        **params
            Parameters by name, such as ``tree__max_depth``.

        Examples
        --------
        >>> from howsure.learners import Stacking
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> Stacking({"tree": DecisionTreeClassifier()}).set_params(tree__max_depth=3).get_params()["tree__max_depth"]
        3
        """
        if "estimators" in params:
            self.estimators = params.pop("estimators")
        learners = dict(_pairs(self.estimators))
        replaced = {name: params.pop(name) for name in learners if name in params}
        if replaced:
            learners |= replaced
            self.estimators = learners if isinstance(self.estimators, Mapping) else list(learners.items())
        inner = {key: params.pop(key) for key in list(params) if key.partition("__")[0] in learners and "__" in key}
        for key, value in inner.items():
            name, _, rest = key.partition("__")
            learners[name].set_params(**{rest: value})
        super().set_params(**params)
        return self

    def _learners(self) -> dict[str, Any]:
        """Validate and return the base learners by name."""
        if self.estimators is None:
            return {"tree": DecisionTreeClassifier(), "logistic": LogisticRegression(max_iter=10_000)}
        pairs = _pairs(self.estimators)
        if not pairs:
            must("estimators", "a mapping of names to classifiers, or (name, classifier) pairs", given=self.estimators)
        names = [name for name, _ in pairs]
        parameters = self._get_param_names()
        for index, name in enumerate(names):
            if not isinstance(name, str) or "__" in name or name in parameters or name in names[:index]:
                rule = "unique names without '__' that are not parameters of Stacking"
                raise HowsureError(f"`estimators` must have {rule}, not {name!r}.")
        return dict(pairs)

    def _final(self) -> Any:
        return LogisticRegression() if self.final_estimator is None else self.final_estimator

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        pairs = _pairs(self.estimators) if self.estimators is not None else self._learners().items()
        inner = [get_tags(learner).input_tags for _, learner in pairs]
        tags.input_tags.sparse = all(input_tags.sparse for input_tags in inner)
        tags.input_tags.allow_nan = all(input_tags.allow_nan for input_tags in inner) and not self.passthrough
        return tags

    @shared_texts
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the base learners and the final estimator.

        Parameters
        ----------
        {X_y}
        sample_weight
            Case weights, passed to the base learners and the final estimator.
        """
        learners = self._check(sample_weight is not None)
        data = check_training(self, X, y, sample_weight, ensure_all_finite=False)
        self.classes_ = data.classes
        self.findings_ = () if self.out_of_fold else _advice()
        n, k = len(data.codes), len(data.classes)
        counted = np.arange(n) if data.weight is None else np.flatnonzero(data.weight)
        base = BaseData(
            data.X if len(counted) == n else take(data.X, counted),
            data.codes[counted],
            None if data.weight is None else data.weight[counted],
            k,
            self.features,
        )
        *seeds, final_seed, fold_seed = spawn(self.random_state, len(learners) + 2)
        folds = exhaustive_folds(self.cv, base.X, base.codes, fold_seed, counted, n) if self.out_of_fold else []
        templates = [
            set_random_state(template_of(learner, data.classes), seed)
            for learner, seed in zip(learners.values(), seeds, strict=True)
        ]
        fit = joblib.delayed(base.fit_and_predict)
        tasks = [fit(template, fold) for template in templates for fold in (None, *folds)]
        fitted = iter(joblib.Parallel(self.n_jobs)(tasks))
        self.estimators_, blocks, errors = [], [], []
        for name in learners:
            member, in_sample = next(fitted)
            block = out_of_fold_features([next(fitted)[1] for _ in folds], folds) if folds else in_sample
            self.estimators_.append(member)
            blocks.append(block)
            out_of_fold_error = base.error(block) if folds else np.nan
            errors.append(
                {"learner": name, "out_of_fold_error": out_of_fold_error, "in_sample_error": base.error(in_sample)}
            )
        self.named_estimators_ = dict(zip(learners, self.estimators_, strict=True))
        level_one = np.hstack(blocks)
        final = set_random_state(template_of(self._final(), data.classes), final_seed)
        self.final_estimator_ = base.fit(final, X=self._with_passthrough(level_one, base.X))
        self.level_one_names_ = [f"{name}: {label}" for name in learners for label in _columns(data.classes)]
        self.level_one_ = np.full((n, level_one.shape[1]), np.nan)
        self.level_one_[counted] = level_one
        self.trace_ = Trace(self._records(errors), "Stacking: features of the final estimator")
        return self

    def _check(self, weighted: bool) -> dict[str, Any]:
        one_of("features", self.features, KINDS)
        for name in ("out_of_fold", "passthrough"):
            if not isinstance(getattr(self, name), bool | np.bool_):
                must(name, "True or False", given=getattr(self, name))
        learners = self._learners()
        for name, learner in learners.items():
            check_classifier(f"estimators[{name!r}]", learner)
        check_classifier("final_estimator", self._final())
        for name, learner in {**learners, "final_estimator": self._final()}.items():
            if weighted and not has_fit_parameter(learner, "sample_weight"):
                reason = f"the `fit` of {name!r}, a {type(learner).__name__}, has none"
                raise HowsureError(f"`sample_weight` must be left out, since {reason}.")
        for name, learner in learners.items():
            if self.features == PROBABILITIES and not hasattr(learner, "predict_proba"):
                reason = f"{name!r}, a {type(learner).__name__}, has no `predict_proba`"
                raise HowsureError(f"`features` must be 'classes', since {reason}.")
        return learners

    def _with_passthrough(self, level_one: Array, X: Any) -> Any:
        """Append the original features if ``passthrough`` is True."""
        if not self.passthrough:
            return level_one
        if hasattr(X, "tocsr"):
            from scipy.sparse import hstack

            return hstack([level_one, X]).tocsr()
        try:
            return np.hstack([level_one, np.asarray(X, float)])
        except (TypeError, ValueError) as problem:
            raise HowsureError(f"`passthrough` must be False, since a feature is not numeric: {problem}.") from None

    def _records(self, errors: list[Record]) -> list[Record]:
        """Return one record per feature of the final estimator."""
        labels = _columns(self.classes_)
        records = [{**error, "says": str(label)} for error in errors for label in labels]
        columns = _coefficients(self.final_estimator_, self.classes_)
        return [
            {**record, **{head: float(column[index]) for head, column in columns.items()}}
            for index, record in enumerate(records)
        ]

    def level_one(self, X: Any) -> Array:
        """Return the base learners' predictions, used by the final estimator.

        Parameters
        ----------
        X
            Features of the cases.
        """
        check_is_fitted(self)
        X = check_rows(self, X, ensure_all_finite=False)
        return np.hstack([features_by(member, X, len(self.classes_), self.features) for member in self.estimators_])

    def predict(self, X: Any) -> Array:
        """Predict classes.

        Parameters
        ----------
        X
            Features of the cases.
        """
        features = self._with_passthrough(self.level_one(X), X)  # raises NotFittedError if needed
        return self.classes_[np.asarray(self.final_estimator_.predict(features), np.intp)]

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]  # scikit-learn has no types
    def predict_proba(self, X: Any) -> Array:
        """Predict class probabilities with the final estimator."""
        features = self._with_passthrough(self.level_one(X), X)
        return class_probabilities(self.final_estimator_, features, np.arange(len(self.classes_)))


def _pairs(estimators: Any) -> list[tuple[Any, Any]]:
    """Return (name, learner) pairs, or an empty list for invalid ``estimators``, for which `fit` raises an error."""
    pairs = list(estimators.items()) if isinstance(estimators, Mapping) else estimators
    if isinstance(pairs, list | tuple) and all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs):
        return [(name, learner) for name, learner in pairs]
    return []


def _coefficients(final: Any, classes: Array) -> dict[str, Any]:
    """Return the final estimator's coefficients by class, or its feature importances, if it has any."""
    if hasattr(final, "feature_importances_"):
        return {"importance": final.feature_importances_}
    coefficients = getattr(final, "coef_", None)
    if coefficients is None:
        return {}
    rows = np.atleast_2d(coefficients.toarray() if hasattr(coefficients, "toarray") else coefficients)
    if len(rows) == 1:
        return {"coefficient": rows[0]}
    if hasattr(final, "decision_function_shape"):  # an SVC, whose rows are pairs of classes
        return {}
    return {f"coefficient for {classes[code]}": row for code, row in zip(final.classes_, rows, strict=True)}


def _columns(classes: Array) -> list[Any]:
    """Return the classes that have a column: with two classes, only the second."""
    return list(classes[1:] if len(classes) == 2 else classes)


def _advice() -> tuple[Finding, ...]:
    """Warn that the final estimator is trained on in-sample predictions."""
    advice = findings(Evidence(stacking="in-sample"))
    for finding in advice:
        warnings.warn(str(finding), UserWarning, stacklevel=3)
    return advice
