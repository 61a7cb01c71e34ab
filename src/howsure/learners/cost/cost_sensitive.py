"""Wrapper that makes a classifier cost-sensitive."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, must, must_be_one_of
from howsure.learners.common.checks import check_learner, check_rows, check_training, spawn
from howsure.learners.common.trace import Trace
from howsure.learners.common.wrapper import Wrapper, if_base_has
from howsure.learners.cost.class_costs import ClassCosts
from howsure.learners.cost.methods import (
    METHODS,
    PROBABILITY,
    CostTraining,
    check_methods,
    class_records,
    is_method,
    positive_scores,
    unsupported_methods,
)
from howsure.learners.declare import declare_learner
from howsure.resampling.fit import class_probabilities, fresh

PLAIN = "plain"


@declare_learner
class CostSensitive(Wrapper):
    """A classifier that takes the costs of its errors into account.

    Parameters
    ----------
    estimator
        The classifier to wrap; by default a decision tree. If its ``random_state`` is None, it is set from that of the
        wrapper.
    costs
        A `Costs`, or a matrix of true classes (rows) by predicted classes (columns) in sorted order, as in `assess`.
        By default all errors cost the same.
    method
        "weights" weights cases by the cost of an error on them, "duplicate" repeats them accordingly, and "resample"
        draws a training set of the same size with these weights. "threshold" predicts the class with the least expected
        cost. "relabel" replaces the label of each training case with the class that has the least expected cost
        according to out-of-fold predictions.
    positive
        The positive class; by default the second of two classes in sorted order.
    tune
        With "threshold" and two classes: whether to choose the threshold with the least cost on out-of-fold
        probabilities, for classifiers that are not well calibrated. For a classifier without ``predict_proba``, the
        threshold of its ``decision_function`` is always tuned.
    cv
        Cross-validation for out-of-fold predictions: the number of folds, a scheme, a scikit-learn splitter, or pairs
        of training and test rows. With a number of folds, copies of a case are in the same fold.
    random_state
        Seed of draws, folds and the wrapped classifier.

    Attributes
    ----------
    trace_
        One record per class: the number of cases, their weight, and the effect of the method.
    threshold_
        With "threshold" and two classes: the smallest probability or score for which the positive class is predicted.
    estimator_, classes_
        The fitted classifier, and the class labels.

    Notes
    -----
    ``predict_proba`` and ``decision_function`` are those of the wrapped classifier. With "threshold", they do not
    depend on the costs; the other methods bias the classifier and hence its probabilities.

    Examples
    --------
    >>> import howsure
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> costs = howsure.Costs(false_negative=1, false_positive=9)
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = howsure.learners.CostSensitive(GaussianNB(), costs, "threshold").fit(X, y)
    >>> model.threshold_
    0.9
    >>> model.trace_.notes
    ('predicts 1 if its probability is at least 0.900, the optimum for these costs',)
    >>> model.predict(X[:3]).tolist()
    [0, 0, 0]
    """

    def __init__(
        self,
        estimator: Any = None,
        costs: Any = None,
        method: str = "weights",
        *,
        positive: Any = None,
        tune: bool = False,
        cv: Any = 5,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.method = method
        self.positive = positive
        self.tune = tune
        self.cv = cv
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags, inner = super().__sklearn_tags__(), get_tags(self._base_estimator())
        if inner.classifier_tags is not None:
            tags.classifier_tags.multi_class = inner.classifier_tags.multi_class and not self._tunes()
        return tags

    def _tunes(self) -> bool:
        """Return whether a threshold is tuned, which needs two classes."""
        has_cut = is_method(self.method) and METHODS[self.method].has_cut
        return bool(self.tune) or (has_cut and not hasattr(self._base_estimator(), PROBABILITY))

    @shared_texts
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the classifier.

        Parameters
        ----------
        {X_y}
        sample_weight
            Case weights, which multiply the costs.
        """
        self._check()
        data = check_training(self, X, y, sample_weight, **self._input_options())
        method = METHODS[self.method]
        if reason := method.why_not(self._base_estimator(), len(data.classes)):
            raise HowsureError(f"`method` must not be {self.method!r}, since {reason}; {method.remedy}.")
        totals = np.bincount(data.codes, data.weight, len(data.classes)).astype(float)
        costs = ClassCosts.of(self.costs, self.positive, data.classes.tolist(), totals)
        inner_seed, draw_seed = spawn(self.random_state, 2)
        seed = None if self.random_state is None else int(inner_seed.generate_state(1)[0])
        template = fresh(self._base_estimator(), seed)
        trained = method.train(
            CostTraining(template, data, costs, self.cv, self.tune, np.random.default_rng(draw_seed))
        )
        self.classes_, self.estimator_ = data.classes, trained.model
        self.threshold_ = trained.cut
        self._decides_by, self._class_costs = trained.decides_by, costs
        self.trace_ = Trace(class_records(costs, trained.columns), self._title(costs), trained.notes)
        return self

    def _title(self, costs: ClassCosts) -> str:
        """Return the title of the trace."""
        title = f"costs used by {self.method}"
        if self.costs is None or costs.positive is None:
            return title if self.costs is not None else f"{title}: all errors cost the same"
        default = ", the second class by default" if self.positive is None else ""
        return f"{title}; positive: {costs.labels[costs.positive]}{default}"

    def _check(self) -> None:
        check_learner("estimator", self._base_estimator())
        if not is_method(self.method):
            must_be_one_of("method", METHODS, given=self.method)
        if not isinstance(self.tune, bool | np.bool_):
            must("tune", "True or False", given=self.tune)
        if self.tune and not METHODS[self.method].has_cut:
            raise HowsureError(f"`tune` must be False with method {self.method!r}; only 'threshold' can be tuned.")

    def predict(self, X: Any) -> Any:
        """Predict classes; with "threshold", minimize the expected cost.

        Parameters
        ----------
        X
            Features of the cases.
        """
        check_is_fitted(self, "estimator_")
        X = check_rows(self, X, **self._input_options())
        if not self._decides_by:
            return self.estimator_.predict(X)
        if self.threshold_ is not None:
            scores = positive_scores(self.estimator_, X, self._decides_by, self._class_costs)
            return self.classes_[self._class_costs.at(scores, self.threshold_)]
        return self.classes_[self._class_costs.decide(class_probabilities(self.estimator_, X, self.classes_))]

    @if_base_has(PROBABILITY)
    def predict_proba(self, X: Any) -> Any:
        """Predict class probabilities with the wrapped classifier."""
        check_is_fitted(self, "estimator_")
        return class_probabilities(self.estimator_, check_rows(self, X, **self._input_options()), self.classes_)

    @if_base_has("decision_function")
    def decision_function(self, X: Any) -> Any:
        """Compute the decision function of the wrapped classifier."""
        check_is_fitted(self, "estimator_")
        return self.estimator_.decision_function(check_rows(self, X, **self._input_options()))


def cost_methods(
    estimator: Any, costs: Any, positive: Any = None, methods: Iterable[str] | None = None
) -> dict[str, Any]:
    """Return learners for an `Experiment`, one per cost-sensitive method.

    Parameters
    ----------
    estimator, costs, positive
        As in `CostSensitive`.
    methods
        Names of methods; by default, all methods that the classifier supports.

    Returns
    -------
    dict of learners
        Learners by method; "plain" is the classifier itself.

    Examples
    --------
    >>> import howsure
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> list(howsure.learners.cost_methods(KNeighborsClassifier(), [[0, 1], [5, 0]]))  # without sample_weight
    ['plain', 'duplicate', 'resample', 'threshold', 'relabel']
    """
    check_learner("estimator", estimator)
    unsupported = unsupported_methods(estimator, 2)
    chosen = [name for name in METHODS if name not in unsupported] if methods is None else check_methods(methods)
    for name in chosen:
        if name in unsupported:
            raise HowsureError(f"`methods` must not name {name!r}, since {unsupported[name]}; {METHODS[name].remedy}.")
    return {
        PLAIN: fresh(estimator),
        **{name: CostSensitive(estimator, costs, name, positive=positive) for name in chosen},
    }
