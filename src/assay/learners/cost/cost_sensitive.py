"""CostSensitive: any classifier, made to heed what its errors cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self, TypeVar, cast

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from assay.errors import AssayError, must, must_be_one_of
from assay.learners.common.checks import check_learner, check_rows, check_training
from assay.learners.common.trace import Trace
from assay.learners.common.wrapper import Around
from assay.learners.cost.decisions import CostRule
from assay.learners.cost.methods import METHODS, PROBABILITY, Job, class_records, probabilities, score
from assay.learners.ensemble.bootstrap_draws import spawn
from assay.resampling.fit import set_random_state

PLAIN = "plain"
Function = TypeVar("Function")


def _if_it_has(name: str) -> Callable[[Function], Function]:
    def check(self: Any) -> bool:
        getattr(getattr(self, "estimator_", self._mould()), name)  # raises what the learner inside would raise
        return True

    return cast("Callable[[Function], Function]", available_if(check))


class CostSensitive(Around):
    """Any classifier, made to heed what its errors cost.

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
        test rows.
        With a number, copies of a case share a fold.
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
    ``predict_proba`` and ``decision_function`` are those of the learner inside. With "threshold" they know nothing of
    costs and priors; with the other methods the learner has been trained to be biased, and they are biased alike.

    Examples
    --------
    >>> import assay
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> costs = assay.Costs(false_negative=1, false_positive=9)
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = assay.learners.CostSensitive(GaussianNB(), costs, "threshold").fit(X, y)
    >>> model.threshold_
    0.9
    >>> model.trace_.notes
    ('predicts 1 where its probability is at least 0.900, given by the costs',)
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
        tags, inner = super().__sklearn_tags__(), get_tags(self._mould())
        if inner.classifier_tags is not None:
            tags.classifier_tags.multi_class = inner.classifier_tags.multi_class and not self._tunes()
        return tags

    def _tunes(self) -> bool:
        """Whether a cut is tuned, which lies between two classes."""
        has_cut = is_method(self.method) and METHODS[self.method].has_cut
        return bool(self.tune) or (has_cut and not hasattr(self._mould(), PROBABILITY))

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train the learner inside; ``sample_weight`` says how often a case counts, beside its cost."""
        self._check()
        data = check_training(self, X, y, sample_weight, **self._reading())
        method = METHODS[self.method]
        if why := method.lacking(self._mould(), len(data.classes)):
            raise AssayError(f"`method` must not be {self.method!r}, since {why}; {method.remedy}.")
        totals = np.bincount(data.codes, data.weight, len(data.classes)).astype(float)
        rule = CostRule.of(self.costs, self.positive, data.classes.tolist(), totals)
        inside, draws = spawn(self.random_state, 2)
        mould = clone(self._mould())
        if self.random_state is not None:
            mould = set_random_state(mould, int(inside.generate_state(1)[0]))
        done = method.train(Job(mould, data, rule, self.cv, self.tune, np.random.default_rng(draws)))
        self.classes_, self.estimator_ = data.classes, done.model
        self.threshold_ = done.cut
        self._reads, self._rule = done.reads, rule
        self.trace_ = Trace(class_records(rule, done.columns), self._title(rule), done.notes)
        return self

    def _title(self, rule: CostRule) -> str:
        """Say by what costs are heeded, and whose errors are false negatives, where that matters."""
        title = f"costs heeded by {self.method}"
        if self.costs is None or rule.positive is None:
            return title if self.costs is not None else f"{title}: all errors cost the same, since none were given"
        default = ", the second class by default" if self.positive is None else ""
        return f"{title}; positive: {rule.labels[rule.positive]}{default}"

    def _check(self) -> None:
        check_learner("estimator", self._mould())
        if not is_method(self.method):
            must_be_one_of("method", METHODS, given=self.method)
        if not isinstance(self.tune, bool | np.bool_):
            must("tune", "True or False", given=self.tune)
        if self.tune and not METHODS[self.method].has_cut:
            raise AssayError(f"`tune` must be False with method {self.method!r}; only 'threshold' has a cut to tune.")

    def predict(self, X: Any) -> Any:
        """The class that the learner predicts; with "threshold", that of least expected cost."""
        check_is_fitted(self, "estimator_")
        X = check_rows(self, X, **self._reading())
        if not self._reads:
            return self.estimator_.predict(X)
        if self.threshold_ is not None:
            scores = score(self.estimator_, X, self._reads, self._rule)
            return self.classes_[self._rule.at(scores, self.threshold_)]
        return self.classes_[self._rule.decide(probabilities(self.estimator_, X, self.classes_))]

    @_if_it_has(PROBABILITY)
    def predict_proba(self, X: Any) -> Any:
        """Probabilities of all classes, as the learner inside gives them."""
        check_is_fitted(self, "estimator_")
        return probabilities(self.estimator_, check_rows(self, X, **self._reading()), self.classes_)

    @_if_it_has("decision_function")
    def decision_function(self, X: Any) -> Any:
        """Scores, as the learner inside gives them."""
        check_is_fitted(self, "estimator_")
        return self.estimator_.decision_function(check_rows(self, X, **self._reading()))


def cost_methods(
    estimator: Any, costs: Any, positive: Any = None, methods: Iterable[str] | None = None
) -> dict[str, Any]:
    """Give a learner as it is and with each way to heed costs, as `Experiment` takes learners.

    Parameters
    ----------
    estimator, costs, positive
        As `CostSensitive` takes them.
    methods
        Names of methods. Default: all that the learner can serve.

    Examples
    --------
    >>> import assay
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> list(assay.learners.cost_methods(KNeighborsClassifier(), [[0, 1], [5, 0]]))  # it takes no weights
    ['plain', 'duplicate', 'resample', 'threshold', 'relabel']
    """
    check_learner("estimator", estimator)
    left_out = lacking(estimator, 2)
    chosen = [name for name in METHODS if name not in left_out] if methods is None else check_methods(methods)
    for name in chosen:
        if name in left_out:
            raise AssayError(f"`methods` must not name {name!r}, since {left_out[name]}; {METHODS[name].remedy}.")
    return {
        PLAIN: clone(estimator),
        **{name: CostSensitive(estimator, costs, name, positive=positive) for name in chosen},
    }


def is_method(name: Any) -> bool:
    return isinstance(name, str) and name in METHODS


def check_methods(methods: Any) -> list[str]:
    if not isinstance(methods, Iterable):
        must("methods", "one or more different methods", given=methods)
    named = [methods] if isinstance(methods, str) else list(methods)
    for name in named:
        if not is_method(name):
            must_be_one_of("methods", METHODS, given=name)
    if not named or len(set(named)) < len(named):
        must("methods", "one or more different methods", given=methods)
    return named


def lacking(estimator: Any, classes: int, free: Sequence[Any] = ()) -> dict[str, str]:
    """Name the methods that cannot be used, and why: ``free`` are classes on which errors count for nothing."""
    told = {}
    for name, method in METHODS.items():
        why = method.lacking(estimator, classes)
        if not why and method.weighs and free:
            why = f"errors on class {free[0]!r} count for nothing"
        if why:
            told[name] = why
    return told
