"""CostSensitive: any classifier, made to use the costs of its errors."""

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
    lacking,
    positive_scores,
)
from howsure.learners.declare import declare_learner
from howsure.resampling.fit import class_probabilities, fresh

PLAIN = "plain"


@declare_learner
class CostSensitive(Wrapper):
    """Any classifier, made to use the costs of its errors.

    Parameters
    ----------
    estimator
        The classifier; a decision tree by default. Each ``random_state`` in it that is None is set from this one's.
    costs
        A `Costs`, or a matrix with a row for each true and a column for each predicted class in sorted order, as for
        `assess`. Default: all errors cost the same.
    method
        "weights": cases are weighted by what an error on them costs. "duplicate": they stand in training as often as
        that. "resample": as many cases as there are, drawn by that weight. "threshold": the class of least expected
        cost is predicted. "relabel": so are the training cases, out of fold, before training.
    positive
        The class that false negatives are of. Default: the second of two in sorted order.
    tune
        With "threshold" and two classes: take the cut that costs least on out-of-fold probabilities, for learners whose
        probabilities are not to be trusted. Without ``predict_proba``, a cut of ``decision_function`` is always tuned.
    cv
        Folds of out-of-fold predictions: their number, a scheme, a splitter of scikit-learn, or pairs of training and
        test rows. With a number, copies of a case share a fold.
    random_state
        Seed of draws, folds and the learner inside.

    Attributes
    ----------
    trace_
        A record for each class: its cases, their weight, and what the method did with them.
    threshold_
        With "threshold" and two classes: the probability, or the score, from which on the positive class is predicted.
    estimator_, classes_
        The fitted learner, and the classes.

    Notes
    -----
    ``predict_proba`` and ``decision_function`` are those of the learner inside. With "threshold" they do not depend
    on costs and priors; with the other methods the learner has been trained to be biased, and they are biased alike.

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
    ('predicts 1 where its probability is at least 0.900, given by the costs',)
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
        """Whether a cut is tuned, which lies between two classes."""
        has_cut = is_method(self.method) and METHODS[self.method].has_cut
        return bool(self.tune) or (has_cut and not hasattr(self._base_estimator(), PROBABILITY))

    @shared_texts
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train the learner inside.

        Parameters
        ----------
        {X_y}
        sample_weight
            How often a case counts, beside its cost.
        """
        self._check()
        data = check_training(self, X, y, sample_weight, **self._input_options())
        method = METHODS[self.method]
        if reason := method.lacking(self._base_estimator(), len(data.classes)):
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
        """State how costs are used, and whose errors are false negatives, where that matters."""
        title = f"costs used by {self.method}"
        if self.costs is None or costs.positive is None:
            return title if self.costs is not None else f"{title}: all errors cost the same, since none were given"
        default = ", the second class by default" if self.positive is None else ""
        return f"{title}; positive: {costs.labels[costs.positive]}{default}"

    def _check(self) -> None:
        check_learner("estimator", self._base_estimator())
        if not is_method(self.method):
            must_be_one_of("method", METHODS, given=self.method)
        if not isinstance(self.tune, bool | np.bool_):
            must("tune", "True or False", given=self.tune)
        if self.tune and not METHODS[self.method].has_cut:
            raise HowsureError(f"`tune` must be False with method {self.method!r}; only 'threshold' has a cut to tune.")

    def predict(self, X: Any) -> Any:
        """Give the class that the learner predicts; with "threshold", that of least expected cost.

        Parameters
        ----------
        X
            The features of each case.
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
        """Probabilities of all classes, as the learner inside gives them."""
        check_is_fitted(self, "estimator_")
        return class_probabilities(self.estimator_, check_rows(self, X, **self._input_options()), self.classes_)

    @if_base_has("decision_function")
    def decision_function(self, X: Any) -> Any:
        """Scores, as the learner inside gives them."""
        check_is_fitted(self, "estimator_")
        return self.estimator_.decision_function(check_rows(self, X, **self._input_options()))


def cost_methods(
    estimator: Any, costs: Any, positive: Any = None, methods: Iterable[str] | None = None
) -> dict[str, Any]:
    """Give a learner as it is and with each way to use costs, as `Experiment` takes learners.

    Parameters
    ----------
    estimator, costs, positive
        As `CostSensitive` takes them.
    methods
        Names of methods. Default: all that the learner can serve.

    Returns
    -------
    dict of learners
        By the name of the method; "plain" is the learner as it is.

    Examples
    --------
    >>> import howsure
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> list(howsure.learners.cost_methods(KNeighborsClassifier(), [[0, 1], [5, 0]]))  # it takes no weights
    ['plain', 'duplicate', 'resample', 'threshold', 'relabel']
    """
    check_learner("estimator", estimator)
    left_out = lacking(estimator, 2)
    chosen = [name for name in METHODS if name not in left_out] if methods is None else check_methods(methods)
    for name in chosen:
        if name in left_out:
            raise HowsureError(f"`methods` must not name {name!r}, since {left_out[name]}; {METHODS[name].remedy}.")
    return {
        PLAIN: fresh(estimator),
        **{name: CostSensitive(estimator, costs, name, positive=positive) for name in chosen},
    }
