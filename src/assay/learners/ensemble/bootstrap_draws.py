"""Drawing cases with replacement, in a way that sees what a case is and how often it counts, not where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from assay.arrays import IntArray
from assay.errors import AssayError, must

Weights = NDArray[np.float64]
MOST_DRAWS = 1 << 27  # in a sample, which then takes a gigabyte


@dataclass(frozen=True, eq=False)
class Urn:
    """Cases to draw from, each as often as its weight says.

    Places in the urn follow from what the cases are, so the same cases in another order give the same samples, and a
    case of weight 3 is drawn as three copies of it would be. ``size`` is the number of draws in a sample: the sum of
    the weights where they are whole numbers, else the number of cases that have one.
    """

    order: IntArray  # rows as they lie in the urn
    edges: Weights | IntArray | None  # where each one ends; None where each takes one place
    size: int

    @classmethod
    def of(cls, X: Any, codes: IntArray, weight: Weights | None = None) -> Urn:
        order = canonical_order(X, codes)
        if weight is None:
            return cls(order, None, len(order))
        copies = is_copies(weight)
        edges: Any = np.cumsum(weight[order].astype(np.int64) if copies else weight[order])
        return cls(order, edges, int(edges[-1]) if copies else int(np.count_nonzero(weight)))

    def draw(self, rng: np.random.Generator, size: int | None = None, weight: Weights | None = None) -> IntArray:
        """Say how often each row is in a sample; ``weight`` stands for the urn's own weights this once."""
        size = self.size if size is None else size
        if size > MOST_DRAWS:
            remedy = "divide `sample_weight` by its mean, or give `max_samples` where there is one"
            raise AssayError(f"a sample must have at most {MOST_DRAWS:,} draws, not {size:,}; {remedy}.")
        edges = self.edges if weight is None else np.cumsum(weight[self.order])
        if edges is None:
            places = rng.integers(len(self.order), size=size)
        elif edges.dtype.kind == "i":
            places = np.searchsorted(edges, rng.integers(int(edges[-1]), size=size), side="right")
        else:
            places = np.searchsorted(edges, rng.random(size) * edges[-1], side="right")
            places = places.clip(max=int(np.searchsorted(edges, edges[-1])))  # rounding may reach past the last
        times = np.empty(len(self.order), np.int64)
        times[self.order] = np.bincount(places, minlength=len(self.order))
        return times


def is_copies(weight: Weights) -> bool:
    """Whether weights say how many copies there are: whole numbers, few enough to be counted."""
    return bool((weight == np.round(weight)).all()) and float(weight.sum()) < 2**53


def canonical_order(X: Any, codes: IntArray) -> IntArray:
    """Put rows in an order that does not depend on how they came; equal cases lie side by side.

    Rows are told apart by a random projection, which costs a pass over the data, and by their features one after the
    other where that does not tell: it takes NaN for zero, and beside a large number a small one is rounded away.
    Text and other values stand there as numbers that follow from how they are written.
    """
    numbers = _as_numbers(X)
    place = _projection(numbers)
    order = np.lexsort((codes, place))
    tied = np.flatnonzero(place[order[1:]] == place[order[:-1]])
    if _rows_differ(numbers, order[tied + 1], order[tied]).any():
        return np.lexsort((codes, *_features_of(numbers), place))
    return order


def number_cases(X: Any, codes: IntArray) -> IntArray:
    """Number the cases; copies of a case have the same number, and the order of the rows does not matter."""
    order = canonical_order(X, codes)
    cases = np.empty(len(order), np.int64)
    cases[order] = np.cumsum(_differs_from_last(_as_numbers(X), codes, order)) - 1
    return cases


def _differs_from_last(X: Any, codes: IntArray, order: IntArray) -> Any:
    """Tell which rows, in this order, are another case than the row before."""
    differs = np.ones(len(order), bool)
    differs[1:] = _rows_differ(X, order[1:], order[:-1]) | (codes[order[1:]] != codes[order[:-1]])
    return differs


def _rows_differ(X: Any, some: IntArray, others: IntArray) -> NDArray[np.bool_]:
    if not len(some):
        return np.zeros(0, bool)
    if hasattr(X, "tocsr"):
        X = X.tocsr()
        return np.asarray((X[some] != X[others]).sum(axis=1)).ravel() > 0
    one, other = X[some], X[others]
    found: NDArray[np.bool_] = ((one != other) & ~((one != one) & (other != other))).any(axis=1)  # NaN is NaN here
    return found


def _features_of(X: Any) -> list[Any]:
    """Give keys to sort rows by, equal for equal rows only."""
    if not hasattr(X, "tocsr"):
        return list(X.T)
    rows = X.tocsr(copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    parts = [slice(*ends) for ends in pairwise(rows.indptr.tolist())]
    written = np.array([rows.indices[part].tobytes() + rows.data[part].tobytes() for part in parts], dtype=object)
    return [np.unique(written, return_inverse=True)[1]]


def _as_numbers(X: Any) -> Any:
    """Give features as an array or a sparse matrix of numbers, whatever they are."""
    if hasattr(X, "dtype") and X.dtype.kind in "buif":
        return X
    try:
        return np.asarray(X, float)
    except (TypeError, ValueError):
        return np.column_stack([_numbered(column) for column in np.asarray(X, dtype=object).T])


def _numbered(column: NDArray[Any]) -> Weights:
    """Give numbers as they are, and anything else a number that follows from how it is written and nothing else."""
    try:
        return np.asarray(column, float)
    except (TypeError, ValueError):
        values, places = np.unique(column.astype(str), return_inverse=True)
        return np.array([float(crc32(value.encode())) for value in values.tolist()])[places]


def _projection(X: Any) -> Weights:
    direction = np.random.default_rng(0).standard_normal(X.shape[1])
    if hasattr(X, "tocsr"):
        found = np.asarray(X.tocsr() @ direction, float)
    else:
        found = np.zeros(X.shape[0])
        with np.errstate(over="ignore", invalid="ignore"):
            for column, share in enumerate(direction):  # column by column: equal rows must give equal bits
                found += share * np.nan_to_num(X[:, column])
    np.nan_to_num(found, copy=False)
    return found


def spawn(random_state: Any, n: int) -> list[np.random.SeedSequence]:
    """Give ``n`` independent seeds, of which the first do not depend on how many are asked for."""
    if hasattr(random_state, "randint"):
        random_state = random_state.randint(2**31 - 1)  # a RandomState, as scikit-learn allows
    if random_state is not None and (not isinstance(random_state, int | np.integer) or random_state < 0):
        must("random_state", "a whole number from 0, a RandomState or None", given=random_state)
    return np.random.SeedSequence(random_state).spawn(n)


def seeded(estimator: Any, seed: np.random.SeedSequence) -> Any:
    """Give a fresh copy of a learner, with each ``random_state`` in it set from the seed."""
    copy = clone(estimator)
    number = int(seed.generate_state(1)[0]) >> 1  # some libraries want 31 bits
    chance = [name for name in copy.get_params() if name.split("__")[-1] == "random_state"]
    return copy.set_params(**dict.fromkeys(chance, number)) if chance else copy
