"""Splits: which rows train and which test, in every round of a resampling, with a fingerprint of it all."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from assay.arrays import IntArray
from assay.errors import AssayError
from assay.tables.folds import Design


@dataclass(frozen=True, slots=True)
class Split:
    """One round: rows to train on (a row drawn twice stands there twice), to test on, and to tune on."""

    repeat: int
    fold: int
    train: IntArray
    test: IntArray
    validation: IntArray | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A split as it is kept. Without ``train``, all rows train that neither test nor validate."""

    repeat: int
    fold: int
    test: IntArray
    train: IntArray | None = None
    validation: IntArray | None = None


@dataclass(frozen=True, eq=False)
class Splits(Sequence[Split]):
    """The rounds of a resampling of ``n`` rows; ``scheme`` says in words how they were made."""

    n: int
    entries: tuple[Entry, ...] = field(repr=False)
    scheme: str

    def __post_init__(self) -> None:
        for place, entry in enumerate(self.entries):
            if not len(entry.test):
                raise AssayError(f"split {place} of {self.scheme} has no row to test on; there are too few rows.")
            chosen = 0 if entry.validation is None else len(entry.validation)
            if entry.validation is not None and not chosen:
                raise AssayError(f"split {place} of {self.scheme} has no row to validate on; there are too few rows.")
            trained = self.n - len(entry.test) - chosen if entry.train is None else len(entry.train)
            if not trained:
                raise AssayError(f"split {place} of {self.scheme} has no row to train on; there are too few rows.")

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        entry = self.entries[place]
        train = self._rest(entry) if entry.train is None else entry.train
        return Split(entry.repeat, entry.fold, train, entry.test, entry.validation)

    def __iter__(self) -> Iterator[Split]:
        return (self[place] for place in range(len(self)))

    def _rest(self, entry: Entry) -> IntArray:
        left = np.ones(self.n, bool)
        left[entry.test] = False
        if entry.validation is not None:
            left[entry.validation] = False
        return np.flatnonzero(left)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the rows of every split: equal for equal splits, whoever made them."""
        digest = hashlib.blake2b(str(self.n).encode(), digest_size=16)
        for entry in self.entries:
            told = entry if entry.train is None else _without_rest(entry, self._rest(entry))
            for mark, rows in (("test", told.test), ("train", told.train), ("validation", told.validation)):
                if rows is not None:
                    digest.update(f"{mark} {len(rows)}".encode())
                    digest.update(np.sort(rows).astype("<i8").tobytes())
        return digest.hexdigest()

    @cached_property
    def design(self) -> Design:
        """Sizes and overlap, counted from the rows themselves."""
        rounds = len(self.entries)
        used, tested = np.zeros(self.n), np.zeros(self.n)
        train_sizes = np.empty(rounds)
        whole = 0  # splits that train on all rows but those marked; counted by what they leave out
        for place, entry in enumerate(self.entries):
            tested[entry.test] += 1
            if entry.train is None:
                whole += 1
                used[entry.test] -= 1
                left_out = len(entry.test)
                if entry.validation is not None:
                    used[entry.validation] -= 1
                    left_out += len(entry.validation)
                train_sizes[place] = self.n - left_out
            else:
                used[np.unique(entry.train)] += 1
                train_sizes[place] = len(entry.train)
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
            tested=float(tested.mean()),
        )

    @cached_property
    def times_tested(self) -> IntArray:
        """How often each row is tested."""
        counts = np.zeros(self.n, np.int64)
        for entry in self.entries:
            counts[entry.test] += 1
        return counts

    @property
    def is_leave_one_out(self) -> bool:
        return len(self) == self.n > 1 and all(len(entry.test) == 1 for entry in self.entries)

    def __repr__(self) -> str:
        return f"Splits({self.scheme}, n={self.n}, splits={len(self)}, fingerprint={self.fingerprint[:8]})"


def _without_rest(entry: Entry, rest: IntArray) -> Entry:
    """Spell a split the shorter way where all other rows train, so that equal splits look equal."""
    if entry.train is not None and np.array_equal(np.sort(entry.train), rest):
        return Entry(entry.repeat, entry.fold, entry.test, None, entry.validation)
    return entry
