"""Cross-validation by recursive halving (TreeCV: Joulani, György & Szepesvári, 2015).

A model that has learned all rows outside a range of parts learns the rows of one half of it, and then stands outside
the other half; at the bottom it stands outside one part, and predicts it. Each row is learned once at each level:
log2 K passes over the data, where refitting takes K - 1. The models are those of refitting if what is learned does not
depend on the order of rows: for naive Bayes, from merged statistics, and for learners that declare it of themselves.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import Floats, IntArray
from howsure.errors import HowsureError, must
from howsure.resampling.fit import class_probabilities, fresh
from howsure.resampling.halving.naive_bayes import Mergeable, Stats, family, unusable

BLOCK = 4 << 20  # bytes of statistics, or of rows, worked on at a time; temporary arrays take three to four times that
CHUNK = 1 << 19  # bytes of rows by classes predicted at a time: what stays in the cache
TIE = 1e-9  # a share of a joint log likelihood: a million times its rounding
LARGE = 1e6  # a joint log likelihood whose rounding shows in probabilities, in the tenth place
ZERO = 745  # the exponential of minus this is 0


@dataclass(frozen=True, eq=False)
class Parts:
    """Rows in the order of their parts."""

    of_row: IntArray
    order: IntArray
    starts: IntArray

    @property
    def count(self) -> int:
        return len(self.starts) - 1

    def rows(self, low: int, high: int) -> IntArray:
        return self.order[self.starts[low] : self.starts[high]]


def is_exact(learner: Any, X: Any = None) -> str | None:
    """Return why recursive halving would not give what refitting gives, or None where it does.

    With ``X``, also whether these rows can be used.

    Examples
    --------
    >>> from sklearn.linear_model import SGDClassifier
    >>> from howsure.resampling.halving.tree_cv import is_exact
    >>> is_exact(SGDClassifier())
    'SGDClassifier depends on the order of rows'
    """
    kind = type(learner)
    if isinstance(learner, type):
        return f"{learner.__name__} is a class, and a learner is an object of it"
    if any(base.__module__ == "sklearn.pipeline" for base in kind.__mro__):
        return "a pipeline is fitted as a whole"
    if family(learner) is not None:
        return unusable(learner, X)
    if not callable(getattr(learner, "partial_fit", None)):
        return f"{kind.__name__} cannot learn more rows after the first: it has no `partial_fit`"
    if getattr(learner, "exact_partial_fit", False) is True:
        return None
    if kind.__module__.startswith(("sklearn.linear_model", "sklearn.neural_network")):
        return f"{kind.__name__} depends on the order of rows"
    return f"{kind.__name__} does not declare `exact_partial_fit = True`"


def tree_predictions(learner: Any, X: Any, y: Any, parts: Any) -> tuple[NDArray[Any], Floats]:
    """Predict every row by the learner as trained on all rows of the other parts.

    Gives labels and probabilities, these in the order of the sorted classes; for naive Bayes, those of refitting with
    scikit-learn. Probabilities agree to 1e-9: sums are taken in another order, which moves a joint log likelihood by
    about 1e-15 of its size, and more only where features lie 1e4 standard deviations and more from zero. A part for
    which that might matter, because two classes tie, nothing is finite or the likelihood is beyond 1e6, is refitted. A
    class that is absent from a training set has probability 0.

    A learner of the user's own needs ``partial_fit(X, y, classes=...)`` and the attribute ``exact_partial_fit = True``;
    it gets all classes. Without ``predict_proba``, probabilities are NaN.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from howsure.resampling.halving.tree_cv import tree_predictions
    >>> labels, probabilities = tree_predictions(GaussianNB(), [[1], [2], [7], [8]], list("aabb"), [0, 1, 0, 1])
    >>> labels.tolist()
    ['a', 'a', 'b', 'b']
    """
    X = X.tocsr() if hasattr(X, "tocsr") else np.asarray(X)
    why = is_exact(learner, X)
    if why is not None:
        raise HowsureError(f"recursive halving cannot be used: {why}.")
    y, classes, codes = _classes(y)
    divided = _parts(parts)
    sizes = {"X": X.shape[0] if X.ndim else 0, "y": len(y), "parts": len(divided.of_row)}
    if len(set(sizes.values())) > 1:
        counts = ", ".join(f"`{name}` {size}" for name, size in sizes.items())
        raise HowsureError(f"all must have as many rows, not {counts}.")
    merging = family(learner)
    if merging is None:
        return _by_learning(learner, X, y, classes, divided)
    with np.errstate(divide="ignore", invalid="ignore"):  # what is not finite is left to scikit-learn
        X = _checked(learner, X, y)
        joint = _by_merging(merging(learner, X, codes, len(classes)), divided)
        best, predicted, sure = _decide(joint)
        joint -= best[:, None]
        probabilities = np.exp(joint, out=joint)
        probabilities /= probabilities.sum(1, keepdims=True)
        labels = classes[predicted]
        for part in np.unique(divided.of_row[~sure]):
            _refit(learner, X, y, classes, divided.of_row == part, labels, probabilities)
    return labels, probabilities


def _by_merging(learner: Mergeable, parts: Parts) -> Floats:
    """Joint log likelihoods of all rows, by blocks of parts whose statistics fit into memory."""
    joint = np.empty((len(parts.order), learner.k))
    width = max(1, BLOCK // (8 * learner.cells))
    many = max(1, BLOCK // (8 * learner.entries))
    few = max(1, CHUNK // (8 * learner.k * learner.entries))

    def own(rows: IntArray, part: IntArray, count: int) -> Stats:
        total: Stats | None = None
        for start in range(0, len(rows), many):
            more = learner.own(rows[start : start + many], part[start : start + many], count)
            total = more if total is None else learner.merge(total, more)
        assert total is not None  # no part is empty
        return total

    def learn(outside: Stats | None, low: int, high: int) -> Stats:
        rows = parts.rows(low, high)
        more = own(rows, np.zeros(len(rows), np.int64), 1)
        return more if outside is None else learner.merge(outside, more)

    def finish(outside: Stats | None, low: int, high: int) -> None:
        rows = parts.rows(low, high)
        part = parts.of_row[rows] - low
        stats = _complements(own(rows, part, high - low), outside, learner.merge)
        prepared = learner.prepare(stats)
        for start in range(0, len(rows), few):
            chunk, where = rows[start : start + few], part[start : start + few]
            values = learner.joint(prepared, chunk, where)
            values[stats[0][where] == 0] = -np.inf  # scikit-learn does not know a class that it has not seen
            joint[chunk] = values

    _halve(None, 0, parts.count, width, learn, finish)
    return joint


def _complements(own: Stats, outside: Stats | None, merge: Callable[[Stats, Stats], Stats]) -> Stats:
    """Statistics of all that is outside each part: of its siblings on the way up, and ``outside`` of them all.

    Level by level: own statistics upward, pair by pair; then downward, what is outside a pair and the one are outside
    the other.
    """
    levels = []
    while len(own[0]) > 1:
        if len(own[0]) % 2:
            own = tuple(np.concatenate([one, np.zeros_like(one[:1])]) for one in own)  # a part without rows
        levels.append(own)
        own = merge(tuple(one[0::2] for one in own), tuple(one[1::2] for one in own))
    rest = tuple(np.zeros_like(one) for one in own) if outside is None else outside
    for level in reversed(levels):
        pairs = len(level[0]) // 2
        siblings = tuple(one.reshape(pairs, 2, *one.shape[1:])[:, ::-1] for one in level)
        merged = merge(tuple(one[:pairs, None] for one in rest), siblings)
        rest = tuple(one.reshape(2 * pairs, *one.shape[2:]) for one in merged)
    return rest


def _by_learning(
    learner: Any, X: Any, y: NDArray[Any], classes: NDArray[Any], parts: Parts
) -> tuple[NDArray[Any], Floats]:
    """Halve with copies of the learner itself."""
    from sklearn.base import clone

    labels = np.empty(len(y), y.dtype)
    probabilities = np.full((len(y), len(classes)), np.nan)

    def learn(model: Any, low: int, high: int) -> Any:
        grown, rows = copy.deepcopy(model), parts.rows(low, high)
        grown.partial_fit(X[rows], y[rows], classes=classes)
        return grown

    def finish(model: Any, low: int, high: int) -> None:
        rows = parts.rows(low, high)
        labels[rows] = model.predict(X[rows])
        if hasattr(model, "predict_proba"):
            columns = np.searchsorted(classes, getattr(model, "classes_", classes))
            probabilities[np.ix_(rows, columns)] = model.predict_proba(X[rows])

    _halve(clone(learner, safe=False), 0, parts.count, 1, learn, finish)
    return labels, probabilities


def _halve(
    state: Any,
    low: int,
    high: int,
    width: int,
    learn: Callable[[Any, int, int], Any],
    finish: Callable[[Any, int, int], None],
) -> None:
    """Bring what was learned outside parts low..high-1 down to ranges of at most ``width`` parts."""
    if high - low <= width:
        finish(state, low, high)
        return
    middle = (low + high) // 2
    _halve(learn(state, middle, high), low, middle, width, learn, finish)
    _halve(learn(state, low, middle), middle, high, width, learn, finish)


def _decide(joint: Floats) -> tuple[Floats, IntArray, NDArray[np.bool_]]:
    """Largest value of each row, its class, and whether rounding makes no difference."""
    best, predicted = joint.max(1), joint.argmax(1)
    sure = np.isfinite(best)
    if joint.shape[1] > 1:
        size = np.abs(best)
        apart = best - np.partition(joint, -2, axis=1)[:, -2]
        sure &= apart > np.where(size < LARGE, TIE * (1 + size), ZERO)
    return best, predicted, sure


def _refit(
    learner: Any,
    X: Any,
    y: NDArray[Any],
    classes: NDArray[Any],
    tested: NDArray[np.bool_],
    labels: NDArray[Any],
    probabilities: Floats,
) -> None:
    model = fresh(learner).fit(X[~tested], y[~tested])
    labels[tested] = model.predict(X[tested])
    probabilities[tested] = class_probabilities(model, X[tested], classes)


def _checked(learner: Any, X: Any, y: NDArray[Any]) -> Any:
    """Let scikit-learn judge the values, and then the parameters, on one row of each class."""
    from sklearn.base import clone
    from sklearn.utils import check_array

    name = type(learner).__name__
    try:
        X = check_array(X, accept_sparse="csr", dtype="int" if name == "CategoricalNB" else "numeric")
        clone(learner).fit(X[np.unique(y, return_index=True)[1]], np.unique(y))
    except (TypeError, ValueError) as why:
        raise HowsureError(f"{name} cannot be fitted: {str(why).splitlines()[0].rstrip('.')}.") from None
    if name in ("MultinomialNB", "ComplementNB", "CategoricalNB") and X.min() < 0:
        raise HowsureError(f"`X` must be 0 or above for {name}, not {X.min()}.")
    return X


def _classes(y: Any) -> tuple[NDArray[Any], NDArray[Any], IntArray]:
    y = np.asarray(y)
    if y.ndim != 1:
        raise HowsureError(f"`y` must be one column of labels, not an array of shape {y.shape}.")
    try:
        classes, codes = np.unique(y, return_inverse=True)
    except TypeError:
        raise HowsureError("`y` must hold labels of one type, and none missing.") from None
    if (classes != classes).any():
        raise HowsureError("`y` must hold labels of one type, and none missing.")
    return y, classes, codes


def _parts(parts: Any) -> Parts:
    numbers = np.asarray(parts)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        must("parts", "one whole number for each row", given=parts)
    distinct, of_row, sizes = np.unique(numbers, return_inverse=True, return_counts=True)
    if len(distinct) < 2:
        raise HowsureError("`parts` must name at least two parts: one is tested and the others train.")
    return Parts(of_row, np.argsort(of_row, kind="stable"), np.concatenate([[0], np.cumsum(sizes)]))
