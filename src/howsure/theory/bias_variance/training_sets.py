"""Scheme that draws many training sets for one test set."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from howsure.arrays import IntArray
from howsure.checks import one_of
from howsure.errors import HowsureError, must
from howsure.resampling import Holdout, Scheme
from howsure.resampling.index_sets import Entry, Splits

SAMPLINGS = ("bootstrap", "subset")


@dataclass(frozen=True)
class TrainingSets(Scheme, listed=False):
    """The same test rows in all rounds, with training sets drawn from the other rows."""

    rounds: int
    test: float | None  # proportion of rows to test on; None for all rows starting at `first`
    first: int
    sampling: str  # "bootstrap": all rows, drawn with replacement; "subset": half of the rows, without replacement

    @classmethod
    def of(cls, rounds: int, test: float, sampling: str) -> TrainingSets:
        if isinstance(rounds, bool) or not isinstance(rounds, Integral) or rounds < 1:
            must("rounds", "a whole number, 1 or above", given=rounds)
        one_of("sampling", sampling, SAMPLINGS)
        return cls(int(rounds), Holdout(test).test, 0, sampling)  # Holdout validates `test`

    def splits(self, truth: Any, *, groups: Any = None, seed: int = 0) -> Splits:
        test = self.test_rows(truth, seed)
        pool = np.setdiff1d(np.arange(len(truth)), test)
        entries = []
        for index in range(self.rounds):
            rng = np.random.default_rng((seed, index))  # adding rounds does not change the first ones
            drawn = rng.integers(len(pool), size=len(pool))
            if self.sampling == "subset":
                drawn = rng.permutation(len(pool))[: self.n_train(len(pool))]
            entries.append(Entry(index, 0, test, np.sort(pool[drawn])))
        return Splits(len(truth), tuple(entries), self)

    def n_train(self, pool: int) -> int:
        """Return the size of a training set drawn from ``pool`` rows."""
        return pool // 2 if self.sampling == "subset" else pool

    def test_rows(self, truth: Any, seed: int) -> IntArray:
        if self.test is None:
            return np.arange(self.first, len(truth))
        rows: IntArray = Holdout(self.test).splits(truth, seed=seed)[0].test
        return rows


def stack_rows(X: Any, X_test: Any) -> Any:
    """Append test cases: arrays, sparse matrices or pandas data frames."""
    if hasattr(X, "tocsr") and hasattr(X_test, "tocsr"):
        from scipy.sparse import vstack

        _check_columns(X, X_test)
        return vstack([X, X_test], format="csr")
    if hasattr(X, "iloc") and hasattr(X_test, "iloc"):
        from pandas import concat

        if list(X.columns) != list(X_test.columns):
            raise HowsureError("`X` and `X_test` must have the same columns in the same order.")
        return concat([X, X_test], ignore_index=True)
    if isinstance(X, np.ndarray) and isinstance(X_test, np.ndarray):
        _check_columns(X, X_test)
        return np.concatenate([X, X_test])
    raise HowsureError("`X` and `X_test` must both be arrays, both sparse matrices, or both data frames of pandas.")


def _check_columns(X: Any, X_test: Any) -> None:
    if X.shape[1:] != X_test.shape[1:]:
        raise HowsureError(
            f"`X` and `X_test` must have rows of the same shape, not {X.shape[1:]} and {X_test.shape[1:]}."
        )
