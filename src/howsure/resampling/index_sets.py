"""Splits: the training and test rows of every round of a resampling, with a fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.arrays import IntArray
from howsure.errors import HowsureError
from howsure.tables.design import Design

if TYPE_CHECKING:
    from howsure.resampling.declare import Scheme


@dataclass(frozen=True, slots=True)
class Split:
    """A split into training and test rows, and optionally validation rows.

    Attributes
    ----------
    repeat, fold
        The number of the repeat and of the fold, from 0.
    train, test
        Training and test rows. A row that is drawn twice by a bootstrap occurs twice.
    validation
        Validation rows, or None.

    Examples
    --------
    >>> from howsure import TrainValidationTest
    >>> split = TrainValidationTest().splits(20)[0]
    >>> len(split.train), len(split.validation), len(split.test)
    (10, 5, 5)
    """

    repeat: int
    fold: int
    train: IntArray
    test: IntArray
    validation: IntArray | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored split; by default, rows in no other set are training rows."""

    repeat: int
    fold: int
    test: IntArray
    train: IntArray | None = None
    validation: IntArray | None = None

    def split(self, n: int) -> Split:
        """Return the split of ``n`` rows, with its training rows."""
        train = self.rest(n) if self.train is None else self.train
        return Split(self.repeat, self.fold, train, self.test, self.validation)

    def rest(self, n: int) -> IntArray:
        """Return the rows that are not used for test or validation."""
        unused = np.ones(n, bool)
        unused[self.test] = False
        if self.validation is not None:
            unused[self.validation] = False
        return np.flatnonzero(unused)

    def compact(self, n: int) -> Entry:
        """Set ``train`` to None if it is the default."""
        if self.train is not None and np.array_equal(np.sort(self.train), self.rest(n)):
            return replace(self, train=None)
        return self


@dataclass(frozen=True, eq=False)
class Splits(Sequence[Split]):
    """The splits of a resampling, with the scheme that generated them.

    Attributes
    ----------
    n
        The number of rows.
    entries
        The splits in their stored form.
    scheme
        The scheme that generated the splits.
    is_leave_one_out
        Whether each row is tested alone.

    Examples
    --------
    >>> from howsure import KFold
    >>> splits = KFold(5).splits([0, 1] * 10, seed=0)
    >>> len(splits), splits.design.ratio, splits.times_tested.tolist() == [1] * 20
    (5, 0.25, True)
    >>> splits.fingerprint == KFold(5).splits([0, 1] * 10, seed=0).fingerprint
    True
    """

    n: int
    entries: tuple[Entry, ...] = field(repr=False)
    scheme: Scheme

    def __post_init__(self) -> None:
        for number, entry in enumerate(self.entries):
            validated = 0 if entry.validation is None else len(entry.validation)
            trained = self.n - len(entry.test) - validated if entry.train is None else len(entry.train)
            for use, rows in (
                ("test", len(entry.test)),
                ("validate", 1 if entry.validation is None else validated),
                ("train", trained),
            ):
                if not rows:
                    raise HowsureError(f"split {number} of {self.scheme} has no row to {use} on; more rows are needed.")

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [entry.split(self.n) for entry in self.entries[index]]
        return self.entries[index].split(self.n)

    def __iter__(self) -> Iterator[Split]:
        return (entry.split(self.n) for entry in self.entries)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the rows of all splits, equal for equal splits of any scheme."""
        digest = hashlib.blake2b(str(self.n).encode(), digest_size=16)
        for entry in self.entries:
            compact = entry.compact(self.n)
            for mark, rows in (("test", compact.test), ("train", compact.train), ("validation", compact.validation)):
                if rows is not None:
                    digest.update(f"{mark} {len(rows)}".encode())
                    digest.update(np.sort(rows).astype("<i8").tobytes())
        return digest.hexdigest()

    @cached_property
    def design(self) -> Design:
        """Sizes and overlap of the training and test sets."""
        rounds = len(self.entries)
        used = np.zeros(self.n)
        train_sizes = np.empty(rounds)
        # A split without explicit training rows counts as one use of every row except the rows that it leaves out.
        whole = 0
        for number, entry in enumerate(self.entries):
            if entry.train is None:
                whole += 1
                used[entry.test] -= 1
                left_out = len(entry.test)
                if entry.validation is not None:
                    used[entry.validation] -= 1
                    left_out += len(entry.validation)
                train_sizes[number] = self.n - left_out
            else:
                used[np.unique(entry.train)] += 1
                train_sizes[number] = len(entry.train)
        used += whole
        pairs = rounds * (rounds - 1) / 2
        shared = float((used * (used - 1) / 2).sum()) / pairs if pairs else 0.0
        distinct = float(used.sum()) / rounds
        return Design(
            scheme=self.scheme,
            n=self.n,
            splits=rounds,
            repeats=len({entry.repeat for entry in self.entries}),
            train=float(train_sizes.mean()),
            test=float(np.mean([len(entry.test) for entry in self.entries])),
            overlap=shared / distinct,
            tested=float(self.times_tested.mean()),
        )

    @cached_property
    def times_tested(self) -> IntArray:
        """The number of splits that test each row."""
        counts = np.zeros(self.n, np.int64)
        for entry in self.entries:
            counts[entry.test] += 1
        return counts

    @property
    def is_leave_one_out(self) -> bool:
        return len(self) == self.n > 1 and all(len(entry.test) == 1 for entry in self.entries)

    def __repr__(self) -> str:
        return f"Splits({self.scheme}, n={self.n}, splits={len(self)}, fingerprint={self.fingerprint[:8]})"
