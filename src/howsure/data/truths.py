"""Several truths of a case: one label from each annotator, or a share for each class.

A case counts once, and the labels that it has share it: with the labels a, a and b it is two thirds of a case of a and
one third of a case of b. That is what is to be expected against an annotator drawn at random for each case. Rows of
labels become rows of shares here, before anything is checked or counted; where all labels of each case are the same,
there is one truth, and nothing is left of the rest.
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

TOLERANCE = 1e-6  # by which the shares of a case may miss 1, as printed or single-precision ones do
MOST_ROWS = 1 << 27  # that whole-number weights may repeat cases to


class SoftTruth:
    """The share of each class in the truth of each case.

    Parameters
    ----------
    shares
        A row for each case and a column for each class; each row adds up to 1. A data frame or a mapping of columns
        may name the classes.
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
            read = Scores.of(shares, "shares")
            values, names = read.values, read.names
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
                f"`shares` of each case must add up to 1, and those at index {bad[0]} add up to {sums[bad[0]]:g}; "
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
    """A column of labels from each annotator; some may be missing."""

    columns: tuple[Any, ...]
    names: tuple[str, ...] = ()  # of the columns, where they have some

    def __len__(self) -> int:
        """The number of cases."""
        return min(map(_length, self.columns))


@dataclass(frozen=True, slots=True)
class Annotations:
    """What annotators say of the cases: how many annotators, on which share of cases they disagree, and the ceiling.

    ``annotators`` is None where the truth came as shares. ``ceiling`` is the highest accuracy that any classifier can
    reach: the mean over cases of the largest share.
    """

    annotators: int | None
    cases: int
    contested: float
    ceiling: float

    @classmethod
    def of(cls, case: IntArray, weight: Array, annotators: int | None) -> Annotations:
        """Look at rows of shares, in whose weights are those of the cases."""
        place, cases = number_cases(case)
        several = np.bincount(place) > 1
        largest, total = np.zeros(cases), np.bincount(place, weight)
        np.maximum.at(largest, place, weight)
        everything = float(total.sum())
        return cls(annotators, cases, float(total[several].sum()) / everything, float(largest.sum()) / everything)

    def text(self) -> str:
        """Say what the truth is: "3 annotators", or "shares of classes as truth"."""
        return "shares of the classes as truth" if self.annotators is None else counted(self.annotators, "annotator")

    def sentence(self) -> str:
        """Say how far the truth is shared, and how such cases count."""
        share = f"{100 * self.contested:.0f} % of the cases"
        said = f"{share} have several true classes" if self.annotators is None else f"annotators disagree on {share}"
        return f"{said}; a case counts once, and the labels that it has share it"

    def to_dict(self) -> dict[str, Any]:
        names = ("annotators", "cases", "contested", "ceiling")
        return {name: getattr(self, name) for name in names}


def are_names(truth: Any) -> bool:
    """A list of texts, which may be names of columns."""
    return isinstance(truth, list | tuple) and bool(truth) and all(isinstance(name, str) for name in truth)


def is_several(truth: Any) -> bool:
    """Whether a truth is more than one column of labels: a table, a mapping, a list of columns, or shares."""
    if isinstance(truth, Truths | SoftTruth | Mapping):
        return True
    if hasattr(truth, "shape"):
        return len(truth.shape) == 2
    return isinstance(truth, list | tuple) and bool(truth) and all(_is_column(one) for one in truth)


def _is_column(one: Any) -> bool:
    return isinstance(one, list | tuple) or (hasattr(one, "__len__") and hasattr(one, "__array__") and np.ndim(one) > 0)


def _length(column: Any) -> int:
    return len(column.codes) if isinstance(column, Encoded) else len(column)


def one_or_several(truth: Any, cases: int | None) -> Any:
    """Read a truth as `Truths`, as shares, or as the one column that it is.

    ``cases`` is the number of predictions; it tells whether lists within a list are those of cases or of annotators.
    """
    if isinstance(truth, SoftTruth) or not is_several(truth):
        return truth
    if isinstance(truth, Truths):
        several = truth
    elif isinstance(truth, Mapping):
        several = Truths(tuple(truth.values()), tuple(map(str, truth)))
    elif isinstance(truth, list | tuple):
        several = _of_lists(truth, cases)
    elif type(truth).__module__.partition(".")[0] in LIBRARIES:
        names = list(getattr(truth, "column_names", truth.columns))
        several = Truths(tuple(_frame_column(truth, index) for index in range(len(names))), tuple(map(str, names)))
    else:
        several = _of_array(truth, cases)
    if not several.columns:
        raise HowsureError("`truth` must have a column for each annotator, and it has none.")
    return several.columns[0] if len(several.columns) == 1 else several


