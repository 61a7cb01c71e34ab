"""Resampling schemes, whose `splits` method divides rows into training and test sets.

The same seed gives the same splits. Groups of rows (patients, sites, sessions) are never split between training and
test. Stratified parts contain their share of each class to within one case.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from howsure.arrays import IntArray
from howsure.checks import as_float
from howsure.errors import HowsureError, must, must_be_share
from howsure.resampling.declare import RowsToSplit, Scheme
from howsure.resampling.divide import divide_rows
from howsure.resampling.index_sets import Entry

MAX_SPLITS = 1_000_000
MAX_ROW_NUMBERS = 1_000_000_000


@dataclass(frozen=True)
class KFold(Scheme):
    """Cross-validation: each row is tested once in every repeat.

    Parameters
    ----------
    folds
        Number of folds.
    repeats
        Number of repeats, each with new folds.
    stratified
        Whether each fold has the class proportions of all rows.

    Examples
    --------
    >>> import howsure
    >>> splits = howsure.KFold(5, repeats=2).splits([0, 1] * 10, seed=0)
    >>> len(splits), len(splits[0].train), len(splits[0].test)
    (10, 16, 4)
    """

    folds: int = 10
    repeats: int = 1
    stratified: bool = True

    def __post_init__(self) -> None:
        _whole("folds", self.folds, 2)
        _whole("repeats", self.repeats, 1, MAX_SPLITS // int(self.folds))

    def _entries(self, rows: RowsToSplit) -> list[Entry]:
        _check_room(self, self.repeats * rows.n)
        units = rows.n if rows.groups is None else int(rows.groups.max()) + 1
        if units < self.folds:
            kind = "rows" if rows.groups is None else "groups"
            raise HowsureError(f"`folds` must be at most the number of {kind}, {units}, not {self.folds}.")
        shares = np.full(self.folds, 1 / self.folds)
        entries = []
        for repeat in range(self.repeats):
            parts = _divide(rows, shares, self.stratified)
            entries += [Entry(repeat, fold, np.flatnonzero(parts == fold)) for fold in range(self.folds)]
        return entries


@dataclass(frozen=True)
class FiveByTwo(Scheme):
    """Five repeats of twofold cross-validation (Dietterich, 1998).

    Parameters
    ----------
    stratified
        Whether each fold has the class proportions of all rows.

    Examples
    --------
    >>> import howsure
    >>> len(howsure.FiveByTwo().splits([0, 1] * 10))
    10
    """

    stratified: bool = True

    def _entries(self, rows: RowsToSplit) -> list[Entry]:
        return KFold(2, 5, self.stratified)._entries(rows)


@dataclass(frozen=True)
class LeaveOneOut(Scheme):
    """Leave-one-out cross-validation; each row, or group, is tested alone.

    Examples
    --------
    >>> import howsure
    >>> splits = howsure.LeaveOneOut().splits(5)
    >>> len(splits), [split.test.item() for split in splits]
    (5, [0, 1, 2, 3, 4])
    """

    def _entries(self, rows: RowsToSplit) -> list[Entry]:
        if rows.groups is None:
            return [Entry(0, row, np.array([row])) for row in range(rows.n)]
        order = np.argsort(rows.groups, kind="stable")
        parts = np.split(order, np.cumsum(np.bincount(rows.groups))[:-1])
        return [Entry(0, group, part) for group, part in enumerate(parts)]


@dataclass(frozen=True)
class RepeatedHoldout(Scheme):
    """Repeated random splits into training and test rows.

    Parameters
    ----------
    repeats
        Number of splits.
    test
        Proportion of test rows.
    stratified
        Whether both parts have the class proportions of all rows.

    Examples
    --------
    >>> import howsure
    >>> splits = howsure.RepeatedHoldout(3, test=0.25).splits([0, 1] * 10)
    >>> [len(split.test) for split in splits]
    [5, 5, 5]
    """

    repeats: int = 10
    test: float = 1 / 3
    stratified: bool = True

    def __post_init__(self) -> None:
        _whole("repeats", self.repeats, 1, MAX_SPLITS)
        _share("test", self.test)

    def _entries(self, rows: RowsToSplit) -> list[Entry]:
        _check_room(self, self.repeats * self.test * rows.n)
        shares = np.array([1 - self.test, self.test])
        parts = (_divide(rows, shares, self.stratified) for _ in range(self.repeats))
        return [Entry(repeat, 0, np.flatnonzero(part == 1)) for repeat, part in enumerate(parts)]


@dataclass(frozen=True)
class Holdout(Scheme):
    """A single random split into training and test rows.

    Parameters
    ----------
    test
        Proportion of test rows.
    stratified
        Whether both parts have the class proportions of all rows.

    Examples
    --------
    >>> import howsure
    >>> split = howsure.Holdout(0.25).splits([0, 1] * 10)[0]
    >>> len(split.train), len(split.test)
    (15, 5)
    """

    test: float = 1 / 3
    stratified: bool = True

    def __post_init__(self) -> None:
        _share("test", self.test)

    def _entries(self, rows: RowsToSplit) -> list[Entry]:
        return RepeatedHoldout(1, self.test, self.stratified)._entries(rows)


@dataclass(frozen=True)
class TrainValidationTest(Scheme):
    """A single random split into training, validation and test rows.

    Parameters
    ----------
    validation, test
        Proportions of validation rows and of test rows.
    stratified
        Whether all parts have the class proportions of all rows.

    Examples
    --------
    >>> import howsure
    >>> split = howsure.TrainValidationTest(0.2, 0.2).splits([0, 1] * 10)[0]
    >>> len(split.train), len(split.validation), len(split.test)
    (12, 4, 4)
    """

    validation: float = 0.25
    test: float = 0.25
    stratified: bool = True

    def __post_init__(self) -> None:
        _share("validation", self.validation)
        _share("test", self.test)
        if self.validation + self.test >= 1:
            must("validation + test", "below 1", given=self.validation + self.test)

    def _entries(self, rows: RowsToSplit) -> list[Entry]:
        shares = np.array([1 - self.validation - self.test, self.validation, self.test])
        part = _divide(rows, shares, self.stratified)
        return [Entry(0, 0, np.flatnonzero(part == 2), validation=np.flatnonzero(part == 1))]


@dataclass(frozen=True)
class Bootstrap(Scheme):
    """Bootstrap samples for training, out-of-bag rows for testing.

    Parameters
    ----------
    rounds
        Number of bootstrap samples.

    Examples
    --------
    >>> import howsure
    >>> split = howsure.Bootstrap(10).splits(20, seed=0)[0]
    >>> len(split.train), set(split.train.tolist()) & set(split.test.tolist())
    (20, set())
    """

    rounds: int = 200

    def __post_init__(self) -> None:
        _whole("rounds", self.rounds, 1, MAX_SPLITS)

    def _entries(self, rows: RowsToSplit) -> list[Entry]:
        _check_room(self, self.rounds * rows.n)
        entries = []
        units = rows.n if rows.groups is None else int(rows.groups.max()) + 1
        if units < 2:
            raise HowsureError("a bootstrap needs at least two rows, or groups, to leave one out.")
        for repeat in range(self.rounds):
            counts = np.zeros(units, np.int64)
            while not counts.any() or counts.all():  # draw again while no row is left for testing
                counts = np.bincount(rows.rng.integers(units, size=units), minlength=units)
            by_row = counts if rows.groups is None else counts[rows.groups]
            train = np.repeat(np.arange(rows.n), by_row)
            entries.append(Entry(repeat, 0, np.flatnonzero(by_row == 0), train))
        return entries


@dataclass(frozen=True)
class Resubstitution(Scheme):
    """Train and test on all rows, which gives the training error only.

    Examples
    --------
    >>> import howsure
    >>> split = howsure.Resubstitution().splits(5)[0]
    >>> split.train.tolist() == split.test.tolist()
    True
    """

    def _entries(self, rows: RowsToSplit) -> list[Entry]:
        all_rows = np.arange(rows.n)
        return [Entry(0, 0, all_rows, all_rows)]


@dataclass(frozen=True)
class TimeOrder(Scheme):
    """Train on earlier rows and test on later rows, in chronological order.

    The last rows are divided into consecutive blocks, and the model for each block is trained on the rows before it.

    Parameters
    ----------
    folds
        Number of blocks.
    test
        Number of rows in a block. Default: n / (folds + 1).
    gap
        Number of rows left out between training and test rows.
    window
        Number of training rows before each block. Default: all.

    Examples
    --------
    >>> import howsure
    >>> [(len(split.train), split.test.tolist()) for split in howsure.TimeOrder(3, test=2).splits(10)]
    [(4, [4, 5]), (6, [6, 7]), (8, [8, 9])]
    """

    grouped: ClassVar[bool] = False
    folds: int = 5
    test: int | None = None
    gap: int = 0
    window: int | None = None

    def __post_init__(self) -> None:
        _whole("folds", self.folds, 1)
        _whole("gap", self.gap, 0)
        for name in ("test", "window"):
            if getattr(self, name) is not None:
                _whole(name, getattr(self, name), 1)

    def _entries(self, rows: RowsToSplit) -> list[Entry]:
        size = self.test or rows.n // (self.folds + 1)
        first = rows.n - size * self.folds
        if size < 1 or first - self.gap < 1:
            raise HowsureError(f"{self} needs more than {rows.n} rows, since some must precede the first test block.")
        entries = []
        for fold in range(self.folds):
            start = first + fold * size
            end = start - self.gap
            begin = 0 if self.window is None else max(0, end - self.window)
            entries.append(Entry(0, fold, np.arange(start, start + size), np.arange(begin, end)))
        return entries


def _divide(rows: RowsToSplit, shares: Any, stratified: bool) -> IntArray:
    return divide_rows(rows.classes if stratified else None, shares, rows.rng, rows.n, rows.groups)


def _whole(name: str, value: Any, least: int, most: int | None = None) -> None:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        must(name, f"a whole number, {least} or above", given=value)
    if most is not None and int(value) > most:
        must(name, f"at most {most:,}, for at most {MAX_SPLITS:,} splits", given=value)


def _check_room(scheme: Scheme, row_numbers: float) -> None:
    """Raise an error if the splits would exceed the memory limit."""
    if row_numbers > MAX_ROW_NUMBERS:
        raise HowsureError(
            f"{scheme} would hold {row_numbers:,.0f} row numbers, but at most {MAX_ROW_NUMBERS:,} (8 GB) are allowed; "
            "use fewer splits."
        )


def _share(name: str, value: Any) -> None:
    if not 0 < as_float(value) < 1:
        must_be_share(name, "a share between 0 and 1", given=value)
