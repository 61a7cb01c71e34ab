"""Cases with several true labels, from annotators or as class shares.

A case counts once, divided among its labels: a case with the labels a, a and b counts as two thirds of a case of a and
one third of a case of b. This is the expectation if an annotator is drawn at random for each case. Labels become rows
of shares here, before anything is checked or counted; if all annotators agree on every case, they become one column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.arrays import Array, IntArray
from howsure.checks import check_index
from howsure.data.encode import LIBRARIES, MISSING, Encoded, encode
from howsure.data.labels import label_list
from howsure.data.predictions import KEYS, check_lengths, check_present, check_weight, number_cases
from howsure.data.scores import Scores
from howsure.errors import HowsureError, counted, listing

TOLERANCE = 1e-6  # tolerance for the sum of a case's shares, which may be rounded or in single precision
MAX_ROWS = 1 << 27  # maximum number of rows after repeating cases by whole-number weights


class SoftTruth:
    """The true share of each class in each case.

    Parameters
    ----------
    shares
        A row for each case and a column for each class; each row must add up to 1. The columns of a data frame or
        mapping may name the classes.
    labels
        The classes, in the order of the columns.

    Examples
    --------
    >>> import howsure
    >>> truth = howsure.SoftTruth([[0.9, 0.1], [0.5, 0.5], [0.0, 1.0]], labels=["ham", "spam"])
    >>> a = howsure.assess(truth, ["ham", "spam", "spam"])
    >>> round(a["accuracy"], 3), round(a.ceiling, 3)
    (0.8, 0.8)
    """

    __slots__ = ("labels", "shares")

    shares: Array
    labels: tuple[Any, ...]

    def __init__(self, shares: Any, labels: Sequence[Any] | None = None) -> None:
        if isinstance(shares, Mapping):
            names: Any = tuple(shares)
            columns = [Scores.of(column, str(name)).values for name, column in shares.items()]
            if len({column.shape for column in columns}) > 1 or any(column.ndim != 1 for column in columns):
                raise HowsureError("`shares` must be columns of equal length, one for each class.")
            values = np.column_stack(columns) if columns else np.zeros((0, 0))
        else:
            checked = Scores.of(shares, "shares")
            values, names = checked.values, checked.names
        values = np.asarray(values, float)
        if values.ndim != 2:
            raise HowsureError(
                f"`shares` must have a row for each case and a column for each class, not the shape {values.shape}."
            )
        if labels is None and names is None:
            raise HowsureError("`labels` must name the classes, in the order of the columns of `shares`.")
        named = label_list(names if labels is None else labels)
        if len(named) != values.shape[1] or len(set(named)) != len(named):
            raise HowsureError(
                f"`labels` must be {values.shape[1]} different classes, one for each column of `shares`."
            )
        bad = np.flatnonzero(~(np.isfinite(values) & (values >= 0)).all(1))
        if len(bad):
            worst = values[bad[0]][~(np.isfinite(values[bad[0]]) & (values[bad[0]] >= 0))][0]
            raise HowsureError(f"`shares` must be between 0 and 1, not {worst:g} at index {bad[0]}.")
        sums = values.sum(1)
        bad = np.flatnonzero(np.abs(sums - 1) > TOLERANCE)
        if len(bad):
            raise HowsureError(
                f"`shares` of each case must add up to 1, but those at index {bad[0]} add up to {sums[bad[0]]:g}; "
                "divide counts by their sum."
            )
        self.shares = values / sums[:, None]
        self.labels = tuple(named)

    def __len__(self) -> int:
        return len(self.shares)

    def __repr__(self) -> str:
        return f"SoftTruth({counted(len(self), 'case')}, {counted(len(self.labels), 'class')})"


@dataclass(frozen=True, slots=True)
class Truths:
    """A column of labels for each annotator; labels may be missing."""

    columns: tuple[Any, ...]
    names: tuple[str, ...] = ()  # column names, if any

    def __len__(self) -> int:
        return min(map(_length, self.columns))


@dataclass(frozen=True, slots=True)
class Annotations:
    """The extent to which annotators agree.

    ``annotators`` is their number, or None if the truth was given as shares, and ``contested`` is the proportion of
    cases on which they disagree. ``ceiling`` is the highest accuracy that any classifier can reach: the mean over cases
    of the largest share.
    """

    annotators: int | None
    cases: int
    contested: float
    ceiling: float

    @classmethod
    def of(cls, case: IntArray, weight: Array, annotators: int | None) -> Annotations:
        """Summarise rows of shares, weighted by share times case weight."""
        codes, cases = number_cases(case)
        contested = np.bincount(codes) > 1
        largest, weights = np.zeros(cases), np.bincount(codes, weight)
        np.maximum.at(largest, codes, weight)
        total = float(weights.sum())
        return cls(annotators, cases, float(weights[contested].sum()) / total, float(largest.sum()) / total)

    def text(self) -> str:
        """Describe the truth: "3 annotators", or "shares of the classes as truth"."""
        return "shares of the classes as truth" if self.annotators is None else counted(self.annotators, "annotator")

    def sentence(self) -> str:
        """State how many cases are contested, and how they count."""
        cases = f"{100 * self.contested:.0f} % of the cases"
        finding = f"{cases} have several true classes" if self.annotators is None else f"annotators disagree on {cases}"
        return f"{finding}; each case counts once, divided among its labels"

    def to_dict(self) -> dict[str, Any]:
        names = ("annotators", "cases", "contested", "ceiling")
        return {name: getattr(self, name) for name in names}


def is_several(truth: Any) -> bool:
    """Return whether the truth is more than one column of labels."""
    if isinstance(truth, Truths | SoftTruth | Mapping):
        return True
    if hasattr(truth, "shape"):
        return len(truth.shape) == 2
    return isinstance(truth, list | tuple) and bool(truth) and all(map(_is_column, truth))


def _is_column(value: Any) -> bool:
    is_array = hasattr(value, "__len__") and hasattr(value, "__array__")
    return isinstance(value, list | tuple) or (is_array and np.ndim(value) > 0)


def _length(column: Any) -> int:
    return len(column.codes) if isinstance(column, Encoded) else len(column)


def read_truth(truth: Any, cases: int | None) -> Any:
    """Return the truth as `Truths`, as shares, or as one column.

    The number of predictions, ``cases``, determines whether nested lists belong to cases or to annotators.
    """
    if isinstance(truth, SoftTruth) or not is_several(truth):
        return truth
    if isinstance(truth, Truths):
        truths = truth
    elif isinstance(truth, Mapping):
        truths = Truths(tuple(truth.values()), tuple(map(str, truth)))
    elif isinstance(truth, list | tuple):
        truths = _of_lists(truth, cases)
    elif type(truth).__module__.partition(".")[0] in LIBRARIES:
        names = list(getattr(truth, "column_names", truth.columns))
        truths = Truths(tuple(_frame_column(truth, index) for index in range(len(names))), tuple(map(str, names)))
    else:
        truths = _of_array(truth, cases)
    if not truths.columns:
        raise HowsureError("`truth` must have a column for each annotator, but it has none.")
    return truths.columns[0] if len(truths.columns) == 1 else truths


def _frame_column(frame: Any, index: int) -> Any:
    if hasattr(frame, "iloc"):
        return frame.iloc[:, index]
    return frame.column(index) if hasattr(frame, "column") else frame.to_series(index)


def _of_array(truth: Any, cases: int | None) -> Truths:
    values = truth if isinstance(truth, np.ma.MaskedArray) else np.asarray(truth)
    rows, columns = values.shape
    if cases is not None and rows != cases and columns == cases:
        raise HowsureError(
            f"`truth` must have a row for each case and a column for each annotator, but it has as many columns "
            f"({columns}) as there are predictions; transpose it."
        )
    return Truths(tuple(values[:, index] for index in range(columns)))


def _of_lists(truth: Sequence[Any], cases: int | None) -> Truths:
    """Read nested lists as cases, or as annotators if the lengths match."""
    if any(np.ndim(column) > 1 for column in truth if hasattr(column, "__array__")):
        raise HowsureError("`truth` must be one column for each annotator, not a list of tables.")
    lengths = list(map(len, truth))
    of_cases = cases is None or len(truth) == cases
    of_annotators = cases is not None and set(lengths) == {cases}
    if of_cases and of_annotators and len(truth) > 1:
        raise HowsureError(
            f"`truth` is {cases} lists of {cases} labels, which may belong to cases or to annotators; give a mapping "
            "of annotators to columns, or an array with a row for each case."
        )
    if of_annotators:
        return Truths(tuple(truth))
    if not of_cases:
        shown = listing([counted(length, "label") for length in lengths])
        raise HowsureError(
            f"`truth` must have a label for each of the {cases} predictions from each annotator, but its lists have "
            f"{shown}; write None where an annotator gave no label."
        )
    if len(set(lengths)) > 1:
        odd = next(index for index, length in enumerate(lengths) if length != lengths[0])
        raise HowsureError(
            f"`truth` must have a label from each annotator for each case, but there are {lengths[0]} at index 0 and "
            f"{lengths[odd]} at index {odd}; write None where an annotator gave no label."
        )
    table = np.empty((len(truth), lengths[0]), object)
    for index, row in enumerate(truth):
        table[index] = list(row)
    return Truths(tuple(table[:, index] for index in range(table.shape[1])))


@dataclass(frozen=True, slots=True)
class ShareRows:
    """A row for each label of a case: the case, the label and its share."""

    case: IntArray
    label: Encoded
    share: Array
    cases: int
    annotators: int | None


def spread_truth(columns: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Repeat the rows of all columns for each label of a case.

    The added columns are the ``case`` of each row and its contribution to variances, ``square``, which is computed as
    if its annotator had been drawn at random.
    """
    truth = columns["truth"]
    beside = {role: column for role, column in columns.items() if role != "truth" and column is not None}
    if isinstance(truth, Truths):
        check_index({"truth": truth.columns[0]} | {names.get(role, role): column for role, column in beside.items()})
    weight = None if "weight" not in beside else check_weight(beside["weight"], names.get("weight", "weight"))
    used = None if weight is None or weight.all() else weight > 0
    rows = _share_rows(truth) if isinstance(truth, SoftTruth) else _label_rows(truth, used)
    roles = [role for role in ("predicted", *KEYS) if role in beside]
    encoded = {role: encode(beside[role], names.get(role, role)) for role in roles}
    scores = None if "scores" not in beside else Scores.of(beside["scores"], names.get("scores", "scores"))
    lengths = {"truth": rows.cases} | {role: len(column.codes) for role, column in encoded.items()}
    lengths |= {} if scores is None else {"scores": len(scores.values)}
    lengths |= {} if weight is None else {"weight": len(weight)}
    check_lengths(lengths, {role: names.get(role, role) for role in lengths})
    for role, column in encoded.items():
        check_present(column if used is None else column.take(np.flatnonzero(used)), names.get(role, role))
    if len(rows.case) == rows.cases:
        return {**columns, "truth": rows.label}
    case, share, repeated = rows.case, rows.share, np.arange(len(rows.case))
    if weight is not None and weight.dtype.kind != "f":  # weights are whole numbers of cases
        case, repeated = _repeated(case, weight)
        share, weight = share[repeated], None
    of_case = rows.case[repeated]
    weights = share if weight is None else share * weight[of_case]
    squares = share if weight is None else share * weight[of_case] ** 2
    return {
        **{role: column.take(of_case) for role, column in encoded.items()},
        "truth": Encoded(rows.label.codes[repeated], rows.label.values, rows.label.ordered),
        "scores": None if scores is None else scores.take(of_case),
        "weight": weights,
        "square": squares,
        "case": case,
        "annotators": rows.annotators,
    }