def _frame_column(frame: Any, index: int) -> Any:
    if hasattr(frame, "iloc"):
        return frame.iloc[:, index]
    return frame.column(index) if hasattr(frame, "column") else frame.to_series(index)


def _of_array(truth: Any, cases: int | None) -> Truths:
    values = truth if isinstance(truth, np.ma.MaskedArray) else np.asarray(truth)
    rows, columns = values.shape
    if cases is not None and rows != cases and columns == cases:
        raise HowsureError(
            f"`truth` must have a row for each case and a column for each annotator, and its {columns} columns are as "
            "many as the predictions; transpose it."
        )
    return Truths(tuple(values[:, index] for index in range(columns)))


def _of_lists(truth: Sequence[Any], cases: int | None) -> Truths:
    """Take lists within a list for those of cases, or of annotators where each is as long as the predictions."""
    if any(np.ndim(one) > 1 for one in truth if hasattr(one, "__array__")):
        raise HowsureError("`truth` must be one column for each annotator, not a list of tables.")
    lengths = [len(one) for one in truth]
    of_cases = cases is None or len(truth) == cases
    of_annotators = cases is not None and set(lengths) == {cases}
    if of_cases and of_annotators and len(truth) > 1:
        raise HowsureError(
            f"`truth` is {cases} lists of {cases} labels, which may be those of cases or of annotators; give a mapping "
            "of annotators to columns, or an array with a row for each case."
        )
    if of_annotators:
        return Truths(tuple(truth))
    if not of_cases:
        shown = listing([counted(length, "label") for length in lengths])
        raise HowsureError(
            f"`truth` must have a label for each of the {cases} predictions from each annotator, and its lists have "
            f"{shown}; write None where an annotator gave no label."
        )
    if len(set(lengths)) > 1:
        other = next(index for index, length in enumerate(lengths) if length != lengths[0])
        raise HowsureError(
            f"`truth` must have a label from each annotator for each case, and there are {lengths[0]} at index 0 and "
            f"{lengths[other]} at index {other}; write None where an annotator gave no label."
        )
    table = np.empty((len(truth), lengths[0]), object)
    for index, row in enumerate(truth):
        table[index] = list(row)
    return Truths(tuple(table[:, index] for index in range(table.shape[1])))


@dataclass(frozen=True, slots=True)
class Spread:
    """Rows of shares: the case of each row, its label, and its share in the case."""

    case: IntArray
    label: Encoded
    share: Array
    cases: int
    annotators: int | None


