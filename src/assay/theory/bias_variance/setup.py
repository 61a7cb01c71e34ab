"""One test set and many training sets drawn for it: the experiment behind a division into bias and variance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any, cast

import numpy as np

from assay.arrays import Array, IntArray
from assay.data.rows import take
from assay.errors import AssayError, must, must_be_one_of
from assay.experiment import Dataset, Experiment, ExperimentResult
from assay.resampling import Holdout, Scheme
from assay.resampling.splits import Entry, Splits
from assay.theory.bias_variance.result import BiasVariance
from assay.theory.bias_variance.rounds import BRIER, Rounds, check_loss, read_given
from assay.tuning.running import Folder, run

SAMPLINGS = ("bootstrap", "subset")


@dataclass(frozen=True)
class Redrawn(Scheme, listed=False):
    """The same test rows in all rounds, and training rows drawn anew from the others in each.

    ``test`` is the share of rows to test on; where it is None, they are those from ``first`` on. By "bootstrap" as many
    rows train as there are others, drawn with replacement; by "subset" half of them, without.
    """

    rounds: int
    test: float | None
    first: int
    sampling: str

    def splits(self, truth: Any, *, groups: Any = None, seed: int = 0) -> Splits:
        test = self.test_rows(truth, seed)
        pool = np.setdiff1d(np.arange(len(truth)), test)
        entries = []
        for place in range(self.rounds):
            rng = np.random.default_rng((seed, place))  # more rounds leave the first as they are
            drawn = rng.integers(len(pool), size=len(pool))
            if self.sampling == "subset":
                drawn = rng.permutation(len(pool))[: self.n_train(len(pool))]
            entries.append(Entry(place, 0, test, np.sort(pool[drawn])))
        return Splits(len(truth), tuple(entries), str(self))

    def n_train(self, pool: int) -> int:
        """Give the number of rows in a training set, from the number of rows to draw from."""
        return pool // 2 if self.sampling == "subset" else pool

    def test_rows(self, truth: Any, seed: int) -> IntArray:
        if self.test is None:
            return np.arange(self.first, len(truth))
        rows: IntArray = Holdout(self.test).splits(truth, seed=seed)[0].test
        return rows


@dataclass(frozen=True, eq=False)
class Setup:
    """What is asked for, checked: the cases, how training sets are drawn, and what the loss is."""

    data: Dataset
    scheme: Redrawn
    seed: int
    loss: str
    method: str | None
    rows: IntArray  # to test on
    given: Array | None  # of these rows

    @classmethod
    def of(
        cls,
        X: Any,
        y: Any,
        *,
        loss: str,
        method: str | None,
        rounds: int,
        seed: int,
        test: float,
        X_test: Any,
        y_test: Any,
        sampling: str,
        given: Any,
    ) -> Setup:
        check_loss(loss, method)
        if isinstance(rounds, bool) or not isinstance(rounds, Integral) or rounds < 1:
            must("rounds", "a whole number, 1 or above", given=rounds)
        if sampling not in SAMPLINGS:
            must_be_one_of("sampling", SAMPLINGS, given=sampling)
        if (X_test is None) != (y_test is None):
            raise AssayError("`X_test` and `y_test` must be given together.")
        data = Dataset.of((X, y), "data")
        scheme = Redrawn(int(rounds), Holdout(test).test, 0, sampling)  # which checks the share
        if X_test is not None:
            held = Dataset.of((X_test, y_test), "test data")
            scheme = Redrawn(int(rounds), None, data.rows, sampling)
            data = Dataset.of((_stacked(data.X, held.X), [*data.y.tolist(), *held.y.tolist()]), "data")
        rows = scheme.test_rows(data.y, seed)
        if callable(given):
            found = given(take(data.X, rows))
            if found is None:
                must("probabilities", "a table, or a function that gives one", given=found)
            given = read_given(found, len(rows), data.labels)
        elif given is not None:
            given = cast("Array", read_given(given, data.rows - scheme.first, data.labels))[rows - scheme.first]
        return cls(data, scheme, seed, loss, method, rows, given)

    def run(self, learners: Mapping[str, Any], folder: Folder, n_jobs: int | None, progress: bool) -> ExperimentResult:
        if self.loss == BRIER and not all(hasattr(learner, "predict_proba") for learner in learners.values()):
            raise AssayError(f"the loss {BRIER!r} is of probabilities, and the learner has no `predict_proba`.")
        experiment = Experiment(learners, {"data": self.data}, self.scheme, self.seed, training_error=False)
        return run(experiment, folder, n_jobs=n_jobs, progress=progress)

    def collected(self, result: ExperimentResult, name: str, called: str) -> BiasVariance:
        """Divide the loss of what one learner predicted in the rounds that it was fitted in."""
        failed = failed_rounds(result, name)
        if (failures_of(result, name) != "").all():
            raise AssayError(f"{called} could not be fitted: {failed.rstrip('.')}.")
        predictions = result.predictions(name)
        n, k = len(self.rows), len(self.data.labels)  # reading the splits of the result would take longer than all else
        found = np.asarray(predictions.predicted, np.int64).reshape(-1, n)
        if self.loss == BRIER:
            kinds = set(result.tasks["score_kind"][(result.tasks["learner"] == name) & (result.tasks["failure"] == "")])
            if kinds != {"probability"}:
                raise AssayError(f"the loss {BRIER!r} is of probabilities, and the learner gave none.")
            found = _probabilities(predictions.scores, len(found), n, k)
        return Rounds(found, self.data.codes[self.rows], self.data.labels, self.given).divided(
            self.loss,
            self.method,
            rows=tuple((self.rows - self.scheme.first).tolist()),
            learner=called,
            n_train=self.scheme.n_train(self.data.rows - n),
            seed=int(self.seed),
            sampling=self.scheme.sampling,
            notes=(failed,) if failed else (),
            experiment=result,
        )


def failures_of(result: ExperimentResult, name: str) -> Array:
    """Give why a learner failed in each round; nothing where it did not."""
    told: Array = result.tasks["failure"][result.tasks["learner"] == name]
    return told


def failed_rounds(result: ExperimentResult, name: str) -> str:
    """Say how many rounds are left out, and why."""
    told = failures_of(result, name)
    bad = told[told != ""]
    if not len(bad):
        return ""
    first = bad[0].splitlines()[0].rstrip(" :")
    return f"{len(bad)} of {len(told)} rounds failed and are left out; the first: {first}"


def _probabilities(scores: Any, rounds: int, n: int, k: int) -> Array:
    """Give the scores that were kept as rounds x cases x classes; of two classes that of the second is kept."""
    if k == 1:
        return np.ones((rounds, n, 1))
    values = np.asarray(scores, float)
    if values.ndim == 1:
        values = np.column_stack([1 - values, values])
    return values.reshape(rounds, n, k)


def _stacked(X: Any, X_test: Any) -> Any:
    """Set test cases below the others: arrays, sparse matrices or data frames of pandas."""
    if hasattr(X, "tocsr") and hasattr(X_test, "tocsr"):
        from scipy.sparse import vstack

        _check_alike(X, X_test)
        return vstack([X, X_test], format="csr")
    if hasattr(X, "iloc") and hasattr(X_test, "iloc"):
        from pandas import concat

        if list(X.columns) != list(X_test.columns):
            raise AssayError("`X` and `X_test` must have the same columns in the same order.")
        return concat([X, X_test], ignore_index=True)
    if isinstance(X, np.ndarray) and isinstance(X_test, np.ndarray):
        _check_alike(X, X_test)
        return np.concatenate([X, X_test])
    raise AssayError("`X` and `X_test` must both be arrays, both sparse matrices, or both data frames of pandas.")


def _check_alike(X: Any, X_test: Any) -> None:
    if X.shape[1:] != X_test.shape[1:]:
        raise AssayError(f"`X` has rows of shape {X.shape[1:]} and `X_test` of {X_test.shape[1:]}; they must agree.")
