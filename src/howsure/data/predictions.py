"""The truth and the prediction of every case, checked."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import IntArray
from howsure.checks import check_index
from howsure.data.encode import MISSING, Encoded, Label, encode, number_values
from howsure.data.labels import Classes
from howsure.data.scores import Scores, decide, default_threshold
from howsure.errors import HowsureError, counted, listing
from howsure.kernels.score_bins import ScoreMap, join_bins

LABELS = ("truth", "predicted")  # columns of class labels
NUMBERS = ("scores", "weight")
KEYS = ("group", "fold", "cluster")  # columns that partition the cases; each is a field of `Predictions`
COLUMNS = ("weight", "square", "scores", "tops", "case")  # optional columns of numbers
MAX_CASES = 2.0**53  # larger whole numbers are not exact as floats
MAX_ANNOTATORS = 12  # the smallest common denominator of their weights is 27,720
WIDEST = 1e-150  # smallest weight relative to the largest; the squares of smaller weights would be lost
_first_cases = itertools.count(0, 1 << 40)  # first case numbers of predictions with several truths


@dataclass(frozen=True, slots=True)
class Key:
    """The group, the resampling fold, or the cluster of each row.

    ``shared`` is True if each cluster is one case with several labels.
    """

    codes: IntArray
    values: Any  # the distinct values, a sequence
    shared: bool = False

    def take(self, rows: Any) -> Key:
        """Keep some rows, and the values that occur in them."""
        if isinstance(rows, slice) and rows == slice(None):
            return self
        occurring, codes = np.unique(self.codes[rows], return_inverse=True)
        return Key(codes, tuple(self.values[code] for code in occurring.tolist()), self.shared)

    def rows(self) -> list[IntArray]:
        """Return the rows that have each value, in the order of the values."""
        # NumPy sorts 16-bit integers several times as fast as wider ones, by counting.
        small = self.codes.astype(np.uint16) if len(self.values) <= 1 << 16 else self.codes
        sizes = np.bincount(self.codes, minlength=len(self.values))
        return np.split(np.argsort(small, kind="stable"), np.cumsum(sizes)[:-1])


@dataclass(frozen=True, slots=True, repr=False)
class Predictions:
    """The truth and the prediction of every case, checked.

    `Predictions.of` makes predictions from columns. Labels are positions in ``classes.labels``. A whole-number weight
    repeats a case, as if its row occurred that many times; a real-valued weight makes it count for more or less.

    Attributes
    ----------
    truth, predicted
        The positions of the classes; ``predicted`` is None if scores decide.
    classes
        The classes, with the positive one.
    weight
        Case weights.
    square
        Squares of real-valued weights, used for variances.
    group, fold, cluster
        The group, fold and cluster of each case.
    scores
        A column of scores, or one for each class.
    threshold
        The lowest score of a positive prediction.
    tops
        For binned scores, the highest score of each bin; ``scores`` holds the lowest.
    case
        For cases with several labels, the case of each row; its weight is the label's share of the case.
    annotators
        The number of annotators who gave the labels.
    rows
        The number of rows.

    Examples
    --------
    >>> import howsure
    >>> predictions = howsure.Predictions.of(["y", "n", "y", "n"], scores=[0.9, 0.2, 0.4, 0.3])
    >>> predictions
    Predictions(4 rows, 2 classes, scores)
    >>> predictions.classes.labels, predictions.truth.tolist(), predictions.decided().tolist()
    (('n', 'y'), [1, 0, 1, 0], [1, 0, 0, 0])
    >>> howsure.assess(predictions)["accuracy"].value
    0.75
    """

    truth: IntArray
    predicted: IntArray | None
    classes: Classes
    weight: NDArray[Any] | None = None
    square: NDArray[np.float64] | None = None
    group: Key | None = None
    fold: Key | None = None
    cluster: Key | None = None
    scores: NDArray[Any] | None = None
    threshold: float | None = None
    tops: NDArray[Any] | None = None
    case: IntArray | None = None
    annotators: int | None = None

    def decided(self) -> IntArray:
        """Return the predicted classes, from the scores if necessary."""
        if self.predicted is not None:
            return self.predicted
        return decide(cast("NDArray[Any]", self.scores), self.classes, self.threshold)  # `scores` is not None here

    @property
    def rows(self) -> int:
        return len(self.truth)

    @property
    def parts(self) -> int | None:
        """Lowest common denominator of the annotators' weights, or None."""
        if self.case is None or self.annotators is None or self.annotators > MAX_ANNOTATORS:
            return None
        only_shares = np.array_equal(np.asarray(self.weight), np.asarray(self.square))
        return math.lcm(*range(1, self.annotators + 1)) if only_shares else None

    @property
    def has_clusters(self) -> bool:
        """Whether any cluster has several cases."""
        if self.cluster is None or self.cluster.shared:
            return False
        repeats = None if self.weight is None or self.square is not None else self.weight
        return bool(np.bincount(self.cluster.codes, repeats).max() > 1)

    def take(self, rows: Any) -> Predictions:
        """Return selected rows, without groups and folds.

        Parameters
        ----------
        rows
            Positions, a slice or a mask.

        Examples
        --------
        >>> import howsure
        >>> howsure.Predictions.of(["y", "n", "y"], ["y", "n", "n"]).take([0, 2])
        Predictions(2 rows, 2 classes, labels)
        """
        columns = {name: getattr(self, name) for name in (*COLUMNS, "predicted")}
        taken: dict[str, Any] = {name: None if column is None else column[rows] for name, column in columns.items()}
        cluster = None if self.cluster is None else self.cluster.take(rows)
        return replace(self, truth=self.truth[rows], group=None, fold=None, cluster=cluster, **taken)

    def about(self, positive: Label) -> Predictions:
        """Return the same predictions with another positive class.

        Parameters
        ----------
        positive
            The new positive class.

        Examples
        --------
        >>> import howsure
        >>> howsure.Predictions.of(["y", "n"], scores=[0.75, 0.5]).about("n").scores.tolist()
        [0.25, 0.5]
        """
        classes, scores, tops = Classes.of_labels(self.classes.labels, positive), self.scores, self.tops
        if scores is not None and scores.ndim == 1 and classes.positive != self.classes.positive:
            highest = scores if tops is None else tops
            reflected = 1.0 if scores.min() >= 0 and highest.max() <= 1 else 0.0
            scores, tops = reflected - highest, None if tops is None else reflected - scores
        return replace(self, classes=classes, scores=scores, tops=tops, predicted=self.decided(), threshold=None)

    def in_bins(self) -> Predictions:
        """Return the same predictions, with their single score column binned.

        Examples
        --------
        >>> import howsure
        >>> howsure.Predictions.of(["y", "n"], scores=[0.75, 0.5]).in_bins().tops is not None
        True
        """
        if self.scores is None or self.scores.ndim > 1 or self.tops is not None:
            return self
        scores = self.scores.astype(float)
        ends = float(scores.min()), float(scores.max())
        threshold = default_threshold(*ends) if self.threshold is None else self.threshold
        score_map = ScoreMap.of_range(*ends, threshold, lambda: np.abs(scores[np.isfinite(scores)]).max(initial=0))
        lowest, highest = join_bins(score_map.places(scores), scores, scores)
        return replace(self, scores=lowest, tops=highest)

    def __repr__(self) -> str:
        kind = "labels" if self.scores is None else "scores"
        return f"Predictions({self.rows} rows, {len(self.classes.labels)} classes, {kind})"

    @classmethod
    def of(
        cls,
        truth: Any,
        predicted: Any = None,
        *,
        scores: Any = None,
        threshold: float | None = None,
        weight: Any = None,
        square: Any = None,
        tops: NDArray[Any] | None = None,
        labels: Sequence[Label] | None = None,
        positive: Label | None = None,
        names: Mapping[str, str] | None = None,
        case: Any = None,
        annotators: int | None = None,
        **keys: Any,
    ) -> Predictions:
        """Check and encode columns.

        Without ``predicted``, ``scores`` decide. A single column predicts the positive class for scores of at least
        ``threshold``; with a column for each class, the highest score decides.

        Parameters
        ----------
        truth, predicted
            Columns of labels.
        scores
            A column of scores of the positive class, or one for each class.
        threshold
            The lowest score of a positive prediction.
        weight
            Case weights.
        square
            The squares of the weights, if rows stand for several cases.
        tops
            The highest scores of bins.
        labels
            All classes, in display order; default: the classes that occur, sorted.
        positive
            The positive class for two-class measures; default: the second of two classes.
        names
            The names of columns in error messages, where these differ from the role.
        case
            The case of each row, if cases have several labels.
        annotators
            The number of annotators.
        **keys
            The columns "group", "fold" or "cluster".
        """
        if unknown := set(keys) - set(KEYS):
            raise TypeError(f"Predictions have no {unknown}")
        if truth is None:
            raise HowsureError("`truth` must be given: a column of the true labels.")
        names = {role: role for role in (*LABELS, *NUMBERS, *KEYS)} | dict(names or {})
        arguments = {"truth": truth, "predicted": predicted, "scores": scores, "weight": weight, **keys}
        check_index({names[role]: column for role, column in arguments.items()})
        columns = {
            role: encode(column, names[role])
            for role, column in {"truth": truth, "predicted": predicted, **keys}.items()
            if column is not None
        }
        weights = None if weight is None else check_weight(weight, names["weight"])
        ranking = None if scores is None else Scores.of(scores, names["scores"])
        lengths = {role: len(encoded.codes) for role, encoded in columns.items()}
        lengths |= {} if ranking is None else {"scores": len(ranking.values)}
        lengths |= {} if weights is None else {"weight": len(weights)}
        check_lengths(lengths, names)
        if weights is not None and not weights.all():
            rows = np.flatnonzero(weights)
            weights = weights[rows]
            square, tops, case = (
                None if column is None else np.asarray(column)[rows] for column in (square, tops, case)
            )
            columns = {role: encoded.take(rows) for role, encoded in columns.items()}
            ranking = None if ranking is None else ranking.take(rows)
        for role, encoded in columns.items():
            check_present(encoded, names[role])
        classes = Classes.of({role: columns[role] for role in LABELS if role in columns}, labels, positive, names)
        codes = {role: classes.index(columns[role]) for role in LABELS if role in columns}
        if ranking is not None:
            if ranking.values.ndim == 1 and len(classes.labels) > 2 and classes.chosen:
                classes, codes = _against_rest(classes, codes)
            ranking = ranking.fit(classes, names["scores"])
        if weights is not None and weights.dtype.kind == "f" and square is None:
            square = weights**2
        if ranking is not None and ranking.values.ndim == 2 and threshold is not None:
            raise HowsureError(
                "`threshold` is for two classes; with a column of scores for each class, the highest score decides."
            )
        if "predicted" not in codes and ranking is None:
            raise HowsureError("`predicted` or `scores` must be given.")
        if ranking is not None and ranking.values.ndim == 1 and threshold is None and "predicted" not in codes:
            threshold = default_threshold(ranking.values.min(), ranking.values.max())
        by_role = {role: key_of(columns[role]) for role in KEYS if role in columns}
        if case is not None and not _joins_cases(by_role.get("cluster"), case):
            by_role["cluster"] = _key_of_cases(case)
        return cls(
            codes["truth"],
            codes.get("predicted"),
            classes,
            weights,
            square,
            scores=None if ranking is None else ranking.values,
            threshold=threshold,
            tops=tops,
            case=case,
            annotators=annotators,
            **by_role,
        )