def _repeated(case: IntArray, weight: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Repeat cases by their weights; each repetition is a new case."""
    times = weight[case]
    if int(times.sum()) > MAX_ROWS:
        raise HowsureError("`weight` repeats cases with several true labels too often; give it as real numbers.")
    rows = np.repeat(np.arange(len(case)), times)
    first = np.concatenate([[0], np.cumsum(weight)])[case]  # the number of each case's first repetition
    within = np.arange(len(rows)) - np.repeat(np.cumsum(times) - times, times)
    return first[rows] + within, rows


def _share_rows(truth: SoftTruth) -> ShareRows:
    case, label = np.nonzero(truth.shares)
    share = truth.shares[case, label]
    return ShareRows(case, Encoded(label.astype(np.int32), list(truth.labels)), share, len(truth), None)


def _label_rows(truth: Truths, used: Array | None) -> ShareRows:
    """Count how many annotators gave each label to a case."""
    columns = [encode(column, "truth") for column in truth.columns]
    lengths = [len(column.codes) for column in columns]
    names = truth.names or tuple(f"annotator {index + 1}" for index in range(len(columns)))
    for name, length in zip(names, lengths, strict=True):
        if length != lengths[0]:
            raise HowsureError(
                f"`truth` has {counted(lengths[0], 'row')} from {names[0]!r} and {length} from {name!r}; "
                "they must be of equal length."
            )
    if not lengths[0]:
        raise HowsureError("`truth` must hold at least one case, but it is empty.")
    # The order of categories is kept if all annotators share it; otherwise, classes are sorted later.
    ordered = all(column.ordered and column.values == columns[0].values for column in columns)
    values = columns[0].values if ordered else list(dict.fromkeys(v for column in columns for v in column.present()))
    position = {value: index for index, value in enumerate(values)}
    codes = np.empty((lengths[0], len(columns)), np.int32)
    for index, column in enumerate(columns):
        lookup = np.array([*(position.get(value, MISSING) for value in column.values), MISSING], np.int32)
        codes[:, index] = lookup[column.codes]  # `MISSING` takes the last value
    return _count_labels(codes, Encoded(codes[:, 0], values, ordered), used)


def _count_labels(codes: IntArray, label: Encoded, used: Array | None) -> ShareRows:
    cases, annotators = codes.shape
    codes = np.sort(codes, axis=1)  # the order of annotators does not matter; missing labels come first
    present = (codes != MISSING).sum(1)
    empty = np.flatnonzero((present == 0) if used is None else (present == 0) & used)
    if len(empty):
        raise HowsureError(
            f"`truth` has no label from any annotator at index {listing(empty.tolist())}; "
            "drop these rows or give them a label."
        )
    if np.array_equal(codes[np.arange(cases), annotators - present.clip(1)], codes[:, -1]):
        return ShareRows(np.arange(cases), replace(label, codes=codes[:, -1]), np.ones(cases), cases, annotators)
    starts = codes != MISSING
    starts[:, 1:] &= codes[:, 1:] != codes[:, :-1]
    start = np.flatnonzero(starts)  # the start of each run of equal labels in a case
    case = start // annotators
    end = np.minimum(np.append(start[1:], cases * annotators), (case + 1) * annotators)
    votes = end - start
    return ShareRows(case, replace(label, codes=codes.ravel()[start]), votes / present[case], cases, annotators)
