"""Drawing cases with replacement, in a way that sees what a case is and how often it counts, not where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.encode import IntArray

Weights = NDArray[np.float64]


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
        whole = bool((weight == np.round(weight)).all())
        edges: Any = np.cumsum(weight[order].astype(np.int64) if whole else weight[order])
        return cls(order, edges, int(edges[-1]) if whole else int(np.count_nonzero(weight)))

    def draw(self, rng: np.random.Generator, size: int | None = None, weight: Weights | None = None) -> IntArray:
        """Say how often each row is in a sample; ``weight`` stands for the urn's own weights this once."""
        size = self.size if size is None else size
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


def canonical_order(X: Any, codes: IntArray) -> IntArray:
    """Put rows in an order that does not depend on how they came; equal cases lie side by side.

    Rows are told apart by a random projection, which costs a pass over the data. Features that are not numbers keep
    the order in which they came.
    """
    numbers = _as_numbers(X)
    return np.arange(len(codes)) if numbers is None else np.lexsort((codes, _projection(numbers)))


def number_cases(X: Any, codes: IntArray) -> IntArray:
    """Number the cases; copies of a case have the same number, and the order of the rows does not matter.

    Features that are not numbers make every row a case of its own.
    """
    order = canonical_order(X, codes)
    cases = np.empty(len(order), np.int64)
    cases[order] = np.cumsum(_differs_from_last(_as_numbers(X), codes, order)) - 1
    return cases


def _differs_from_last(X: Any, codes: IntArray, order: IntArray) -> Any:
    """Tell which rows, in this order, are another case than the row before."""
    differs = np.ones(len(order), bool)
    if X is None:
        return differs
    if hasattr(X, "tocsr"):
        rows = X.tocsr()[order]
        other = np.asarray((rows[1:] != rows[:-1]).sum(axis=1)).ravel() > 0
    else:
        ahead, behind = X[order[1:]], X[order[:-1]]
        other = ((ahead != behind) & ~((ahead != ahead) & (behind != behind))).any(axis=1)  # NaN is NaN here
    differs[1:] = other | (codes[order[1:]] != codes[order[:-1]])
    return differs


def _as_numbers(X: Any) -> Any:
    """Give features as an array or a sparse matrix of numbers; None where they are something else."""
    if hasattr(X, "dtype") and X.dtype.kind in "buif":
        return X
    try:
        return np.asarray(X, float)
    except (TypeError, ValueError):
        return None


def _projection(X: Any) -> Weights:
    direction = np.random.default_rng(0).standard_normal(X.shape[1])
    if hasattr(X, "tocsr"):
        return np.asarray(X.tocsr() @ direction, float)
    found = np.zeros(X.shape[0])
    for column, share in enumerate(direction):  # column by column: equal rows must give equal bits
        found += share * np.nan_to_num(X[:, column])
    return found


def spawn(random_state: Any, n: int) -> list[np.random.SeedSequence]:
    """Give ``n`` independent seeds, of which the first do not depend on how many are asked for."""
    if random_state is not None and not isinstance(random_state, int | np.integer):
        random_state = random_state.randint(2**31 - 1)  # a RandomState, as scikit-learn allows
    return np.random.SeedSequence(random_state).spawn(n)


def seeded(estimator: Any, seed: np.random.SeedSequence) -> Any:
    """Give a fresh copy of a learner, with each ``random_state`` in it set from the seed."""
    from sklearn.base import clone

    copy = clone(estimator)
    number = int(seed.generate_state(1)[0]) >> 1  # some libraries want 31 bits
    chance = [name for name in copy.get_params() if name.split("__")[-1] == "random_state"]
    return copy.set_params(**dict.fromkeys(chance, number)) if chance else copy
