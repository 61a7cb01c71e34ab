"""Bagging with hard or soft votes and out-of-bag estimates (Breiman, 1996)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import joblib
import numpy as np
from sklearn.utils.validation import check_is_fitted

from howsure.arrays import Array, IntArray
from howsure.checks import check_flag, one_of
from howsure.curves import Curve
from howsure.data import Predictions
from howsure.data.rows import count_rows, take
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, must
from howsure.learners.common.checks import check_classifier, check_members, check_rows, check_training, spawn
from howsure.learners.common.trace import Trace
from howsure.learners.common.wrapper import is_tree
from howsure.learners.declare import declare_learner
from howsure.learners.ensemble.bootstrap_draws import CaseSampler
from howsure.learners.ensemble.members import class_votes, fit_sampled, prepare, template_of, vote_shares
from howsure.learners.ensemble.out_of_bag import OutOfBag
from howsure.learners.ensemble.voting import Voting
from howsure.present.sheet import Record

VOTES = ("hard", "soft")


@declare_learner
class Bagging(Voting):
    """Bagging: a vote of classifiers fitted to bootstrap samples.

    Parameters
    ----------
    estimator
        The base estimator; by default a decision tree. Its ``random_state`` is replaced so that members differ.
    n_estimators
        Number of members. Adding members does not change the first ones.
    max_samples
        Number of draws per sample, an int or a fraction; by default the number of training cases.
    voting
        "hard" counts the predicted classes, "soft" adds up the predicted probabilities.
    oob_score
        Whether to compute out-of-bag estimates.
    n_jobs
        Number of parallel jobs, as in scikit-learn. The model does not depend on it.
    random_state
        Seed of the samples and the members.

    Attributes
    ----------
    oob_error_
        Out-of-bag error rate.
    oob_predictions_
        Out-of-bag predictions, for use with `howsure.assess`. Cases that are in every sample are left out.
    oob_
        Out-of-bag votes as an `OutOfBag`; None without ``oob_score``.
    trace_
        One record per member, with the out-of-bag error so far.
    estimators_
        The fitted members, which predict indices into ``classes_``.
    classes_
        The class labels.

    Notes
    -----
    The samples do not depend on the order of the rows, and a case with weight 3 is equivalent to three copies. If
    classes have equal votes, the first is predicted.

    Examples
    --------
    >>> import howsure
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = howsure.learners.Bagging(random_state=0).fit(X, y)
    >>> model.oob_
    OutOfBag(error 0.047 over 150 cases, 0 without a vote)
    >>> print(howsure.assess(model.oob_predictions_)["error_rate"])
    error_rate: 0.047, 95 % interval [0.023, 0.093] (wilson), n = 150
    >>> model.votes(X[:1]).tolist()
    [[100.0, 0.0, 0.0]]
    """

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 100,
        *,
        max_samples: float | None = None,
        voting: str = "hard",
        oob_score: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.voting = voting
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state

    @shared_texts
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the members to bootstrap samples.

        Parameters
        ----------
        {X_y}
        sample_weight
            Case weights; the probability of being drawn is proportional to them.
        """
        self._check()
        data = check_training(self, X, y, sample_weight, **self._input_options())
        self.classes_ = data.classes
        template = template_of(self._base_estimator(), data.classes)
        sampler, has_oob = CaseSampler.of(data.X, data.codes, data.weight), check_flag("oob_score", self.oob_score)
        fit = MemberFit(
            template,
            prepare(template, data.X),
            prepare(template, data.X, to_fit=False) if has_oob else None,
            data.codes,
            sampler,
            _sample_size(self.max_samples, sampler.size),
            self._soft_classes(),
        )
        self.oob_ = OutOfBag(data.codes, data.classes, data.weight) if has_oob else None
        self.estimators_: list[Any] = []
        records: list[Record] = []
        tasks = map(joblib.delayed(fit), spawn(self.random_state, self.n_estimators))
        # Results arrive in the order of the tasks, so votes and trace do not depend on `n_jobs`.
        for member, rows, votes in self._parallel(template)(tasks):
            self.estimators_.append(member)
            records.append(self._record(member, rows, votes))
        title = "members" if self.oob_ is None else "out-of-bag error by number of members"
        drawn = () if self.oob_ is None else ("oob_error", "own_error")
        self.trace_ = Trace(records, f"{type(self).__name__}: {title}", drawn=drawn)
        return self

    def _check(self) -> None:
        check_members(self.n_estimators)
        check_classifier("estimator", self._base_estimator())
        one_of("voting", self.voting, VOTES)
        if self.voting == "soft" and not hasattr(self._base_estimator(), "predict_proba"):
            raise HowsureError(f"`voting` must be 'hard', since {self._base_estimator()!r} has no `predict_proba`.")

    def _soft_classes(self) -> int:
        """Return the number of classes if votes are soft, else 0."""
        return len(self.classes_) if self.voting == "soft" else 0

    def _parallel(self, template: Any) -> Any:
        """Return a parallel executor: threads for trees, which release the GIL, otherwise processes."""
        prefer = "threads" if is_tree(template) else None
        try:
            return joblib.Parallel(self.n_jobs, prefer=prefer, return_as="generator")
        except ValueError:  # a backend such as "multiprocessing" that cannot return a generator
            return joblib.Parallel(self.n_jobs, prefer=prefer)

    def _record(self, member: Any, rows: IntArray | None, votes: Array | None) -> Record:
        record: Record = {"member": len(self.estimators_)}
        if is_tree(member):
            record |= {"leaves": (member.tree_.node_count + 1) // 2, "depth": member.tree_.max_depth}
        if self.oob_ is not None and rows is not None and votes is not None:
            self.oob_.add(rows, votes)
            record |= {
                "out_of_bag": self.oob_.cases_in(rows),
                "own_error": self.oob_.member_error(rows, votes),
                "oob_error": self.oob_.error,
                "without_vote": self.oob_.missing,
            }
        return record

    @property
    def oob_error_(self) -> float:
        """Out-of-bag error rate."""
        return self._out_of_bag().error

    @property
    def oob_predictions_(self) -> Predictions:
        """Out-of-bag predictions."""
        return self._out_of_bag().predictions()

    def oob_curve(self) -> Curve:
        """Return the out-of-bag error by number of members.

        Examples
        --------
        >>> from howsure.learners import Bagging
        >>> from sklearn.datasets import load_iris
        >>> curve = Bagging(n_estimators=20, random_state=0).fit(*load_iris(return_X_y=True)).oob_curve()
        >>> curve.x[-1].item(), curve.y_title
        (20.0, 'out-of-bag error')
        """
        self._out_of_bag()
        members = self.trace_["member"].astype(float)
        extra = {"without_vote": self.trace_["without_vote"].astype(float)}
        return Curve(
            members,
            self.trace_["oob_error"],
            members,
            name="out-of-bag error",
            x_title="members",
            y_title="out-of-bag error",
            title=type(self).__name__,
            extra=extra,
        )

    def _out_of_bag(self) -> OutOfBag:
        check_is_fitted(self)
        if self.oob_ is None:
            # AttributeError makes hasattr(self, "oob_error_") False.
            raise AttributeError("there is no out-of-bag estimate; fit with `oob_score=True`.")
        return self.oob_

    def votes(self, X: Any) -> Array:
        """Return the votes by case (rows) and class (columns).

        Parameters
        ----------
        X
            Features of the cases.
        """
        check_is_fitted(self)
        X = prepare(self._base_estimator(), check_rows(self, X, **self._input_options()), to_fit=False)
        k, n, soft = len(self.classes_), count_rows(X), self._soft_classes() > 0
        members = [vote_shares(member, k) if soft else class_votes(member) for member in self.estimators_]
        predict = joblib.delayed(lambda member: member(X))
        votes, rows = np.zeros((n, k)), np.arange(n)
        # Votes are added in the order of the members so that floating-point sums do not depend on `n_jobs`.
        for vote in joblib.Parallel(self.n_jobs, require="sharedmem", return_as="generator")(map(predict, members)):
            if soft:
                votes += vote
            else:
                votes[rows, vote] += 1
        return votes


def _sample_size(max_samples: float | None, size: int) -> int:
    if max_samples is None:
        return size
    is_number = isinstance(max_samples, int | float | np.number) and not isinstance(max_samples, bool)
    if not is_number or not max_samples > 0:
        must("max_samples", "a number of cases or a fraction, above 0", given=max_samples)
    if isinstance(max_samples, int | np.integer):
        return int(max_samples)
    if max_samples > 1:
        must("max_samples", "a fraction of at most 1, or an int for a number of cases", given=max_samples)
    return max(1, round(max_samples * size))


@dataclass(frozen=True, eq=False)
class MemberFit:
    """Fits a member to a bootstrap sample and computes its votes on the out-of-bag cases."""

    template: Any
    X: Any
    X_out_of_bag: Any  # the same rows prepared for prediction; None if out-of-bag votes are not needed
    codes: IntArray
    sampler: CaseSampler
    size: int
    soft_classes: int  # number of classes if votes are soft, else 0

    def __call__(self, seed: np.random.SeedSequence) -> tuple[Any, IntArray | None, Array | None]:
        """Return the member, its out-of-bag rows, and its votes on them."""
        times = self.sampler.draw(np.random.default_rng(seed), self.size)
        member = fit_sampled(self.template, seed, self.X, self.codes, times)
        if self.X_out_of_bag is None:
            return member, None, None
        rows, k = np.flatnonzero(times == 0), self.soft_classes
        if not len(rows):
            return member, rows, np.zeros((0, k)) if k else np.zeros(0, np.intp)
        vote = vote_shares(member, k) if k else class_votes(member)
        return member, rows, vote(take(self.X_out_of_bag, rows))