def _key_of_cases(case: IntArray) -> Key:
    """Return a key that makes each case a cluster."""
    codes, cases = number_cases(case)
    first = next(_first_cases)
    return Key(codes, range(first, first + cases), shared=True)


def number_cases(case: IntArray) -> tuple[IntArray, int]:
    """Number the cases that occur, starting at 0, and return their number."""
    codes, cases = number_values(case)
    return codes, len(cases)


def _joins_cases(cluster: Key | None, case: IntArray) -> bool:
    """Return whether any cluster has several cases."""
    if cluster is None:
        return False
    lowest, highest = np.full(len(cluster.values), case.max()), np.zeros(len(cluster.values), case.dtype)
    np.minimum.at(lowest, cluster.codes, case)
    np.maximum.at(highest, cluster.codes, case)
    return bool((lowest < highest).any())


def _against_rest(classes: Classes, codes: dict[str, IntArray]) -> tuple[Classes, dict[str, IntArray]]:
    """Merge all classes except the positive one, which has the scores."""
    position = classes.labels.index(cast("Label", classes.positive))
    two = Classes.of_labels([f"not {classes.positive}", classes.labels[position]], classes.positive)
    return two, {role: (column == position).view(np.int8) for role, column in codes.items()}


def check_weight(weight: Any, name: str, *, of_batch: bool = False) -> NDArray[Any]:
    """Check weights; in a batch, they may all be 0 and are not rescaled."""
    try:
        values = (
            np.ma.filled(weight.astype(float), np.nan) if isinstance(weight, np.ma.MaskedArray) else np.asarray(weight)
        )
    except (TypeError, ValueError):
        raise HowsureError(
            f"`{name}` must hold numbers, but this {type(weight).__name__} holds something else."
        ) from None
    if values.ndim != 1 or values.dtype.kind not in "biuf":
        raise HowsureError(f"`{name}` must be a column of numbers, not {type(weight).__name__} of {values.dtype}.")
    if values.dtype.kind == "u" and values.size and values.max() >= MAX_CASES:
        raise HowsureError(f"`{name}` must add up to less than 2**53 cases; give it as real numbers instead.")
    values = values.astype(np.float64 if values.dtype.kind == "f" else np.int64, copy=False)
    bad = np.flatnonzero(~np.isfinite(values) | (values < 0))
    if len(bad):
        raise HowsureError(f"`{name}` must be finite and non-negative, not {values[bad[0]]} at index {bad[0]}.")
    if len(values) and not values.any() and not of_batch:
        raise HowsureError(f"`{name}` must have a value above 0; all are 0.")
    if values.dtype.kind == "i" and float(values.sum(dtype=float)) >= MAX_CASES:
        raise HowsureError(f"`{name}` must add up to less than 2**53 cases; give it as real numbers instead.")
    if values.dtype.kind == "f" and values.any():
        # Squares of weights such as 1e200 or 1e-200 overflow or underflow; the scale of weights does not matter.
        largest = values.max()
        check_range(name, float(values.min(initial=np.inf, where=values > 0)), float(largest))
        exponent = np.frexp(largest)[1]
        if abs(exponent) > 300:
            if of_batch:
                raise HowsureError(
                    f"`{name}` must be closer to 1 than {largest:g}; scale all batches by the same factor."
                )
            values = np.ldexp(values, -exponent)
    return values


