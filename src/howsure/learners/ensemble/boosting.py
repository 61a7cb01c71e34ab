"""AdaBoost (Freund and Schapire, 1997) and, for more than two classes, SAMME (Zhu et al., 2009)."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d, has_fit_parameter

from howsure.arrays import Array, Floats, IntArray
from howsure.checks import one_of
from howsure.data.rows import count_rows
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, must
from howsure.learners.common.checks import (
    check_classifier,
    check_members,
    check_rows,
    check_sample_weight,
    check_training,
    spawn,
)
from howsure.learners.common.trace import Trace
from howsure.learners.declare import declare_learner
from howsure.learners.ensemble.bootstrap_draws import CaseSampler
from howsure.learners.ensemble.case_weights import CaseWeights
from howsure.learners.ensemble.members import class_votes, fit_sampled, fit_weighted, prepare, template_of
from howsure.learners.ensemble.voting import Voting
from howsure.present.sheet import Record

SAMPLING = ("auto", "reweight", "resample")


@declare_learner
class AdaBoost(Voting):
    """AdaBoost: a weighted vote of classifiers fitted in sequence to reweighted cases (SAMME).

    Each round fits a member to the weighted cases. Its weighted training error epsilon gives it a vote of
    alpha = ln((1 - epsilon) / epsilon) + ln(k - 1), where k is the number of classes. The weights of the cases that it
    misclassifies are then multiplied by exp(alpha).

    Parameters
    ----------
    estimator
        The base estimator; by default a decision stump. Its ``random_state`` is replaced so that members differ.
    n_estimators
        Maximum number of rounds.
    sampling
        "reweight" passes the weights to ``fit``; "resample" draws a sample of the same size with these weights; "auto"
        reweights if ``fit`` has a ``sample_weight`` parameter, and resamples otherwise.
    learning_rate
        Factor applied to every alpha.
    adapt
        Whether to change the weights. If False, every member has one vote; with "resample" this is `Bagging`.
    random_state
        Seed of the samples and the members.

    Attributes
    ----------
    estimators_
        The fitted members, which predict indices into ``classes_``.
    estimator_weights_, estimator_errors_
        Alpha and epsilon of each member.
    stopped_
        Reason why there are fewer rounds than ``n_estimators``, or None.
    trace_
        One record per round: epsilon, alpha, the training error of the ensemble so far, the weights (smallest, largest,
        effective number of cases), and with "resample" the number of distinct cases drawn.

    Notes
    -----
    A member without errors has an infinite alpha and decides alone. A member that is no better than chance is dropped,
    and training ends. The weights passed to ``fit`` sum to the number of cases, or to the sum of ``sample_weight``, so
    that the first member is the same as an estimator fitted alone. If classes have equal votes, the first is predicted.

    Examples
    --------
    >>> from howsure.learners import AdaBoost
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaBoost(n_estimators=3, random_state=0).fit(X, y)
    >>> model.estimator_errors_.round(3).tolist(), model.estimator_weights_.round(3).tolist()
    ([0.077, 0.119, 0.156], [2.479, 2.006, 1.691])
    >>> model.votes(X[:1]).round(2).tolist()
    [[4.49, 1.69]]
    >>> [round(float((predicted != y).mean()), 3) for predicted in model.staged_predict(X)]
    [0.077, 0.077, 0.035]
    """

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 50,
        *,
        sampling: str = "auto",
        learning_rate: float = 1.0,
        adapt: bool = True,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.sampling = sampling
        self.learning_rate = learning_rate
        self.adapt = adapt
        self.random_state = random_state

    def _base_estimator(self) -> Any:
        return DecisionTreeClassifier(max_depth=1) if self.estimator is None else self.estimator

    @shared_texts
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the members.

        Parameters
        ----------
        {X_y}
        sample_weight
            Initial case weights.
        """
        sampling = self._check()
        data = check_training(self, X, y, sample_weight, **self._input_options())
        self.classes_ = data.classes
        template = template_of(self._base_estimator(), data.classes)
        X_fit, X_predict = prepare(template, data.X), prepare(template, data.X, to_fit=False)
        sampler = CaseSampler.of(data.X, data.codes, data.weight) if sampling == "resample" else None
        cases = CaseWeights.of(data.codes, data.weight)
        votes = np.zeros((len(data.codes), len(data.classes)))
        self.estimators_: list[Any] = []
        self.stopped_: str | None = None
        alphas_and_errors: list[tuple[float, float]] = []
        records: list[Record] = []
        for seed in spawn(self.random_state, self.n_estimators):
            times: IntArray | None = None  # number of times each row occurs in the sample of this round
            if sampler is None:
                member = fit_weighted(template, seed, X_fit, data.codes, cases.weight)
            else:
                times = sampler.draw(np.random.default_rng(seed), weight=cases.weight if self.adapt else None)
                member = fit_sampled(template, seed, X_fit, data.codes, times)
            predicted = class_votes(member)(X_predict)
            wrong = predicted != data.codes
            epsilon = cases.error(wrong)
            alpha, self.stopped_, dropped = self._judge(epsilon, cases.k)
            if not dropped:
                self.estimators_.append(member)
                alphas_and_errors.append((alpha, epsilon))
                votes[np.arange(len(predicted)), predicted] += alpha
            records.append(
                {
                    "round": len(records) + 1,
                    "epsilon": epsilon,
                    "alpha": alpha,
                    "training_error": cases.plain_error(votes.argmax(axis=1) != data.codes),
                    **cases.spread(),
                    **({} if times is None else {"distinct_cases": int(np.count_nonzero(times))}),
                }
            )
            if self.stopped_:
                break
            if self.adapt:
                cases.adapt(wrong, alpha)
        self.estimator_weights_, self.estimator_errors_ = np.array(alphas_and_errors).T
        notes = () if self.stopped_ is None else (f"stopped: {self.stopped_}",)
        self.trace_ = Trace(records, "AdaBoost by round", notes, ("epsilon", "training_error"))
        return self

    def _check(self) -> str:
        """Validate the parameters, and choose between reweighting and resampling."""
        check_members(self.n_estimators)
        check_classifier("estimator", self._base_estimator())
        rate = self.learning_rate
        if isinstance(rate, bool) or not isinstance(rate, Real) or not 0 < rate < np.inf:
            must("learning_rate", "a number above 0", given=rate)
        if not isinstance(self.adapt, bool | np.bool_):
            must("adapt", "True or False", given=self.adapt)
        one_of("sampling", self.sampling, SAMPLING)
        takes_weights = has_fit_parameter(self._base_estimator(), "sample_weight")
        if self.sampling == "reweight" and not takes_weights:
            name = type(self._base_estimator()).__name__
            raise HowsureError(f"`sampling` must be 'resample', since the `fit` of {name} has no `sample_weight`.")
        return ("reweight" if takes_weights else "resample") if self.sampling == "auto" else self.sampling

    def _judge(self, epsilon: float, k: int) -> tuple[float, str | None, bool]:
        """Return alpha, the reason for stopping (if any), and whether to drop the member."""
        if not self.adapt:
            return 1.0, None, False
        member = f"the member of round {len(self.estimators_) + 1}"
        if epsilon == 0:
            return np.inf, f"{member} makes no errors, so it decides alone.", False
        if epsilon == 1 or k == 1:
            alpha = -np.inf
        else:
            alpha = float(self.learning_rate * (np.log((1 - epsilon) / epsilon) + np.log(k - 1)))
        if epsilon * k < k - 1 and alpha > 0:  # both conditions, since they are equivalent only up to rounding
            return alpha, None, False
        reason = f"{member} is no better than chance (epsilon {epsilon:.3g}, chance {1 - 1 / k:.3g})"
        if self.estimators_:
            return alpha, f"{reason} and was dropped.", True
        return 1.0, f"{reason}, but is the only one.", False

    def _staged_votes(self, X: Any) -> Iterator[Array]:
        """Yield the votes by case and class after each round; the array is reused."""
        check_is_fitted(self)
        X = prepare(self._base_estimator(), check_rows(self, X, **self._input_options()), to_fit=False)
        n = count_rows(X)
        votes = np.zeros((n, len(self.classes_)))
        for member, alpha in zip(self.estimators_, self.estimator_weights_, strict=True):
            votes[np.arange(n), class_votes(member)(X)] += alpha
            yield votes

    def votes(self, X: Any) -> Array:
        """Return the sum of alpha by case (rows) and class (columns).

        Parameters
        ----------
        X
            Features of the cases.
        """
        *_, votes = self._staged_votes(X)
        return votes

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """Yield the predicted classes after each round.

        Parameters
        ----------
        X
            Features of the cases.
        """
        for votes in self._staged_votes(X):
            yield self.classes_[votes.argmax(axis=1)]

    def staged_weights(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[Floats]:
        """Yield the training case weights after each round, normalized to sum 1.

        Parameters
        ----------
        X, y, sample_weight
            The training data, which are not stored in the model.

        Examples
        --------
        >>> from howsure.learners import AdaBoost
        >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 1, 0, 1, 1, 1]
        >>> model = AdaBoost(n_estimators=2, random_state=0).fit(X, y)
        >>> [weights.round(2).tolist() for weights in model.staged_weights(X, y)][0]
        [0.1, 0.5, 0.1, 0.1, 0.1, 0.1]
        """
        check_is_fitted(self)
        X_predict = prepare(self._base_estimator(), check_rows(self, X, **self._input_options()), to_fit=False)
        truth = column_or_1d(y)
        check_consistent_length(X, truth)
        cases = CaseWeights.of(np.searchsorted(self.classes_, truth), check_sample_weight(sample_weight, len(truth)))
        dropped = len(self.trace_) > len(self.estimators_)
        stopped_at_last = self.stopped_ is not None and not dropped
        for member, alpha in zip(self.estimators_, self.estimator_weights_, strict=True):
            if self.adapt and not (stopped_at_last and member is self.estimators_[-1]):
                cases.adapt(self.classes_[class_votes(member)(X_predict)] != truth, alpha)
            yield cases.weight / cases.weight.sum()
