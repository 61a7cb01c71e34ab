"""Bagging: members fitted to bootstrap samples vote; what a member has not seen tells how good they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import joblib
import numpy as np
from sklearn.utils.validation import check_is_fitted

from assay.arrays import Array, IntArray
from assay.curves import Curve
from assay.data import Predictions
from assay.data.rows import count_rows, take
from assay.errors import AssayError, must, must_be_one_of
from assay.learners.common.checks import check_classifier, check_members, check_rows, check_training
from assay.learners.common.trace import Trace
from assay.learners.common.wrapper import Voting
from assay.learners.ensemble.bootstrap_draws import Urn, spawn
from assay.learners.ensemble.members import classes_by, fit_member, is_tree, mould_of, prepare, shares_by
from assay.learners.ensemble.out_of_bag import OutOfBag
from assay.present.sheet import Record

VOTES = ("hard", "soft")


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
        The out-of-bag error; the predictions behind it, for `assay.assess`; and the votes. Cases that every member
        has seen are left out of them: ``oob_.missing`` says how many. Without ``oob_score``, ``oob_`` is None.
    trace_
        A record for each member, with the out-of-bag error so far.
    estimators_, classes_
        The members, which speak of classes by their place in ``classes_``.

    Notes
    -----
    The samples depend on the cases, not on the order of the rows, and a weight of 3 is the same as three copies.
    With equal votes, the class that comes first is taken.

    Examples
    --------
    >>> import assay
    >>> from sklearn.datasets import load_iris
    >>> model = assay.learners.Bagging(random_state=0).fit(*load_iris(return_X_y=True))
    >>> model.oob_
    OutOfBag(error 0.047 over 150 cases, 0 without a vote)
    >>> print(assay.assess(model.oob_predictions_)["error_rate"])
    error_rate: 0.047, 95 % interval [0.023, 0.093] (wilson), n = 150
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Draw the samples and fit the members; ``sample_weight`` says how often a case counts in the draw."""
        self._check()
        data = check_training(self, X, y, sample_weight, **self._reading())
        self.classes_ = data.classes
        mould = mould_of(self._mould(), data.classes)
        urn = Urn.of(data.X, data.codes, data.weight)
        size = _sample_size(self.max_samples, urn.size)
        ready, asked = prepare(mould, data.X), prepare(mould, data.X, to_fit=False)
        grow = joblib.delayed(_grow)
        jobs = (
            grow(mould, seed, ready, asked, data.codes, urn, size, self._parts() if self.oob_score else None)
            for seed in spawn(self.random_state, self.n_estimators)
        )
        self.oob_ = OutOfBag(data.codes, data.classes, data.weight) if self.oob_score else None
        self.estimators_: list[Any] = []
        records: list[Record] = []
        # Members come in the order in which they were asked for, so that votes and trace do not depend on `n_jobs`.
        for member, rows, told in self._parallel(mould)(jobs):
            self.estimators_.append(member)
            records.append(self._record(member, rows, told))
        title = "member by member" if self.oob_ is None else "out-of-bag error as members are added"
        self.trace_ = Trace(records, f"{type(self).__name__}: {title}")
        return self

    def _check(self) -> None:
        check_members(self.n_estimators)
        check_classifier("estimator", self._mould())
        if self.voting not in VOTES:
            must_be_one_of("voting", VOTES, given=self.voting)
        if self.voting == "soft" and not hasattr(self._mould(), "predict_proba"):
            raise AssayError(f"`voting` must be 'hard', since {self._mould()!r} gives no probabilities.")

    def _parts(self) -> int:
        """The number of classes among which a member divides its vote; 0 where it has one vote."""
        return len(self.classes_) if self.voting == "soft" else 0

    def _parallel(self, mould: Any) -> Any:
        """Trees let go of the interpreter while they work, so threads do; others get processes."""
        prefer = "threads" if is_tree(mould) else None
        try:
            return joblib.Parallel(self.n_jobs, prefer=prefer, return_as="generator")
        except ValueError:  # a backend of the user's, such as "multiprocessing", that gives all at the end only
            return joblib.Parallel(self.n_jobs, prefer=prefer)

    def _record(self, member: Any, rows: IntArray | None, told: Array | None) -> Record:
        record: Record = {"member": len(self.estimators_)}
        if is_tree(member):
            record |= {"leaves": (member.tree_.node_count + 1) // 2, "depth": member.tree_.max_depth}
        if self.oob_ is not None and rows is not None and told is not None:
            self.oob_.add(rows, told)
            record |= {
                "out_of_bag": self.oob_.cases_in(rows),
                "own_error": self.oob_.error_of(rows, told),
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
        """The out-of-bag error against the number of members."""
        self._out_of_bag()
        members = self.trace_["member"].astype(float)
        extra = {"without_vote": self.trace_["without_vote"].astype(float)}
        return Curve(
            "out-of-bag error",
            members,
            self.trace_["oob_error"],
            members,
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
        """The votes of the members for each row and class."""
        check_is_fitted(self)
        X = prepare(self._mould(), check_rows(self, X, **self._reading()), to_fit=False)
        k, n = len(self.classes_), count_rows(X)
        readers = [shares_by(one, k) if self._parts() else classes_by(one) for one in self.estimators_]
        # Members take turns on threads; what they say is added in their order, so that sums do not depend on `n_jobs`.
        ask = joblib.delayed(lambda read: read(X))
        answers = joblib.Parallel(self.n_jobs, require="sharedmem", return_as="generator")(map(ask, readers))
        if self._parts():
            return _add(answers, n, k)
        return _count_two(answers, n, len(readers)) if k == 2 else _count(answers, n, k)


def _sample_size(given: float | None, size: int) -> int:
    if given is None:
        return size
    if isinstance(given, bool) or not isinstance(given, int | float | np.number) or not given > 0:
        must("max_samples", "a number above 0: a whole number of cases, or a share of them", given=given)
    if isinstance(given, int | np.integer):
        return int(given)
    if given > 1:
        must("max_samples", "at most 1 as a share; give a whole number for a number of cases", given=given)
    return max(1, round(given * size))


def _grow(
    mould: Any,
    seed: np.random.SeedSequence,
    X: Any,
    asked: Any,
    codes: IntArray,
    urn: Urn,
    size: int,
    parts: int | None,
) -> tuple[Any, IntArray | None, Array | None]:
    """Fit a member and ask it about rows that it has not seen; with ``parts`` None it is not asked.

    It says one class for each row where ``parts`` is 0, else shares of so many classes.
    """
    times = urn.draw(np.random.default_rng(seed), size)
    member = fit_member(mould, seed, X, codes, times)
    if parts is None:
        return member, None, None
    rows = np.flatnonzero(times == 0)
    if not len(rows):
        return member, rows, np.zeros((0, parts)) if parts else np.zeros(0, np.intp)
    read = shares_by(member, parts) if parts else classes_by(member)
    return member, rows, read(take(asked, rows))


def _add(answers: Iterable[Array], n: int, k: int) -> Array:
    """Add the shares that members give to the classes, in place: a new sum for each member takes time."""
    votes = np.zeros((n, k))
    for told in answers:
        votes += told
    return votes


def _count(answers: Iterable[Array], n: int, k: int) -> Array:
    """Count the classes that members vote for."""
    votes, first_of_row = np.zeros(n * k), np.arange(n) * k
    for told in answers:
        votes[first_of_row + told] += 1
    return votes.reshape(n, k)


def _count_two(answers: Iterable[Array], n: int, members: int) -> Array:
    """Count the votes for the second of two classes; the first has the others."""
    second = np.zeros(n)
    for told in answers:
        second += told
    return np.column_stack([members - second, second])
