"""Bagging: members fitted to bootstrap samples vote, and are judged by the cases that they have not seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import joblib
import numpy as np
from sklearn.utils.validation import check_is_fitted

from howsure.arrays import Array, IntArray
from howsure.checks import flag, one_of
from howsure.curves import Curve
from howsure.data import Predictions
from howsure.data.rows import count_rows, take
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, must
from howsure.learners.common.checks import check_classifier, check_members, check_rows, check_training, spawn
from howsure.learners.common.trace import Trace
from howsure.learners.common.wrapper import is_tree
from howsure.learners.declare import declare_learner
from howsure.learners.ensemble.bootstrap_draws import Urn
from howsure.learners.ensemble.members import class_votes, fit_sampled, prepare, template_of, vote_shares
from howsure.learners.ensemble.out_of_bag import OutOfBag
from howsure.learners.ensemble.voting import Voting
from howsure.present.sheet import Record

VOTES = ("hard", "soft")


@declare_learner
class Bagging(Voting):
    """Members fitted to bootstrap samples of the cases, deciding by majority vote.

    Parameters
    ----------
    estimator
        Any classifier; a decision tree by default. Its own ``random_state`` is replaced, so that members differ.
    n_estimators
        The number of members. The first ones do not depend on how many there are.
    max_samples
        Cases in a sample: a whole number, or a share of all. Default: as many as there are.
    voting
        "hard": each member has one vote. "soft": each divides its vote by its probabilities.
    oob_score
        Whether to judge each case by the members that have not seen it, which costs a prediction for each.
    n_jobs, random_state
        As in scikit-learn. The model is the same for any ``n_jobs``.

    Attributes
    ----------
    oob_error_, oob_predictions_, oob_
        The out-of-bag error; the predictions behind it, for `howsure.assess`; and the votes. Cases that every member
        has seen are left out of them: ``oob_.missing`` says how many. Without ``oob_score``, ``oob_`` is None.
    trace_
        A record for each member, with the out-of-bag error so far.
    estimators_, classes_
        The members, which predict indices into ``classes_``, and the classes.

    Notes
    -----
    The samples depend on the cases, not on the order of the rows, and a weight of 3 is the same as three copies.
    With equal votes, the class that comes first is taken.

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
        """Draw the samples and fit the members.

        Parameters
        ----------
        {X_y}
        sample_weight
            How often a case counts in the draw.
        """
        self._check()
        data = check_training(self, X, y, sample_weight, **self._input_options())
        self.classes_ = data.classes
        template = template_of(self._base_estimator(), data.classes)
        urn, has_oob = Urn.of(data.X, data.codes, data.weight), flag("oob_score", self.oob_score)
        fit = MemberFit(
            template,
            prepare(template, data.X),
            prepare(template, data.X, to_fit=False) if has_oob else None,
            data.codes,
            urn,
            _sample_size(self.max_samples, urn.size),
            self._shared_by(),
        )
        self.oob_ = OutOfBag(data.codes, data.classes, data.weight) if has_oob else None
        self.estimators_: list[Any] = []
        records: list[Record] = []
        tasks = map(joblib.delayed(fit), spawn(self.random_state, self.n_estimators))
        # Members come in the order in which they were asked for, so that votes and trace do not depend on `n_jobs`.
        for member, rows, votes in self._parallel(template)(tasks):
            self.estimators_.append(member)
            records.append(self._record(member, rows, votes))
        title = "member by member" if self.oob_ is None else "out-of-bag error as members are added"
        drawn = () if self.oob_ is None else ("oob_error", "own_error")
        self.trace_ = Trace(records, f"{type(self).__name__}: {title}", drawn=drawn)
        return self

    def _check(self) -> None:
        check_members(self.n_estimators)
        check_classifier("estimator", self._base_estimator())
        one_of("voting", self.voting, VOTES)
        if self.voting == "soft" and not hasattr(self._base_estimator(), "predict_proba"):
            raise HowsureError(f"`voting` must be 'hard', since {self._base_estimator()!r} gives no probabilities.")

    def _shared_by(self) -> int:
        """The number of classes among which a member divides its vote; 0 where it votes for one."""
        return len(self.classes_) if self.voting == "soft" else 0

    def _parallel(self, template: Any) -> Any:
        """Trees let go of the interpreter while they work, so threads do; others get processes."""
        prefer = "threads" if is_tree(template) else None
        try:
            return joblib.Parallel(self.n_jobs, prefer=prefer, return_as="generator")
        except ValueError:  # a backend of the user's, such as "multiprocessing", that gives all at the end only
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
        """The error rate over the cases that some member has not seen."""
        return self._out_of_bag().error

    @property
    def oob_predictions_(self) -> Predictions:
        """The predictions of the members that have not seen a case, for each case that has some."""
        return self._out_of_bag().predictions()

    def oob_curve(self) -> Curve:
        """The out-of-bag error against the number of members.

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
            # An AttributeError, so that the attribute does not seem to be there.
            raise AttributeError("there is no out-of-bag error; fit with `oob_score=True`.")
        return self.oob_

    def votes(self, X: Any) -> Array:
        """The votes of the members for each row and class.

        Parameters
        ----------
        X
            The features of each case.
        """
        check_is_fitted(self)
        X = prepare(self._base_estimator(), check_rows(self, X, **self._input_options()), to_fit=False)
        k, n = len(self.classes_), count_rows(X)
        shared = self._shared_by()
        members = [vote_shares(member, k) if shared else class_votes(member) for member in self.estimators_]
        # Members take turns on threads; votes are added in their order, so that sums do not depend on `n_jobs`.
        ask = joblib.delayed(lambda member: member(X))
        votes = joblib.Parallel(self.n_jobs, require="sharedmem", return_as="generator")(map(ask, members))
        if shared:
            return _add(votes, n, k)
        return _count_two(votes, n, len(members)) if k == 2 else _count(votes, n, k)


def _sample_size(max_samples: float | None, size: int) -> int:
    if max_samples is None:
        return size
    is_number = isinstance(max_samples, int | float | np.number) and not isinstance(max_samples, bool)
    if not is_number or not max_samples > 0:
        must("max_samples", "a number above 0: a whole number of cases, or a share of them", given=max_samples)
    if isinstance(max_samples, int | np.integer):
        return int(max_samples)
    if max_samples > 1:
        must("max_samples", "at most 1 as a share; give a whole number for a number of cases", given=max_samples)
    return max(1, round(max_samples * size))


@dataclass(frozen=True, eq=False)
class MemberFit:
    """Fits a member to a sample, and asks it about the rows outside the sample, where that is wanted."""

    template: Any
    X: Any
    X_out_of_bag: Any  # the same rows in the form for prediction; None where members are not asked
    codes: IntArray
    urn: Urn
    size: int
    shared_by: int  # classes among which a member divides its vote; 0 where it votes for one

    def __call__(self, seed: np.random.SeedSequence) -> tuple[Any, IntArray | None, Array | None]:
        """Give the member, the rows that it has not seen, and its votes on them."""
        times = self.urn.draw(np.random.default_rng(seed), self.size)
        member = fit_sampled(self.template, seed, self.X, self.codes, times)
        if self.X_out_of_bag is None:
            return member, None, None
        rows, k = np.flatnonzero(times == 0), self.shared_by
        if not len(rows):
            return member, rows, np.zeros((0, k)) if k else np.zeros(0, np.intp)
        vote = vote_shares(member, k) if k else class_votes(member)
        return member, rows, vote(take(self.X_out_of_bag, rows))


def _add(votes: Iterable[Array], n: int, k: int) -> Array:
    """Add the shares that members give to the classes, in place: a new sum for each member takes time."""
    total = np.zeros((n, k))
    for shares in votes:
        total += shares
    return total


def _count(votes: Iterable[Array], n: int, k: int) -> Array:
    """Count the classes that members vote for."""
    total, first_of_row = np.zeros(n * k), np.arange(n) * k
    for codes in votes:
        total[first_of_row + codes] += 1
    return total.reshape(n, k)


def _count_two(votes: Iterable[Array], n: int, members: int) -> Array:
    """Count the votes for the second of two classes; the first has the others."""
    second = np.zeros(n)
    for codes in votes:
        second += codes
    return np.column_stack([members - second, second])