def check_range(name: str, least: float, largest: float) -> None:
    """Reject weights that differ too much in magnitude."""
    if least < largest * WIDEST:
        raise HowsureError(
            f"`{name}` must not range from {least:g} to {largest:g}: weights below {WIDEST:g} times the largest have "
            "no effect; give such cases the weight 0."
        )


def check_lengths(lengths: dict[str, int], names: Mapping[str, str]) -> None:
    """Reject empty columns, and columns of different lengths."""
    if not equal_length(lengths, names):
        raise HowsureError(f"`{names[next(iter(lengths))]}` must hold at least one case, but it is empty.")


def equal_length(lengths: dict[str, int], names: Mapping[str, str]) -> int:
    """Return the common length of columns, given their lengths by role."""
    (first, n), *others = lengths.items()
    for role, m in others:
        if m != n:
            sizes = f"`{names[first]}` has {counted(n, 'row')} and `{names[role]}` has {m}"
            raise HowsureError(f"{sizes}; they must be of equal length.")
    return n


def check_present(encoded: Encoded, name: str) -> None:
    if encoded.codes.min() != MISSING:
        return
    rows = np.flatnonzero(encoded.codes == MISSING)
    raise HowsureError(
        f"`{name}` has no label at index {listing(rows.tolist())}; drop these rows or give them a label."
    )


def key_of(encoded: Encoded) -> Key:
    """Return a key with sorted values, whatever the order of the rows."""
    if encoded.ordered or len({type(value) for value in encoded.values}) > 1:
        return Key(encoded.codes, tuple(encoded.values))
    ascending = sorted(encoded.values)
    codes = encoded.positions({value: position for position, value in enumerate(ascending)})
    return Key(codes.astype(np.int32, copy=False), tuple(ascending))
