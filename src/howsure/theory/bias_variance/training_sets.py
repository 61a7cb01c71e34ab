"""Many training sets for one test set: the scheme that draws them, and test cases set below the others."""

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
    """The same test rows in all rounds, and training rows drawn anew from the others in each.

    ``test`` is the share of rows to test on; where it is None, they are those from ``first`` on. By "bootstrap" as many
    rows train as there are others, drawn with replacement; by "subset" half of them, without.
    """

    rounds: int
    test: float | None
    first: int
    sampling: str

    @classmethod
    def of(cls, rounds: int, test: float, sampling: str) -> TrainingSets:
        if isinstance(rounds, bool) or not isinstance(rounds, Integral) or rounds < 1:
            must("rounds", "a whole number, 1 or above", given=rounds)
        one_of("sampling", sampling, SAMPLINGS)
        return cls(int(rounds), Holdout(test).test, 0, sampling)  # which checks the share

    def splits(self, truth: Any, *, groups: Any = None, seed: int = 0) -> Splits:
        test = self.test_rows(truth, seed)
        pool = np.setdiff1d(np.arange(len(truth)), test)
        entries = []
        for index in range(self.rounds):
            rng = np.random.default_rng((seed, index))  # more rounds leave the first as they are
            drawn = rng.integers(len(pool), size=len(pool))
            if self.sampling == "subset":
                drawn = rng.permutation(len(pool))[: self.n_train(len(pool))]
            entries.append(Entry(index, 0, test, np.sort(pool[drawn])))
        return Splits(len(truth), tuple(entries), self)

    def n_train(self, pool: int) -> int:
        """Give the number of rows in a training set, from the number of rows to draw from."""
        return pool // 2 if self.sampling == "subset" else pool

    def test_rows(self, truth: Any, seed: int) -> IntArray:
        if self.test is None:
            return np.arange(self.first, len(truth))
        rows: IntArray = Holdout(self.test).splits(truth, seed=seed)[0].test
        return rows


def stack_rows(X: Any, X_test: Any) -> Any:
    """Set test cases below the others: arrays, sparse matrices or pandas data frames."""
    if hasattr(X, "tocsr") and hasattr(X_test, "tocsr"):
        from scipy.sparse import vstack

        _check_alike(X, X_test)
        return vstack([X, X_test], format="csr")
    if hasattr(X, "iloc") and hasattr(X_test, "iloc"):
        from pandas import concat

        if list(X.columns) != list(X_test.columns):
            raise HowsureError("`X` and `X_test` must have the same columns in the same order.")
        return concat([X, X_test], ignore_index=True)
    if isinstance(X, np.ndarray) and isinstance(X_test, np.ndarray):
        _check_alike(X, X_test)
        return np.concatenate([X, X_test])
    raise HowsureError("`X` and `X_test` must both be arrays, both sparse matrices, or both data frames of pandas.")


def _check_alike(X: Any, X_test: Any) -> None:
    if X.shape[1:] != X_test.shape[1:]:
        raise HowsureError(f"`X` has rows of shape {X.shape[1:]} and `X_test` of {X_test.shape[1:]}; they must agree.")