def spread_truth(columns: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Give columns with a row for each label of a case, where some case has several; one truth of each otherwise.

    What is added says which ``case`` a row is of, and what it adds to variances (``square``): as much as if its
    annotator had been drawn.
    """
    truth = columns["truth"]
    given = {role: column for role, column in columns.items() if role != "truth" and column is not None}
    if isinstance(truth, Truths):
        check_index({"truth": truth.columns[0]} | {names.get(role, role): column for role, column in given.items()})
    weight = None if "weight" not in given else check_weight(given["weight"], names.get("weight", "weight"))
    used = None if weight is None or weight.all() else weight > 0
    spread = _of_shares(truth) if isinstance(truth, SoftTruth) else _of_labels(truth, used)
    roles = [role for role in ("predicted", *KEYS) if role in given]
    encoded = {role: encode(given[role], names.get(role, role)) for role in roles}
    scores = None if "scores" not in given else Scores.of(given["scores"], names.get("scores", "scores"))
    lengths = {"truth": spread.cases} | {role: len(column.codes) for role, column in encoded.items()}
    lengths |= {} if scores is None else {"scores": len(scores.values)}
    lengths |= {} if weight is None else {"weight": len(weight)}
    check_lengths(lengths, {role: names.get(role, role) for role in lengths})
    for role, column in encoded.items():
        check_present(column if used is None else column.take(np.flatnonzero(used)), names.get(role, role))
    if len(spread.case) == spread.cases:
        return {**columns, "truth": spread.label}
    case, share, rows = spread.case, spread.share, np.arange(len(spread.case))
    if weight is not None and weight.dtype.kind != "f":  # a case as often as it is there
        case, rows = _repeated(case, weight)
        share, weight = share[rows], None
    of_case = spread.case[rows]
    weights = share if weight is None else share * weight[of_case]
    squares = share if weight is None else share * weight[of_case] ** 2
    return {
        **{role: column.take(of_case) for role, column in encoded.items()},
        "truth": Encoded(spread.label.codes[rows], spread.label.values, spread.label.ordered),
        "scores": None if scores is None else scores.take(of_case),
        "weight": weights,
        "square": squares,
        "case": case,
        "annotators": spread.annotators,
    }


def _repeated(case: IntArray, weight: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Repeat cases as whole-number weights say; each time it is another case."""
    times = weight[case]
    if int(times.sum()) > MOST_ROWS:
        raise HowsureError("`weight` repeats cases of several truths too often; give it as real numbers.")
    rows = np.repeat(np.arange(len(case)), times)
    first = np.concatenate([[0], np.cumsum(weight)])[case]  # the number of a case's first time
    within = np.arange(len(rows)) - np.repeat(np.cumsum(times) - times, times)
    return first[rows] + within, rows


def _of_shares(truth: SoftTruth) -> Spread:
    case, label = np.nonzero(truth.shares)
    share = truth.shares[case, label]
    return Spread(case, Encoded(label.astype(np.int32), list(truth.labels)), share, len(truth), None)


def _of_labels(truth: Truths, used: Array | None) -> Spread:
    """Count how many annotators gave a case each of its labels."""
    columns = [encode(column, "truth") for column in truth.columns]
    lengths = [len(column.codes) for column in columns]
    names = truth.names or tuple(f"annotator {index + 1}" for index in range(len(columns)))
    for name, length in zip(names, lengths, strict=True):
        if length != lengths[0]:
            raise HowsureError(
                f"`truth` has {counted(lengths[0], 'row')} of {names[0]!r} and {length} of {name!r}; "
                "they must be of equal length."
            )
    if not lengths[0]:
        raise HowsureError("`truth` must hold at least one case, and it is empty.")
    # The order of categories counts where all annotators share it; otherwise classes are sorted later.
    ordered = all(column.ordered and column.values == columns[0].values for column in columns)
    values = columns[0].values if ordered else list(dict.fromkeys(v for column in columns for v in column.present()))
    position = {value: index for index, value in enumerate(values)}
    small: Any = np.int8 if len(values) < 1 << 7 else np.int32
    codes = np.empty((lengths[0], len(columns)), small)
    for index, column in enumerate(columns):
        lookup = np.array([*(position.get(value, MISSING) for value in column.values), MISSING], small)
        codes[:, index] = lookup[column.codes]  # the last for what is missing
    return _count_labels(codes, Encoded(codes[:, 0], values, ordered), used)


def _count_labels(codes: IntArray, like: Encoded, used: Array | None) -> Spread:
    cases, annotators = codes.shape
    codes = np.sort(codes, axis=1)  # the order of annotators does not matter; what is missing comes first
    present = (codes != MISSING).sum(1)
    empty = np.flatnonzero((present == 0) if used is None else (present == 0) & used)
    if len(empty):
        raise HowsureError(
            f"`truth` has no label of any annotator at index {listing(empty.tolist())}; "
            "drop these rows or give them a label."
        )
    if np.array_equal(codes[np.arange(cases), annotators - present.clip(1)], codes[:, -1]):
        return Spread(np.arange(cases), replace(like, codes=codes[:, -1]), np.ones(cases), cases, annotators)
    starts = codes != MISSING
    starts[:, 1:] &= codes[:, 1:] != codes[:, :-1]
    place = np.flatnonzero(starts)
    case = place // annotators
    ends = np.append(place[1:], cases * annotators)
    votes = np.minimum(ends, (case + 1) * annotators) - place
    return Spread(case, replace(like, codes=codes.ravel()[place]), votes / present[case], cases, annotators)
